package retention_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/retention"
)

// labelled is a history with labels by index.
func labelled(notation string, labels map[int]retention.Label) []core.Message {
	history := coretest.Parse(notation)
	for i, l := range labels {
		history[i] = retention.Set(history[i], l)
	}
	return history
}

// all are the indexes of a view that shows everything.
func all(history []core.Message) (shown []int) {
	for i := range history {
		shown = append(shown, i)
	}
	return shown
}

func policyAt(history []core.Message, i int) core.Policy {
	if policies := retention.Policies()(history, all(history)); i < len(policies) {
		return policies[i]
	}
	return core.PolicyDefault
}

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// Each importance and each end: what a message gets before its end, and behind it.
func TestRetentionReallyEnds(t *testing.T) {
	marked := func(l retention.Label) func(core.Message) core.Message {
		return func(m core.Message) core.Message { return retention.Set(m, l) }
	}
	at := func(d time.Duration) func(core.Message) core.Message {
		return func(m core.Message) core.Message { m.Meta = &core.Meta{Time: noon.Add(d)}; return m }
	}
	task, session, none := retention.EndTask, retention.EndSession, marked(retention.Label{})
	for name, test := range map[string]struct {
		label retention.Label
		then  func(core.Message) core.Message // becomes of the last user message
		want  core.Policy
	}{
		"critical":                   {retention.Label{Importance: retention.Critical}, none, core.Locked},
		"critical, all over":         {retention.Label{Importance: retention.Critical}, session, core.Locked},
		"critical until the task":    {retention.Label{Importance: retention.Critical, Until: retention.EndOfTask}, none, core.Locked},
		"critical, the task over":    {retention.Label{Importance: retention.Critical, Until: retention.EndOfTask}, task, core.Ephemeral},
		"task":                       {retention.Label{Importance: retention.Task}, none, core.Preservable},
		"task over":                  {retention.Label{Importance: retention.Task}, task, core.Ephemeral},
		"task over by the session":   {retention.Label{Importance: retention.Task}, session, core.Ephemeral},
		"session":                    {retention.Label{Importance: retention.Session}, task, core.Preservable},
		"session over":               {retention.Label{Importance: retention.Session}, session, core.Ephemeral},
		"temporary":                  {retention.Label{Importance: retention.Temporary, Until: retention.Turns(3)}, none, core.Partial},
		"temporary over":             {retention.Label{Importance: retention.Temporary}, none, core.Ephemeral},
		"debug":                      {retention.Label{Importance: retention.Debug}, none, core.Ephemeral},
		"until the task":             {retention.Label{Until: retention.EndOfTask}, none, core.Locked},
		"until the task, over":       {retention.Label{Until: retention.EndOfTask}, task, core.Ephemeral},
		"until the session":          {retention.Label{Until: retention.EndOfSession}, task, core.Locked},
		"until the session, over":    {retention.Label{Until: retention.EndOfSession}, session, core.Ephemeral},
		"three turns":                {retention.Label{Until: retention.Turns(3)}, none, core.Locked},
		"two turns over":             {retention.Label{Until: retention.Turns(2)}, none, core.Ephemeral},
		"a time":                     {retention.Label{Until: retention.Time(noon)}, at(-time.Nanosecond), core.Locked},
		"a time that nobody says":    {retention.Label{Until: retention.Time(noon)}, none, core.Locked},
		"a time that has come":       {retention.Label{Until: retention.Time(noon)}, at(0), core.Ephemeral},
		"tags alone say nothing":     {retention.Label{Tags: []string{"x"}}, session, core.PolicyDefault},
		"the end instead of a table": {retention.Label{Importance: retention.Temporary, Until: retention.EndOfTask}, none, core.Partial},
	} {
		t.Run(name, func(t *testing.T) {
			history := labelled("S U A U A U A", map[int]retention.Label{2: test.label})
			history[5] = test.then(history[5])
			assert.Equal(t, test.want.String(), policyAt(history, 2).String())
		})
	}
}

func TestMarksEndWhatIsBeforeThemAndThemselves(t *testing.T) {
	keep := retention.Label{Importance: retention.Task}
	history := labelled("U A A A A", map[int]retention.Label{1: keep, 2: keep, 3: keep})
	history[2] = retention.EndTask(history[2])
	assert.Equal(t, retention.Task, retention.Read(&history[2]).Importance, "the label stays")
	assert.Equal(t, core.Ephemeral, policyAt(history, 1))
	assert.Equal(t, core.Ephemeral, policyAt(history, 2))
	assert.Equal(t, core.Preservable, policyAt(history, 3), "of the next task")
}

// An edit's own message is no turn and an end of nothing.
func TestInsertedMessagesAreNoTurns(t *testing.T) {
	history := labelled("U A U A", map[int]retention.Label{1: {Importance: retention.Temporary}})
	history[2].Src, history[2].Parts = 0, []core.Part{{Text: "a notice", Elided: &core.Elision{Op: core.Insert}}}
	assert.Equal(t, core.Partial, policyAt(history, 1))
}

func TestExchangesGoWhole(t *testing.T) {
	debug, critical := retention.Label{Importance: retention.Debug}, retention.Label{Importance: retention.Critical}
	for name, test := range map[string]struct {
		labels map[int]retention.Label
		want   []core.Policy
	}{
		"all results":   {map[int]retention.Label{2: debug, 3: debug}, []core.Policy{0, core.Ephemeral, core.Ephemeral, core.Ephemeral}},
		"one result":    {map[int]retention.Label{2: debug}, []core.Policy{0, 0, core.Ephemeral, 0}},
		"the reply":     {map[int]retention.Label{1: debug}, []core.Policy{0, core.Ephemeral, core.Ephemeral, core.Ephemeral}},
		"the strictest": {map[int]retention.Label{2: debug, 3: critical}, []core.Policy{0, core.Locked, core.Ephemeral, core.Locked}},
		"none":          {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			history := labelled("U A(x,y) T(x) T(y)", test.labels)
			assert.Equal(t, test.want, retention.Policies()(history, all(history)))
		})
	}
}

func TestALabelMakesNoPolicyWeaker(t *testing.T) {
	history := labelled("U A+ A", map[int]retention.Label{1: {Importance: retention.Debug}})
	assert.Equal(t, core.Locked, policyAt(history, 1))
}

// The history is only read, and the same one gives the same.
func TestPure(t *testing.T) {
	history := labelled("S U A(x) T(x) U A", map[int]retention.Label{2: {Until: retention.Turns(1)}, 3: {Importance: retention.Task}, 4: {Ends: retention.TaskScope}})
	before := slices.Clone(history)
	policies := retention.Policies()
	first := policies(history, all(history))
	assert.Equal(t, before, history)
	assert.Equal(t, first, policies(before, all(before)))
	assert.Equal(t, first[3:4], policies(history, []int{3}), "of what is shown")
}
