package budget

import (
	"encoding/binary"
	"strings"
)

// blob is the data of a medium, as bytes, as base64, or as the text of a data URI. It is
// read at any place without decoding the rest, and without allocating.
type blob struct {
	raw     []byte
	base64  string
	plain   string
	encoded int // length of the whole base64, of which the field has a prefix if it had to be cleaned
}

// headerSpan is how many bytes of data are searched for the size of an image. It stands
// behind the metadata of a JPEG, which may come in several blocks of 64 kilobyte.
const headerSpan = 1 << 20

// newBase64 opens base64, in the standard or the URL alphabet. Line breaks would shift the
// places, so where there are any, a copy of the beginning is made without them.
func newBase64(s string) blob {
	b := blob{base64: s, encoded: len(s)}
	if strings.ContainsAny(s[:min(len(s), 128)], "\r\n \t") {
		b.base64 = strings.Join(strings.Fields(s[:min(len(s), headerSpan)]), "")
	}
	return b
}

// size returns the size of the decoded data, within a few bytes; 0: not known.
func (b blob) size() int {
	switch {
	case b.encoded > 0:
		return max(b.encoded/4*3+b.encoded%4*3/4, 1)
	case b.plain != "":
		return len(b.plain)
	}
	return len(b.raw)
}

// at returns byte i.
func (b blob) at(i int) (byte, bool) {
	if i < 0 {
		return 0, false
	}
	if b.base64 == "" {
		if i < len(b.raw) {
			return b.raw[i], true
		}
		return 0, false
	}
	at := i / 3 * 4
	k := i % 3 // 0: six bits of this character and two of the next, and so on
	if at+k+1 >= len(b.base64) {
		return 0, false
	}
	left, right := sextets[b.base64[at+k]], sextets[b.base64[at+k+1]]
	if left == noSextet || right == noSextet {
		return 0, false
	}
	return left<<(2+2*k) | right>>(4-2*k), true
}

// read fills dst from byte i on, and returns how much there was.
func (b blob) read(dst []byte, i int) int {
	for n := range dst {
		c, ok := b.at(i + n)
		if !ok {
			return n
		}
		dst[n] = c
	}
	return len(dst)
}

func (b blob) has(prefix string) bool { return b.hasAt(prefix, 0) }

func (b blob) hasAt(text string, at int) bool {
	for i := range len(text) {
		if c, ok := b.at(at + i); !ok || c != text[i] {
			return false
		}
	}
	return true
}

// signatures are by what data without a MIME type is known. Images are not here: their
// header has to be read anyhow.
var signatures = [...]struct {
	at          int
	magic, mime string
}{
	{0, "%PDF-", "application/pdf"},
	{8, "WAVE", "audio/wav"},
	{0, "ID3", "audio/mpeg"},
}

// mime returns the MIME type that the data begins like; empty: like none that is known.
func (b blob) mime() string {
	for _, s := range signatures {
		if b.hasAt(s.magic, s.at) {
			return s.mime
		}
	}
	return ""
}

// dimensions reads width and height out of the header of a PNG, GIF, WebP or JPEG image;
// zeros: it is none of these, or broken.
func (b blob) dimensions() (width, height int) {
	var h [30]byte
	n := b.read(h[:], 0)
	be, le := binary.BigEndian, binary.LittleEndian
	switch {
	case n >= 24 && string(h[:8]) == "\x89PNG\r\n\x1a\n" && string(h[12:16]) == "IHDR":
		return known(int64(be.Uint32(h[16:])), int64(be.Uint32(h[20:])))
	case n >= 10 && (string(h[:6]) == "GIF87a" || string(h[:6]) == "GIF89a"):
		return known(int64(le.Uint16(h[6:])), int64(le.Uint16(h[8:])))
	case n == len(h) && string(h[:4]) == "RIFF" && string(h[8:12]) == "WEBP":
		return webp(&h)
	case n >= 2 && h[0] == 0xff && h[1] == 0xd8:
		return b.jpeg()
	}
	return 0, 0
}

// known returns a size of which both sides are above zero, or zeros.
func known(width, height int64) (w, h int) {
	const largest = 1<<31 - 1
	if width < 1 || height < 1 || width > largest || height > largest {
		return 0, 0
	}
	return int(width), int(height)
}

// webp reads the first chunk of a WebP file: lossy, lossless, or extended.
func webp(h *[30]byte) (width, height int) {
	le := binary.LittleEndian
	switch {
	case string(h[12:16]) == "VP8 " && string(h[23:26]) == "\x9d\x01\x2a":
		return known(int64(le.Uint16(h[26:])&0x3fff), int64(le.Uint16(h[28:])&0x3fff))
	case string(h[12:16]) == "VP8L" && h[20] == 0x2f:
		bits := le.Uint32(h[21:])
		return known(int64(bits&0x3fff)+1, int64(bits>>14&0x3fff)+1)
	case string(h[12:16]) == "VP8X":
		le24 := func(i int) int64 { return int64(h[i]) | int64(h[i+1])<<8 | int64(h[i+2])<<16 }
		return known(le24(24)+1, le24(27)+1)
	}
	return 0, 0
}

// jpeg walks from segment to segment to the one that starts a frame.
func (b blob) jpeg() (width, height int) {
	be := binary.BigEndian
	var s [9]byte
	for at := 2; at < headerSpan && b.read(s[:4], at) == 4; {
		marker := s[1]
		switch {
		case s[0] != 0xff || marker == 0xda || marker == 0xd9: // lost; the image's data; its end
			return 0, 0
		case marker == 0xff: // padding
			at++
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd8: // stands alone
			at += 2
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			if b.read(s[:], at) < len(s) {
				return 0, 0
			}
			return known(int64(be.Uint16(s[7:])), int64(be.Uint16(s[5:])))
		default:
			at += 2 + int(be.Uint16(s[2:]))
		}
	}
	return 0, 0
}

const noSextet = 0xff

// sextets has the value of each character of both base64 alphabets.
var sextets = func() (table [256]byte) {
	for i := range table {
		table[i] = noSextet
	}
	for v, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		table[c] = byte(v)
	}
	table['-'], table['_'] = 62, 63
	return table
}()
