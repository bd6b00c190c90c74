package budget_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

func lookUpMedia(tb testing.TB, model string) budget.MediaCost {
	tb.Helper()
	c, ok := budget.LookupMedia(model)
	require.True(tb, ok, model)
	return c
}

func TestFault_IMAGE_PricesByProvider(t *testing.T) {
	for _, c := range []struct {
		model, name   string
		width, height int
		want          int
	}{
		// Anthropic's documentation, and what its counter said, less the text (published
		// measurements).
		{"claude-opus-4-8", "documented", 1000, 1000, 1296},
		{"claude-opus-4-8", "measured", 256, 256, 100},
		{"claude-opus-4-8", "measured", 512, 512, 361},
		{"claude-opus-4-8", "measured", 1280, 720, 1196},
		{"claude-opus-4-8", "measured", 1920, 1080, 2691},
		{"claude-opus-4-8", "measured", 2000, 1500, 3888},
		{"claude-opus-4-8", "cap, measured about 4,760", 8000, 8000, 4761},
		{"claude-opus-4-8", "one pixel", 1, 1, 1},
		{"claude-opus-4-8", "a line", 1 << 40, 1, 92},
		{"claude-haiku-4-5", "measured", 1024, 1024, 1369},
		{"claude-haiku-4-5", "measured", 1920, 1080, 1560},
		{"claude-haiku-4-5", "measured", 2000, 1125, 1560},
		{"claude-haiku-4-5", "measured", 2000, 1500, 1564},
		{"claude-haiku-4-5", "the documented largest", 784, 1568, 1568},
		{"claude-3-7-sonnet-20250219", "documented", 200, 200, 54},
		{"claude-3-7-sonnet-20250219", "documented", 1000, 1000, 1334},
		{"claude-3-7-sonnet-20250219", "documented", 1092, 1092, 1590},
		{"claude-3-7-sonnet-20250219", "documented cap", 4000, 4000, 1600},
		// Google's documentation; the edges follow from it.
		{"gemini-2.5-pro", "documented", 384, 384, 258},
		{"gemini-2.5-pro", "documented", 960, 540, 6 * 258},
		{"gemini-2.5-pro", "a tile of 256 at least", 385, 100, 2 * 258},
		{"gemini-2.5-pro", "a tile of 768 at most", 3000, 2000, 12 * 258},
		{"gemini-2.5-pro", "no more than 3072", 8000, 8000, 16 * 258},
		{"gemini-2.5-pro", "absurd", 1 << 62, 1 << 62, 16 * 258},
		{"gemini-3-pro", "documented", 256, 256, 1120},
		{"gemini-3-pro", "documented", 4032, 3024, 1120},
		{"gpt-4.1-mini", "OpenAI's are as in the table of models", 1024, 1024, 1659},
	} {
		cost := lookUpMedia(t, c.model)
		for _, m := range []core.Media{{Width: c.width, Height: c.height}, {Width: c.height, Height: c.width}} {
			assert.Equal(t, c.want, cost.Tokens(&m), "%s, %s: %d by %d", c.model, c.name, m.Width, m.Height)
		}
	}
}

// TestFault_IMAGE_Levels has the resolutions that a request can ask for.
func TestFault_IMAGE_Levels(t *testing.T) {
	image := func(detail string) *core.Media { return &core.Media{Width: 960, Height: 540, Detail: detail} }
	document := func(detail string) *core.Media {
		return &core.Media{MIME: "application/pdf", Data: pdfFile(10, ""), Detail: detail}
	}
	for _, c := range []struct {
		model, detail string
		image, pages  int
	}{
		{"gemini-3-pro", "", 1120, 5600},
		{"gemini-3-pro", "low", 280, 2800},
		{"gemini-3-pro", "medium", 560, 5600},
		{"gemini-3-pro", "HIGH", 1120, 11_200},
		{"gemini-3-pro", "ultra_high", 2240, 5600},
		{"gemini-2.5-flash", "", 1548, 2580},
		{"gemini-2.5-flash", "low", 64, 2580},
		{"gemini-2.5-flash", "medium", 256, 2580},
		{"claude-opus-4-8", "low", 700, 32_000},
	} {
		cost := lookUpMedia(t, c.model)
		assert.Equal(t, c.image, cost.Tokens(image(c.detail)), "%s, %q", c.model, c.detail)
		assert.Equal(t, c.pages, cost.Tokens(document(c.detail)), "%s, %q", c.model, c.detail)
	}
}

// TestFault_IMAGE_UnknownIsNotZeroAnywhere says so of every provider, whatever is unknown.
func TestFault_IMAGE_UnknownIsNotZeroAnywhere(t *testing.T) {
	for _, model := range []string{"gpt-4o", "claude-opus-4-8", "claude-haiku-4-5", "claude-3-haiku", "gemini-3-pro", "gemini-2.5-pro"} {
		cost := lookUpMedia(t, model)
		assert.GreaterOrEqual(t, cost.Tokens(nil), 258, model)
		for _, mime := range []string{"", "image/heic", "audio/mpeg", "audio/wav", "video/mp4", "application/pdf", "text/plain", "x/y"} {
			assert.GreaterOrEqual(t, cost.Tokens(&core.Media{MIME: mime, URL: "https://host/a"}), 600, "%s, %q, somewhere", model, mime)
			assert.Positive(t, cost.Tokens(&core.Media{MIME: mime, Data: []byte("?")}), "%s, %q, of one byte", model, mime)
		}
	}
}

func TestLookupMedia(t *testing.T) {
	for name, same := range map[string]string{
		"us.anthropic.claude-haiku-4-5-20251001-v1:0": "claude-haiku-4-5",
		"anthropic/claude-sonnet-4-5@20250929":        "claude-haiku-4-5",
		"claude-opus-4-20250514":                      "claude-haiku-4-5",
		"claude-opus-4-7":                             "claude-opus-4-8",
		"Claude-Opus-5":                               "claude-opus-4-8",
		"anthropic/claude-sonnet-4.5":                 "claude-haiku-4-5",
		"claude-3.5-sonnet":                           "claude-3-7-sonnet-20250219",
		"claude":                                      "claude-opus-4-8",
		"gemini":                                      "gemini-3-pro",
		"models/gemini-2.5-flash-lite":                "gemini-2.5-pro",
		"gemini-3.1-pro-preview":                      "gemini-3-pro",
		"openai/gpt-4o":                               "gpt-4o",
	} {
		assert.Equal(t, lookUpMedia(t, same), lookUpMedia(t, name), name)
	}
	for _, name := range []string{"", "llama-3", "claudette", "geminis"} {
		_, ok := budget.LookupMedia(name)
		assert.False(t, ok, name)
	}
	assert.Equal(t, budget.AnthropicMedia(), lookUpMedia(t, "claude-opus-4-8"))
	assert.Equal(t, budget.GeminiMedia(), lookUpMedia(t, "gemini-3-pro"))

	image := core.Part{Kind: core.KindMedia, Media: &core.Media{Width: 1000, Height: 1000}}
	letters := budget.CounterFunc(func(s string) int { return len(s) })
	assert.Equal(t, 1296, budget.NewMeter(letters, budget.WithMedia(budget.AnthropicMedia())).Part(&image))
	assert.Equal(t, 1120, budget.NewMeter(letters, budget.WithMedia(budget.GeminiMedia())).Part(&image))
}

// TestModelChoosesMedia says that a model's media cost what its provider takes, whoever
// counts the texts.
func TestModelChoosesMedia(t *testing.T) {
	letters := budget.CounterFunc(func(s string) int { return len(s) })
	image := core.Part{Kind: core.KindMedia, Media: &core.Media{Width: 1000, Height: 1000}}
	low := core.Part{Kind: core.KindMedia, Media: &core.Media{Width: 1000, Height: 1000, Detail: "low"}}
	pages := core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "application/pdf", Data: pdfFile(10, "")}}
	for _, c := range []struct {
		model             budget.ModelInfo
		image, low, pages int
	}{
		{budget.ModelInfo{Name: "claude-opus-4-8"}, 1296, 1296, 32_000},
		{budget.ModelInfo{Name: "anthropic/claude-3-haiku"}, 1334, 1334, 32_000},
		{budget.ModelInfo{Name: "gemini-3-pro"}, 1120, 280, 5600},
		{budget.ModelInfo{Name: "gemini-2.5-flash"}, 4 * 258, 64, 2580},
		{budget.ModelInfo{Name: "gpt-4o"}, 765, 85, 15_000},
		{budget.ModelInfo{Name: "llama-4"}, 765, 85, 15_000},
		{budget.ModelInfo{Name: "gemini-3-pro", Image: budget.ImageCost{Base: 7}}, 7, 7, 5600},
	} {
		m := budget.NewMeter(&budget.Model{ModelInfo: c.model, Counter: letters})
		assert.Equal(t, []int{c.image, c.low, c.pages}, []int{m.Part(&image), m.Part(&low), m.Part(&pages)}, c.model.Name)
	}
	info, err := budget.LookupModel("gpt-4.1-mini")
	require.NoError(t, err)
	assert.Equal(t, lookUpMedia(t, "gpt-4.1-mini"), info.Media())
}
