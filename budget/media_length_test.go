package budget_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// pdfFile makes a PDF of so many pages, of which the count is real and the pages are not.
// What is given as count stands in its place.
func pdfFile(pages int, count string) []byte {
	if count == "" {
		count = fmt.Sprint(pages)
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	places := []int{0}
	object := func(text string) {
		places = append(places, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(places)-1, text)
	}
	object("<< /Type /Catalog /PageLabels 9 0 R /Pages 3 0 R >>")
	object("<< /Count 99999 >>\nstream\n" + strings.Repeat("noise of a page ", 8*pages) + "\nendstream")
	object("<< /Type /Pages /Kids [" + strings.Repeat("4 0 R ", pages) + "] /Count " + count + " >>")
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(places))
	for _, place := range places[1:] {
		fmt.Fprintf(&b, "%010d 00000 n \n", place)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", table)
	return b.Bytes()
}

// changed appends a change to a PDF: another root of its pages.
func changed(file []byte, count int) []byte {
	old := bytes.LastIndex(file, []byte("xref\n0"))
	b := bytes.NewBuffer(bytes.Clone(file))
	root := b.Len()
	fmt.Fprintf(b, "3 0 obj\n<</Kids[]/Count %d>>\nendobj\n", count)
	table := b.Len()
	fmt.Fprintf(b, "xref\r\n3 1\r\n%010d 00000 n\r\ntrailer <</Root 1 0 R/Prev %d>>\r\nstartxref\r\n%d\r\n%%%%EOF", root, old, table)
	return b.Bytes()
}

// linearized makes the beginning of a PDF for the web.
func linearized(pages, off int) []byte {
	const size = 20_000
	head := fmt.Sprintf("%%PDF-1.7\n%%\xe2\xe3\n1 0 obj\n<</Linearized 1/L %d/O 9/E 999/N %d/T 888/H [ 1 2 ]>>\nendobj\n", size+off, pages)
	return append([]byte(head), make([]byte, size-len(head))...)
}

func TestFault_IMAGE_PagesOfPDF(t *testing.T) {
	const unknown = -1
	cost := budget.MediaCost{Rates: []budget.MediaRate{{MIME: "application/pdf", Page: 1000, Bytes: 1 << 40, Least: 7}}}
	loop := []byte("%PDF-1.4\nxref\n0 0\ntrailer\n<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF")
	for _, c := range []struct {
		name string
		data []byte
		want int
	}{
		{"one", pdfFile(1, ""), 1},
		{"many", pdfFile(400, ""), 400},
		{"a list of all pages before the count", pdfFile(3000, ""), 3000},
		{"a list too long to look through", pdfFile(12_000, ""), unknown},
		{"changed", changed(pdfFile(20, ""), 12), 12},
		{"changed twice", changed(changed(pdfFile(20, ""), 12), 15), 15},
		{"for the web", linearized(30, 0), 30},
		{"for the web, changed since", linearized(30, 5), unknown},
		{"a count that is elsewhere", pdfFile(5, "7 0 R"), unknown},
		{"a count that the bytes cannot hold", pdfFile(5, "4000000000"), unknown},
		{"a count below 0", pdfFile(5, "-3"), unknown},
		{"no count", pdfFile(5, "many"), unknown},
		{"no end", pdfFile(5, "")[:700], unknown},
		{"nothing but a beginning", []byte("%PDF-1.4"), unknown},
		{"tables in a circle", loop, unknown},
		{"a table somewhere else", bytes.Replace(pdfFile(5, ""), []byte("xref\n0"), []byte("xxxx\n0"), 1), unknown},
		{"no PDF", []byte("PK\x03\x04"), unknown},
	} {
		want := c.want * 1000
		if c.want == unknown {
			want = 7
		}
		text := encode(c.data)
		for form, m := range map[string]core.Media{
			"data":   {MIME: "application/pdf", Data: c.data},
			"base64": {URL: "data:application/pdf;base64," + text},
			"no pad": {URL: "data:application/pdf;base64," + base64.RawURLEncoding.EncodeToString(c.data)},
		} {
			assert.Equal(t, want, cost.Tokens(&m), "%s, %s", c.name, form)
		}
	}
	lines := core.Media{URL: "data:application/pdf;base64," + lines(encode(pdfFile(400, "")), "\r\n")}
	assert.Positive(t, cost.Tokens(&lines), "with line breaks it is pages or bytes")
}

// wavFile makes the header of a WAV file and so many bytes of sound.
func wavFile(perSecond uint32, sound int, says uint32) []byte {
	le := binary.LittleEndian
	h := []byte("RIFF\x00\x00\x00\x00WAVEJUNK\x03\x00\x00\x00abc\x00fmt \x10\x00\x00\x00\x01\x00\x01\x00")
	h = le.AppendUint32(h, perSecond/2)
	h = le.AppendUint32(h, perSecond)
	h = append(h, "\x02\x00\x10\x00data"...)
	h = le.AppendUint32(h, says)
	return append(h, make([]byte, sound)...)
}

// mp3File makes the header of the first frame of an MP3 file, and the rest.
func mp3File(header, vbr string, at, size int) []byte {
	f := make([]byte, size)
	copy(f, header)
	copy(f[at:], vbr)
	return f
}

// box makes a part of an MP4 file.
func box(name string, content []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), name+string(content)...)
}

func mp4File(version byte, unit uint32, length uint64) []byte {
	be := binary.BigEndian
	head := []byte{version, 0, 0, 0}
	if version == 1 {
		head = be.AppendUint64(be.AppendUint32(append(head, make([]byte, 16)...), unit), length)
	} else {
		head = be.AppendUint32(be.AppendUint32(append(head, make([]byte, 8)...), unit), uint32(length))
	}
	head = append(head, make([]byte, 20)...)
	movie := box("moov", append(box("udta", nil), box("mvhd", head)...))
	return append(append(box("ftyp", []byte("isom")), box("mdat", make([]byte, 5000))...), movie...)
}

func TestMediaLength(t *testing.T) {
	tag := "ID3\x04\x00\x00\x00\x00\x02\x00" + strings.Repeat("x", 256)
	const unknown = 3
	cost := budget.MediaCost{Rates: []budget.MediaRate{{Second: 1000, Bytes: 1 << 40, Least: unknown}}}
	for _, c := range []struct {
		name string
		data []byte
		want int // milliseconds
	}{
		{"wav", wavFile(32_000, 48_000, 48_000), 1500},
		{"wav of a recorder", wavFile(32_000, 48_000, 0xffffffff), 1500},
		{"wav of another", wavFile(32_000, 48_000, 0), 1500},
		{"wav that says too much", wavFile(32_000, 48_000, 1<<30), 1500},
		{"wav without a rate", wavFile(0, 48_000, 48_000), unknown},
		{"wav without sound", wavFile(32_000, 0, 0), unknown},
		{"wav, cut", wavFile(32_000, 0, 0)[:30], unknown},
		{"mp3, 128 kbit", mp3File("\xff\xfb\x90\x00", "", 0, 32_000), 2000},
		{"mp3, MPEG 2, 64 kbit", mp3File("\xff\xf3\x80\x00", "", 0, 16_000), 2000},
		{"mp3, MPEG 2.5, 8 kbit", mp3File("\xff\xe3\x10\x00", "", 0, 16_000), 16_000},
		{"mp3 behind a tag", append([]byte(tag), mp3File("\xff\xfb\x90\x00", "", 0, 32_000)...), 2000},
		{"mp3, counted", mp3File("\xff\xfb\x90\x00", "Xing\x00\x00\x00\x01\x00\x00\x00\x7d", 36, 9000), 3265},
		{"mp3, counted, mono", mp3File("\xff\xfb\x90\xc0", "Info\x00\x00\x00\x0f\x00\x00\x00\x7d", 21, 9000), 3265},
		{"mp3, not counted", mp3File("\xff\xfb\x90\x00", "Xing\x00\x00\x00\x02", 36, 32_000), 2000},
		{"mp3 of no rate", mp3File("\xff\xfb\x00\x00", "", 0, 32_000), unknown},
		{"mp3 of a wrong rate", mp3File("\xff\xfb\xf0\x00", "", 0, 32_000), unknown},
		{"mp3 of no such samples", mp3File("\xff\xfb\x9c\x00", "", 0, 32_000), unknown},
		{"aac is not mp3", mp3File("\xff\xf1\x50\x80", "", 0, 32_000), unknown},
		{"mp4", mp4File(0, 600, 1500), 2500},
		{"mp4, long times", mp4File(1, 600, 1500), 2500},
		{"mp4 without a unit", mp4File(0, 0, 1500), unknown},
		{"mp4 of a hundred years", mp4File(1, 1, 1<<32), unknown},
		{"mp4, cut", mp4File(0, 600, 1500)[:5030], unknown},
		{"ogg", []byte("OggS"), unknown},
	} {
		assert.Equal(t, c.want, cost.Tokens(&core.Media{MIME: "a/b", Data: c.data}), c.name)
		assert.InDelta(t, c.want, cost.Tokens(&core.Media{URL: "data:a/b;base64," + encode(c.data)}), 1, "%s in base64", c.name)
	}
}

func TestMediaRatesByTime(t *testing.T) {
	minute := wavFile(32_000, 60*32_000, 60*32_000)
	sound := &core.Media{MIME: "audio/wav", Data: minute}
	film := &core.Media{MIME: "video/mp4", Data: mp4File(0, 1, 60)}
	openai, gemini := budget.OpenAIMedia(), budget.GeminiMedia()
	assert.Equal(t, 600, openai.Tokens(sound), "a token for a tenth of a second")
	assert.Equal(t, 1920, gemini.Tokens(sound), "as documented for a minute")
	assert.Equal(t, 1920, gemini.Tokens(&core.Media{Data: minute}), "known by its beginning")
	assert.Equal(t, 60*102, gemini.Tokens(film))
	film.Detail = "high"
	assert.Equal(t, 60*312, gemini.Tokens(film))
	old := lookUpMedia(t, "gemini-2.5-pro")
	assert.Equal(t, 60*300, old.Tokens(film))
}

// TestFault_IMAGE_NothingAllocated says that no medium is decoded: what is read of it is
// read in place.
func TestFault_IMAGE_NothingAllocated(t *testing.T) {
	cost := budget.AnthropicMedia()
	cost.Rates = append([]budget.MediaRate{{MIME: "audio/", Second: 1, Bytes: 1}, {MIME: "video/", Second: 1, Bytes: 1}}, cost.Rates...)
	for name, m := range map[string]*core.Media{
		"image": {URL: "data:image/png;base64," + encode(pngImage(t, 4000, 3000))},
		"pdf":   {URL: "data:application/pdf;base64," + encode(changed(pdfFile(400, ""), 300))},
		"web":   {URL: "data:application/pdf;base64," + encode(linearized(30, 0))},
		"wav":   {URL: "data:audio/wav;base64," + encode(wavFile(32_000, 48_000, 48_000))},
		"mp3":   {URL: "data:audio/mpeg;base64," + encode(mp3File("\xff\xfb\x90\x00", "", 0, 32_000))},
		"mp4":   {URL: "data:video/mp4;base64," + encode(mp4File(0, 600, 1500))},
	} {
		require.Positive(t, cost.Tokens(m), name)
		assert.Zero(t, testing.AllocsPerRun(10, func() { cost.Tokens(m) }), name)
	}
}

// FuzzMediaCost says of any data that pricing it ends, is above zero, and does not depend on
// how the data is held.
func FuzzMediaCost(f *testing.F) {
	f.Add(pdfFile(3, ""))
	f.Add(changed(pdfFile(3, ""), 2))
	f.Add(linearized(3, 0)[:200])
	f.Add(compressedPDF(pdfForm{pages: 3}))
	f.Add(compressedPDF(pdfForm{pages: 3, predictor: 2, index: "[0 2 2 9]"}))
	f.Add(wavFile(32_000, 99, 99))
	f.Add(mp3File("\xff\xfb\x90\x00", "Xing\x00\x00\x00\x01\x00\x00\x00\x7d", 36, 99))
	f.Add(mp4File(1, 600, 1500))
	costs := []budget.MediaCost{budget.OpenAIMedia(), budget.AnthropicMedia(), budget.GeminiMedia()}
	f.Fuzz(func(t *testing.T, data []byte) {
		for i := range costs {
			for _, mime := range []string{"", "application/pdf", "audio/mpeg", "video/mp4"} {
				tokens := costs[i].Tokens(&core.Media{MIME: mime, Data: data})
				require.Positive(t, tokens)
				padded := costs[i].Tokens(&core.Media{MIME: mime, URL: "data:" + mime + ";base64," + base64.RawStdEncoding.EncodeToString(data)})
				require.Equal(t, tokens, padded)
			}
		}
	})
}
