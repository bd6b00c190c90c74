package bpe_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget/bpe"
	"github.com/trimkit/trimkit/budget/bpe/cl100k"
	"github.com/trimkit/trimkit/budget/bpe/o200k"
)

// encoding is a counter of ours beside tiktoken-go's.
type encoding struct {
	name    string
	counter *bpe.Counter
	library func() (func(text string) []int, error)
}

var encodings = []encoding{
	{"o200k_base", o200k.Counter(), library("o200k_base", strings.Join([]string{
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`,
	}, "|"))},
	{"cl100k_base", cl100k.Counter(), library("cl100k_base", `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}`+
		`| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`)},
}

// library builds tiktoken-go's encoder, once. It leaves the library's own loader, which is
// a global, alone.
func library(name, pattern string) func() (func(string) []int, error) {
	return sync.OnceValues(func() (func(string) []int, error) {
		ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			return nil, err
		}
		core, err := tiktoken.NewCoreBPE(ranks, nil, pattern)
		if err != nil {
			return nil, err
		}
		return tiktoken.NewTiktoken(core, &tiktoken.Encoding{Name: name, PatStr: pattern, MergeableRanks: ranks}, nil).EncodeOrdinary, nil
	})
}

// differsFromLibrary is whether tiktoken-go, whose regular expressions go by Go's Unicode
// 15.0 and do not know that the long s is an s, may split a text in another way than the
// official tokenizer does.
func differsFromLibrary(text string) bool {
	return strings.Contains(text, "'\u017f") || strings.ContainsFunc(text, func(r rune) bool {
		theirs := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		return !theirs && bpe.IsWord(r)
	})
}

// sameAsLibrary fails the test at the first token that is not that of tiktoken-go.
func sameAsLibrary(t *testing.T, e encoding, text, name string) {
	t.Helper()
	encode, err := e.library()
	require.NoError(t, err)
	want, got := encode(text), e.counter.Encode(text)
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			around, _ := e.counter.Decode(want[max(0, i-3):min(len(want), i+4)])
			require.Fail(t, "tokens differ", "%s of %s at token %d, %q", e.name, name, i, around)
		}
	}
	require.Len(t, got, len(want), "%s of %s", e.name, name)
	for range 2 { // the second time the pieces are known
		require.Equal(t, len(want), e.counter.Count(text), "%s of %s", e.name, name)
	}
}

func TestFixedTexts(t *testing.T) {
	for _, c := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
		{"", 0, 0},
		{"hello world", 2, 2},
		{"I'LL we've don't", 5, 7},
		{"1234567890", 4, 4},
		{"   \n\n   x", 3, 3},
		{"e\u0301", 2, 2},
		{"👩‍👩‍👧", 8, 13},
		{strings.Repeat("\x00", 8), 4, 8},
		{"<|endoftext|>", 7, 7},
		{"<|im_start|>system", 7, 7},
	} {
		assert.Equal(t, c.o200k, encodings[0].counter.Count(c.text), "o200k_base %q", c.text)
		assert.Equal(t, c.cl100k, encodings[1].counter.Count(c.text), "cl100k_base %q", c.text)
		for _, e := range encodings {
			sameAsLibrary(t, e, c.text, fmt.Sprintf("%q", c.text))
		}
	}
}

// The long s is an s where case does not matter, for the official tokenizer, whose counts
// these are, and not for tiktoken-go. What Unicode 16.0 has added is letters here too.
func TestBeyondTheLibrary(t *testing.T) {
	for _, c := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"don'\u017fX", 4, 5},
		{"\u1c89\u1c8a'S", 7, 7},
		{"\U00010d4a\U00010d4b", 8, 8},
	} {
		assert.True(t, differsFromLibrary(c.text), "%q", c.text)
		assert.Equal(t, c.o200k, encodings[0].counter.Count(c.text), "o200k_base %q", c.text)
		assert.Equal(t, c.cl100k, encodings[1].counter.Count(c.text), "cl100k_base %q", c.text)
	}
}
