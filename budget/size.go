package budget

import (
	"iter"

	"github.com/trimkit/trimkit/core"
)

// bytesOf returns the bytes of a message, and how many of them are media's.
func bytesOf(m *core.Message) (bytes, media int) {
	for i := range m.Parts {
		p := &m.Parts[i]
		bytes += p.Bytes()
		if p.Media != nil {
			media += len(p.Media.Data) + len(p.Media.URL)
		}
	}
	return bytes, media
}

// heavier reports whether the view is too large to send.
func (f *fold) heavier() bool { return f.e.marks.exceeded(f.now.bytes, f.now.media) }

func (m Marks) exceeded(bytes, media int) bool {
	return m.MaxBytes > 0 && bytes > m.MaxBytes || m.MaxMediaBytes > 0 && media > m.MaxMediaBytes
}

// oversize reports whether what a window shows is too large to send.
func (f *fold) oversize(w *core.Window) bool { return f.e.marks.exceeded(visibleBytes(w)) }

// excess returns how many bytes must go, so that a collection is not followed by another
// one at once.
func (f *fold) excess(w *core.Window) (bytes, media int) {
	goal := func(limit, has int) int {
		if limit == 0 {
			return 0
		}
		return has - limit*f.e.marks.Target/f.e.marks.Trigger
	}
	bytes, media = visibleBytes(w)
	return goal(f.e.marks.MaxBytes, bytes), goal(f.e.marks.MaxMediaBytes, media)
}

func visibleBytes(w *core.Window) (bytes, media int) {
	for i := range w.History {
		if w.Visible(i) {
			b, m := shownBytes(w, i)
			bytes, media = bytes+b, media+m
		}
	}
	return bytes, media
}

func shownBytes(w *core.Window, msg int) (bytes, media int) {
	for p := range w.History[msg].Parts {
		part := w.Part(msg, p)
		bytes += part.Bytes()
		if part.Media != nil {
			media += len(part.Media.Data) + len(part.Media.URL)
		}
	}
	return bytes, media
}

// slim returns an editor that proposes what another proposes until enough bytes are gone.
func (f *fold) slim(e core.Editor) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			bytes, media := f.excess(w)
			for edit := range e.Edits(w) {
				if bytes <= 0 && media <= 0 {
					return
				}
				group := []int{edit.Msg}
				if edit.Op == core.Drop {
					group = w.Groups.List[w.Groups.Of[edit.Msg]].Msgs
				}
				b, m := 0, 0
				for _, msg := range group {
					x, y := shownBytes(w, msg)
					b, m = b+x, m+y
				}
				if bytes <= 0 && m == 0 {
					continue // it would free nothing of what is too much
				}
				if !yield(edit) {
					return
				}
				for _, msg := range group {
					if w.Visible(msg) {
						x, y := shownBytes(w, msg)
						b, m = b-x, m-y
					}
				}
				bytes, media = bytes-b, media-m
			}
		}
	})
}

// elideMedia returns an editor that proposes to elide images and other media, oldest first.
func elideMedia() core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range w.History {
				if !w.Visible(i) || w.Policy(i) == core.Locked {
					continue
				}
				for p := range w.History[i].Parts {
					part := w.Part(i, p)
					if part.Media != nil && !part.Signed && (part.Kind == core.KindMedia || part.Kind == core.KindToolResult) &&
						!yield(core.Edit{Op: core.Elide, Msg: i, Part: p, By: -1, Reason: "media, oldest first"}) {
						return
					}
				}
			}
		}
	})
}
