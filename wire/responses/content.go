package responses

import (
	"cmp"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// content reads the content of a message, or an output, which is the member f. The form is
// what text takes in the place of media there.
func (r *reader) content(f field, form form) error {
	at := r.fields[f]
	switch kind := r.kind(at); {
	case kind <= rawjson.Null:
	case kind == rawjson.String:
		r.add(core.Part{Text: r.str(at)}, piece{home: asItem, form: plain, text: at})
	case kind == rawjson.Array:
		for element := range rawjson.Elements(r.text, at) {
			if !r.chunk(element) {
				r.block(f, element, form)
			}
		}
	case kind == rawjson.Object && f == fieldOutput: // a screenshot: no text can be in its place
		r.add(core.Part{Kind: core.KindOpaque, Text: at.Of(r.text), Media: r.image(at)}, piece{home: asItem})
	default:
		return r.doc.Error(at.Start, r.index, `a string, an array or null as "`+fieldNames[f]+`"`, kind.String(), "")
	}
	return nil
}

// block reads an element of a content array.
func (r *reader) block(f field, at rawjson.Span, form form) {
	p, text := core.Part{Kind: core.KindText}, at
	kind := r.str(r.get(at, "type"))
	switch {
	case r.kind(at) == rawjson.String:
		form = plain
	case kind == "input_text" || kind == "output_text" || kind == "text":
		text, form = r.get(at, "text"), plain
	case kind == "refusal":
		text, form = r.get(at, "refusal"), plain
	default:
		p.Media = r.media(kind, at)
	}
	switch {
	case p.Media != nil:
		p.Kind = core.KindMedia
	case form == plain && r.kind(text) == rawjson.String:
		p.Text = r.str(text)
	default:
		p.Kind, p.Text, form = core.KindOpaque, at.Of(r.text), fixed
	}
	r.add(p, piece{home: inList, field: f, whole: at, form: form, text: text})
}

// chunk reads an element of a shell's output, if it is one: each of its streams is a part,
// unless it is empty.
func (r *reader) chunk(at rawjson.Span) bool {
	found := false
	for _, stream := range []string{"stdout", "stderr"} {
		text := r.get(at, stream)
		if r.kind(text) != rawjson.String {
			continue
		}
		found = true
		if s := r.str(text); s != "" {
			r.add(core.Part{Text: s}, piece{home: asString, form: plain, text: text})
		}
	}
	return found
}

// media reads what a block of that type holds, or returns nil for an unknown form.
func (r *reader) media(kind string, at rawjson.Span) *core.Media {
	switch kind {
	case "input_image", "computer_screenshot":
		return r.image(at)
	case "input_audio":
		sound := r.get(at, kind)
		return media.Audio(r.str(r.get(sound, "data")), r.str(r.get(sound, "format")))
	case "input_file":
		return r.file(at)
	default:
		return nil
	}
}

// image reads a picture. The address may stand in an object, as in the chat API.
func (r *reader) image(at rawjson.Span) *core.Media {
	url, detail := r.get(at, "image_url"), r.get(at, "detail")
	if r.kind(url) == rawjson.Object {
		url, detail = r.get(url, "url"), r.get(url, "detail")
	}
	return media.At(cmp.Or(r.str(url), r.str(r.get(at, "file_id"))), r.str(detail))
}

// file reads a file. Where only an address or an id leads to it, its name tells what it is.
func (r *reader) file(at rawjson.Span) *core.Media {
	data, name := r.str(r.get(at, "file_data")), r.str(r.get(at, "filename"))
	url := cmp.Or(r.str(r.get(at, "file_url")), r.str(r.get(at, "file_id")))
	m := media.At(url, "")
	switch {
	case data != "":
		m = media.File(data)
	case m != nil:
		m.MIME = fileType(cmp.Or(name, url))
	default:
		return nil
	}
	m.Detail = r.str(r.get(at, "detail"))
	return m
}

// The types of files that are told apart by name. It matters for what they cost.
const (
	pdf     = "application/pdf"
	unknown = "application/octet-stream"
)

func fileType(name string) string {
	if strings.HasSuffix(strings.ToLower(name), ".pdf") {
		return pdf
	}
	return unknown
}

// generated returns the picture that an image_generation_call holds.
func (r *reader) generated() *core.Media {
	return media.Of("image/"+cmp.Or(r.str(r.fields[fieldFormat]), "png"), r.str(r.fields[fieldResult]))
}
