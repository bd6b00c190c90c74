package suite_test

import (
	"context"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	einokit "github.com/trimkit/trimkit/adapters/eino"
)

type messages = []*schema.Message

// given is what native or specimens made.
func given(in any) messages {
	out, ok := in.(messages)
	if !ok {
		panic("not of this framework")
	}
	return out
}

// graph is whatever runs messages: a chain, a graph, the ReAct agent.
type graph interface {
	Invoke(ctx context.Context, in messages, opts ...compose.Option) (*schema.Message, error)
	Stream(ctx context.Context, in messages, opts ...compose.Option) (*schema.StreamReader[*schema.Message], error)
}

// graphClient calls through one graph and loops in another.
type graphClient struct {
	call, loop graph
	opts       []compose.Option
}

func (c *graphClient) Call(ctx context.Context, in any, onChunk func(string)) (adaptertest.Reply, error) {
	return c.run(ctx, c.call, in, onChunk)
}

func (c *graphClient) Loop(ctx context.Context, in any, onChunk func(string)) (adaptertest.Reply, error) {
	return c.run(ctx, c.loop, in, onChunk)
}

func (c *graphClient) run(ctx context.Context, g graph, in any, onChunk func(string)) (adaptertest.Reply, error) {
	if onChunk != nil {
		stream, err := g.Stream(ctx, given(in), c.opts...)
		if err != nil {
			return adaptertest.Reply{}, err
		}
		return read(stream, onChunk)
	}
	m, err := g.Invoke(ctx, given(in), c.opts...)
	if err != nil {
		return adaptertest.Reply{}, err
	}
	return reply(m), nil
}

// agentGraph makes a graph of the ReAct agent.
type agentGraph struct{ *react.Agent }

func (a agentGraph) Invoke(ctx context.Context, in messages, opts ...compose.Option) (*schema.Message, error) {
	return a.Generate(ctx, in, agent.WithComposeOptions(opts...))
}

func (a agentGraph) Stream(ctx context.Context, in messages, opts ...compose.Option) (*schema.StreamReader[*schema.Message], error) {
	return a.Agent.Stream(ctx, in, agent.WithComposeOptions(opts...))
}

func reactAgent(t *testing.T, s adaptertest.Setup, m model.ToolCallingChatModel, modifier react.MessageModifier) graph {
	t.Helper()
	a, err := react.NewAgent(t.Context(), &react.AgentConfig{
		ToolCallingModel: m, MessageModifier: modifier, MaxStep: 2*s.MaxSteps + 2,
		ToolsConfig: compose.ToolsNodeConfig{Tools: tools(s)}, StreamToolCallChecker: callsTools,
	})
	require.NoError(t, err)
	return agentGraph{a}
}

// chain is a chain of what is before a model, and the model.
func chain(t *testing.T, m model.BaseChatModel, before *compose.Lambda, opts ...compose.GraphAddNodeOpt) graph {
	t.Helper()
	c := compose.NewChain[messages, *schema.Message](compose.WithGenLocalState(func(context.Context) *memory { return &memory{} }))
	if before != nil {
		c.AppendLambda(before)
	}
	run, err := c.AppendChatModel(m, opts...).Compile(t.Context())
	require.NoError(t, err)
	return run
}

func composeOptions(s adaptertest.Setup) []compose.Option {
	return []compose.Option{compose.WithChatModelOption(callOptions(s)...)}
}

func newWrapModel(t *testing.T, s adaptertest.Setup) adaptertest.Client {
	t.Helper()
	m := provider(t, s)
	if !s.Bare {
		m = einokit.WrapModel(m, s.Transformer, s.Options...)
	}
	return &graphClient{call: chain(t, withTools(t, m, s), nil), loop: reactAgent(t, s, m, nil), opts: composeOptions(s)}
}

func newModifier(t *testing.T, s adaptertest.Setup) adaptertest.Client {
	t.Helper()
	m := provider(t, s)
	var modifier react.MessageModifier
	if !s.Bare {
		modifier = einokit.MessageModifier(s.Transformer, nil, s.Options...)
	}
	modify := compose.InvokableLambda(func(ctx context.Context, in messages) (messages, error) {
		if modifier == nil {
			return in, nil
		}
		return modifier(ctx, in), nil
	})
	return &graphClient{call: chain(t, withTools(t, m, s), modify), loop: reactAgent(t, s, m, modifier), opts: composeOptions(s)}
}

// memory is the state of the graphs.
type memory struct{ messages messages }

func newHandler(t *testing.T, s adaptertest.Setup) adaptertest.Client {
	t.Helper()
	m := withTools(t, provider(t, s), s)
	trim := func(_ context.Context, in messages, _ *memory) (messages, error) { return in, nil }
	if !s.Bare {
		trim = einokit.StatePreHandler[*memory](s.Transformer, s.Options...)
	}
	handler := compose.WithStatePreHandler(func(ctx context.Context, in messages, kept *memory) (messages, error) {
		kept.messages = append(kept.messages, in...)
		return trim(ctx, kept.messages, kept)
	})
	return &graphClient{call: chain(t, m, nil, handler), loop: loopOf(t, s, m, nil, handler), opts: composeOptions(s)}
}

func newLambda(t *testing.T, s adaptertest.Setup) adaptertest.Client {
	t.Helper()
	m := withTools(t, provider(t, s), s)
	lambda := compose.InvokableLambda(func(_ context.Context, in messages) (messages, error) { return in, nil })
	if !s.Bare {
		lambda = einokit.Lambda(s.Transformer, s.Options...)
	}
	keep := compose.WithStatePreHandler(func(_ context.Context, in messages, kept *memory) (messages, error) {
		kept.messages = append(kept.messages, in...)
		return kept.messages, nil
	})
	return &graphClient{call: chain(t, m, lambda), loop: loopOf(t, s, m, lambda, keep), opts: composeOptions(s)}
}

// loopOf is a graph of a model and its tools, in which handler is that of the node where a
// turn begins.
func loopOf(t *testing.T, s adaptertest.Setup, m model.BaseChatModel, lambda *compose.Lambda, handler compose.GraphAddNodeOpt) graph {
	t.Helper()
	if len(s.Tools) == 0 {
		return nil
	}
	g := compose.NewGraph[messages, *schema.Message](compose.WithGenLocalState(func(context.Context) *memory { return &memory{} }))
	node, err := compose.NewToolNode(t.Context(), &compose.ToolsNodeConfig{Tools: tools(s)})
	require.NoError(t, err)
	remember := compose.WithStatePreHandler(func(_ context.Context, in *schema.Message, kept *memory) (*schema.Message, error) {
		kept.messages = append(kept.messages, in)
		return in, nil
	})
	first := "model"
	if lambda == nil {
		require.NoError(t, g.AddChatModelNode("model", m, handler))
	} else {
		first = "lambda"
		require.NoError(t, g.AddLambdaNode("lambda", lambda, handler))
		require.NoError(t, g.AddChatModelNode("model", m))
		require.NoError(t, g.AddEdge("lambda", "model"))
	}
	require.NoError(t, g.AddToolsNode("tools", node, remember))
	require.NoError(t, g.AddEdge(compose.START, first))
	require.NoError(t, g.AddEdge("tools", first))
	require.NoError(t, g.AddBranch("model", compose.NewStreamGraphBranch(
		func(ctx context.Context, out *schema.StreamReader[*schema.Message]) (string, error) {
			if calls, err := callsTools(ctx, out); !calls {
				return compose.END, err
			}
			return "tools", nil
		}, map[string]bool{"tools": true, compose.END: true})))
	run, err := g.Compile(t.Context(), compose.WithMaxRunSteps(3*s.MaxSteps+3))
	require.NoError(t, err)
	return run
}

// agentClient makes an agent of package adk for each call: one is not safe for several
// goroutines.
type agentClient struct {
	setup      adaptertest.Setup
	model      model.ToolCallingChatModel
	middleware []adk.AgentMiddleware
}

func (c *agentClient) Call(ctx context.Context, in any, onChunk func(string)) (adaptertest.Reply, error) {
	opts := callOptions(c.setup)
	if len(c.setup.Tools) > 0 { // an agent that has them would run them
		opts = append(opts, model.WithTools(infos(c.setup)))
	}
	return c.run(ctx, in, onChunk, adk.ToolsConfig{}, opts)
}

func (c *agentClient) Loop(ctx context.Context, in any, onChunk func(string)) (adaptertest.Reply, error) {
	return c.run(ctx, in, onChunk, adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: tools(c.setup)}}, callOptions(c.setup))
}

func (c *agentClient) run(ctx context.Context, in any, onChunk func(string), tools adk.ToolsConfig, opts []model.Option) (out adaptertest.Reply, err error) {
	a, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "agent", Description: "agent", Model: c.model, ToolsConfig: tools, Middlewares: c.middleware, MaxIterations: c.setup.MaxSteps,
		GenModelInput: func(_ context.Context, _ string, in *adk.AgentInput) ([]adk.Message, error) { return in.Messages, nil },
	})
	if err != nil {
		return out, err
	}
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: a, EnableStreaming: onChunk != nil}).
		Run(ctx, given(in), adk.WithChatModelOptions(opts))
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		if event.Err != nil {
			err = event.Err
		}
		if event.Output == nil || event.Output.MessageOutput == nil {
			continue
		}
		var got adaptertest.Reply
		if output := event.Output.MessageOutput; output.IsStreaming {
			var broken error
			if got, broken = read(output.MessageStream, chunksOf(output, onChunk)); broken != nil && err == nil {
				err = broken
			}
		} else {
			got = reply(output.Message)
		}
		if event.Output.MessageOutput.Role == schema.Assistant {
			out = got
		}
	}
	return out, err
}

// chunksOf is nothing for what is a tool's.
func chunksOf(output *adk.MessageVariant, onChunk func(string)) func(string) {
	if output.Role != schema.Assistant {
		return func(string) {}
	}
	return onChunk
}

func newADK(t *testing.T, s adaptertest.Setup) adaptertest.Client {
	t.Helper()
	c := &agentClient{setup: s, model: provider(t, s)}
	if !s.Bare {
		c.model = einokit.WrapModel(c.model, s.Transformer, s.Options...)
	}
	return c
}

func newMiddleware(t *testing.T, s adaptertest.Setup) adaptertest.Client {
	t.Helper()
	c := &agentClient{setup: s, model: provider(t, s)}
	if !s.Bare {
		c.middleware = []adk.AgentMiddleware{einokit.AgentMiddleware(s.Transformer, s.Options...)}
	}
	return c
}
