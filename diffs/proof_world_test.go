package diffs_test

import (
	"slices"
	"strings"

	"github.com/trimkit/trimkit/diffs"
)

// showing is a text that a line had, and a place that shows it: alone, or together with
// what showed the texts that it was made of, where a line was changed in part.
type showing struct {
	text  string
	at    *diffs.Place
	order int
	of    []source // the parts of the line that the place does not show
}

// source is a text that a line once had.
type source struct {
	slot *slot
	text string
}

// slot is a line of a file as the conversation shows it. It is the same slot as long as
// the line keeps its number, or moves with the lines around it.
type slot struct {
	text   string // the newest that was shown; see known
	known  bool
	sure   bool // the line is that: nothing of unknown effect happened to it since
	back   bool // it may be again what it once was
	log    []showing
	behind []*slot // lines behind it that were removed
}

// see notes what a place shows of the line. If that is not all, and what it was made of is
// not known, then the line is not known either.
func (s *slot) see(l showing) {
	s.text, s.known = l.text, true
	for _, o := range l.of {
		s.known = s.known && (o.slot != nil)
	}
	if s.known {
		s.log = append(s.log, l)
	}
}

// modelFile is a file of the model: what it holds, and what the conversation shows of it.
type modelFile struct {
	real  []string
	slots []*slot // one for each real line, unless lost
	lost  bool    // lines were added or removed that the conversation does not know of
}

// world is a naive file system. Everything in it is simple and slow.
type world struct {
	files     map[string]*modelFile
	committed map[string][]string // what git would bring back
	order     int                 // of what was shown
}

func newFile(lines []string) *modelFile {
	f := &modelFile{real: lines}
	f.fill()
	return f
}

// fill makes slots for the real lines: by number, those that there are.
func (f *modelFile) fill() {
	for len(f.slots) < len(f.real) {
		f.slots = append(f.slots, &slot{sure: true})
	}
	f.remove(len(f.real), len(f.slots))
}

// remove takes slots out, and hangs them behind the one before.
func (f *modelFile) remove(from, to int) {
	if gone := slices.Clone(f.slots[from:to]); len(gone) > 0 {
		f.slots = slices.Delete(f.slots, from, to)
		if len(f.slots) > 0 {
			before := f.slots[max(0, from-1)]
			before.behind = append(before.behind, gone...)
		}
	}
}

// show notes that a place shows lines from first (from 0) to before last.
func (f *modelFile) show(w *world, first, last int, at *diffs.Place) {
	if f.lost && first == 0 && last == len(f.real) {
		f.lost = false
		f.fill()
	}
	for i := first; i < last && i < len(f.slots); i++ {
		f.slots[i].see(w.showing(f.real[i], at))
		f.slots[i].sure, f.slots[i].back = true, false
	}
}

func (w *world) showing(text string, at *diffs.Place, of ...source) showing {
	w.order++
	return showing{text: text, at: at, order: w.order, of: of}
}

// write gives the file new content, all of which the call shows.
func (f *modelFile) write(w *world, lines []string, call *diffs.Place) {
	f.real, f.lost = lines, false
	f.fill()
	f.show(w, 0, len(lines), call)
}

// splice puts what is shown in the place of the lines from a to before b.
func (f *modelFile) splice(a, b int, shown []showing) {
	lines := make([]string, len(shown))
	for i := range shown {
		lines[i] = shown[i].text
	}
	old := slices.Clone(f.real[a:b])
	f.real = slices.Replace(f.real, a, b, lines...)
	head := 0
	for head < min(len(old), len(lines)) && old[head] == lines[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(lines))-head && old[len(old)-1-tail] == lines[len(lines)-1-tail] {
		tail++
	}
	olds, news := len(old)-head-tail, len(lines)-head-tail
	at := a + head
	if news < olds {
		f.remove(at+news, at+olds)
	}
	for i := olds; i < news; i++ {
		f.slots = slices.Insert(f.slots, at+i, &slot{})
	}
	for i := range shown {
		s := f.slots[a+i]
		sure, back := true, false
		for _, o := range shown[i].of {
			if o.slot != nil {
				sure, back = sure && o.slot.sure, back || o.slot.back
			}
		}
		s.see(shown[i])
		s.sure, s.back = sure, back
	}
}

// position is a place in a file's text: a line, and bytes into it.
type position struct{ line, column int }

// replace puts text in the place of what stands from one position to another. The call
// shows the lines that are wholly in text; of the first and the last it may be a part only.
func (f *modelFile) replace(w *world, from, to position, text string, call *diffs.Place) {
	if from.column == 0 && to.column == 0 && (text == "" || strings.HasSuffix(text, "\n")) {
		f.splice(from.line, to.line, w.whole(splitLines(text), call))
		return
	}
	head := f.real[from.line][:from.column]
	tail, last := "", to.line
	if to.line < len(f.real) {
		tail = f.real[to.line][to.column:]
		last++
	}
	shown := w.whole(strings.Split(head+text+tail, "\n"), call)
	if head != "" {
		shown[0].of = append(shown[0].of, f.slots[from.line].source())
	}
	if end := &shown[len(shown)-1]; tail != "" {
		end.of = append(end.of, f.slots[to.line].source())
	}
	f.splice(from.line, last, shown)
}

func (s *slot) source() source {
	if !s.known {
		return source{}
	}
	return source{s, s.text}
}

// whole are lines that a place shows from begin to end.
func (w *world) whole(lines []string, at *diffs.Place) []showing {
	list := make([]showing, len(lines))
	for i, line := range lines {
		list[i] = w.showing(line, at)
	}
	return list
}

// doubt notes that something of unknown effect may have happened to the file.
func (f *modelFile) doubt() {
	for _, s := range f.slots {
		s.sure, s.back = false, true
	}
}

// become is a change that the conversation does not show.
func (f *modelFile) become(lines []string) {
	f.lost = f.lost || len(lines) != len(f.real)
	f.real = lines
}

// current reports whether all lines from a to before b are what the conversation says.
func (f *modelFile) current(a, b int) bool {
	for i := a; i < b; i++ {
		if f.lost || f.slots[i].known && f.slots[i].text != f.real[i] {
			return false
		}
	}
	return true
}

func (f *modelFile) content() string { return strings.Join(f.real, "\n") + "\n" }

// at returns the position of an offset in the content.
func (f *modelFile) at(offset int) position {
	before := f.content()[:offset]
	return position{strings.Count(before, "\n"), len(before) - 1 - strings.LastIndex(before, "\n")}
}

// splitLines returns the lines of a text that ends with a line end.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func (w *world) paths() []string {
	var list []string
	for p := range w.files {
		list = append(list, p)
	}
	slices.Sort(list)
	return list
}
