package gemini_test

import (
	"context"
	"encoding/json"
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/gemini"
)

// checkView writes a view of the conversation, and reads it again: it must say what the view
// says, and break no rule that the conversation kept.
func checkView(t require.TestingT, c *gemini.Conversation, view []core.Message) {
	out, err := c.Write(view)
	require.NoError(t, err)
	if len(view) == 0 && c.Shape() == wire.ShapeLines {
		return // no document
	}
	if c.Shape() != wire.ShapeLines {
		require.True(t, json.Valid(out), "%s", out)
	}
	back, err := gemini.Parse(out)
	require.NoError(t, err, "%s", out)
	require.Equal(t, c.Shape(), back.Shape(), "%s", out)
	require.Equal(t, c.Request(), back.Request())
	require.Equal(t, asWritten(view), asWritten(back.Messages()), "%s", out)

	before, after := violations(c.Messages()), violations(back.Messages())
	for rule, n := range after {
		assert.LessOrEqual(t, n, before[rule], "%s: %s", rule, out)
	}
}

// violations counts what the API would reject, by rule.
func violations(history []core.Message) map[string]int {
	found := map[string]int{}
	for _, v := range core.Check(core.Gemini, history) {
		found[v.Rule]++
	}
	return found
}

// asWritten returns what a view says, as it is read again. Ids are not compared: those that
// were made up are others then.
func asWritten(view []core.Message) []said {
	var all []said
	for i := range view {
		all = append(all, said{role: view[i].Role, part: core.Part{Kind: core.KindOpaque}}) // the message itself
		for _, p := range view[i].Parts {
			p.Slot, p.Elided, p.CallID, p.Text = 0, nil, "", string([]rune(p.Text))
			all = append(all, said{view[i].Role, p})
		}
	}
	return all
}

// anything proposes edits at random.
func anything(seed uint64) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			rng := rand.New(rand.NewPCG(seed, 1))
			for i := range w.History {
				if rng.IntN(4) == 0 && !yield(core.Edit{Op: core.Drop, Msg: i, Part: -1, By: -1, Reason: "old"}) {
					return
				}
				if rng.IntN(8) == 0 && !yield(core.Edit{Op: core.Insert, Msg: i, Part: -1, By: -1, Reason: "test", Text: "note"}) {
					return
				}
				for p := range w.History[i].Parts {
					e := core.Edit{Op: core.Elide, Msg: i, Part: p, By: -1, Reason: "seen"}
					if text := w.History[i].Parts[p].Text; rng.IntN(2) == 0 && len(text) > 0 {
						e.Op, e.Text = core.Shorten, strings.ToValidUTF8(text[:1+rng.IntN(len(text))], "")
					}
					if !yield(e) {
						return
					}
				}
			}
		}
	})
}

// edited returns what edits at random make of a history.
func edited(t require.TestingT, history []core.Message, seed uint64) []core.Message {
	view, err := core.Transform(anything(seed), core.WithProfile(core.Gemini)).Transform(context.Background(), history)
	require.NoError(t, err)
	return view
}

// trimmed returns the history in so many hundredths of the tokens that it has.
func trimmed(t require.TestingT, c *gemini.Conversation, percent int) []core.Message {
	meter := budget.NewMeter(budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }))
	window := max(meter.AsSent(c.Messages(), c.Request())*percent/100, 1)
	trim, err := budget.NewTrim(meter, budget.Limits{Window: window}, budget.WithProfile(core.Gemini))
	require.NoError(t, err)
	view, err := trim.Transform(core.WithRequest(context.Background(), c.Request()), c.Messages())
	var over *budget.OverBudgetError
	if err != nil {
		require.ErrorAs(t, err, &over)
	}
	return view
}
