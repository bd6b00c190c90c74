package diffs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// page is a sheet for tests, with as many sources as are asked for.
type page struct {
	sheet
	file *file
	n    int
}

func newPage() *page { return &page{sheet: sheet{end: -1}, file: &file{tracker: &tracker{}}} }

func (p *page) source() *source {
	p.n++
	return &source{file: p.file, order: p.n}
}

func lines(from, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("line %d", from+i))
	}
	return strings.Join(list, "\n")
}

func TestSheetNewestCopyOwnsTheLines(t *testing.T) {
	p := newPage()
	old, middle := p.source(), p.source()
	p.show(1, 10, lines(1, 10), true, old)
	p.show(4, 3, "a\nb\nc", false, middle)
	assert.Equal(t, 2, old.runs)
	text, ok := p.between(3, 7)
	assert.True(t, ok)
	assert.Equal(t, "line 3\na\nb\nc\nline 7", text)
	assert.True(t, p.complete())

	left, right := p.source(), p.source()
	p.show(1, 3, "x\ny\nz", false, left)
	p.show(7, 4, "p\nq\nr\ns", true, right)
	assert.Zero(t, old.runs, "ranges add up")
	assert.Equal(t, 1, middle.runs)
}

func TestSheetEditsMoveWhatIsBehind(t *testing.T) {
	p := newPage()
	read, edit, insert := p.source(), p.source(), p.source()
	p.show(1, 6, lines(1, 6), true, read)
	require.True(t, p.replace(&Change{Old: "line 2\n", New: "new\nnewer\n"}, edit))
	text, _ := p.between(1, 7)
	assert.Equal(t, "line 1\nnew\nnewer\nline 3\nline 4\nline 5\nline 6", text)
	assert.Equal(t, 7, p.end)
	p.exchange(7, 6, "inserted", 1, []*source{insert}, insert)
	text, _ = p.between(6, 8)
	assert.Equal(t, "line 5\ninserted\nline 6", text)
}

func TestSheetPartOfALineNeedsBoth(t *testing.T) {
	p := newPage()
	read, edit, again := p.source(), p.source(), p.source()
	p.show(1, 1, "func add(a, b int) int {", true, read)
	require.True(t, p.replace(&Change{Old: "add", New: "sum"}, edit))
	assert.Equal(t, []int{1, 1}, []int{read.runs, edit.runs})
	p.show(1, 1, "func sum(a, b int) int {", true, again)
	assert.Equal(t, []int{0, 0, 1}, []int{read.runs, edit.runs, again.runs})
	assert.Same(t, again, read.by)
}

func TestSheetFindsAcrossCopies(t *testing.T) {
	p := newPage()
	a, b, edit := p.source(), p.source(), p.source()
	p.show(1, 2, "one\ntwo", false, a)
	p.show(3, 2, "three\nfour", true, b)
	require.True(t, p.replace(&Change{Old: "two\nthree\n", New: "2 and 3\n"}, edit))
	text, _ := p.between(1, 3)
	assert.Equal(t, "one\n2 and 3\nfour", text)
	require.True(t, p.replace(&Change{Old: "four\n", New: "4\n"}, edit), "the last line has no end here")
	require.False(t, p.replace(&Change{Old: "one\nfour", New: ""}, edit))
}

// A sheet that knows all of a file agrees with strings.Replace, whatever it is put together
// from, and its bookkeeping with a recount.
func TestSheetAgreesWithStrings(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := newPage()
		content := randomText(r, 1+r.IntN(12))
		sources := []*source{p.source()}
		p.show(1, strings.Count(content, "\n")+1, content, true, sources[0])
		for range 12 {
			s := p.source()
			sources = append(sources, s)
			list := strings.Split(content, "\n")
			switch r.IntN(4) {
			case 0:
				first := r.IntN(len(list))
				n := 1 + r.IntN(len(list)-first)
				p.show(first+1, n, strings.Join(list[first:first+n], "\n"), first+n == len(list), s)
			case 1:
				first := r.IntN(len(list))
				n := r.IntN(len(list) - first + 1)
				text := randomText(r, 1+r.IntN(3))
				content = strings.Join(slices.Concat(list[:first], strings.Split(text, "\n"), list[first+n:]), "\n")
				p.exchange(first+1, first+n, text, strings.Count(text, "\n")+1, []*source{s}, s)
			default:
				at := r.IntN(len(content))
				old := content[at : at+1+r.IntN(min(8, len(content)-at))]
				n := strings.Count(content, old)
				c := Change{Old: old, New: randomText(r, 1+r.IntN(2)), All: n > 1}
				if c.All && strings.Contains(old, "\n") {
					continue // those that overlap could be replaced in another order
				}
				content = strings.ReplaceAll(content, c.Old, c.New)
				require.True(t, p.replace(&c, s), "seed %d: %q", seed, c)
			}
			require.True(t, p.complete(), "seed %d", seed)
			require.Equal(t, content, p.text(0, len(p.runs)), "seed %d", seed)
		}
		counted := make(map[*source]int)
		next := 1
		for i := range p.runs {
			require.Equal(t, next, p.runs[i].first)
			require.Equal(t, strings.Count(p.runs[i].text, "\n")+1, p.runs[i].lines)
			next += p.runs[i].lines
			for _, o := range p.runs[i].owners {
				counted[o]++
			}
		}
		for _, s := range sources {
			require.GreaterOrEqual(t, s.runs, counted[s], "seed %d", seed)
		}
	}
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte('\n')
		}
		for range 1 + r.IntN(4) {
			b.WriteByte("abcd"[r.IntN(4)])
		}
	}
	return b.String()
}
