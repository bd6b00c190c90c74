package anthropic

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Encode returns a history of any origin, and the request that goes with it, as one request
// object. It has tools, system, output_config and messages; model and max_tokens, which
// the API demands too, are for the caller. A nil request is an empty one.
//
// Parse gives back every message and part of what Encode wrote, but for this, which the API
// asks for or which says nothing:
//
//   - System messages at the start are one system prompt; one that is blank is left out.
//   - RoleTool messages in a row are one message, since all results of a reply belong into
//     the message behind it, before anything else; and neighbouring results of one call are
//     one result. A user message right behind them is written into the same message, which
//     Parse takes apart again.
//   - Neighbouring messages of one Reply are one message, since the format has no other way
//     to say so; and so is one that ends on reasoning with the assistant's behind it, since
//     none may end so.
//   - A blank text beside other content is left out, unless reasoning would be last then.
//   - A call without arguments has those of an empty object; spaces around arguments go.
//   - A call id with characters that the API does not take is replaced, in the call and in
//     its results, by one that no other call has.
//   - The type of media behind an address is not written, but that an image is one and a
//     PDF the other.
//
// What is no content (Policy, Reply, Meta, Elided) is not written, nor is anything of the
// request but Schemas and Docs. Schemas in the shape of another provider
// are translated; what is in no known shape is kept as it is.
//
// Reasoning is a thinking block without a signature, which Anthropic's own service does not
// take, but compatible ones do. What was signed cannot be written, since a history does not
// hold signatures, but for redacted reasoning, which is known by its look.
//
// What else the format has no place for, such as an author's name, arguments that are no
// JSON object, or a sound, is listed in a [*wire.EncodeError], and nothing is written. Time
// and memory are linear in history.
func Encode(history []core.Message, r *core.Request) ([]byte, error) {
	if r == nil {
		r = &core.Request{}
	}
	e := encoder{history: history, ids: newIDs(history), tools: map[string]string{}}
	prompt := 0
	for prompt < len(history) && history[prompt].Role == core.RoleSystem {
		prompt++
	}
	e.out = append(e.out, '{')
	e.system(prompt)
	e.out = append(e.out, `"messages":[`...)
	for i := prompt; i < len(history); {
		i = e.message(i)
	}
	e.out = append(e.out, ']')
	e.schemas(r.Schemas)
	e.docs(r.Docs)
	if len(e.losses) > 0 {
		return nil, &wire.EncodeError{Format: formatName, Losses: e.losses}
	}
	return append(e.out, '}'), nil
}

// encoder writes a history.
type encoder struct {
	history []core.Message
	ids     map[string]string // call id → the one that is written
	tools   map[string]string // call id → tool, of the latest call
	out     []byte
	losses  []wire.Loss
	written int // messages so far
}

// place is a part of the history.
type place struct{ message, part int }

func (e *encoder) at(p place) *core.Part { return &e.history[p.message].Parts[p.part] }

func (e *encoder) lose(p place, what string) {
	e.losses = append(e.losses, wire.Loss{Message: p.message, Part: p.part, What: what})
}

func (e *encoder) system(prompt int) {
	parts := e.parts(0, prompt)
	if !e.says(parts) {
		return
	}
	e.out = append(e.out, `"system":`...)
	e.content(parts)
	e.out = append(e.out, ',')
}

// message writes the message that begins with the one at i, and returns the index of the
// one behind it.
func (e *encoder) message(i int) int {
	role, next := e.history[i].Role, i+1
	switch role {
	case core.RoleTool:
		next = e.results(i)
	case core.RoleAssistant:
		next = e.reply(i)
	case core.RoleSystem, core.RoleUser:
	default:
		e.lose(place{i, -1}, "a message of unknown role")
		return next
	}
	parts := e.parts(i, next)
	if role == core.RoleTool {
		role = core.RoleUser
	}
	if e.written++; e.written > 1 {
		e.out = append(e.out, ',')
	}
	e.out = append(append(append(e.out, `{"role":"`...), role.String()...), `","content":`...)
	e.content(parts)
	e.out = append(e.out, '}')
	return next
}

// results returns the index behind the messages that are one with the RoleTool message at i.
func (e *encoder) results(i int) int {
	next := i
	for next < len(e.history) && e.history[next].Role == core.RoleTool {
		next++
	}
	if next < len(e.history) && e.history[next].Role == core.RoleUser && e.says(e.all(next, next+1)) {
		next++
	}
	return next
}

// reply returns the index behind the messages that are one with the assistant message at
// i: those of its Reply and, as long as nothing but blank text follows reasoning, the next
// one that says something.
func (e *encoder) reply(i int) int {
	end, reasoning := i+1, false
	for next := i; next < len(e.history) && e.history[next].Role == core.RoleAssistant; next++ {
		m := &e.history[next]
		if next > i {
			same := m.Reply != 0 && m.Reply == e.history[next-1].Reply
			if !same && !reasoning {
				break
			}
			if same {
				end = next + 1
			}
		}
		for p := range m.Parts {
			if !isBlank(&m.Parts[p]) {
				end, reasoning = next+1, m.Parts[p].Kind == core.KindReasoning
			}
		}
	}
	return end
}

// all returns the parts of the messages from one index up to another.
func (e *encoder) all(from, to int) []place {
	var parts []place
	for i := from; i < to; i++ {
		for p := range e.history[i].Parts {
			parts = append(parts, place{i, p})
		}
	}
	return parts
}

// parts returns those of them that can be written, and notes what cannot.
func (e *encoder) parts(from, to int) []place {
	var parts []place
	for i := from; i < to; i++ {
		m := &e.history[i]
		if m.Name != "" {
			e.lose(place{i, -1}, "an author's name")
		}
		if m.Role == core.RoleTool && len(m.Parts) == 0 {
			e.lose(place{i, -1}, "a tool message without a result")
		}
		for _, p := range e.all(i, i+1) {
			what := e.fault(p)
			if what == "" {
				parts = append(parts, p)
			} else {
				e.lose(p, what)
			}
		}
	}
	return parts
}

// kinds lists what a message of each role may consist of.
var kinds = map[core.Role][]core.Kind{
	core.RoleSystem:    {core.KindText},
	core.RoleUser:      {core.KindText, core.KindMedia, core.KindOpaque},
	core.RoleAssistant: {core.KindText, core.KindOpaque, core.KindReasoning, core.KindToolCall},
	core.RoleTool:      {core.KindToolResult, core.KindOpaque},
}

// fault returns why the format has no place for a part, or "".
func (e *encoder) fault(at place) string {
	role, p := e.history[at.message].Role, e.at(at)
	if p.Kind == core.KindToolCall {
		e.tools[p.CallID] = p.Tool
	}
	switch {
	case !slices.Contains(kinds[role], p.Kind):
		return p.Kind.String() + " in a message of role " + role.String()
	case !isUTF8(p):
		return "bytes that are not UTF-8"
	case p.Signed && !isRedacted(p):
		return "a signature, which a history does not hold"
	case p.Kind == core.KindToolResult && p.Status > core.StatusFailed:
		return "a result that is " + p.Status.String()
	case p.Kind == core.KindToolResult && p.Tool != "" && p.Tool != e.tools[p.CallID]:
		return "a result with a tool that is not its call's"
	case p.Kind == core.KindOpaque && !isKnown(p.Text, role):
		return "an opaque part of another format"
	case p.Kind == core.KindToolCall && !isArguments(p.Text):
		return "arguments that are no JSON object"
	default:
		return mediaFault(p)
	}
}

func isUTF8(p *core.Part) bool {
	m := p.Media
	return utf8.ValidString(p.Text) && utf8.ValidString(p.Tool) && (m == nil || utf8.ValidString(m.URL) && utf8.ValidString(m.MIME))
}

// isArguments reports whether a call can have a text as its arguments.
func isArguments(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || text[0] == '{' && rawjson.Check([]byte(text)) == nil
}
