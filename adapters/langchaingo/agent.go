package langchainkit

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// WrapAgent returns an agent that plans with the view of the steps that were taken. It is for
// agents that write them into the text of a prompt, such as agents.OneShotZeroAgent and
// agents.ConversationalAgent: the steps are trimmed before they become text, at every
// iteration. For agents.OpenAIFunctionsAgent wrap the model. The executor keeps all steps, and
// its ReturnIntermediateSteps returns them.
//
// A step is a call and its result, and the inputs are the question. Tools count by name and
// description. The words of the prompt's template are not known here: leave room for them.
//
// Plan fails, and is repeated, as [WrapModel] says. Callbacks see both attempts, and text that
// a callback of the agent itself got cannot be noticed; a provider refuses what is too long
// before it writes any.
func WrapAgent(inner agents.Agent, t core.Transformer, opts ...adapters.Option) agents.Agent {
	t, policies := parted(t)
	return &agent{Agent: inner, caller: adapters.NewCaller(t, opts...), policy: policies.Step}
}

type agent struct {
	agents.Agent
	caller *adapters.Caller
	policy func(int, schema.AgentStep) core.Policy
}

func (a *agent) Plan(ctx context.Context, taken []schema.AgentStep, inputs map[string]string, options ...chains.ChainCallOption) (actions []schema.AgentAction, finish *schema.AgentFinish, err error) {
	call := applied(chains.GetLLMCallOptions(options...))
	request := core.Request{Docs: a.tools(), Reserve: max(call.MaxTokens, 0)}
	history := fromSteps(inputs, taken)
	mark(history[1:], taken, a.policy)

	err = a.caller.Do(ctx, history, request, func(view []core.Message) (adapters.Sent, error) {
		left, err := restoreSteps(taken, history, view)
		if err != nil {
			return adapters.Sent{}, err
		}
		var delivered atomic.Bool
		attempt := options
		if call.StreamingFunc != nil {
			noted := llms.CallOptions{StreamingFunc: call.StreamingFunc}
			noting(&delivered)(&noted)
			attempt = append(options[:len(options):len(options)], chains.WithStreamingFunc(noted.StreamingFunc))
		}
		actions, finish, err = a.Agent.Plan(ctx, left, inputs, attempt...)
		// The text of this error is the model's, which may speak of context windows.
		replied := errors.Is(err, agents.ErrUnableToParseOutput)
		return adapters.Sent{Delivered: replied || delivered.Load()}, err
	})
	return actions, finish, err
}

// tools returns what the prompt says of the tools.
func (a *agent) tools() []string {
	var texts []string
	for _, t := range a.GetTools() {
		texts = append(texts, t.Name()+": "+t.Description())
	}
	return texts
}
