package bpe

import "math/bits"

// A splitter finds the pieces that a pattern splits text into: it writes where those that
// begin at byte i and behind end, and returns how many it wrote. Tokens never cross from
// piece to piece. Text is valid UTF-8.
//
// Both splitters take the words of ASCII, which are most of most texts, eight bytes at a
// time, and leave a word that a wider character touches to the general way.
type splitter func(text string, i int, ends []int) int

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// load returns eight bytes of text as a little-endian number.
func load(text string, i int) uint64 {
	b := text[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// outside marks, in its highest bit, each byte of w that is not from first to last, which
// are ASCII.
func outside(w uint64, first, last byte) uint64 {
	low := w &^ highs
	atLeast := low + uint64(0x80-first)*ones
	above := low + uint64(0x7f-last)*ones
	return (^atLeast | above | w) & highs
}

// lowers returns where the letters a to z end.
func lowers(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if m := outside(load(text, i), 'a', 'z'); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(text) && text[i]-'a' < 26 {
		i++
	}
	return i
}

// uppers returns where the letters A to Z end.
func uppers(text string, i int) int {
	for i < len(text) && text[i]-'A' < 26 {
		i++
	}
	return i
}

// letters returns where the letters A to Z and a to z end.
func letters(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if m := outside(load(text, i)|0x20*ones, 'a', 'z'); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(text) && (text[i]|0x20)-'a' < 26 {
		i++
	}
	return i
}

// rest matches what is no word: up to three digits, symbols and what may follow them,
// white space.
func rest(text string, i int, first class, next int, slash bool) int {
	if first&number != 0 {
		for range 2 {
			c, after := classAt(text, next)
			if c&number == 0 {
				break
			}
			next = after
		}
		return next
	}
	start := i
	if text[i] == ' ' {
		start = next
	}
	end := symbols(text, start)
	if end == start {
		return whiteSpace(text, i)
	}
	for end < len(text) && (text[end] == '\n' || text[end] == '\r' || slash && text[end] == '/') {
		end++
	}
	return end
}

func symbols(text string, i int) int {
	for i < len(text) {
		c, next := classAt(text, i)
		if c&(letter|number|space) != 0 {
			break
		}
		i = next
	}
	return i
}

// whiteSpace ends a piece behind the last line break of the run at start; in a run without
// one, before its last character if more text follows.
func whiteSpace(text string, start int) int {
	end, lineEnd, last := start, start, start
	for end < len(text) {
		c, next := classAt(text, end)
		if c&space == 0 {
			break
		}
		if c&newline != 0 {
			lineEnd = next
		}
		last, end = end, next
	}
	switch {
	case lineEnd > start:
		return lineEnd
	case end < len(text) && last > start:
		return last
	}
	return end
}

// contraction returns the end of 's, 't, 're, 've, 'm, 'll or 'd at i, or i. Case does not
// matter, and by Unicode's case folding the long s (U+017F) is an s.
func contraction(text string, i int) int {
	if i+1 >= len(text) || text[i] != '\'' {
		return i
	}
	second := byte(0)
	if i+2 < len(text) {
		second = text[i+2] | 0x20
	}
	switch text[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if second == 'e' {
			return i + 3
		}
	case 'l':
		if second == 'l' {
			return i + 3
		}
	}
	if text[i+1:min(i+3, len(text))] == "\u017f" {
		return i + 3
	}
	return i
}
