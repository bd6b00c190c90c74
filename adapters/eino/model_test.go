package einokit_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	einokit "github.com/trimkit/trimkit/adapters/eino"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// small is an enforcer that counts a byte as a token.
func small(t testing.TB, window int) *budget.Enforcer {
	t.Helper()
	e, err := budget.NewEnforcer(budget.NewMeter(budget.CounterFunc(func(s string) int { return len(s) })), budget.Limits{Window: window})
	require.NoError(t, err)
	return e
}

// counts are the callbacks that a call caused.
type counts struct{ start, end, failed, sent atomic.Int64 }

func (c *counts) handler() callbacks.Handler {
	ofModel := func(info *callbacks.RunInfo) bool {
		return info != nil && info.Component == components.ComponentOfChatModel
	}
	return callbacks.NewHandlerBuilder().
		OnStartFn(func(ctx context.Context, info *callbacks.RunInfo, in callbacks.CallbackInput) context.Context {
			if ofModel(info) {
				c.start.Add(1)
				c.sent.Store(int64(size(model.ConvCallbackInput(in).Messages)))
			}
			return ctx
		}).
		OnEndFn(func(ctx context.Context, info *callbacks.RunInfo, _ callbacks.CallbackOutput) context.Context {
			if ofModel(info) {
				c.end.Add(1)
			}
			return ctx
		}).
		OnEndWithStreamOutputFn(func(ctx context.Context, info *callbacks.RunInfo, out *schema.StreamReader[callbacks.CallbackOutput]) context.Context {
			if ofModel(info) {
				c.end.Add(1)
			}
			out.Close()
			return ctx
		}).
		OnErrorFn(func(ctx context.Context, info *callbacks.RunInfo, _ error) context.Context {
			if ofModel(info) {
				c.failed.Add(1)
			}
			return ctx
		}).Build()
}

func size(messages []*schema.Message) (bytes int) {
	for _, m := range messages {
		bytes += len(m.Content)
	}
	return bytes
}

// exchanges is a history of n exchanges after a task.
func exchanges(n int) []*schema.Message {
	out := []*schema.Message{schema.SystemMessage("rules"), schema.UserMessage("the task")}
	for range n {
		out = append(out, schema.AssistantMessage("", []schema.ToolCall{{ID: "c", Function: schema.FunctionCall{Name: "look", Arguments: "{}"}}}),
			schema.ToolMessage(strings.Repeat("result ", 40), "c"))
	}
	return append(out, schema.AssistantMessage("done", nil), schema.UserMessage("and now?"))
}

// models are a model that reports to callbacks, and one that does not.
func models(reply func(int, []*schema.Message) (*schema.Message, error)) map[string]func() (model.ToolCallingChatModel, *script) {
	return map[string]func() (model.ToolCallingChatModel, *script){
		"silent":    func() (model.ToolCallingChatModel, *script) { s := newStub(reply); return s, s.script },
		"reporting": func() (model.ToolCallingChatModel, *script) { s := newStub(reply); return &reporter{s}, s.script },
	}
}

// call makes a call in a chain, with callbacks.
func call(t *testing.T, m model.BaseChatModel, in []*schema.Message, stream bool, opts ...compose.Option) error {
	t.Helper()
	chain, err := compose.NewChain[[]*schema.Message, *schema.Message]().AppendChatModel(m).Compile(t.Context())
	require.NoError(t, err)
	if !stream {
		_, err = chain.Invoke(t.Context(), in, opts...)
		return err
	}
	out, err := chain.Stream(t.Context(), in, opts...)
	if err == nil {
		_, err = schema.ConcatMessageStream(out)
	}
	return err
}

func TestWrapModel_ReportsOnce(t *testing.T) {
	for name, newModel := range models(fine) {
		for _, stream := range []bool{false, true} {
			for _, layers := range []int{1, 2} {
				inner, script := newModel()
				wrapped := einokit.WrapModel(inner, small(t, 2000))
				for range layers - 1 {
					wrapped = einokit.WrapModel(wrapped, small(t, 2000))
				}
				var c counts
				require.NoError(t, call(t, wrapped, exchanges(10), stream, compose.WithCallbacks(c.handler())))
				assert.EqualValues(t, 1, c.start.Load(), "%s, stream %t, %d layers", name, stream, layers)
				assert.EqualValues(t, 1, c.end.Load(), "%s, stream %t, %d layers", name, stream, layers)
				assert.Zero(t, c.failed.Load())
				require.Len(t, script.sent, 1)
				assert.Less(t, size(script.sent[0]), size(exchanges(10)))
				assert.EqualValues(t, size(script.sent[0]), c.sent.Load(), "handlers see what is sent")
			}
		}
	}
}

func TestWrapModel_OverBudgetFailsTheCall(t *testing.T) {
	for name, newModel := range models(fine) {
		for _, stream := range []bool{false, true} {
			inner, script := newModel()
			var c counts
			err := call(t, einokit.WrapModel(inner, small(t, 20)), exchanges(3), stream, compose.WithCallbacks(c.handler()))
			var over *budget.OverBudgetError
			require.ErrorAs(t, err, &over, name)
			assert.Empty(t, script.sent)
			assert.EqualValues(t, 1, c.start.Load(), name)
			assert.EqualValues(t, 1, c.failed.Load(), name)
			assert.Zero(t, c.end.Load())

			var told error
			wrapped := einokit.WrapModel(inner, small(t, 20), adapters.SendAnyway(), adapters.OnError(func(_ context.Context, err error) { told = err }))
			require.NoError(t, call(t, wrapped, exchanges(3), stream))
			require.ErrorAs(t, told, &over)
			require.Len(t, script.sent, 1)
			assert.Less(t, len(script.sent[0]), len(exchanges(3)), "the best view")
		}
	}
}

func TestWrapModel_OverBudgetThroughTheAgents(t *testing.T) {
	var over *budget.OverBudgetError
	wrapped := einokit.WrapModel(newStub(loop(2)), small(t, 20))
	a, err := react.NewAgent(t.Context(), &react.AgentConfig{ToolCallingModel: wrapped, ToolsConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup(t)}}})
	require.NoError(t, err)
	_, err = a.Generate(t.Context(), exchanges(3))
	require.ErrorAs(t, err, &over)

	_, errs := runADK(t, &adk.ChatModelAgentConfig{Model: wrapped, Name: "a", Description: "a"}, exchanges(3), false)
	require.Len(t, errs, 1)
	require.ErrorAs(t, errs[0], &over)
}

func TestWrapModel_TriesAgainOnce(t *testing.T) {
	tooLong := errors.New("This model's maximum context length is 2000 tokens")
	for name, newModel := range models(func(call int, in []*schema.Message) (*schema.Message, error) {
		if call == 0 {
			return nil, tooLong
		}
		return fine(call, in)
	}) {
		for _, stream := range []bool{false, true} {
			inner, script := newModel()
			var c counts
			require.NoError(t, call(t, einokit.WrapModel(inner, small(t, 4400)), exchanges(10), stream, compose.WithCallbacks(c.handler())))
			require.Len(t, script.sent, 2, name)
			assert.Less(t, size(script.sent[1]), size(script.sent[0]))
			assert.EqualValues(t, 1, c.end.Load(), name)
			assert.EqualValues(t, 1, c.failed.Load(), "the first attempt")
			assert.EqualValues(t, 2, c.start.Load(), name)
		}
	}
	s := newStub(func(int, []*schema.Message) (*schema.Message, error) { return nil, tooLong })
	_, err := einokit.WrapModel(s, small(t, 4400)).Generate(t.Context(), exchanges(10))
	require.ErrorIs(t, err, tooLong)
	assert.Len(t, s.sent, 2, "and not twice")
}

func TestWrapModel_Request(t *testing.T) {
	var got seen
	wrapped := einokit.WrapModel(newStub(fine), &got)
	bound, err := wrapped.WithTools([]*schema.ToolInfo{look})
	require.NoError(t, err)
	reply := schema.AssistantMessage("hi", nil)
	reply.ResponseMeta = &schema.ResponseMeta{Usage: &schema.TokenUsage{PromptTokens: 77}}
	in := []*schema.Message{schema.UserMessage("a"), reply, schema.UserMessage("b")}
	other := &schema.ToolInfo{Name: "other"}
	for range 2 {
		_, err = bound.Generate(t.Context(), in, model.WithMaxTokens(9))
		require.NoError(t, err)
	}
	_, err = bound.Stream(t.Context(), in, model.WithTools([]*schema.ToolInfo{other, look}))
	require.NoError(t, err)
	_, err = bound.Generate(t.Context(), in, model.WithTools(nil))
	require.NoError(t, err)
	_, err = wrapped.Generate(t.Context(), in)
	require.NoError(t, err)

	const schemaOfLook = `{"type":"function","function":{"name":"look","description":"looks something up",` +
		`"parameters":{"properties":{"q":{"type":"string"}},"type":"object","required":["q"]}}}`
	assert.JSONEq(t, schemaOfLook, got.requests[0].Schemas[0])
	assert.Equal(t, 9, got.requests[0].Reserve)
	assert.Equal(t, 77, got.requests[0].Usage)
	assert.Equal(t, got.requests[0], got.requests[1])
	assert.Equal(t, []string{`{"type":"function","function":{"name":"other"}}`, got.requests[0].Schemas[0]}, got.requests[2].Schemas)
	assert.Empty(t, got.requests[3].Schemas, "the call's option takes the place of what is bound")
	assert.Empty(t, got.requests[4].Schemas, "the model that was bound is another")
}

func TestWrapModel_UsageOfTheCallBefore(t *testing.T) {
	var got seen
	wrapped := einokit.WrapModel(newStub(func(int, []*schema.Message) (*schema.Message, error) {
		m := schema.AssistantMessage("hi", nil)
		m.ResponseMeta = &schema.ResponseMeta{Usage: &schema.TokenUsage{PromptTokens: 5}}
		return m, nil
	}), &got)
	in := []*schema.Message{schema.UserMessage("a")}
	_, err := wrapped.Generate(t.Context(), in)
	require.NoError(t, err)
	_, err = wrapped.Generate(t.Context(), append(in, schema.AssistantMessage("hi", nil), schema.UserMessage("b")))
	require.NoError(t, err)
	assert.Equal(t, 5, got.requests[1].Usage, "though the program kept no more of the reply than its text")
}

func TestWrapModel_GetType(t *testing.T) {
	name, ok := components.GetType(einokit.WrapModel(newStub(fine), nil))
	assert.True(t, ok)
	assert.Equal(t, "stub", name)
	name, _ = components.GetType(einokit.WrapModel(&reporter{newStub(fine)}, nil))
	assert.Equal(t, "Reporter", name)
}

func TestWrapModel_MarksMustBeRight(t *testing.T) {
	wrong := schema.UserMessage("hi")
	wrong.Extra = map[string]any{adapters.PolicyKey: "lokced"}
	_, err := einokit.WrapModel(newStub(fine), nil).Generate(t.Context(), []*schema.Message{wrong})
	var mark *adapters.MarkError
	require.ErrorAs(t, err, &mark)
	assert.Equal(t, 0, mark.Message)
}

func lookup(t testing.TB) tool.InvokableTool {
	t.Helper()
	return utils.NewTool(look, func(context.Context, map[string]any) (string, error) { return strings.Repeat("found ", 50), nil })
}

// runADK runs an agent, and returns the texts of the model and the errors, by the events.
func runADK(t testing.TB, config *adk.ChatModelAgentConfig, in []*schema.Message, stream bool) (replies int, errs []error) {
	t.Helper()
	a, err := adk.NewChatModelAgent(t.Context(), config)
	require.NoError(t, err)
	events := adk.NewRunner(t.Context(), adk.RunnerConfig{Agent: a, EnableStreaming: stream}).Run(t.Context(), in)
	for {
		e, ok := events.Next()
		if !ok {
			return replies, errs
		}
		if e.Err != nil {
			errs = append(errs, e.Err)
		}
		if e.Output == nil || e.Output.MessageOutput == nil {
			continue
		}
		if _, err := e.Output.MessageOutput.GetMessage(); err != nil {
			errs = append(errs, err)
		}
		if e.Output.MessageOutput.Role == schema.Assistant {
			replies++
		}
	}
}

func TestWrapModel_ADKGetsOneEventForEachReply(t *testing.T) {
	for name, newModel := range models(loop(4)) {
		for _, stream := range []bool{false, true} {
			for _, retry := range []*adk.ModelRetryConfig{nil, {MaxRetries: 2}} {
				inner, script := newModel()
				replies, errs := runADK(t, &adk.ChatModelAgentConfig{
					Name: "a", Description: "a", Model: einokit.WrapModel(inner, small(t, 1200)), ModelRetryConfig: retry,
					ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup(t)}}},
				}, []*schema.Message{schema.UserMessage("the task")}, stream)
				assert.Empty(t, errs, name)
				assert.Equal(t, 5, replies, "%s, stream %t", name, stream)
				assert.Len(t, script.sent, 5)
			}
		}
	}
	for name, newModel := range models(fine) {
		inner, _ := newModel()
		replies, errs := runADK(t, &adk.ChatModelAgentConfig{Name: "a", Description: "a", Model: einokit.WrapModel(inner, small(t, 1200))},
			[]*schema.Message{schema.UserMessage("no tools")}, false)
		assert.Empty(t, errs, name)
		assert.Equal(t, 1, replies, name)
	}
}

func TestWrapModel_ReactKeepsTheHistory(t *testing.T) {
	s := newStub(loop(8))
	kit := small(t, 1500)
	a, err := react.NewAgent(t.Context(), &react.AgentConfig{
		ToolCallingModel: einokit.WrapModel(s, kit), MaxStep: 40,
		ToolsConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup(t)}},
	})
	require.NoError(t, err)
	out, err := a.Generate(t.Context(), []*schema.Message{schema.UserMessage("the task")}, agent.WithComposeOptions())
	require.NoError(t, err)
	assert.Equal(t, "done", out.Content)
	require.Len(t, s.sent, 9)
	for _, sent := range s.sent {
		assert.Less(t, size(sent), 1500)
		assert.Equal(t, "the task", sent[0].Content)
		assert.Empty(t, core.Check(core.OpenAI, historyOf(sent)))
	}
}

func historyOf(messages []*schema.Message) []core.Message {
	var got seen
	einokit.MessageModifier(&got, nil)(context.Background(), messages)
	return got.history
}
