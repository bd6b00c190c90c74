package budget_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// session returns an agent's history of n messages in which every text is distinct.
func session(n int) []core.Message {
	history := make([]core.Message, 0, n)
	add := func(role core.Role, p core.Part) {
		history = append(history, core.Message{Src: int32(len(history) + 1), Role: role, Parts: []core.Part{p}})
	}
	add(core.RoleSystem, core.Part{Text: "You are a coding agent."})
	add(core.RoleUser, core.Part{Text: "Fix the tests."})
	for i := 0; len(history) < n-1; i++ {
		id := fmt.Sprint("call_", i)
		add(core.RoleAssistant, core.Part{Kind: core.KindToolCall, CallID: id, Tool: "Read", Text: fmt.Sprintf(`{"path":"file%d.go"}`, i)})
		add(core.RoleTool, core.Part{Kind: core.KindToolResult, CallID: id, Tool: "Read", Text: fmt.Sprint(i, strings.Repeat(" lorem ipsum", 40))})
	}
	add(core.RoleUser, core.Part{Text: "And now?"})
	return history
}

// counting counts words and its own calls.
type counting struct {
	calls, bytes atomic.Int64
}

func (c *counting) Count(text string) int {
	c.calls.Add(1)
	c.bytes.Add(int64(len(text)))
	return len(strings.Fields(text))
}

// TestFault_SLOW_TrimGrowsLinearly: every distinct text is counted once, whatever the length of
// the history and however many messages must go, and what else is done grows no faster.
func TestFault_SLOW_TrimGrowsLinearly(t *testing.T) {
	perMessage := map[int]float64{}
	for _, n := range []int{1_000, 10_000, 100_000} {
		history := session(n)
		texts := map[string]bool{"[trimkit: earlier messages removed here]": true}
		for i := range history {
			texts[history[i].Parts[0].Text] = true
			texts[history[i].Parts[0].Tool] = true
		}
		delete(texts, "")
		c := &counting{}
		meter := budget.NewMeter(c)
		trim, err := budget.NewTrim(meter, budget.Limits{Window: meter.AsSent(history, nil) / 4})
		require.NoError(t, err)
		view, err := trim.Transform(t.Context(), history)
		require.NoError(t, err)
		assert.Less(t, len(view), n/3)
		assert.LessOrEqual(t, c.calls.Load(), int64(len(texts)), "%d messages", n)
		perMessage[n] = testing.AllocsPerRun(1, func() { _, _ = trim.Transform(t.Context(), history) }) / float64(n)
		assert.LessOrEqual(t, c.calls.Load(), int64(len(texts)), "nothing is counted again")
	}
	assert.InDelta(t, perMessage[1_000], perMessage[100_000], 1, "allocations a message: %v", perMessage)
}

// TestFault_SLOW_HugeResult: what a cut to size costs is a few counts of what is kept.
func TestFault_SLOW_HugeResult(t *testing.T) {
	history := session(4)
	history = history[:len(history)-1]
	history[3].Parts[0].Text = strings.Repeat("lorem ipsum dolor\n", 1<<20)
	c := &counting{}
	trim, err := budget.NewTrim(budget.NewMeter(c), budget.Limits{Window: 10_000})
	require.NoError(t, err)
	view, err := trim.Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Less(t, len(view[3].Parts[0].Text), 100_000)
	assert.Less(t, c.bytes.Load(), int64(3*len(history[3].Parts[0].Text)))
}

func BenchmarkTrim(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		history := session(n)
		meter := budget.NewMeter(&counting{})
		all := meter.AsSent(history, nil)
		for name, window := range map[string]int{"fits": all, "to a quarter": all / 4} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				trim, err := budget.NewTrim(meter, budget.Limits{Window: window})
				require.NoError(b, err)
				b.ReportAllocs()
				b.ReportMetric(float64(all), "tokens")
				for b.Loop() {
					_, _ = trim.Transform(b.Context(), history)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/message")
			})
		}
	}
}
