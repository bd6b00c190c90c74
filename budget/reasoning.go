package budget

import (
	"iter"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// Reasoning returns an editor that takes the reasoning out of closed turns, those before
// the last user message, oldest first. A model reads past reasoning for the turn that it
// is in, and most providers drop the rest of it themselves. Nothing is left in its place.
//
// Signed reasoning stays, since it must be kept as it is or leave with its group, and so
// does reasoning beside which a message says nothing. What is Locked, Preservable or
// Conditional is left alone. It costs time linear in the history. A new user message closes
// a turn: on its own the editor is not prefix-stable.
func Reasoning() core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			question := turnStart(w, 1)
			for i := range w.Groups.List {
				g := &w.Groups.List[i]
				if !closed(g, question) || !expendable(w, g) {
					continue
				}
				for _, m := range g.Msgs {
					if !elideReasoning(w, m, yield) {
						return
					}
				}
			}
		}
	})
}

func elideReasoning(w *core.Window, msg int, yield func(core.Edit) bool) bool {
	if !slices.ContainsFunc(w.History[msg].Parts, speaks) {
		return true
	}
	for p := range w.History[msg].Parts {
		part := w.Part(msg, p)
		gone := part.Kind != core.KindReasoning || part.Signed || part.Elided != nil || part.Bytes() == 0 || w.Sizer().Part(part) == 0
		if !gone && !yield(core.Edit{Op: core.Elide, Msg: msg, Part: p, By: -1, Reason: "reasoning of a closed turn"}) {
			return false
		}
	}
	return true
}

// speaks reports whether a part is more than reasoning and blank text.
func speaks(p core.Part) bool {
	return p.Kind != core.KindReasoning && (p.Kind != core.KindText || strings.TrimSpace(p.Text) != "")
}

// closed reports whether a group stands before the last user message with all that
// belongs to it.
func closed(g *core.Group, question int) bool { return g.Msgs[len(g.Msgs)-1] < question }
