package budget_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// noticesOf returns where a view has notices.
func noticesOf(view []core.Message) (at []int) {
	for i := range view {
		if view[i].Inserted() && view[i].Parts[0].Elided.Reason == "what was removed so far" {
			at = append(at, i)
		}
	}
	return at
}

func TestNoticeIsReplacedAndTrue(t *testing.T) {
	meter := budget.NewMeter(words)
	for _, ladder := range []budget.Ladder{budget.DefaultLadder(), {Name: "none"}} {
		t.Run(ladder.Name, func(t *testing.T) {
			history := agentLoop(200, 50)
			var report *budget.Report
			collected := 0
			e := newEnforcer(t, 2000, budget.WithNotice(), budget.WithLadder(ladder), budget.WithOnReport(func(_ context.Context, r *budget.Report) {
				report, collected = r, collected+1
			}))
			var before []core.Message
			for n := 2; n <= len(history); n += 2 {
				report = nil
				view, err := e.Transform(t.Context(), history[:n])
				require.NoError(t, err)
				ledger, err := e.Ledger(t.Context(), history[:n])
				require.NoError(t, err)
				messages, results, tokens, inserted := 0, 0, 0, 0
				for _, edit := range ledger {
					switch edit.Op {
					case core.Drop:
						messages += 2 // an exchange
					case core.Elide:
						results++
					case core.Insert:
						inserted += edit.After
						continue
					}
					tokens += edit.Before - edit.After
				}
				require.Equal(t, meter.History(history[:n])-meter.History(view), tokens-inserted)
				if report == nil {
					require.True(t, prefixOf(before, view), "unchanged between collections")
					before = view
					continue
				}
				at := noticesOf(view)
				require.Len(t, at, 1, "%d messages", n)
				require.Equal(t, 2, at[0], "behind system message and task")
				require.Equal(t, fmt.Sprintf("[trimkit: removed so far to make room: %d messages, %d tool results of others, %d tokens in all]", messages, results, tokens), view[at[0]].Parts[0].Text)
				sum := 0
				for _, edit := range report.Edits {
					sum += edit.Before - edit.After
				}
				require.Equal(t, report.TokensBefore-report.TokensAfter, sum)
				before = view
			}
			assert.GreaterOrEqual(t, collected, 4)
			cold := newEnforcer(t, 2000, budget.WithNotice(), budget.WithLadder(ladder))
			view, err := cold.Transform(t.Context(), history)
			require.NoError(t, err)
			assert.Equal(t, before, view)

			data, err := e.State(history, "")
			require.NoError(t, err)
			restored := newEnforcer(t, 2000, budget.WithNotice(), budget.WithLadder(ladder))
			require.NoError(t, restored.Restore(history, data))
			longer := append(history[:len(history):len(history)], agentLoop(60, 50)[2:]...)
			want, err := cold.Transform(t.Context(), longer)
			require.NoError(t, err)
			got, err := restored.Transform(t.Context(), longer)
			require.NoError(t, err)
			assert.Equal(t, want, got)
			require.ErrorAs(t, newEnforcer(t, 2000, budget.WithLadder(ladder)).Restore(history, data), new(*budget.StateError))
		})
	}
}

// A pin by index means the history, whatever stands in the view before it.
func TestNoticeShiftsNoPinAndIsNoTurn(t *testing.T) {
	history := dialogue(120, 30)
	pinned := []int{7, 20, 43}
	e := newEnforcer(t, 2000, budget.WithNotice(), budget.WithPolicies(budget.PinIndexes(pinned...)), budget.WithMarks(budget.Marks{MaxTurns: 12}))
	collected := 0
	for n := 1; n <= len(history); n += 2 {
		view, err := e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
		for _, pin := range pinned {
			if pin < n {
				require.Contains(t, view, history[pin], "%d messages", n)
			}
		}
		turns := 0
		for i := range view {
			if view[i].Role == core.RoleUser && !view[i].Inserted() {
				turns++
			}
		}
		require.LessOrEqual(t, turns, 12+len(pinned))
		if at := noticesOf(view); len(at) > 0 {
			collected++
			require.Len(t, at, 1)
			require.Positive(t, at[0])
		}
	}
	assert.Positive(t, collected)
}

func TestEnforcerKeepsTheLawsWithNotices(t *testing.T) {
	subject := enforcing("notices", budget.WithNotice())
	subject.Except = map[int]string{6: "in a history that is a view, its notice is a message like others, and may go"}
	coretest.Run(t, subject, coretest.Cases(cases/20), coretest.From(coretest.Histories(coretest.Config{})))
}
