package diffs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/diffs"
)

// agreement compares what the copies of a session say of the same lines of the same version
// of a file, and whether what edits replace is there. Whoever mistook a line's number, or a
// harness's words for content, is found out by it.
type agreement struct {
	lines, others int // that two copies show: alike, and not
	found, missed int // texts that successful edits replaced in files that were known whole
	ends, differ  int // ends of files that two copies show: alike, and not

	files map[string]*agreed
}

// agreed is a file since its last change.
type agreed struct {
	lines map[int]string
	end   int // 0: unknown
}

func (a *agreement) add(c *diffs.Call) {
	for i := range c.Events {
		e := &c.Events[i]
		switch {
		case e.Outcome == diffs.Failed:
			continue
		case e.Op == diffs.Read, e.Op == diffs.List:
		case e.Path == "":
			clear(a.files)
		default:
			if e.Op == diffs.Edit && e.Outcome == diffs.OK && len(e.Changes) > 0 {
				a.replaced(a.files[e.Path], &e.Changes[0])
			}
			delete(a.files, e.Path)
			delete(a.files, e.To)
		}
		if e.Certain && e.Outcome == diffs.OK {
			for k := range e.Copies {
				a.shown(e.Path, &e.Copies[k])
			}
		}
	}
}

func (a *agreement) replaced(f *agreed, c *diffs.Change) {
	if f == nil || f.end == 0 || len(f.lines) != f.end || c.Old == "" {
		return
	}
	var b strings.Builder
	for n := range f.end {
		b.WriteString(f.lines[n+1] + "\n")
	}
	if strings.Contains(b.String(), c.Old) {
		a.found++
	} else {
		a.missed++
	}
}

func (a *agreement) shown(path string, c *diffs.Copy) {
	f := a.files[path]
	if f == nil {
		f = &agreed{lines: make(map[int]string)}
		a.files[path] = f
	}
	last := c.First + c.Lines - 1
	if f.end > 0 && (c.ToEnd || last > f.end) {
		if last == f.end {
			a.ends++
		} else {
			a.differ++
		}
	}
	if c.ToEnd {
		f.end = last
	}
	if c.Lines == 0 {
		return
	}
	n := c.First
	for line := range strings.SplitSeq(c.Text(), "\n") {
		if known, ok := f.lines[n]; ok && known == line {
			a.lines++
		} else if ok {
			a.others++
		}
		f.lines[n] = line
		n++
	}
}

// check allows for files that changed behind the agent's back: one recorded session was
// taken up again after somebody had.
func (a *agreement) check(t *testing.T) {
	t.Helper()
	t.Logf("lines shown twice: %d alike, %d not; ends: %d alike, %d not; replaced texts: %d found, %d missed",
		a.lines, a.others, a.ends, a.differ, a.found, a.missed)
	assert.LessOrEqual(t, a.others*100, a.lines)
	assert.Zero(t, a.differ)
	assert.Zero(t, a.missed)
}
