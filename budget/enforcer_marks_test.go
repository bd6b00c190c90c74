package budget_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// dialogue is a conversation of so many turns, with an exchange of so many tokens in each.
func dialogue(turns, tokens int) []core.Message {
	history := agentLoop(0, 0)[:1]
	for i := range turns {
		id, src := fmt.Sprintf("c%d", i), int32(len(history)+1)
		history = append(history,
			core.Message{Role: core.RoleUser, Src: src, Parts: []core.Part{{Text: fmt.Sprintf("question %d", i)}}},
			core.Message{Role: core.RoleAssistant, Src: src + 1, Parts: []core.Part{{Kind: core.KindToolCall, CallID: id, Tool: "Look", Text: "{}"}}},
			core.Message{Role: core.RoleTool, Src: src + 2, Parts: []core.Part{{Kind: core.KindToolResult, CallID: id, Tool: "Look", Text: strings.Repeat(fmt.Sprintf("word%d ", i), tokens)}}},
			core.Message{Role: core.RoleAssistant, Src: src + 3, Parts: []core.Part{{Text: fmt.Sprintf("answer %d", i)}}},
		)
	}
	return append(history, say("last"))
}

// grow hands every prefix that ends with a decision to an Enforcer, and returns its reports
// and the last view.
func grow(t *testing.T, window int, history []core.Message, opts ...budget.EnforcerOption) (reports []*budget.Report, view []core.Message) {
	t.Helper()
	e := newEnforcer(t, window, append(opts, budget.WithOnReport(func(_ context.Context, r *budget.Report) { reports = append(reports, r) }))...)
	for n := 1; n <= len(history); n++ {
		if role := history[n-1].Role; role == core.RoleUser || role == core.RoleTool {
			view, _ = e.Transform(t.Context(), history[:n])
		}
	}
	return reports, view
}

func marked(m budget.Marks) budget.EnforcerOption { return budget.WithMarks(m) }

func count(reports []*budget.Report, trigger budget.Trigger) (n int) {
	for _, r := range reports {
		if r.Trigger == trigger && r.Adopted {
			n++
		}
	}
	return n
}

func TestMarksListEveryFault(t *testing.T) {
	_, err := budget.NewEnforcer(budget.NewMeter(words), budget.Limits{Window: -1, Reserve: -1},
		marked(budget.Marks{
			Mode: 9, Trigger: 120, Target: -3, Pressure: 101, MinGain: -1, Margin: 100, TailTurns: -1, TailShare: -2,
			MaxTurns: -1, Cooldown: -1, MaxBytes: -1, MaxMediaBytes: -1,
		}), budget.WithLadder(budget.Ladder{Rungs: []budget.Rung{{Name: "empty"}}}))
	var faults *budget.LimitsError
	require.ErrorAs(t, err, &faults)
	var fields []string
	for _, f := range faults.Faults {
		fields = append(fields, f.Field)
		assert.NotEmpty(t, f.Want+f.Do)
	}
	assert.ElementsMatch(t, []string{
		"Window", "Reserve", "Mode", "Trigger", "Target", "Pressure", "MinGain", "Margin", "TailTurns", "TailShare",
		"MaxTurns", "Cooldown", "MaxBytes", "MaxMediaBytes", "Ladder.Rungs",
	}, fields)
	for _, m := range []budget.Marks{{Trigger: 50, Target: 50}, {Trigger: 50}, {Target: 85}} {
		_, err := budget.NewEnforcer(budget.NewMeter(words), budget.Limits{Window: 100}, marked(m))
		require.ErrorContains(t, err, "Target")
		require.ErrorContains(t, err, "Trigger", "both are named: %+v", m)
	}
	_, err = budget.NewEnforcer(budget.NewMeter(words), budget.Limits{Window: 100}, marked(budget.Marks{Trigger: 100}))
	require.ErrorContains(t, err, "Trigger is 100")
}

func TestMarksMove(t *testing.T) {
	history := agentLoop(200, 50)
	meter := budget.NewMeter(words)
	usual, _ := grow(t, 4000, history)
	for _, r := range usual {
		assert.Greater(t, r.TokensBefore, 3200)
		assert.LessOrEqual(t, r.TokensAfter, 4000*63/100, "the overhead is a sixteenth more")
	}
	rare, _ := grow(t, 4000, history, marked(budget.Marks{Trigger: 90, Target: 30}))
	assert.Less(t, len(rare), len(usual)/2)
	_, view := grow(t, 4000, history, marked(budget.Marks{Trigger: 50, Target: 30, Margin: 40}))
	assert.LessOrEqual(t, meter.History(view), 4000*60/100)
	waiting, _ := grow(t, 4000, history, marked(budget.Marks{Cooldown: 60}))
	assert.Less(t, count(waiting, budget.TriggerMark), count(usual, budget.TriggerMark))
	none, view := grow(t, 4000, history[:110], marked(budget.Marks{MinGain: 100}))
	assert.Zero(t, count(none, budget.TriggerMark), "nothing frees all there is")
	assert.LessOrEqual(t, meter.AsSent(view, nil), 4000)
}

func TestMarksTail(t *testing.T) {
	// Everything that a collection may take is taken, since the target is low.
	left := func(history []core.Message, m budget.Marks) int {
		m.Target = 1
		reports, _ := grow(t, 4000, history, marked(m))
		require.NotEmpty(t, reports)
		return reports[0].TokensAfter
	}
	exchanges, turns := agentLoop(60, 50), dialogue(60, 50)
	assert.Greater(t, left(exchanges, budget.Marks{TailShare: 60}), left(exchanges, budget.Marks{})+1000)
	assert.Greater(t, left(exchanges, budget.Marks{}), left(exchanges, budget.Marks{TailShare: -1})+500)
	assert.Greater(t, left(turns, budget.Marks{TailTurns: 15, TailShare: 90}), left(turns, budget.Marks{TailTurns: 1, TailShare: 90})+500)
}

func TestMarksPressure(t *testing.T) {
	var history []core.Message
	for i := range 100 {
		history = append(history, say(strings.Repeat(fmt.Sprintf("q%d ", i), 30)), core.Message{Role: core.RoleAssistant, Src: 1, Parts: []core.Part{{Text: "ok"}}})
	}
	history = append(history, say("last"))
	high, _ := grow(t, 2000, history, marked(budget.Marks{Pressure: 100}))
	low, _ := grow(t, 2000, history, marked(budget.Marks{Pressure: 50}))
	assert.Zero(t, count(high, budget.TriggerMark)+count(high, budget.TriggerMissed)-freeing(high), "user text goes by the hard limit alone")
	assert.NotZero(t, count(low, budget.TriggerMark))
	assert.NotZero(t, count(high, budget.TriggerHardLimit))
}

// freeing counts the collections by marks that dropped no user text.
func freeing(reports []*budget.Report) (n int) {
	for _, r := range reports {
		if r.Adopted && (r.Trigger == budget.TriggerMark || r.Trigger == budget.TriggerMissed) &&
			!slices.ContainsFunc(r.Edits, func(e core.Edit) bool { return e.Msg%2 == 0 && e.Op == core.Drop }) {
			n++
		}
	}
	return n
}

func TestMarksMaxTurns(t *testing.T) {
	reports, view := grow(t, 100_000, dialogue(40, 5), marked(budget.Marks{MaxTurns: 8}))
	asked := 0
	for i := range view {
		if view[i].Role == core.RoleUser {
			asked++
		}
	}
	assert.LessOrEqual(t, asked, 8)
	assert.InDelta(t, 12, count(reports, budget.TriggerTurns), 8, "seldom, and in large steps")

	// Turns that are pinned cannot go: that is said once, and marks work on.
	pinned := budget.WithPolicies(func(_ int, m *core.Message) core.Policy {
		if m.Role == core.RoleUser {
			return core.Locked
		}
		return core.PolicyDefault
	})
	reports, _ = grow(t, 2000, dialogue(40, 50), marked(budget.Marks{MaxTurns: 4}), pinned)
	vain := 0
	for _, r := range reports {
		if !r.Adopted && r.Trigger == budget.TriggerTurns {
			vain++
		}
	}
	assert.LessOrEqual(t, vain, 1)
	everything := budget.WithPolicies(func(int, *core.Message) core.Policy { return core.Locked })
	reports, _ = grow(t, 100_000, dialogue(40, 50), marked(budget.Marks{MaxTurns: 4}), everything)
	require.Len(t, reports, 1)
	assert.NotEmpty(t, reports[0].Cause)
}

func TestMarksBytes(t *testing.T) {
	bytes := func(view []core.Message) (text, media int) {
		for i := range view {
			for _, p := range view[i].Parts {
				text += p.Bytes()
				if p.Media != nil {
					media += len(p.Media.Data)
				}
			}
		}
		return text, media
	}
	reports, view := grow(t, 100_000, dialogue(40, 50), marked(budget.Marks{MaxBytes: 5000}))
	text, _ := bytes(view)
	assert.LessOrEqual(t, text, 5000)
	assert.NotZero(t, count(reports, budget.TriggerBytes))

	history := dialogue(40, 5)
	for i := range history {
		if history[i].Role == core.RoleTool {
			history[i].Parts = append(history[i].Parts, core.Part{
				Kind: core.KindToolResult, CallID: history[i].Parts[0].CallID, Slot: 1, Media: &core.Media{MIME: "image/png", Data: make([]byte, 1000)},
			})
		}
	}
	reports, view = grow(t, 100_000, history, marked(budget.Marks{MaxMediaBytes: 10_000}))
	_, media := bytes(view)
	assert.LessOrEqual(t, media, 10_000)
	assert.NotZero(t, media)
	assert.Len(t, view, len(history), "only media went")
	assert.Less(t, len(reports), 20)

	// What cannot get smaller is said once, and why.
	pinned := budget.WithPolicies(func(int, *core.Message) core.Policy { return core.Locked })
	reports, _ = grow(t, 100_000, dialogue(40, 50), marked(budget.Marks{MaxBytes: 5000}), pinned)
	require.Len(t, reports, 1)
	assert.Contains(t, reports[0].Cause, "bytes")
}

func TestModes(t *testing.T) {
	history := dialogue(60, 50)
	reports, view := grow(t, 2000, history, marked(budget.Marks{Mode: budget.Continuous}))
	for _, r := range reports {
		last := r.Edits[len(r.Edits)-1]
		assert.LessOrEqual(t, last.Msg, len(history))
	}
	asked := 0
	for i := range view {
		if view[i].Role == core.RoleUser && !view[i].Inserted() {
			asked++
		}
	}
	assert.Equal(t, 61, asked, "user text never goes")

	e := newEnforcer(t, 4000, marked(budget.Marks{Mode: budget.Manual}))
	short := dialogue(38, 50)
	view, err := e.Transform(t.Context(), short)
	require.NoError(t, err)
	assert.Equal(t, short, view, "above the trigger, and nothing happens")
	assert.Greater(t, budget.NewMeter(words).History(short), 3200)
	// What does not fit is cut for the one call, and told.
	long := dialogue(80, 50)
	view, err = e.Transform(t.Context(), long)
	require.NoError(t, err)
	assert.LessOrEqual(t, budget.NewMeter(words).AsSent(view, nil), 4000)
	r := e.Reports()
	require.Len(t, r, 1)
	assert.True(t, r[0].Once)
	assert.False(t, r[0].Adopted)
	report, err := e.Collect(t.Context(), long)
	require.NoError(t, err)
	assert.True(t, report.Adopted)
}
