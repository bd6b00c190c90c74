package coretest_test

import (
	"context"
	"iter"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// fold keeps a limit so that its view grows by appending: it decides at every decision
// point of the history, and a decision stays.
type fold struct{ coretest.Case }

func (f fold) Transform(ctx context.Context, history []core.Message) ([]core.Message, error) {
	if err := ctx.Err(); err != nil || len(history) == 0 {
		return history, err
	}
	drops, _ := f.decide(history)
	return f.window(history, drops).View(), nil
}

func (f fold) decide(history []core.Message) (drops []int, collections int) {
	for n := 1; n <= len(history); n++ {
		w := f.window(history[:n], drops)
		if open(w) || w.Tokens() <= f.Limit {
			continue
		}
		before := len(drops)
		for _, g := range w.Groups.List {
			if w.Tokens() > f.Limit*6/10 && w.Visible(g.Msgs[0]) && w.Protection(g.Msgs[0]) == 0 && complete(w, g) {
				drops = append(drops, g.Msgs[0])
				w = f.window(history[:n], drops)
			}
		}
		if len(drops) > before {
			collections++
		}
	}
	return drops, collections
}

func (f fold) window(history []core.Message, drops []int) *core.Window {
	w := core.NewWindow(history, core.WithSizer(coretest.Counter))
	_, _ = core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for _, m := range drops {
				if !yield(core.Edit{Op: core.Drop, Msg: m, Part: -1, By: -1, Reason: "collected"}) {
					return
				}
			}
		}
	}))
	return w
}

func open(w *core.Window) bool {
	for i := range w.Groups.List {
		if w.Groups.List[i].Open {
			return true
		}
	}
	return false
}

// complete reports whether nothing that comes later can belong to a group: its calls have
// their results, since a call that is dead now may get one yet, and then the group is
// unread; and its reply is not the last message, which may be the first of several.
func complete(w *core.Window, g core.Group) bool {
	for _, m := range g.Msgs {
		if m == len(w.History)-1 {
			return false
		}
		for p := range w.History[m].Parts {
			if w.History[m].Parts[p].Kind == core.KindToolCall && !w.Groups.Answered(m, p) {
				return false
			}
		}
	}
	return true
}

// folding is the fold as a subject.
func folding() coretest.Subject {
	return coretest.Subject{
		Name: "fold",
		New:  func(c coretest.Case) core.Transformer { return fold{c} },
		Collections: func(_ context.Context, c coretest.Case, history []core.Message) (int, error) {
			_, collections := fold{c}.decide(history)
			return collections, nil
		},
		Explain: func(_ context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			drops, _ := fold{c}.decide(history)
			return fold{c}.window(history, drops).Edits(), nil
		},
		Except: map[int]string{6: "it has a memory of what it dropped, and a view of a view has another past"},
	}
}
