package diffs

import (
	"iter"

	"github.com/trimkit/trimkit/core"
)

// OutdatedReads returns an editor that elides the results of reads of files that were changed
// successfully afterwards, whether or not a newer copy is visible: first those whose own lines
// an edit replaced, then the others, each oldest first. The markers point to the change.
//
// It loses something: unless the file is read again, the model knows its new lines from the
// change alone, and no others. So the newest groups are left alone (see [WithKeep]): a file is
// usually changed a few messages after it was read for that, and still worked on.
//
// It costs time linear in the history, and on its own it is not prefix-stable.
func OutdatedReads(opts ...Option) core.Editor {
	o := newOptions(opts)
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			calls := o.tools.of(w)
			tail := len(w.Groups.List) - o.keep
			changed := make(map[Place]bool) // results with lines that an edit replaced
			edits := elisions(w, calls, "the file was changed afterwards", func(s *source) (int, bool) {
				if s.edited {
					changed[s.at] = true
				}
				if s.file.changed <= s.call {
					return -1, false
				}
				return calls[s.file.changed].At.Msg, true
			})
			for _, first := range []bool{true, false} {
				for _, e := range edits {
					if changed[Place{e.Msg, e.Part}] == first && w.Groups.Of[e.Msg] < tail && !yield(e) {
						return
					}
				}
			}
		}
	})
}
