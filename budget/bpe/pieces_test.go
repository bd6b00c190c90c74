package bpe_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/budget/bpe"
	"github.com/trimkit/trimkit/budget/bpe/bpetest"
)

// onePiece are texts that the patterns do not split, or hardly, of the length that is given.
var onePiece = map[string]func(n int) string{
	"random letters":  func(n int) string { return random(n, "abcdefghijklmnopqrstuvwxyz") },
	"two letters":     func(n int) string { return random(n, "ab") },
	"random symbols":  func(n int) string { return random(n, "!\"#$%&()*+,-.:;<=>?@[]^_`{|}~") },
	"blanks":          func(n int) string { return random(n, " \t\n") },
	"words":           func(n int) string { return strings.ReplaceAll(bpetest.Text("python", 3, 4*n), " ", "")[:n] },
	"a pattern":       func(n int) string { return strings.Repeat("abcabd", n/6+1)[:n] },
	"growing runs":    growing,
	"blanks in turns": func(n int) string { return strings.Repeat(strings.Repeat(" ", 127)+"\t", n/128+1)[:n] },
}

func random(n int, of string) string {
	r := rand.New(rand.NewPCG(1, uint64(len(of))))
	text := make([]byte, n)
	for i := range text {
		text[i] = of[r.IntN(len(of))]
	}
	return string(text)
}

func growing(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("=", i) + strings.Repeat("-", i))
	}
	return b.String()[:n]
}

// Merging a piece in stretches, or a character at a time, is merging it at once.
func TestLongPieces(t *testing.T) {
	for _, e := range encodings {
		for _, kind := range bpetest.Kinds() {
			for seed := range uint64(4) {
				want, got := bpe.AtOnce(e.counter, bpetest.Text(kind, seed, 500<<seed))
				assert.Equal(t, want, got, "%s %s %d", e.name, kind, seed)
			}
		}
		for name, text := range onePiece {
			for _, n := range []int{63, 64, 65, 100, 1000, 10_000} {
				want, got := bpe.AtOnce(e.counter, text(n))
				assert.Equal(t, want, got, "%s %s %d", e.name, name, n)
			}
		}
	}
}

// TestWorkGrowsWithLength counts the bytes that go into merging: eight times the text must
// not take more than a little over eight times as many, and no text many times its length.
func TestWorkGrowsWithLength(t *testing.T) {
	for _, e := range encodings {
		grows := func(name, part, whole string) {
			few, many := bpe.Merged(e.counter, part), bpe.Merged(e.counter, whole)
			assert.LessOrEqual(t, many, 9*few+1000, "%s %s", e.name, name)
			assert.LessOrEqual(t, many, 6*len(whole), "%s %s", e.name, name)
		}
		for _, kind := range bpetest.Kinds() {
			grows(kind, bpetest.Text(kind, 1, 10_000), bpetest.Text(kind, 1, 80_000))
		}
		for name, text := range onePiece {
			grows(name, text(10_000), text(80_000))
		}
	}
}
