package adapters

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// Caller makes model calls and puts a transformer in front of each. It is safe for
// concurrent use, and may serve any number of conversations.
//
// A budget that cannot be met fails the call, unless [SendAnyway]; so does the end of the
// context. No other failure of the transformer does: a panic, an error or a broken law is
// reported to [OnError], and the call goes on with the best valid view, or the history.
type Caller struct {
	t       core.Transformer
	anyway  bool
	onError func(context.Context, error)
	key     func(context.Context) string
	guard   []core.Option
	usage   usage
}

// Option configures an adapter.
type Option func(*Caller)

// SendAnyway makes calls go out, with the best view there is, where the budget cannot be
// met. The default is to fail them with the [*budget.OverBudgetError].
func SendAnyway() Option { return func(c *Caller) { c.anyway = true } }

// OnError sets a function that gets what went wrong without failing the call: failures of
// the transformer, a budget that was passed by [SendAnyway]. It must be safe for concurrent
// use. The default ignores them.
func OnError(f func(context.Context, error)) Option { return func(c *Caller) { c.onError = f } }

// ConversationKey sets a function that returns the key of the conversation that a call
// belongs to. It is asked where the [core.Request] of the context has none.
func ConversationKey(f func(context.Context) string) Option { return func(c *Caller) { c.key = f } }

// GuardWith sets how [core.Guard] judges a transformer that is not of package budget: the
// provider's profile, and what a message costs.
func GuardWith(opts ...core.Option) Option {
	return func(c *Caller) { c.guard = append(c.guard, opts...) }
}

// NewCaller returns a Caller. Transformers of package budget keep the laws by themselves; any
// other, nil excepted, is guarded by [core.Guard], which costs a copy of the history for each
// call.
func NewCaller(t core.Transformer, opts ...Option) *Caller {
	c := &Caller{t: t}
	for _, o := range opts {
		o(c)
	}
	switch t.(type) {
	case nil:
		c.t = core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) { return h, nil })
	case *budget.Enforcer, *budget.Trim:
	default:
		c.t = &guarded{core.Guard(fmt.Sprintf("%T", t), t, c.guard...), t}
	}
	return c
}

// guarded is a transformer that is not ours.
type guarded struct {
	core.Transformer
	inner core.Transformer
}

// Sent says what became of an attempt to call the model.
type Sent struct {
	Usage     int  // prompt tokens that the provider counted; 0: unknown
	Delivered bool // part of the reply has reached the program, so that a second attempt would repeat it
}

// Calibrator is a transformer that can make its views smaller for good, in the case that a
// provider refused one as too long; [budget.Enforcer] is one.
type Calibrator interface {
	Calibrate(ctx context.Context, history []core.Message) bool
}

// Do makes a call: it hands send the view of a history, and returns its error. If the
// provider says that the view is too long, [ContextLimit], the transformer is a [Calibrator]
// that has a further step, and nothing was delivered, it tries once more.
//
// request has what the adapter knows; what the context's own request says besides is added
// to it. The error is the context's, an [*budget.OverBudgetError], or send's.
func (c *Caller) Do(ctx context.Context, history []core.Message, request core.Request, send func(view []core.Message) (Sent, error)) error {
	ctx = c.with(ctx, history, request)
	view, err := c.view(ctx, history)
	if err != nil {
		return err
	}
	sent, err := send(view)
	if err != nil && !sent.Delivered && ContextLimit(err) && c.calibrate(ctx, history) {
		again, fault := c.view(ctx, history)
		if fault != nil {
			return errors.Join(err, fault)
		}
		sent, err = send(again)
	}
	if err == nil {
		c.usage.note(core.RequestFrom(ctx).Conversation, history, sent.Usage)
	}
	return err
}

// View returns what a call sends, for shapes that see the messages before the call and
// nothing of its end. The error is the context's or an [*budget.OverBudgetError]; then the
// call must fail.
func (c *Caller) View(ctx context.Context, history []core.Message, request core.Request) ([]core.Message, error) {
	return c.view(c.with(ctx, history, request), history)
}

// with returns the context with the whole request.
func (c *Caller) with(ctx context.Context, history []core.Message, r core.Request) context.Context {
	given := core.RequestFrom(ctx)
	r.Schemas = join(given.Schemas, r.Schemas)
	r.Docs = join(given.Docs, r.Docs)
	if r.Reserve == 0 {
		r.Reserve = given.Reserve
	}
	if r.Conversation == "" {
		r.Conversation = given.Conversation
	}
	if r.Conversation == "" && c.key != nil {
		r.Conversation = c.key(ctx)
	}
	if r.Usage == 0 {
		r.Usage = given.Usage
	}
	if r.Usage == 0 {
		r.Usage = c.usage.of(r.Conversation, history)
	}
	return core.WithRequest(ctx, &r)
}

func join(a, b []string) []string { return append(a[:len(a):len(a)], b...) }

// view runs the transformer, and sorts its errors.
func (c *Caller) view(ctx context.Context, history []core.Message) ([]core.Message, error) {
	view, err := c.transform(ctx, history)
	if len(view) == 0 {
		view = history
	}
	if err == nil {
		return view, nil
	}
	if ctx.Err() != nil {
		return nil, err
	}
	var over *budget.OverBudgetError
	if errors.As(err, &over) && !c.anyway {
		return nil, fmt.Errorf("trimkit: the call was not made: %w", err)
	}
	c.Report(ctx, err)
	return view, nil
}

// Report tells [OnError] of a failure that does not fail the call.
func (c *Caller) Report(ctx context.Context, err error) {
	if c.onError != nil {
		c.onError(ctx, err)
	}
}

// transform recovers: what panics in a transformer of package budget is a function that the
// program gave it.
func (c *Caller) transform(ctx context.Context, history []core.Message) (view []core.Message, err error) {
	defer func() {
		if p := recover(); p != nil {
			view, err = nil, &core.PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return c.t.Transform(ctx, history)
}

func (c *Caller) calibrate(ctx context.Context, history []core.Message) (further bool) {
	t := c.t
	if g, ok := t.(*guarded); ok {
		t = g.inner
	}
	calibrator, ok := t.(Calibrator)
	if !ok {
		return false
	}
	defer func() {
		if recover() != nil {
			further = false
		}
	}()
	return calibrator.Calibrate(ctx, history)
}
