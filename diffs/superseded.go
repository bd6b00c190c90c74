package diffs

import (
	"iter"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// Superseded returns an editor that elides what a command printed about a state of affairs
// when the same command printed at least as much later: git status, git diff, listings,
// searches, tests and builds. A later listing or search that failed supersedes nothing.
// The markers point to the newer output.
//
// It loses how things were before. Reads of files are left to [StaleReads], and the newest
// groups (see [WithKeep]) keep everything. It costs time linear in the history, and on its
// own it is not prefix-stable.
func Superseded(opts ...Option) core.Editor {
	o := newOptions(opts)
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for _, d := range slices.Backward(superseded(w, o.tools.of(w))) {
				for _, at := range d.call.Results {
					if w.Groups.Of[at.Msg] < len(w.Groups.List)-o.keep && !kept(w, at) &&
						!yield(core.Edit{Op: core.Elide, Msg: at.Msg, Part: at.Part, By: d.by, Reason: "the same command printed as much later"}) {
						return
					}
				}
			}
		}
	})
}

// superseded returns the calls whose output a later one supersedes, newest first.
func superseded(w *core.Window, calls []Call) []duplicate {
	newest := make(map[signature]int)
	var found []duplicate
	for i := len(calls) - 1; i >= 0; i-- {
		c := &calls[i]
		s, ok := sign(w, c)
		if !ok || c.Effect != EffectInspect && c.Effect != EffectRun || showsFile(c) {
			continue
		}
		s.result, s.blocks = "", 0 // whatever it printed
		later, repeated := newest[s]
		switch {
		case repeated && size(w, c) <= size(w, &calls[later]):
			found = append(found, duplicate{c, calls[later].Results[0].Msg})
		case c.Effect == EffectRun || c.Outcome != Failed:
			newest[s] = i
		}
	}
	return found
}

func showsFile(c *Call) bool {
	return slices.ContainsFunc(c.Events, func(e Event) bool { return e.Op == Read || len(e.Copies) > 0 })
}

func size(w *core.Window, c *Call) int {
	bytes := 0
	for _, at := range c.Results {
		bytes += part(w, at).Bytes()
	}
	return bytes
}
