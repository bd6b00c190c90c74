package diffs

import (
	"maps"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// tracker follows the files through the events of a history, as far as a view shows them.
//
// Every event counts, shown or not; only what the view shows can be known from it. Each
// line that is known belongs to the newest visible copy or edit that shows it. A source
// that nothing belongs to any more is covered: what it showed can be read elsewhere in the
// view, in a newer form. What is not certain takes part in no proof.
type tracker struct {
	visible func(Place) bool
	files   map[string]*file
	left    map[string]*file // those that something moved nobody knows where to
	folders map[string]bool  // that have one of them below
	sources []*source
	changes [][]*file // by call: what it changed, or was to change
	touches int       // changes that may have met any file
	lost    int       // folders that moved

	call, group int // what is being followed
}

// file is what is known of one file.
type file struct {
	tracker *tracker
	path    string
	sheet   sheet
	version int
	touches int // changes of unknown effect
	seen    int // the tracker's touches that this file knows of

	whole      *source // the newest whole copy
	wholeEpoch int
	changed    int  // index of the last call that changed it for certain; -1: none
	lost       bool // copies are visible of which nobody knows whether they are still right

	events   int
	last     *Event
	lastCall int

	// The calls of one reply may have run in any order: those that last showed and changed
	// it, of the group.
	group, shownBy, changedBy int
}

// epoch counts the changes of unknown effect.
func (f *file) epoch() int { return f.touches + f.tracker.touches }

func newTracker(visible func(Place) bool) *tracker {
	return &tracker{visible: visible, files: make(map[string]*file), left: make(map[string]*file), folders: make(map[string]bool)}
}

// track follows the calls of a history.
func track(groups *core.Groups, calls []Call, visible func(Place) bool) *tracker {
	t := newTracker(visible)
	for i := range calls {
		t.at(groups, calls, i)
		for e := range calls[i].Events {
			t.follow(&calls[i], &calls[i].Events[e])
		}
	}
	t.settle()
	return t
}

// at says which call is followed next.
func (t *tracker) at(groups *core.Groups, calls []Call, i int) {
	t.call, t.group = i, groups.Of[calls[i].At.Msg]
	t.changes = append(t.changes, nil)
}

// settle finds what covers each source in the end.
func (t *tracker) settle() {
	for i := len(t.sources) - 1; i >= 0; i-- {
		s := t.sources[i]
		if s.cover = s.covered(); s.cover != nil && s.cover.cover != nil {
			s.cover = s.cover.cover
		}
	}
}

// file returns the file of a path.
func (t *tracker) file(path string) *file {
	f := t.files[path]
	if f == nil {
		f = &file{tracker: t, path: path, sheet: sheet{end: -1}, seen: t.touches, changed: -1, group: -1}
		t.files[path] = f
		t.below(path)
	}
	if f.seen != t.touches {
		f.seen = t.touches
		f.version++
		f.unsettle()
	}
	if f.group != t.group {
		f.group, f.shownBy, f.changedBy = t.group, -1, -1
	}
	return f
}

// lose lets what stands at a path, a file or a folder, begin anew: what was shown of it is
// elsewhere now, and nothing that is shown of this path covers that.
func (t *tracker) lose(path string) {
	if f := t.files[path]; f != nil {
		t.left[path] = f
		delete(t.files, path)
	}
	if !t.folders[path] {
		return
	}
	if t.lost++; t.lost > maxLost {
		t.loseAll()
		return
	}
	for p, f := range t.files {
		if strings.HasPrefix(p, path+"/") {
			t.left[p] = f
			delete(t.files, p)
		}
	}
}

// loseAll lets every path begin anew.
func (t *tracker) loseAll() {
	maps.Copy(t.left, t.files)
	clear(t.files)
}

// maxLost bounds the folders whose files are looked for when they move. Behind that nothing
// is taken for known.
const maxLost = 64

// below notes the folders that a file is in.
func (t *tracker) below(path string) {
	for i := strings.LastIndexByte(path, '/'); i > 0 && !t.folders[path[:i]]; i = strings.LastIndexByte(path[:i], '/') {
		t.folders[path[:i]] = true
	}
}

// unsettle forgets which lines are which. Nobody loses them by that.
func (f *file) unsettle() {
	f.lost = f.lost || len(f.sheet.runs) > 0
	f.sheet = sheet{end: -1}
}

// touch notes a change of unknown effect.
func (f *file) touch() {
	f.lost = true
	f.touches++
	f.version++
	f.unsettle()
}

// follow takes in an event.
func (t *tracker) follow(c *Call, e *Event) {
	folder := (e.Op == Delete || e.Op == Move) && t.folders[e.Path]
	if e.Path == "" || folder && e.Outcome != Failed {
		t.sweep(e)
		return
	}
	f := t.file(e.Path)
	f.events, f.last, f.lastCall = f.events+1, e, t.call
	if e.Op != Read && e.Op != List {
		t.changes[t.call] = append(t.changes[t.call], f)
	}
	switch {
	case e.Outcome == Failed, e.Op == List, e.Op == Read && (e.Outcome != OK || !e.Certain):
		t.pin(e)
		return
	case e.Op == Read:
		t.show(f, e)
	case e.Outcome == Unknown, !e.Certain, e.Op == Touch:
		f.touch()
		t.pin(e)
		if e.Op == Move { // what it showed may be another file's now
			if e.To != "" {
				t.file(e.To).touch()
			}
			t.lose(e.Path)
		}
	default:
		t.change(f, c, e)
	}
	t.order(f, e)
	if len(f.sheet.runs) > maxRuns {
		f.unsettle()
	}
}

// sweep takes in an event that may have met any file, or what a folder held.
func (t *tracker) sweep(e *Event) {
	t.pin(e)
	if e.Outcome == Failed || e.Path == "" && e.Op != Touch && e.Op != Move {
		return
	}
	t.touches++
	switch {
	case e.Op == Move && e.Path == "":
		t.loseAll()
	case e.Op == Move:
		t.lose(e.Path)
	}
}

// order notes what calls of one reply did to a file. When one shows it and another changes
// it, nobody knows which came first.
func (t *tracker) order(f *file, e *Event) {
	shows, changes := len(e.Copies) > 0 && e.Op != Edit, e.Op != Read
	if shows && f.changedBy >= 0 && f.changedBy != t.call || changes && f.shownBy >= 0 && f.shownBy != t.call {
		f.touch()
	}
	if shows {
		f.shownBy = t.call
	}
	if changes {
		f.changedBy = t.call
	}
}

// change takes in a change that happened and is known.
func (t *tracker) change(f *file, c *Call, e *Event) {
	f.version++
	f.changed = t.call
	switch e.Op {
	case Write:
		if len(e.Copies) == 0 {
			f.touch()
			t.source(f, c.At).runs++
		}
		t.show(f, e)
	case Edit:
		t.edit(f, t.source(f, c.At), e.Changes)
		t.show(f, e)
	case Delete:
		f.unsettle()
		f.lost = false
	case Move:
		delete(t.files, e.Path)
		f.path = e.To
		t.files[e.To] = f
		t.below(e.To)
	}
}

// show lays the copies of an event on top.
func (t *tracker) show(f *file, e *Event) {
	for i := range e.Copies {
		c := &e.Copies[i]
		s := t.source(f, c.At)
		s.copy = true
		if s.hidden {
			continue
		}
		if c.First < 1 || c.Lines < 1 {
			s.runs++
		}
		if c.First == 1 && c.ToEnd {
			f.whole, f.wholeEpoch, f.lost = s, f.epoch(), false
		}
		if c.First >= 1 {
			f.sheet.show(c.First, c.Lines, c.Text(), c.ToEnd, s)
		}
	}
}

// edit carries out the changes of an edit.
func (t *tracker) edit(f *file, s *source, changes []Change) {
	known := len(changes) > 0
	for i := range changes {
		known = f.alter(&changes[i], s) && known
	}
	if len(changes) == 0 {
		f.touch()
		s.version = f.version
	}
	if !known { // it shows something that has no lines here, and keeps that
		s.runs++
	}
}

// alter carries out a change, and reports whether all of it met known lines. Where lines may
// have moved that it did not find, nobody knows any more which are which.
func (f *file) alter(c *Change, s *source) bool {
	switch {
	case c.Old != "":
		several := !c.All && f.sheet.repeats(c.Old, c.Whole) || c.Whole && strings.Trim(c.Old, "\n") == ""
		complete := f.sheet.complete() && !several
		found := !several && f.sheet.replace(c, s)
		switch {
		case found && (complete || !c.All):
			return true
		case several: // one of them is another text now
			f.unsettle()
		case complete: // the file is not what it was taken for
			f.touch()
		case strings.Count(c.Old, "\n") != strings.Count(c.New, "\n"), f.sheet.borders(c.Old):
			f.unsettle()
		}
		return false
	case c.First > 0 && c.Last >= c.First-1:
		text, lines := newText(c.New)
		f.sheet.exchange(c.First, c.Last, text.raw, lines, []*source{s}, s)
		return lines > 0
	case c.First < 0:
		f.sheet.end = -1
		return false
	default:
		f.touch()
		return false
	}
}

// pin notes that an event which proves nothing shows something: nothing covers that.
func (t *tracker) pin(e *Event) {
	for i := range e.Copies {
		t.source(&file{tracker: t}, e.Copies[i].At)
	}
}

// source returns a new source, which so far shows nothing.
func (t *tracker) source(f *file, at Place) *source {
	s := &source{file: f, at: at, call: t.call, order: len(t.sources), hidden: !t.visible(at), version: f.version}
	t.sources = append(t.sources, s)
	return s
}
