package diffs

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShownLines(t *testing.T) {
	all := &shownLines{path: "a", first: 1}
	middle := all.lines(10, 20)
	assert.Equal(t, &shownLines{path: "a", first: 10, last: 20}, middle)
	assert.Equal(t, &shownLines{path: "a", first: 14, last: 20}, middle.lines(5, 0))
	assert.Equal(t, &shownLines{path: "a", first: 14, last: 15}, middle.lines(5, 6))
	assert.Nil(t, middle.lines(50, 60), "nothing is left")
	assert.Nil(t, middle.number(), "numbers begin anew")
	assert.Nil(t, middle.ends(5), "the file may end before line 20")
	assert.Nil(t, all.ends(5).lines(1, 2), "where its last lines begin is not known")
	assert.Equal(t, &shownLines{path: "a", first: 10, last: 20, numbered: true}, all.number().lines(10, 20))
	assert.Nil(t, (*shownLines)(nil).lines(1, 2))
}

func TestShownLines_Failed(t *testing.T) {
	s := shownLines{path: "a", reader: "cat"}
	assert.True(t, s.failed("cat: a: No such file or directory\n"))
	assert.False(t, s.failed("cat: a\ndog: b"), "a file with two lines")
	assert.False(t, s.failed("error: not found"), "the words of a file")
	assert.True(t, (&shownLines{reader: "git", revision: true}).failed("fatal: path 'a' does not exist in 'HEAD'"))
}
