package openai

import (
	"slices"
	"strconv"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// reader turns the document's messages into core messages, and notes for each part which
// bytes it came from. Parse needs only the former; Write reads an edited message again
// for the latter, so that a conversation need not hold them.
type reader struct {
	doc  *document.Document
	text string

	tools   map[string]string // call id → tool, of the latest call
	pending map[string]string // function name → id of its latest function_call without result

	index  int // of the message at hand, with what follows
	fields fields
	parts  []core.Part
	pieces []piece // of the parts
}

func newReader(doc *document.Document) *reader {
	return &reader{doc: doc, text: doc.Text, tools: map[string]string{}, pending: map[string]string{}}
}

// piece says where in the document a part is.
type piece struct {
	home   home
	whole  rawjson.Span // what is taken out with the part
	member string       // for asMember: the member's name
	form   form
	text   rawjson.Span // what a new text replaces
}

// home says what a part is in its message.
type home uint8

const (
	inContent home = iota // an element of the content array
	inCalls               // an element of tool_calls
	asContent             // the content: a string, or the lack of one
	asMember              // another member
	nowhere               // nothing: a result that the message should have
)

// form says how a new text is written.
type form uint8

const (
	fixed      form = iota // not at all
	plain                  // as a string
	textBlock              // as a block of type text
	newContent             // as a member content, which the message lacks
)

// fields are a message's members that matter; the zero Span stands for one that is absent.
type fields struct {
	role, content, name                     rawjson.Span
	toolCallID, isError                     rawjson.Span
	reasoningContent, reasoning             rawjson.Span
	refusal, audio, toolCalls, functionCall rawjson.Span

	end int // of the last member
}

func (f *fields) of(name string) *rawjson.Span {
	switch name {
	case "role":
		return &f.role
	case "content":
		return &f.content
	case "name":
		return &f.name
	case "tool_call_id":
		return &f.toolCallID
	case "is_error":
		return &f.isError
	case "reasoning_content":
		return &f.reasoningContent
	case "reasoning":
		return &f.reasoning
	case "refusal":
		return &f.refusal
	case "audio":
		return &f.audio
	case "tool_calls":
		return &f.toolCalls
	case "function_call":
		return &f.functionCall
	default:
		return nil
	}
}

// message reads the message of that index.
func (r *reader) message(index int) (core.Message, error) {
	r.index, r.fields, r.parts, r.pieces = index, fields{}, r.parts[:0], r.pieces[:0]
	for m := range rawjson.Members(r.text, r.doc.Items[index]) {
		if span := r.fields.of(m.Name); span != nil {
			*span = m.Value
		}
		r.fields.end = m.Whole.End
	}
	m := core.Message{Src: int32(index) + 1}
	role, err := r.doc.Role(index, r.fields.role)
	if err != nil {
		return m, err
	}
	switch role {
	case "system", "developer":
		m.Role, err = core.RoleSystem, r.speech()
	case "user":
		m.Role, err = core.RoleUser, r.speech()
	case "assistant":
		m.Role, err = core.RoleAssistant, r.reply()
	case "tool", "function":
		m.Role, err = core.RoleTool, r.result(role == "function")
	default:
		err = r.speech()
	}
	if err != nil {
		return m, err
	}
	if m.Role != core.RoleTool {
		m.Name = r.str(r.fields.name)
	}
	for i := range r.parts {
		r.parts[i].Slot = uint32(i) + 1
	}
	if len(r.parts) > 0 {
		m.Parts = slices.Clone(r.parts)
	}
	return m, nil
}

// speech reads a message without calls and results.
func (r *reader) speech() error {
	if err := r.content(); err != nil {
		return err
	}
	r.onlyEmpty()
	return nil
}

// onlyEmpty adds the part of a message that is nothing but an empty string.
func (r *reader) onlyEmpty() {
	if content := r.fields.content; len(r.parts) == 0 && r.kind(content) == rawjson.String {
		r.add(core.Part{}, piece{home: asContent, form: plain, text: content})
	}
}

// reply reads an assistant message.
func (r *reader) reply() error {
	r.member(core.KindReasoning, "reasoning_content", r.fields.reasoningContent)
	r.member(core.KindReasoning, "reasoning", r.fields.reasoning)
	if err := r.content(); err != nil {
		return err
	}
	r.member(core.KindText, "refusal", r.fields.refusal)
	if audio := r.fields.audio; r.kind(audio) == rawjson.Object {
		r.add(core.Part{Kind: core.KindOpaque, Text: audio.Of(r.text)}, piece{home: asMember, member: "audio", whole: audio})
	}
	if err := r.calls(); err != nil {
		return err
	}
	r.onlyEmpty()
	return nil
}

// member reads a member that is a text, if it is there and not empty.
func (r *reader) member(kind core.Kind, name string, at rawjson.Span) {
	if text := r.str(at); text != "" {
		r.add(core.Part{Kind: kind, Text: text}, piece{home: asMember, member: name, whole: at, form: plain, text: at})
	}
}

// result reads a message of role tool, or of the older role function.
func (r *reader) result(legacy bool) error {
	if err := r.content(); err != nil {
		return err
	}
	name, id := r.str(r.fields.name), r.id(r.fields.toolCallID)
	if legacy && id == "" {
		id = r.pending[name]
		delete(r.pending, name)
	}
	if name == "" && id != "" {
		name = r.tools[id]
	}
	status := core.StatusUnknown
	if at := r.fields.isError; r.kind(at) == rawjson.Bool {
		status = core.StatusOK
		if at.Of(r.text) == "true" {
			status = core.StatusFailed
		}
	}
	results := 0
	for i := range r.parts {
		p := &r.parts[i]
		p.CallID = id
		if p.Kind == core.KindText || p.Kind == core.KindMedia {
			p.Kind, p.Tool, p.Status = core.KindToolResult, name, status
			results++
		}
	}
	if results == 0 {
		r.add(core.Part{Kind: core.KindToolResult, CallID: id, Tool: name, Status: status}, r.emptyResult())
	}
	return nil
}

// emptyResult says where the result is of a message that has none.
func (r *reader) emptyResult() piece {
	content, end := r.fields.content, r.fields.end
	switch {
	case len(r.parts) > 0: // blocks of other kinds
		return piece{home: nowhere}
	case content == rawjson.Span{}:
		return piece{home: asContent, form: newContent, text: rawjson.Span{Start: end, End: end}}
	default:
		return piece{home: asContent, form: plain, text: content}
	}
}

func (r *reader) add(p core.Part, at piece) {
	r.parts, r.pieces = append(r.parts, p), append(r.pieces, at)
}

func (r *reader) kind(at rawjson.Span) rawjson.Type { return rawjson.TypeOf(r.text, at) }

func (r *reader) get(object rawjson.Span, name string) rawjson.Span {
	return rawjson.Get(r.text, object, name)
}

// str returns the string at a span, or "" if it is none.
func (r *reader) str(at rawjson.Span) string {
	if r.kind(at) != rawjson.String {
		return ""
	}
	return rawjson.Unquote(at.Of(r.text))
}

// id returns the id at a span; a number's digits are one too.
func (r *reader) id(at rawjson.Span) string {
	switch r.kind(at) {
	case rawjson.Absent, rawjson.Null:
		return ""
	case rawjson.String:
		return r.str(at)
	default:
		return at.Of(r.text)
	}
}

func legacyID(message int) string { return "function_call#" + strconv.Itoa(message) }
