package diffs

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// sheet is what the visible copies and edits of one file show: runs of lines, in order,
// each shown by the newest. Lines that nothing shows are in no run.
type sheet struct {
	runs []run
	end  int // lines of the file; -1: unknown
}

// run is a piece of a file.
type run struct {
	first, lines int
	text         string    // the lines, joined by "\n"
	owners       []*source // what must all be visible for the text to be known
}

func (r *run) last() int { return r.first + r.lines - 1 }

// maxRuns bounds the pieces of one file, and with them the work for an event.
const maxRuns = 512

// maxOwners bounds what one piece may be put together from.
const maxOwners = 16

// show lays a copy on top.
func (s *sheet) show(first, lines int, text string, toEnd bool, by *source) {
	last := first + lines - 1
	if toEnd {
		s.end = last
		last = math.MaxInt
	}
	s.cut(first, last, by)
	s.put(run{first, lines, text, []*source{by}})
}

// span returns the runs that lie, with at least a line, within first to last.
func (s *sheet) span(first, last int) (from, to int) {
	from = sort.Search(len(s.runs), func(i int) bool { return s.runs[i].last() >= first })
	to = from
	for to < len(s.runs) && s.runs[to].first <= last {
		to++
	}
	return from, to
}

// cut takes the lines first to last away from their owners, because of by.
func (s *sheet) cut(first, last int, by *source) {
	from, to := s.span(first, last)
	if from == to {
		return
	}
	var rest []run
	if r := s.runs[from]; r.first < first {
		n := first - r.first
		rest = append(rest, run{r.first, n, r.text[:lineStart(r.text, n)-1], r.owners})
	}
	if r := s.runs[to-1]; r.last() > last {
		n := last + 1 - r.first
		rest = append(rest, run{last + 1, r.lines - n, r.text[lineStart(r.text, n):], r.owners})
	}
	for i := range rest {
		rest[i].hold()
	}
	for i := from; i < to; i++ {
		s.runs[i].release(by)
	}
	s.runs = slices.Replace(s.runs, from, to, rest...)
}

// put adds a run where no other is.
func (s *sheet) put(r run) {
	if r.lines == 0 {
		return
	}
	r.hold()
	at, _ := s.span(r.first, r.last())
	s.runs = slices.Insert(s.runs, at, r)
}

// move shifts everything from a line on.
func (s *sheet) move(from, by int) {
	if by == 0 {
		return
	}
	i, _ := s.span(from, math.MaxInt)
	for ; i < len(s.runs); i++ {
		s.runs[i].first += by
	}
	if s.end >= 0 {
		s.end += by
	}
}

// exchange puts text, of so many lines, in the place of the lines first to last.
func (s *sheet) exchange(first, last int, text string, lines int, owners []*source, by *source) {
	r := run{first, lines, text, owners}
	r.hold() // before they could lose their last line
	s.cut(first, last, by)
	s.move(last+1, lines-(last-first+1))
	s.put(r)
	r.release(nil)
}

// replace carries out a search and replace, and reports whether all that it replaces is
// known. A text to replace that ends with a line end may stand at the end of the file, where
// the sheet has none.
func (s *sheet) replace(c *Change, by *source) bool {
	if s.replaceAll(c, by) {
		return true
	}
	old, ends := strings.CutSuffix(c.Old, "\n")
	if !ends || old == "" || c.All {
		return false
	}
	h, ok := s.find(old, 1, c.Whole)
	if !ok || h.at+len(old) != len(h.block) {
		return false
	}
	if c.New == "" && (h.at == 0 || h.block[h.at-1] == '\n') { // whole lines go
		first := h.first + strings.Count(h.block[:h.at], "\n")
		last := first + strings.Count(old, "\n")
		for _, o := range s.owners([]*source{by}, first, last) {
			o.runs++ // nothing is left here that a newer copy could show
		}
		s.exchange(first, last, "", 0, []*source{by}, by)
		return true
	}
	if last := h.first + strings.Count(h.block, "\n"); last != s.end && !strings.HasSuffix(c.New, "\n") {
		return false // what is behind it, which nobody knows, comes into this line
	}
	s.rewrite(h, len(h.block), &Change{Old: old, New: strings.TrimSuffix(c.New, "\n")}, by)
	return true
}

// borders reports whether a text of several lines that is not known as a whole may have some
// of its lines among those that are: where it begins or ends in lines that nothing shows.
func (s *sheet) borders(text string) bool {
	for i := strings.IndexByte(text, '\n'); i >= 0; {
		head, tail := text[:i], text[i+1:]
		for _, r := range s.runs {
			if tail != "" && (strings.HasPrefix(r.text, tail) || strings.HasPrefix(tail, r.text+"\n")) || strings.HasSuffix(r.text, head) {
				return true
			}
		}
		next := strings.IndexByte(tail, '\n')
		if next < 0 {
			break
		}
		i += next + 1
	}
	return false
}

func (s *sheet) replaceAll(c *Change, by *source) (found bool) {
	for line := 1; len(s.runs) <= maxRuns; found = true {
		h, ok := s.find(c.Old, line, c.Whole)
		if !ok {
			return found
		}
		end := h.at + len(c.Old)
		for c.All { // those that begin in the same line belong to it
			next := strings.Index(h.block[end:], c.Old)
			if next < 0 || strings.Contains(h.block[end:end+next], "\n") {
				break
			}
			end += next + len(c.Old)
		}
		line = s.rewrite(h, end, c, by)
		if !c.All {
			return true
		}
	}
	return false
}

// hit is where a text was found.
type hit struct {
	first int    // line of the block
	block string // text of neighbouring runs
	at    int    // offset in it
}

// rewrite replaces Old between hit.at and end, and returns the line behind it.
func (s *sheet) rewrite(h hit, end int, c *Change, by *source) int {
	start := strings.LastIndexByte(h.block[:h.at], '\n') + 1
	stop := len(h.block)
	if n := strings.IndexByte(h.block[end:], '\n'); n >= 0 {
		stop = end + n
	}
	first := h.first + strings.Count(h.block[:start], "\n")
	last := first + strings.Count(h.block[start:stop], "\n")
	text := h.block[start:h.at] + strings.ReplaceAll(h.block[h.at:end], c.Old, c.New) + h.block[end:stop]

	// What the edit does not say of its lines is known from what showed them before.
	owners := []*source{by}
	if end > h.at+len(c.Old) {
		owners = s.owners(owners, first, last)
	}
	if h.at > start {
		owners = s.owners(owners, first, first)
	}
	if stop > end {
		owners = s.owners(owners, last, last)
	}
	if len(owners) > maxOwners {
		for _, o := range owners[1:] {
			o.runs++ // kept, whatever comes
		}
		owners = owners[:1]
	}
	lines := strings.Count(text, "\n") + 1
	s.exchange(first, last, text, lines, owners, by)
	return first + lines
}

// owners adds those of the lines first to last to a list.
func (s *sheet) owners(list []*source, first, last int) []*source {
	from, to := s.span(first, last)
	for _, r := range s.runs[from:to] {
		for _, o := range r.owners {
			if !slices.Contains(list, o) {
				list = append(list, o)
			}
		}
	}
	return list
}

// find looks for a text from a line on; whole says that a line begins with it. One of several
// lines may begin in a run and end in a neighbour.
func (s *sheet) find(text string, line int, whole bool) (hit, bool) {
	several := strings.Contains(text, "\n")
	for i, _ := s.span(line, math.MaxInt); i < len(s.runs); {
		j := i + 1
		for several && j < len(s.runs) && s.runs[j].first == s.runs[j-1].last()+1 {
			j++
		}
		block, skip := s.text(i, j), 0
		if first := s.runs[i].first; line > first {
			skip = lineStart(block, line-first)
		}
		at := strings.Index(block[skip:], text)
		for whole && at >= 0 && skip+at > 0 && block[skip+at-1] != '\n' {
			skip += at + 1
			at = strings.Index(block[skip:], text)
		}
		if at >= 0 {
			return hit{s.runs[i].first, block, skip + at}, true
		}
		i = j
	}
	return hit{}, false
}

// repeats reports whether a text stands in more than one place, if only in part of the first:
// then nobody knows which one a tool took. One that ends with a line end may stand at the end
// of the file, where the sheet has none.
func (s *sheet) repeats(text string, whole bool) bool {
	h, ok := s.find(text, 1, whole)
	if !ok {
		return false
	}
	rest, more := h.block[h.at+1:], text
	if whole {
		rest, more = h.block[h.at:], "\n"+text
	}
	if strings.Contains(rest, more) || strings.HasSuffix(text, "\n") && strings.HasSuffix(rest, strings.TrimSuffix(more, "\n")) {
		return true
	}
	_, again := s.find(text, h.first+strings.Count(h.block, "\n")+1, whole)
	return again
}

// text joins neighbouring runs.
func (s *sheet) text(from, to int) string {
	if to == from+1 {
		return s.runs[from].text
	}
	texts := make([]string, 0, to-from)
	for _, r := range s.runs[from:to] {
		texts = append(texts, r.text)
	}
	return strings.Join(texts, "\n")
}

// complete reports whether all of the file is known.
func (s *sheet) complete() bool {
	next := 1
	for i := range s.runs {
		if s.runs[i].first != next {
			return false
		}
		next += s.runs[i].lines
	}
	return s.end == next-1
}

// lineStart returns the offset of line n of a text, counted from 0.
func lineStart(text string, n int) int {
	at := 0
	for range n {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text) + 1
		}
		at += next + 1
	}
	return at
}

// between returns the lines first to last, if all of them are known.
func (s *sheet) between(first, last int) (string, bool) {
	from, to := s.span(first, last)
	next := first
	for i := from; i < to; i++ {
		if s.runs[i].first > next {
			return "", false
		}
		next = s.runs[i].last() + 1
	}
	if from == to || next <= last {
		return "", false
	}
	text := s.text(from, to)
	text = text[lineStart(text, first-s.runs[from].first):]
	return text[:lineStart(text, last-first+1)-1], true
}
