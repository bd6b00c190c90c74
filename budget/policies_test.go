package budget_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// keepsLabelled locks what has a label as long as the history has no end of it.
func keepsLabelled(history []core.Message, shown []int) []core.Policy {
	over := slices.ContainsFunc(history, func(m core.Message) bool { return m.Meta != nil && m.Meta.Labels["over"] != "" })
	policies := make([]core.Policy, len(shown))
	for at, i := range shown {
		if m := history[i].Meta; m != nil && m.Labels["keep"] == "yes" && !over {
			policies[at] = core.Locked
		}
	}
	return policies
}

// What a classifier sees is the history up to the collection, so a message can be kept at one
// and go at a later one, and a process that knows nothing yet sends the same.
func TestClassifierSeesTheHistory(t *testing.T) {
	history := labelled()
	kept := coldView(t, 2000, history, budget.WithClassifier(keepsLabelled))
	assert.Contains(t, kept, history[21])

	end := say("done")
	end.Meta = &core.Meta{Labels: map[string]string{"over": "yes"}}
	history = append(history, end)
	for i, m := range agentLoop(100, 50)[2:] {
		for p := range m.Parts {
			m.Parts[p].CallID += "again"
		}
		m.Src = int32(len(labelled()) + 2 + i)
		history = append(history, m)
	}
	_, view := grow(t, 2000, history, budget.WithClassifier(keepsLabelled))
	assert.NotContains(t, view, history[21], "it is over")
	assert.Equal(t, coldView(t, 2000, history, budget.WithClassifier(keepsLabelled)), view)
}

func TestClassifierIsAskedOnceACollectionAndTheStricterCounts(t *testing.T) {
	asked, history := 0, labelled()
	var reports int
	says := func(h []core.Message, shown []int) []core.Policy {
		asked++
		require.LessOrEqual(t, len(h), len(history))
		require.True(t, slices.IsSorted(shown))
		policies := make([]core.Policy, slices.Index(shown, 21)) // of no more than those before it
		for at, i := range shown[:len(policies)] {
			policies[at] = map[int]core.Policy{3: core.Ephemeral, 7: core.Locked, 9: core.Ephemeral}[i]
		}
		return policies
	}
	e := newEnforcer(t, 2000, budget.WithClassifier(says), budget.WithClassifier(func([]core.Message, []int) []core.Policy { return nil }), budget.WithPolicies(budget.PinIndexes(9, 21)),
		budget.WithOnReport(func(context.Context, *budget.Report) { reports++ }))
	for n := 2; n <= len(history); n += 2 {
		_, err := e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
	}
	view, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Positive(t, asked)
	assert.Equal(t, reports, asked, "once a collection")
	assert.Contains(t, view, history[7])
	assert.Contains(t, view, history[9], "locked by one, whatever the other says")
	assert.NotContains(t, view, history[3])
}
