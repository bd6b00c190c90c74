package budget_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// everything pins all of a history.
var everything = budget.WithPolicies(func(int, *core.Message) core.Policy { return core.Locked })

// TestFault_SLOW_NothingMayGo: attempts in vain become rarer as the view grows, so that a replay
// with all of them counts each text a number of times that does not depend on how long it is.
func TestFault_SLOW_NothingMayGo(t *testing.T) {
	for name, marks := range map[string]budget.Marks{
		"tokens": {},
		"bytes":  {MaxBytes: 10_000},
		"turns":  {MaxTurns: 2},
	} {
		t.Run(name, func(t *testing.T) {
			perMessage := map[int]float64{}
			for _, n := range []int{1_000, 4_000, 16_000} {
				if n > 4_000 && cases < 10_000 {
					continue // the race detector is ten times as slow
				}
				history, window := session(n), 1<<30
				switch name {
				case "tokens":
					window = 2_000
				case "turns":
					history = dialogue(n/4, 10)
				}
				c := &counting{}
				e, err := budget.NewEnforcer(budget.NewMeter(c, budget.WithMemory(0)), budget.Limits{Window: window}, everything, marked(marks))
				require.NoError(t, err)
				view, err := e.Transform(t.Context(), history)
				assert.Equal(t, name == "tokens", err != nil)
				assert.Len(t, view, len(history), "nothing may go")
				perMessage[n] = float64(c.calls.Load()) / float64(n)
			}
			t.Logf("counter calls a message: %v", perMessage)
			assert.Less(t, perMessage[1_000], 150.0)
			for n, calls := range perMessage {
				assert.Less(t, calls, 1.3*perMessage[1_000], "%d messages", n)
			}
		})
	}
}

// Between attempts in vain a call still gets what there is, for itself alone.
func TestOverBudgetCallsGetTheirBestView(t *testing.T) {
	history := agentLoop(60, 50)
	pinned := budget.WithPolicies(budget.PinIf(func(i int, _ *core.Message) bool { return i < 80 }))
	e := newEnforcer(t, 2000, pinned)
	once, hard := 0, 0
	for n := 2; n <= len(history); n += 2 {
		had := len(e.Reports())
		view, err := e.Transform(t.Context(), history[:n])
		cold, _ := newEnforcer(t, 2000, pinned).Transform(t.Context(), history[:n])
		require.Equal(t, cold, view)
		for _, r := range e.Reports()[had:] {
			if r.Once {
				once++
			} else if r.Trigger == budget.TriggerHardLimit {
				hard++
			}
		}
		if n > 90 {
			require.ErrorAs(t, err, new(*budget.OverBudgetError))
			assert.Less(t, len(view), 85, "what is not pinned goes, but for what is unread")
		}
	}
	assert.Positive(t, once)
	assert.LessOrEqual(t, hard, 15, "of the 30 calls that did not fit, each with an exchange of half the least growth")
}

// A collection that missed its target is followed by another when the view has grown by what is
// worth one.
func TestMissedTargetWaits(t *testing.T) {
	history := agentLoop(120, 20)
	pinned := budget.WithPolicies(budget.PinIf(func(i int, _ *core.Message) bool { return i < 90 }))
	left, attempts := 0, 0
	var e *budget.Enforcer
	e = newEnforcer(t, 2600, pinned, budget.WithOnReport(func(_ context.Context, r *budget.Report) {
		_, _, _, gain := budget.Levels(t.Context(), e, history[:2])
		switch r.Trigger {
		case budget.TriggerMissed, budget.TriggerMark:
			attempts++
			assert.GreaterOrEqual(t, r.TokensBefore, left+gain)
		}
		if left = r.TokensBefore; r.Adopted {
			left = r.TokensAfter
		}
	}))
	for n := 2; n <= len(history); n += 2 {
		_, err := e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
	}
	assert.Greater(t, attempts, 3, "the pinned ones are more than the target")
	assert.Less(t, attempts, 30)
}

// What is too large in bytes where nothing is decided is cut for the call, as what has too many
// tokens is.
func TestBytesOfOneCall(t *testing.T) {
	history := agentLoop(40, 50)
	e := newEnforcer(t, 100_000, marked(budget.Marks{MaxBytes: 6_000, Mode: budget.Manual}))
	view, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	size := 0
	for i := range view {
		for _, p := range view[i].Parts {
			size += p.Bytes()
		}
	}
	assert.LessOrEqual(t, size, 6_000)
	require.Len(t, e.Reports(), 1)
	assert.True(t, e.Reports()[0].Once)
}
