package reasoning_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/reasoning"
)

func TestIsSealed(t *testing.T) {
	sealed := core.Part{Kind: core.KindReasoning, Signed: true}
	for text, want := range map[string]bool{
		"gAAAAABo_-" + strings.Repeat("A", 30):  true, // a Fernet token
		"EmwKAhgB" + strings.Repeat("/+", 14):   true, // a protocol buffer
		strings.Repeat("A", 42) + "==":          true,
		strings.Repeat("A", 31):                 false,
		strings.Repeat("A", 32) + "\n":          true, // as base64 may be wrapped
		"The user asks for the largest file; I": false,
		strings.Repeat("考", 20):                 false,
		"":                                      false,
	} {
		sealed.Text = text
		assert.Equal(t, want, reasoning.IsSealed(&sealed), text)
	}
	sealed.Text = strings.Repeat("A", 40)
	for _, p := range []core.Part{{Text: sealed.Text, Signed: true}, {Kind: core.KindReasoning, Text: sealed.Text}} {
		assert.False(t, reasoning.IsSealed(&p), "signed reasoning only")
	}
}
