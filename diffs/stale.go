package diffs

import (
	"iter"

	"github.com/trimkit/trimkit/core"
)

// StaleReads returns an editor that elides the results of reads, and the copies that other
// calls echo, which newer visible copies of the same lines have made worthless: every line
// that the result showed is shown by a newer successful read, write or edit that the view
// has in full. Ranges add up, and edits in between move them. Each marker points to the
// newer copy.
//
// Nothing is lost: the newest visible copy of a line stays, and so does everything that is
// protected or unread. A failed call covers nothing. A command that may have changed the
// file makes older text possible again, so copies from before it cover nothing that
// another version showed.
//
// It costs time linear in the history, and for an edit in what is known of its file.
// Decisions change as the history grows: on its own it is not prefix-stable.
func StaleReads(opts ...Option) core.Editor {
	o := newOptions(opts)
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			calls := o.tools.of(w)
			for _, e := range elisions(w, calls, reasonStale, staleBy) {
				if !yield(e) {
					return
				}
			}
		}
	})
}

const reasonStale = "a newer copy shows the same lines of the file"

// staleBy returns the message that shows what a source showed.
func staleBy(s *source) (msg int, ok bool) {
	if s.cover == nil {
		return -1, false
	}
	return s.cover.at.Msg, true
}

// elisions returns an edit for each result that may go and all of whose copies are
// redundant, oldest first.
func elisions(w *core.Window, calls []Call, reason string, redundant func(*source) (by int, ok bool)) []core.Edit {
	index := make(map[Place]int)
	var edits []core.Edit
	var needed []bool
	for _, s := range follow(w, calls).sources {
		if s.at == calls[s.call].At || kept(w, s.at) {
			continue
		}
		i, known := index[s.at]
		if !known {
			i = len(edits)
			index[s.at] = i
			edits = append(edits, core.Edit{Op: core.Elide, Msg: s.at.Msg, Part: s.at.Part, By: -1, Reason: reason})
			needed = append(needed, false)
		}
		by, ok := redundant(s)
		edits[i].By = max(edits[i].By, by)
		needed[i] = needed[i] || !ok
	}
	leave := edits[:0]
	for i, e := range edits {
		if !needed[i] {
			leave = append(leave, e)
		}
	}
	return leave
}

// worth is what a result must hold for its removal to be worth a proposal, in bytes: a
// marker has about as many.
const worth = 160

// kept reports whether a result stays, whatever it holds.
func kept(w *core.Window, at Place) bool {
	return !visible(w, at) || w.Protection(at.Msg) != 0 || w.Part(at.Msg, at.Part).Bytes() < worth
}

// visible reports whether the view has a part in full.
func visible(w *core.Window, at Place) bool {
	return w.Visible(at.Msg) && w.Part(at.Msg, at.Part).Elided == nil
}

// follow tracks the files as far as the window shows them now.
func follow(w *core.Window, calls []Call) *tracker {
	return track(w.Groups, calls, func(at Place) bool { return visible(w, at) })
}
