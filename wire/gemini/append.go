package gemini

import (
	"encoding/base64"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// appendText appends a part with text.
func appendText(out []byte, text string) []byte {
	return append(rawjson.AppendQuote(append(out, `{"text":`...), text), '}')
}

// appendResponse appends the response of a result that says one thing.
func appendResponse(out []byte, status core.Status, text string) []byte {
	out = append(append(append(out, '{', '"'), responseName(status)...), '"', ':')
	return append(rawjson.AppendQuote(out, text), '}')
}

// responseName returns the name under which a response has its text: Google's reference has
// one for what a function returned and one for an error; any other says nothing of either.
func responseName(status core.Status) string {
	switch status {
	case core.StatusOK:
		return "output"
	case core.StatusFailed:
		return "error"
	default:
		return "result"
	}
}

// appendDocument appends a part of a result, or beside one, that is a document of plain text.
// A label is a string's JSON. It stays, since a response may refer to media by it.
func appendDocument(out []byte, text, label string, snake bool) []byte {
	inline, name := `{"inlineData":{"mimeType":"`, `,"displayName":`
	if snake {
		inline, name = `{"inline_data":{"mime_type":"`, `,"display_name":`
	}
	out = append(append(append(out, inline...), plainText...), `","data":"`...)
	out = append(appendBase64(out, text), '"')
	if label != "" {
		out = append(append(out, name...), label...)
	}
	return append(out, '}', '}')
}

// appendBase64 appends a text in base64. A byte that is not UTF-8 becomes U+FFFD, as in a
// string's JSON: it would be taken for other media when it is read.
func appendBase64(out []byte, text string) []byte {
	return base64.StdEncoding.AppendEncode(out, []byte(string([]rune(text))))
}
