package budget_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// errands is a rung that drops old exchanges, but only those that it was prepared for.
type errands struct {
	mu    sync.Mutex
	known map[string]bool // by what the window shows
	calls atomic.Int64
	do    func(context.Context) error
}

// oldest returns the first messages of the exchanges that may go, and a name for all of them.
func (*errands) oldest(w *core.Window) (msgs []int, name string) {
	for i := range w.Groups.List {
		m := w.Groups.List[i].Msgs[0]
		if w.Groups.List[i].Kind == core.GroupExchange && w.Visible(m) && w.Policy(m) <= core.Partial && budget.InReach(w, m) {
			msgs = append(msgs, m)
			name += w.History[m].Parts[0].CallID + " "
		}
	}
	return msgs, name
}

func (r *errands) prepare(ctx context.Context, w *core.Window) error {
	r.calls.Add(1)
	if r.do != nil {
		if err := r.do(ctx); err != nil {
			return err
		}
	}
	_, name := r.oldest(w)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[name] = true
	return nil
}

func (r *errands) Edits(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		msgs, name := r.oldest(w)
		r.mu.Lock()
		known := r.known[name]
		r.mu.Unlock()
		for _, m := range msgs {
			if !known || !yield(core.Edit{Op: core.Drop, Msg: m, Part: -1, By: -1, Reason: "prepared"}) {
				return
			}
		}
	}
}

func newErrands(do func(context.Context) error) (*errands, budget.EnforcerOption) {
	r := &errands{known: make(map[string]bool), do: do}
	return r, budget.WithLadder(budget.Ladder{Name: "errands", Rungs: []budget.Rung{{Name: "errand", Editor: r, Prepare: r.prepare}}})
}

// growing calls Transform wherever a model call is due, and returns the last view.
func growing(t *testing.T, e *budget.Enforcer, history []core.Message) (view []core.Message, errs []error) {
	t.Helper()
	for n := 2; n <= len(history); n += 2 {
		var err error
		view, err = e.Transform(t.Context(), history[:n])
		if err != nil {
			errs = append(errs, err)
		}
	}
	return view, errs
}

func TestPrepareComesBeforeTheLastDecisionAlone(t *testing.T) {
	history := agentLoop(200, 50)
	r, ladder := newErrands(nil)
	collected := 0
	e := newEnforcer(t, 2000, ladder, budget.WithOnReport(func(_ context.Context, report *budget.Report) {
		collected++
		assert.Positive(t, report.Rungs[0].Tokens, "%s: what was prepared is there", report.Trigger)
		for _, edit := range report.Edits {
			assert.Equal(t, "prepared", edit.Reason)
		}
	}))
	warm, errs := growing(t, e, history)
	require.Empty(t, errs)
	require.Greater(t, collected, 3)
	calls := r.calls.Load()
	assert.EqualValues(t, collected, calls)

	_, err := e.Explain(t.Context(), history)
	require.NoError(t, err)
	cold := newEnforcer(t, 2000, ladder)
	view, err := cold.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, warm, view)
	assert.LessOrEqual(t, r.calls.Load(), calls+1, "nothing but the end is decided now")
	for _, n := range []int{40, 90, 150} { // so do forks
		_, err := e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, r.calls.Load(), calls+4)

	_, _, target, _ := budget.Levels(t.Context(), e, history)
	for n := 40; ; n += 2 {
		if tokens, trigger := cold.Watch(t.Context(), history[:n]); tokens > target && tokens < trigger {
			before := r.calls.Load()
			_, err = e.Collect(t.Context(), history[:n])
			require.NoError(t, err)
			assert.Equal(t, before+1, r.calls.Load(), "a collection that is asked for is one now")
			break
		}
	}
}

// Whoever only asks leaves the decision to Transform.
func TestAskingDoesNotDecide(t *testing.T) {
	history := agentLoop(60, 50)
	r, ladder := newErrands(nil)
	e, plain := newEnforcer(t, 2000, ladder), newEnforcer(t, 2000, ladder)
	for n := 2; n <= len(history); n += 2 {
		before := r.calls.Load()
		tokens, trigger := e.Watch(t.Context(), history[:n])
		_, err := e.Ledger(t.Context(), history[:n])
		require.NoError(t, err)
		_, err = e.Explain(t.Context(), history[:n])
		require.NoError(t, err)
		require.Equal(t, before, r.calls.Load())
		view, err := e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
		require.Equal(t, tokens > trigger, r.calls.Load() > before)
		want, err := plain.Transform(t.Context(), history[:n])
		require.NoError(t, err)
		require.Equal(t, want, view)
	}
}

func TestPrepareFails(t *testing.T) {
	history := agentLoop(80, 50)
	failure := errors.New("503")
	for name, do := range map[string]func(context.Context) error{
		"fails":  func(context.Context) error { return failure },
		"panics": func(context.Context) error { panic(failure) },
	} {
		t.Run(name, func(t *testing.T) {
			_, ladder := newErrands(do)
			e := newEnforcer(t, 2000, ladder, budget.WithOnReport(func(_ context.Context, report *budget.Report) {
				assert.Equal(t, "errand failed", report.Cause)
				assert.True(t, report.Adopted)
				assert.Zero(t, report.Rungs[0].Tokens)
			}))
			view, errs := growing(t, e, history)
			require.NotEmpty(t, errs)
			for _, err := range errs {
				var step *core.StepError
				require.ErrorAs(t, err, &step)
				require.ErrorIs(t, err, failure)
			}
			assert.Less(t, len(view), len(history))
		})
	}
}

// While one call prepares, other conversations go on; the same one waits for nobody but what it
// needs, and whatever comes meanwhile is not lost.
func TestFault_RACE_NothingIsLockedWhilePreparing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		history, other := agentLoop(60, 50), dialogue(40, 20)
		slow := false
		r, ladder := newErrands(func(context.Context) error {
			if slow {
				time.Sleep(30 * time.Second)
			}
			return nil
		})
		e := newEnforcer(t, 2000, ladder)
		n := 0
		for r.calls.Load() == 0 {
			n += 2
			_, err := e.Transform(t.Context(), history[:n])
			require.NoError(t, err)
		}
		slow = true
		e = newEnforcer(t, 2000, ladder)
		r.known = make(map[string]bool)
		_, err := e.Transform(t.Context(), history[:n-2])
		require.NoError(t, err)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := e.Transform(t.Context(), history[:n])
			assert.NoError(t, err)
		})
		synctest.Wait() // it is being prepared
		began := time.Now()
		_, err = e.Transform(t.Context(), other[:9])
		require.NoError(t, err)
		_, err = e.Transform(t.Context(), history[:n-2])
		require.NoError(t, err)
		e.Watch(t.Context(), history[:n+2])
		_, err = e.Ledger(t.Context(), history[:n+4])
		require.NoError(t, err)
		assert.Zero(t, time.Since(began))
		longer, err := e.Transform(t.Context(), history[:n+2])
		require.NoError(t, err)
		assert.Equal(t, 30*time.Second, time.Since(began), "what it goes on from is being decided")
		wg.Wait()
		cold := newEnforcer(t, 2000, ladder)
		slow = false
		view, err := cold.Transform(t.Context(), history[:n+2])
		require.NoError(t, err)
		assert.Equal(t, view, longer)
	})
}

func TestPreparedRungCostsRepeatedCallsNothing(t *testing.T) {
	history := agentLoop(8, 50)
	_, ladder := newErrands(nil)
	e := newEnforcer(t, 20_000, ladder)
	ctx := t.Context()
	allocations := testing.AllocsPerRun(10, func() { _, _ = e.Transform(ctx, history) })
	assert.Zero(t, allocations)
}
