package openai

import (
	"slices"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/reasoning"
	"github.com/trimkit/trimkit/wire/internal/tools"
)

// Encode returns a history of any origin, and the request that goes with it, as one request
// object: messages, tools and response_format. The model, which the API demands too, is for
// the caller. A nil request is an empty one.
//
// It uses what this API has, and where that ends, what Parse reads besides: reasoning that
// is the first part and the only one is reasoning_content, other reasoning thinking blocks;
// is_error says that a result is an error or that it is none; results and replies may hold
// media. Parse gives back every message and part of what Encode wrote, but for this:
//
//   - Neighbouring messages of one Reply are one message, or else the results of the first
//     would not stand right behind it. In a message, calls come last and the audio before
//     them.
//   - Results in one message that have several ids or statuses are several messages. A
//     result without a tool gets that of its call.
//   - An empty text beside other parts, which says nothing, is left out.
//   - The type of an image behind an address is not written, nor are sizes in pixels; and
//     audio/mp3 comes back as audio/mpeg.
//
// A call is one of a function, or of a custom tool if r defines its tool as one whose input
// is text. What is no content (Policy, Reply, Meta, Elided) is not written, nor is anything
// of the request but Schemas and Docs. Schemas in the shape of another API, or of the older
// functions, are translated; what is in no known shape is kept as it is.
//
// What the format has no place for is listed in a [*wire.EncodeError], and nothing is
// written: signatures, which a history does not hold, but for sealed reasoning, which is all
// data; results that are denied or pending; files and sounds behind addresses; blocks that
// another provider runs; bytes that are not UTF-8. Time and memory are linear in history.
func Encode(history []core.Message, r *core.Request) ([]byte, error) {
	if r == nil {
		r = &core.Request{}
	}
	e := newEncoder(history)
	for _, schema := range r.Schemas {
		for _, tool := range tools.Read(schema) {
			e.free[tool.Name] = tool.Free
		}
	}
	e.write(`{"messages":[`)
	e.messages(",")
	e.write("]")
	e.schemas(r.Schemas)
	e.docs(r.Docs)
	e.write("}")
	return e.result()
}

// EncodeLines returns a history as JSONL: a message a line. It is as [Encode] otherwise, but
// that all calls are of functions, and that line breaks between the values of an opaque part
// go. A history without messages is nothing at all, which Parse refuses.
func EncodeLines(history []core.Message) ([]byte, error) {
	e := newEncoder(history)
	e.messages("\n")
	if len(e.out) > 0 {
		e.write("\n")
	}
	return e.result()
}

// encoder writes a history.
type encoder struct {
	history []core.Message
	free    map[string]bool   // tools whose input is text
	tools   map[string]string // call id → tool, of the latest call
	between string            // messages
	out     []byte
	losses  []wire.Loss
	written int // messages so far
}

func newEncoder(history []core.Message) *encoder {
	return &encoder{history: history, free: map[string]bool{}, tools: map[string]string{}}
}

func (e *encoder) result() ([]byte, error) {
	if len(e.losses) > 0 {
		return nil, &wire.EncodeError{Format: formatName, Losses: e.losses}
	}
	return e.out, nil
}

// place is a part of the history; a negative part is the message.
type place struct{ message, part int }

func (e *encoder) at(p place) *core.Part { return &e.history[p.message].Parts[p.part] }

func (e *encoder) lose(p place, what string) {
	e.losses = append(e.losses, wire.Loss{Message: p.message, Part: p.part, What: what})
}

// write adds pieces of JSON.
func (e *encoder) write(json ...string) {
	for _, piece := range json {
		e.out = append(e.out, piece...)
	}
}

func (e *encoder) quote(text string) { e.out = rawjson.AppendQuote(e.out, text) }

// next begins an element of a list.
func (e *encoder) next() {
	if e.out[len(e.out)-1] != '[' {
		e.write(",")
	}
}

func (e *encoder) messages(between string) {
	e.between = between
	for i := 0; i < len(e.history); {
		end := i + 1
		for end < len(e.history) && e.joins(end) {
			end++
		}
		e.message(i, end)
		i = end
	}
}

// joins reports whether a message is of one reply with the one before it.
func (e *encoder) joins(message int) bool {
	a, b := &e.history[message-1], &e.history[message]
	return a.Role == core.RoleAssistant && b.Role == a.Role && a.Reply != 0 && a.Reply == b.Reply
}

// message writes the messages from first up to end, which are one unless it is a tool's.
func (e *encoder) message(first, end int) {
	m := &e.history[first]
	parts, ok := e.parts(first, end)
	switch {
	case !ok:
	case m.Role == core.RoleTool:
		for len(parts) > 0 {
			n := e.blocksOfResult(parts)
			e.toolMessage(parts[:n])
			parts = parts[n:]
		}
	default:
		e.begin(m.Role.String())
		if m.Name != "" {
			e.write(`,"name":`)
			e.quote(m.Name)
		}
		e.speech(m.Role, parts)
		e.write("}")
	}
}

func (e *encoder) begin(role string) {
	if e.written++; e.written > 1 {
		e.write(e.between)
	}
	e.write(`{"role":"`, role, `"`)
}

// parts returns the parts of messages that are one, without those that cannot be written,
// which it notes. ok is false if there is no message to write.
func (e *encoder) parts(first, end int) (parts []place, ok bool) {
	audio := false
	for i := first; i < end; i++ {
		m := &e.history[i]
		if what := e.messageFault(m, &e.history[first]); what != "" {
			e.lose(place{i, -1}, what)
		}
		if _, known := kinds[m.Role]; !known {
			return nil, false
		}
		for p := range m.Parts {
			what := e.fault(m.Role, &m.Parts[p])
			if what == "" && isAudio(m.Role, &m.Parts[p]) {
				if audio {
					what = "a second spoken answer in a message"
				}
				audio = true
			}
			if what != "" {
				e.lose(place{i, p}, what)
				continue
			}
			parts = append(parts, place{i, p})
		}
	}
	return parts, true
}

// messageFault returns why the format has no place for a message or for its name, or "".
// First is the one whose name is written.
func (e *encoder) messageFault(m, first *core.Message) string {
	switch _, known := kinds[m.Role]; {
	case !known:
		return "a message of unknown role"
	case m.Role == core.RoleTool && len(m.Parts) == 0:
		return "a tool message without a result"
	case m.Name != "" && (m.Role == core.RoleTool || m.Name != first.Name):
		return "an author's name"
	case !utf8.ValidString(m.Name):
		return "an author's name that is not UTF-8"
	default:
		return ""
	}
}

// kinds lists what a message of each role may consist of.
var kinds = map[core.Role][]core.Kind{
	core.RoleSystem:    {core.KindText, core.KindMedia, core.KindOpaque},
	core.RoleUser:      {core.KindText, core.KindMedia, core.KindOpaque},
	core.RoleAssistant: {core.KindText, core.KindMedia, core.KindOpaque, core.KindReasoning, core.KindToolCall},
	core.RoleTool:      {core.KindToolResult, core.KindOpaque},
}

// fault returns why the format has no place for a part, or "".
func (e *encoder) fault(role core.Role, p *core.Part) string {
	switch {
	case !slices.Contains(kinds[role], p.Kind):
		return p.Kind.String() + " in a message of role " + role.String()
	case !isUTF8(p):
		return "bytes that are not UTF-8"
	case p.Signed && !reasoning.IsSealed(p):
		return "a signature, which a history does not hold"
	case p.Kind == core.KindToolResult && p.Status > core.StatusFailed:
		return "a result that is " + p.Status.String()
	case p.Kind == core.KindOpaque && !isAudio(role, p) && !isBlock(p.Text):
		return "an opaque part of another format"
	default:
		return mediaFault(p)
	}
}

func isUTF8(p *core.Part) bool {
	for _, text := range []string{p.Text, p.CallID, p.Tool} {
		if !utf8.ValidString(text) {
			return false
		}
	}
	m := p.Media
	return m == nil || utf8.ValidString(m.URL) && utf8.ValidString(m.MIME) && utf8.ValidString(m.Detail)
}
