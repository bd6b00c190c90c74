package gemini

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Encode returns a history, wherever it comes from, as a request in Gemini's format. Parse
// reads from it the same roles and parts: kinds, texts, call ids, tools, statuses, media.
// Neighbours become one message where the API wants them so:
//
//   - system messages, which have to stand first, are the one system instruction;
//   - tool messages are one content, since the results of a reply's calls have to come
//     together, right behind it;
//   - messages of one reply are one content, and so is a run of assistant messages of which
//     one has calls, since a content with calls has to stand behind the user's or behind results.
//
// What says the same in another form is not kept: no arguments are {}, spaces around
// arguments, a media detail of "auto", the size of an image in pixels, whether media were
// bytes or a data: URI, and whether a result's plain text was a document. A result without a
// tool's name gets that of its call, and a call without an id gets one.
//
// If something else has no place in the format, the error is a [*wire.EncodeError] that
// lists everything of the kind: names of authors, signatures (core does not have them),
// texts that are not UTF-8, arguments that are no JSON object, results that were denied or
// belong to no tool, parts of unknown form or in a message of a role that has none such, a
// system message behind others, media of unknown type, tools whose input is text or strictly
// follows a schema, documents that are no schema of the reply. Policy, Meta and what else
// core has for itself is nothing that a request could hold.
//
// Gemini 3 refuses calls without a signature in the turn at hand, that is behind the last
// text of the user, and so may refuse a foreign history that ends there.
func Encode(history []core.Message, r *core.Request) ([]byte, error) {
	e := encoder{history: history, groups: core.NewGroups(history)}
	e.out = append(e.out, '{')
	e.contents(e.system())
	e.inOrder()
	if r != nil {
		e.tools(r.Schemas)
		e.docs(r.Docs)
	}
	e.out = append(e.out, "}\n"...)
	if len(e.losses) == 0 && rawjson.Check(e.out) != nil {
		e.lose(-1, -1, "JSON that is nested too deep")
	}
	if len(e.losses) > 0 {
		return nil, &wire.EncodeError{Format: formatName, Losses: e.losses}
	}
	return e.out, nil
}

// inOrder sorts the losses of messages, which are found as things are written.
func (e *encoder) inOrder() {
	slices.SortStableFunc(e.losses, func(a, b wire.Loss) int {
		return cmp.Or(cmp.Compare(a.Message, b.Message), cmp.Compare(a.Part, b.Part))
	})
}

type encoder struct {
	history []core.Message
	groups  *core.Groups
	out     []byte
	losses  []wire.Loss
}

func (e *encoder) lose(message, part int, what string) {
	e.losses = append(e.losses, wire.Loss{Message: message, Part: part, What: what})
}

func (e *encoder) write(json string) { e.out = append(e.out, json...) }

// next begins an element of a list.
func (e *encoder) next() {
	if e.out[len(e.out)-1] != '[' {
		e.write(",")
	}
}

// quote writes a string of a part, or of another place.
func (e *encoder) quote(message, part int, text string) {
	if !utf8.ValidString(text) {
		e.lose(message, part, "text that is not UTF-8")
		return
	}
	e.out = rawjson.AppendQuote(e.out, text)
}

// system writes the system messages that stand first, and returns how many they are.
func (e *encoder) system() int {
	n := 0
	for n < len(e.history) && e.history[n].Role == core.RoleSystem {
		n++
	}
	if !slices.ContainsFunc(e.history[:n], func(m core.Message) bool { return len(m.Parts) > 0 }) {
		return n
	}
	e.write(`"systemInstruction":{"parts":[`)
	for i := range n {
		e.author(i)
		for p := range e.history[i].Parts {
			e.next()
			e.part(i, p)
		}
	}
	e.write("]},\n")
	return n
}

func (e *encoder) author(message int) {
	if e.history[message].Name != "" {
		e.lose(message, -1, "an author's name")
	}
}

// contents writes the messages from first on.
func (e *encoder) contents(first int) {
	e.write(`"contents":[`)
	for i := first; i < len(e.history); {
		for run, calls := e.run(i); i < run; {
			end := i + 1
			for end < run && e.joins(end, calls) {
				end++
			}
			e.next()
			e.write("\n")
			e.content(i, end)
			i = end
		}
	}
	e.write("\n]")
}

// run returns the end of the messages of one role from first on, and whether any has calls.
func (e *encoder) run(first int) (end int, calls bool) {
	for end = first; end < len(e.history) && e.history[end].Role == e.history[first].Role; end++ {
		calls = calls || core.ClassOf(&e.history[end]) == core.ClassCalls
	}
	return end, calls
}

// joins reports whether a message shares the content of the one before it, both being of a
// run that has calls, or none.
func (e *encoder) joins(message int, calls bool) bool {
	a, b := &e.history[message-1], &e.history[message]
	return a.Role == core.RoleTool || a.Role == core.RoleAssistant && (calls || a.Reply != 0 && a.Reply == b.Reply)
}

// content writes messages of one role.
func (e *encoder) content(first, end int) {
	role := e.history[first].Role
	e.write(`{"role":"` + roleName(role) + `","parts":[`)
	for i := first; i < end; i++ {
		e.author(i)
		switch {
		case role == core.RoleSystem:
			e.lose(i, -1, "a system message behind others")
		case role == core.RoleTool:
			e.results(i)
		case role == core.RoleUser || role == core.RoleAssistant:
			for p := range e.history[i].Parts {
				e.next()
				e.part(i, p)
			}
		default:
			e.lose(i, -1, "a message of unknown role")
		}
	}
	e.write("]}")
}

// part writes a part of a message that is not a tool's.
func (e *encoder) part(message, part int) {
	m, p := &e.history[message], &e.history[message].Parts[part]
	model := m.Role == core.RoleAssistant
	switch {
	case p.Media != nil && p.Kind != core.KindMedia:
		e.lose(message, part, "media in a part of kind "+p.Kind.String())
	case p.Kind == core.KindOpaque && isOwn(p):
		e.write(p.Text)
	case p.Signed:
		e.lose(message, part, "a signature")
	case p.Kind == core.KindText:
		e.text(message, part)
	case p.Kind == core.KindReasoning && model:
		e.text(message, part)
	case p.Kind == core.KindToolCall && model:
		e.call(message, part)
	case p.Kind == core.KindMedia && p.Text == "" && m.Role != core.RoleSystem:
		e.media(message, part, true)
	case p.Kind == core.KindMedia && p.Text != "":
		e.lose(message, part, "text and media in one part")
	case p.Kind == core.KindOpaque:
		e.lose(message, part, "a part of a form that is not Gemini's")
	default:
		e.lose(message, part, "a part of kind "+p.Kind.String()+" in a message of role "+m.Role.String())
	}
}

// text writes a text, or reasoning.
func (e *encoder) text(message, part int) {
	p := &e.history[message].Parts[part]
	e.write(`{"text":`)
	e.quote(message, part, p.Text)
	if p.Kind == core.KindReasoning {
		e.write(`,"thought":true`)
	}
	e.write("}")
}

func (e *encoder) call(message, part int) {
	p := &e.history[message].Parts[part]
	e.write(`{"functionCall":{`)
	e.id(message, part, p.CallID)
	if p.Tool == "" {
		e.lose(message, part, "a call without a tool's name")
	}
	e.write(`"name":`)
	e.quote(message, part, p.Tool)
	args := strings.TrimSpace(p.Text)
	switch {
	case args == "":
	case !strings.HasPrefix(args, "{") || !json.Valid([]byte(args)):
		e.lose(message, part, "arguments that are no JSON object")
	case !utf8.ValidString(args):
		e.lose(message, part, "text that is not UTF-8")
	default:
		e.write(`,"args":` + args)
	}
	e.write("}}")
}

func (e *encoder) id(message, part int, id string) {
	if id != "" {
		e.write(`"id":`)
		e.quote(message, part, id)
		e.write(",")
	}
}

// isOwn reports whether an opaque part is one that Parse made of a content's part, such as
// code that ran at Google.
func isOwn(p *core.Part) bool {
	if !utf8.ValidString(p.Text) || !strings.HasPrefix(p.Text, "{") || !json.Valid([]byte(p.Text)) {
		return false
	}
	whole := rawjson.ValueAt(p.Text, 0)
	r := reader{text: p.Text}
	f := r.fields(whole)
	return whole.End == len(p.Text) && f.holds == holdsOther && r.str(f.text) == "" && f.signed == p.Signed
}
