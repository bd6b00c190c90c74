package gemini

import (
	"encoding/base64"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// holding says what a part holds, as a set: the API wants exactly one of them.
type holding uint8

const (
	holdsCall holding = 1 << iota
	holdsResponse
	holdsInline
	holdsFile
	holdsOther // something that is carried as it is
)

// dataNames are the members that hold what a part is, text excepted, as Google's
// content.proto and client libraries list them.
var dataNames = []struct {
	name  string
	holds holding
}{
	{"functionCall", holdsCall},
	{"functionResponse", holdsResponse},
	{"inlineData", holdsInline},
	{"fileData", holdsFile},
	{"executableCode", holdsOther},
	{"codeExecutionResult", holdsOther},
	{"toolCall", holdsOther}, // of a tool that runs at Google, with its toolResponse
	{"toolResponse", holdsOther},
}

// fields are a part's members that matter.
type fields struct {
	holds      holding
	data       rawjson.Span // what it holds, if it is one thing
	snake      bool         // the name of that is in snake_case
	text       rawjson.Span
	thought    bool
	signed     bool
	resolution rawjson.Span
}

func (r *reader) fields(at rawjson.Span) fields {
	var f fields
	for m := range rawjson.Members(r.text, at) {
		if r.kind(m.Value) == rawjson.Null {
			continue
		}
		switch {
		case m.Name == "text":
			f.text = m.Value
		case m.Name == "thought":
			f.thought = m.Value.Of(r.text) == "true"
		case spelled(m.Name, "thoughtSignature"):
			f.signed = r.kind(m.Value) == rawjson.String && m.Value.Of(r.text) != `""`
		case spelled(m.Name, "mediaResolution"):
			f.resolution = m.Value
		default:
			for _, d := range dataNames {
				if spelled(m.Name, d.name) {
					f.holds |= d.holds
					f.data, f.snake = m.Value, isSnake(m.Name)
				}
			}
		}
	}
	return f
}

// part reads an element of parts.
func (r *reader) part(element int, at rawjson.Span) {
	opaque := core.Part{Kind: core.KindOpaque, Text: at.Of(r.text)}
	switch r.kind(at) {
	case rawjson.String: // of client libraries that take it for a part with text
		if r.role == core.RoleTool {
			r.add(opaque, piece{element: element})
			return
		}
		r.add(core.Part{Text: r.str(at)}, piece{element: element, form: asString, text: at})
		return
	case rawjson.Object:
	default:
		r.add(opaque, piece{element: element})
		return
	}
	f := r.fields(at)
	opaque.Signed = f.signed
	if bits.OnesCount8(uint8(f.holds)) > 1 || f.holds != 0 && r.str(f.text) != "" {
		r.add(opaque, piece{element: element})
		return
	}
	if !r.known(element, at, &f) {
		r.add(opaque, piece{element: element})
	}
}

// known reads a part that holds one thing, if that is known in a content of its role.
func (r *reader) known(element int, at rawjson.Span, f *fields) bool {
	object := r.kind(f.data) == rawjson.Object
	switch {
	case f.holds == 0 && r.kind(f.text) == rawjson.String && r.role != core.RoleTool:
		p := core.Part{Signed: f.signed, Text: r.str(f.text)}
		if f.thought && r.role == core.RoleAssistant {
			p.Kind = core.KindReasoning
		}
		r.add(p, piece{element: element, form: asString, text: f.text})
	case f.holds == holdsCall && object && r.role == core.RoleAssistant:
		p := r.call(f.data)
		p.Signed = f.signed
		r.add(p, piece{element: element})
	case f.holds == holdsResponse && object && (r.role == core.RoleUser || r.role == core.RoleTool):
		r.response(element, f)
	case (f.holds == holdsInline || f.holds == holdsFile) && object:
		m, place := r.media(f)
		if m == nil {
			return false
		}
		place.element, place.form, place.text = element, asPart, at
		r.add(core.Part{Kind: core.KindMedia, Signed: f.signed, Media: m}, place)
	default:
		return false
	}
	return true
}

// call reads a functionCall.
func (r *reader) call(at rawjson.Span) core.Part {
	p := core.Part{Kind: core.KindToolCall, Text: "{}"}
	id := ""
	for m := range rawjson.Members(r.text, at) {
		if r.kind(m.Value) == rawjson.Null {
			continue
		}
		switch m.Name {
		case "name":
			p.Tool = r.str(m.Value)
		case "args":
			p.Text = m.Value.Of(r.text)
		case "id":
			id = r.id(m.Value)
		}
	}
	p.CallID = r.ids.call(r.index, p.Tool, id)
	return p
}

// media reads what inlineData or fileData holds, or returns nil for an unknown form.
func (r *reader) media(f *fields) (*core.Media, piece) {
	place := piece{snake: f.snake}
	var mime, uri string
	for m := range rawjson.Members(r.text, f.data) {
		switch {
		case spelled(m.Name, "mimeType"):
			mime = r.str(m.Value)
		case spelled(m.Name, "displayName"):
			place.label = m.Value
		case spelled(m.Name, "fileUri") && f.holds == holdsFile:
			uri = r.str(m.Value)
		case m.Name == "data" && f.holds == holdsInline:
			place.data = m.Value
		}
	}
	var found *core.Media
	if f.holds == holdsInline && mime == plainText && r.kind(place.data) == rawjson.String { // the text may be empty
		found = media.At("data:"+plainText+";base64,"+r.str(place.data), "")
	} else if f.holds == holdsInline {
		found = media.Of(mime, r.str(place.data))
	} else if found = media.At(uri, ""); found != nil && mime != "" {
		found.MIME = mime
	}
	if found != nil {
		found.Detail = detail(r.str(present(r.text, f.resolution, "level")))
	}
	return found, place
}

const levels = "MEDIA_RESOLUTION_"

// detail returns how core has a media resolution.
func detail(level string) string {
	name, ok := strings.CutPrefix(level, levels)
	switch {
	case !ok:
		return level
	case name == "UNSPECIFIED":
		return ""
	default:
		return strings.ToLower(name)
	}
}

const plainText = "text/plain"

// plainText turns a result that is a document of plain text, here in base64, into that text.
func (r *reader) plainText(i int) {
	p, at := &r.parts[i], &r.pieces[i]
	if p.Media.MIME != plainText || at.data == (rawjson.Span{}) {
		return
	}
	data := r.str(at.data)
	text, err := base64.StdEncoding.DecodeString(data)
	if err != nil || !utf8.Valid(text) {
		return
	}
	p.Text, p.Media = string(text), nil
	at.form, at.text = asData, at.data
}
