package diffs

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// Fold returns an editor that replaces a run of edits of one file by what they come to: one
// unified diff, or the present content where that is smaller. It is for long sequences of
// small edits.
//
// A run is two or more successful edits, each the only call of an exchange without other
// text, with no other event of the file in between and nothing that may have changed it.
// The whole content before the first must be visible, and what is put in must give the
// content behind the last when it is applied to that; otherwise the edits stay. The
// exchanges leave, and a message with the net change stands where the last one stood.
//
// The model keeps what it knows of the file, and loses the steps that led there. Fold costs
// time linear in the history, and for each edit in the size of its file. On its own it is
// not prefix-stable.
func Fold(opts ...Option) core.Editor {
	o := newOptions(opts)
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for _, r := range series(w, o.tools.of(w)) {
				if !r.fold(w, yield) {
					return
				}
			}
		}
	})
}

// serie is a run of edits of one file.
type serie struct {
	path          string
	before, after string
	groups        []int // the exchanges, oldest first
	epoch         int
}

// fold proposes the net change, and if that is taken, that the exchanges leave.
func (r *serie) fold(w *core.Window, yield func(core.Edit) bool) bool {
	text := netChange(r.path, r.before, r.after)
	tokens, behind := 0, 0
	for _, g := range r.groups {
		for _, m := range w.Groups.List[g].Msgs {
			tokens += w.Size(m)
			behind = max(behind, m+1)
		}
	}
	reason := fmt.Sprintf("%d edits of %s, folded into what they come to", len(r.groups), r.path)
	note := core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: core.MarkerPrefix + "inserted: " + reason + "]\n" + text}}}
	if behind >= len(w.History) || w.Sizer().Message(&note) >= tokens {
		return true
	}
	had := w.Tokens()
	if !yield(core.Edit{Op: core.Insert, Msg: behind, Part: -1, By: -1, Text: text, Reason: reason}) {
		return false
	}
	if w.Tokens() == had {
		return true // it was refused
	}
	for _, g := range r.groups {
		if !yield(core.Edit{Op: core.Drop, Msg: w.Groups.List[g].Msgs[0], Part: -1, By: -1, Reason: reason}) {
			return false
		}
	}
	return true
}

// series returns the runs of edits that can be folded.
func series(w *core.Window, calls []Call) []*serie {
	c := &collector{
		o: &outdated{w: w}, t: newTracker(func(at Place) bool { return visible(w, at) }), riddle: riddles(w, calls), open: make(map[string]*serie),
	}
	for i := range calls {
		c.t.at(w.Groups, calls, i)
		single := len(calls[i].Events) == 1 && calls[i].Events[0].Op == Edit && c.o.whole(calls[i].At.Msg) && alone(w, calls, i)
		for e := range calls[i].Events {
			c.follow(&calls[i], &calls[i].Events[e], single)
		}
	}
	for _, path := range slices.Collect(maps.Keys(c.open)) {
		c.end(path)
	}
	slices.SortFunc(c.done, func(a, b *serie) int { return a.groups[0] - b.groups[0] })
	return c.done
}

// collector finds the runs of edits of each file.
type collector struct {
	o      *outdated
	t      *tracker
	riddle []int
	open   map[string]*serie // runs that may go on, by path
	done   []*serie
}

// end ends the run of a file.
func (c *collector) end(path string) {
	if r := c.open[path]; r != nil && len(r.groups) > 1 {
		c.done = append(c.done, r)
	}
	delete(c.open, path)
}

// follow takes in an event; single is one that could be part of a run.
func (c *collector) follow(call *Call, e *Event, single bool) {
	if e.Path == "" || e.Outcome == Failed || e.Op == List {
		c.t.follow(call, e)
		return
	}
	f := c.t.file(e.Path)
	before, known := f.content()
	if r := c.open[e.Path]; r != nil && (!single || r.epoch != f.epoch() || r.after != before) {
		c.end(e.Path)
	}
	c.t.follow(call, e)
	after, still := f.content()
	if !single || !known || !still || e.Outcome != OK {
		c.end(e.Path)
		return
	}
	r := c.open[e.Path]
	if r == nil {
		r = &serie{path: e.Path, before: before, epoch: f.epoch()}
		c.open[e.Path] = r
	}
	r.after, r.groups = after, append(r.groups, c.t.group)
	if c.riddle[c.t.call] >= 0 {
		c.end(e.Path)
	}
}

// alone reports whether a call is the only one of its exchange.
func alone(w *core.Window, calls []Call, i int) bool {
	group := func(i int) int { return w.Groups.Of[calls[i].At.Msg] }
	return (i == 0 || group(i-1) != group(i)) && (i+1 == len(calls) || group(i+1) != group(i))
}

// content returns what the file holds, if all of it is known.
func (f *file) content() (string, bool) {
	if !f.sheet.complete() || len(f.sheet.runs) == 0 {
		return "", false
	}
	return f.sheet.text(0, len(f.sheet.runs)), true
}
