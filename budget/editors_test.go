package budget_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// wordMeter counts a word as a token.
var wordMeter = budget.NewMeter(words)

// apply applies an editor to a history, down to so many tokens less than it has, or as far
// as it goes, and returns the edits. It fails if the editor makes a proposal that is refused.
func apply(t *testing.T, history []core.Message, e core.Editor, excess ...int) []core.Edit {
	t.Helper()
	target := 0
	for _, tokens := range excess {
		target = wordMeter.History(history) - tokens
	}
	w := core.NewWindow(history, core.WithSizer(wordMeter), core.WithTarget(target))
	refused, err := core.Apply(w, e)
	require.NoError(t, err)
	require.Empty(t, refused)
	freed := 0
	for _, edit := range w.Edits() {
		freed += edit.Before - edit.After
	}
	assert.Equal(t, wordMeter.History(history)-w.Tokens(), freed)
	return w.Edits()
}

// list writes edits as "elide 2.0, drop 4": operation, message, and part if it has one.
func list(edits []core.Edit) string {
	var all []string
	for _, e := range edits {
		s := fmt.Sprintf("%s %d", e.Op, e.Msg)
		if e.Part >= 0 {
			s += fmt.Sprintf(".%d", e.Part)
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

// order writes the proposals of an editor in their order, all adopted.
func order(history []core.Message, e core.Editor) string {
	w := core.NewWindow(history, core.WithSizer(wordMeter))
	var proposed []core.Edit
	for edit := range e.Edits(w) {
		proposed = append(proposed, edit)
	}
	return list(proposed)
}

// editing is an editor as a subject of the laws. It fails the test when a proposal is
// refused, but for the law that all edits together break: that they shrink the history no
// editor can know.
func editing(t *testing.T, name string, e core.Editor) coretest.Subject {
	t.Helper()
	collect := func(c coretest.Case, history []core.Message) (*core.Window, error) {
		w := core.NewWindow(history, core.WithTarget(c.Limit), core.WithProfile(c.Profile), core.WithSizer(bytesMeter))
		refused, err := core.Apply(w, e)
		for _, law := range refused {
			if law.Law != 4 || law.Detail != "the edits do not shrink the history" {
				t.Errorf("seed %d: %v\n%s", c.Seed, law, coretest.Format(history))
			}
		}
		return w, err
	}
	return coretest.Subject{
		Name: name,
		New: func(c coretest.Case) core.Transformer {
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				if err := ctx.Err(); err != nil {
					return history, err
				}
				w, err := collect(c, history)
				return w.View(), err
			})
		},
		Sizer:    bytesMeter,
		Profiles: core.Profiles(),
		Explain: func(_ context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			w, err := collect(c, history)
			return w.Edits(), err
		},
	}
}

// retried makes the calls of histories so alike that many are retries of failures.
func retried() *rapid.Generator[[]core.Message] {
	return rapid.Map(coretest.Histories(coretest.Config{}), func(history []core.Message) []core.Message {
		n := 0
		for i := range history {
			for p := range history[i].Parts {
				switch part := &history[i].Parts[p]; part.Kind {
				case core.KindToolCall:
					part.Tool, part.Text = "Bash", `{"command":"make"}`
				case core.KindToolResult:
					if n++; part.Status == core.StatusUnknown {
						part.Status = []core.Status{core.StatusOK, core.StatusFailed, core.StatusFailed}[n%3]
					}
				}
			}
		}
		return history
	})
}

func TestEditorsKeepTheLaws(t *testing.T) {
	ask := func(m *core.Message) bool { return m.Src%2 == 0 }
	for _, test := range []struct {
		name   string
		editor core.Editor
		opts   []coretest.Option
	}{
		{"ElideResults", budget.ElideResults(), []coretest.Option{coretest.Floor(0.2)}},
		{"ElideResultsOfSome", budget.ElideResults(budget.KeepNewest(2), budget.ExceptTools("Bash"), budget.ClearAtLeast(50)), []coretest.Option{coretest.Floor(0.1)}},
		{"Reasoning", budget.Reasoning(), []coretest.Option{coretest.Floor(0.1)}},
		{"ResolvedFailures", budget.ResolvedFailures(), []coretest.Option{coretest.Floor(0.1), coretest.From(retried())}},
		{"ByPolicy", budget.ByPolicy(budget.PolicyOptions{}), []coretest.Option{coretest.Floor(0.2)}},
		{"ByPolicyUnderPressure", budget.ByPolicy(budget.PolicyOptions{Pressure: 200, Ask: ask}), []coretest.Option{coretest.Floor(0.2)}},
		{"OldestTurns", budget.OldestTurns(0), []coretest.Option{coretest.Floor(0.2)}},
		{"OldestTurnsButThree", budget.OldestTurns(3), []coretest.Option{coretest.Floor(0.1)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			coretest.Run(t, editing(t, test.name, test.editor), append(test.opts, coretest.Cases(cases/5))...)
		})
	}
}

// Editors that run one after the other on one window share its ledger.
func TestFault_REPORT_NothingIsCountedTwice(t *testing.T) {
	history := outcomes("S U ?A(a1) T(a1!) ?A(a2) T(a2) A U A(b,c) T(c!) T(b) ?A U A(c2) T(c2) A U")
	w := core.NewWindow(history, core.WithSizer(wordMeter))
	freed := 0
	for _, e := range []core.Editor{
		budget.ResolvedFailures(), budget.Reasoning(), budget.ElideResults(), budget.ElideResults(), budget.Reasoning(),
		budget.OldestTurns(2), budget.ByPolicy(budget.PolicyOptions{}), budget.ByPolicy(budget.PolicyOptions{Pressure: 1}), budget.OldestTurns(0),
	} {
		before := w.Tokens()
		refused, err := core.Apply(w, e)
		require.NoError(t, err)
		require.Empty(t, refused, "what another editor took is not proposed again")
		freed += before - w.Tokens()
	}
	edits := 0
	for _, e := range w.Edits() {
		edits += e.Before - e.After
	}
	assert.Equal(t, freed, edits)
	assert.Equal(t, wordMeter.History(history)-wordMeter.History(w.View()), edits)
	assert.Equal(t, "0 1 16", survivors(w.View()))
}

// counted is a Sizer that counts how often it is asked.
type counted struct {
	core.Sizer
	parts int
}

func (c *counted) Part(p *core.Part) int {
	c.parts++
	return c.Sizer.Part(p)
}

// TestFault_SLOW_EditorsGrowLinearly: in the messages of a history and in the calls of one reply.
func TestFault_SLOW_EditorsGrowLinearly(t *testing.T) {
	for name, editor := range editors() {
		for _, history := range [][]core.Message{session(2_000), session(20_000), parallel(20_000)} {
			sizer := &counted{Sizer: wordMeter}
			w := core.NewWindow(history, core.WithSizer(sizer))
			for range editor.Edits(w) { // nothing is adopted: what is counted is the editor's own
			}
			assert.LessOrEqual(t, sizer.parts, 4*len(history), name)
		}
	}
}

// parallel is a history with one exchange of n calls, each of which failed and was answered
// by a message of its own, and a retry that succeeded.
func parallel(n int) []core.Message {
	history := coretest.Parse("U A(a) " + strings.Repeat("T(a!) ", n) + "A(b) T(b) A U")
	call := history[1].Parts[0]
	history[1].Parts = nil
	for i := range n {
		call.CallID = fmt.Sprint(i)
		history[1].Parts = append(history[1].Parts, call)
		history[2+i].Parts[0].CallID = call.CallID
	}
	history[n+3].Parts[0].Status = core.StatusOK
	return history
}
