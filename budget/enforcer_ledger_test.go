package budget_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// balanced checks that a ledger describes the view that the same call gets, and returns it.
func balanced(ctx context.Context, t *testing.T, e *budget.Enforcer, meter *budget.Meter, history []core.Message) []core.Edit {
	t.Helper()
	view, _ := e.Transform(ctx, history)
	ledger, err := e.Ledger(ctx, history)
	require.NoError(t, err)
	again, _ := e.Transform(ctx, history)
	require.Equal(t, view, again, "asking for the ledger changes nothing")
	removed, inserts, last := 0, 0, [2]int{-1, -1}
	for _, edit := range ledger {
		removed += edit.Before - edit.After
		require.NotEmpty(t, edit.Reason)
		require.Less(t, edit.By, len(history))
		if edit.Op == core.Insert {
			inserts++
			continue
		}
		at := [2]int{edit.Msg, edit.Part}
		require.Negative(t, slices.Compare(last[:], at[:]), "each once, in order: %+v", ledger)
		last = at
	}
	require.Equal(t, meter.History(history)-meter.History(view), removed, "%s\n%s", coretest.Format(history), coretest.Format(view))
	inserted := 0
	for i := range view {
		if view[i].Inserted() && view[i].Parts[0].Elided.Op == core.Insert {
			inserted++
		}
	}
	require.LessOrEqual(t, inserts, inserted, "some may be the history's own")
	return ledger
}

// Whatever a conversation goes through, the ledger is right: growth, forks, other steps,
// manual collections, another process.
func TestLedgerUnderOpponents(t *testing.T) {
	well, ill := coretest.Histories(coretest.Config{MaxSteps: 40}), coretest.Malformed(coretest.Config{MaxSteps: 40})
	edits := map[core.Op]int{}
	for seed := range max(cases/40, 25) {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		history := well.Example(seed)
		if seed%3 == 0 {
			history = ill.Example(seed)
		}
		raw := bareMeter.History(history)
		salt := random.IntN(1000)
		window := raw*(30+random.IntN(90))/100 + 50
		options := []budget.EnforcerOption{
			budget.WithEnforcerProfile(core.Profiles()[random.IntN(len(core.Profiles()))]),
			budget.WithLadder(ladders[random.IntN(len(ladders))]),
			budget.WithPolicies(func(i int, _ *core.Message) core.Policy {
				return [...]core.Policy{core.PolicyDefault, core.PolicyDefault, core.Ephemeral, core.Preservable, core.Locked, core.Conditional}[(i*31+salt)%6]
			}),
			marked(budget.Marks{
				Mode: budget.Mode(random.IntN(3)), MaxTurns: random.IntN(2) * 3, MaxBytes: random.IntN(2) * raw * 2,
				TailShare: []int{-1, 0, 60}[random.IntN(3)], Cooldown: random.IntN(5),
			}),
		}
		build := func() *budget.Enforcer {
			e, err := budget.NewEnforcer(bareMeter, budget.Limits{Window: window}, options...)
			require.NoError(t, err)
			return e
		}
		e, manual := build(), false
		for n := 1; n <= len(history); n += 1 + random.IntN(3) {
			now := history[:n:n]
			ctx := calling(t, core.Request{Schemas: schema(random.IntN(3) * window / 30), Usage: random.IntN(2) * random.IntN(window)})
			switch random.IntN(12) {
			case 0:
				_, _ = e.Collect(ctx, now)
				manual = true
			case 1:
				e.Calibrate(ctx, now)
				manual = true // no function of the history either
			case 2:
				now = append(history[:random.IntN(n):n], say("another way"))
			case 3:
				_, _ = e.Explain(ctx, now)
			case 4:
				_, _ = e.Transform(ctx, now)
				data, err := e.State(now, "")
				require.NoError(t, err)
				other := build()
				require.NoError(t, other.Restore(now, data))
				require.Equal(t, balanced(ctx, t, e, bareMeter, now), balanced(ctx, t, other, bareMeter, now))
			}
			for _, edit := range balanced(ctx, t, e, bareMeter, now) {
				edits[edit.Op]++
			}
			if plain := t.Context(); !manual && random.IntN(4) == 0 {
				cold := build()
				require.Equal(t, balanced(plain, t, cold, bareMeter, now), balanced(plain, t, build(), bareMeter, now))
			}
		}
	}
	t.Log(edits)
	for _, op := range []core.Op{core.Elide, core.Shorten, core.Drop, core.Insert} {
		assert.Positive(t, edits[op], op)
	}
}

// What was elided and left later with its group is dropped, and nothing else.
func TestLedgerKeepsTheLastWord(t *testing.T) {
	history, meter := agentLoop(200, 50), budget.NewMeter(words)
	e := newEnforcer(t, 2000)
	ledger := balanced(t.Context(), t, e, meter, history)
	var ops []core.Op
	for _, edit := range ledger {
		ops = append(ops, edit.Op)
		switch edit.Op {
		case core.Drop:
			assert.Equal(t, "oldest first", edit.Reason)
			assert.Equal(t, meter.History(history[edit.Msg:edit.Msg+2]), edit.Before)
		case core.Elide:
			assert.Equal(t, "old, to make room", edit.Reason)
			assert.Equal(t, 0, edit.Part)
		}
	}
	ops = slices.Compact(ops)
	assert.Equal(t, []core.Op{core.Drop, core.Elide}, ops, "the oldest ones have gone, younger ones are markers")
	none, err := newEnforcer(t, 2000).Ledger(t.Context(), history[:8])
	require.NoError(t, err)
	assert.Empty(t, none)
}

// Reasoning leaves nothing in its place, and is in the ledger; of several parts each under its own
// number, whichever collection took them.
func TestLedgerKnowsReasoning(t *testing.T) {
	meter := budget.NewMeter(words)
	thoughts := func(n int) core.Part {
		return core.Part{Kind: core.KindReasoning, Text: strings.Repeat("hm ", n)}
	}
	history := dialogue(12, 10)
	history[4].Parts = []core.Part{thoughts(60), {Text: "so"}, thoughts(70), {Text: "and"}, thoughts(80)}
	window, target := 0, 0
	var e *budget.Enforcer
	for ; target < meter.History(history)-180; window += 10 { // so that all three are needed, and enough
		e = newEnforcer(t, window+100, marked(budget.Marks{Mode: budget.Manual}))
		_, _, target, _ = budget.Levels(t.Context(), e, history)
	}
	report, err := e.Collect(t.Context(), history)
	require.NoError(t, err)
	require.True(t, report.Adopted)
	ledger := balanced(t.Context(), t, e, meter, history)
	var parts []int
	for _, edit := range ledger {
		parts = append(parts, edit.Part)
		assert.Zero(t, edit.After)
	}
	assert.Equal(t, []int{0, 2, 4}, parts)
}

// A result that comes when its call has left is part of that drop.
func TestLedgerHasLateResults(t *testing.T) {
	meter := budget.NewMeter(words)
	history := append(agentLoop(0, 0),
		core.Message{Role: core.RoleAssistant, Src: 500, Parts: []core.Part{{Kind: core.KindToolCall, CallID: "late", Tool: "Look", Text: strings.Repeat("a ", 700)}}},
		say("never mind"),
		core.Message{Role: core.RoleAssistant, Src: 501, Parts: []core.Part{{Text: "well"}}},
		say(strings.Repeat("b ", 300)))
	e := newEnforcer(t, 1000)
	balanced(t.Context(), t, e, meter, history)
	view, _ := e.Transform(t.Context(), history)
	require.NotContains(t, view, history[2], "the call has left")
	late := core.Message{Role: core.RoleTool, Src: 502, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "late", Tool: "Look", Text: "at last"}}}
	grown := append(slices.Clone(history), late)
	ledger := balanced(t.Context(), t, e, meter, grown)
	i := slices.IndexFunc(ledger, func(edit core.Edit) bool { return edit.Msg == 2 })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, core.Drop, ledger[i].Op)
	assert.Equal(t, meter.Message(&history[2])+meter.Message(&late), ledger[i].Before)
}

// A view for one call has a ledger, and leaves none behind.
func TestLedgerOfOneCall(t *testing.T) {
	history, meter := agentLoop(60, 50), budget.NewMeter(words)
	e := newEnforcer(t, 2000, marked(budget.Marks{Mode: budget.Manual}))
	assert.NotEmpty(t, balanced(t.Context(), t, e, meter, history))
	assert.Empty(t, balanced(t.Context(), t, e, meter, history[:20]))
	reports := len(e.Reports())
	_, err := e.Ledger(t.Context(), history)
	require.NoError(t, err)
	assert.Len(t, e.Reports(), reports, "who asks is not told")
	over := newEnforcer(t, 300, everything)
	assert.Empty(t, balanced(t.Context(), t, over, meter, history))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = e.Ledger(ctx, history)
	require.ErrorIs(t, err, context.Canceled)
	shadow, err := newEnforcer(t, 2000, budget.WithShadow()).Ledger(t.Context(), history)
	require.NoError(t, err)
	assert.Empty(t, shadow, "the history is sent as it is")
}
