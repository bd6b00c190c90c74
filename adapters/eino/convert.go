package einokit

import (
	"encoding/json"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// Slots: where in a message a piece stands. What is in a list has its index added.
const (
	reasoningSlot uint32 = iota << 24
	contentSlot
	multiSlot
	inputSlot
	outputSlot
	callSlot
)

// convert makes a history of the framework's messages, and returns what the provider counted
// for the last reply in it. A message is one message; nil is none. Texts are shared.
func convert(native []*schema.Message) (history []core.Message, usage int, err error) {
	messages, pieces := 0, 0
	for _, m := range native {
		if m != nil {
			messages++
			if m.ReasoningContent != "" {
				pieces++
			}
			pieces += 1 + len(m.MultiContent) + len(m.UserInputMultiContent) + len(m.AssistantGenMultiContent) + len(m.ToolCalls)
		}
	}
	history = make([]core.Message, 0, messages)
	slab := builder{parts: make([]core.Part, 0, pieces)}
	for i, m := range native {
		if m == nil {
			continue
		}
		start := len(slab.parts)
		slab.message(m)
		out := core.Message{
			Role: roleOf(m), Src: int32(i + 1), Name: m.Name, Parts: slab.parts[start:len(slab.parts):len(slab.parts)],
		}
		if len(m.Extra) > 0 {
			if err := adapters.Mark(&out, m.Extra); err != nil {
				return nil, 0, err
			}
		}
		if m.Role == schema.Assistant {
			usage = promptTokens(m)
		}
		history = append(history, out)
	}
	return history, usage, nil
}

// roleOf takes a role that is not the framework's, such as "developer", for the program's.
func roleOf(m *schema.Message) core.Role {
	switch m.Role {
	case schema.User:
		return core.RoleUser
	case schema.Assistant:
		return core.RoleAssistant
	case schema.Tool:
		return core.RoleTool
	default:
		return core.RoleSystem
	}
}

func promptTokens(m *schema.Message) int {
	if m == nil || m.ResponseMeta == nil || m.ResponseMeta.Usage == nil {
		return 0
	}
	return m.ResponseMeta.Usage.PromptTokens
}

// hasContent reports whether Content is a piece of a message: a tool result is one even
// without a word.
func hasContent(m *schema.Message) bool {
	return m.Content != "" || m.Role == schema.Tool &&
		len(m.MultiContent)+len(m.UserInputMultiContent)+len(m.AssistantGenMultiContent) == 0
}

// signed reports whether a client keeps a provider's signature in a message; the one for
// Claude does in its key "_eino_claude_thinking_signature", others under like names.
func signed(m *schema.Message) bool {
	for key, value := range m.Extra {
		if strings.Contains(key, "signature") && value != "" && value != nil {
			return true
		}
	}
	return false
}

// builder appends the parts of messages to one slab.
type builder struct {
	parts []core.Part
	of    *schema.Message
}

// message appends the pieces of a message, in the order in which clients send them.
func (b *builder) message(m *schema.Message) {
	b.of = m
	if m.ReasoningContent != "" {
		b.parts = append(b.parts, core.Part{Kind: core.KindReasoning, Signed: signed(m), Slot: reasoningSlot, Text: m.ReasoningContent})
	}
	if hasContent(m) {
		b.add(core.Part{Slot: contentSlot, Text: m.Content})
	}
	for i := range m.MultiContent {
		p := &m.MultiContent[i]
		b.piece(multiSlot+uint32(i), p.Type, p.Text, mediaOfPart(p), p)
	}
	for i := range m.UserInputMultiContent {
		p := &m.UserInputMultiContent[i]
		b.piece(inputSlot+uint32(i), p.Type, p.Text, mediaOfInput(p), p)
	}
	for i := range m.AssistantGenMultiContent {
		p := &m.AssistantGenMultiContent[i]
		b.piece(outputSlot+uint32(i), p.Type, p.Text, mediaOfOutput(p), p)
	}
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		b.parts = append(b.parts, core.Part{
			Kind: core.KindToolCall, Slot: callSlot + uint32(i), Text: c.Function.Arguments, CallID: c.ID, Tool: c.Function.Name,
		})
	}
}

// piece appends a piece of a list. One of an unknown type, or with nothing in it, is opaque,
// and counts as what it is in JSON.
func (b *builder) piece(slot uint32, kind schema.ChatMessagePartType, text string, media *core.Media, native any) {
	switch {
	case kind == schema.ChatMessagePartTypeText:
		b.add(core.Part{Slot: slot, Text: text})
	case media != nil:
		b.add(core.Part{Kind: core.KindMedia, Slot: slot, Media: media})
	default:
		raw, err := json.Marshal(native)
		if err != nil { // something in Extra
			raw = []byte(text)
		}
		b.add(core.Part{Kind: core.KindOpaque, Slot: slot, Text: string(raw)})
	}
}

// add appends a part. In a tool message all are blocks of one result, of which the framework
// does not say how the call went.
func (b *builder) add(p core.Part) {
	if b.of.Role == schema.Tool {
		p.Kind, p.CallID, p.Tool = core.KindToolResult, b.of.ToolCallID, b.of.ToolName
	}
	b.parts = append(b.parts, p)
}
