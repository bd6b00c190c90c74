package budget_test

import (
	"context"
	"iter"
	"os"
	"strconv"
	"testing"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// bareMeter is bytesMeter without a token beside the messages, so that the limit of a case is
// the window and nothing is rounded.
var bareMeter = budget.NewMeter(budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }),
	budget.WithOverhead(budget.Overhead{Message: 3, Role: 1, Name: 1, Call: 9, Result: 7}))

// ladders are those that a program can choose, and one of its own with a rung that is asked
// for what core refuses, one that inserts, and one that panics.
var ladders = []budget.Ladder{
	budget.DefaultLadder(),
	{Name: "lossless"},
	{Name: "truncate", Rungs: []budget.Rung{{Name: "turns", Editor: budget.OldestTurns(2)}}},
	{Name: "budget", Rungs: []budget.Rung{{Name: "policy", Editor: budget.ByPolicy(budget.PolicyOptions{})}}},
	{Name: "custom", Rungs: []budget.Rung{
		{Name: "greedy", Editor: core.EditorFunc(greedy)},
		{Name: "panics", Editor: core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { panic("broken") })},
		{Name: "summary", Editor: core.EditorFunc(summarise)},
	}},
}

// greedy wants to elide everything, whatever it is.
func greedy(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		for m := -1; m <= len(w.History); m += 2 {
			if !yield(core.Edit{Op: core.Elide, Msg: m, Part: 0, By: m + 1, Reason: "greed"}) {
				return
			}
		}
	}
}

// summarise puts a few words in the place of the oldest exchange.
func summarise(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		for _, g := range w.Groups.List {
			if m := g.Msgs[0]; g.Kind == core.GroupExchange && w.Visible(m) && w.Policy(m) <= core.Partial {
				_ = yield(core.Edit{Op: core.Drop, Msg: m, Part: -1, By: -1, Reason: "summed up"}) &&
					yield(core.Edit{Op: core.Insert, Msg: m, Part: -1, By: -1, Text: "it was looked up", Reason: "summary"})
				return
			}
		}
	}
}

// enforcing is an Enforcer as a subject of the laws.
func enforcing(name string, opts ...budget.EnforcerOption) coretest.Subject {
	enforcer := func(c coretest.Case) *budget.Enforcer {
		e, err := budget.NewEnforcer(bareMeter, budget.Limits{Window: c.Limit},
			append([]budget.EnforcerOption{budget.WithEnforcerProfile(c.Profile)}, opts...)...)
		if err != nil {
			panic(err)
		}
		return e
	}
	return coretest.Subject{
		Name:     name,
		New:      func(c coretest.Case) core.Transformer { return enforcer(c) },
		Sizer:    bareMeter,
		Profiles: core.Profiles(),
		Bounded:  true,
		Quiet:    true,
		Collections: func(ctx context.Context, c coretest.Case, history []core.Message) (int, error) {
			return budget.Collected(ctx, enforcer(c), history), nil
		},
		Explain: func(ctx context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			return enforcer(c).Ledger(ctx, history)
		},
	}
}

func TestEnforcerKeepsTheLaws(t *testing.T) {
	for _, ladder := range ladders {
		t.Run(ladder.Name, func(t *testing.T) {
			subject := enforcing(ladder.Name, budget.WithLadder(ladder))
			if ladder.Name == "custom" {
				subject.Except = map[int]string{6: "its summaries are messages like others, and a second pass may drop them"}
			}
			coretest.Run(t, subject, coretest.Cases(cases/20), coretest.From(coretest.Histories(coretest.Config{})))
		})
	}
}

// Histories that no provider would take: the laws hold there too, as far as they can for what
// decides before it knows the end. TRIMKIT_SOAK=10000 judges so many.
func TestEnforcerKeepsTheLawsOnMalformedHistories(t *testing.T) {
	n := cases / 20
	if soak, err := strconv.Atoi(os.Getenv("TRIMKIT_SOAK")); err == nil {
		n = soak
	}
	for i, ladder := range ladders {
		t.Run(ladder.Name, func(t *testing.T) {
			subject := enforcing(ladder.Name, budget.WithLadder(ladder))
			subject.Except = map[int]string{6: "what it decided about a part of a group it decides otherwise about the whole"}
			coretest.Run(t, subject, coretest.Cases(n/len(ladders)), coretest.Seed(1+i*n), coretest.From(coretest.Malformed(coretest.Config{})))
		})
	}
}
