package budget

import (
	"math"
	"sort"
	"strings"
	"time"

	"github.com/trimkit/trimkit/core"
)

// MediaCost says what images, sounds and documents cost, as data: another provider is
// another value.
type MediaCost struct {
	Image  ImageCost
	Levels []ImageLevel // what an image costs instead where a detail is asked for
	Rates  []MediaRate  // for everything else; the first whose MIME and Detail fit
}

// ImageCost prices an image by its size in pixels. The image is scaled down, never up, and
// then costs Base, and TileTokens for every tile that it takes to cover it.
type ImageCost struct {
	Base       int     // tokens of every image
	Low        int     // tokens of one with detail "low"; 0: no different
	Fit        int     // longest side after scaling, in pixels; 0: any
	FitShort   int     // longest that the shorter side may be after that; 0: any
	Whole      int     // an image with no longer side is one tile
	Tile       int     // side of a tile in pixels
	TileTokens float64 // of a tile
	TileLeast  int     // smallest side of a tile where Crop makes it smaller
	Crop       float64 // how often a tile's side goes into the shorter side, if Tile is not less; 0: a tile is Tile
	MaxTiles   int     // more tiles, or tokens by area, are not counted, because the image is scaled further instead; 0: any number
	Shrink     bool    // scaling further is exact: to the largest size that has MaxTiles at most
	Pixels     int     // pixels a token, for providers that price by area; then Tile is not used
	Assume     int     // side of the square that an image of unknown size counts as
}

// ImageLevel is the price of images at a detail that a request can ask for, whose name is
// that of [core.Media].
type ImageLevel struct {
	Detail string
	Image  ImageCost
}

// MediaRate prices what has no size in pixels: by its pages or its length in time where its
// data tells, and otherwise by an estimate from its size in bytes, after decoding.
type MediaRate struct {
	MIME    string // a prefix, such as "audio/"; empty: everything
	Detail  string // only where this detail is asked for; empty: any
	Page    int    // tokens a page of a PDF; 0: pages do not count
	Second  int    // tokens a second of sound or video; 0: time does not count
	Bytes   int    // bytes a token
	Least   int    // tokens of the smallest
	Unknown int    // tokens where the size is not known, as behind an address
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
	most := int64(1 << 40)
	if c.MaxTiles > 0 {
		most = int64(c.MaxTiles)
	}
	if c.Pixels > 0 {
		return c.Base + int(min(ceil(w*h, int64(c.Pixels)), most))
	}
	if c.Shrink && c.tiles(w, h) > most {
		w, h = c.shrink(w, h, most)
	}
	return c.Base + int(math.Ceil(float64(min(c.tiles(w, h), most))*c.TileTokens))
}

// tiles returns how many tiles cover an image.
func (c ImageCost) tiles(w, h int64) int64 {
	if max(w, h) <= int64(c.Whole) {
		return 1
	}
	tile := int64(max(c.Tile, 1))
	if c.Crop > 0 {
		tile = max(min(tile, int64(float64(min(w, h))/c.Crop)), int64(c.TileLeast), 1)
	}
	return ceil(w, tile) * ceil(h, tile)
}

// shrink returns the largest size in the same proportions that has no more than most tiles.
func (c ImageCost) shrink(w, h, most int64) (smallerW, smallerH int64) {
	side := max(w, h)
	tooLong := sort.Search(int(side), func(i int) bool {
		fitW, fitH := fit(w, h, side, int64(i)+1)
		return c.tiles(fitW, fitH) > most
	})
	return fit(w, h, side, int64(max(tooLong, 1)))
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
// as an image. Of the data only headers are looked at, and what leads to a PDF's page count.
func (c MediaCost) Tokens(m *core.Media) int {
	if m == nil {
		return c.Image.Tokens(0, 0, "")
	}
	mime, b := openMedia(m)
	if m.Width > 0 && m.Height > 0 && (mime == "" || hasPrefixFold(mime, "image/")) {
		return c.image(m.Width, m.Height, m.Detail)
	}
	return c.price(mime, m.Detail, b)
}

// image prices an image at the detail asked for.
func (c MediaCost) image(width, height int, detail string) int {
	for i := range c.Levels {
		if strings.EqualFold(c.Levels[i].Detail, detail) {
			return c.Levels[i].Image.Tokens(width, height, detail)
		}
	}
	return c.Image.Tokens(width, height, detail)
}

// price prices what b holds. Where the MIME type is empty, the data tells, and what only has
// an address is taken for an image.
func (c MediaCost) price(mime, detail string, b blob) int {
	size := b.size()
	if mime == "" || hasPrefixFold(mime, "image/") {
		width, height := b.dimensions()
		if mime != "" || width > 0 || size == 0 {
			return c.image(width, height, detail)
		}
		mime = b.mime()
	}
	for i := range c.Rates {
		r := &c.Rates[i]
		if hasPrefixFold(mime, r.MIME) && (r.Detail == "" || strings.EqualFold(r.Detail, detail)) {
			return r.tokens(b)
		}
	}
	return c.image(0, 0, detail) // no rate fits: not nothing
}

// tokens prices what b holds by the best measure that its data gives.
func (r *MediaRate) tokens(b blob) int {
	size := b.size()
	if size == 0 {
		return r.Unknown
	}
	if r.Page > 0 {
		if pages := b.pages(); pages > 0 {
			return max(pages*r.Page, r.Least)
		}
	}
	if r.Second > 0 {
		if length := b.length(); length > 0 {
			return max(int(ceil(int64(length/time.Millisecond)*int64(r.Second), 1000)), r.Least)
		}
	}
	return max(int(ceil(int64(size), int64(max(r.Bytes, 1)))), r.Least)
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
