package budget

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// The encodings of OpenAI's chat models.
const (
	O200K  = "o200k_base"  // since gpt-4o
	CL100K = "cl100k_base" // gpt-4 and gpt-3.5
)

// encoding is a vocabulary and how text is split before it applies. Its encoder is built
// when it is first asked for, which takes a few tenths of a second, once in a process.
type encoding struct {
	name    string
	pattern string
	split   splitter

	once    sync.Once
	encoder *encoder
	err     error
}

// encodings is keyed by name; the map itself is never written to. The patterns are those
// that OpenAI publishes with the vocabularies.
var encodings = map[string]*encoding{
	O200K: {
		name: O200K,
		pattern: strings.Join([]string{
			`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
			`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
			`\p{N}{1,3}`,
			` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
			`\s*[\r\n]+`,
			`\s+(?!\S)`,
			`\s+`,
		}, "|"),
		split: splitO200K,
	},
	CL100K: {
		name: CL100K,
		pattern: `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}` +
			`| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
		split: splitCL100K,
	},
}

// load returns the encoder, building it if nobody has yet.
func (e *encoding) load() (*encoder, error) {
	e.once.Do(func() { e.encoder, e.err = e.build() })
	return e.encoder, e.err
}

// build reads the vocabulary that is linked into the program. It does not go through
// [tiktoken.GetEncoding], whose loader is a variable of that package: by default it asks
// the network, and setting it would change what the rest of the program gets.
func (e *encoding) build() (*encoder, error) {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(e.name + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("budget: load vocabulary %s: %w", e.name, err)
	}
	bpe, err := tiktoken.NewCoreBPE(ranks, nil, e.pattern)
	if err != nil {
		return nil, fmt.Errorf("budget: build encoding %s: %w", e.name, err)
	}
	enc := &tiktoken.Encoding{Name: e.name, PatStr: e.pattern, MergeableRanks: ranks}
	library := tiktoken.NewTiktoken(bpe, enc, nil)
	return &encoder{library.EncodeOrdinary, ranks, e.split}, nil
}

// encoder counts tokens in one encoding. It is immutable.
type encoder struct {
	library func(text string) []int
	ranks   map[string]int
	split   splitter
}

const (
	// longPiece is the length in bytes from which a piece is merged by [merge]. The
	// library's own merging takes time quadratic in a piece: at this length 0.4
	// microseconds a byte, and 50 at a hundred thousand.
	longPiece = 256
	// stretch is how many bytes the library gets at once, give or take a piece, so that
	// what it allocates, a hundred times the text, stays bounded.
	stretch = 16 << 10
)

// Count returns the tokens of text, exactly. Names of special tokens are ordinary text. A
// byte that is not UTF-8 counts as what JSON carries in its place, U+FFFD.
//
// Time is linear in the text, but for a logarithm within a run without boundaries, such as
// a megabyte of one letter. In a run of over a mebibyte the count may be off by a few
// tokens for every full mebibyte; see [merge].
func (e *encoder) Count(text string) int {
	if !utf8.ValidString(text) {
		text = valid(text)
	}
	tokens, from, last := 0, 0, 0 // from: counted up to here; last: where the piece before at begins
	for at := 0; len(text)-from > longPiece && at < len(text); {
		end := e.split(text, at)
		switch {
		case end-at > longPiece:
			tokens += e.upTo(text[from:at], max(last-from, 0)) + merge(e.ranks, text[at:end])
			from = end
		case end-from >= stretch:
			tokens += e.upTo(text[from:end], at-from)
			from = end
		}
		last, at = at, end
	}
	return tokens + e.ordinary(text[from:])
}

// upTo counts a text that was cut off a longer one, at the end of the piece that begins at
// last. The library splits it like its beginning of the longer one, but for one thing: the
// patterns look ahead to leave the last blank of several to the word behind them, and with
// nothing behind them they do not. So a piece that begins with white space is counted by
// itself. What is before it ends as it did, for a blank that was left over is never
// followed by another.
func (e *encoder) upTo(text string, last int) int {
	if c, _ := classAt(text, last); c&space == 0 {
		return e.ordinary(text)
	}
	return e.ordinary(text[:last]) + e.piece(text[last:])
}

// ordinary counts with the library.
func (e *encoder) ordinary(text string) int {
	if text == "" {
		return 0
	}
	return len(e.library(text))
}

// piece counts one piece without the library.
func (e *encoder) piece(text string) int {
	if _, ok := e.ranks[text]; ok {
		return 1
	}
	return merge(e.ranks, text)
}

// valid returns text with U+FFFD for each byte that is not UTF-8. ([strings.ToValidUTF8]
// replaces a run of them by one, [encoding/json] each.)
func valid(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}
