package diffs

import (
	"iter"

	"github.com/trimkit/trimkit/core"
)

// OutdatedReads returns an editor that elides the results of reads whose lines were changed
// successfully afterwards, oldest first, whether or not a newer copy is visible. The
// markers point to the change.
//
// It loses something: unless the file is read again, the model knows the changed lines from
// the change alone. So the newest groups are left alone (see [WithKeep]): a file is usually
// changed a few messages after it was read for that, and still worked on. Reads whose own
// lines did not change stay.
//
// It costs time linear in the history, and on its own it is not prefix-stable.
func OutdatedReads(opts ...Option) core.Editor {
	o := newOptions(opts)
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			calls := o.tools.of(w)
			tail := len(w.Groups.List) - o.keep
			for _, e := range elisions(w, calls, "the file was changed afterwards", func(s *source) (int, bool) {
				if f := s.file; s.edited || f.vague > s.version {
					return calls[f.changed].At.Msg, true
				}
				return -1, false
			}) {
				if w.Groups.Of[e.Msg] < tail && !yield(e) {
					return
				}
			}
		}
	})
}
