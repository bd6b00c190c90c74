package langchainkit

import (
	"fmt"

	"github.com/tmc/langchaingo/llms"
	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

var contents = adapters.Native[llms.MessageContent]{Edit: editContent, Insert: insertContent}

func editContent(native llms.MessageContent, pieces []core.Message) (llms.MessageContent, error) {
	parts := make([]llms.ContentPart, 0, len(native.Parts))
	for _, piece := range pieces {
		for i := range piece.Parts {
			p := &piece.Parts[i]
			if int(p.Slot) >= len(native.Parts) {
				return native, fmt.Errorf("a part has slot %d of %d", p.Slot, len(native.Parts))
			}
			part := native.Parts[p.Slot]
			if p.Elided != nil {
				var err error
				if part, err = editPart(part, p.Text); err != nil {
					return native, err
				}
			}
			parts = append(parts, part)
		}
	}
	native.Parts = parts
	return native, nil
}

// editPart returns a part with another text.
func editPart(native llms.ContentPart, text string) (llms.ContentPart, error) {
	switch p := native.(type) {
	case llms.TextContent, llms.ImageURLContent, llms.BinaryContent:
		return llms.TextContent{Text: text}, nil
	case llms.ToolCallResponse:
		p.Content = text
		return p, nil
	case llms.CachedContent:
		inner, err := editPart(p.ContentPart, text)
		p.ContentPart = inner
		return p, err
	default:
		return native, fmt.Errorf("a part of type %T cannot have another text", native)
	}
}

func insertContent(added *core.Message) (llms.MessageContent, error) {
	role := llms.ChatMessageTypeHuman
	if added.Role == core.RoleAssistant {
		role = llms.ChatMessageTypeAI
	}
	return llms.TextParts(role, content(added.Parts)), nil
}

var chatMessages = adapters.Native[llms.ChatMessage]{Edit: editChat, Insert: insertChat}

func editChat(native llms.ChatMessage, pieces []core.Message) (llms.ChatMessage, error) {
	parts := pieces[0].Parts // a chat message is one piece
	switch n := plain(native).(type) {
	case llms.AIChatMessage:
		return editReply(n, parts)
	case llms.HumanChatMessage:
		n.Content = content(parts)
		return n, nil
	case llms.SystemChatMessage:
		n.Content = content(parts)
		return n, nil
	case llms.GenericChatMessage:
		n.Content = content(parts)
		return n, nil
	case llms.FunctionChatMessage:
		n.Content = content(parts)
		return n, nil
	case llms.ToolChatMessage:
		n.Content = content(parts)
		return n, nil
	default:
		return native, fmt.Errorf("a message of type %T cannot be edited", native)
	}
}

// content returns the text of a message that has one.
func content(parts []core.Part) string {
	if len(parts) == 0 {
		return ""
	}
	return parts[0].Text
}

// editReply returns the model's message with what is left of it.
func editReply(n llms.AIChatMessage, parts []core.Part) (llms.ChatMessage, error) {
	whole := n
	n.Content, n.ReasoningContent, n.FunctionCall, n.ToolCalls = "", "", nil, nil
	for i := range parts {
		switch p := &parts[i]; p.Slot {
		case slotReasoning:
			n.ReasoningContent = p.Text
		case slotContent:
			n.Content = p.Text
		case slotFunctionCall:
			n.FunctionCall = whole.FunctionCall
		default:
			at := int(p.Slot) - slotToolCalls
			if at >= len(whole.ToolCalls) {
				return nil, fmt.Errorf("call %d of %d", at, len(whole.ToolCalls))
			}
			n.ToolCalls = append(n.ToolCalls, whole.ToolCalls[at])
		}
	}
	return n, nil
}

func insertChat(added *core.Message) (llms.ChatMessage, error) {
	if added.Role == core.RoleAssistant {
		return llms.AIChatMessage{Content: content(added.Parts)}, nil
	}
	return llms.HumanChatMessage{Content: content(added.Parts)}, nil
}
