package langchainkit

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/tmc/langchaingo/llms"

	"github.com/trimkit/trimkit/core"
)

// builder makes a history. Messages and parts stand in one slab each; what outgrows its slab
// goes on in a larger one.
type builder struct {
	messages []core.Message
	parts    []core.Part
	calls    calls
}

func newBuilder(messages, parts int) *builder {
	return &builder{messages: make([]core.Message, 0, messages), parts: make([]core.Part, 0, parts)}
}

// end adds a message with the parts from first on. Calls right behind calls, with no result
// between them, were made at once: Anthropic's client takes one call in a message.
func (b *builder) end(m core.Message, first int) {
	if n := len(b.parts); n > first {
		m.Parts = b.parts[first:n:n]
	}
	if core.ClassOf(&m) == core.ClassCalls {
		m.Reply = m.Src
		if n := len(b.messages); n > 0 && core.ClassOf(&b.messages[n-1]) == core.ClassCalls {
			m.Reply = b.messages[n-1].Reply
		}
	}
	b.messages = append(b.messages, m)
}

// fromContents makes a history of what goes to a model. Slot is the index of the part.
func fromContents(native []llms.MessageContent) []core.Message {
	parts := 0
	for i := range native {
		parts += len(native[i].Parts)
	}
	b, cached := newBuilder(len(native), parts), 0
	for i := range native {
		if b.content(i, &native[i]) {
			cached = len(b.messages)
		}
	}
	for i := range cached {
		b.messages[i].Policy = core.Locked
	}
	return b.messages
}

// content adds a message, and reports whether it has a cache marker. One that mixes calls,
// results and texts of a person becomes several, a role each.
func (b *builder) content(i int, native *llms.MessageContent) (cached bool) {
	m := core.Message{Src: int32(i) + 1, Role: roleOf(native.Role)}
	whole, from, first := m.Role, len(b.messages), len(b.parts)
	for slot, p := range native.Parts {
		part := core.Part{Slot: uint32(slot)}
		cached = b.read(&part, p, i) || cached
		if role := speaker(whole, part.Kind); role != m.Role {
			if len(b.parts) > first {
				b.end(m, first)
				first = len(b.parts)
			}
			m.Role = role
		}
		b.parts = append(b.parts, part)
	}
	b.end(m, first)
	reply := int32(0)
	for p := range b.messages[from:] { // of one message, so of one reply
		if piece := &b.messages[from+p]; piece.Reply != 0 {
			reply = cmp.Or(reply, piece.Reply)
			piece.Reply = reply
		}
	}
	return cached
}

// read reads a part, and reports whether it is a cache marker.
func (b *builder) read(part *core.Part, native llms.ContentPart, msg int) (cached bool) {
	switch p := native.(type) {
	case llms.TextContent:
		part.Text = p.Text
	case llms.ImageURLContent:
		part.Kind, part.Media = core.KindMedia, &core.Media{URL: p.URL, Detail: p.Detail}
	case llms.BinaryContent:
		part.Kind, part.Media = core.KindMedia, &core.Media{MIME: p.MIMEType, Data: p.Data}
	case llms.ToolCall:
		b.call(part, p.ID, p.FunctionCall, msg)
	case llms.ToolCallResponse:
		b.result(part, p.ToolCallID, p.Name, p.Content)
	case llms.CachedContent:
		b.read(part, p.ContentPart, msg)
		return p.CacheControl != nil
	case nil:
		part.Kind = core.KindOpaque
	default:
		part.Kind, part.Text = core.KindOpaque, opaque(p)
	}
	return false
}

func (b *builder) call(part *core.Part, id string, f *llms.FunctionCall, msg int) {
	if f == nil {
		f = &llms.FunctionCall{}
	}
	part.Kind, part.Tool, part.Text = core.KindToolCall, f.Name, f.Arguments
	part.CallID = b.calls.call(id, f.Name, msg)
}

func (b *builder) result(part *core.Part, id, tool, content string) {
	part.Kind, part.Text = core.KindToolResult, content
	part.CallID, part.Tool = b.calls.result(id, tool)
}

// opaque returns the text of a part that no version of the framework that we know has.
func opaque(p llms.ContentPart) string {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Sprintf("%T", p)
	}
	return string(text)
}

// roleOf returns whose a message is. What a generic speaker says goes to models as the
// user's.
func roleOf(t llms.ChatMessageType) core.Role {
	switch t {
	case llms.ChatMessageTypeSystem:
		return core.RoleSystem
	case llms.ChatMessageTypeHuman, llms.ChatMessageTypeGeneric:
		return core.RoleUser
	case llms.ChatMessageTypeAI:
		return core.RoleAssistant
	case llms.ChatMessageTypeTool, llms.ChatMessageTypeFunction:
		return core.RoleTool
	default:
		return 0
	}
}

// speaker returns whose a part is in a message of a role.
func speaker(whole core.Role, kind core.Kind) core.Role {
	switch {
	case whole == core.RoleTool:
		return whole
	case kind == core.KindToolCall:
		return core.RoleAssistant
	case kind == core.KindToolResult:
		return core.RoleTool
	default:
		return whole
	}
}
