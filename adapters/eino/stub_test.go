package einokit_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/core"
)

// stub is a model that answers from a script, and keeps what it was sent.
type stub struct {
	*script
	tools []*schema.ToolInfo
}

type script struct {
	mu    sync.Mutex
	sent  [][]*schema.Message
	reply func(call int, in []*schema.Message) (*schema.Message, error)
}

func newStub(reply func(call int, in []*schema.Message) (*schema.Message, error)) *stub {
	return &stub{script: &script{reply: reply}}
}

// fine answers every call.
func fine(int, []*schema.Message) (*schema.Message, error) {
	return schema.AssistantMessage("fine", nil), nil
}

// loop calls a tool n times before it answers.
func loop(n int) func(int, []*schema.Message) (*schema.Message, error) {
	return func(call int, _ []*schema.Message) (*schema.Message, error) {
		if call >= n {
			return schema.AssistantMessage("done", nil), nil
		}
		return schema.AssistantMessage("", []schema.ToolCall{{
			ID: fmt.Sprintf("call-%d", call), Type: "function", Function: schema.FunctionCall{Name: "look", Arguments: `{"q":"x"}`},
		}}), nil
	}
}

func (s *stub) Generate(_ context.Context, in []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, slices.Clone(in))
	return s.reply(len(s.sent)-1, in)
}

func (s *stub) Stream(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	m, err := s.Generate(ctx, in, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{m}), nil
}

func (s *stub) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	return &stub{s.script, tools}, nil
}

// reporter is a stub that calls the callbacks by itself, as the real clients do.
type reporter struct{ *stub }

func (r *reporter) IsCallbacksEnabled() bool { return true }
func (r *reporter) GetType() string          { return "Reporter" }

func (r *reporter) Generate(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	ctx = callbacks.OnStart(callbacks.EnsureRunInfo(ctx, r.GetType(), components.ComponentOfChatModel), &model.CallbackInput{Messages: in})
	m, err := r.stub.Generate(ctx, in, opts...)
	if err != nil {
		callbacks.OnError(ctx, err)
		return nil, err
	}
	callbacks.OnEnd(ctx, &model.CallbackOutput{Message: m})
	return m, nil
}

func (r *reporter) Stream(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	ctx = callbacks.OnStart(callbacks.EnsureRunInfo(ctx, r.GetType(), components.ComponentOfChatModel), &model.CallbackInput{Messages: in})
	m, err := r.stub.Generate(ctx, in, opts...)
	if err != nil {
		callbacks.OnError(ctx, err)
		return nil, err
	}
	out := schema.StreamReaderFromArray([]*model.CallbackOutput{{Message: m}})
	_, out = callbacks.OnEndWithStreamOutput(ctx, out)
	return schema.StreamReaderWithConvert(out, func(o *model.CallbackOutput) (*schema.Message, error) { return o.Message, nil }), nil
}

func (r *reporter) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	return &reporter{&stub{r.script, tools}}, nil
}

// every proposes an edit for all parts and groups that it applies to.
func every(op core.Op) core.Transformer {
	return core.Transform(core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range w.History {
				for p := range w.History[i].Parts {
					e := core.Edit{Op: op, Msg: i, Part: p, By: -1, Reason: "test"}
					if op == core.Shorten {
						e.Text = "short"
					}
					if op == core.Drop {
						e.Part = -1
					}
					if w.Protection(i) == 0 && w.Visible(i) && !yield(e) {
						return
					}
				}
			}
		}
	}))
}

// seen is a transformer that keeps what it gets, and changes nothing.
type seen struct {
	mu       sync.Mutex
	history  []core.Message
	requests []core.Request
}

func (s *seen) Transform(ctx context.Context, h []core.Message) ([]core.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = h
	s.requests = append(s.requests, *core.RequestFrom(ctx))
	return h, nil
}

// look is a tool.
var look = &schema.ToolInfo{
	Name: "look", Desc: "looks something up",
	ParamsOneOf: schema.NewParamsOneOfByParams(map[string]*schema.ParameterInfo{"q": {Type: schema.String, Required: true}}),
}

func ptr[T any](v T) *T { return &v }
