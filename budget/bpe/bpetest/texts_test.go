package bpetest_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/budget/bpe/bpetest"
)

func TestTexts(t *testing.T) {
	seen := map[string]string{}
	for _, kind := range bpetest.Kinds() {
		for _, size := range []int{0, 1, 100, 5000} {
			text := bpetest.Text(kind, 7, size)
			assert.True(t, utf8.ValidString(text), kind)
			assert.LessOrEqual(t, len(text), size, kind)
			assert.Greater(t, len(text), size-utf8.UTFMax, kind)
			assert.Equal(t, text, bpetest.Text(kind, 7, size), "%s: the same again", kind)
		}
		text := bpetest.Text(kind, 7, 5000)
		assert.Empty(t, seen[text], "%s is another kind too", kind)
		seen[text] = kind
	}
	assert.NotEqual(t, bpetest.Text("go", 1, 500), bpetest.Text("go", 2, 500))
	assert.Panics(t, func() { bpetest.Text("none", 1, 1) })
}

func TestDocuments(t *testing.T) {
	size := 0
	for _, d := range bpetest.Documents() {
		size += d.Size
	}
	assert.Greater(t, size, 20_000_000)
}
