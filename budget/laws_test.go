package budget_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// bytesMeter counts a token for every four bytes, which is enough for laws; real encoders
// have their own tests. It is shared, as a program shares its meter.
var bytesMeter = budget.NewMeter(budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }))

// trimming is Trim as a subject of the laws. The limit of a case is for the messages alone,
// so the window has what a request adds on top.
func trimming(t testing.TB) coretest.Subject {
	t.Helper()
	trim := func(c coretest.Case) *budget.Trim {
		limits := budget.Limits{Window: c.Limit + bytesMeter.Request(nil)}
		trim, err := budget.NewTrim(bytesMeter, limits, budget.WithProfile(c.Profile))
		if err != nil {
			t.Fatal(err)
		}
		return trim
	}
	return coretest.Subject{
		Name:     "Trim",
		New:      func(c coretest.Case) core.Transformer { return trim(c) },
		Sizer:    bytesMeter,
		Profiles: core.Profiles(),
		Bounded:  true,
		Quiet:    true,
		Explain: func(ctx context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			report, err := trim(c).Explain(ctx, history)
			if over := (*budget.OverBudgetError)(nil); errors.As(err, &over) {
				err = nil // the edits are those of the best view
			}
			return report.Edits, err
		},
	}
}

func TestTrimKeepsTheLaws(t *testing.T) {
	coretest.Run(t, trimming(t), coretest.Cases(cases))
}

// A chain of an editor that elides old results for most of what is needed, and a Trim.
func TestChainKeepsTheLaws(t *testing.T) {
	subject := trimming(t)
	trim := subject.New
	subject.Name, subject.Explain, subject.Quiet = "Chain", nil, false
	subject.New = func(c coretest.Case) core.Transformer {
		elide := core.Transform(core.EditorFunc(elideResults), core.WithTarget(c.Limit*5/4), core.WithSizer(bytesMeter), core.WithProfile(c.Profile))
		return core.Chain(elide, trim(c))
	}
	coretest.Run(t, subject, coretest.Cases(cases))
}

func elideResults(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		for m := range w.History {
			for p := range w.History[m].Parts {
				if w.History[m].Parts[p].Kind == core.KindToolResult && !yield(core.Edit{Op: core.Elide, Msg: m, Part: p, By: -1, Reason: "old"}) {
					return
				}
			}
		}
	}
}

func FuzzTrim(f *testing.F) {
	coretest.Corpus(f)
	f.Fuzz(coretest.Fuzz(trimming(f)))
}

// FuzzShorten: whatever the text, what is left of it fits, has both ends, and no character
// is cut that was whole.
func FuzzShorten(f *testing.F) {
	for _, seed := range []string{"plain text", "é́́", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "\xff\xfe\x80", strings.Repeat("漢字", 10)} {
		f.Add(seed, 100, 50)
	}
	f.Fuzz(func(t *testing.T, text string, times, limit int) {
		text = strings.Repeat(text, 1+min(max(times, 0), 200))
		history := coretest.Parse("U A(a) T(a)")
		history[2].Parts[0].Text = text
		trim, err := budget.NewTrim(bytesMeter, budget.Limits{Window: 1 + min(max(limit, 0), 10_000)})
		if err != nil {
			t.Fatal(err)
		}
		report, _ := trim.Explain(t.Context(), history)
		if len(report.Edits) == 0 {
			return
		}
		checkShortened(t, text, report.View[2].Parts[0].Text)
	})
}
