package coretest_test

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

var errOver = errors.New("over the limit")

// trimmer keeps a limit in the simplest way: it drops the oldest groups, and shortens
// unread results when that is not enough. The mutants are what can be wrong with it.
type trimmer struct{ coretest.Case }

func (t trimmer) Transform(ctx context.Context, history []core.Message) ([]core.Message, error) {
	if err := ctx.Err(); err != nil || tokens(history) <= t.Limit {
		return history, err
	}
	w := t.window(history)
	if !w.Fits() {
		return w.View(), errOver
	}
	return w.View(), nil
}

func (t trimmer) window(history []core.Message) *core.Window {
	w := core.NewWindow(history, core.WithTarget(t.Limit), core.WithProfile(t.Profile), core.WithSizer(coretest.Counter))
	for _, e := range []core.EditorFunc{oldResults, oldest, unread} {
		_, _ = core.Apply(w, e) // what is refused stays
	}
	return w
}

// oldResults elides results, oldest first, but for every second one.
func oldResults(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		for m := 0; m < len(w.History); m += 2 {
			for p := range w.History[m].Parts {
				if w.History[m].Parts[p].Kind == core.KindToolResult && !yield(core.Edit{Op: core.Elide, Msg: m, Part: p, By: m + 2, Reason: "old"}) {
					return
				}
			}
		}
	}
}

// oldest drops groups, oldest first.
func oldest(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		for _, g := range w.Groups.List {
			if w.Protection(g.Msgs[0]) == 0 && !yield(core.Edit{Op: core.Drop, Msg: g.Msgs[0], Part: -1, By: -1, Reason: "oldest"}) {
				return
			}
		}
	}
}

// unread shortens what waits to be read or answered, when all else is gone.
func unread(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		w.Distress()
		for m := range w.History {
			for p := range w.History[m].Parts {
				head := strings.ToValidUTF8(w.History[m].Parts[p].Text, "")
				head = strings.ToValidUTF8(head[:len(head)/4], "")
				if w.Protection(m)&(core.Unread|core.Open) != 0 && !yield(core.Edit{Op: core.Shorten, Msg: m, Part: p, By: -1, Reason: "no room", Text: head}) {
					return
				}
			}
		}
	}
}

// trimming is the trimmer as a subject.
func trimming() coretest.Subject {
	return coretest.Subject{
		Name:     "trimmer",
		New:      func(c coretest.Case) core.Transformer { return trimmer{c} },
		Profiles: append(core.Profiles(), nil),
		Bounded:  true,
		Quiet:    true,
		Explain: func(_ context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
			return trimmer{c}.window(history).Edits(), nil
		},
	}
}
