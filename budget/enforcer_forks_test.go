package budget_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// coldView is what an Enforcer says that sees a history for the first time.
func coldView(t *testing.T, window int, history []core.Message, opts ...budget.EnforcerOption) []core.Message {
	t.Helper()
	view, err := newEnforcer(t, window, opts...).Transform(t.Context(), history)
	require.NoError(t, err)
	return view
}

// say returns a user message.
func say(text string) core.Message {
	return core.Message{Role: core.RoleUser, Src: 1, Parts: []core.Part{{Text: text}}}
}

// TestFault_PERSIST: whatever a conversation went through, its view is that of a process that
// meets it now.
func TestFault_PERSIST_ColdEqualsWarm(t *testing.T) {
	whole := agentLoop(150, 50)
	edited := slices.Clone(whole)
	edited[101] = core.Message{Role: core.RoleTool, Src: 102, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "c49", Tool: "Look", Text: "another"}}}
	other := slices.Concat(whole[:200], []core.Message{say("no, the other way")}, agentLoop(30, 60)[2:])
	for name, opts := range map[string][]budget.EnforcerOption{
		"automatic":  nil,
		"continuous": {budget.WithMarks(budget.Marks{Mode: budget.Continuous})},
		"cooldown":   {budget.WithMarks(budget.Marks{Cooldown: 37})},
		"turns":      {budget.WithMarks(budget.Marks{MaxTurns: 3})},
		"forgetful":  {budget.WithConversations(1)},
	} {
		warm := newEnforcer(t, 2000, opts...)
		for i, history := range [][]core.Message{
			whole[:2], whole[:100], whole, whole[:80], whole[:82], whole[:200], other, edited, edited[:150],
			agentLoop(20, 10), whole, whole[:len(whole)-1], append(slices.Clone(whole[:120]), say("and?")), whole[:90],
		} {
			view, err := warm.Transform(t.Context(), history)
			require.NoError(t, err)
			require.Equal(t, coldView(t, 2000, history, opts...), view, "%s, history %d", name, i)
		}
	}
}

// A reader that lags behind another one goes on from where it was itself.
func TestEnforcerTwoReadersOfOneConversation(t *testing.T) {
	history := agentLoop(400, 20)
	c := &counting{}
	e, err := budget.NewEnforcer(budget.NewMeter(c, budget.WithMemory(0)), budget.Limits{Window: 1 << 20})
	require.NoError(t, err)
	_, err = e.Transform(t.Context(), history)
	require.NoError(t, err)
	_, err = e.Transform(t.Context(), history[:600]) // there is nothing to go back to: it is taken in again
	require.NoError(t, err)
	before := c.calls.Load()
	for n := 602; n <= 700; n += 2 {
		_, err = e.Transform(t.Context(), history[:n])
		require.NoError(t, err)
	}
	assert.Less(t, c.calls.Load()-before, int64(50*8), "only new messages are counted")
	folds, _ := budget.Held(e)
	assert.Equal(t, 2, folds)
}

// Collect at a point where calls wait, and a fork right behind it: they still wait, so nothing
// is decided between their results.
func TestEnforcerForkBehindOpenCalls(t *testing.T) {
	result := func(id string, tokens int) core.Message {
		return core.Message{Role: core.RoleTool, Src: 1, Parts: []core.Part{{Kind: core.KindToolResult, CallID: id, Text: strings.Repeat("r ", tokens)}}}
	}
	asked := append(agentLoop(45, 50), core.Message{Role: core.RoleAssistant, Src: 1, Parts: []core.Part{
		{Kind: core.KindToolCall, CallID: "a", Text: "{}"}, {Kind: core.KindToolCall, Slot: 1, CallID: "b", Text: "{}"},
	}})
	one := slices.Concat(asked, []core.Message{result("a", 10), result("b", 10)})
	other := slices.Concat(asked, []core.Message{result("a", 1100), result("b", 300)})
	var views [2][]core.Message
	for i, histories := range [][][]core.Message{{one, other}, {other}} {
		e := newEnforcer(t, 4000)
		report, err := e.Collect(t.Context(), asked)
		require.NoError(t, err)
		require.True(t, report.Adopted)
		for _, history := range histories {
			views[i], err = e.Transform(t.Context(), history)
			require.NoError(t, err)
		}
		require.Positive(t, count(e.Reports(), budget.TriggerMark))
	}
	assert.Equal(t, views[1], views[0])
}

// TestFault_RACE: goroutines on one growing history and on forks of it.
func TestFault_RACE_SharedHistory(t *testing.T) {
	history := agentLoop(120, 40)
	e := newEnforcer(t, 2000, budget.WithOnReport(func(context.Context, *budget.Report) {}))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for n := 2; n <= len(history); n += 2 + g%3*2 {
				mine := history[:n:n]
				if g%2 == 1 && n > 100 {
					mine = append(mine, say(fmt.Sprint("goroutine ", g)))
				}
				view, err := e.Transform(t.Context(), mine)
				assert.NoError(t, err)
				if n%40 == 2 {
					assert.Equal(t, coldView(t, 2000, mine), view)
				}
				_, _ = e.Explain(t.Context(), mine)
				e.Watch(t.Context(), mine)
				_, _ = e.State(mine, "")
			}
		})
	}
	wg.Wait()
}

// TestFault_LEAK: 10,000 conversations leave no more than the newest.
func TestFault_LEAK_Conversations(t *testing.T) {
	e := newEnforcer(t, 500, budget.WithConversations(32))
	for i := range 10_000 {
		history := agentLoop(4, 30)
		history[1] = say(fmt.Sprint("conversation ", i))
		_, err := e.Transform(t.Context(), history)
		require.NoError(t, err)
	}
	folds, bytes := budget.Held(e)
	assert.Equal(t, 32, folds)
	assert.Less(t, bytes, uintptr(1<<20))
	long := agentLoop(3000, 30)
	for n := 2; n <= len(long); n += 50 {
		_, err := e.Transform(t.Context(), long[:n])
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, len(e.Reports()), 64)
	_, bytes = budget.Held(e)
	assert.Less(t, bytes, uintptr(8<<20))
}

// What the program does to its own messages afterwards changes no view.
func TestEnforcerKeepsItsOwnCopies(t *testing.T) {
	fresh := func() []core.Message {
		history := agentLoop(60, 40)
		history[60].Meta = &core.Meta{ID: "a", Labels: map[string]string{"k": "v"}}
		history[100].Parts = append(history[100].Parts, core.Part{Kind: core.KindMedia, Slot: 1, Media: &core.Media{URL: "https://a.example/1.png", Width: 9, Height: 9}})
		return history
	}
	history, e := fresh(), newEnforcer(t, 2000)
	view, err := e.Transform(t.Context(), history)
	require.NoError(t, err)
	want := coldView(t, 2000, fresh())
	require.Equal(t, want, view)
	history[60].Meta.Labels["k"] = "w"
	history[100].Parts[1].Media.URL = "https://b.example/2.png"
	for i := range history {
		history[i].Parts[0].Text = "changed"
	}
	assert.Equal(t, want, view)
	again, err := e.Transform(t.Context(), fresh())
	require.NoError(t, err)
	assert.Equal(t, want, again)
}

// Two processes agree, whatever the seeds of their maps.
func TestFault_PERSIST_TwoProcessesAgree(t *testing.T) {
	const child = "TRIMKIT_TEST_CHILD"
	if os.Getenv(child) != "" {
		fmt.Println("views", hashOfViews(t))
		return
	}
	want := hashOfViews(t)
	for range 2 {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "views "+want)
	}
}

func hashOfViews(t *testing.T) string {
	t.Helper()
	h := sha256.New()
	for _, ladder := range ladders {
		e := newEnforcer(t, 2000, budget.WithLadder(ladder), budget.WithEnforcerProfile(core.Anthropic))
		for _, history := range [][]core.Message{agentLoop(150, 40), session(300)} {
			view, _ := e.Transform(t.Context(), history)
			require.NoError(t, json.NewEncoder(h).Encode(view))
		}
	}
	return strings.ToLower(fmt.Sprintf("%x", h.Sum(nil)))
}
