package budget_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

func TestOldestTurns(t *testing.T) {
	for _, test := range []struct {
		name    string
		history string
		keep    int
		want    string
	}{
		{"all but the task and the last", "S U A(a) T(a) A U A A U A", 0, "drop 2, drop 4, drop 6, drop 7, drop 5"},
		{"less than none is none", "U A U A U", -3, "drop 1, drop 3, drop 2"},
		{"the newest stay", "U A U A U A U A", 2, "drop 1, drop 3, drop 2"},
		{"as many as there are", "U A U A U A", 3, ""},
		{"more than there are", "U A U A", 9, ""},
		{"one turn", "S U A(a) T(a) A(b) T(b) A", 0, ""},
		{"before the first", "S A U A U", 1, "drop 1, drop 3"},
		{"nobody asked", "S A A A", 1, ""},
		{"pins", "U A+ U+ A U A(a) T(a)+ U", 1, "drop 3, drop 4"},
		{"a system message in between", "S U A S U A U", 1, "drop 2, drop 5, drop 4"},
		{"an exchange that reaches into the last turn", "U A U A(a) U T(a) A", 1, "drop 1, drop 2"},
		{"and into another", "U A U A(a) U T(a) A U", 1, "drop 1, drop 3, drop 2, drop 6, drop 4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			history := fill(coretest.Parse(test.history), 50)
			assert.Equal(t, test.want, order(history, budget.OldestTurns(test.keep)))
			apply(t, history, budget.OldestTurns(test.keep))
		})
	}
}

func TestOldestTurnsStopsAtTheTarget(t *testing.T) {
	history := fill(coretest.Parse("U A U A A U A U"), 50)
	assert.Equal(t, "drop 1", list(apply(t, history, budget.OldestTurns(0), 1)))
	assert.Equal(t, "drop 1, drop 3", list(apply(t, history, budget.OldestTurns(0), 60)), "what was asked is left")
	assert.Equal(t, "drop 1, drop 2, drop 3, drop 4", list(apply(t, history, budget.OldestTurns(0), 170)))
}

func TestOldestTurnsHeedsNoOtherPolicy(t *testing.T) {
	history := policies(policies(fill(coretest.Parse("U A A U"), 50), core.Preservable, 1), core.Conditional, 2)
	assert.Equal(t, "drop 1, drop 2", list(apply(t, history, budget.OldestTurns(0))))
}

func TestFault_LASTUSER_TheQuestionOfALongLoopStays(t *testing.T) {
	history := fill(coretest.Parse("U A U "+strings.Repeat("?A(a) T(a!) ", 60)), 50)
	for name, editor := range editors() {
		w := core.NewWindow(history, core.WithSizer(wordMeter))
		_, err := core.Apply(w, editor)
		require.NoError(t, err)
		view := w.View()
		assert.Equal(t, history[0], view[0], name)
		assert.Contains(t, view, history[2], name)
	}
}

func editors() map[string]core.Editor {
	return map[string]core.Editor{
		"ElideResults": budget.ElideResults(), "Reasoning": budget.Reasoning(), "ResolvedFailures": budget.ResolvedFailures(),
		"ByPolicy": budget.ByPolicy(budget.PolicyOptions{Pressure: 1}), "OldestTurns": budget.OldestTurns(0),
	}
}
