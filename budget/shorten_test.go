package budget_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core/coretest"
)

var leftOut = regexp.MustCompile(`\n\[trimkit: (\d+) of (\d+) bytes left out here: too large for the window\]\n`)

// checkShortened checks that short is head and tail of text, with the marker between.
func checkShortened(t *testing.T, text, short string) {
	t.Helper()
	at := leftOut.FindAllStringIndex(short, -1)
	require.NotEmpty(t, at, "%q has no marker", short)
	for _, m := range at { // content may have text like it
		head, tail := short[:m[0]], short[m[1]:]
		if strings.HasPrefix(text, head) && strings.HasSuffix(text, tail) {
			assert.Less(t, len(short), len(text))
			if utf8.ValidString(text) {
				assert.True(t, utf8.ValidString(short))
			}
			return
		}
	}
	t.Errorf("%q is not head and tail of the text", short)
}

// shortened returns what is left of the only result of a history when the window is tight.
func shortened(t *testing.T, text string, window int) string {
	t.Helper()
	history := coretest.Parse("U A(a) T(a)")
	history[2].Parts[0].Text = text
	trim, err := budget.NewTrim(bytesMeter, budget.Limits{Window: window})
	require.NoError(t, err)
	view, err := trim.Transform(t.Context(), history)
	require.NoError(t, err)
	return view[2].Parts[0].Text
}

func TestFault_UNICODE_ACutIsBetweenCharacters(t *testing.T) {
	for name, character := range map[string]string{
		"a combining mark":       "e\u0301",
		"several of them":        "a\u0300\u0316\u0327",
		"a family":               "👩\u200d👩\u200d👧\u200d👦",
		"a skin tone":            "👍🏽",
		"a flag":                 "🇩🇪",
		"a flag of a region":     "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
		"a variation":            "❤\ufe0f",
		"Han":                    "漢",
		"Devanagari with a sign": "कि",
	} {
		t.Run(name, func(t *testing.T) {
			for window := 250; window < 250+len(character); window++ { // so that cuts fall everywhere
				text := strings.Repeat(character, 4000/len(character))
				short := shortened(t, text, window)
				checkShortened(t, text, short)
				at := leftOut.FindStringIndex(short)
				assert.Zero(t, at[0]%len(character), "the head ends within one")
				assert.Zero(t, (len(short)-at[1])%len(character), "the tail begins within one")
			}
		})
	}
}

func TestFault_UNICODE_InvalidInputIsKept(t *testing.T) {
	text := strings.Repeat("\xff\xfe broken \x80 text ", 300)
	short := shortened(t, text, 250)
	checkShortened(t, text, short)
	assert.True(t, strings.HasPrefix(short, "\xff\xfe broken"))
}

func TestShorteningUsesTheRoom(t *testing.T) {
	for _, window := range []int{200, 500, 2000, 9000} {
		short := shortened(t, strings.Repeat("all work and no play ", 2000), window)
		assert.Greater(t, len(short)/4, (window-100)*9/10, "window %d", window)
	}
}
