package benchmarks_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// counting counts words, and how often it is asked.
type counting struct{ calls atomic.Int64 }

func (c *counting) Count(text string) int {
	c.calls.Add(1)
	return len(strings.Fields(text))
}

// session is an agent's history of about n messages in which every text is distinct: results
// of 500 bytes, with a question after every tenth.
func session(n int) []core.Message {
	history := make([]core.Message, 0, n+2)
	add := func(role core.Role, p core.Part) {
		history = append(history, core.Message{Src: int32(len(history) + 1), Role: role, Parts: []core.Part{p}})
	}
	add(core.RoleSystem, core.Part{Text: "You are a coding agent."})
	add(core.RoleUser, core.Part{Text: "Fix the tests."})
	for i := 0; len(history) < n; i++ {
		id := fmt.Sprint("call_", i)
		add(core.RoleAssistant, core.Part{Kind: core.KindToolCall, CallID: id, Tool: "Read", Text: fmt.Sprintf(`{"path":"file%d.go"}`, i)})
		add(core.RoleTool, core.Part{Kind: core.KindToolResult, CallID: id, Tool: "Read", Text: fmt.Sprint(i, strings.Repeat(" lorem ipsum", 40))})
		if i%10 == 9 {
			add(core.RoleAssistant, core.Part{Text: fmt.Sprint("That is ", i)})
			add(core.RoleUser, core.Part{Text: fmt.Sprint("And what about ", i, "?")})
		}
	}
	return history
}

// due returns the length of a history's longest prefix of at most n messages with which a
// model call is made.
func due(history []core.Message, n int) int {
	for history[n-1].Role == core.RoleAssistant {
		n--
	}
	return n
}

func enforcer(tb testing.TB, meter *budget.Meter, window int, opts ...budget.EnforcerOption) *budget.Enforcer {
	tb.Helper()
	e, err := budget.NewEnforcer(meter, budget.Limits{Window: window}, opts...)
	require.NoError(tb, err)
	return e
}

// views are how much of a history a view has: what a manual collection leaves of it.
var views = map[string]budget.Marks{
	"whole":     {Mode: budget.Manual},
	"collected": {Mode: budget.Manual, Target: 25},
}

// ready returns an Enforcer that has seen so much of a history, and has room for the rest.
func ready(tb testing.TB, meter *budget.Meter, history []core.Message, n int, view string) *budget.Enforcer {
	tb.Helper()
	e := enforcer(tb, meter, meter.History(history)*5/4, budget.WithMarks(views[view]))
	if view == "collected" {
		r, err := e.Collect(tb.Context(), history[:n])
		require.NoError(tb, err)
		require.True(tb, r.Adopted)
	}
	_, err := e.Transform(tb.Context(), history[:n])
	require.NoError(tb, err)
	return e
}

var sizes = []int{100, 1_000, 10_000, 100_000}

// BenchmarkHot is a call after the history grew by one exchange.
func BenchmarkHot(b *testing.B) {
	for _, n := range sizes {
		history := session(n + n/4)
		for name := range views {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				ctx, at := b.Context(), len(history)
				var e *budget.Enforcer
				b.ReportAllocs()
				for b.Loop() {
					if at += 2; at >= len(history) {
						b.StopTimer()
						at = due(history, n)
						e = ready(b, budget.NewMeter(&counting{}, budget.WithMemory(0)), history, at, name) // new text is counted anew
						at += 2
						b.StartTimer()
					}
					_, _ = e.Transform(ctx, history[:at])
				}
			})
		}
	}
}

// BenchmarkCold is the first call of a process that meets a history: every decision is made
// again. The meter has counted the texts.
func BenchmarkCold(b *testing.B) {
	for _, n := range sizes {
		history := session(n)
		meter := budget.NewMeter(&counting{}, budget.WithMemory(1<<30))
		for name, window := range map[string]int{"whole": 1 << 30, "collected": meter.History(history) / 4} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				ctx := b.Context()
				b.ReportAllocs()
				for b.Loop() {
					_, _ = enforcer(b, meter, window).Transform(ctx, history)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/message")
			})
		}
	}
}

// BenchmarkCollection is one collection of a view with all messages, without the adopting.
func BenchmarkCollection(b *testing.B) {
	for _, n := range sizes {
		history := session(n)
		meter := budget.NewMeter(&counting{}, budget.WithMemory(1<<30))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ctx := b.Context()
			e := enforcer(b, meter, meter.History(history)*11/10, budget.WithMarks(budget.Marks{Mode: budget.Manual}))
			tokens := 0
			b.ReportAllocs()
			for b.Loop() {
				r, err := e.Explain(ctx, history)
				require.NoError(b, err)
				tokens = r.TokensBefore - r.TokensAfter
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/message")
			b.ReportMetric(float64(tokens), "tokens-freed")
		})
	}
}

// TestHotCallCostsTheNewMessages: neither a count nor an allocation depends on how much was said
// before, in front of a collection and behind one. Growing slices are seen in none of so few
// calls.
func TestHotCallCostsTheNewMessages(t *testing.T) {
	type cost struct {
		allocations float64
		counts      int64
	}
	costs := map[string]cost{}
	for _, n := range []int{1_000, 10_000} {
		history := session(n + 100)
		c := &counting{}
		meter := budget.NewMeter(c, budget.WithMemory(0)) // whatever is asked is counted
		for name := range views {
			ctx, at := t.Context(), due(history, n)
			e := ready(t, meter, history, at, name)
			at += 2
			_, err := e.Transform(ctx, history[:at]) // its slices have room for more from here on
			require.NoError(t, err)
			before := c.calls.Load()
			assert.Zero(t, testing.AllocsPerRun(10, func() { _, _ = e.Transform(ctx, history[:at]) }), "the same again")
			require.Equal(t, before, c.calls.Load())
			const runs = 3 // and one to warm up, before the next question
			at = next(history, at)
			_, err = e.Transform(ctx, history[:at])
			require.NoError(t, err)
			before = c.calls.Load()
			allocations := testing.AllocsPerRun(runs, func() { at += 2; _, _ = e.Transform(ctx, history[:at]) })
			costs[fmt.Sprint(name, n)] = cost{allocations, (c.calls.Load() - before) / (runs + 1)}
		}
	}
	t.Logf("%+v", costs)
	for _, name := range []string{"whole", "collected"} {
		assert.Equal(t, costs[name+"1000"], costs[name+"10000"], name)
		assert.LessOrEqual(t, costs[name+"10000"].counts, int64(4), "the texts and names of one exchange")
		assert.LessOrEqual(t, costs[name+"10000"].allocations, 8.0)
	}
}

// next returns the length of the first prefix behind at that ends with a question.
func next(history []core.Message, at int) int {
	return at + 1 + slices.IndexFunc(history[at:], func(m core.Message) bool { return m.Role == core.RoleUser })
}
