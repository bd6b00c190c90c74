package langchainkit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"
	"github.com/tmc/langchaingo/tools"

	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
)

// reader is a tool whose results are long.
type reader struct{}

func (reader) Name() string        { return "read" }
func (reader) Description() string { return "reads a page" }
func (reader) Call(_ context.Context, input string) (string, error) {
	return long("contents of " + input), nil
}

// acts writes what a model of a text agent does: so many actions, then the answer.
func acts(turns int, answer string) func(int, []llms.MessageContent, *llms.CallOptions) (*llms.ContentResponse, error) {
	return func(n int, _ []llms.MessageContent, _ *llms.CallOptions) (*llms.ContentResponse, error) {
		if n < turns {
			return says(fmt.Sprintf("Thought: I need page %d\nAction: read\nAction Input: page %d", n, n)), nil
		}
		return says("Thought: enough\n" + answer), nil
	}
}

// textsSent returns the texts that a model was sent.
func textsSent(t *testing.T, inner *stub) (texts []string) {
	t.Helper()
	for _, sent := range inner.calls {
		require.Len(t, sent, 1)
		part, ok := sent[0].Parts[0].(llms.TextContent)
		require.True(t, ok)
		texts = append(texts, part.Text)
	}
	return texts
}

func TestWrapAgent_EveryIterationIsTrimmed(t *testing.T) {
	for name, build := range map[string]func(llms.Model) agents.Agent{
		"one shot": func(m llms.Model) agents.Agent { return agents.NewOneShotAgent(m, []tools.Tool{reader{}}) },
		"conversational": func(m llms.Model) agents.Agent {
			return agents.NewConversationalAgent(m, []tools.Tool{reader{}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			inner := &stub{reply: acts(30, "Final Answer: AI: 42")}
			executor := agents.NewExecutor(langchainkit.WrapAgent(build(inner), enforcer(t, 1500)),
				agents.WithMaxIterations(40), agents.WithReturnIntermediateSteps())
			result, err := chains.Call(t.Context(), executor, map[string]any{"input": "which page says 42?"})
			require.NoError(t, err)
			steps, ok := result["intermediateSteps"].([]schema.AgentStep)
			require.True(t, ok)
			require.Len(t, steps, 30, "the executor keeps all of them")
			for i, s := range steps {
				assert.Equal(t, long(fmt.Sprint("contents of page ", i)), s.Observation)
			}
			texts := textsSent(t, inner)
			require.Len(t, texts, 31)
			for i, prompt := range texts {
				assert.Less(t, letters.Count(prompt), 2000, "call %d", i)
				assert.Contains(t, prompt, "which page says 42?")
				if i > 0 {
					assert.Contains(t, prompt, long(fmt.Sprint("contents of page ", i-1)), "what is unread stays")
				}
			}
			assert.Contains(t, texts[30], core.MarkerPrefix)
		})
	}
}

// The executor takes a memory that is text only, and loads it once in a run.
func TestNewMemory_UnderAnExecutor(t *testing.T) {
	inner := &stub{reply: acts(0, "AI: 42")}
	kit := enforcer(t, 1500)
	mem := langchainkit.NewMemory(kit, nil)
	agent := langchainkit.WrapAgent(agents.NewConversationalAgent(inner, []tools.Tool{reader{}}), kit)
	executor := agents.NewExecutor(agent, agents.WithMemory(mem))
	for i := range 30 {
		_, err := chains.Run(t.Context(), executor, fmt.Sprintf("question %d: %s", i, long("q")))
		require.NoError(t, err)
	}
	kept, err := mem.ChatHistory.Messages(t.Context())
	require.NoError(t, err)
	assert.Len(t, kept, 60)
	for _, prompt := range textsSent(t, inner) {
		assert.Less(t, letters.Count(prompt), 2500)
	}
}

// scripted is an agent that notes what it plans with.
type scripted struct {
	agents.Agent

	plan  func(n int, options []chains.ChainCallOption) error
	steps [][]schema.AgentStep
}

func (s *scripted) Plan(_ context.Context, steps []schema.AgentStep, _ map[string]string, options ...chains.ChainCallOption) ([]schema.AgentAction, *schema.AgentFinish, error) {
	s.steps = append(s.steps, steps)
	if s.plan != nil {
		if err := s.plan(len(s.steps)-1, options); err != nil {
			return nil, nil, err
		}
	}
	return nil, &schema.AgentFinish{}, nil
}

func (*scripted) GetTools() []tools.Tool { return []tools.Tool{reader{}} }

// taken returns so many steps, new ones each time.
func taken(n int) []schema.AgentStep {
	steps := make([]schema.AgentStep, 0, n)
	for i := range n {
		input := fmt.Sprint("page ", i)
		steps = append(steps, schema.AgentStep{
			Action:      schema.AgentAction{Tool: "read", ToolInput: input, Log: "Thought: next\nAction: read\nAction Input: " + input},
			Observation: long(input),
		})
	}
	return steps
}

func plan(t *testing.T, inner agents.Agent, transformer core.Transformer, steps []schema.AgentStep, options ...chains.ChainCallOption) error {
	t.Helper()
	_, _, err := langchainkit.WrapAgent(inner, transformer).Plan(t.Context(), steps, map[string]string{"input": "the question", "history": "what was said"}, options...)
	return err
}

func TestWrapAgent_Steps(t *testing.T) {
	var s seen
	steps := append(taken(1), schema.AgentStep{Observation: "Check your output"}, schema.AgentStep{Action: schema.AgentAction{Tool: "x", ToolInput: "in", Log: "in, then more"}})
	inner := &scripted{}
	require.NoError(t, plan(t, inner, &s, steps, chains.WithMaxTokens(77)))
	assert.Same(t, &steps[0], &inner.steps[0][0])
	assert.Equal(t, []core.Request{{Reserve: 77, Docs: []string{"read: reads a page"}}}, s.requests)

	history := s.histories[0]
	require.Len(t, history, 7)
	assert.Equal(t, []core.Part{{Text: "what was said\nthe question"}}, history[0].Parts)
	assert.Equal(t, []core.Part{
		{Text: "Thought: next\nAction: read\nAction Input: "},
		{Kind: core.KindToolCall, Slot: 1, CallID: "step 0", Tool: "read", Text: "page 0"},
	}, history[1].Parts, "the input is counted once")
	assert.Equal(t, long("page 0"), history[2].Parts[0].Text)
	assert.Equal(t, core.StatusUnknown, history[2].Parts[0].Status)
	assert.Equal(t, core.StatusFailed, history[4].Parts[0].Status, "a reply that could not be read")
	assert.Equal(t, "in, then more", history[5].Parts[0].Text)

	require.NoError(t, plan(t, inner, nil, nil))
	assert.Empty(t, inner.steps[1])
}

func TestWrapAgent_Edits(t *testing.T) {
	steps := taken(6)
	steps[2].Action.Log = long("Thought:") + "\nAction: read\nAction Input: page 2"
	whole := append([]schema.AgentStep(nil), steps...)
	inner := &scripted{}
	require.NoError(t, plan(t, inner, editing(func(w *core.Window, msg, part int) (core.Edit, bool) {
		switch {
		case msg == 1:
			return core.Edit{Op: core.Drop}, true
		case msg == 3 && part == 0:
			return core.Edit{Op: core.Insert, Text: "what was read"}, true
		case msg == 5 && part == 0:
			return core.Edit{Op: core.Shorten, Text: "Thought: hm"}, true
		case w.Protection(msg) == 0 && w.History[msg].Parts[part].Kind == core.KindToolResult:
			return core.Edit{Op: core.Elide}, true
		default:
			return core.Edit{}, false
		}
	}), steps))
	assert.Equal(t, whole, steps)
	left := inner.steps[0]
	require.Len(t, left, 6)
	assert.Equal(t, "[trimkit: inserted: test]\nwhat was read", left[0].Action.Log)
	assert.Contains(t, left[1].Observation, core.MarkerPrefix)
	assert.Equal(t, steps[1].Action, left[1].Action)
	assert.True(t, strings.HasPrefix(left[2].Action.Log, "Thought: hm\n[trimkit: "), left[2].Action.Log)
	assert.True(t, strings.HasSuffix(left[2].Action.Log, "]page 2"), left[2].Action.Log)
	assert.Equal(t, steps[5], left[5])
}

func TestWrapAgent_Errors(t *testing.T) {
	overBudget(t, plan(t, &scripted{}, trim(t, 20), taken(3)))

	executor := agents.NewExecutor(langchainkit.WrapAgent(agents.NewOneShotAgent(&stub{reply: acts(9, "Final Answer: 1")}, []tools.Tool{reader{}}), trim(t, 50)))
	_, err := chains.Run(t.Context(), executor, "which page?")
	overBudget(t, err)
}

func TestWrapAgent_TriesOnceMore(t *testing.T) {
	attempts := func(err error, deliver bool, options ...chains.ChainCallOption) int {
		inner := &scripted{plan: func(n int, options []chains.ChainCallOption) error {
			if n > 0 {
				return nil
			}
			var call llms.CallOptions
			for _, o := range chains.GetLLMCallOptions(options...) {
				o(&call)
			}
			if deliver {
				require.NoError(t, call.StreamingFunc(t.Context(), []byte("chunk")))
			}
			return err
		}}
		_ = plan(t, inner, enforcer(t, 5000), taken(40), options...) // what counts is how often it planned
		return len(inner.steps)
	}
	var streamed string
	streaming := chains.WithStreamingFunc(func(_ context.Context, chunk []byte) error { streamed += string(chunk); return nil })
	assert.Equal(t, 2, attempts(errTooLong, false))
	assert.Equal(t, 2, attempts(errTooLong, false, streaming))
	assert.Equal(t, 1, attempts(errTooLong, true, streaming))
	assert.Equal(t, "chunk", streamed)
	assert.Equal(t, 1, attempts(fmt.Errorf("%w: my maximum context length is", agents.ErrUnableToParseOutput), false), "the model spoke of it")
}

func TestPolicies_Step(t *testing.T) {
	steps := taken(40)
	for pin, transformer := range map[bool]core.Transformer{
		false: trim(t, 1000),
		true: langchainkit.Policies{Transformer: trim(t, 1000), Step: func(i int, s schema.AgentStep) core.Policy {
			if i == 4 && s.Action.ToolInput == "page 4" {
				return core.Locked
			}
			return core.PolicyDefault
		}},
	} {
		inner := &scripted{}
		require.NoError(t, plan(t, inner, transformer, steps))
		if pin {
			assert.Contains(t, inner.steps[0], steps[4])
		} else {
			assert.NotContains(t, inner.steps[0], steps[4])
		}
	}
}

// The agent for function calls sends messages, so the model is what is wrapped. It takes
// parallel calls apart, and replays their arguments as bare text. (Equal calls, however far
// apart, it joins to one message, which stays together.)
func TestWrapModel_FunctionsAgent(t *testing.T) {
	inner := &stub{reply: func(n int, _ []llms.MessageContent, _ *llms.CallOptions) (*llms.ContentResponse, error) {
		if n == 30 {
			return says("42"), nil
		}
		first := call(fmt.Sprint("a", n), "read", fmt.Sprintf(`{"__arg1":"page %d"}`, n))
		second := call(fmt.Sprint("b", n), "read", fmt.Sprintf(`{"__arg1":"page %d again"}`, n))
		return &llms.ContentResponse{Choices: []*llms.ContentChoice{{ToolCalls: []llms.ToolCall{first, second}}}}, nil
	}}
	var s seen
	both := core.TransformFunc(func(ctx context.Context, h []core.Message) ([]core.Message, error) {
		_, _ = s.Transform(ctx, h) // notes
		return trim(t, 1500).Transform(ctx, h)
	})
	agent := agents.NewOpenAIFunctionsAgent(langchainkit.WrapModel(inner, both), []tools.Tool{reader{}})
	_, err := chains.Run(t.Context(), agents.NewExecutor(agent, agents.WithMaxIterations(40)), "which page says 42?")
	require.NoError(t, err)
	last := s.histories[30]
	require.Equal(t, 122, len(last)) //nolint:testifylint // Len would print all of it
	assert.Equal(t, "page 0", last[2].Parts[0].Text)
	assert.Equal(t, "read", last[3].Parts[0].Tool)
	assert.Len(t, s.requests[30].Schemas, 1)
	sent := inner.calls[30]
	assert.Less(t, len(sent), 40)
	assert.Equal(t, []llms.ContentPart{llms.TextContent{Text: "which page says 42?"}}, sent[1].Parts)
}
