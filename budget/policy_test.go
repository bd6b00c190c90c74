package budget_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// only is an editor that proposes one edit.
func only(e core.Edit) core.Editor {
	return core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values([]core.Edit{e}) })
}

// policies sets policies by message.
func policies(history []core.Message, p core.Policy, msgs ...int) []core.Message {
	for _, m := range msgs {
		history[m].Policy = p
	}
	return history
}

func TestByPolicy(t *testing.T) {
	turns := func() []core.Message { return fill(coretest.Parse("S U A A A U A A(a) T(a) A U A U"), 50) }
	yes := func(*core.Message) bool { return true }
	for _, test := range []struct {
		name    string
		history []core.Message
		options budget.PolicyOptions
		want    string
	}{
		{"partial ones, oldest first", turns(), budget.PolicyOptions{}, "drop 2, drop 3, drop 4, drop 6, drop 7, drop 9, drop 11"},
		{"ephemeral ones before", policies(turns(), core.Ephemeral, 6, 9), budget.PolicyOptions{}, "drop 6, drop 9, drop 2, drop 3, drop 4, drop 7, drop 11"},
		{"preservable ones above the pressure, last", turns(), budget.PolicyOptions{Pressure: 1}, "drop 2, drop 3, drop 4, drop 6, drop 7, drop 9, drop 11, drop 5, drop 10"},
		{"conditional ones without anyone to ask", policies(turns(), core.Conditional, 2), budget.PolicyOptions{}, "drop 3, drop 4, drop 6, drop 7, drop 9, drop 11"},
		{"and above the pressure", policies(turns(), core.Conditional, 6), budget.PolicyOptions{Pressure: 1}, "drop 2, drop 3, drop 4, drop 7, drop 9, drop 11, drop 5, drop 6, drop 10"},
		{"conditional ones that may go", policies(turns(), core.Conditional, 3), budget.PolicyOptions{Ask: yes}, "drop 2, drop 3, drop 4, drop 6, drop 7, drop 9, drop 11"},
		{"and that may not", policies(turns(), core.Conditional, 3, 5), budget.PolicyOptions{Pressure: 1, Ask: func(*core.Message) bool { return false }}, "drop 2, drop 4, drop 6, drop 7, drop 9, drop 11, drop 10"},
		{"a pair by its stricter half", policies(policies(turns(), core.Ephemeral, 7), core.Preservable, 8), budget.PolicyOptions{}, "drop 2, drop 3, drop 4, drop 6, drop 9, drop 11"},
		{"a pinned half", policies(turns(), core.Locked, 8), budget.PolicyOptions{Pressure: 1}, "drop 2, drop 3, drop 4, drop 6, drop 9, drop 11, drop 5, drop 10"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, order(test.history, budget.ByPolicy(test.options)))
			apply(t, test.history, budget.ByPolicy(test.options))
		})
	}
}

func TestByPolicyTakesTheLargestOfATurn(t *testing.T) {
	history := policies(fill(coretest.Parse("U A A A U A A(a) T(a) A U"), 50), core.Ephemeral, 1, 2, 3, 5, 6, 7, 8)
	history[2].Parts[0].Text = long(90)
	history[7].Parts[0].Text = long(200)
	assert.Equal(t, "drop 2, drop 1, drop 3, drop 6, drop 5, drop 8", order(history, budget.ByPolicy(budget.PolicyOptions{})))
	assert.Equal(t, "drop 2", list(apply(t, history, budget.ByPolicy(budget.PolicyOptions{}), 60)))
}

func TestByPolicyHeedsThePressure(t *testing.T) {
	history := fill(coretest.Parse("U A U A U A U A U"), 50)
	all := wordMeter.History(history)
	for _, test := range []struct {
		pressure int
		want     string
	}{
		{all, "drop 1, drop 3, drop 5, drop 7"},
		{all - 4*54, "drop 1, drop 3, drop 5, drop 7"},
		{all - 4*54 - 1, "drop 1, drop 2, drop 3, drop 5, drop 7"},
		{all - 5*54 - 1, "drop 1, drop 2, drop 3, drop 4, drop 5, drop 7"},
	} {
		assert.Equal(t, test.want, list(apply(t, history, budget.ByPolicy(budget.PolicyOptions{Pressure: test.pressure}))), test.pressure)
	}
}

// It asks about every message that is Conditional, and about no other.
func TestByPolicyAsks(t *testing.T) {
	history := policies(fill(coretest.Parse("U A(a) T(a) A(b) T(b) A A U"), 50), core.Conditional, 1, 2, 4, 6)
	var asked []int32
	options := budget.PolicyOptions{Ask: func(m *core.Message) bool {
		asked = append(asked, m.Src-1)
		return m.Src-1 != 2
	}}
	assert.Equal(t, "drop 3, drop 5, drop 6", list(apply(t, history, budget.ByPolicy(options))))
	assert.Equal(t, []int32{1, 2, 4, 6}, asked)
}

// A reply that ends the history may be one that the model is to continue.
func TestByPolicyKeepsTheEnd(t *testing.T) {
	assert.Equal(t, "drop 1", list(apply(t, fill(coretest.Parse("U A A"), 50), budget.ByPolicy(budget.PolicyOptions{}))))
	assert.Equal(t, "drop 0", list(apply(t, fill(coretest.Parse("A A"), 50), budget.ByPolicy(budget.PolicyOptions{}))))
}

func inserted(text string) core.Message {
	return core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: text, Elided: &core.Elision{Op: core.Insert, Reason: "summary", By: -1}}}}
}

func TestDroppingByAgeKeepsSummaries(t *testing.T) {
	history := fill(coretest.Parse("U A A U A U A U"), 50)
	history[1] = inserted("[trimkit: inserted: summary]\n" + long(50))
	history[2] = inserted("[trimkit: earlier messages removed here]")
	assert.Equal(t, "drop 2, drop 4, drop 6", list(apply(t, history, budget.ByPolicy(budget.PolicyOptions{}))))
	assert.Equal(t, "drop 2, drop 3, drop 4", list(apply(t, history, budget.OldestTurns(2))))
}

func TestDroppingByAgeCountsNoNoticeAsAUserMessage(t *testing.T) {
	history := fill(coretest.Parse("U A U A U U A"), 50)
	history[4] = inserted("[trimkit: earlier messages removed here]")
	assert.Equal(t, "drop 1", list(apply(t, history, budget.OldestTurns(2))))

	// It may be there because the provider wants the user to begin.
	history = fill(coretest.Parse("U A U A U"), 50)
	history[0] = inserted("[trimkit: earlier messages removed here]")
	for _, e := range []core.Editor{budget.ByPolicy(budget.PolicyOptions{}), budget.OldestTurns(0)} {
		w := core.NewWindow(history, core.WithSizer(wordMeter), core.WithProfile(core.Anthropic))
		refused, err := core.Apply(w, e)
		require.NoError(t, err)
		assert.Empty(t, refused)
		assert.Equal(t, "drop 1, drop 3", list(w.Edits()))
	}
}

// rules is a conversation of many turns whose second user message must not be forgotten.
func rules(turns int) []core.Message {
	history := fill(coretest.Parse(strings.Repeat("U A(a) T(a) A ", turns)), 30)
	history[4].Parts[0].Text = "Never touch the generated files."
	return history
}

func TestFault_CONSTRAINT_RulesOutliveTheirTurn(t *testing.T) {
	says := func(history []core.Message, e core.Editor) bool {
		w := core.NewWindow(history, core.WithSizer(wordMeter))
		_, err := core.Apply(w, e)
		return err == nil && len(w.Edits()) > 0 && w.Visible(4)
	}
	history := rules(80)
	assert.True(t, says(history, budget.ByPolicy(budget.PolicyOptions{})))
	assert.True(t, says(history, budget.ByPolicy(budget.PolicyOptions{Pressure: wordMeter.History(history) / 2})), "without pressure")
	assert.False(t, says(history, budget.OldestTurns(1)), "all that counts is age, but for pins")
	history[4].Policy = core.Locked
	assert.True(t, says(history, budget.ByPolicy(budget.PolicyOptions{Pressure: 1})))
	assert.True(t, says(history, budget.OldestTurns(1)))
}
