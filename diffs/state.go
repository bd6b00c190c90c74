package diffs

import (
	"cmp"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// File is what a conversation says about a file.
type File struct {
	Path     string
	Known    []Lines // what is known of its present content, in order
	Lines    int     // how many it has; -1: unknown
	Complete bool    // all of its content is known
	Certain  bool    // no copy or edit is visible that something of unknown effect may have outdated
	Events   int     // how many there were
	Last     Event   // the newest
	At       Place   // the call of the newest event

	sheet *sheet
}

// Lines is a range of lines, counted from 1, both ends included.
type Lines struct{ First, Last int }

// Content returns the content of a complete file, lines joined by "\n" and without a final
// one; else it is empty.
func (f *File) Content() string {
	if !f.Complete || len(f.sheet.runs) == 0 {
		return ""
	}
	return f.sheet.text(0, len(f.sheet.runs))
}

// Text returns known lines, joined by "\n", and whether all of them are known.
func (f *File) Text(lines Lines) (string, bool) {
	return f.sheet.between(lines.First, lines.Last)
}

// State returns what a model that sees this history knows about each file that its tool
// calls touched, sorted by path. It costs time linear in the history.
func State(history []core.Message, opts ...Option) []File {
	o := newOptions(opts)
	groups := core.NewGroups(history)
	calls := o.tools.calls(history, groups, nil)
	t := track(groups, calls, func(at Place) bool { return history[at.Msg].Parts[at.Part].Elided == nil })
	files := make([]File, 0, len(t.files))
	for path, left := range t.left { // listed, with nothing that is known
		if t.files[path] == nil {
			left.touch()
			t.files[path] = left
		}
	}
	for path := range t.files {
		f := t.file(path) // which takes in what may have met any file
		out := File{
			Path: path, Lines: f.sheet.end, Complete: f.sheet.complete(), Certain: !f.lost, Events: f.events, sheet: &f.sheet,
		}
		if f.last != nil {
			out.Last, out.At = *f.last, calls[f.lastCall].At
		}
		for i := range f.sheet.runs {
			r := &f.sheet.runs[i]
			if n := len(out.Known); n > 0 && out.Known[n-1].Last == r.first-1 {
				out.Known[n-1].Last = r.last()
			} else {
				out.Known = append(out.Known, Lines{r.first, r.last()})
			}
		}
		files = append(files, out)
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}
