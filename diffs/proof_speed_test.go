package diffs_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// longSession is a conversation of so many messages: files of 80 lines are read, changed, and
// read again in part, and there are more of them the longer it is.
func longSession(messages int) []core.Message {
	var steps []exchanged
	for i := range messages / 2 {
		file := i / 16
		path := fmt.Sprintf("src/file%d.go", file)
		content := longText(80, fmt.Sprint("source of number ", file))
		switch i % 4 {
		case 0:
			steps = append(steps, readOf(path, content, 0))
		case 1:
			steps = append(steps, editOf(path, fmt.Sprintf("line %d of", 1+i%70), fmt.Sprintf("row %d of", i)))
		case 2:
			steps = append(steps, shellOf("go test ./...", "ok"))
		default:
			steps = append(steps, shellOf("sed -n '71,74p' "+path, strings.Join(strings.SplitAfter(content, "\n")[70:74], "")))
		}
	}
	return talkOf(steps...)
}

// defaults runs the three editors of the command line's default steps.
func defaults(tb testing.TB, history []core.Message) int {
	tb.Helper()
	w := core.NewWindow(history)
	for _, e := range lossless[:3] {
		_, err := core.Apply(w, e.make())
		require.NoError(tb, err)
	}
	return len(w.Edits())
}

// Ten times the messages cost ten times the memory, with some room; time would say the same
// on a quiet machine.
func TestProofLinear(t *testing.T) {
	allocated := func(n int) float64 {
		history := longSession(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		edits := defaults(t, history)
		runtime.ReadMemStats(&after)
		t.Logf("%6d messages: %d edits, %d bytes", n, edits, after.TotalAlloc-before.TotalAlloc)
		assert.Greater(t, edits, n/100)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	allocated(1000) // makes what is made once
	small, middle, large := allocated(1000), allocated(10_000), allocated(100_000)
	assert.Less(t, middle, 15*small)
	assert.Less(t, large, 15*middle)
}

// The three together cost less than counting the text once.
func TestProofCheaperThanCounting(t *testing.T) {
	history := longSession(2000)
	count(t, longSession(20)) // loads the vocabulary
	least := func(f func()) time.Duration {
		best := time.Hour
		for range 3 {
			start := time.Now()
			f()
			best = min(best, time.Since(start))
		}
		return best
	}
	editing := least(func() { defaults(t, history) })
	counting := least(func() { count(t, history) })
	t.Logf("editing %v, counting %v", editing, counting)
	assert.Less(t, editing, counting)
}

// count counts with a meter that has seen nothing yet.
func count(tb testing.TB, history []core.Message) int {
	tb.Helper()
	counter, err := budget.ForModel("gpt-4o")
	require.NoError(tb, err)
	meter, n := budget.NewMeter(counter), 0
	for i := range history {
		n += meter.Message(&history[i])
	}
	return n
}

func BenchmarkDefaultEditors(b *testing.B) {
	history := longSession(2000)
	b.ReportAllocs()
	for b.Loop() {
		b.ReportMetric(float64(defaults(b, history)), "edits")
	}
}

func BenchmarkCountingOnce(b *testing.B) {
	history := longSession(2000)
	b.ReportAllocs()
	for b.Loop() {
		b.ReportMetric(float64(count(b, history)), "tokens")
	}
}
