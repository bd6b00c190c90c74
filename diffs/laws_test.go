package diffs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/diffs"
)

// every is every editor of the package.
var every = []maker{
	{"StaleReads", diffs.StaleReads, false},
	{"OutdatedDiffs", diffs.OutdatedDiffs, false},
	{"Duplicates", diffs.Duplicates, false},
	{"Fold", diffs.Fold, true},
	{"OutdatedReads", soon(diffs.OutdatedReads), true},
	{"Superseded", soon(diffs.Superseded), true},
}

// soon makes an editor that keeps few groups, since these conversations are short.
func soon(e func(...diffs.Option) core.Editor) func(...diffs.Option) core.Editor {
	return func(opts ...diffs.Option) core.Editor { return e(append(opts, diffs.WithKeep(2))...) }
}

// conversations are those of agents that work on files.
var conversations = rapid.Custom(func(t *rapid.T) []core.Message {
	seed := uint64(0)
	for range 6 { // one number would mostly be a small one
		seed = seed*31 + rapid.Uint64Max(1<<20).Draw(t, "seed")
	}
	return newAgent(seed).messages
})

// anything has conversations of no agent in between.
var anything = rapid.OneOf(conversations, conversations, conversations, coretest.Histories(coretest.Config{}), coretest.Malformed(coretest.Config{}))

// lawful says which law is not for editors.
var lawful = map[int]string{
	7: "an editor decides afresh: see the comments",
}

// subject is what the laws judge: editors that are applied to one window in their order.
func subject(name string, editors ...maker) coretest.Subject {
	window := func(c coretest.Case, history []core.Message) (*core.Window, error) {
		w := core.NewWindow(history, core.WithProfile(c.Profile), core.WithSizer(coretest.Counter))
		for _, e := range editors {
			if _, err := core.Apply(w, e.make(diffs.WithTools(rootedTools()))); err != nil {
				return nil, err
			}
		}
		return w, nil
	}
	return coretest.Subject{
		Name:     name,
		Profiles: core.Profiles(),
		Except:   lawful,
		New: func(c coretest.Case) core.Transformer {
			return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
				if err := ctx.Err(); err != nil {
					return history, err
				}
				w, err := window(c, history)
				if err != nil {
					return nil, err
				}
				return w.View(), nil
			})
		},
		Explain: func(_ context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			w, err := window(c, history)
			if err != nil {
				return nil, err
			}
			return w.Edits(), nil
		},
	}
}

// standalone is an editor as programs use it by itself.
func standalone(e maker) coretest.Subject {
	s := subject(e.name, e)
	s.New = func(c coretest.Case) core.Transformer {
		return core.Transform(e.make(diffs.WithTools(rootedTools())), core.WithProfile(c.Profile), core.WithSizer(coretest.Counter))
	}
	return s
}

// chained are several, each on the view of the one before.
func chained(name string, editors ...maker) coretest.Subject {
	s := subject(name, editors...)
	s.Explain = nil // a chain has no one list of edits
	s.New = func(c coretest.Case) core.Transformer {
		var steps []core.Transformer
		for _, e := range editors {
			steps = append(steps, standalone(e).New(c))
		}
		return core.Chain(steps...)
	}
	return s
}

// unstable is for those whose second pass finds more; see proof_found_test.go.
func unstable(s coretest.Subject) coretest.Subject {
	if !idempotent {
		s.Except = map[int]string{7: lawful[7], 6: "known: the second pass takes what the first one left"}
	}
	return s
}

func TestLaws(t *testing.T) {
	floors := map[string]float64{"StaleReads": 0.3, "OutdatedDiffs": 0.2, "Duplicates": 0.01, "Fold": 0.01, "OutdatedReads": 0.2, "Superseded": 0.01}
	for _, e := range every {
		t.Run(e.name, func(t *testing.T) {
			s := standalone(e)
			if e.name == "OutdatedReads" {
				s = unstable(s)
			}
			coretest.Run(t, s, coretest.From(anything), coretest.Floor(floors[e.name]))
		})
	}
	t.Run("together", func(t *testing.T) {
		coretest.Run(t, unstable(subject("together", lossless...)), coretest.From(anything))
	})
	t.Run("chain", func(t *testing.T) {
		coretest.Run(t, chained("chain", lossless...), coretest.From(anything))
	})
}

// Law 8: without an edit the slice itself comes back, from each editor and from all.
func TestQuiet(t *testing.T) {
	quiet := 0
	for seed := range uint64(300) {
		a := newAgent(seed)
		for _, e := range every {
			w := core.NewWindow(a.messages)
			a.apply(w, e)
			view, err := core.Transform(e.make(diffs.WithTools(a.tools))).Transform(t.Context(), a.messages)
			require.NoError(t, err)
			same := &view[0] == &a.messages[0] && len(view) == len(a.messages)
			assert.Equal(t, len(w.Edits()) == 0, same, "%s, seed %d", e.name, seed)
			assert.Equal(t, strings.Contains(coretest.Format(view), "elided"), strings.Contains(coretest.Format(w.View()), "elided"))
			if same {
				quiet++
			}
		}
	}
	assert.Greater(t, quiet, 300)
}
