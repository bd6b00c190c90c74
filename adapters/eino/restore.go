//lint:file-ignore SA1019 the deprecated MultiContent is in programs and their histories still

package einokit

import (
	"fmt"
	"maps"

	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// restore turns a view of a history that convert made back into the framework's messages.
func restore(native []*schema.Message, history, view []core.Message) ([]*schema.Message, error) {
	return adapters.Restore(adapters.Native[*schema.Message]{Edit: edit, Insert: insert}, native, history, view)
}

// edit copies a message, and the lists in it that something is gone from. All else, such as
// ResponseMeta and the Extra of calls and pieces, is shared.
func edit(m *schema.Message, pieces []core.Message) (*schema.Message, error) {
	left := remainder{pieces[0].Parts} // one: a message is one message
	out := *m
	if m.ReasoningContent != "" && left.take(reasoningSlot) == nil {
		out.ReasoningContent, out.Extra = "", without(m.Extra, m.ReasoningContent)
	}
	if hasContent(m) {
		out.Content = ""
		if p := left.take(contentSlot); p != nil {
			out.Content = p.Text
		}
	}
	out.MultiContent = editList(&left, multiSlot, m.MultiContent, textPart)
	out.UserInputMultiContent = editList(&left, inputSlot, m.UserInputMultiContent, func(p *schema.MessageInputPart, text string) schema.MessageInputPart {
		return schema.MessageInputPart{Type: schema.ChatMessagePartTypeText, Text: text, Extra: p.Extra}
	})
	out.AssistantGenMultiContent = editList(&left, outputSlot, m.AssistantGenMultiContent, func(p *schema.MessageOutputPart, text string) schema.MessageOutputPart {
		return schema.MessageOutputPart{Type: schema.ChatMessagePartTypeText, Text: text, Extra: p.Extra}
	})
	for i := range m.ToolCalls {
		if p := left.take(callSlot + uint32(i)); p == nil || p.Elided != nil {
			return nil, fmt.Errorf("call %d was edited, and calls leave only with their message", i)
		}
	}
	if len(left.parts) > 0 {
		return nil, fmt.Errorf("slot %#x of the view is none of its pieces, or not in their order", left.parts[0].Slot)
	}
	return &out, nil
}

//nolint:staticcheck // deprecated, but still sent by clients
func textPart(_ *schema.ChatMessagePart, text string) schema.ChatMessagePart {
	return schema.ChatMessagePart{Type: schema.ChatMessagePartTypeText, Text: text}
}

// remainder is what is left of a message's parts, in order.
type remainder struct{ parts []core.Part }

// take returns the part of a slot, or nil if it is gone.
func (r *remainder) take(slot uint32) *core.Part {
	if len(r.parts) == 0 || r.parts[0].Slot != slot {
		return nil
	}
	p := &r.parts[0]
	r.parts = r.parts[1:]
	return p
}

// editList returns a list with what is left of its pieces; text makes a piece of a text, in
// place of one that was edited.
func editList[P any](left *remainder, slot uint32, pieces []P, text func(*P, string) P) []P {
	if len(pieces) == 0 {
		return pieces
	}
	out := make([]P, 0, len(pieces))
	for i := range pieces {
		switch p := left.take(slot + uint32(i)); {
		case p == nil:
		case p.Elided != nil:
			out = append(out, text(&pieces[i], p.Text))
		default:
			out = append(out, pieces[i])
		}
	}
	return out
}

// without returns a client's own values without the reasoning: most keep it twice, and send
// the one in Extra.
func without(extra map[string]any, reasoning string) map[string]any {
	out := maps.Clone(extra)
	maps.DeleteFunc(out, func(_ string, value any) bool { return value == any(reasoning) })
	return out
}

// insert makes a message of one that an edit added.
func insert(added *core.Message) (*schema.Message, error) {
	if len(added.Parts) != 1 {
		return nil, fmt.Errorf("an added message has one text, not %d parts", len(added.Parts))
	}
	out := schema.UserMessage(added.Parts[0].Text)
	if added.Role == core.RoleAssistant {
		out.Role = schema.Assistant
	}
	reason := ""
	if e := added.Parts[0].Elided; e != nil {
		reason = e.Reason
	}
	out.Extra = map[string]any{adapters.PolicyKey: core.Ephemeral.String(), adapters.InsertedKey: reason}
	return out, nil
}
