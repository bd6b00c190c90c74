package retention_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/retention"
)

func TestLabelsComeBack(t *testing.T) {
	for _, l := range []retention.Label{
		{},
		{Importance: retention.Critical, Tags: []string{"plan", "api keys"}, Until: retention.Turns(1), Ends: retention.TaskScope},
		{Until: retention.Turns(12)},
		{Until: retention.EndOfTask},
		{Until: retention.EndOfSession},
		{Until: retention.Time(noon.Add(1500 * time.Millisecond))},
	} {
		m := core.Message{Meta: &core.Meta{ID: "m", Labels: map[string]string{"mine": "1", retention.KeyImportance: "debug"}}}
		got := retention.Set(m, l)
		assert.Equal(t, l, retention.Read(&got))
		assert.Equal(t, "m", got.Meta.ID)
		assert.Equal(t, "1", got.Meta.Labels["mine"])
		assert.Equal(t, map[string]string{"mine": "1", retention.KeyImportance: "debug"}, m.Meta.Labels, "the message did not change")
	}
}

func TestCheckListsWhatCannotBeRead(t *testing.T) {
	history := []core.Message{{}, {Meta: &core.Meta{Labels: map[string]string{
		retention.KeyImportance: "high", retention.KeyUntil: "0 turns", retention.KeyEnds: "day", retention.KeyTags: " a ,, b",
	}}}}
	faults := retention.Check(history)
	require.Len(t, faults, 3)
	for _, f := range faults {
		assert.Equal(t, 1, f.Message)
	}
	assert.EqualError(t, faults[0], `retention: message 1: label importance is "high", want one of ["critical" "task" "session" "temporary" "debug"]`)
	assert.Equal(t, retention.Label{Tags: []string{"a", "b"}}, retention.Read(&history[1]))
	assert.Empty(t, retention.Policies()(history, all(history)))
}

func TestParseUntil(t *testing.T) {
	for _, bad := range []string{"end", "3", "3 days", "-1 turns", "x turns", "2026-01-31", "0001-01-01T00:00:00Z", "turns"} {
		_, ok := retention.ParseUntil(bad)
		assert.False(t, ok, bad)
	}
	u, ok := retention.ParseUntil("2026-01-31T13:00:00+01:00")
	assert.True(t, ok)
	assert.Equal(t, retention.Time(noon), u)
}
