package diffs

import (
	"iter"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// Duplicates returns an editor that elides results which a later call repeats: the same
// tool with the same arguments gave the same result, and nothing in between changed a file
// or may have. The newest stays, in full view, and the markers point to it. Tests and
// builds that ran again after a change are evidence and stay, and so do calls that change
// something themselves.
//
// Nothing is lost but the repetition. It costs time linear in the history. Decisions change
// as the history grows: on its own it is not prefix-stable.
func Duplicates(opts ...Option) core.Editor {
	o := newOptions(opts)
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			older := duplicates(w, o.tools.of(w))
			for _, d := range slices.Backward(older) {
				for _, at := range d.call.Results {
					if !kept(w, at) && !yield(core.Edit{Op: core.Elide, Msg: at.Msg, Part: at.Part, By: d.by, Reason: "a later call gave the same result"}) {
						return
					}
				}
			}
		}
	})
}

// duplicate is a call that a later one repeats.
type duplicate struct {
	call *Call
	by   int // the message with the newest result
}

// duplicates returns them, newest first.
func duplicates(w *core.Window, calls []Call) []duplicate {
	type newest struct{ call, changes int }
	seen := make(map[signature]newest)
	behind := 0 // changes after the call
	var found []duplicate
	for i := len(calls) - 1; i >= 0; i-- {
		c := &calls[i]
		if mayChange(c) {
			behind++
			continue
		}
		s, ok := sign(w, c)
		if !ok {
			continue
		}
		if later, repeated := seen[s]; repeated && later.changes == behind && same(w, c, &calls[later.call]) {
			found = append(found, duplicate{c, calls[later.call].Results[0].Msg})
		} else {
			seen[s] = newest{i, behind}
		}
	}
	return found
}

// signature is what equal calls have in common, the first block of the result included.
type signature struct {
	tool, arguments, result string
	blocks                  int
}

// sign returns the signature of a call whose results the view shows in full.
func sign(w *core.Window, c *Call) (signature, bool) {
	if c.Tool == "" || c.Effect == EffectChange || len(c.Results) == 0 || !w.Visible(c.At.Msg) {
		return signature{}, false
	}
	for _, at := range c.Results {
		if !visible(w, at) {
			return signature{}, false
		}
	}
	return signature{c.Tool, part(w, c.At).Text, part(w, c.Results[0]).Text, len(c.Results)}, true
}

// same reports whether two calls of one signature gave the same.
func same(w *core.Window, a, b *Call) bool {
	for i := range a.Results {
		x, y := part(w, a.Results[i]), part(w, b.Results[i])
		if x.Text != y.Text || x.Status != y.Status || x.Kind != y.Kind || (x.Media == nil) != (y.Media == nil) {
			return false
		}
		if x.Media != nil && (x.Media.URL != y.Media.URL || x.Media.MIME != y.Media.MIME || !slices.Equal(x.Media.Data, y.Media.Data)) {
			return false
		}
	}
	return true
}

func part(w *core.Window, at Place) *core.Part { return &w.History[at.Msg].Parts[at.Part] }
