package media_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ got, want *core.Media }{
		"nothing":            {media.At("", "low"), nil},
		"an address":         {media.At("https://a.example/b", "low"), &core.Media{URL: "https://a.example/b", Detail: "low"}},
		"data":               {media.At("data:image/png;base64,AA", ""), &core.Media{URL: "data:image/png;base64,AA", MIME: "image/png"}},
		"data as text":       {media.At("data:text/plain,hi", ""), &core.Media{URL: "data:text/plain,hi", MIME: "text/plain"}},
		"data cut off":       {media.At("data:image/png", ""), &core.Media{URL: "data:image/png"}},
		"base64":             {media.Of("image/png", "AA"), &core.Media{URL: "data:image/png;base64,AA", MIME: "image/png"}},
		"no base64":          {media.Of("image/png", ""), nil},
		"a sound":            {media.Audio("AA", "mp3"), &core.Media{URL: "data:audio/mpeg;base64,AA", MIME: "audio/mpeg"}},
		"a sound of no form": {media.Audio("AA", ""), nil},
		"no sound":           {media.Audio("", "wav"), nil},
		"a file":             {media.File("data:a/b;base64,AA"), &core.Media{URL: "data:a/b;base64,AA", MIME: "a/b"}},
		"a file of no type":  {media.File("AA"), &core.Media{URL: "data:application/octet-stream;base64,AA", MIME: "application/octet-stream"}},
	} {
		assert.Equal(t, c.want, c.got, name)
	}
}

func TestBase64(t *testing.T) {
	for name, c := range map[string]struct {
		media      core.Media
		mime, data string
		ok         bool
	}{
		"bytes":               {core.Media{MIME: "image/png", Data: []byte("abc")}, "image/png", "YWJj", true},
		"data":                {core.Media{URL: "data:image/png;base64,YWJj"}, "image/png", "YWJj", true},
		"data of another":     {core.Media{URL: "data:image/png;base64,YWJj", MIME: "image/gif"}, "image/gif", "YWJj", true},
		"data with a charset": {core.Media{URL: "data:text/plain;charset=x;base64,YWJj"}, "text/plain", "YWJj", true},
		"data as text":        {core.Media{URL: "data:text/plain,abc"}, "", "", false},
		"data cut off":        {core.Media{URL: "data:image/png;base64"}, "", "", false},
		"an address":          {core.Media{URL: "https://a.example/b"}, "", "", false},
		"nothing":             {core.Media{}, "", "", false},
	} {
		mime, data, ok := media.Base64(&c.media)
		assert.Equal(t, []any{c.mime, c.data, c.ok}, []any{mime, data, ok}, name)
	}
}

func TestURL(t *testing.T) {
	assert.Equal(t, "data:image/png;base64,YWJj", media.URL(&core.Media{MIME: "image/png", Data: []byte("abc")}))
	assert.Equal(t, "https://a.example/b", media.URL(&core.Media{URL: "https://a.example/b"}))
	assert.Empty(t, media.URL(&core.Media{}))
}

func TestAudioFormat(t *testing.T) {
	for mime, want := range map[string]string{"audio/mpeg": "mp3", "audio/wav": "wav", "image/png": "", "": ""} {
		assert.Equal(t, want, media.AudioFormat(mime), mime)
	}
}
