package coretest_test

import (
	"context"
	"errors"
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

var (
	cases = flag.Int("cases", 300, "histories for each subject")
	seed  = flag.Int("seed", 1, "of the first history")
)

func run(t *testing.T, subject coretest.Subject, opts ...coretest.Option) {
	t.Helper()
	coretest.Run(t, subject, append([]coretest.Option{coretest.Cases(*cases), coretest.Seed(*seed)}, opts...)...)
}

// The test of core: whatever is proposed, Apply lets nothing pass that breaks a law.
func TestApplyKeepsTheLawsUnderAnyProposal(t *testing.T) {
	subject := edited("wild editor", wild)
	subject.Except = map[int]string{6: "it proposes something else each time"}
	run(t, subject)
}

func TestApplyKeepsTheLawsUnderSteadyProposals(t *testing.T) {
	run(t, edited("steady editor", steady))
}

func TestTheTrimmerKeepsTheLaws(t *testing.T) { run(t, trimming()) }

func TestTheFoldKeepsTheLaws(t *testing.T) {
	run(t, folding(), coretest.Cases(*cases/3), coretest.From(coretest.Histories(coretest.Config{MaxSteps: 14})))
}

func TestChainKeepsTheLaws(t *testing.T) {
	subject := edited("chain", nil)
	subject.Explain = nil
	subject.New = func(c coretest.Case) core.Transformer {
		return core.Chain(core.Transform(steady(c.Seed), options(c)...), core.Transform(core.EditorFunc(oldest), options(c)...))
	}
	run(t, subject)
}

func TestGuardLetsLawfulWorkPass(t *testing.T) {
	subject := edited("guarded trimmer", nil)
	subject.Explain = nil
	subject.New = func(c coretest.Case) core.Transformer {
		return core.Guard("stranger", trimmer{c}, options(c)...)
	}
	run(t, subject)
}

// A guarded stranger, however bad, keeps every law: where it would not, the history itself
// comes back.
func TestGuardKeepsTheLaws(t *testing.T) {
	for _, m := range mutants {
		if m.law == 12 && m.name == "makes nil of an empty history" || m.law > 5 && m.law != 11 {
			continue // what is wrong with these is nothing that a view shows
		}
		t.Run(m.name, func(t *testing.T) {
			subject := m.subject
			subject.Name, subject.Bounded, subject.Quiet, subject.Explain = "guarded", false, false, nil
			subject.Except = map[int]string{6: "the stranger need not be"}
			if m.name == "does something else each time" {
				subject.Except[1] = "neither need it do the same"
			}
			subject.New = func(c coretest.Case) core.Transformer {
				return core.Guard("stranger", m.subject.New(c), core.WithSizer(coretest.Counter), core.WithProfile(c.Profile))
			}
			assert.Empty(t, coretest.Broken(subject, coretest.Cases(40)))
		})
	}
}

func TestGuardSaysWhatWasWrong(t *testing.T) {
	for _, m := range mutants {
		if m.law < 2 || m.law > 4 && m.name != "panics" {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			var laws, panics int
			for seed := range 100 {
				c := coretest.Case{History: coretest.Histories(coretest.Config{}).Example(seed), Limit: 1000}
				view, err := core.Guard("stranger", m.subject.New(c), core.WithSizer(coretest.Counter)).Transform(t.Context(), c.History)
				var law *core.LawError
				var panicked *core.PanicError
				switch {
				case errors.As(err, &law):
					laws++
				case errors.As(err, &panicked):
					panics++
				default:
					continue
				}
				assert.Same(t, &c.History[0], &view[0], "the history stands")
			}
			assert.Positive(t, laws)
			assert.Equal(t, m.name == "panics", panics > 0)
		})
	}
}

func TestTheIdentityKeepsTheLaws(t *testing.T) {
	run(t, coretest.Subject{
		Name: "identity",
		New: func(coretest.Case) core.Transformer {
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				return history, ctx.Err()
			})
		},
		Quiet:       true,
		Explain:     func(context.Context, coretest.Case, []core.Message) ([]core.Edit, error) { return nil, nil },
		Collections: func(context.Context, coretest.Case, []core.Message) (int, error) { return 0, nil },
	}, coretest.Floor(0))
}

func TestASuiteThatTestsNothingFails(t *testing.T) {
	idle := coretest.Subject{
		Name: "idle",
		New: func(coretest.Case) core.Transformer {
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				return history, ctx.Err()
			})
		},
	}
	put := coretest.Put(idle, coretest.Cases(100))
	require.Zero(t, put[0], "it never edits")
	for _, law := range coretest.Laws() {
		floor := coretest.Needs(law, 100, 0.4)
		switch law.Number {
		case 7, 8, 11:
			continue
		}
		assert.Less(t, put[law.Number], floor, "law %d", law.Number)
	}
}
