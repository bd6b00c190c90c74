package diffs_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// act carries something out.
func (a *agent) act() *deed {
	if len(a.world.files) == 0 {
		return a.write()
	}
	path := a.some()
	f := a.world.files[path]
	switch n := a.IntN(100); {
	case f.lost && n < 80: // the agent looks at it again before it goes on
		return a.read(path, 0, len(f.real))
	case n < 16:
		return a.read(path, 0, len(f.real))
	case n < 34:
		first := a.IntN(len(f.real))
		last := first + 1 + a.IntN(len(f.real)-first)
		if f.real[last-1] == "" && !blankEnds {
			last = len(f.real)
		}
		return a.read(path, first, last)
	case n < 66:
		return a.edit(path)
	case n < 70:
		return a.everywhere(path)
	case n < 77:
		return a.write()
	case n < 80:
		return a.missing()
	case n < 85:
		return a.patch()
	default:
		return a.shell(path)
	}
}

// read shows lines from first (from 0) to before last.
func (a *agent) read(path string, first, last int) *deed {
	f := a.world.files[path]
	var d *deed
	if a.chance(25) {
		d = a.shellRead(path, first, last)
	} else {
		whole := first == 0 && last == len(f.real)
		ends := whole || last == len(f.real) && a.IntN(2) == 0
		d = a.family.read(a, a.name(path), first, last)
		a.done(d, a.family.shown(f.real, first, last, ends, a.name(path)))
		switch {
		case whole:
			delete(d.args, "offset")
			delete(d.args, "limit")
			delete(d.args, "view_range")
		case ends && d.args["limit"] != nil:
			d.args["limit"] = 500
		case ends && d.args["view_range"] != nil:
			d.args["view_range"] = []int{first + 1, -1}
		}
	}
	f.show(a.world, first, last, d.result)
	a.deal(d, "read", path, first, last)
	return d
}

// missing reads a file that is not there, or that it may not.
func (a *agent) missing() *deed {
	path := proofPaths[a.IntN(len(proofPaths))]
	name := a.name(path)
	d := a.family.read(a, name, 0, 0)
	text := strings.ReplaceAll(a.family.noFile, "%", name)
	if a.world.files[path] != nil {
		text = strings.ReplaceAll(a.family.refused, "%", name)
	}
	a.failed(d, text)
	d.status = core.StatusFailed
	a.fault(d, "read", path)
	return d
}

// write gives a file new content, perhaps what it has.
func (a *agent) write() *deed {
	path := proofPaths[a.IntN(len(proofPaths))]
	f := a.world.files[path]
	lines := a.lines(1 + a.IntN(12))
	if f == nil {
		f = &modelFile{}
		a.again = a.again || a.moved[path]
	} else if a.IntN(3) == 0 {
		lines = slices.Clone(f.real)
	}
	d := a.family.write(a, a.name(path), lines)
	if a.chance(30) {
		a.failed(d, a.family.refused)
		a.fault(d, "write", path)
		return d
	}
	a.done(d, strings.ReplaceAll(a.family.written, "%", a.name(path)))
	a.world.files[path] = f
	f.write(a.world, lines, d.call)
	a.deal(d, "write", path, 0, len(lines))
	return d
}

// swap is what a search-and-replace does.
type swap struct {
	from, to position
	old, new string
}

// swap chooses one, in lines that the conversation has right.
func (a *agent) swap(f *modelFile) (swap, bool) {
	first := a.IntN(len(f.real))
	last := min(len(f.real), first+1+a.IntN(3))
	if !f.current(first, last) {
		return swap{}, false
	}
	s := swap{from: position{first, 0}, to: position{last - 1, len(f.real[last-1])}}
	s.new = strings.Join(a.lines(1+a.IntN(3)), "\n")
	switch n := a.IntN(10); {
	case n < 3: // within a line, or from within one to within another
		s.from.column = a.IntN(len(f.real[first]) + 1)
		if first == last-1 {
			s.to.column = s.from.column + a.IntN(len(f.real[first])-s.from.column+1)
		} else {
			s.to.column = a.IntN(len(f.real[last-1]) + 1)
		}
		if a.IntN(2) == 0 {
			s.new = "delta"
		}
	case n < 5: // behind what stays
		s.new = strings.Join(f.real[first:last], "\n") + "\n" + s.new
	case n < 6 && last-first < len(f.real):
		s.to, s.new = position{last, 0}, ""
	case n < 7: // back to what it once was
		if log := f.slots[first].log; len(log) > 0 {
			s.to = position{first, len(f.real[first])}
			s.new = log[a.IntN(len(log))].text
		}
	}
	start, end := f.offset(s.from), f.offset(s.to)
	s.old = f.content()[start:end]
	return s, s.old != "" && s.old != s.new && (s.new != "" || s.to.column == 0) && strings.Count(f.content(), s.old) == 1
}

func (f *modelFile) offset(p position) int {
	n := p.column
	for _, line := range f.real[:p.line] {
		n += len(line) + 1
	}
	return n
}

// edit replaces some text, or several.
func (a *agent) edit(path string) *deed {
	f := a.world.files[path]
	s, ok := a.swap(f)
	if !ok {
		s.old += "what is not there"
		s.new += "instead"
		ok = false
	} else if a.chance(30) {
		s.old, ok = "not "+s.old, false
		if strings.Contains(f.content(), s.old) {
			return a.read(path, 0, len(f.real))
		}
	}
	swaps := []swap{s}
	if !ok {
		d := a.family.edit(a, a.name(path), swaps)
		a.failed(d, strings.ReplaceAll(a.family.notFound, "%", a.name(path)))
		a.fault(d, "edit", path)
		return d
	}
	d := a.family.edit(a, a.name(path), swaps)
	before := len(f.real)
	f.replace(a.world, s.from, s.to, s.new, d.call)
	if a.family.several != nil && a.IntN(4) == 0 {
		if again, ok := a.swap(f); ok {
			swaps = append(swaps, again)
			call := d.call
			d = a.family.several(a, a.name(path), swaps)
			d.call = call
			f.replace(a.world, again.from, again.to, again.new, d.call)
		}
	}
	text := strings.ReplaceAll(a.family.edited, "%", a.name(path))
	if a.family.snippet != nil && len(swaps) == 1 && a.chance(70) {
		first := max(0, s.from.line-2)
		last := min(len(f.real), s.to.line+3+max(0, len(f.real)-before))
		text = a.family.snippet(f.real, first, last, a.name(path))
		f.show(a.world, first, last, d.result)
	}
	a.deal(d, "edit", path, s.from.line, s.from.line+strings.Count(s.new, "\n")+1)
	return a.done(d, text)
}

// everywhere replaces every occurrence of a word.
func (a *agent) everywhere(path string) *deed {
	f := a.world.files[path]
	old := []string{"foo", "beta", "alpha"}[a.IntN(3)]
	n := strings.Count(f.content(), old)
	if a.family.all == "" || n == 0 || n > 6 || !f.current(0, len(f.real)) {
		return a.edit(path)
	}
	d := a.family.edit(a, a.name(path), []swap{{old: old, new: "zeta"}})
	d.args[a.family.all] = true
	for at := strings.LastIndex(f.content(), old); at >= 0; at = strings.LastIndex(f.content()[:at], old) {
		f.replace(a.world, f.at(at), f.at(at+len(old)), "zeta", d.call)
	}
	a.deal(d, "edit", path, 0, 0)
	return a.done(d, strings.ReplaceAll(a.family.edited, "%", a.name(path)))
}

// hunk is a change of whole lines within unchanged ones.
type hunk struct {
	first, last int // with the lines around
	lines       []string
	text        string
}

// patch changes up to three files by one envelope, or none of them.
func (a *agent) patch() *deed {
	b := &strings.Builder{}
	b.WriteString("*** Begin Patch\n")
	d := a.deed("apply_patch", nil)
	fails := a.chance(30)
	var apply []func()
	for _, i := range a.Perm(len(proofPaths))[:1+a.IntN(3)] {
		path := proofPaths[i]
		f := a.world.files[path]
		if f == nil {
			lines := a.lines(1 + a.IntN(5))
			fmt.Fprintf(b, "*** Add File: %s\n+%s\n", a.name(path), strings.Join(lines, "\n+"))
			apply = append(apply, func() {
				a.world.files[path] = &modelFile{}
				a.again = a.again || a.moved[path]
				a.world.files[path].write(a.world, lines, d.call)
				a.deal(d, "write", path, 0, len(lines))
			})
			continue
		}
		h, ok := a.hunk(f)
		if !ok {
			continue
		}
		fmt.Fprintf(b, "*** Update File: %s\n@@\n%s", a.name(path), h.text)
		apply = append(apply, func() {
			f.splice(h.first, h.last, a.world.whole(h.lines, d.call))
			a.deal(d, "edit", path, h.first, h.first+len(h.lines))
		})
	}
	if len(apply) == 0 {
		return a.write()
	}
	b.WriteString("*** End Patch")
	d.args = map[string]any{"input": b.String()}
	if fails {
		d.args["input"] = strings.Replace(b.String(), "*** End Patch", "*** Update File: src/none.ts\n@@\n-none\n+some\n*** End Patch", 1)
		return a.failed(d, "apply_patch verification failed: Failed to read src/none.ts: No such file or directory (os error 2)")
	}
	for _, f := range apply {
		f()
	}
	return a.done(d, "Success. Updated the following files:\nM src/foo.ts\n")
}

func (a *agent) hunk(f *modelFile) (hunk, bool) {
	first := a.IntN(len(f.real))
	last := min(len(f.real), first+a.IntN(3))
	h := hunk{first: max(0, first-a.IntN(3)), last: min(len(f.real), last+a.IntN(3))}
	h.lines = slices.Concat(f.real[h.first:first], a.lines(1+a.IntN(3)), f.real[last:h.last])
	old := strings.Join(f.real[h.first:h.last], "\n")
	if h.first == h.last || !blankHunks && strings.TrimSpace(old) == "" || !f.current(h.first, h.last) || strings.Count("\n"+f.content(), "\n"+old+"\n") != 1 {
		return h, false
	}
	for i, line := range f.real[h.first:h.last] {
		mark := " "
		if i+h.first >= first && i+h.first < last {
			mark = "-"
		}
		if i+h.first == last {
			h.text += addedRows(h.lines[first-h.first : len(h.lines)-(h.last-last)])
		}
		h.text += mark + line + "\n"
	}
	if last == h.last {
		h.text += addedRows(h.lines[first-h.first:])
	}
	return h, true
}

func addedRows(lines []string) string { return "+" + strings.Join(lines, "\n+") + "\n" }
