package bpe

import "unicode/utf8"

// class is what the patterns ask of a character. The generator knows these values too.
type class uint8

const (
	letter  class = 1 << iota // \p{L}
	head                      // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	tail                      // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
	number                    // \p{N}
	space                     // \s
	newline                   // [\r\n]
	wide                      // of a byte: it is part of a character of several
)

// byteClasses has the class of each ASCII character, and wide for every other byte.
var byteClasses = func() (table [256]class) {
	for b := range table {
		table[b] = wide
		if b < utf8.RuneSelf {
			table[b] = classOf(rune(b))
		}
	}
	return table
}()

func classOf(r rune) class {
	block := int(r >> 7)
	if block >= len(classIndex) {
		return 0
	}
	return class(classBlocks[int(classIndex[block])<<7|int(r&127)])
}

// classAt returns the class of the character at byte i, and where the next one begins. At
// the end of the text there is no class.
func classAt(text string, i int) (class, int) {
	if i >= len(text) {
		return 0, i
	}
	b := text[i]
	switch {
	case b < utf8.RuneSelf:
		return byteClasses[b], i + 1
	case b >= 0xe0 && b < 0xf0 && i+2 < len(text): // what most scripts beyond the European have
		return classOf(rune(b&15)<<12 | rune(text[i+1]&63)<<6 | rune(text[i+2]&63)), i + 3
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return classOf(r), i + size
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
