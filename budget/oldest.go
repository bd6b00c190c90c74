package budget

import (
	"iter"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// bands are the policies that leave together, first to last. Without a callback that
// could decide, Conditional is as strict as Preservable.
var bands = [][2]core.Policy{
	{core.Ephemeral, core.Ephemeral},
	{core.Partial, core.Partial},
	{core.Conditional, core.Preservable},
}

// DropOldest returns an editor that proposes to drop groups, oldest first: those that
// are Ephemeral, then exchanges and replies, and user text last. It proposes no more than
// is needed: where a large user message has to go, the newest of the replies that would
// have gone before it stay. What is protected or Locked is left alone. Without a target it
// proposes everything else.
func DropOldest() core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			all := droppable(w)
			// All of them in the end, since notices between messages cost something, and
			// twice: where a provider wants the first message to be the user's, it can go
			// only when what stood behind it has.
			for _, msgs := range [][3][]int{needed(w, all), all, all} {
				if !dropAll(w, slices.Concat(msgs[:]...), 0, yield) {
					return
				}
			}
		}
	})
}

// dropEverything is DropOldest without the care for what is needed: it is for the rare case
// that the few messages that were needed had fewer bytes than the notice in their place.
func dropEverything() core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			all := droppable(w)
			dropAll(w, slices.Concat(all[:]...), 0, yield)
		}
	})
}

// dropAll proposes to drop the groups of the messages while the view has more than so many
// tokens, and reports whether more proposals are wanted.
func dropAll(w *core.Window, msgs []int, above int, yield func(core.Edit) bool) bool {
	for _, msg := range msgs {
		if w.Visible(msg) && w.Tokens() > above && !yield(core.Edit{Op: core.Drop, Msg: msg, Part: -1, By: -1, Reason: "oldest first"}) {
			return false
		}
	}
	return true
}

// droppableByAge reports whether the view shows a group that may go for its age, as far as
// its policy lets it. What an edit inserted can be a summary, and then it is not as old as
// its place; a notice before the first turn may hold a user message's place there.
func droppableByAge(w *core.Window, g *core.Group) bool {
	m := &w.History[g.Msgs[0]]
	return w.Visible(g.Msgs[0]) && !(m.Inserted() && (g.Turn == 0 || strings.Contains(m.Parts[0].Text, "\n")))
}

// droppable returns the first messages of the groups that may go, oldest first, by band.
func droppable(w *core.Window) (all [3][]int) {
	for _, g := range w.Groups.List {
		msg := g.Msgs[0]
		if !w.Visible(msg) {
			continue
		}
		p := w.Policy(msg)
		for b, band := range bands {
			if p >= band[0] && p <= band[1] {
				all[b] = append(all[b], msg)
			}
		}
	}
	return all
}

// needed returns those that must go for the view to fit, by their sizes: of each band the
// oldest, and of an earlier band only those that are still needed when a later one has to
// give something too.
func needed(w *core.Window, all [3][]int) (some [3][]int) {
	excess, last := w.Tokens()-max(w.Target(), 0), 0
	for b := range all {
		for n := 0; n < len(all[b]) && excess > 0; n++ {
			excess -= groupSize(w, all[b][n])
			some[b], last = all[b][:n+1], b
		}
	}
	for b := last - 1; b >= 0; b-- {
		for n := len(some[b]); n > 0 && groupSize(w, some[b][n-1]) <= -excess; n-- {
			excess += groupSize(w, some[b][n-1])
			some[b] = some[b][:n-1]
		}
	}
	return some
}

func groupSize(w *core.Window, msg int) int {
	tokens := 0
	for _, m := range w.Groups.List[w.Groups.Of[msg]].Msgs {
		tokens += w.Size(m)
	}
	return tokens
}
