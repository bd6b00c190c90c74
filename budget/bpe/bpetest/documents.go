package bpetest

import (
	"strings"
	"unicode/utf8"
)

// Document names a text by what it is made from.
type Document struct {
	Kind string
	Seed uint64
	Size int
}

// Text makes the text.
func (d Document) Text() string { return Text(d.Kind, d.Seed, d.Size) }

// Documents returns what the golden counts of package bpe are of, 38 megabytes in all: of
// each kind some long and many short texts, runs of one character of growing lengths, and
// every character there is next to letters, digits and apostrophes.
func Documents() []Document {
	var all []Document
	for _, kind := range Kinds() {
		if strings.HasPrefix(kind, "run-") {
			for seed := range uint64(30) {
				all = append(all, Document{kind, seed, int(1 + seed*seed*4)})
			}
			continue
		}
		for seed := range uint64(20) {
			all = append(all, Document{kind, seed, 64 << 10})
		}
		for seed := range uint64(40) {
			all = append(all, Document{kind, seed, int(10 + seed*20)})
		}
	}
	for block := range uint64(utf8.MaxRune/charactersEach + 1) {
		if plane := block * charactersEach >> 16; plane < 4 || plane == 14 { // the others are empty or private
			all = append(all, Document{everyCharacter, block, 0})
		}
	}
	return all
}

const (
	everyCharacter = "characters" // the seed says which
	charactersEach = 4096
)

func characters(from rune) string {
	var b strings.Builder
	for r := from; r < from+charactersEach; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		c := string(r)
		b.WriteString("a" + c + "B" + c + c + "'s" + c + "'l" + c + "12" + c + "34 " + c + " \n" + c + "! " + c + "/\n")
	}
	return b.String()
}
