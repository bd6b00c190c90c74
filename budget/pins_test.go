package budget_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// labelled is an agent's conversation in which a few old results have metadata.
func labelled() []core.Message {
	history := agentLoop(100, 50)
	history[11].Meta = &core.Meta{ID: "m11"}
	history[21].Meta = &core.Meta{Labels: map[string]string{"keep": "yes", "tag": "x"}}
	history[31].Meta = &core.Meta{Labels: map[string]string{"keep": "no"}}
	return history
}

// Each helper keeps what it names, and nothing else that would go without it.
func TestPinsKeep(t *testing.T) {
	const old = 60 // below it everything goes that may
	for name, test := range map[string]struct {
		pins budget.Classifier
		want []int
	}{
		"nothing":   {budget.Policies(), nil},
		"ids":       {budget.PinIDs("m11", "elsewhere", ""), []int{11}},
		"indexes":   {budget.PinIndexes(7, 9, 9999), []int{7, 9}},
		"label":     {budget.PinLabel("keep", "yes"), []int{21}},
		"no label":  {budget.PinLabel("keep", ""), nil},
		"predicate": {budget.PinIf(func(i int, m *core.Message) bool { return i < old && m.Meta != nil }), []int{11, 21, 31}},
		"policy":    {budget.ByLabel("keep", "no", core.Preservable), []int{31}},
		"together":  {budget.Policies(budget.PinIDs("m11"), budget.PinIndexes(7), budget.PinLabel("tag", "x")), []int{7, 11, 21}},
	} {
		t.Run(name, func(t *testing.T) {
			history := labelled()
			view := coldView(t, 2000, history, budget.WithPolicies(test.pins))
			var kept []int
			for i := 3; i < old; i += 2 {
				for _, m := range view {
					if assert.ObjectsAreEqual(m, history[i]) {
						kept = append(kept, i)
					}
				}
			}
			assert.Equal(t, test.want, kept)
			for i := range view {
				assert.Equal(t, core.PolicyDefault, view[i].Policy)
			}
		})
	}
}

func TestPoliciesTakeTheStrictest(t *testing.T) {
	says := func(p core.Policy) budget.Classifier { return func(int, *core.Message) core.Policy { return p } }
	m := &core.Message{}
	for _, order := range [][]budget.Classifier{
		{says(core.Locked), says(core.Ephemeral), says(core.PolicyDefault)},
		{says(core.PolicyDefault), says(core.Ephemeral), says(core.Locked)},
	} {
		assert.Equal(t, core.Locked, budget.Policies(order...)(0, m))
		assert.Equal(t, core.Ephemeral, budget.Policies(order[1], says(core.PolicyDefault))(0, m))
	}
	assert.Equal(t, core.PolicyDefault, budget.Policies()(0, m))
}

// What a Conditional message's callback says holds for every rung, not for the last one alone.
func TestConditionalIsAskedByEveryRung(t *testing.T) {
	history := agentLoop(34, 50)
	for _, i := range []int{5, 7} {
		history[i].Policy = core.Conditional
	}
	mayGo := func(m *core.Message) bool { return m.Src == history[7].Src }
	e := newEnforcer(t, 3200, budget.WithConditional(mayGo))
	view, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	require.Equal(t, history[2], view[2], "eliding was enough")
	assert.Equal(t, history[5], view[5])
	require.NotNil(t, view[7].Parts[0].Elided)
	assert.Equal(t, core.Conditional, view[7].Policy, "the answer does not show")
}

// An exchange whose call waited for approval is one like others once its result is there.
func TestIntermediateResultSparesUntilTheFinalOne(t *testing.T) {
	exchange := func(final bool) []core.Message {
		history := agentLoop(34, 50)
		pending := core.Message{Role: core.RoleTool, Src: 900, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "c0", Tool: "Look", Status: core.StatusPending, Text: "waits for approval"}}}
		if final {
			return append(append(history[:3:3], pending), history[3:]...)
		}
		return append(append(history[:3:3], pending), history[4:]...)
	}
	final := exchange(true)
	view := coldView(t, 3200, final)
	require.Equal(t, final[2], view[2], "eliding was enough")
	assert.Equal(t, final[3], view[3], "an intermediate result is no marker's place")
	assert.NotNil(t, view[4].Parts[0].Elided)
	waits := exchange(false)
	view = coldView(t, 3200, append(waits, say("and?")))
	assert.Contains(t, view, waits[2])
	assert.Contains(t, view, waits[3])
}
