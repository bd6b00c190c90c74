package budget_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// TestHotPathCostsTheNewMessages: old text is neither counted nor copied.
func TestHotPathCostsTheNewMessages(t *testing.T) {
	allocations := map[int]float64{}
	for _, n := range []int{1_000, 10_000} {
		history := session(n + 200)
		c := &counting{}
		meter := budget.NewMeter(c, budget.WithMemory(0)) // whatever is asked is counted
		e, err := budget.NewEnforcer(meter, budget.Limits{Window: 1 << 30})
		require.NoError(t, err)
		view, err := e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
		assert.Same(t, &history[0], &view[0], "the very slice")

		before := c.calls.Load()
		ctx := t.Context()
		assert.Zero(t, testing.AllocsPerRun(20, func() { _, _ = e.Transform(ctx, history[:n]) }))
		assert.Equal(t, before, c.calls.Load(), "the same again counts nothing")

		next := n
		allocations[n] = testing.AllocsPerRun(50, func() { next += 2; _, _ = e.Transform(ctx, history[:next]) })
		assert.LessOrEqual(t, c.calls.Load()-before, int64((next-n)*3), "%d messages: only new text is counted", n)
	}
	assert.InDelta(t, allocations[1_000], allocations[10_000], 1, "%v", allocations)
	assert.LessOrEqual(t, allocations[10_000], 10.0)
}

// The same behind a collection, where the view is another slice.
func TestHotPathBehindCollections(t *testing.T) {
	history := session(10_000)
	c := &counting{}
	meter := budget.NewMeter(c, budget.WithMemory(0))
	e, err := budget.NewEnforcer(meter, budget.Limits{Window: 300_000})
	require.NoError(t, err)
	ctx, n := t.Context(), 9_000
	_, err = e.Transform(ctx, history[:n])
	require.NoError(t, err)
	require.Positive(t, budget.Collected(ctx, e, history[:n]))
	assert.Zero(t, testing.AllocsPerRun(20, func() { _, _ = e.Transform(ctx, history[:n]) }))
	collected, before := budget.Collected(ctx, e, history[:n]), c.calls.Load()
	_, err = e.Transform(ctx, history[:n+100])
	require.NoError(t, err)
	require.Equal(t, collected, budget.Collected(ctx, e, history[:n+100]))
	assert.LessOrEqual(t, c.calls.Load()-before, int64(100*3))
}

// TestFault_SLOW_ColdReplay: a replay with all its collections counts each text a number of
// times that does not depend on how many there are.
func TestFault_SLOW_ColdReplay(t *testing.T) {
	perMessage := map[int]float64{}
	for _, n := range []int{1_000, 10_000, 100_000} {
		if n == 100_000 && cases < 10_000 {
			continue // the race detector is ten times as slow
		}
		history := session(n)
		c := &counting{}
		e, err := budget.NewEnforcer(budget.NewMeter(c, budget.WithMemory(0)), budget.Limits{Window: 20_000})
		require.NoError(t, err)
		_, err = e.Transform(t.Context(), history)
		require.NoError(t, err)
		perMessage[n] = float64(c.calls.Load()) / float64(n)
	}
	t.Logf("counter calls a message: %v", perMessage)
	for n, calls := range perMessage {
		assert.Less(t, calls, 60.0, "%d messages", n)
		assert.Less(t, calls, 4*perMessage[1_000]+40)
	}
}

func BenchmarkEnforcer(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		history := session(n + 2)
		meter := budget.NewMeter(&counting{})
		for name, window := range map[string]int{"fits": 1 << 30, "collected": meter.History(history) / 4} {
			e, err := budget.NewEnforcer(meter, budget.Limits{Window: window})
			require.NoError(b, err)
			_, err = e.Transform(b.Context(), history[:n])
			require.NoError(b, err)
			b.Run(fmt.Sprintf("again/%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, _ = e.Transform(b.Context(), history[:n])
				}
			})
			b.Run(fmt.Sprintf("cold/%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					e, _ := budget.NewEnforcer(meter, budget.Limits{Window: window})
					_, _ = e.Transform(b.Context(), history[:n])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/message")
			})
		}
		b.Run(fmt.Sprintf("grows/%d", n), func(b *testing.B) {
			e, _ := budget.NewEnforcer(meter, budget.Limits{Window: 1 << 30})
			grown := history[:n:n]
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if len(grown) > n+500 {
					b.StopTimer()
					e, _ = budget.NewEnforcer(meter, budget.Limits{Window: 1 << 30})
					grown = history[:n:n]
					_, _ = e.Transform(b.Context(), grown)
					b.StartTimer()
				}
				grown = append(grown, core.Message{Role: core.RoleUser, Src: int32(i), Parts: []core.Part{{Text: strings.Repeat("new ", 20)}}})
				_, _ = e.Transform(b.Context(), grown)
			}
		})
	}
}
