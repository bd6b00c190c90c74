package budget_test

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

func TestFault_LOOP_OverheadAlone(t *testing.T) {
	history := agentLoop(40, 50)
	var reports []*budget.Report
	e := newEnforcer(t, 2000, budget.WithOnReport(func(_ context.Context, r *budget.Report) { reports = append(reports, r) }))
	ctx := calling(t, core.Request{Schemas: schema(3000)})
	for n := 2; n <= 12; n += 2 {
		view, err := e.Transform(ctx, history[:n])
		var over *budget.OverBudgetError
		require.ErrorAs(t, err, &over)
		assert.ErrorContains(t, err, "alone fill the window")
		assert.NotEmpty(t, view)
	}
	vain := 0
	for _, r := range reports {
		if !r.Adopted {
			vain++
			assert.Contains(t, r.Cause, "alone fill the window")
		}
	}
	assert.LessOrEqual(t, vain, 1, "it is said once")
}

// A collection that frees almost nothing does not run again at the next call.
func TestFault_LOOP_LittleGain(t *testing.T) {
	history := agentLoop(1, 10)
	history[1] = say(strings.Repeat("task ", 1540)) // 82 % of the window stay, whatever is done
	history = append(history, agentLoop(12, 5)[2:]...)
	reports, view := grow(t, 2000, history)
	assert.LessOrEqual(t, len(reports), 6, "of 13 calls")
	assert.LessOrEqual(t, budget.NewMeter(words).AsSent(view, nil), 2000)
}

// Message k of two consecutive requests is the same unless something was collected.
func TestFault_CACHE_Prefix(t *testing.T) {
	for _, ladder := range ladders[:4] {
		history := session(400)
		e := newEnforcer(t, 3000, budget.WithLadder(ladder), budget.WithEnforcerProfile(core.Anthropic))
		before, collected := []core.Message{}, 0
		for n := 2; n <= len(history); n++ {
			if role := history[n-1].Role; role != core.RoleUser && role != core.RoleTool {
				continue
			}
			view, err := e.Transform(t.Context(), history[:n])
			require.NoError(t, err)
			now := budget.Collected(t.Context(), e, history[:n])
			if now == collected {
				require.Equal(t, before, view[:len(before)], "%s, message %d", ladder.Name, n)
			}
			before, collected = view, now
		}
		assert.Greater(t, collected, 3, ladder.Name)
	}
}

func TestFault_SYSLOST_ManyMessagesInOneTurn(t *testing.T) {
	history := agentLoop(300, 50)
	history[51] = core.Message{Role: core.RoleSystem, Src: 52, Parts: []core.Part{{Text: "from now on in French"}}}
	history = append(history[:50], history[51:]...)
	view := coldView(t, 2000, history)
	assert.Equal(t, history[0], view[0])
	assert.Contains(t, view, history[50])
}

func TestFault_EMPTY_Enforcer(t *testing.T) {
	e := newEnforcer(t, 1)
	for _, notation := range []string{"S", "U", "S S", "U S", "U=long_long_long", "A", "T(a)"} {
		history := coretest.Parse(notation)
		view, err := e.Transform(t.Context(), history)
		assert.NotEmpty(t, view, notation)
		require.ErrorAs(t, err, new(*budget.OverBudgetError), notation)
	}
	for _, empty := range [][]core.Message{nil, {}} {
		view, err := e.Transform(t.Context(), empty)
		require.NoError(t, err)
		assert.Equal(t, empty, view)
		report, err := e.Explain(t.Context(), empty)
		require.NoError(t, err)
		assert.Equal(t, empty, report.View)
	}
}

func TestFault_LASTUSER_AgentLoop(t *testing.T) {
	history := agentLoop(3, 50)
	history = append(history, say("the question"))
	history = append(history, agentLoop(60, 80)[2:]...)
	e := newEnforcer(t, 2000)
	for n := 9; n <= len(history); n += 2 {
		view, err := e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
		require.Contains(t, view, history[8])
	}
}

func TestFault_CONSTRAINT_EarlyRule(t *testing.T) {
	rule := "Never touch the generated files."
	history := dialogue(80, 50)
	history[5] = say(rule)
	for name, opts := range map[string][]budget.EnforcerOption{
		"kept as user text": nil,
		"pinned, and turns go": {
			budget.WithLadder(ladders[2]), budget.WithMarks(budget.Marks{MaxTurns: 5}),
			budget.WithPolicies(func(i int, m *core.Message) core.Policy {
				if m.Parts[0].Text == rule {
					assert.Equal(t, 5, i, "the index is the history's")
					return core.Locked
				}
				return core.PolicyDefault
			}),
		},
	} {
		_, view := grow(t, 4000, history, opts...)
		assert.Contains(t, view, history[5], name)
	}
}

func TestPoliciesByLabel(t *testing.T) {
	history := agentLoop(100, 50)
	history[31].Meta = &core.Meta{ID: "m31", Labels: map[string]string{"keep": "yes"}}
	history[41].Policy = core.Conditional
	history[51].Policy = core.Conditional
	pins := budget.WithPolicies(func(_ int, m *core.Message) core.Policy {
		if m.Meta != nil && m.Meta.Labels["keep"] == "yes" {
			return core.Locked
		}
		return core.PolicyDefault
	})
	may := budget.WithConditional(func(m *core.Message) bool { return m.Src == 52 })
	view := coldView(t, 4000, history, pins, may)
	assert.Contains(t, view, history[31])
	assert.Contains(t, view, history[41])
	assert.NotContains(t, view, history[51])
	assert.Equal(t, core.PolicyDefault, view[0].Policy, "the policies of the configuration do not show")
	only := coldView(t, 4000, agentLoop(40, 50), budget.WithEligibleTools("Other"))
	assert.Equal(t, agentLoop(40, 50), only, "below the hard limit nothing of another tool goes")
}

// TestFault_REPORT: what reports say adds up to what became of the history.
func TestFault_REPORT_AddsUp(t *testing.T) {
	meter := budget.NewMeter(words)
	history := agentLoop(200, 50)
	reports, view := grow(t, 2000, history)
	removed := 0
	for _, r := range reports {
		freed, edits := 0, 0
		for _, f := range r.Rungs {
			freed += f.Tokens
		}
		for _, e := range r.Edits {
			edits += e.Before - e.After
			assert.Less(t, e.By, len(history))
		}
		require.Equal(t, r.TokensBefore-r.TokensAfter, edits)
		require.Equal(t, edits, freed, "each token once, by one rung")
		if r.Adopted {
			removed += edits
		}
	}
	assert.Equal(t, meter.History(history)-meter.History(view), removed)
}

// A marker's record points into the history, also when the view that was collected was not
// the history any more.
func TestFault_REPORT_PointersIntoTheHistory(t *testing.T) {
	newer := core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range w.History {
				switch p := &w.History[i].Parts[0]; {
				case i == 2:
					yield(core.Edit{Op: core.Drop, Msg: i, Part: -1, By: -1, Reason: "the oldest"})
				case p.Kind == core.KindToolResult && p.Elided == nil && !yield(core.Edit{Op: core.Elide, Msg: i, Part: 0, By: i + 2, Reason: "newer"}):
					return
				}
			}
		}
	})
	_, view := grow(t, 2000, agentLoop(200, 50), budget.WithLadder(budget.Ladder{Name: "newer", Rungs: []budget.Rung{{Name: "newer", Editor: newer}}}))
	pointers := 0
	for i := range view {
		if e := view[i].Parts[0].Elided; e != nil && e.By >= 0 {
			pointers++
			assert.Equal(t, int(view[i].Src-1)+2, e.By)
		}
	}
	assert.Positive(t, pointers)
}

// Reports of what Watch and Explain met first are not lost.
func TestFault_REPORT_AfterWatch(t *testing.T) {
	history := agentLoop(60, 50)
	told := 0
	e := newEnforcer(t, 2000, budget.WithOnReport(func(context.Context, *budget.Report) { told++ }))
	_, err := e.Transform(t.Context(), history[:4])
	require.NoError(t, err)
	for n := 6; n <= len(history)-2; n += 2 {
		e.Watch(t.Context(), history[:n])
	}
	assert.Zero(t, told)
	_, err = e.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, budget.Collected(t.Context(), e, history), told)
}

func TestExplainChangesNothing(t *testing.T) {
	history := agentLoop(40, 50)
	e := newEnforcer(t, 4000)
	before, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	report, err := e.Explain(t.Context(), history)
	require.NoError(t, err)
	assert.Less(t, budget.NewMeter(words).History(report.View), budget.NewMeter(words).History(before))
	assert.NotEmpty(t, report.Edits)
	assert.Empty(t, e.Reports())
	after, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	done, err := e.Collect(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, report.View, done.View, "Collect does what Explain said")
	assert.Equal(t, report.Edits, done.Edits)
	after, err = e.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, done.View, after)
}

func TestShadowSendsTheOriginal(t *testing.T) {
	history := agentLoop(100, 50)
	e := newEnforcer(t, 2000, budget.WithShadow())
	sent := 0
	for n := 2; n <= len(history); n += 2 {
		view, err := e.Transform(calling(t, core.Request{Usage: sent}), history[:n])
		require.NoError(t, err)
		require.Equal(t, history[:n], view)
		sent = budget.NewMeter(words).AsSent(history[:n], nil)
	}
	assert.NotEmpty(t, e.Reports())
	assert.Zero(t, budget.StepOf(t.Context(), e, history).Calibration, "usage is of the original")
}

// Whoever is told may ask; a function of the program that breaks down locks nobody out.
func TestCallbacksMayUseTheEnforcer(t *testing.T) {
	history := agentLoop(100, 50)
	var e *budget.Enforcer
	asked, broken := 0, true
	ask := func() { asked++; _, _ = e.Explain(context.Background(), history) }
	e = newEnforcer(t, 2000,
		budget.WithOnReport(func(context.Context, *budget.Report) { ask() }), budget.WithOnThreshold(func(int, int) { ask() }),
		budget.WithPolicies(func(int, *core.Message) core.Policy {
			if broken {
				panic("a bug of the program")
			}
			return core.PolicyDefault
		}))
	assert.Panics(t, func() { _, _ = e.Transform(t.Context(), history) })
	broken = false
	for n := 2; n <= len(history); n += 2 {
		_, err := e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
	}
	assert.Positive(t, asked)
	asked = 0
	loose := newEnforcer(t, 2000, budget.WithMarks(budget.Marks{Mode: budget.Manual}), budget.WithOnThreshold(func(tokens, trigger int) {
		asked++
		assert.Greater(t, tokens, trigger)
	}))
	loose.Watch(t.Context(), history[:10])
	assert.Zero(t, asked)
	loose.Watch(t.Context(), history[:60])
	assert.Equal(t, 1, asked)
}

// nosy is a log handler that finds content.
type nosy struct {
	slog.Handler
	t       *testing.T
	records *int
}

func (h nosy) Enabled(context.Context, slog.Level) bool { return true }

func (h nosy) Handle(_ context.Context, r slog.Record) error {
	*h.records++
	r.Attrs(func(a slog.Attr) bool {
		assert.NotContains(h.t, fmt.Sprint(a.Value), "word")
		return true
	})
	return nil
}

func TestLogHasNoContent(t *testing.T) {
	records := 0
	reports, _ := grow(t, 2000, agentLoop(100, 50), budget.WithLogger(slog.New(nosy{t: t, records: &records})))
	assert.Equal(t, len(reports), records)
	assert.Positive(t, records)
}

// Calls that a person refused stay until nothing else helps; a call that waits stays.
func TestFault_HITL_DeniedAndPending(t *testing.T) {
	history := agentLoop(100, 50)
	history[11].Parts[0].Status = core.StatusDenied
	history = append(history, coretest.Parse("A(wait) T(wait~)")...)
	view := coldView(t, 2000, history)
	assert.Contains(t, view, history[11])
	assert.Equal(t, history[len(history)-2:], view[len(view)-2:])
}
