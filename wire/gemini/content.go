package gemini

import (
	"slices"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// reader turns contents into core messages, and notes for each part which bytes it came
// from. Parse needs only the former; Write reads an edited content again for the latter, so
// that a conversation need not hold them.
type reader struct {
	doc  *document.Document
	text string
	ids  pairing

	index  int // of the content at hand, with what follows; -1: the system instruction
	role   core.Role
	list   rawjson.Span // the value of parts
	parts  []core.Part
	pieces []piece // of the parts
}

func newReader(doc *document.Document) *reader {
	return &reader{doc: doc, text: doc.Text, ids: newPairing(), index: -1}
}

// piece says where in the document a part is.
type piece struct {
	element  int          // index of the part that holds it among the content's
	response bool         // that is a functionResponse
	form     form         // how a new text is written
	text     rawjson.Span // what a new text replaces
	data     rawjson.Span // the base64 of media that are here
	label    rawjson.Span // the display name of such media
	snake    bool         // of media: the names are in snake_case
}

// form says how a new text is written.
type form uint8

const (
	fixed      form = iota // not at all
	asString               // as a string
	asPart                 // as a part with text
	asObject               // as an object with the text, named by the result's status
	asResponse             // as a member response with that object, which the result lacks
	asData                 // as base64
	asDocument             // as a part with inlineData of type text/plain
)

// system reads the system instruction. Its role says nothing.
func (r *reader) system(at rawjson.Span) error {
	r.start(-1, core.RoleSystem)
	r.list = present(r.text, at, "parts")
	return r.readParts()
}

func (r *reader) start(index int, role core.Role) {
	r.index, r.role, r.list = index, role, rawjson.Span{}
	r.parts, r.pieces = r.parts[:0], r.pieces[:0]
}

// content reads the content of that index.
func (r *reader) content(index int) error {
	r.start(index, core.RoleUser)
	var role, contents rawjson.Span
	for m := range rawjson.Members(r.text, r.doc.Items[index]) {
		if r.kind(m.Value) == rawjson.Null {
			continue
		}
		switch m.Name {
		case "role":
			role = m.Value
		case "parts":
			r.list = m.Value
		case "contents":
			contents = m.Value
		}
	}
	if none := (rawjson.Span{}); role == none && r.list == none {
		found, hint := "neither", ""
		if contents != none {
			found, hint = `an object with "contents"`, "this looks like a file with a request in each line: read the lines one by one"
		}
		return r.doc.Error(r.doc.Items[index].Start, index, `a content with "parts" or "role"`, found, hint)
	}
	if err := r.readRole(role); err != nil {
		return err
	}
	if err := r.readParts(); err != nil {
		return err
	}
	r.settle()
	return nil
}

func (r *reader) readRole(at rawjson.Span) error {
	switch kind := r.kind(at); {
	case kind == rawjson.Absent:
	case kind != rawjson.String:
		return r.doc.Error(at.Start, r.index, `a string as "role"`, kind.String(), "")
	default:
		switch r.str(at) {
		case "user", "": // the API takes an empty role, as any empty field, for none
		case "model":
			r.role = core.RoleAssistant
		case "function", "tool":
			r.role = core.RoleTool
		default:
			r.role = 0
		}
	}
	return nil
}

func (r *reader) readParts() error {
	switch kind := r.kind(r.list); kind {
	case rawjson.Absent:
		return nil
	case rawjson.Array, rawjson.Object, rawjson.String:
	default:
		return r.doc.Error(r.list.Start, r.index, `an array as "parts"`, kind.String(), "")
	}
	element := 0
	for at := range elements(r.text, r.list) {
		r.part(element, at)
		element++
	}
	return nil
}

// settle decides whose the parts beside results are. Those that the user wrote come with a
// text. Without one they are what a tool returned: before results could hold media
// themselves, in Gemini 3, clients put them beside.
func (r *reader) settle() {
	if r.role != core.RoleUser && r.role != core.RoleTool || r.speaks() {
		return
	}
	first := slices.IndexFunc(r.pieces, func(p piece) bool { return p.response })
	if first < 0 {
		r.withoutResults()
		return
	}
	r.role = core.RoleTool
	result := r.parts[first]
	for i := range r.parts {
		p := &r.parts[i]
		if r.pieces[i].response {
			result = *p
			continue
		}
		p.CallID = result.CallID
		if p.Kind == core.KindMedia {
			p.Kind, p.Tool, p.Status = core.KindToolResult, result.Tool, result.Status
			r.pieces[i].form = asDocument
			r.plainText(i)
		}
	}
}

// withoutResults makes media opaque in a content for results that has none that they could
// belong to.
func (r *reader) withoutResults() {
	for i := range r.parts {
		if p := &r.parts[i]; r.role == core.RoleTool && p.Kind == core.KindMedia {
			p.Kind, p.Media, p.Text = core.KindOpaque, nil, r.pieces[i].text.Of(r.text)
			r.pieces[i].form = fixed
		}
	}
}

// speaks reports whether the user says something in the content at hand.
func (r *reader) speaks() bool {
	return r.role == core.RoleUser && slices.ContainsFunc(r.parts, func(p core.Part) bool { return p.Kind == core.KindText })
}

// appendMessages appends the messages that the content at hand is.
func (r *reader) appendMessages(messages []core.Message, src int32) []core.Message {
	m := core.Message{Role: r.role, Src: src}
	results := func(i int) bool { return r.pieces[i].response }
	if r.role == core.RoleUser && slices.ContainsFunc(r.pieces, func(p piece) bool { return p.response }) {
		m.Role, m.Parts = core.RoleTool, r.take(results)
		messages = append(messages, m)
		m.Role, m.Parts = core.RoleUser, r.take(func(i int) bool { return !results(i) })
		return append(messages, m)
	}
	m.Parts = r.take(func(int) bool { return true })
	return append(messages, m)
}

// take returns the parts that are wanted, by their index.
func (r *reader) take(wanted func(i int) bool) []core.Part {
	n := 0
	for i := range r.parts {
		if wanted(i) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	parts := make([]core.Part, 0, n)
	for i := range r.parts {
		if wanted(i) {
			p := r.parts[i]
			p.Slot = uint32(i) + 1
			parts = append(parts, p)
		}
	}
	return parts
}

func (r *reader) add(p core.Part, at piece) {
	r.parts, r.pieces = append(r.parts, p), append(r.pieces, at)
}

func (r *reader) kind(at rawjson.Span) rawjson.Type { return rawjson.TypeOf(r.text, at) }

// str returns the string at a span, or "" if it is none.
func (r *reader) str(at rawjson.Span) string {
	if r.kind(at) != rawjson.String {
		return ""
	}
	return rawjson.Unquote(at.Of(r.text))
}

// id returns the id at a span; a number's digits are one too.
func (r *reader) id(at rawjson.Span) string {
	if kind := r.kind(at); kind == rawjson.Absent || kind == rawjson.String {
		return r.str(at)
	}
	return at.Of(r.text)
}
