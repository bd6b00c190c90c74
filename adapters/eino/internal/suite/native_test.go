//lint:file-ignore SA1019 the deprecated MultiContent is in programs and their histories still

package suite_test

import (
	"strings"

	"github.com/cloudwego/eino-ext/components/model/claude"
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/core"
)

// native makes the framework's messages of a history.
func native(history []core.Message) any {
	out := make([]*schema.Message, 0, len(history))
	for i := range history {
		out = append(out, message(&history[i]))
	}
	return out
}

func message(h *core.Message) *schema.Message {
	m := &schema.Message{Role: schema.RoleType(h.Role.String()), Name: h.Name}
	pieces := make([]core.Part, 0, len(h.Parts)) // of the content
	for _, p := range h.Parts {
		switch p.Kind {
		case core.KindReasoning:
			m.ReasoningContent += p.Text
			m.Extra = map[string]any{"_eino_claude_thinking": m.ReasoningContent}
			if p.Signed {
				m.Extra["_eino_claude_thinking_signature"] = signature
			}
		case core.KindToolCall:
			m.ToolCalls = append(m.ToolCalls, schema.ToolCall{
				ID: p.CallID, Type: "function", Function: schema.FunctionCall{Name: p.Tool, Arguments: p.Text},
			})
		case core.KindToolResult:
			m.ToolCallID, m.ToolName = p.CallID, p.Tool
			pieces = append(pieces, p)
		default:
			pieces = append(pieces, p)
		}
	}
	if len(pieces) == 1 && pieces[0].Media == nil {
		m.Content = pieces[0].Text
		return mark(m, h)
	}
	for _, p := range pieces {
		if m.Role == schema.Assistant {
			m.AssistantGenMultiContent = append(m.AssistantGenMultiContent, schema.MessageOutputPart{Type: schema.ChatMessagePartTypeText, Text: p.Text})
		} else {
			m.UserInputMultiContent = append(m.UserInputMultiContent, input(p))
		}
	}
	return mark(m, h)
}

const signature = "c2lnbmVk"

func input(p core.Part) schema.MessageInputPart {
	if p.Media == nil {
		return schema.MessageInputPart{Type: schema.ChatMessagePartTypeText, Text: p.Text}
	}
	common := schema.MessagePartCommon{MIMEType: p.Media.MIME}
	if mime, data, ok := strings.Cut(strings.TrimPrefix(p.Media.URL, "data:"), ";base64,"); ok {
		common.MIMEType, common.Base64Data = mime, &data
	} else {
		url := p.Media.URL
		common.URL = &url
	}
	return schema.MessageInputPart{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{
		MessagePartCommon: common, Detail: schema.ImageURLDetail(p.Media.Detail),
	}}
}

// mark writes a policy and labels as a program would.
func mark(m *schema.Message, h *core.Message) *schema.Message {
	set := func(key, value string) {
		if m.Extra == nil {
			m.Extra = map[string]any{}
		}
		m.Extra[key] = value
	}
	if h.Policy != core.PolicyDefault {
		set("trimkit.policy", h.Policy.String())
	}
	if h.Meta != nil {
		if h.Meta.ID != "" {
			set("trimkit.id", h.Meta.ID)
		}
		for key, value := range h.Meta.Labels {
			set("trimkit.label."+key, value)
		}
	}
	return m
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

var filler = strings.Repeat("what the tool found, at length; ", 60)

// specimens are histories that core cannot hold.
func specimens(api adaptertest.API) func() map[string]any {
	return func() map[string]any {
		all := map[string]any{
			"images": talk(
				&schema.Message{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{
					{Type: schema.ChatMessagePartTypeText, Text: "what is this?", Extra: map[string]any{"own": 1}},
					{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{
						MessagePartCommon: schema.MessagePartCommon{Base64Data: of(pixel), MIMEType: "image/png"}, Detail: schema.ImageURLDetailLow,
					}},
					{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{
						MessagePartCommon: schema.MessagePartCommon{URL: of("https://example.com/a.png")},
					}},
				}}),
			"deprecated multi-content": talk(deprecated()),
			"extra": talk(&schema.Message{
				Role: schema.User, Content: "with own values", Name: "ann", Extra: map[string]any{"own": map[string]any{"deep": []int{1}}, "n": 1},
			}),
		}
		if api == adaptertest.Messages {
			signed := talk(schema.UserMessage("think"))
			signed[2].ReasoningContent = "hm"
			signed[2].Extra = map[string]any{"_eino_claude_thinking": "hm", "_eino_claude_thinking_signature": signature}
			all["signed reasoning"] = signed
			all["cache marker"] = talk(claude.SetMessageBreakpoint(schema.UserMessage("cached so far")))
			shown := talk(schema.UserMessage("show"))
			shown[3].Content, shown[3].UserInputMultiContent = "", []schema.MessageInputPart{
				{Type: schema.ChatMessagePartTypeText, Text: filler},
				{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{
					MessagePartCommon: schema.MessagePartCommon{Base64Data: of(pixel), MIMEType: "image/png"},
				}},
			}
			all["image in a result"] = shown
		}
		return all
	}
}

//nolint:staticcheck // deprecated, but still sent by clients
func deprecated() *schema.Message {
	return &schema.Message{Role: schema.User, MultiContent: []schema.ChatMessagePart{
		{Type: schema.ChatMessagePartTypeText, Text: "and this?"},
		{Type: schema.ChatMessagePartTypeImageURL, ImageURL: &schema.ChatMessageImageURL{URL: "https://example.com/b.png"}},
	}}
}

// talk is a conversation in which the message stands behind an exchange, and before another.
func talk(special *schema.Message) []*schema.Message {
	index := 0
	return []*schema.Message{
		schema.SystemMessage("Help."),
		schema.UserMessage("Look it up."),
		{
			Role: schema.Assistant, Content: "I look.",
			ToolCalls: []schema.ToolCall{{
				Index: &index, ID: "call_1", Type: "function", Function: schema.FunctionCall{Name: "lookup", Arguments: `{"q":"x"}`},
				Extra: map[string]any{"own": "value"},
			}},
			ResponseMeta: &schema.ResponseMeta{FinishReason: "tool_calls"},
		},
		schema.ToolMessage(filler, "call_1", schema.WithToolName("lookup")),
		schema.AssistantMessage("Found.", nil),
		special,
		schema.AssistantMessage("", []schema.ToolCall{{ID: "call_2", Type: "function", Function: schema.FunctionCall{Name: "lookup", Arguments: `{"q":"y"}`}}}),
		schema.ToolMessage(filler, "call_2", schema.WithToolName("lookup")),
		schema.AssistantMessage("Found too.", nil),
		schema.UserMessage("Go on."),
	}
}

func of[T any](v T) *T { return &v }
