package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// lost returns the lines of files that a view does not show any more: of what the whole
// history shows of their present content, and of each copy that was removed. It knows
// nothing but which calls touch which files, and looks for the text of each line in the
// parts of these calls.
func (s *savingSuite) lost(before []diffs.File, history, view []core.Message) []string {
	shown := shownOf(view)
	var lost []string
	for i := range before {
		f := &before[i]
		for _, known := range f.Known {
			text, _ := f.Text(known)
			for line := range strings.SplitSeq(text, "\n") {
				s.known.Add(1)
				if !strings.Contains(shown[f.Path], strings.TrimSpace(line)) {
					lost = append(lost, fmt.Sprintf("%s: %s", f.Path, line))
				}
			}
		}
	}
	return append(lost, s.lostCopies(shown, history, view)...)
}

// lostCopies returns lines of removed copies, but for lines that a later edit changed, and
// those of files that the view shows whole further on.
func (s *savingSuite) lostCopies(shown map[string]string, history, view []core.Message) (lost []string) {
	whole, left := wholeCopies(view), map[int32]*core.Message{}
	for i := range view {
		left[view[i].Src] = &view[i] // in OpenAI's format each message has a Src of its own
	}
	changed := map[string][]string{} // path → lines that edits took away
	for _, c := range slices.Backward(fileCalls(history)) {
		for i := range c.Events {
			e := &c.Events[i]
			for j := range e.Copies {
				at := e.Copies[j].At
				if m := left[history[at.Msg].Src]; m != nil && m.Parts[at.Part].Elided == nil || whole[e.Path] > history[at.Msg].Src {
					continue
				}
				for line := range strings.SplitSeq(e.Copies[j].Text(), "\n") {
					s.gone.Add(1)
					edited := func(old string) bool { return strings.Contains(line, old) }
					if !strings.Contains(shown[e.Path], strings.TrimSpace(line)) && !slices.ContainsFunc(changed[e.Path], edited) {
						lost = append(lost, fmt.Sprintf("%s, message %d: %s", e.Path, at.Msg, line))
					}
				}
			}
			for _, ch := range e.Changes {
				for old := range strings.SplitSeq(ch.Old, "\n") {
					if old = strings.TrimSpace(old); old != "" {
						changed[e.Path] = append(changed[e.Path], old)
					}
				}
			}
		}
	}
	return lost
}

// shownOf returns for each path the text of the calls that touch it and of their results,
// as it was written and, of arguments, as it reads when quotes are gone.
func shownOf(view []core.Message) map[string]string {
	shown := map[string]*strings.Builder{}
	unquote := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`)
	for _, c := range fileCalls(view) {
		for _, at := range append([]diffs.Place{c.At}, c.Results...) {
			part := &view[at.Msg].Parts[at.Part]
			for _, path := range pathsOf(&c) {
				if shown[path] == nil {
					shown[path] = &strings.Builder{}
				}
				shown[path].WriteString(part.Text + "\n" + unquote.Replace(part.Text) + "\n")
			}
		}
	}
	texts := map[string]string{}
	for path, b := range shown {
		texts[path] = b.String()
	}
	return texts
}

// wholeCopies returns for each path the newest message that shows the whole file.
func wholeCopies(view []core.Message) map[string]int32 {
	whole := map[string]int32{}
	for _, c := range fileCalls(view) {
		for i := range c.Events {
			for _, shown := range c.Events[i].Copies {
				if shown.First == 1 && shown.ToEnd {
					whole[c.Events[i].Path] = view[shown.At.Msg].Src
				}
			}
		}
	}
	return whole
}

// fileCalls are the calls of a history, as the program sees them, with the paths that the
// files have in the end.
func fileCalls(history []core.Message) []diffs.Call {
	tools, err := diffs.NewTools(diffs.WithShell(shellParser))
	if err != nil {
		panic(err)
	}
	calls, moved := tools.Calls(history), map[string]string{}
	for _, c := range slices.Backward(calls) {
		for i := range slices.Backward(c.Events) {
			e := &c.Events[i]
			if e.Op == diffs.Move && e.Outcome == diffs.OK {
				moved[e.Path] = cmp.Or(moved[e.To], e.To)
			}
			e.Path = cmp.Or(moved[e.Path], e.Path)
		}
	}
	return calls
}

// pathsOf are the paths that a call names.
func pathsOf(c *diffs.Call) []string {
	var paths []string
	for i := range c.Events {
		paths = append(paths, c.Events[i].Path, c.Events[i].To)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
