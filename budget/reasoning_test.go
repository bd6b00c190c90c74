package budget_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

func TestReasoning(t *testing.T) {
	for _, test := range []struct{ name, history, want string }{
		{"closed turns, oldest first", "S U ?A ?A(a) T(a) ?A U ?A U", "elide 2.0, elide 3.0, elide 5.0, elide 7.0"},
		{"nothing of the present turn", "U ?A U ?A(a) T(a) ?A(b) T(b)", "elide 1.0"},
		{"an agent's only turn", "S U ?A(a) T(a) ?A(b) T(b) ?A", ""},
		{"nobody asked", "?A ?A ?A", ""},
		{"pins", "U ?A+ ?A(a) T(a)+ U", ""},
		{"an exchange that reaches into the present turn", "U ?A(a) U T(a) A", ""},
		{"a note within a closed exchange", "U ?A(a) U T(a) A U", "elide 1.0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, list(apply(t, fill(coretest.Parse(test.history), 50), budget.Reasoning())))
		})
	}
}

func TestReasoningLeavesNothingBehind(t *testing.T) {
	history := fill(coretest.Parse("U ?A ?A(a) T(a) A U"), 50)
	view, err := core.Transform(budget.Reasoning()).Transform(t.Context(), history)
	require.NoError(t, err)
	require.Len(t, view, 6)
	assert.Len(t, view[1].Parts, 1)
	assert.Equal(t, core.KindText, view[1].Parts[0].Kind)
	assert.Equal(t, core.KindToolCall, view[2].Parts[0].Kind)
}

func TestReasoningIsNotClosedByANotice(t *testing.T) {
	history := fill(coretest.Parse("U ?A U ?A U"), 50)
	history[4] = inserted("[trimkit: earlier messages removed here]")
	assert.Equal(t, "elide 1.0", list(apply(t, history, budget.Reasoning())))
}

func TestReasoningLeavesAlone(t *testing.T) {
	for name, change := range map[string]func(m *core.Message){
		"empty":       func(m *core.Message) { m.Parts[0].Text = "" },
		"elided":      func(m *core.Message) { m.Parts[0].Elided = &core.Elision{Op: core.Elide, By: -1} },
		"preservable": func(m *core.Message) { m.Policy = core.Preservable },
		"conditional": func(m *core.Message) { m.Policy = core.Conditional },
	} {
		history := fill(coretest.Parse("U ?A ?A U"), 50)
		change(&history[1])
		assert.Equal(t, "elide 2.0", list(apply(t, history, budget.Reasoning())), name)
	}
}

func TestFault_THINK_SignedReasoningStays(t *testing.T) {
	history := fill(coretest.Parse("U ??A ??A(a) T(a) A U ??A(b) T(b)"), 50)
	assert.Empty(t, apply(t, history, budget.Reasoning()))
	history[1].Parts = append([]core.Part{{Kind: core.KindReasoning, Text: long(50), Slot: 9}}, history[1].Parts...)
	assert.Equal(t, "elide 1.0", list(apply(t, history, budget.Reasoning())), "what nobody signed beside it may go")
}

func TestFault_THINK_NoMessageLosesAllThatItSays(t *testing.T) {
	history := fill(coretest.Parse("U R A(a) T(a) R A ?A U"), 50)
	history[6].Parts[1].Text = " \n"
	assert.Empty(t, apply(t, history, budget.Reasoning()))
}
