package einokit_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	einokit "github.com/trimkit/trimkit/adapters/eino"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// state is what a graph keeps.
type state struct{ messages []*schema.Message }

func TestAgentMiddleware_KeepsTheView(t *testing.T) {
	s := newStub(loop(8))
	var kept []int
	_, errs := runADK(t, &adk.ChatModelAgentConfig{
		Name: "a", Description: "a", Model: s,
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup(t)}}},
		Middlewares: []adk.AgentMiddleware{einokit.AgentMiddleware(small(t, 1500)), {
			BeforeChatModel: func(_ context.Context, s *adk.ChatModelAgentState) error {
				kept = append(kept, size(s.Messages))
				return nil
			},
		}},
	}, []*schema.Message{schema.UserMessage("the task")}, false)
	require.Empty(t, errs)
	require.Len(t, s.sent, 9)
	for i := range s.sent {
		assert.Less(t, size(s.sent[i]), 1500)
		assert.Equal(t, size(s.sent[i]), kept[i], "the state is the view")
	}

	var over *budget.OverBudgetError
	_, errs = runADK(t, &adk.ChatModelAgentConfig{
		Name: "a", Description: "a", Model: s, Middlewares: []adk.AgentMiddleware{einokit.AgentMiddleware(small(t, 20))},
	}, exchanges(3), false)
	require.Len(t, errs, 1)
	require.ErrorAs(t, errs[0], &over)
}

// summarise drops what may go, and inserts a message in its place.
var summarise = core.Transform(core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		first := -1
		for i, g := range w.Groups.List {
			if w.Protection(g.Msgs[0]) != 0 {
				continue
			}
			if first < 0 {
				first = i
			}
			if !yield(core.Edit{Op: core.Drop, Msg: g.Msgs[0], Part: -1, By: -1, Reason: "summarised"}) {
				return
			}
		}
		if first >= 0 {
			yield(core.Edit{Op: core.Insert, Msg: w.Groups.List[first].Msgs[0], Part: -1, By: -1, Text: "all was well", Reason: "summary"})
		}
	}
}))

func TestInserted_SaysSo(t *testing.T) {
	view := einokit.MessageModifier(summarise, nil)(t.Context(), exchanges(3))
	var notice *schema.Message
	for _, m := range view {
		if strings.Contains(m.Content, "all was well") {
			notice = m
		}
	}
	require.NotNil(t, notice)
	assert.Equal(t, "ephemeral", notice.Extra[adapters.PolicyKey])
	assert.Contains(t, notice.Extra, adapters.InsertedKey, "how it is known when it comes back")
}

func TestMessageModifier_CannotFail(t *testing.T) {
	var told []error
	keep := func(_ context.Context, err error) { told = append(told, err) }
	out := einokit.MessageModifier(small(t, 20), keep)(t.Context(), exchanges(3))
	require.Len(t, told, 1)
	var over *budget.OverBudgetError
	require.ErrorAs(t, told[0], &over)
	assert.Less(t, len(out), len(exchanges(3)), "the best view")

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	out = einokit.MessageModifier(small(t, 20), keep)(ended, exchanges(3))
	require.ErrorIs(t, told[1], context.Canceled)
	assert.Len(t, out, len(exchanges(3)))
	assert.NotPanics(t, func() { einokit.MessageModifier(small(t, 20), nil)(ended, exchanges(3)) })
}

func TestMessageModifier_InTheAgent(t *testing.T) {
	for _, rewrite := range []bool{false, true} {
		s := newStub(loop(8))
		config := &react.AgentConfig{
			ToolCallingModel: s, MaxStep: 40, ToolsConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup(t)}},
		}
		if rewrite {
			config.MessageRewriter = einokit.MessageModifier(small(t, 1500), nil)
		} else {
			config.MessageModifier = einokit.MessageModifier(small(t, 1500), nil)
		}
		a, err := react.NewAgent(t.Context(), config)
		require.NoError(t, err)
		_, err = a.Generate(t.Context(), []*schema.Message{schema.UserMessage("the task")})
		require.NoError(t, err)
		require.Len(t, s.sent, 9)
		for _, sent := range s.sent {
			assert.Less(t, size(sent), 1500)
		}
	}
}

// agentGraph is a loop of a model and its tools; trim is where the messages are trimmed.
func agentGraph(t *testing.T, s *stub, trim compose.StatePreHandler[[]*schema.Message, *state], lambda *compose.Lambda) compose.Runnable[[]*schema.Message, *schema.Message] {
	t.Helper()
	g := compose.NewGraph[[]*schema.Message, *schema.Message](compose.WithGenLocalState(func(context.Context) *state { return &state{} }))
	tools, err := compose.NewToolNode(t.Context(), &compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup(t)}})
	require.NoError(t, err)
	collect := func(ctx context.Context, in []*schema.Message, s *state) ([]*schema.Message, error) {
		s.messages = append(s.messages, in...)
		if trim == nil {
			return s.messages, nil
		}
		return trim(ctx, s.messages, s)
	}
	remember := func(_ context.Context, out *schema.Message, s *state) (*schema.Message, error) {
		s.messages = append(s.messages, out)
		return out, nil
	}
	first := "model"
	if lambda != nil {
		first = "lambda"
		require.NoError(t, g.AddLambdaNode("lambda", lambda, compose.WithStatePreHandler(collect)))
		require.NoError(t, g.AddChatModelNode("model", s, compose.WithStatePostHandler(remember)))
		require.NoError(t, g.AddEdge("lambda", "model"))
	} else {
		require.NoError(t, g.AddChatModelNode("model", s, compose.WithStatePreHandler(collect), compose.WithStatePostHandler(remember)))
	}
	require.NoError(t, g.AddToolsNode("tools", tools))
	require.NoError(t, g.AddEdge(compose.START, first))
	require.NoError(t, g.AddEdge("tools", first))
	require.NoError(t, g.AddBranch("model", compose.NewGraphBranch(func(_ context.Context, m *schema.Message) (string, error) {
		if len(m.ToolCalls) > 0 {
			return "tools", nil
		}
		return compose.END, nil
	}, map[string]bool{"tools": true, compose.END: true})))
	run, err := g.Compile(t.Context(), compose.WithMaxRunSteps(60))
	require.NoError(t, err)
	return run
}

func TestGraph_EveryTurnOfTheLoop(t *testing.T) {
	for name, graph := range map[string]func(*stub, core.Transformer) compose.Runnable[[]*schema.Message, *schema.Message]{
		"handler": func(s *stub, kit core.Transformer) compose.Runnable[[]*schema.Message, *schema.Message] {
			return agentGraph(t, s, einokit.StatePreHandler[*state](kit), nil)
		},
		"lambda": func(s *stub, kit core.Transformer) compose.Runnable[[]*schema.Message, *schema.Message] {
			return agentGraph(t, s, nil, einokit.Lambda(kit))
		},
	} {
		s := newStub(loop(8))
		out, err := graph(s, small(t, 1500)).Invoke(t.Context(), []*schema.Message{schema.UserMessage("the task")})
		require.NoError(t, err, name)
		assert.Equal(t, "done", out.Content)
		require.Len(t, s.sent, 9)
		for _, sent := range s.sent {
			assert.Less(t, size(sent), 1500)
		}

		_, err = graph(newStub(fine), small(t, 20)).Invoke(t.Context(), exchanges(3))
		var over *budget.OverBudgetError
		require.ErrorAs(t, err, &over, name)
	}
}

func TestSchemas_ForTheOtherShapes(t *testing.T) {
	texts, err := einokit.Schemas(look, nil)
	require.NoError(t, err)
	require.Len(t, texts, 1)
	var got seen
	einokit.MessageModifier(&got, nil)(core.WithRequest(t.Context(), &core.Request{Schemas: texts}), exchanges(1))
	assert.Equal(t, texts, got.requests[0].Schemas)
}

func TestMarks(t *testing.T) {
	plain := exchanges(3)
	was := *plain[3]
	plain[3] = einokit.WithLabel(einokit.Pin(plain[3]), "kind", "rule")
	assert.Nil(t, was.Extra)
	out := einokit.MessageModifier(every(core.Elide), nil)(t.Context(), plain)
	assert.Same(t, plain[3], out[3], "pinned")
	assert.NotEqual(t, plain[5], out[5])

	var got seen
	einokit.MessageModifier(&got, nil)(t.Context(), plain)
	assert.Equal(t, core.Locked, got.history[3].Policy)
	assert.Equal(t, map[string]string{"kind": "rule"}, got.history[3].Meta.Labels)
}

func TestMarks_SurviveCheckpoints(t *testing.T) {
	var b bytes.Buffer
	view := einokit.MessageModifier(summarise, nil)(t.Context(), append(exchanges(3), einokit.Pin(schema.UserMessage("x"))))
	require.NoError(t, gob.NewEncoder(&b).Encode(view))
	var back []*schema.Message
	require.NoError(t, gob.NewDecoder(&b).Decode(&back))
	assert.Equal(t, view, back)
}

func TestSigned_IsNeverEdited(t *testing.T) {
	in := exchanges(2)
	in[2].ReasoningContent = long
	in[2].Extra = map[string]any{"_eino_claude_thinking": long, "_eino_claude_thinking_signature": "sig"}
	out := einokit.MessageModifier(every(core.Elide), nil)(t.Context(), in)
	assert.Same(t, in[2], out[2])
}

// One agent of package adk is not safe for several goroutines, so each has its own; they
// share a transformer. The ReAct agent, and a model, are shared.
func TestConcurrent(t *testing.T) {
	kit := small(t, 1500)
	shared := einokit.WrapModel(newStub(fine), kit)
	bound, err := shared.WithTools([]*schema.ToolInfo{look})
	require.NoError(t, err)
	history := exchanges(10)
	modifier := einokit.MessageModifier(kit, nil)
	var wg sync.WaitGroup
	for g := range 32 {
		wg.Go(func() {
			own := append(history[:len(history):len(history)], schema.AssistantMessage("ok", nil), schema.UserMessage(fmt.Sprint("question ", g)))
			_, err := bound.Generate(t.Context(), own)
			assert.NoError(t, err)
			out, err := shared.Stream(t.Context(), own)
			if assert.NoError(t, err) {
				out.Close()
			}
			assert.Less(t, size(modifier(t.Context(), own)), 1500)
			if g%4 == 0 {
				_, errs := runADK(t, &adk.ChatModelAgentConfig{
					Name: "a", Description: "a", Model: einokit.WrapModel(newStub(loop(3)), kit),
					Middlewares: []adk.AgentMiddleware{einokit.AgentMiddleware(kit)},
					ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup(t)}}},
				}, own, g%8 == 0)
				assert.Empty(t, errs)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, exchanges(10), history)
}
