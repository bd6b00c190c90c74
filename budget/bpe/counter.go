package bpe

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// A Pattern says how text is split into the pieces that tokens never cross.
type Pattern uint8

// The patterns are those of the encodings of the same names.
const (
	O200K  Pattern = iota + 1 // since gpt-4o
	CL100K                    // gpt-4, gpt-3.5
)

// Counter counts the tokens of texts in one encoding. It is safe for concurrent use: each
// call has memory of its own, which later calls use again.
type Counter struct {
	split      splitter
	vocabulary *vocabulary
	idle       [idleStates]atomic.Pointer[state]
}

const (
	idleStates = 8       // how many calls at a time are warm; a state has 135 KB
	keptBytes  = 1 << 14 // of a piece whose merging leaves its memory to the next
)

// state is what one call works with.
type state struct {
	ends   [256]int
	cache  cache
	merger merger
}

// New returns a counter for a vocabulary that this package's generator has packed. Programs
// use the packages o200k and cl100k, which call it.
func New(pattern Pattern, packed string) (*Counter, error) {
	c := new(Counter)
	switch pattern {
	case O200K:
		c.split = splitO200K
	case CL100K:
		c.split = splitCL100K
	default:
		return nil, fmt.Errorf("bpe: make counter: no pattern %d", pattern)
	}
	var err error
	if c.vocabulary, err = unpack(packed); err != nil {
		return nil, fmt.Errorf("bpe: make counter: %w", err)
	}
	return c, nil
}

// Count returns the number of tokens of a text, exactly. Names of special tokens are
// ordinary text. Each byte that is not UTF-8 counts as what JSON carries in its place,
// U+FFFD. Only a text that has such bytes makes Count allocate, once it is warm.
func (c *Counter) Count(text string) int {
	return c.count(text, math.MaxInt)
}

// CountUpTo counts until it is known whether a text is within a limit. If it is, n is its
// number of tokens; if not, n is a number above the limit that the text has at least. So
// the time is proportional to the limit, however long the text is.
func (c *Counter) CountUpTo(text string, limit int) (n int, within bool) {
	if atLeast := (len(text) + longest - 1) / longest; atLeast > limit {
		return atLeast, false
	}
	n = c.count(text, limit)
	return n, n <= limit
}

func (c *Counter) count(text string, limit int) int {
	text = valid(text)
	s := c.take()
	tokens := 0
	for at := 0; at < len(text) && tokens <= limit; {
		n := c.split(text, at, s.ends[:])
		tokens += s.count(text, at, s.ends[:n])
		at = s.ends[n-1]
	}
	c.put(s)
	return tokens
}

// valid returns text with U+FFFD for each byte that is not UTF-8. ([strings.ToValidUTF8]
// has one for a run of them, [encoding/json] each.)
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}

// take returns a state that no other call has.
func (c *Counter) take() *state {
	for i := range c.idle {
		if s := c.idle[i].Swap(nil); s != nil {
			return s
		}
	}
	return &state{merger: merger{vocabulary: c.vocabulary}}
}

// put keeps a state for a later call, if there is room. What a rare text needs, it does not
// keep.
func (c *Counter) put(s *state) {
	if s.merger.heap.size() > keptBytes {
		s.merger.heap = heap{}
	}
	if cap(s.merger.tokens) > keptBytes {
		s.merger.tokens = nil
	}
	for i := range c.idle {
		if c.idle[i].CompareAndSwap(nil, s) {
			return
		}
	}
}
