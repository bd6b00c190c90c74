package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// Rows that left and rows that stayed are the old lines, rows that came and rows that
// stayed the new ones, whatever the lines are.
func TestComparedLinesAreAllThere(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := func() []string {
		lines := make([]string, random.IntN(12))
		for i := range lines {
			lines[i] = []string{"", " ", "a", "b", "c", "d"}[random.IntN(6)]
		}
		return lines
	}
	for range 5000 {
		before, after := text(), text()
		old, fresh := []string{}, []string{}
		for _, r := range compareLines(before, after) {
			if r.mark != added {
				old = append(old, r.text)
			}
			if r.mark != removed {
				fresh = append(fresh, r.text)
			}
		}
		assert.Equal(t, before, old)
		assert.Equal(t, after, fresh)
	}
}

// Of a text that was shortened, only the lines that are gone have left.
func TestShortenedTextKeepsItsLines(t *testing.T) {
	t.Parallel()
	before := strings.Split("a b c d e f g h", " ")
	var got strings.Builder
	for _, r := range compareLines(before, strings.Split("a [x] c d [y] h", " ")) {
		got.WriteString(string(r.mark) + r.text)
	}
	assert.Equal(t, " a-b+[x] c d-e-f-g+[y] h", got.String())
}

func TestFocusShowsWhatDiffers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 200)
	rows := []row{{same, long}, {removed, long + "old"}, {added, long + "new"}}
	focus(rows)
	assert.Equal(t, row{same, long}, rows[0])
	assert.Equal(t, row{removed, "..." + strings.Repeat("é", 10) + "old"}, rows[1])
	assert.Equal(t, row{added, "..." + strings.Repeat("é", 10) + "new"}, rows[2])

	rows = []row{{removed, "one"}, {added, "once"}}
	focus(rows)
	assert.Equal(t, []row{{removed, "one"}, {added, "once"}}, rows)
}

// Nothing is wider than the page; a full one goes on in the next line and loses nothing.
func TestPageWidth(t *testing.T) {
	t.Parallel()
	var digits strings.Builder
	for i := range 60 {
		digits.WriteString(strconv.Itoa(i % 10))
	}
	rows := []row{{removed, digits.String()}, {added, "ü" + digits.String()}, {same, digits.String()}, {removed, "x"}}
	for _, full := range []bool{false, true} {
		out := page{width: 40, full: full}.render(rows, true)
		for l := range strings.Lines(out) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(l, "\n")), 40)
		}
		assert.Equal(t, !full, strings.Contains(out, "..."))
	}
	full := page{width: 40, full: true}.render(rows[:1], true)
	assert.Equal(t, digits.String(), strings.NewReplacer("-", "", " ", "", "|", "", "\n", "").Replace(full))
}
