// Package media turns media as requests hold them into core's, and back.
package media

import (
	"encoding/base64"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// At returns the media behind a URL, whose type is known if it is a data: URI, or nil if
// the URL is empty. Where a provider keeps files, the id of one is a URL too.
func At(url, detail string) *core.Media {
	if url == "" {
		return nil
	}
	m := &core.Media{URL: url, Detail: detail}
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		if end := strings.IndexAny(rest, ";,"); end >= 0 {
			m.MIME = rest[:end]
		}
	}
	return m
}

// Of returns the media that data in base64 is, or nil if there is none. The data stays as
// it is: nothing is decoded.
func Of(mime, data string) *core.Media {
	if data == "" {
		return nil
	}
	return At("data:"+mime+";base64,"+data, "")
}

// Audio returns a sound in the form that OpenAI's APIs have: base64 and the name of the
// format.
func Audio(data, format string) *core.Media {
	if format == "" {
		return nil
	}
	if format == "mp3" {
		format = "mpeg"
	}
	return Of("audio/"+format, data)
}

// AudioFormat returns the name of the format of a sound for OpenAI's APIs, or "" for what
// is no sound.
func AudioFormat(mime string) string {
	format, _ := strings.CutPrefix(mime, "audio/")
	switch format {
	case mime:
		return ""
	case "mpeg":
		return "mp3"
	default:
		return format
	}
}

// File returns the file whose content is a data: URI, or base64 of an unknown type.
func File(data string) *core.Media {
	if strings.HasPrefix(data, "data:") {
		return At(data, "")
	}
	return Of("application/octet-stream", data)
}

// Base64 returns the type and the data of media that hold them; ok is false for what only
// an address leads to, and for a data: URI in another encoding.
func Base64(m *core.Media) (mime, data string, ok bool) {
	if len(m.Data) > 0 {
		return m.MIME, base64.StdEncoding.EncodeToString(m.Data), true
	}
	rest, ok := strings.CutPrefix(m.URL, "data:")
	if !ok {
		return "", "", false
	}
	head, data, ok := strings.Cut(rest, ",")
	head, encoded := strings.CutSuffix(head, ";base64")
	if !ok || !encoded {
		return "", "", false
	}
	mime, _, _ = strings.Cut(head, ";")
	if m.MIME != "" {
		mime = m.MIME
	}
	return mime, data, true
}

// URL returns the address of media, which for such as hold their data is a data: URI.
func URL(m *core.Media) string {
	if len(m.Data) == 0 {
		return m.URL
	}
	return "data:" + m.MIME + ";base64," + base64.StdEncoding.EncodeToString(m.Data)
}
