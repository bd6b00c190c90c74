package budget

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A splitter returns where the piece of text that begins at byte i ends. Tokens never
// cross from piece to piece. The two below do what the encodings' patterns do; they exist
// so that long pieces can be found and kept from the library. Text is valid UTF-8.
type splitter func(text string, i int) int

// class is what the patterns ask of a character.
type class uint8

const (
	digit   class = 1 << iota // \p{N}
	letter                    // \p{L}
	head                      // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	tail                      // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
	space                     // \s
	newline                   // [\r\n]
)

var ascii = func() (table [utf8.RuneSelf]class) {
	for r := range table {
		table[r] = classify(rune(r))
	}
	return table
}()

func classify(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return space | newline
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.Ll, r):
		return letter | tail
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return letter | head
	case unicode.IsLetter(r): // Lm and Lo are left
		return letter | head | tail
	case unicode.IsMark(r):
		return head | tail
	case unicode.IsNumber(r):
		return digit
	}
	return 0
}

// classAt returns the class of the character at byte i, and where the next one begins. At
// the end of the text there is no class.
func classAt(text string, i int) (class, int) {
	if i >= len(text) {
		return 0, i
	}
	if c := text[i]; c < utf8.RuneSelf {
		return ascii[c], i + 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return classify(r), i + size
}

// run returns where the characters that have one of the classes end.
func run(text string, i int, of class) int {
	for i < len(text) {
		c, next := classAt(text, i)
		if c&of == 0 {
			break
		}
		i = next
	}
	return i
}

func splitCL100K(text string, i int) int {
	if end := contraction(text, i); end > i {
		return end
	}
	first, next := classAt(text, i)
	if first&letter != 0 {
		return run(text, i, letter)
	}
	if first&(newline|digit) == 0 {
		if end := run(text, next, letter); end > next {
			return end
		}
	}
	return splitRest(text, i, "\r\n")
}

func splitO200K(text string, i int) int {
	first, next := classAt(text, i)
	end := i
	switch {
	case first&letter != 0:
		end = word(text, i)
	case first&(newline|digit) == 0:
		// The character before a word belongs to it, whatever it is.
		if end = wordWithTail(text, next); end > next {
			break
		}
		if first&tail != 0 { // a mark is a word of its own
			end = next
			break
		}
		if end = run(text, next, head); end == next {
			end = i
		}
	}
	if end == i {
		return splitRest(text, i, "\r\n/")
	}
	return max(end, contraction(text, end))
}

// word returns the end of the word at i, which begins with a letter.
func word(text string, i int) int {
	if end := wordWithTail(text, i); end > i {
		return end
	}
	return run(text, i, head)
}

// wordWithTail matches head* tail+ as a backtracking matcher does: the head takes all it
// can and gives back until the tail has one.
func wordWithTail(text string, i int) int {
	last := i // behind the last character that could be either
	for i < len(text) {
		c, next := classAt(text, i)
		if c&head == 0 {
			if c&tail != 0 {
				return run(text, i, tail)
			}
			break
		}
		if c&tail != 0 {
			last = next
		}
		i = next
	}
	return last
}

// splitRest matches what is no word: up to three digits, symbols and what may follow them,
// white space.
func splitRest(text string, i int, follow string) int {
	first, next := classAt(text, i)
	if first&digit != 0 {
		for range 2 {
			if c, after := classAt(text, next); c&digit != 0 {
				next = after
			}
		}
		return next
	}
	start := i
	if text[i] == ' ' {
		start = next
	}
	if end := symbols(text, start); end > start {
		for end < len(text) && strings.IndexByte(follow, text[end]) >= 0 {
			end++
		}
		return end
	}
	return whiteSpace(text, i)
}

func symbols(text string, i int) int {
	for i < len(text) {
		c, next := classAt(text, i)
		if c&(letter|digit|space) != 0 {
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

// contraction returns the end of 's, 't, 're, 've, 'm, 'll or 'd at i, in any case, or i.
func contraction(text string, i int) int {
	if i+1 >= len(text) || text[i] != '\'' {
		return i
	}
	switch lower(text[i+1]) {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if i+2 < len(text) && lower(text[i+2]) == 'e' {
			return i + 3
		}
	case 'l':
		if i+2 < len(text) && lower(text[i+2]) == 'l' {
			return i + 3
		}
	}
	return i
}

func lower(c byte) byte { return c | 0x20 }
