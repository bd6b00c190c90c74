package diffs

import (
	"fmt"
	"slices"
	"strings"
)

// netChange returns the smaller of a unified diff and the new content, each with a line
// that says what it is. A diff is used only if it gives the new content when it is applied.
func netChange(path, before, after string) string {
	if before == after {
		return fmt.Sprintf("%s is as it was before them.", path)
	}
	content := fmt.Sprintf("%s now:\n%s", path, after)
	diff := unified(path, strings.Split(before, "\n"), strings.Split(after, "\n"))
	if len(diff) < len(content) && applies(diff, before, after) {
		return diff
	}
	return content
}

// applies reports whether a diff makes after out of before.
func applies(diff, before, after string) bool {
	events := parsePatch(diff)
	if len(events) != 1 || events[0].Op != Edit || !events[0].Certain {
		return false
	}
	s, of := sheet{end: -1}, &source{file: &file{tracker: &tracker{}}}
	s.show(1, strings.Count(before, "\n")+1, before, true, of)
	for i := range events[0].Changes {
		if c := &events[0].Changes[i]; c.Old == "" || !s.replace(c, of) {
			return false
		}
	}
	return s.complete() && s.text(0, len(s.runs)) == after
}

// context is how many equal lines stand around a change.
const context = 3

// unified returns a unified diff.
func unified(path string, a, b []string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", path, path)
	stretches := matching(a, b)
	for i := 0; i < len(stretches)-1; {
		j := i + 1 // the hunk is what lies between stretches i and j
		for j < len(stretches)-1 && stretches[j].n <= 2*context {
			j++
		}
		from, to := stretches[i], stretches[j]
		lead, tail := min(context, from.n), min(context, to.n)
		a0, b0 := from.a+from.n-lead, from.b+from.n-lead
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", a0+1, to.a+tail-a0, b0+1, to.b+tail-b0)
		for k := i; k < j; k++ {
			at := stretches[k]
			first := at.a
			if k == i {
				first = a0
			}
			emit(&out, " ", a[first:at.a+at.n])
			emit(&out, "-", a[at.a+at.n:stretches[k+1].a])
			emit(&out, "+", b[at.b+at.n:stretches[k+1].b])
		}
		emit(&out, " ", a[to.a:to.a+tail])
		i = j
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func emit(out *strings.Builder, mark string, lines []string) {
	for _, line := range lines {
		out.WriteString(mark)
		out.WriteString(line)
		out.WriteByte('\n')
	}
}

// stretch is a stretch of n equal lines.
type stretch struct{ a, b, n int }

// matching returns the stretches that two texts have in common, in order: the beginning and
// the end, either of which may be empty, and between them what lines that occur once in
// each anchor (the idea of Bram Cohen's patience diff, with the longest increasing
// subsequence found in n log n).
func matching(a, b []string) []stretch {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	stretches := []stretch{{0, 0, head}}
	for _, at := range anchors(a[head:len(a)-tail], b[head:len(b)-tail]) {
		last := stretches[len(stretches)-1]
		x, y := head+at[0], head+at[1]
		if x < last.a+last.n || y < last.b+last.n {
			continue // the stretch before it holds it
		}
		n := 1
		for x > last.a+last.n && y > last.b+last.n && a[x-1] == b[y-1] {
			x, y, n = x-1, y-1, n+1
		}
		for x+n < len(a)-tail && y+n < len(b)-tail && a[x+n] == b[y+n] {
			n++
		}
		stretches = append(stretches, stretch{x, y, n})
	}
	return append(stretches, stretch{len(a) - tail, len(b) - tail, tail})
}

// anchors returns the pairs of lines that occur once in each text, as many as stand in the
// same order in both.
func anchors(a, b []string) [][2]int {
	type seen struct{ a, b, inA, inB int }
	lines := make(map[string]*seen)
	for i, line := range a {
		if lines[line] == nil {
			lines[line] = &seen{}
		}
		lines[line].a, lines[line].inA = i, lines[line].inA+1
	}
	for i, line := range b {
		if s := lines[line]; s != nil {
			s.b, s.inB = i, s.inB+1
		}
	}
	var pairs [][2]int
	for i, line := range a {
		if s := lines[line]; s.inA == 1 && s.inB == 1 {
			pairs = append(pairs, [2]int{i, s.b})
		}
	}
	return increasing(pairs)
}

// increasing returns a longest subsequence whose second numbers increase.
func increasing(pairs [][2]int) [][2]int {
	var tops []int // indexes of the smallest ends of subsequences of each length
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(tops, p[1], func(top, b int) int { return pairs[top][1] - b })
		before[i] = -1
		if n > 0 {
			before[i] = tops[n-1]
		}
		if n == len(tops) {
			tops = append(tops, i)
		} else {
			tops[n] = i
		}
	}
	if len(tops) == 0 {
		return nil
	}
	longest := make([][2]int, 0, len(tops))
	for i := tops[len(tops)-1]; i >= 0; i = before[i] {
		longest = append(longest, pairs[i])
	}
	slices.Reverse(longest)
	return longest
}
