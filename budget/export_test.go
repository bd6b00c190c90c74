package budget

import (
	"strings"
	"unsafe"
)

// Built counts the encoders of this process.
func Built() int {
	n := 0
	for _, e := range encodings {
		if e.encoder != nil {
			n++
		}
	}
	return n
}

// BuiltAtImport is what Built said before anything ran.
var BuiltAtImport int

func init() { BuiltAtImport = Built() }

// LoadEncoding builds an encoder for a vocabulary of that name, as ForModel does.
func LoadEncoding(name string) error {
	_, err := (&encoding{name: name, split: splitO200K}).load()
	return err
}

// Encode counts with the library alone.
func Encode(encoding, text string) int {
	e, err := encodings[encoding].load()
	if err != nil {
		panic(err)
	}
	return len(e.library(text))
}

// SplitAndMerge counts with this package's code alone, which in Count only long pieces see.
func SplitAndMerge(encoding, text string) int {
	e, err := encodings[encoding].load()
	if err != nil {
		panic(err)
	}
	text = valid(text)
	tokens := 0
	for at := 0; at < len(text); {
		end := e.split(text, at)
		tokens += e.piece(text[at:end])
		at = end
	}
	return tokens
}

// Given counts text and returns what the library was given to do: the longest piece, the
// longest text, and all of it.
func Given(encoding, text string) (piece, longest, all int) {
	e, err := encodings[encoding].load()
	if err != nil {
		panic(err)
	}
	spied := *e
	spied.library = func(text string) []int {
		longest, all = max(longest, len(text)), all+len(text)
		for at := 0; at < len(text); {
			end := e.split(text, at)
			piece, at = max(piece, end-at), end
		}
		return nil
	}
	spied.Count(text)
	return piece, longest, all
}

// MergeWhole merges one piece without slicing it.
func MergeWhole(encoding, piece string) int {
	e, err := encodings[encoding].load()
	if err != nil {
		panic(err)
	}
	return newMerger(e.ranks, piece).merge()
}

// LongPiece and Stretch are where Count changes its ways.
const (
	LongPiece = longPiece
	Stretch   = stretch
)

// Remembered returns how many texts a Meter remembers, and their bytes.
func Remembered(m *Meter) (texts, bytes int) {
	kept := map[*byte]int{} // a text of both generations is there once
	for _, generation := range []map[string]remembered{m.memo.young, m.memo.old} {
		for _, r := range generation {
			kept[unsafe.StringData(r.text)] = len(r.text)
		}
	}
	for _, n := range kept {
		bytes += n
	}
	return len(kept), bytes
}

// Dimensions reads the header of an image, given as base64.
func Dimensions(base64 string) (width, height int) { return newBase64(base64).dimensions() }

// DimensionsOf reads the header of an image.
func DimensionsOf(data string) (width, height int) {
	return blob{raw: []byte(strings.Clone(data))}.dimensions()
}
