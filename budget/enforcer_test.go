package budget_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// agentLoop is a conversation with an agent: a task, and exchanges of about so many tokens.
func agentLoop(exchanges, tokens int) []core.Message {
	history := []core.Message{
		{Role: core.RoleSystem, Src: 1, Parts: []core.Part{{Text: "You are an agent."}}},
		{Role: core.RoleUser, Src: 2, Parts: []core.Part{{Text: "Do it."}}},
	}
	for i := range exchanges {
		id := fmt.Sprintf("c%d", i)
		history = append(history,
			core.Message{Role: core.RoleAssistant, Src: int32(len(history) + 1), Parts: []core.Part{{Kind: core.KindToolCall, CallID: id, Tool: "Look", Text: fmt.Sprintf(`{"n": %d}`, i)}}},
			core.Message{Role: core.RoleTool, Src: int32(len(history) + 2), Parts: []core.Part{{Kind: core.KindToolResult, CallID: id, Tool: "Look", Text: strings.Repeat(fmt.Sprintf("word%d ", i), tokens)}}},
		)
	}
	return history
}

func newEnforcer(t *testing.T, window int, opts ...budget.EnforcerOption) *budget.Enforcer {
	t.Helper()
	e, err := budget.NewEnforcer(budget.NewMeter(words), budget.Limits{Window: window}, opts...)
	require.NoError(t, err)
	return e
}

// prefixOf reports whether a view only grew since another.
func prefixOf(a, b []core.Message) bool {
	return len(a) <= len(b) && coretest.Format(a) == coretest.Format(b[:len(a)])
}

func TestEnforcerCollectsSeldomAndReplays(t *testing.T) {
	history := agentLoop(200, 50)
	var reports []*budget.Report
	warm := newEnforcer(t, 2000, budget.WithOnReport(func(_ context.Context, r *budget.Report) { reports = append(reports, r) }))
	var before []core.Message
	for n := 2; n <= len(history); n += 2 {
		had := len(reports)
		view, err := warm.Transform(t.Context(), history[:n])
		require.NoError(t, err)
		require.LessOrEqual(t, budget.NewMeter(words).AsSent(view, nil), 2000)
		if len(reports) == had {
			require.True(t, prefixOf(before, view), "message %d", n)
		}
		before = view
		if n%20 == 0 {
			cold, err := newEnforcer(t, 2000).Transform(t.Context(), history[:n])
			require.NoError(t, err)
			require.Equal(t, view, cold, "cold equals warm at %d", n)
		}
	}
	raw := budget.NewMeter(words).History(history)
	assert.LessOrEqual(t, len(reports), raw/(2000*20/100)+1)
	assert.GreaterOrEqual(t, len(reports), 10)
	for _, r := range reports {
		assert.Equal(t, budget.TriggerMark, r.Trigger)
		assert.True(t, r.Adopted)
	}
}
