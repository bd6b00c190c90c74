package budget

import (
	"iter"

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
// are Ephemeral, then exchanges and replies, and user text last. What is protected or
// Locked is left alone. It proposes everything else, so it needs a target.
func DropOldest() core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			// Once more, for the first message of all: where a provider wants it to be the
			// user's, it can go only when what stood behind it has.
			for range 2 {
				for _, band := range bands {
					if !dropBand(w, band, yield) {
						return
					}
				}
			}
		}
	})
}

func dropBand(w *core.Window, band [2]core.Policy, yield func(core.Edit) bool) bool {
	for _, g := range w.Groups.List {
		msg := g.Msgs[0]
		p := w.Policy(msg)
		if p < band[0] || p > band[1] || !w.Visible(msg) {
			continue
		}
		if !yield(core.Edit{Op: core.Drop, Msg: msg, Part: -1, By: -1, Reason: "oldest first"}) {
			return false
		}
	}
	return true
}
