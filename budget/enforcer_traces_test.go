package budget_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/format"
)

// traceTally is what the recorded conversations came to.
type traceTally struct {
	points, collections, forced, over atomic.Int64
}

// TestTraces_Enforcer sends every recorded conversation through windows of three sizes, call
// by call.
func TestTraces_Enforcer(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var tally traceTally
	meter := budget.NewMeter(budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }))
	t.Run("files", func(t *testing.T) {
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(file)
				require.NoError(t, err)
				h, err := format.Parse(data, format.Auto)
				if err != nil {
					return // the malformed ones have their own tests
				}
				for _, window := range []int{16 << 10, 32 << 10, 64 << 10} {
					replay(t, meter, window, h.Messages(), &tally)
				}
			})
		}
	})
	t.Logf("%d decision points, %d collections, %d of them forced, %d calls over budget",
		tally.points.Load(), tally.collections.Load(), tally.forced.Load(), tally.over.Load())
}

// replay checks every decision point of a conversation.
func replay(t *testing.T, meter *budget.Meter, window int, history []core.Message, tally *traceTally) {
	t.Helper()
	var reports []*budget.Report
	limits, profile := budget.Limits{Window: window}, budget.WithEnforcerProfile(core.OpenAI)
	warm, err := budget.NewEnforcer(meter, limits, profile, budget.WithOnReport(func(_ context.Context, r *budget.Report) { reports = append(reports, r) }))
	require.NoError(t, err)
	before, raw, points := []core.Message{}, 0, 0
	for n := 1; n <= len(history); n++ {
		raw += meter.Message(&history[n-1])
		if role := history[n-1].Role; role != core.RoleUser && role != core.RoleTool {
			continue
		}
		had := len(reports)
		view, err := warm.Transform(t.Context(), history[:n])
		points++
		if err != nil {
			var over *budget.OverBudgetError
			require.ErrorAs(t, err, &over)
			require.NotEmpty(t, over.Kept)
			tally.over.Add(1)
		} else {
			require.LessOrEqual(t, meter.AsSent(view, nil), window, "message %d", n)
		}
		if len(reports) == had && err == nil {
			require.LessOrEqual(t, len(before), len(view), "window %d, message %d", window, n)
			require.Equal(t, before, view[:len(before)], "window %d, message %d", window, n)
		}
		if before = view; points%10 == 0 {
			cold, err := budget.NewEnforcer(meter, limits, profile)
			require.NoError(t, err)
			again, _ := cold.Transform(t.Context(), history[:n])
			require.Equal(t, view, again, "cold and warm, window %d, message %d", window, n)
			require.Subset(t, violations(history[:n]), violations(view), "what a provider finds")
		}
		if len(reports) > had && reports[len(reports)-1].Once {
			before = before[:0] // the next view need not continue it
		}
	}
	checkCollections(t, window, raw, reports, tally)
	tally.points.Add(int64(points))
}

// checkCollections checks that there are no more than the tokens asked for.
func checkCollections(t *testing.T, window, raw int, reports []*budget.Report, tally *traceTally) {
	t.Helper()
	marks, forced := 0, 0
	for _, r := range reports {
		switch {
		case !r.Adopted:
			assert.True(t, r.Once || r.Cause != "")
		case r.Trigger == budget.TriggerMark:
			marks++
		default:
			forced++
			assert.NotEmpty(t, r.Trigger)
		}
	}
	usable := window - window/16
	assert.LessOrEqual(t, marks, (raw+usable/5-1)/(usable/5), "window %d", window)
	tally.collections.Add(int64(marks + forced))
	tally.forced.Add(int64(forced))
}

// violations returns what a provider would reject, each rule and message that it finds.
func violations(messages []core.Message) (found []string) {
	for _, v := range core.Check(core.OpenAI, messages) {
		found = append(found, fmt.Sprint(v.Rule, messages[v.Message].Src))
	}
	return found
}
