package langchainkit_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// stub is a model that notes what it is sent. It is safe for concurrent use.
type stub struct {
	reply func(n int, messages []llms.MessageContent, call *llms.CallOptions) (*llms.ContentResponse, error) // n: calls before; nil: "ok"

	mu    sync.Mutex
	calls [][]llms.MessageContent
}

func (s *stub) GenerateContent(_ context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var call llms.CallOptions
	for _, o := range options {
		o(&call)
	}
	s.mu.Lock()
	n := len(s.calls)
	s.calls = append(s.calls, messages)
	s.mu.Unlock()
	if s.reply != nil {
		return s.reply(n, messages, &call)
	}
	return says("ok"), nil
}

func (s *stub) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, s, prompt, options...)
}

func says(text string) *llms.ContentResponse {
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: text}}}
}

// letters counts a token for four bytes.
var letters = budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 })

func trim(t testing.TB, window int) *budget.Trim {
	t.Helper()
	trim, err := budget.NewTrim(budget.NewMeter(letters), budget.Limits{Window: window})
	require.NoError(t, err)
	return trim
}

func enforcer(t testing.TB, window int) *budget.Enforcer {
	t.Helper()
	e, err := budget.NewEnforcer(budget.NewMeter(letters), budget.Limits{Window: window})
	require.NoError(t, err)
	return e
}

// seen notes the history and the request of each call, and edits nothing.
type seen struct {
	histories [][]core.Message
	requests  []core.Request
}

func (s *seen) Transform(ctx context.Context, history []core.Message) ([]core.Message, error) {
	s.histories = append(s.histories, history)
	s.requests = append(s.requests, *core.RequestFrom(ctx))
	return history, nil
}

// editing proposes for every message what propose says.
func editing(propose func(w *core.Window, msg, part int) (core.Edit, bool)) core.Transformer {
	return core.Transform(core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for m := range w.History {
				for p := range w.History[m].Parts {
					edit, ok := propose(w, m, p)
					edit.Msg, edit.Part, edit.By, edit.Reason = m, p, -1, "test"
					if ok && w.Visible(m) && !yield(edit) {
						return
					}
				}
			}
		}
	}))
}

// smallest elides whatever can be elided, and shortens every other text that can be.
var smallest = editing(func(w *core.Window, msg, part int) (core.Edit, bool) {
	if w.Protection(msg) != 0 {
		return core.Edit{}, false
	}
	switch p := &w.History[msg].Parts[part]; p.Kind {
	case core.KindToolResult, core.KindMedia, core.KindReasoning:
		return core.Edit{Op: core.Elide}, true
	case core.KindText:
		return core.Edit{Op: core.Shorten, Text: "short"}, len(p.Text) > 100
	default:
		return core.Edit{}, false
	}
})

// without drops the groups of some messages.
func without(msgs ...int) core.Transformer {
	return editing(func(_ *core.Window, msg, part int) (core.Edit, bool) {
		return core.Edit{Op: core.Drop}, part == 0 && slices.Contains(msgs, msg)
	})
}

// long is a text that is worth an edit.
func long(name string) string { return name + " " + strings.Repeat("lorem ipsum ", 30) }

func text(role llms.ChatMessageType, texts ...string) llms.MessageContent {
	return llms.TextParts(role, texts...)
}

func human(s string) llms.MessageContent { return text(llms.ChatMessageTypeHuman, s) }
func ai(s string) llms.MessageContent    { return text(llms.ChatMessageTypeAI, s) }

func message(role llms.ChatMessageType, parts ...llms.ContentPart) llms.MessageContent {
	return llms.MessageContent{Role: role, Parts: parts}
}

func call(id, tool, arguments string) llms.ToolCall {
	return llms.ToolCall{ID: id, Type: "function", FunctionCall: &llms.FunctionCall{Name: tool, Arguments: arguments}}
}

func calls(calls ...llms.ContentPart) llms.MessageContent {
	return message(llms.ChatMessageTypeAI, calls...)
}

func result(id, tool, content string) llms.MessageContent {
	return message(llms.ChatMessageTypeTool, llms.ToolCallResponse{ToolCallID: id, Name: tool, Content: content})
}

// everything returns a conversation with every kind of part, new values each time.
func everything() []llms.MessageContent {
	return []llms.MessageContent{
		text(llms.ChatMessageTypeSystem, "be brief"),
		human("the task"),
		calls(call("c1", "read", `{"path":"a"}`), call("c2", "look", "not JSON")),
		result("c1", "read", long("first")),
		result("c2", "look", long("second")),
		message(llms.ChatMessageTypeHuman, llms.TextContent{Text: long("what are these")},
			llms.ImageURLContent{URL: "https://example.com/" + long("address"), Detail: "low"},
			llms.BinaryContent{MIMEType: "image/png", Data: make([]byte, 4000)},
			llms.WithCacheControl(llms.TextContent{Text: long("no marker")}, nil)),
		message(llms.ChatMessageTypeAI, llms.TextContent{Text: long("pictures")}),
		message(llms.ChatMessageTypeGeneric, llms.TextContent{Text: long("said by somebody")}),
		ai("done"),
		human("the question"),
	}
}
