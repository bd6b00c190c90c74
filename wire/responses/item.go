package responses

import (
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// reader turns the document's items into core messages, and notes for each part which
// bytes it came from. Parse needs only the former; Write reads an edited item again for
// the latter, so that a conversation need not hold them.
type reader struct {
	doc  *document.Document
	text string

	tools     map[string]string // call id → tool, of the latest call
	shells    map[string]string // id of a local shell's call → call id
	programs  map[string]int32  // call id of a program → its reply
	elsewhere bool              // some of the history is with the provider
	replies   int32             // so many so far
	reply     int32             // the one that goes on; 0: none

	index  int // of the item at hand, with what follows
	fields [numFields]rawjson.Span
	end    int // of its last member
	parts  []core.Part
	pieces []piece // of the parts
}

func newReader(doc *document.Document) *reader {
	return &reader{
		doc: doc, text: doc.Text,
		tools: map[string]string{}, shells: map[string]string{}, programs: map[string]int32{},
	}
}

// piece says where in the document a part is.
type piece struct {
	home  home
	field field        // the member that the item lacks, or whose array has it
	whole rawjson.Span // what is taken out with the part, unless the item is
	form  form
	text  rawjson.Span // what a new text replaces
}

// home says what a part is in its item.
type home uint8

const (
	asItem   home = iota // all of it, or all that it says
	inList               // an element of an array
	asString             // a string that has to stay one
	nowhere              // nothing: a result that the item should have
)

// form says how a new text is written.
type form uint8

const (
	fixed      form = iota // not at all
	plain                  // as a string
	inputText              // as a content part of type input_text
	outputText             // as one of type output_text
	newMember              // as the piece's member, which the item lacks
)

// field is a member of an item that matters.
type field uint8

const (
	noField field = iota // always the zero Span
	fieldType
	fieldRole
	fieldID
	fieldCallID
	fieldName
	fieldStatus
	fieldContent
	fieldSummary
	fieldEncrypted
	fieldArguments
	fieldInput
	fieldAction
	fieldActions
	fieldOperation
	fieldOutput
	fieldResult
	fieldReason
	fieldApprove
	fieldRequestID
	fieldCaller
	fieldFormat
	fieldObject
	numFields
)

var fieldNames = [numFields]string{
	fieldType: "type", fieldRole: "role", fieldID: "id", fieldCallID: "call_id", fieldName: "name",
	fieldStatus: "status", fieldContent: "content", fieldSummary: "summary", fieldEncrypted: "encrypted_content",
	fieldArguments: "arguments", fieldInput: "input", fieldAction: "action", fieldActions: "actions",
	fieldOperation: "operation", fieldOutput: "output", fieldResult: "result", fieldReason: "reason",
	fieldApprove: "approve", fieldRequestID: "approval_request_id", fieldCaller: "caller", fieldFormat: "output_format",
	fieldObject: "object",
}

var fieldOf = func() map[string]field {
	of := make(map[string]field, numFields)
	for f := noField + 1; f < numFields; f++ {
		of[fieldNames[f]] = f
	}
	return of
}()

// message reads the item of that index. It does not set Src.
func (r *reader) message(index int) (core.Message, error) {
	item := r.doc.Items[index]
	r.index, r.fields, r.parts, r.pieces = index, [numFields]rawjson.Span{}, r.parts[:0], r.pieces[:0]
	if r.kind(item) == rawjson.String {
		r.add(core.Part{Text: r.str(item)}, piece{home: asItem, whole: item, form: plain, text: item})
		return core.Message{Role: core.RoleUser, Parts: r.take()}, nil
	}
	for m := range rawjson.Members(r.text, item) {
		if f, ok := fieldOf[m.Name]; ok {
			r.fields[f] = m.Value
		}
		r.end = m.Whole.End
	}
	kind, err := r.itemType()
	if err != nil {
		return core.Message{}, err
	}
	m, err := r.item(kind)
	m.Parts = r.take()
	return m, err
}

// take returns the parts of the item at hand.
func (r *reader) take() []core.Part {
	for i := range r.parts {
		r.parts[i].Slot = uint32(i) + 1
	}
	if len(r.parts) == 0 {
		return nil
	}
	return slices.Clone(r.parts)
}

// itemType returns the type of the item at hand, which two types may leave out.
func (r *reader) itemType() (string, error) {
	at := r.fields[fieldType]
	switch kind := r.kind(at); {
	case kind == rawjson.String:
		return r.str(at), nil
	case kind != rawjson.Absent && kind != rawjson.Null:
		return "", r.doc.Error(at.Start, r.index, `a string as "type"`, kind.String(), "")
	case r.fields[fieldRole] != rawjson.Span{}:
		return "message", nil
	case r.fields[fieldInput] != rawjson.Span{}: // a request: the error says what to do
		return r.doc.Role(r.index, rawjson.Span{})
	case r.fields[fieldObject] != rawjson.Span{}:
		return "", r.doc.Error(r.doc.Items[r.index].Start, r.index, `an item with "type", "role" or "id"`, "an object of the API",
			`this looks like a response: pass its "output"`)
	case r.str(r.fields[fieldID]) != "":
		return "item_reference", nil
	default:
		return "", r.doc.Error(r.doc.Items[r.index].Start, r.index, `an item with "type", "role" or "id"`, "none of them",
			`every item needs a type, such as "message"`)
	}
}

// item reads the item at hand, which is of that type.
func (r *reader) item(kind string) (core.Message, error) {
	if call, ok := calls[kind]; ok {
		return r.call(kind, call), nil
	}
	if output, ok := outputs[kind]; ok {
		return r.output(kind, output)
	}
	switch kind {
	case "message":
		return r.speech()
	case "reasoning":
		m := core.Message{Role: core.RoleAssistant, Reply: r.inReply()}
		return m, r.reasoning()
	case "configuration_update", "additional_tools", "compaction_trigger":
		r.reply = 0
		r.opaque(nil)
		return core.Message{Role: core.RoleSystem}, nil
	case "compaction", "compaction_summary":
		r.reply = 0
		r.opaque(nil)
		return core.Message{Role: core.RoleAssistant, Policy: core.Locked}, nil
	case "item_reference":
		r.elsewhere = true
		r.opaque(nil)
		return core.Message{Role: core.RoleAssistant, Policy: core.Locked, Reply: r.inReply()}, nil
	case "image_generation_call":
		r.opaque(r.generated())
		return core.Message{Role: core.RoleAssistant, Reply: r.inReply()}, nil
	}
	switch _, output := strings.CutSuffix(kind, "_output"); {
	case r.id(r.fields[fieldCallID]) == "":
		r.opaque(nil)
		return core.Message{Role: core.RoleAssistant, Reply: r.inReply()}, nil
	case output:
		return r.output(kind, outputForm{id: fieldCallID})
	default:
		return r.call(kind, callForm{id: fieldCallID}), nil
	}
}

// speech reads a message.
func (r *reader) speech() (core.Message, error) {
	var m core.Message
	role, err := r.doc.Role(r.index, r.fields[fieldRole])
	if err != nil {
		return m, err
	}
	form := inputText
	switch role {
	case "system", "developer":
		m.Role = core.RoleSystem
	case "user":
		m.Role = core.RoleUser
	case "assistant":
		m.Role, m.Reply, form = core.RoleAssistant, r.inReply(), outputText
	}
	if m.Role != core.RoleAssistant {
		r.reply = 0
	}
	return m, r.content(fieldContent, form)
}

// reasoning reads what the model thought.
func (r *reader) reasoning() error {
	for _, f := range []field{fieldSummary, fieldContent} {
		if err := r.thoughts(f); err != nil {
			return err
		}
	}
	data := r.fields[fieldEncrypted]
	sealed := r.str(data)
	if sealed != "" {
		r.add(core.Part{Text: sealed}, piece{home: asItem})
	}
	if len(r.parts) == 0 {
		r.add(core.Part{}, piece{home: asItem})
	}
	for i := range r.parts {
		r.parts[i].Kind, r.parts[i].Signed = core.KindReasoning, sealed != ""
	}
	return nil
}

// thoughts reads the texts of a reasoning item's member.
func (r *reader) thoughts(f field) error {
	at := r.fields[f]
	switch kind := r.kind(at); kind {
	case rawjson.Absent, rawjson.Null:
	case rawjson.String:
		r.add(core.Part{Text: r.str(at)}, piece{home: asString, form: plain, text: at})
	case rawjson.Array:
		for element := range rawjson.Elements(r.text, at) {
			text, form := r.get(element, "text"), plain
			if r.kind(element) == rawjson.String {
				text = element
			}
			thought := r.str(text)
			if r.kind(text) != rawjson.String {
				thought, form = element.Of(r.text), fixed
			}
			r.add(core.Part{Text: thought}, piece{home: inList, field: f, whole: element, form: form, text: text})
		}
	default:
		return r.doc.Error(at.Start, r.index, `an array as "`+fieldNames[f]+`"`, kind.String(), "")
	}
	return nil
}

// opaque makes the whole item one part.
func (r *reader) opaque(m *core.Media) {
	r.add(core.Part{Kind: core.KindOpaque, Text: r.doc.Items[r.index].Of(r.text), Media: m}, piece{home: asItem})
}

// inReply returns the number of the reply that the item at hand, an output of the model,
// belongs to: the one of the program that called it, the one that goes on, or a new one.
func (r *reader) inReply() int32 {
	if caller := r.fields[fieldCaller]; caller != (rawjson.Span{}) {
		if reply := r.programs[r.str(r.get(caller, "caller_id"))]; reply != 0 {
			r.reply = reply
		}
	}
	if r.reply == 0 {
		r.replies++
		r.reply = r.replies
	}
	return r.reply
}

func (r *reader) add(p core.Part, at piece) {
	r.parts, r.pieces = append(r.parts, p), append(r.pieces, at)
}

func (r *reader) kind(at rawjson.Span) rawjson.Type { return rawjson.TypeOf(r.text, at) }

func (r *reader) get(object rawjson.Span, name string) rawjson.Span {
	return rawjson.Get(r.text, object, name)
}

// str returns the string at a span, or "" if it is none.
func (r *reader) str(at rawjson.Span) string { return text(r.text, at) }

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
