package gemini

import (
	"slices"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// response reads a functionResponse: what it says, and the media that it holds.
func (r *reader) response(element int, f *fields) {
	var id, name string
	var said, nested rawjson.Span
	pending, end := false, 0
	for m := range rawjson.Members(r.text, f.data) {
		end = m.Whole.End
		if m.Name == "response" {
			said = m.Value
		}
		if r.kind(m.Value) == rawjson.Null {
			continue
		}
		switch {
		case m.Name == "id":
			id = r.id(m.Value)
		case m.Name == "name":
			name = r.str(m.Value)
		case m.Name == "parts":
			nested = m.Value
		case spelled(m.Name, "willContinue"):
			pending = m.Value.Of(r.text) == "true"
		}
	}
	first := len(r.parts)
	place := piece{element: element, response: true}
	status := r.said(said, place)
	if kind := r.kind(nested); kind == rawjson.Array || kind == rawjson.Object {
		for at := range elements(r.text, nested) {
			r.nested(at, place)
		}
	}
	if !slices.ContainsFunc(r.parts[first:], func(p core.Part) bool { return p.Kind == core.KindToolResult }) {
		r.saidNothing(said, f.data, end, place)
	}
	if pending {
		status = core.StatusPending
	}
	id = r.ids.answer(name, id, !pending)
	for i := first; i < len(r.parts); i++ {
		p := &r.parts[i]
		p.Signed, p.CallID = f.signed, id
		if p.Kind == core.KindToolResult {
			p.Tool, p.Status = name, status
		}
	}
}

// saidNothing adds the result of a functionResponse that has none. Its members end at end.
func (r *reader) saidNothing(said, whole rawjson.Span, end int, place piece) {
	result := core.Part{Kind: core.KindToolResult}
	switch kind := r.kind(said); {
	case kind == rawjson.Absent && end > 0:
		place.form, place.text = asResponse, rawjson.Span{Start: end, End: end}
	case kind == rawjson.Absent:
		place.form, place.text = asResponse, whole
	default: // null, or an object that says nothing
		place.form, place.text = asObject, said
		if kind != rawjson.Null {
			result.Text = said.Of(r.text)
		}
	}
	r.add(result, place)
}

// said reads the value of response, and adds a part for what it says, or several. It adds
// none where it is not there or has nothing to say.
func (r *reader) said(at rawjson.Span, place piece) core.Status {
	result := core.Part{Kind: core.KindToolResult}
	switch r.kind(at) {
	case rawjson.Absent, rawjson.Null:
		return core.StatusUnknown
	case rawjson.String: // the API takes objects only
		result.Text = r.str(at)
		place.form, place.text = asString, at
		r.add(result, place)
		return core.StatusUnknown
	case rawjson.Object:
	default:
		result.Text = at.Of(r.text)
		place.form, place.text = asObject, at
		r.add(result, place)
		return core.StatusUnknown
	}
	s := r.sayings(at)
	switch {
	case s.members == 0, s.members == 1 && s.flagged:
	case s.members == 1 && r.kind(s.last) == rawjson.String:
		result.Text = r.str(s.last)
		place.form, place.text = asString, s.last
		r.add(result, place)
	case s.blocks != nil:
		for _, block := range s.blocks {
			result.Text = r.str(block)
			place.form, place.text = asString, block
			r.add(result, place)
		}
	default:
		result.Text = at.Of(r.text)
		place.form, place.text = asObject, at
		r.add(result, place)
	}
	return s.status
}

// sayings is what an object that is a response says.
type sayings struct {
	members int
	last    rawjson.Span   // the last member's value
	flagged bool           // it has a boolean isError
	blocks  []rawjson.Span // the texts of blocks, if it is these and nothing else
	status  core.Status
}

// sayings reads an object that is a response. Google's reference says of its members that
// output is what a function returned, error how it failed, and that any other name may be
// used. Tools of the Model Context Protocol return an object with content, which is a list of
// blocks, and isError.
func (r *reader) sayings(at rawjson.Span) sayings {
	var s sayings
	var content, failure rawjson.Span
	output, flag := false, false
	for m := range rawjson.Members(r.text, at) {
		s.members++
		s.last = m.Value
		kind := r.kind(m.Value)
		switch m.Name {
		case "content":
			content = m.Value
		case "isError":
			if kind == rawjson.Bool {
				s.flagged, flag = true, m.Value.Of(r.text) == "true"
			}
		case "output":
			output = true
		case "error":
			failure = m.Value
		}
	}
	switch {
	case r.fails(failure, s.members == 1) || flag:
		s.status = core.StatusFailed
	case output || s.flagged:
		s.status = core.StatusOK
	}
	if s.members == 1 && content == s.last || s.members == 2 && content != (rawjson.Span{}) && s.flagged {
		s.blocks = r.textBlocks(content)
	}
	return s
}

// fails reports whether a member error says that there was one. An empty text does only where
// it is all there is.
func (r *reader) fails(at rawjson.Span, alone bool) bool {
	switch r.kind(at) {
	case rawjson.Absent, rawjson.Null:
		return false
	case rawjson.String:
		return alone || r.str(at) != ""
	default:
		return at.Of(r.text) != "false"
	}
}

// textBlocks returns the texts of a list of blocks, or nil if there is none, or another
// block among them.
func (r *reader) textBlocks(list rawjson.Span) []rawjson.Span {
	if r.kind(list) != rawjson.Array {
		return nil
	}
	var texts []rawjson.Span
	for at := range rawjson.Elements(r.text, list) {
		text := rawjson.Get(r.text, at, "text")
		if r.kind(text) != rawjson.String || r.str(rawjson.Get(r.text, at, "type")) != "text" {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

// nested adds what an element of a result's own parts holds.
func (r *reader) nested(at rawjson.Span, place piece) {
	if r.kind(at) == rawjson.Object {
		f := r.fields(at)
		if (f.holds == holdsInline || f.holds == holdsFile) && r.kind(f.data) == rawjson.Object && r.kind(f.text) == rawjson.Absent {
			if m, found := r.media(&f); m != nil {
				found.element, found.response = place.element, true
				found.form, found.text = asDocument, at
				r.add(core.Part{Kind: core.KindToolResult, Media: m}, found)
				r.plainText(len(r.parts) - 1)
				return
			}
		}
	}
	r.add(core.Part{Kind: core.KindOpaque, Text: at.Of(r.text)}, place)
}
