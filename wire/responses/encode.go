package responses

import (
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/tools"
)

// Encode writes a history of any origin, and what r has beside it if it is not nil, as the
// JSON of a request. The caller adds the model and whatever else the request needs.
//
//   - A message of the system, the user or the assistant is an item of type message; a
//     system message stays where it is, and none becomes the instructions.
//   - An assistant's message becomes an item for each run of texts or of reasoning and for
//     each call, in their order, so that it comes back as several messages of one Reply.
//     Neighbouring replies come back as one.
//   - Reasoning is the summary of a reasoning item. Signed, it must end on OpenAI's own
//     encrypted data, which Parse returns as a part; the signatures of other providers are
//     not in core's messages and could not be checked here.
//   - A call is a function_call, or a custom_tool_call if r defines its tool as one whose
//     input is text. Results with one CallID in a row in a message are one output.
//   - An Opaque part must be an item of this API's that the provider runs or keeps.
//   - A medium in base64 is a data: URI. A file gets a name where the API demands one.
//   - Tool definitions of other APIs are translated; those of functions that do not say so
//     are not strict, which is the default of all APIs but this one. Definitions of unknown
//     form stay as they are. A demanded JSON schema among the Docs is the format of the
//     text.
//
// What has no place is a [*wire.EncodeError] that lists all of it: names of authors,
// unknown roles, parts in messages whose role does not have them, signatures, that a
// result is a success, an error or denied, sounds in results and behind addresses, media
// of the assistant's, the type of an image behind an address, text that is not UTF-8,
// other Opaque parts and Docs, and members of a translated definition that have no
// counterpart. Policies, the sizes of images and the bookkeeping of edits are trimkit's own
// and not written.
func Encode(history []core.Message, r *core.Request) ([]byte, error) {
	e := encoder{free: map[string]bool{}, custom: map[string]bool{}, tools: map[string]string{}}
	if r == nil {
		r = &core.Request{}
	}
	for _, schema := range r.Schemas {
		for _, tool := range tools.Read(schema) {
			e.free[tool.Name] = tool.Free
		}
	}
	e.out = append(e.out, `{"input":[`...)
	for i := range history {
		e.index = i
		e.message(&history[i])
	}
	e.out = append(e.out, ']')
	e.index = -1
	e.schemas(r.Schemas)
	e.docs(r.Docs)
	e.out = append(e.out, '}')
	if len(e.losses) > 0 {
		return nil, &wire.EncodeError{Format: formatName, Losses: e.losses}
	}
	return e.out, nil
}

// encoder writes a request.
type encoder struct {
	out    []byte
	losses []wire.Loss

	free   map[string]bool   // tools whose input is text
	custom map[string]bool   // ids of calls of such tools
	tools  map[string]string // call id → tool, of the latest call

	index int // of the message at hand; -1: what stands beside the messages
}

// lose notes that a part, or with -1 the message, has something that cannot be written.
func (e *encoder) lose(part int, what string) {
	e.losses = append(e.losses, wire.Loss{Message: e.index, Part: part, What: what})
}

// write adds pieces of JSON.
func (e *encoder) write(json ...string) {
	for _, piece := range json {
		e.out = append(e.out, piece...)
	}
}

// quote adds the text of a part as a string.
func (e *encoder) quote(part int, text string) {
	if !utf8.ValidString(text) {
		e.lose(part, "a text that is not UTF-8")
	}
	e.out = rawjson.AppendQuote(e.out, text)
}

// next begins a new element of a list.
func (e *encoder) next() {
	if last := e.out[len(e.out)-1]; last != '[' {
		e.out = append(e.out, ',')
	}
}

func (e *encoder) message(m *core.Message) {
	if m.Name != "" {
		e.lose(-1, "an author's name")
	}
	for i := range m.Parts {
		if m.Parts[i].Signed && m.Parts[i].Kind != core.KindReasoning {
			e.lose(i, "a signature of a part of kind "+m.Parts[i].Kind.String())
		}
	}
	switch m.Role {
	case core.RoleSystem, core.RoleUser:
		if len(m.Parts) == 1 && e.native(m.Role, &m.Parts[0]) {
			return
		}
		e.speech(m, 0, len(m.Parts))
	case core.RoleAssistant:
		e.reply(m)
	case core.RoleTool:
		e.results(m)
	default:
		e.lose(-1, "a role that is none of system, user, assistant and tool")
	}
}

// reply writes an assistant's message: an item for each run of parts.
func (e *encoder) reply(m *core.Message) {
	for i := 0; i < len(m.Parts); {
		from, kind := i, m.Parts[i].Kind
		for i++; i < len(m.Parts) && m.Parts[i].Kind == kind; i++ {
			if kind == core.KindToolCall || kind == core.KindOpaque {
				break
			}
		}
		switch {
		case kind == core.KindReasoning:
			e.reasoning(m.Parts[:i], from)
		case kind == core.KindToolCall:
			e.call(from, &m.Parts[from])
		case kind == core.KindOpaque && e.native(m.Role, &m.Parts[from]):
		default:
			e.speech(m, from, i)
		}
	}
	if len(m.Parts) == 0 {
		e.speech(m, 0, 0)
	}
}

// speech writes parts of a message as an item of type message.
func (e *encoder) speech(m *core.Message, from, to int) {
	form := inputText
	if m.Role == core.RoleAssistant {
		form = outputText
	}
	e.next()
	e.write(`{"type":"message","role":"`, m.Role.String(), `","content":[`)
	for i := from; i < to; i++ {
		switch p := &m.Parts[i]; {
		case p.Kind == core.KindText:
			e.next()
			e.text(i, form, p.Text)
		case p.Kind == core.KindMedia && p.Media != nil && form == inputText:
			e.media(i, p.Media, true)
		default:
			e.lose(i, "a part of kind "+p.Kind.String()+" in a message of role "+m.Role.String())
		}
	}
	e.write("]}")
}

// text writes a content part.
func (e *encoder) text(part int, form form, text string) {
	if form == outputText {
		e.write(`{"type":"output_text","text":`)
	} else {
		e.write(`{"type":"input_text","text":`)
	}
	e.quote(part, text)
	e.write("}")
}

// call writes a call.
func (e *encoder) call(i int, p *core.Part) {
	e.tools[p.CallID], e.custom[p.CallID] = p.Tool, e.free[p.Tool]
	kind, text := "function_call", "arguments"
	if e.free[p.Tool] {
		kind, text = "custom_tool_call", "input"
	}
	e.next()
	e.write(`{"type":"`, kind, `","call_id":`)
	e.quote(i, p.CallID)
	e.write(`,"name":`)
	e.quote(i, p.Tool)
	e.write(`,"`, text, `":`)
	e.quote(i, p.Text)
	e.write("}")
}

// results writes a tool message: an item for each run of results with one id.
func (e *encoder) results(m *core.Message) {
	for i := 0; i < len(m.Parts); {
		from, id := i, m.Parts[i].CallID
		if m.Parts[i].Kind != core.KindToolResult {
			e.lose(i, "a part of kind "+m.Parts[i].Kind.String()+" in a result")
			i++
			continue
		}
		for i < len(m.Parts) && m.Parts[i].Kind == core.KindToolResult && m.Parts[i].CallID == id {
			i++
		}
		e.result(m.Parts[:i], from)
	}
	if len(m.Parts) == 0 {
		e.lose(-1, "a tool message without a result")
	}
}

// result writes the results from an index on, which answer one call.
func (e *encoder) result(parts []core.Part, from int) {
	first := &parts[from]
	custom := e.custom[first.CallID]
	e.next()
	if custom {
		e.write(`{"type":"custom_tool_call_output","call_id":`)
	} else {
		e.write(`{"type":"function_call_output","call_id":`)
	}
	e.quote(from, first.CallID)
	if tool, called := e.tools[first.CallID]; first.Tool != "" && (!called || tool != first.Tool) {
		e.write(`,"name":`)
		e.quote(from, first.Tool)
	}
	for i := from; i < len(parts); i++ {
		if p := &parts[i]; p.Tool != first.Tool || p.Status != first.Status {
			e.lose(i, "another tool or status than the blocks before it have")
		}
	}
	switch {
	case first.Status == core.StatusUnknown:
	case first.Status == core.StatusPending && !custom:
		e.write(`,"status":"in_progress"`)
	default:
		e.lose(from, "the status "+first.Status.String())
	}
	e.write(`,"output":`)
	if len(parts)-from == 1 && first.Media == nil {
		e.quote(from, first.Text)
	} else {
		e.blocks(parts, from)
	}
	e.write("}")
}

// blocks writes a result as an array.
func (e *encoder) blocks(parts []core.Part, from int) {
	e.write("[")
	for i := from; i < len(parts); i++ {
		p := &parts[i]
		if p.Media != nil {
			e.media(i, p.Media, false)
		}
		if p.Media == nil {
			e.next()
			e.text(i, inputText, p.Text)
		} else if p.Text != "" {
			e.lose(i, "a text beside media in one part")
		}
	}
	e.write("]")
}
