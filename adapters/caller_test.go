package adapters_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

var history = coretest.Parse("S U A(c1) T(c1) A U")

// sends returns a function to send with, which notes the views that it got.
func sends(views *[][]core.Message, results ...error) func([]core.Message) (adapters.Sent, error) {
	return func(view []core.Message) (adapters.Sent, error) {
		*views = append(*views, view)
		if n := len(*views); n <= len(results) {
			return adapters.Sent{}, results[n-1]
		}
		return adapters.Sent{}, nil
	}
}

func TestDo_WithoutTransformerSendsTheHistory(t *testing.T) {
	var views [][]core.Message
	require.NoError(t, adapters.NewCaller(nil).Do(t.Context(), history, core.Request{}, sends(&views)))
	require.Len(t, views, 1)
	assert.Same(t, &history[0], &views[0][0])
}

// What a transformer does wrong costs its edits and not the call.
func TestDo_FailuresOfTheTransformerDoNotFailTheCall(t *testing.T) {
	broken := errors.New("store is down")
	for name, transform := range map[string]core.TransformFunc{
		"fails":  func(context.Context, []core.Message) ([]core.Message, error) { return nil, broken },
		"panics": func(context.Context, []core.Message) ([]core.Message, error) { panic(broken) },
		"orphans": func(_ context.Context, h []core.Message) ([]core.Message, error) {
			return append(h[:2:2], h[3:]...), nil
		},
		"empties": func(context.Context, []core.Message) ([]core.Message, error) { return []core.Message{}, nil },
		"reorders": func(_ context.Context, h []core.Message) ([]core.Message, error) {
			return []core.Message{h[1], h[0], h[2], h[3], h[4], h[5]}, nil
		},
		"loses the system message": func(_ context.Context, h []core.Message) ([]core.Message, error) { return h[1:], nil },
	} {
		t.Run(name, func(t *testing.T) {
			var views [][]core.Message
			var told []error
			caller := adapters.NewCaller(transform, adapters.OnError(func(_ context.Context, err error) { told = append(told, err) }))
			require.NoError(t, caller.Do(t.Context(), history, core.Request{}, sends(&views)))
			require.Len(t, views, 1)
			assert.Equal(t, history, views[0])
			require.Len(t, told, 1)
			if name == "fails" || name == "panics" {
				assert.ErrorIs(t, told[0], broken)
			}
		})
	}
}

// A function of the program that panics in a transformer of ours is caught as well.
func TestDo_PanicOfAPolicy(t *testing.T) {
	kit := enforcer(t, 4000, budget.WithPolicies(func(int, *core.Message) core.Policy { panic("policy") }), budget.WithMarks(budget.Marks{Trigger: 2, Target: 1}))
	var told error
	var views [][]core.Message
	caller := adapters.NewCaller(kit, adapters.OnError(func(_ context.Context, err error) { told = err }))
	require.NoError(t, caller.Do(t.Context(), history, core.Request{}, sends(&views)))
	assert.Equal(t, history, views[0])
	var panicked *core.PanicError
	require.ErrorAs(t, told, &panicked)
	assert.NotEmpty(t, panicked.Stack)
}

func enforcer(t *testing.T, window int, opts ...budget.EnforcerOption) *budget.Enforcer {
	t.Helper()
	meter := budget.NewMeter(budget.CounterFunc(func(s string) int { return (len(s) + 3) / 4 }))
	kit, err := budget.NewEnforcer(meter, budget.Limits{Window: window}, opts...)
	require.NoError(t, err)
	return kit
}

func TestDo_OverBudgetFailsTheCall(t *testing.T) {
	kit := enforcer(t, 10)
	var views [][]core.Message
	err := adapters.NewCaller(kit).Do(t.Context(), history, core.Request{}, sends(&views))
	var over *budget.OverBudgetError
	require.ErrorAs(t, err, &over)
	assert.Empty(t, views)

	var told error
	anyway := adapters.NewCaller(kit, adapters.SendAnyway(), adapters.OnError(func(_ context.Context, err error) { told = err }))
	require.NoError(t, anyway.Do(t.Context(), history, core.Request{}, sends(&views)))
	require.Len(t, views, 1)
	assert.Equal(t, over.View, views[0])
	assert.Less(t, len(views[0]), len(history))
	assert.ErrorAs(t, told, &over)
}

func TestDo_EndOfTheContextPassesThrough(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var views [][]core.Message
	for _, caller := range []*adapters.Caller{
		adapters.NewCaller(enforcer(t, 4000)), adapters.NewCaller(core.Chain()), adapters.NewCaller(enforcer(t, 10), adapters.SendAnyway()),
	} {
		assert.ErrorIs(t, caller.Do(ctx, history, core.Request{}, sends(&views)), context.Canceled)
	}
	assert.Empty(t, views)
}

var errTooLong = errors.New("status 400: This model's maximum context length is 8192 tokens")

// stepper is a transformer that a Caller can calibrate.
type stepper struct {
	core.Transformer
	steps, calibrated int
}

func (s *stepper) Calibrate(context.Context, []core.Message) bool {
	if s.calibrated == s.steps {
		return false
	}
	s.calibrated++
	return true
}

func TestDo_TriesOnceMoreWhereTheProviderRefusedTheLength(t *testing.T) {
	identity := core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) { return h, nil })
	other := errors.New("status 500")
	for _, c := range []struct {
		name      string
		t         core.Transformer
		results   []error
		delivered bool
		calls     int
		want      error
	}{
		{"then it fits", &stepper{identity, 3, 0}, []error{errTooLong}, false, 2, nil},
		{"never twice", &stepper{identity, 3, 0}, []error{errTooLong, errTooLong}, false, 2, errTooLong},
		{"the second failure counts", &stepper{identity, 3, 0}, []error{errTooLong, other}, false, 2, other},
		{"no further step", &stepper{identity, 0, 0}, []error{errTooLong}, false, 1, errTooLong},
		{"no Calibrator", identity, []error{errTooLong}, false, 1, errTooLong},
		{"another error", &stepper{identity, 3, 0}, []error{other}, false, 1, other},
		{"something was delivered", &stepper{identity, 3, 0}, []error{errTooLong}, true, 1, errTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := 0
			err := adapters.NewCaller(c.t).Do(t.Context(), history, core.Request{}, func([]core.Message) (adapters.Sent, error) {
				calls++
				if calls <= len(c.results) {
					return adapters.Sent{Delivered: c.delivered}, c.results[calls-1]
				}
				return adapters.Sent{}, nil
			})
			assert.Equal(t, c.calls, calls)
			assert.Equal(t, c.want, err)
		})
	}
}

func TestDo_TheSecondViewIsSmaller(t *testing.T) {
	long := coretest.Parse("S U A(c1) T(c1) A(c2) T(c2) A U A(c3) T(c3) A U")
	var views [][]core.Message
	caller := adapters.NewCaller(enforcer(t, 500))
	require.NoError(t, caller.Do(t.Context(), long, core.Request{}, sends(&views, errTooLong)))
	require.Len(t, views, 2)
	assert.Less(t, len(views[1]), len(views[0]))
}

func TestDo_TheRequestIsThatOfContextAndAdapter(t *testing.T) {
	var got core.Request
	record := core.TransformFunc(func(ctx context.Context, h []core.Message) ([]core.Message, error) {
		got = *core.RequestFrom(ctx)
		return h, nil
	})
	given := core.Request{Schemas: []string{"a"}, Docs: []string{"b"}, Reserve: 1, Conversation: "c", Usage: 2}
	ctx := core.WithRequest(t.Context(), &given)
	caller := adapters.NewCaller(record, adapters.ConversationKey(func(context.Context) string { return "by function" }))

	_, err := caller.View(ctx, history, core.Request{Schemas: []string{"d"}, Docs: []string{"e"}, Reserve: 3, Conversation: "f", Usage: 4})
	require.NoError(t, err)
	assert.Equal(t, core.Request{Schemas: []string{"a", "d"}, Docs: []string{"b", "e"}, Reserve: 3, Conversation: "f", Usage: 4}, got)

	_, err = caller.View(ctx, history, core.Request{})
	require.NoError(t, err)
	assert.Equal(t, given, got)

	_, err = caller.View(t.Context(), history, core.Request{})
	require.NoError(t, err)
	assert.Equal(t, core.Request{Conversation: "by function"}, got)
}
