package coretest_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// wild is an editor that proposes anything, most of it against the law: every operation
// and none, on messages and parts that exist and that do not, with texts that grow, lie or
// break, in any order and twice. It panics now and then, and it may call Distress.
func wild(seed uint64) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			r := rand.New(rand.NewPCG(seed, 1))
			proposals := r.IntN(3*len(w.History) + 2)
			fatal := -1
			if r.IntN(16) == 0 {
				fatal = r.IntN(proposals + 1)
			}
			for i := range proposals {
				if i == fatal {
					panic("wild")
				}
				if !yield(anything(r, w)) {
					return
				}
			}
		}
	})
}

func anything(r *rand.Rand, w *core.Window) core.Edit {
	n := len(w.History)
	e := core.Edit{Op: core.Op(1 + r.IntN(4)), Msg: r.IntN(n), Part: -1, By: r.IntN(n+8) - 4, Reason: reasons[r.IntN(len(reasons))]}
	if parts := len(w.History[e.Msg].Parts); parts > 0 {
		e.Part = r.IntN(parts)
		e.Text = shorter(r, w.Part(e.Msg, e.Part).Text)
	}
	if e.Op == core.Insert {
		e.Text = texts[r.IntN(len(texts))]
	}
	switch r.IntN(40) {
	case 0:
		e.Op = core.Op(r.IntN(256))
	case 1:
		e.Msg = r.IntN(2*n+4) - n
	case 2:
		e.Part = r.IntN(12) - 4
	case 3:
		e.Text = texts[r.IntN(len(texts))]
	case 4:
		e.Before, e.After = r.IntN(99), -r.IntN(99) // only Apply says what they are
	}
	return e
}

var (
	reasons = []string{"old", "seen", "a reason with ] and [ and \"quotes\" and a\nsecond line", strings.Repeat("long ", 30), "\xff"}
	texts   = []string{
		"", "x", "a summary of what was said", strings.Repeat("grows ", 500), "\xff\xfe", core.MarkerPrefix + "mine]", core.MarkerPrefix + "open",
		"two\nlines\n" + core.MarkerPrefix + "cut here]\nmore", "e\u0301\u200d", core.MarkerPrefix + "bash result removed]",
	}
)

// shorter returns the head of a text, its head and tail, or another text.
func shorter(r *rand.Rand, text string) string {
	cut := r.IntN(len(text) + 1)
	switch r.IntN(6) {
	case 0:
		return texts[r.IntN(len(texts))]
	case 1:
		return text[:cut/2] + core.MarkerPrefix + "cut here]" + text[len(text)-cut/4:]
	case 2:
		return text[:cut]
	default:
		return strings.ToValidUTF8(text[:cut/2], "")
	}
}

// steady is an editor that proposes lawful and unlawful edits, but for the same message
// always the same, so that it has nothing more to say about its own view.
func steady(seed uint64) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range w.History {
				id := identity(&w.History[i])
				r := rand.New(rand.NewPCG(seed, id))
				reason := reasons[r.IntN(len(reasons))]
				if r.IntN(4) == 0 && !yield(core.Edit{Op: core.Drop, Msg: i, Part: -1, By: -1, Reason: reason}) {
					return
				}
				for p := range w.History[i].Parts {
					part := &w.History[i].Parts[p]
					r := rand.New(rand.NewPCG(seed^uint64(part.Slot), id))
					e := core.Edit{Op: core.Op(r.IntN(8)), Msg: i, Part: p, By: r.IntN(64), Reason: reason}
					if e.Op == core.Insert || e.Op == core.Drop {
						continue // what stands before an inserted message would be inserted again
					}
					e.Text = strings.ToValidUTF8(part.Text[:len(part.Text)/3], "")
					if !yield(e) {
						return
					}
				}
			}
		}
	})
}

// identity tells a message from the others, in its history and in a view of it, where its
// reasoning may be gone.
func identity(m *core.Message) uint64 {
	id := uint64(m.Role)<<32 | uint64(uint32(m.Src))
	for p := range m.Parts {
		if m.Parts[p].Kind != core.KindReasoning {
			return id | uint64(m.Parts[p].Slot)<<40
		}
	}
	return id
}

func tokens(messages []core.Message) int {
	n := 0
	for i := range messages {
		n += coretest.Counter.Message(&messages[i])
	}
	return n
}

// options are those of a core.Window for a case. One case in four has no target.
func options(c coretest.Case) []core.Option {
	opts := []core.Option{core.WithProfile(c.Profile), core.WithSizer(coretest.Counter)}
	if c.Seed%4 > 0 {
		opts = append(opts, core.WithTarget(c.Limit))
	}
	return opts
}

// edited is a subject of one editor for each case.
func edited(name string, editor func(seed uint64) core.Editor) coretest.Subject {
	return coretest.Subject{
		Name: name,
		New: func(c coretest.Case) core.Transformer {
			return core.Transform(editor(c.Seed), options(c)...)
		},
		Explain: func(_ context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			w := core.NewWindow(history, options(c)...)
			_, _ = core.Apply(w, editor(c.Seed)) // its refusals and panics are another matter
			if view := tokens(w.View()); w.Tokens() != view {
				return nil, fmt.Errorf("the window counts %d tokens, its view has %d", w.Tokens(), view)
			}
			return w.Edits(), nil
		},
		Profiles: append(core.Profiles(), nil),
	}
}
