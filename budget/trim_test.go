package budget_test

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// words counts a word as a token.
var words = budget.CounterFunc(func(text string) int { return len(strings.Fields(text)) })

func newTrim(t *testing.T, window int, opts ...budget.TrimOption) *budget.Trim {
	t.Helper()
	trim, err := budget.NewTrim(budget.NewMeter(words), budget.Limits{Window: window}, opts...)
	require.NoError(t, err)
	return trim
}

// asSent returns what a history costs.
func asSent(history []core.Message) int {
	return budget.NewMeter(words).AsSent(history, &core.Request{})
}

func survivors(view []core.Message) string {
	var kept []string
	for i := range view {
		kept = append(kept, strconv.Itoa(int(view[i].Src)-1))
	}
	return strings.Join(kept, " ")
}

func long(n int) string { return strings.Repeat("word ", n) }

// fill gives every text of a history n words.
func fill(history []core.Message, n int) []core.Message {
	for i := range history {
		for p := range history[i].Parts {
			if history[i].Parts[p].Kind != core.KindToolCall {
				history[i].Parts[p].Text = long(n)
			}
		}
	}
	return history
}

func TestTrimDropsOldestFirst(t *testing.T) {
	history := fill(coretest.Parse("S U A(a) T(a) A U A(b,c) T(c) T(b) A U A(d) T(d)"), 50)
	all := asSent(history)
	for _, test := range []struct {
		name   string
		window int
		left   string
	}{
		{"just enough", all - 1, "0 1 4 5 6 7 8 9 10 11 12"},
		{"the next in age", all - 80, "0 1 5 6 7 8 9 10 11 12"},
		{"parallel calls together", all - 140, "0 1 5 9 10 11 12"},
		{"user text last", all - 340, "0 1 10 11 12"},
	} {
		t.Run(test.name, func(t *testing.T) {
			view, err := newTrim(t, test.window).Transform(t.Context(), history)
			require.NoError(t, err)
			assert.Equal(t, test.left, survivors(view))
			assert.LessOrEqual(t, asSent(view), test.window)
		})
	}
}

func TestTrimHeedsPolicies(t *testing.T) {
	history := fill(coretest.Parse("U A U A+ U A U A U"), 50)
	history[5].Policy = core.Ephemeral
	history[1].Policy = core.Preservable
	history[2].Policy = core.Conditional
	all := asSent(history)
	for i, left := range []string{"0 1 2 3 4 6 7 8", "0 1 2 3 4 6 8", "0 2 3 4 6 8", "0 3 4 6 8", "0 3 6 8", "0 3 8"} {
		view, err := newTrim(t, all-54*i-1).Transform(t.Context(), history)
		require.NoError(t, err)
		assert.Equal(t, left, survivors(view), "%d steps below", i)
	}
}

// A task with large files pasted into the second message: when that has to go, the replies
// that would have gone first need not.
func TestTrimDropsNoMoreThanIsNeeded(t *testing.T) {
	history := fill(coretest.Parse("U U A U A U A U"), 50)
	history[1].Parts[0].Text = long(1000)
	view, err := newTrim(t, 400).Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, "0 2 3 4 5 6 7", survivors(view))
	view, err = newTrim(t, 330).Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, "0 3 4 5 6 7", survivors(view))
}

func TestStepsRunOnlyWhileOver(t *testing.T) {
	history := fill(coretest.Parse("U A(a) T(a) A(b) T(b) A U"), 50)
	asked := 0
	elide := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		asked++
		return slices.Values([]core.Edit{
			{Op: core.Elide, Msg: 2, Part: 0, By: -1, Reason: "old"},
			{Op: core.Elide, Msg: 4, Part: 0, By: -1, Reason: "old"},
		})
	})
	trim := newTrim(t, asSent(history)-10, budget.WithSteps(elide, elide))
	report, err := trim.Explain(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, 1, asked, "the first step was enough")
	require.Len(t, report.Edits, 1)
	assert.Equal(t, report.TokensBefore-report.TokensAfter, report.Edits[0].Before-report.Edits[0].After)

	_, err = newTrim(t, asSent(history), budget.WithSteps(elide)).Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, 1, asked, "nobody is asked under budget")
}

func TestAStepThatPanicsIsSkipped(t *testing.T) {
	history := fill(coretest.Parse("U A U A U"), 50)
	broken := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { panic("oh") })
	window := asSent(history) - 10
	view, err := newTrim(t, window, budget.WithSteps(broken)).Transform(t.Context(), history)
	var step *core.StepError
	require.ErrorAs(t, err, &step)
	var over *budget.OverBudgetError
	require.NotErrorAs(t, err, &over)
	assert.LessOrEqual(t, asSent(view), window)
}

func TestTrimCountsTheRequest(t *testing.T) {
	history := fill(coretest.Parse("U A U A U"), 50)
	window := asSent(history)
	trim := newTrim(t, window)
	view, err := trim.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Len(t, view, 5)

	for name, request := range map[string]*core.Request{
		"TestFault_COUNT schemas": {Schemas: []string{`{"name": "read"}`}},
		"documents":               {Docs: []string{"a text"}},
		"the reserve of the call": {Reserve: 1},
	} {
		t.Run(name, func(t *testing.T) {
			view, err := trim.Transform(core.WithRequest(t.Context(), request), history)
			require.NoError(t, err)
			assert.Equal(t, "0 2 3 4", survivors(view))
		})
	}
}

func TestDistress(t *testing.T) {
	history := fill(coretest.Parse("S U A(a) T(a) A(b,c,d) T(b) T(c) T(d)"), 40)
	history[5].Parts[0].Text = long(2000)
	history[6].Parts[0].Text = long(1000)
	window := 1500
	trim := newTrim(t, window)
	report, err := trim.Explain(t.Context(), history)
	require.NoError(t, err)
	view := report.View
	assert.Equal(t, "0 1 4 5 6 7", survivors(view))
	assert.LessOrEqual(t, asSent(view), window)
	assert.Greater(t, asSent(view), window*8/10, "and not much less")
	b, c := view[3].Parts[0].Text, view[4].Parts[0].Text
	assert.InDelta(t, len(b), len(c), 200, "cut to one level")
	assert.Equal(t, history[7], view[5], "the small one is whole")
	for _, text := range []string{b, c} {
		assert.True(t, strings.HasPrefix(text, "word word") && strings.HasSuffix(text, "word word "), "head and tail are there")
		assert.Contains(t, text, "[trimkit: ")
	}
	again, err := trim.Transform(t.Context(), view)
	require.NoError(t, err)
	assert.Same(t, &view[0], &again[0])
}

func TestOverBudget(t *testing.T) {
	for _, test := range []struct {
		name, history string
		window        int
		left          string
		says          string
	}{
		{"TestFault_EMPTY the only message is too large", "U", 20, "0", "message 0 (user, first user message, last user message, unread) takes 54"},
		{"TestFault_EMPTY below the system message", "S U A U A", 20, "0 1 3", "message 0 (system, system message) takes 5"},
		{"TestFault_EMPTY only system messages", "S S", 20, "0 1", "system message"},
		{"TestFault_LASTUSER the question stays", "U A U A(a) T(a)", 20, "0 2 3 4", "last user message"},
		{"TestFault_CONSTRAINT pins stay", "U A U+ A U", 20, "0 2 4", "pinned"},
		{"TestFault_HITL open calls stay", "U A(a) T(a~) U A U", 20, "0 1 2 5", "open call"},
	} {
		t.Run(test.name, func(t *testing.T) {
			history := fill(coretest.Parse(test.history), 50)
			view, err := newTrim(t, test.window).Transform(t.Context(), history)
			var over *budget.OverBudgetError
			require.ErrorAs(t, err, &over)
			assert.Equal(t, test.left, survivors(view))
			assert.Equal(t, view, over.View)
			assert.Len(t, over.Kept, len(over.View))
			assert.Contains(t, err.Error(), test.says)
		})
	}
}

func TestFault_LOOP_OverheadAlonePassesTheWindow(t *testing.T) {
	ctx := core.WithRequest(t.Context(), &core.Request{Schemas: []string{long(100)}})
	_, err := newTrim(t, 50).Transform(ctx, fill(coretest.Parse("U A U"), 5))
	require.ErrorContains(t, err, "the tool schemas, documents and reserve alone fill the window")
}

func TestTrimLeavesEmptyHistoriesAndContextsAlone(t *testing.T) {
	trim := newTrim(t, 10)
	for _, empty := range [][]core.Message{nil, {}} { // TestFault_EMPTY
		view, err := trim.Transform(t.Context(), empty)
		require.NoError(t, err)
		assert.Equal(t, empty, view)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	history := fill(coretest.Parse("U A U"), 50)
	view, err := trim.Transform(ctx, history)
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, view, 3)
}

func TestNewTrimListsEveryFault(t *testing.T) {
	_, err := budget.NewTrim(budget.NewMeter(words), budget.Limits{Window: 0, Reserve: -1})
	var limits *budget.LimitsError
	require.ErrorAs(t, err, &limits)
}

func TestTrimIsQuiet(t *testing.T) {
	history := fill(coretest.Parse("S U A(a) T(a) A U A(b) T(b) A U"), 50)
	trim := newTrim(t, asSent(history))
	allocations := testing.AllocsPerRun(100, func() {
		view, err := trim.Transform(t.Context(), history)
		if err != nil || &view[0] != &history[0] {
			t.Fatal("it changed something")
		}
	})
	assert.Zero(t, allocations)
}
