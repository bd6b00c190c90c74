package langchainkit

import (
	"context"
	"maps"
	"sync/atomic"

	"github.com/tmc/langchaingo/llms"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// WrapModel returns a model whose calls send the view that t makes of their messages. It is
// an llms.ReasoningModel if inner is one. Options, streaming functions and callbacks are
// inner's, and callbacks see what is sent; they fire once for each attempt.
//
// A call whose messages cannot be made to fit is not made, and fails with an error that
// errors.As finds a [*budget.OverBudgetError] in, unless [adapters.SendAnyway]. One that the
// provider refuses as too long is made once more with a smaller view, if t can make one and
// no part of a reply has reached the program.
//
// The model is safe for concurrent use if inner is. It implements no other interface of
// inner's, such as embeddings.EmbedderClient: keep inner for those.
//
// [*budget.OverBudgetError]: https://pkg.go.dev/github.com/trimkit/trimkit/budget#OverBudgetError
func WrapModel(inner llms.Model, t core.Transformer, opts ...adapters.Option) llms.Model {
	t, policies := parted(t)
	m := &model{inner: inner, caller: adapters.NewCaller(t, opts...), policy: policies.Content}
	if r, ok := inner.(llms.ReasoningModel); ok {
		return &reasoningModel{m, r}
	}
	return m
}

type model struct {
	inner   llms.Model
	caller  *adapters.Caller
	policy  func(int, llms.MessageContent) core.Policy
	schemas schemas
}

// reasoningModel is a model that says whether it reasons.
type reasoningModel struct {
	*model
	reasons llms.ReasoningModel
}

func (m *reasoningModel) SupportsReasoning() bool { return m.reasons.SupportsReasoning() }

func (m *model) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	call := applied(options)
	history := fromContents(messages)
	mark(history, messages, m.policy)
	request := core.Request{Schemas: m.schemas.of(&call), Reserve: max(call.MaxTokens, 0)}

	var response *llms.ContentResponse
	err := m.caller.Do(ctx, history, request, func(view []core.Message) (adapters.Sent, error) {
		sent, err := adapters.Restore(contents, messages, history, view)
		if err != nil {
			return adapters.Sent{}, err
		}
		var delivered atomic.Bool
		response, err = m.inner.GenerateContent(ctx, sent, append(options[:len(options):len(options)], noting(&delivered))...)
		return adapters.Sent{Usage: promptTokens(response), Delivered: delivered.Load()}, err
	})
	return response, err
}

func (m *model) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

// applied returns what options say. Some of the framework's append to a list in the metadata,
// which may be a map of the program's; inner will apply them too, and the program's map must
// not have everything twice.
func applied(options []llms.CallOption) llms.CallOptions {
	var call llms.CallOptions
	for _, o := range options {
		o(&call)
		call.Metadata = maps.Clone(call.Metadata)
	}
	return call
}

// noting is an option that notes when a part of the reply is delivered.
func noting(delivered *atomic.Bool) llms.CallOption {
	return func(call *llms.CallOptions) {
		if f := call.StreamingFunc; f != nil {
			call.StreamingFunc = func(ctx context.Context, chunk []byte) error {
				if len(chunk) > 0 {
					delivered.Store(true)
				}
				return f(ctx, chunk)
			}
		}
		if f := call.StreamingReasoningFunc; f != nil {
			call.StreamingReasoningFunc = func(ctx context.Context, reasoning, chunk []byte) error {
				if len(reasoning)+len(chunk) > 0 {
					delivered.Store(true)
				}
				return f(ctx, reasoning, chunk)
			}
		}
	}
}
