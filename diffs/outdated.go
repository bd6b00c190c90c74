package diffs

import (
	"iter"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// OutdatedDiffs returns an editor that removes edits and writes which no longer matter: a
// newer visible copy shows all that they wrote, later edits replaced it, or they failed
// and a later change of the file succeeded.
//
// An exchange leaves whole if that holds for each of its calls and the reply has no text of
// its own. Otherwise the calls stay as they are, arguments included, and their results are
// elided: nothing ever stands in arguments in the place of what the model wrote there. The
// same holds for an edit without which the view would be a riddle: the only change between
// two visible copies of the file, or between two calls that are equal, such as two runs of
// the same tests.
//
// Nothing is lost that [StaleReads] would not lose. It costs time linear in the history,
// and on its own it is not prefix-stable.
func OutdatedDiffs(opts ...Option) core.Editor {
	o := newOptions(opts)
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			calls := o.tools.of(w)
			for _, e := range outdatedDiffs(w, calls, follow(w, calls)) {
				if !yield(e) {
					return
				}
			}
		}
	})
}

func outdatedDiffs(w *core.Window, calls []Call, t *tracker) []core.Edit {
	o := &outdated{
		w: w, calls: calls, sources: make([][]*source, len(calls)), files: t.changes,
		oldest: make(map[*file]int), riddle: riddles(w, calls), kept: -1, copied: make(map[*file]bool),
	}
	for _, s := range t.sources {
		o.sources[s.call] = append(o.sources[s.call], s)
		if _, known := o.oldest[s.file]; !known && s.cover == nil && !s.hidden {
			o.oldest[s.file] = s.order
		}
	}
	var edits []core.Edit
	for first := 0; first < len(calls); {
		next := first + 1
		for next < len(calls) && w.Groups.Of[calls[next].At.Msg] == w.Groups.Of[calls[first].At.Msg] {
			next++
		}
		edits = append(edits, o.exchange(first, next)...)
		first = next
	}
	return edits
}

// outdated is what the walk through the exchanges, oldest first, knows.
type outdated struct {
	w       *core.Window
	calls   []Call
	sources [][]*source   // by call
	files   [][]*file     // by call: those that it changed, or failed to
	oldest  map[*file]int // the oldest source that nothing covers
	riddle  []int         // see riddles

	kept   int            // the last change that stays
	copied map[*file]bool // files of which a visible copy stays, with no change behind it that does
}

// exchange returns the edits for the calls of one group, and notes what stays of them.
func (o *outdated) exchange(first, next int) []core.Edit {
	whole, diffs, by := o.whole(o.calls[first].At.Msg), false, -1
	results := make([]core.Edit, 0, next-first)
	for i := first; i < next; i++ {
		reason := reasonOutdated
		if o.calls[i].Outcome == Failed {
			reason = reasonFailed
		}
		newer, ok := o.outdated(i)
		by = max(by, newer)
		whole = whole && ok
		if ok && len(o.files[i]) > 0 {
			diffs = true
			for _, at := range o.calls[i].Results {
				if !kept(o.w, at) {
					results = append(results, core.Edit{Op: core.Elide, Msg: at.Msg, Part: at.Part, By: newer, Reason: reason})
				}
			}
		}
	}
	if whole && diffs && !o.needed(first, next) {
		return []core.Edit{{Op: core.Drop, Msg: o.calls[first].At.Msg, Part: -1, By: by, Reason: reasonOutdated}}
	}
	o.stays(first, next, results)
	return results
}

const (
	reasonOutdated = "later changes or copies of the file replace it"
	reasonFailed   = "it failed, and a later change of the file succeeded"
)

// whole reports whether the group of a message may leave: nothing protects it, and it says
// nothing but calls. Signed reasoning of a closed turn goes with it.
func (o *outdated) whole(msg int) bool {
	if o.w.Protection(msg) != 0 || !o.w.Visible(msg) {
		return false
	}
	turn := o.w.Groups.List[o.w.Groups.Of[msg]].Turn
	open := turn == o.w.Groups.List[o.w.Groups.Of[len(o.w.History)-1]].Turn
	for _, m := range o.w.Groups.List[o.w.Groups.Of[msg]].Msgs {
		for i := range o.w.History[m].Parts {
			switch p := &o.w.History[m].Parts[i]; p.Kind {
			case core.KindToolCall, core.KindToolResult:
			case core.KindReasoning:
				if p.Signed && open {
					return false
				}
			default:
				if p.Kind != core.KindText || strings.TrimSpace(p.Text) != "" {
					return false
				}
			}
		}
	}
	return true
}

// outdated reports whether nothing that the call shows matters any more, and the newest
// message that makes it so.
func (o *outdated) outdated(call int) (by int, ok bool) {
	c := &o.calls[call]
	by = -1
	for i := range c.Events {
		switch e := &c.Events[i]; {
		case e.Op == Read || (e.Op == Write || e.Op == Edit) && e.Outcome == OK && e.Certain:
		case (e.Op == Write || e.Op == Edit) && e.Outcome == Failed && e.Certain:
			later := slices.IndexFunc(o.files[call], func(f *file) bool { return f.changed > call && f.path == e.Path })
			if later < 0 {
				return -1, false
			}
			by = max(by, o.calls[o.files[call][later].changed].At.Msg)
		default:
			return -1, false
		}
	}
	for _, s := range o.sources[call] {
		switch {
		case s.hidden: // gone already
		case s.cover == nil:
			return -1, false
		default:
			by = max(by, s.cover.at.Msg)
		}
	}
	return by, by >= 0
}

// needed reports whether the view would be a riddle without the changes of an exchange, or
// older copies would be taken for something that they are not.
func (o *outdated) needed(first, next int) bool {
	for i := first; i < next; i++ {
		if !mayChange(&o.calls[i]) {
			continue
		}
		if o.riddle[i] > o.kept {
			return true
		}
		for _, s := range o.sources[i] {
			if oldest, live := o.oldest[s.file]; live && oldest < s.order || o.copied[s.file] {
				return true
			}
		}
	}
	return false
}

// stays notes the changes and copies of an exchange that keeps its calls, but for the
// results that leave.
func (o *outdated) stays(first, next int, leave []core.Edit) {
	for i := first; i < next; i++ {
		if mayChange(&o.calls[i]) {
			o.kept = i
			for _, f := range o.files[i] {
				o.copied[f] = false
			}
		}
		for _, s := range o.sources[i] {
			leaves := slices.ContainsFunc(leave, func(e core.Edit) bool { return e.Msg == s.at.Msg && e.Part == s.at.Part })
			if s.copy && !s.hidden && !leaves {
				o.copied[s.file] = true
			}
		}
	}
}

// mayChange reports whether a call changed a file, or may have.
func mayChange(c *Call) bool {
	for i := range c.Events {
		if e := &c.Events[i]; e.Op != Read && e.Op != List && e.Outcome != Failed {
			return true
		}
	}
	return c.Effect == EffectChange && len(c.Events) == 0 && c.Outcome != Failed
}

// riddles returns for each change the newest call before it that an equal one follows, if
// the change is the last one between the two; else -1.
func riddles(w *core.Window, calls []Call) []int {
	type key struct{ tool, arguments string }
	riddle, last, change := make([]int, len(calls)), make(map[key]int), -1
	for i := range calls {
		riddle[i] = -1
		if mayChange(&calls[i]) {
			change = i
			continue
		}
		at := calls[i].At
		if calls[i].Tool == "" || !w.Visible(at.Msg) {
			continue
		}
		k := key{calls[i].Tool, w.History[at.Msg].Parts[at.Part].Text}
		if before, seen := last[k]; seen && change > before {
			riddle[change] = max(riddle[change], before)
		}
		last[k] = i
	}
	return riddle
}
