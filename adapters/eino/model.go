package einokit

import (
	"context"
	"reflect"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// WrapModel returns a model that sends a view of the messages of each call, made by t, to
// another. Whatever calls a model goes through it, streaming or not: chains, graphs, both
// agents and their loops of tool calls, retries. What was bound with WithTools, or comes as
// the call's option, is counted, and the call's [model.WithMaxTokens] kept free. It is safe
// for concurrent use if inner is.
//
// A call reports to the framework's callbacks once, with the messages that are sent; inner
// does it if it reports at all.
//
// If the provider refuses the view as too long the call is made once more with a smaller one,
// unless the stream had begun. Each attempt is a call for the callbacks, of which the first
// ended with an error.
func WrapModel(inner model.ToolCallingChatModel, t core.Transformer, opts ...adapters.Option) model.ToolCallingChatModel {
	return wrap(inner, adapters.NewCaller(t, opts...), nil)
}

func wrap(inner model.ToolCallingChatModel, caller *adapters.Caller, tools []*schema.ToolInfo) *chatModel {
	return &chatModel{inner: inner, caller: caller, tools: tools, reports: components.IsCallbacksEnabled(inner)}
}

type chatModel struct {
	inner   model.ToolCallingChatModel
	caller  *adapters.Caller
	tools   []*schema.ToolInfo // bound to inner, as far as WithTools did it
	schemas schemas
	reports bool // inner calls the callbacks by itself
}

// WithTools binds tools to the inner model, and wraps what that returns.
func (m *chatModel) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	inner, err := m.inner.WithTools(tools)
	if err != nil {
		return nil, err
	}
	return wrap(inner, m.caller, tools), nil
}

// GetType is the inner model's.
func (m *chatModel) GetType() string {
	if name, ok := components.GetType(m.inner); ok {
		return name
	}
	t := reflect.TypeOf(m.inner)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// IsCallbacksEnabled keeps the framework from reporting calls: they would be those before the
// transformer, and, around a model that reports, twice as many.
func (m *chatModel) IsCallbacksEnabled() bool { return true }

func (m *chatModel) Generate(ctx context.Context, input []*schema.Message, opts ...model.Option) (out *schema.Message, err error) {
	err = m.do(ctx, input, opts, func(view []*schema.Message) (int, error) {
		out, err = m.generate(ctx, view, opts)
		return promptTokens(out), err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (m *chatModel) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (out *schema.StreamReader[*schema.Message], err error) {
	err = m.do(ctx, input, opts, func(view []*schema.Message) (int, error) {
		out, err = m.stream(ctx, view, opts)
		return 0, err // the count is at the stream's end, and in the reply when that is history
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// do makes a call; send returns the prompt tokens that the provider counted.
func (m *chatModel) do(ctx context.Context, input []*schema.Message, opts []model.Option, send func([]*schema.Message) (int, error)) error {
	sent := false
	err := m.transformed(ctx, input, opts, func(view []*schema.Message) (int, error) {
		sent = true
		return send(view)
	})
	if err != nil && !sent { // nobody else tells the callbacks
		callbacks.OnError(m.start(ctx, input, opts), err)
	}
	return err
}

func (m *chatModel) transformed(ctx context.Context, input []*schema.Message, opts []model.Option, send func([]*schema.Message) (int, error)) error {
	history, usage, err := convert(input)
	if err != nil {
		return err
	}
	options := model.GetCommonOptions(&model.Options{Tools: m.tools}, opts...)
	request := core.Request{Usage: usage}
	if request.Schemas, err = m.schemas.of(options.Tools); err != nil {
		return err
	}
	if options.MaxTokens != nil {
		request.Reserve = max(*options.MaxTokens, 0)
	}
	return m.caller.Do(ctx, history, request, func(view []core.Message) (adapters.Sent, error) {
		messages, err := restore(input, history, view)
		if err != nil {
			return adapters.Sent{}, err
		}
		tokens, err := send(messages)
		return adapters.Sent{Usage: tokens}, err
	})
}

func (m *chatModel) generate(ctx context.Context, view []*schema.Message, opts []model.Option) (*schema.Message, error) {
	if m.reports {
		return m.inner.Generate(ctx, view, opts...)
	}
	ctx = m.start(ctx, view, opts)
	out, err := m.inner.Generate(ctx, view, opts...)
	if err != nil {
		callbacks.OnError(ctx, err)
		return nil, err
	}
	callbacks.OnEnd(ctx, &model.CallbackOutput{Message: out})
	return out, nil
}

func (m *chatModel) stream(ctx context.Context, view []*schema.Message, opts []model.Option) (*schema.StreamReader[*schema.Message], error) {
	if m.reports {
		return m.inner.Stream(ctx, view, opts...)
	}
	ctx = m.start(ctx, view, opts)
	out, err := m.inner.Stream(ctx, view, opts...)
	if err != nil {
		callbacks.OnError(ctx, err)
		return nil, err
	}
	_, reported := callbacks.OnEndWithStreamOutput(ctx, schema.StreamReaderWithConvert(out,
		func(chunk *schema.Message) (*model.CallbackOutput, error) {
			return &model.CallbackOutput{Message: chunk}, nil
		}))
	return schema.StreamReaderWithConvert(reported,
		func(o *model.CallbackOutput) (*schema.Message, error) { return o.Message, nil }), nil
}

// start reports that a call begins.
func (m *chatModel) start(ctx context.Context, messages []*schema.Message, opts []model.Option) context.Context {
	options := model.GetCommonOptions(&model.Options{Tools: m.tools}, opts...)
	ctx = callbacks.EnsureRunInfo(ctx, m.GetType(), components.ComponentOfChatModel)
	return callbacks.OnStart(ctx, &model.CallbackInput{Messages: messages, Tools: options.Tools, ToolChoice: options.ToolChoice})
}
