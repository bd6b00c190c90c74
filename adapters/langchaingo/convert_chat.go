package langchainkit

import (
	"github.com/tmc/langchaingo/llms"

	"github.com/trimkit/trimkit/core"
)

// The slots of a chat message.
const (
	slotReasoning = iota
	slotContent
	slotFunctionCall
	slotToolCalls // and those behind it
)

// fromChat makes a history of a store's messages. A nil one, as which some stores return what
// they cannot hold, is no message.
func fromChat(native []llms.ChatMessage) []core.Message {
	b := newBuilder(len(native), len(native))
	for i, m := range native {
		if m = plain(m); m != nil {
			b.chat(i, m)
		}
	}
	return b.messages
}

func (b *builder) chat(i int, native llms.ChatMessage) {
	m, first := core.Message{Src: int32(i) + 1, Role: roleOf(native.GetType())}, len(b.parts)
	part := core.Part{Slot: slotContent}
	switch n := native.(type) {
	case llms.AIChatMessage:
		b.reply(&n, i)
		b.end(m, first)
		return
	case llms.HumanChatMessage, llms.SystemChatMessage:
		part.Text = native.GetContent()
	case llms.GenericChatMessage:
		m.Name, part.Text = n.Name, n.Content
	case llms.FunctionChatMessage:
		b.result(&part, "", n.Name, n.Content)
	case llms.ToolChatMessage:
		b.result(&part, n.ID, "", n.Content)
	default:
		part.Kind, part.Text = core.KindOpaque, native.GetContent()
	}
	b.parts = append(b.parts, part)
	b.end(m, first)
}

// reply adds the parts of the model's message.
func (b *builder) reply(n *llms.AIChatMessage, msg int) {
	if n.ReasoningContent != "" {
		b.parts = append(b.parts, core.Part{Kind: core.KindReasoning, Slot: slotReasoning, Text: n.ReasoningContent})
	}
	if n.Content != "" || n.ReasoningContent == "" && n.FunctionCall == nil && len(n.ToolCalls) == 0 {
		b.parts = append(b.parts, core.Part{Slot: slotContent, Text: n.Content})
	}
	if n.FunctionCall != nil {
		part := core.Part{Slot: slotFunctionCall}
		b.call(&part, "", n.FunctionCall, msg)
		b.parts = append(b.parts, part)
	}
	for i := range n.ToolCalls {
		part := core.Part{Slot: slotToolCalls + uint32(i)}
		b.call(&part, n.ToolCalls[i].ID, n.ToolCalls[i].FunctionCall, msg)
		b.parts = append(b.parts, part)
	}
}

// plain returns a message that a pointer leads to: pointers to the framework's messages are
// messages too. It is nil if there is none.
func plain(m llms.ChatMessage) llms.ChatMessage {
	switch p := m.(type) {
	case *llms.AIChatMessage:
		return follow(p)
	case *llms.HumanChatMessage:
		return follow(p)
	case *llms.SystemChatMessage:
		return follow(p)
	case *llms.GenericChatMessage:
		return follow(p)
	case *llms.FunctionChatMessage:
		return follow(p)
	case *llms.ToolChatMessage:
		return follow(p)
	default:
		return m
	}
}

func follow[M llms.ChatMessage](p *M) llms.ChatMessage {
	if p == nil {
		return nil
	}
	return *p
}
