package document

import (
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Error returns the error for what was found at an offset, in the message of that index
// or, if it is negative, outside of any.
func (d *Document) Error(offset, message int, expected, found, hint string) *wire.SyntaxError {
	return &wire.SyntaxError{
		Format:   d.Format.Name,
		Line:     1 + strings.Count(d.Text[:offset], "\n"),
		Message:  message,
		Offset:   int64(offset),
		Expected: expected,
		Found:    found,
		Hint:     hint,
	}
}

// notJSON returns the error for the text from start to end.
func (d *Document) notJSON(start, end, message int, bad *rawjson.Error) *wire.SyntaxError {
	offset := start + bad.Offset
	switch {
	case bad.Cut && end == len(d.Text):
		return d.Error(offset, message, "the rest of a JSON value", "the end of the file", "the file seems to be cut off")
	case bad.Cut:
		return d.Error(offset, message, "the rest of a JSON value", "the end of the line", "the line is cut off, or its message goes on in the next")
	default:
		return d.Error(offset, message, "JSON", bad.Reason, "")
	}
}

func quoteByte(c byte) string {
	if c < ' ' || c > '~' {
		return "0x" + strconv.FormatUint(uint64(c), 16)
	}
	return strconv.QuoteRune(rune(c))
}
