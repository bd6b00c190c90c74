package budget

import "strings"

// OpenAIMedia returns what OpenAI's gpt-4o charges for images, and estimates of the rest.
// They would rather be too high.
//
//   - Sound is a token for a tenth of a second (OpenAI, "Managing costs" of the Realtime
//     API). Where its length cannot be told it is taken as 16 kilobyte a second if it is not
//     compressed, and 4 if it is.
//   - A PDF is read as text and as an image of every page ("File inputs"); what that makes a
//     page is not published. It is taken as 1,500 tokens, the 765 of the image and a page of
//     text, and where the pages cannot be counted, as 48 kilobyte.
func OpenAIMedia() MediaCost {
	return MediaCost{
		Image: tiles(85, 170),
		Rates: rest(
			MediaRate{MIME: "audio/wav", Second: 10, Bytes: 1600, Least: 10, Unknown: 600},
			MediaRate{MIME: "audio/x-wav", Second: 10, Bytes: 1600, Least: 10, Unknown: 600},
			MediaRate{MIME: "audio/pcm", Bytes: 1600, Least: 10, Unknown: 600},
			MediaRate{MIME: "audio/", Second: 10, Bytes: 400, Least: 10, Unknown: 600},
			MediaRate{MIME: pdf, Page: 1500, Bytes: 32, Least: 1500, Unknown: 15_000},
			MediaRate{MIME: "video/", Bytes: 480, Least: 260, Unknown: 15_000},
		),
	}
}

// AnthropicMedia returns what Claude takes from Opus 4.7 on; [LookupMedia] has older models.
//
//   - An image is a token for every square of 28 pixels, after scaling down to 2,576 pixels
//     on the longer side and 4,784 tokens (Anthropic, "Vision").
//   - A PDF's page is an image and its text, which is 1,500 to 3,000 tokens a page
//     ("PDF support"). Measured with the provider's counter were, image included, 1,520 for
//     a scan, 2,300 for text and 3,150 for dense text: a page is taken as 3,200, and where
//     the pages cannot be counted, as 48 kilobyte.
//   - Sound and video it does not read; what is there anyhow is estimated by size.
func AnthropicMedia() MediaCost { return claude(patches28(2576, 4784)) }

// GeminiMedia returns what Gemini takes from version 3 on; [LookupMedia] has older models.
//
//   - An image is 1,120 tokens whatever its size; 280, 560 and 2,240 at media resolution
//     low, medium and ultra high (Google, "Media resolution", which calls these maxima).
//   - A PDF's page is 560 tokens, 280 at low and 1,120 at high; its text is not charged.
//   - Sound is 32 tokens a second ("Understand and count tokens").
//   - Video is a frame a second of 70 tokens, at high 280, and its sound.
func GeminiMedia() MediaCost {
	return MediaCost{
		Image: fixed(1120),
		Levels: []ImageLevel{
			{Detail: "low", Image: fixed(280)},
			{Detail: "medium", Image: fixed(560)},
			{Detail: "ultra_high", Image: fixed(2240)},
		},
		Rates: rest(append(geminiSound(),
			MediaRate{MIME: pdf, Detail: "low", Page: 280, Bytes: 160, Least: 280, Unknown: 2_800},
			MediaRate{MIME: pdf, Detail: "high", Page: 1120, Bytes: 40, Least: 1120, Unknown: 11_200},
			MediaRate{MIME: pdf, Page: 560, Bytes: 80, Least: 560, Unknown: 5_600},
			MediaRate{MIME: "video/", Detail: "high", Second: 312, Bytes: 400, Least: 312, Unknown: 18_720},
			MediaRate{MIME: "video/", Second: 102, Bytes: 1200, Least: 102, Unknown: 6_120},
		)...),
	}
}

// gemini2 is what Gemini takes up to version 2.5.
//
//   - An image of at most 384 pixels on both sides is 258 tokens. A larger one is cut into
//     tiles of 258 tokens, whose side is the shorter side of the image divided by 1.5, within
//     256 and 768 pixels, after scaling down to 3,072 ("Image understanding"). Media
//     resolution low is 64 tokens, medium 256 (reference of MediaResolution).
//   - A PDF's page is 258 tokens ("Document understanding").
//   - Sound is 32 tokens a second, video about 300, at low 100 ("Video understanding").
func gemini2() MediaCost {
	return MediaCost{
		Image: ImageCost{
			Fit: 3072, Whole: 384, Tile: 768, TileTokens: 258, TileLeast: 256, Crop: 1.5, Assume: 1024,
		},
		Levels: []ImageLevel{
			{Detail: "low", Image: fixed(64)},
			{Detail: "medium", Image: fixed(256)},
		},
		Rates: rest(append(geminiSound(),
			MediaRate{MIME: pdf, Page: 258, Bytes: 186, Least: 258, Unknown: 2_580},
			MediaRate{MIME: "video/", Detail: "low", Second: 100, Bytes: 1250, Least: 100, Unknown: 6_000},
			MediaRate{MIME: "video/", Second: 300, Bytes: 416, Least: 300, Unknown: 18_000},
		)...),
	}
}

const pdf = "application/pdf"

// geminiSound is 32 tokens a second, which are 16 and 4 kilobyte as for [OpenAIMedia].
func geminiSound() []MediaRate {
	return []MediaRate{
		{MIME: "audio/wav", Second: 32, Bytes: 500, Least: 32, Unknown: 1_920},
		{MIME: "audio/x-wav", Second: 32, Bytes: 500, Least: 32, Unknown: 1_920},
		{MIME: "audio/pcm", Bytes: 500, Least: 32, Unknown: 1_920},
		{MIME: "audio/", Second: 32, Bytes: 125, Least: 32, Unknown: 1_920},
	}
}

// claude is a Claude model by what its images cost.
func claude(image ImageCost) MediaCost {
	return MediaCost{
		Image: image,
		Rates: rest(MediaRate{MIME: pdf, Page: 3200, Bytes: 15, Least: 3200, Unknown: 32_000}),
	}
}

// claude45 has the caps of the models before Opus 4.7, in the same document as theirs.
func claude45() MediaCost { return claude(patches28(1568, 1568)) }

// claude3 is what Anthropic documented until it named the patches: an area in pixels by 750,
// up to 1,568 pixels on the longer side and about 1,600 tokens.
func claude3() MediaCost {
	return claude(ImageCost{Fit: 1568, Pixels: 750, MaxTiles: 1600, Assume: 1568})
}

// patches28 is how Claude sees: a token for every square of 28 pixels, and an image that has
// more of them than most is scaled down to what just has not.
func patches28(longest, most int) ImageCost {
	return ImageCost{Fit: longest, Tile: 28, TileTokens: 1, MaxTiles: most, Shrink: true, Assume: 1568}
}

// fixed is a price that does not depend on the size.
func fixed(tokens int) ImageCost { return ImageCost{Base: tokens} }

// rest adds to a provider's rates those of texts, and of everything else.
func rest(rates ...MediaRate) []MediaRate {
	return append(rates,
		MediaRate{MIME: "text/", Bytes: 3, Least: 1, Unknown: 5_000},
		MediaRate{MIME: "application/json", Bytes: 3, Least: 1, Unknown: 5_000},
		MediaRate{Bytes: 32, Least: 100, Unknown: 5_000},
	)
}

// mediaModels says which models that the table of models does not have see how. Among the
// prefixes that match a name the longest wins; a family's next version is taken for the
// newest known, which costs most.
var mediaModels = []struct {
	prefix string
	cost   func() MediaCost
}{
	{"claude", AnthropicMedia},
	{"claude-3", claude3},
	{"claude-opus-4-0", claude45},
	{"claude-opus-4-1", claude45},
	{"claude-opus-4-20250514", claude45},
	{"claude-opus-4-5", claude45},
	{"claude-opus-4-6", claude45},
	{"claude-sonnet-4-0", claude45},
	{"claude-sonnet-4-20250514", claude45},
	{"claude-sonnet-4-5", claude45},
	{"claude-sonnet-4-6", claude45},
	{"claude-haiku-4-5", claude45},
	{"gemini", GeminiMedia},
	{"gemini-1.5", gemini2},
	{"gemini-2.0", gemini2},
	{"gemini-2.5", gemini2},
}

// LookupMedia returns what media cost a model of OpenAI, Anthropic or Google, for
// [WithMedia]; false: the model is not known. Names are understood as by [ForModel], and
// those of Bedrock, such as "us.anthropic.claude-haiku-4-5-20251001-v1:0", and of services
// that write "claude-haiku-4.5". "claude" and "gemini" alone are their newest models.
func LookupMedia(model string) (MediaCost, bool) {
	if info, err := LookupModel(model); err == nil {
		c := OpenAIMedia()
		c.Image = info.Image
		return c, true
	}
	name := baseName(model)
	if _, bedrock, ok := strings.Cut(name, "anthropic."); ok {
		name = bedrock
	}
	if strings.HasPrefix(name, "claude") {
		name = strings.ReplaceAll(name, ".", "-")
	}
	best := -1
	for i := range mediaModels {
		if matches(name, mediaModels[i].prefix) && (best < 0 || len(mediaModels[i].prefix) > len(mediaModels[best].prefix)) {
			best = i
		}
	}
	if best < 0 {
		return MediaCost{}, false
	}
	return mediaModels[best].cost(), true
}

// Media returns what media cost the model: what its provider takes, by its name; Image, if it
// is set, for images of every detail. A model that is not known is taken for one of OpenAI's.
func (m ModelInfo) Media() MediaCost {
	c, ok := LookupMedia(m.Name)
	if !ok {
		c = OpenAIMedia()
	}
	if m.Image != (ImageCost{}) {
		c.Image, c.Levels = m.Image, nil
	}
	return c
}
