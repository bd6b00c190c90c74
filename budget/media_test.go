package budget_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

func picture(width, height int) image.Image {
	p := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
	for i := range p.Pix {
		p.Pix[i] = byte(i * 7 % 11 & 1)
	}
	return p
}

func pngImage(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, png.Encode(&b, picture(width, height)))
	return b.Bytes()
}

func gifImage(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, gif.Encode(&b, picture(width, height), nil))
	return b.Bytes()
}

func jpegImage(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, jpeg.Encode(&b, picture(width, height), nil))
	return b.Bytes()
}

// withMetadata puts blocks of 64 kilobyte before the frame of a JPEG, as cameras do.
func withMetadata(jpeg []byte, blocks int) []byte {
	out := append([]byte{}, jpeg[:2]...)
	for range blocks {
		out = append(out, 0xff, 0xe1, 0xff, 0xff)
		out = append(out, make([]byte, 0xffff-2)...)
	}
	return append(out, jpeg[2:]...)
}

// webpImage makes the header of a WebP file, which is all that is read of one.
func webpImage(chunk string, width, height int) []byte {
	h := append([]byte("RIFF\x00\x00\x00\x00WEBP"+chunk), make([]byte, 20)...)
	switch chunk {
	case "VP8 ":
		copy(h[23:], "\x9d\x01\x2a")
		binary.LittleEndian.PutUint16(h[26:], uint16(width)|0x4000) // the upper bits scale
		binary.LittleEndian.PutUint16(h[28:], uint16(height)|0x8000)
	case "VP8L":
		h[20] = 0x2f
		binary.LittleEndian.PutUint32(h[21:], uint32(width-1)|uint32(height-1)<<14|1<<28)
	case "VP8X":
		binary.LittleEndian.PutUint32(h[24:], uint32(width-1))
		h[27], h[28], h[29] = byte(height-1), byte((height-1)>>8), byte((height-1)>>16)
	}
	return h
}

func encode(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

func TestFault_IMAGE_Prices(t *testing.T) {
	price := func(name string) budget.ImageCost {
		info, err := budget.LookupModel(name)
		require.NoError(t, err)
		return info.Image
	}
	anthropic := budget.ImageCost{Fit: 1568, Pixels: 750, Assume: 1024}
	for _, c := range []struct {
		name          string
		cost          budget.ImageCost
		width, height int
		detail        string
		want          int
	}{
		// OpenAI's documentation.
		{"square", price("gpt-4o"), 1024, 1024, "high", 765},
		{"large", price("gpt-4o"), 2048, 4096, "high", 1105},
		{"low", price("gpt-4o"), 4096, 8192, "low", 85},
		{"patches", price("gpt-4.1-mini"), 1024, 1024, "", 1659},
		// Bills that users published, less the text.
		{"tiny", price("gpt-4o"), 128, 64, "high", 255},
		{"tiny, mini", price("gpt-4o-mini"), 128, 64, "high", 8500},
		{"tiny, low, mini", price("gpt-4o-mini"), 128, 64, "low", 2833},
		{"tiny, o3", price("o3"), 128, 64, "high", 225},
		{"tiny, o4-mini", price("o4-mini"), 128, 64, "low", 14},
		{"rounded up", price("gpt-4.1"), 2049, 513, "", 1445},
		{"rounded down", price("gpt-4.1"), 2050, 513, "", 765},
		{"most patches", price("gpt-4.1-mini"), 4000, 1474, "", 2489},
		// Edges.
		{"auto is high", price("gpt-4o"), 1024, 1024, "auto", 765},
		{"one pixel", price("gpt-4o"), 1, 1, "", 255},
		{"never scaled up", price("gpt-4o"), 512, 512, "", 255},
		{"a line", price("gpt-4o"), 1 << 30, 1, "", 85 + 4*170},
		{"absurd", price("gpt-4o"), 1 << 62, 1 << 62, "", 765},
		{"size unknown", price("gpt-4o"), 0, 0, "", 765},
		{"half of it unknown", price("gpt-4o"), 3000, 0, "", 765},
		{"negative", price("gpt-4o"), -1, -1, "", 765},
		{"by area", anthropic, 1000, 750, "", 1000},
		{"by area, scaled", anthropic, 3136, 1500, "", 1568},
		{"nothing set", budget.ImageCost{}, 1 << 40, 1 << 40, "", 0},
	} {
		assert.Equal(t, c.want, c.cost.Tokens(c.width, c.height, c.detail), c.name)
		if c.detail != "low" && c.width > 0 && c.height > 0 {
			assert.Equal(t, c.want, c.cost.Tokens(c.height, c.width, c.detail), "%s: turned", c.name)
		}
	}
}

func TestFault_IMAGE_SizeFromHeader(t *testing.T) {
	jpeg := jpegImage(t, 1200, 900)
	for name, data := range map[string][]byte{
		"png":                   pngImage(t, 1200, 900),
		"gif":                   gifImage(t, 1200, 900),
		"jpeg":                  jpeg,
		"jpeg with metadata":    withMetadata(jpeg, 3),
		"jpeg with padding":     append([]byte{0xff, 0xd8, 0xff, 0xff, 0xff}, jpeg[3:]...),
		"webp, lossy":           webpImage("VP8 ", 1200, 900),
		"webp, lossless":        webpImage("VP8L", 1200, 900),
		"webp, extended":        webpImage("VP8X", 1200, 900),
		"png, nothing but that": pngImage(t, 1200, 900)[:24],
	} {
		text := encode(data)
		for form, s := range map[string]string{
			"standard": text,
			"url":      base64.URLEncoding.EncodeToString(data),
			"no pad":   base64.RawStdEncoding.EncodeToString(data),
			"lines":    lines(text, "\n"),
			"crlf":     lines(text, "\r\n"),
			"data":     string(data),
		} {
			read := budget.Dimensions
			if form == "data" {
				read = budget.DimensionsOf
			}
			w, h := read(s)
			assert.Equal(t, [2]int{1200, 900}, [2]int{w, h}, "%s, %s", name, form)
		}
		cost := budget.OpenAIMedia()
		want := cost.Image.Tokens(1200, 900, "")
		for form, m := range map[string]core.Media{
			"uri":                 {URL: "data:image/x;base64," + text},
			"uri with parameters": {URL: "data:image/x;name=a;base64," + text},
			"uri in upper case":   {URL: "DATA:image/x;base64," + text},
			"uri without a type":  {URL: "data:;base64," + text},
			"data":                {MIME: "image/x", Data: data},
			"data without a type": {Data: data},
			"type in capitals":    {MIME: "Image/X", Data: data},
			"size given":          {MIME: "image/x", URL: "https://host", Width: 1200, Height: 900},
		} {
			assert.Equal(t, want, cost.Tokens(&m), "%s, %s", name, form)
		}
	}
}

func lines(s, end string) string {
	var b strings.Builder
	for len(s) > 76 {
		b.WriteString(s[:76] + end)
		s = s[76:]
	}
	return b.String() + s + end
}

func TestFault_IMAGE_NotByItsBase64(t *testing.T) {
	m := budget.NewMeter(model(t, "gpt-4o"))
	noise := append(pngImage(t, 512, 512), bytes.Repeat([]byte("noise and more"), 10_000)...)
	uri := "data:image/png;base64," + encode(noise)
	for name, p := range map[string]core.Part{
		"media":               {Kind: core.KindMedia, Media: &core.Media{URL: uri}},
		"opaque":              {Kind: core.KindOpaque, Text: uri},
		"opaque, bare base64": {Kind: core.KindOpaque, Text: encode(noise)},
		"media of no type":    {Kind: core.KindMedia, Text: uri},
		"text of a medium":    {Kind: core.KindMedia, Media: &core.Media{URL: uri}, Text: uri},
		"result's image":      {Kind: core.KindToolResult, Media: &core.Media{MIME: "image/png", Data: noise}},
	} {
		n := m.Part(&p)
		assert.GreaterOrEqual(t, n, 255, "%s: an image is not free", name)
		assert.LessOrEqual(t, n, 255+budget.OpenAIOverhead().Result, "%s: not text", name)
	}

	block := `{"type":"image","source":{"media_type":"image/png","data":"` + encode(noise) + `"},"note":"see ` + uri + ` there"}`
	without := strings.ReplaceAll(strings.ReplaceAll(block, uri, ""), encode(noise), "")
	n := m.Part(&core.Part{Kind: core.KindOpaque, Text: block})
	assert.InDelta(t, 2*255+m.Count(without), n, 4, "both images, and the text around them")

	assert.Greater(t, m.Part(&core.Part{Text: uri}), 10_000, "in a text it is text")
	assert.Greater(t, m.Part(&core.Part{Kind: core.KindToolResult, Text: uri}), 10_000, "and in a result's text")
}

func TestFault_IMAGE_UnknownIsNotZero(t *testing.T) {
	cost := budget.OpenAIMedia()
	for name, m := range map[string]*core.Media{
		"nothing":                nil,
		"empty":                  {},
		"address":                {URL: "https://host/picture"},
		"address and type":       {MIME: "image/heic", URL: "https://host/picture"},
		"no header":              {MIME: "image/png", Data: []byte("not a png")},
		"cut short":              {MIME: "image/png", Data: pngImage(t, 9, 9)[:12]},
		"no sides":               {MIME: "image/png", Data: append(append([]byte{}, pngImage(t, 9, 9)[:16]...), make([]byte, 8)...)},
		"jpeg without a frame":   {MIME: "image/jpeg", Data: []byte("\xff\xd8\xff\xd9")},
		"jpeg that never ends":   {MIME: "image/jpeg", Data: append([]byte("\xff\xd8"), bytes.Repeat([]byte{0xff}, 1<<21)...)},
		"jpeg of empty segments": {MIME: "image/jpeg", Data: append([]byte("\xff\xd8"), bytes.Repeat([]byte{0xff, 0xe0, 0, 0}, 1<<19)...)},
		"no base64":              {URL: "data:image/png;base64,%%%%"},
		"no comma":               {MIME: "image/png", URL: "data:image/png"},
		"an svg":                 {URL: "data:image/svg+xml,<svg/>"},
	} {
		assert.Equal(t, 765, cost.Tokens(m), name)
	}
}

func TestMediaRates(t *testing.T) {
	cost := budget.OpenAIMedia()
	kb := func(n int) []byte { return append([]byte("%PDF-"), make([]byte, n<<10)...) }
	for _, c := range []struct {
		name  string
		media core.Media
		want  int
	}{
		{"ten seconds of telephone", core.Media{MIME: "audio/wav", Data: make([]byte, 160_000)}, 100},
		{"a minute of compressed sound", core.Media{MIME: "audio/mp3", Data: make([]byte, 240_000)}, 600},
		{"a click", core.Media{MIME: "audio/mp3", Data: make([]byte, 3)}, 10},
		{"sound somewhere", core.Media{MIME: "audio/mp3", URL: "https://host/a"}, 600},
		{"pdf", core.Media{MIME: "application/pdf", Data: kb(480)}, 15_361},
		{"pdf without a type", core.Media{Data: kb(480)}, 15_361},
		{"pdf in base64", core.Media{URL: "data:application/pdf;base64," + encode(kb(480))}, 15_361},
		{"small pdf", core.Media{MIME: "application/pdf", Data: kb(1)}, 1500},
		{"text", core.Media{URL: "data:text/plain,hello%20world!!"}, 5},
		{"anything", core.Media{MIME: "application/zip", Data: make([]byte, 32_000)}, 1000},
		{"anything somewhere", core.Media{MIME: "application/zip", URL: "file:///x"}, 5000},
		{"data of no type", core.Media{Data: make([]byte, 32_000)}, 1000},
		{"a width makes no image of sound", core.Media{MIME: "audio/wav", Data: make([]byte, 160_000), Width: 9, Height: 9}, 100},
	} {
		assert.Equal(t, c.want, cost.Tokens(&c.media), c.name)
	}
	assert.Equal(t, 765, budget.MediaCost{Image: cost.Image}.Tokens(&core.Media{MIME: "x/y", URL: "z"}), "no rate fits")
}

func TestFault_COUNT_EncryptedReasoning(t *testing.T) {
	m := budget.NewMeter(model(t, "gpt-4o"))
	noise := make([]byte, 30_000)
	for i := range noise {
		noise[i] = byte(i * i * 31 >> 3)
	}
	sealed := core.Part{Kind: core.KindReasoning, Signed: true, Text: encode(noise)}
	asText := m.Count(sealed.Text)
	assert.Equal(t, 7500, m.Part(&sealed))
	assert.Less(t, 7500, asText/2)

	words := strings.Repeat("The tests fail because the path is relative. ", 200)
	for name, text := range map[string]string{
		"words":           words,
		"a short one":     encode(noise[:60]),
		"Han":             strings.Repeat("漢", 500),
		"words and noise": words + encode(noise[:300]),
	} {
		assert.Equal(t, m.Count(text), m.Part(&core.Part{Kind: core.KindReasoning, Signed: true, Text: text}), name)
	}
}

// FuzzDimensions compares what is read of a header with the standard library, as data and as
// base64.
func FuzzDimensions(f *testing.F) {
	f.Add(pngImage(f, 7, 5))
	f.Add(gifImage(f, 7, 5))
	f.Add(jpegImage(f, 7, 5))
	f.Add(withMetadata(jpegImage(f, 7, 5), 1))
	for _, chunk := range []string{"VP8 ", "VP8L", "VP8X"} {
		f.Add(webpImage(chunk, 7, 5))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w, h := budget.DimensionsOf(string(data))
		encodedW, encodedH := budget.Dimensions(encode(data))
		require.Equal(t, [2]int{w, h}, [2]int{encodedW, encodedH})
		config, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err == nil && w > 0 {
			require.Equal(t, [2]int{config.Width, config.Height}, [2]int{w, h})
		}
		for _, cost := range []budget.MediaCost{budget.OpenAIMedia(), budget.AnthropicMedia(), budget.GeminiMedia()} {
			require.Positive(t, cost.Tokens(&core.Media{Data: data, MIME: "image/png"}))
		}
		budget.Dimensions(string(data))
	})
}
