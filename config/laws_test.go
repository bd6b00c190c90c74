package config_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/config"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/retention"
)

// labels are what messages of the histories below may have. None of them pins, since the
// judge of law 12 takes what is pinned in secret for what could still go.
var labels = []retention.Label{
	{Importance: retention.Task},
	{Importance: retention.Session},
	{Importance: retention.Temporary},
	{Importance: retention.Debug},
	{Importance: retention.Session, Until: retention.Turns(2)},
	{Ends: retention.TaskScope},
	{Ends: retention.SessionScope},
}

// labelled are histories in which some messages have labels.
func labelled() *rapid.Generator[[]core.Message] {
	return rapid.Custom(func(t *rapid.T) []core.Message {
		history := coretest.Histories(coretest.Config{}).Draw(t, "history")
		for i := range history {
			if n := rapid.IntRange(0, 4*len(labels)).Draw(t, "label"); n < len(labels) {
				history[i] = retention.Set(history[i], labels[n])
			}
		}
		return history
	})
}

// With rules and labels that begin and end to count as a history grows, an enforcer keeps the
// laws as without them.
func TestRulesAndLabelsKeepTheLaws(t *testing.T) {
	c, err := config.Parse("", []byte(`{"rules": [
		{"match": {"role": "tool", "min_age_turns": 2}, "policy": "ephemeral"},
		{"match": {"role": "assistant", "min_age_turns": 1, "min_bytes": 200}, "policy": "preservable"},
		{"match": {"path": "**/*.go"}, "policy": "conditional"},
		{"match": {"role": "user", "min_age_turns": 3}, "policy": "partial"}
	]}`))
	require.NoError(t, err)
	meter := budget.NewMeter(budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }),
		budget.WithOverhead(budget.Overhead{Message: 3, Role: 1, Name: 1, Call: 9, Result: 7}))
	enforcer := func(k coretest.Case) *budget.Enforcer {
		code := trimkit.Config{}
		if err := c.Apply(&code); err != nil {
			panic(err)
		}
		e, err := budget.NewEnforcer(meter, budget.Limits{Window: k.Limit}, append(code.Options, budget.WithEnforcerProfile(k.Profile))...)
		if err != nil {
			panic(err)
		}
		return e
	}
	coretest.Run(t, coretest.Subject{
		Name:     "configured",
		New:      func(k coretest.Case) core.Transformer { return enforcer(k) },
		Sizer:    meter,
		Profiles: core.Profiles(),
		Bounded:  true,
		Quiet:    true,
		Collections: func(ctx context.Context, k coretest.Case, history []core.Message) (n int, err error) {
			e, once := enforcer(k), 0
			for i := range history {
				told := len(e.Reports())
				_, err := e.Transform(ctx, history[:i+1])
				over := (*budget.OverBudgetError)(nil)
				if err != nil && !errors.As(err, &over) {
					return n, err
				}
				if once = 0; over != nil {
					once = len(history) // a view for this call alone, which the next one need not continue
				}
				for _, r := range e.Reports()[told:] {
					switch {
					case r.Once:
						once = len(history)
					case r.Adopted:
						n++
					}
				}
			}
			if once > 0 {
				n += 1_000_000 + once
			}
			return n, nil
		},
		Explain: func(ctx context.Context, k coretest.Case, history []core.Message) ([]core.Edit, error) {
			return enforcer(k).Ledger(ctx, history)
		},
	}, coretest.Cases(60), coretest.From(labelled()))
}
