// Package reasoning tells the reasoning that a provider sealed from text.
package reasoning

import (
	"encoding/base64"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// IsSealed reports whether a part is reasoning that a provider encrypted, whichever it was:
// its text is the data, in one of the spellings of base64. It reads the same to whoever
// does not hold the key, so it cannot be kept as a text.
func IsSealed(p *core.Part) bool {
	const least = 32 // bytes; what is shorter may be a word
	if p.Kind != core.KindReasoning || !p.Signed || len(p.Text) < least {
		return false
	}
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(p.Text, "-_") {
		encoding = base64.RawURLEncoding
	}
	_, err := encoding.DecodeString(strings.TrimRight(p.Text, "="))
	return err == nil
}
