package budget

import (
	"math"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// MediaCost says what images, sounds and documents cost, as data: another provider is
// another value.
type MediaCost struct {
	Image ImageCost
	Rates []MediaRate // for everything else; the first whose MIME fits
}

// ImageCost prices an image by its size in pixels. The image is scaled down, never up, and
// then costs Base, and TileTokens for every tile that it takes to cover it.
type ImageCost struct {
	Base       int     // tokens of every image
	Low        int     // tokens of one with detail "low"; 0: no different
	Fit        int     // longest side after scaling, in pixels; 0: any
	FitShort   int     // longest that the shorter side may be after that; 0: any
	Tile       int     // side of a tile in pixels
	TileTokens float64 // of a tile
	MaxTiles   int     // more are not counted, because the image is scaled further instead; 0: any number
	Pixels     int     // pixels a token, for providers that price by area; then Tile is not used
	Assume     int     // side of the square that an image of unknown size counts as
}

// MediaRate estimates what has no size in pixels by its size in bytes, after decoding.
type MediaRate struct {
	MIME    string // a prefix, such as "audio/"; empty: everything
	Bytes   int    // bytes a token
	Least   int    // tokens of the smallest
	Unknown int    // tokens where the size is not known, as behind an address
}

// OpenAIMedia returns what OpenAI's gpt-4o charges for images, and estimates of the rest.
// They would rather be too high. Sound is a token for a tenth of a second, taken as 16
// kilobyte a second where it is not compressed and 4 where it is. A PDF is read as text and
// as an image of every page, together about 1,500 tokens; a page is taken as 48 kilobyte.
func OpenAIMedia() MediaCost {
	return MediaCost{
		Image: tiles(85, 170),
		Rates: []MediaRate{
			{MIME: "audio/wav", Bytes: 1600, Least: 10, Unknown: 600},
			{MIME: "audio/x-wav", Bytes: 1600, Least: 10, Unknown: 600},
			{MIME: "audio/pcm", Bytes: 1600, Least: 10, Unknown: 600},
			{MIME: "audio/", Bytes: 400, Least: 10, Unknown: 600},
			{MIME: "application/pdf", Bytes: 32, Least: 1500, Unknown: 15_000},
			{MIME: "text/", Bytes: 3, Least: 1, Unknown: 5_000},
			{MIME: "application/json", Bytes: 3, Least: 1, Unknown: 5_000},
			{MIME: "video/", Bytes: 480, Least: 260, Unknown: 15_000},
			{Bytes: 32, Least: 100, Unknown: 5_000},
		},
	}
}

// Tokens returns what an image costs; a width or height of 0 is unknown.
func (c ImageCost) Tokens(width, height int, detail string) int {
	if c.Low > 0 && detail == "low" {
		return c.Low
	}
	if width <= 0 || height <= 0 {
		width, height = c.Assume, c.Assume
	}
	const largest = 1 << 31 // keeps the products below within 64 bits
	w, h := min(int64(width), largest), min(int64(height), largest)
	w, h = fit(w, h, max(w, h), int64(c.Fit))
	w, h = fit(w, h, min(w, h), int64(c.FitShort))
	if c.Pixels > 0 {
		return c.Base + int(ceil(w*h, int64(c.Pixels)))
	}
	tile := int64(max(c.Tile, 1))
	most := int64(1 << 40)
	if c.MaxTiles > 0 {
		most = int64(c.MaxTiles)
	}
	n := min(ceil(w, tile)*ceil(h, tile), most)
	return c.Base + int(math.Ceil(float64(n)*c.TileTokens))
}

// fit scales w and h so that side, one of them, becomes at most limit. It rounds to the
// nearest pixel, as OpenAI does: 2049 by 513 is billed as two rows of tiles, 2050 by 513 as
// one.
func fit(w, h, side, limit int64) (fitW, fitH int64) {
	if limit <= 0 || side <= limit {
		return w, h
	}
	return max((w*limit+side/2)/side, 1), max((h*limit+side/2)/side, 1)
}

func ceil(n, by int64) int64 { return (n + by - 1) / by }

// Tokens returns what a medium costs; nil is one that nothing is known of, which is priced
// as an image. Of the data only the header is looked at.
func (c MediaCost) Tokens(m *core.Media) int {
	if m == nil {
		return c.Image.Tokens(0, 0, "")
	}
	mime, b := openMedia(m)
	if m.Width > 0 && m.Height > 0 && (mime == "" || hasPrefixFold(mime, "image/")) {
		return c.Image.Tokens(m.Width, m.Height, m.Detail)
	}
	return c.price(mime, m.Detail, b)
}

// price prices what b holds. Where the MIME type is empty, the data tells, and what only has
// an address is taken for an image.
func (c MediaCost) price(mime, detail string, b blob) int {
	size := b.size()
	if mime == "" || hasPrefixFold(mime, "image/") {
		width, height := b.dimensions()
		if mime != "" || width > 0 || size == 0 {
			return c.Image.Tokens(width, height, detail)
		}
	}
	if mime == "" && b.has("%PDF-") {
		mime = "application/pdf"
	}
	for _, r := range c.Rates {
		switch {
		case !hasPrefixFold(mime, r.MIME):
		case size == 0:
			return r.Unknown
		default:
			return max(int(ceil(int64(size), int64(max(r.Bytes, 1)))), r.Least)
		}
	}
	return c.Image.Tokens(0, 0, detail) // no rate fits: not nothing
}

// openMedia returns the MIME type of a medium, and its data where that is at hand.
func openMedia(m *core.Media) (string, blob) {
	if len(m.Data) > 0 {
		return m.MIME, blob{raw: m.Data}
	}
	mime, b, ok := openURI(m.URL)
	if !ok {
		return m.MIME, blob{}
	}
	if m.MIME != "" {
		mime = m.MIME
	}
	return mime, b
}

// openURI takes a data URI apart.
func openURI(uri string) (mime string, b blob, ok bool) {
	if !hasPrefixFold(uri, "data:") {
		return "", blob{}, false
	}
	head, data, ok := strings.Cut(uri[len("data:"):], ",")
	if !ok {
		return "", blob{}, false
	}
	mime, _, _ = strings.Cut(head, ";")
	if strings.HasSuffix(strings.TrimSpace(head), ";base64") {
		return mime, newBase64(data), true
	}
	return mime, blob{plain: data}, true
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
