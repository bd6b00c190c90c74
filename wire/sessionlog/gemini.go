package sessionlog

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/gemini"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Gemini CLI is open; its chat recording service, its logger (checkpoints) and the code that
// resumes a session define the format.

// geminiCLI is a session of Gemini CLI.
type geminiCLI struct {
	*draft
	messages []geminiMessage
	byID     map[string]int // among those messages
	statuses map[string]core.Status
}

// geminiMessage is a message of a session.
type geminiMessage struct {
	origin
	fields map[string]rawjson.Span
}

func readGemini(d *draft) ([]core.Message, error) {
	g := &geminiCLI{draft: d, byID: map[string]int{}, statuses: map[string]core.Status{}}
	for i, item := range d.Items {
		g.record(i, item)
	}
	for i := range g.messages {
		g.message(&g.messages[i])
	}
	messages, err := finish(d, "gemini", gemini.Parse)
	for i := range messages {
		if m := &messages[i]; m.Role == core.RoleTool {
			settle(m, func(callID string) core.Status { return g.statuses[callID] })
		}
	}
	return messages, err
}

// record carries out a record: of JSONL a line, else the only one.
func (g *geminiCLI) record(index int, item rawjson.Span) {
	fields := g.Fields(item)
	if id := g.Str(fields["sessionId"]); id != "" {
		g.session = id
	}
	switch {
	case g.Kind(fields["history"]) == rawjson.Array: // a checkpoint
		for content := range g.Elements(fields["history"]) {
			g.add(origin{record: index, start: item.Start}, content.Of(g.Text))
		}
	case fields["parts"] != rawjson.Span{}: // an old one is the list itself
		g.add(origin{record: index, start: item.Start}, item.Of(g.Text))
	case fields["$rewindTo"] != rawjson.Span{}:
		g.rewind(g.Str(fields["$rewindTo"]))
	case fields["$set"] != rawjson.Span{}:
		g.update(index, g.Get(fields["$set"], "messages"))
	case g.Kind(fields["messages"]) == rawjson.Array:
		g.update(index, fields["messages"])
	case fields["id"] != rawjson.Span{}:
		g.put(index, item)
	default:
		g.skip("metadata", 1)
	}
}

// put adds a message, or a newer state of one that is there.
func (g *geminiCLI) put(index int, at rawjson.Span) {
	fields := g.Fields(at)
	m := geminiMessage{origin{index, at.Start, g.Str(fields["id"]), g.time(fields["timestamp"])}, fields}
	if old, ok := g.byID[m.id]; ok && m.id != "" {
		g.messages[old] = m
		g.skip("recorded again", 1)
		return
	}
	g.byID[m.id] = len(g.messages)
	g.messages = append(g.messages, m)
}

// update replaces all messages, if there are some to replace them with.
func (g *geminiCLI) update(index int, messages rawjson.Span) {
	if g.Kind(messages) != rawjson.Array {
		g.skip("metadata", 1)
		return
	}
	g.cut(0, "recorded again")
	for message := range rawjson.Elements(g.Text, messages) {
		g.put(index, message)
	}
}

// rewind takes back the message of that id and what came after it; all of them, if it is
// unknown.
func (g *geminiCLI) rewind(id string) {
	g.cut(g.byID[id], "rewound")
	g.skip("metadata", 1)
}

func (g *geminiCLI) cut(at int, reason string) {
	for i := range g.messages[at:] {
		delete(g.byID, g.messages[at+i].id)
	}
	g.skip(reason, len(g.messages)-at)
	g.messages = g.messages[:at]
}

// message drafts the content that a message is, and the one with its calls' results.
func (g *geminiCLI) message(m *geminiMessage) {
	switch kind := g.Str(m.fields["type"]); kind {
	case "user":
		g.content(m.origin, "user", g.parts(nil, m.fields["content"]))
	case "gemini":
		var parts []string
		for thought := range g.Elements(m.fields["thoughts"]) {
			parts = append(parts, g.thought(thought))
		}
		parts = g.parts(parts, m.fields["content"])
		calls, results := g.calls(m.fields)
		g.content(m.origin, "model", append(parts, calls...))
		if len(results) > 0 {
			g.content(m.origin, "user", results)
		}
	default:
		g.skipType(kind)
	}
}

func (g *geminiCLI) content(from origin, role string, parts []string) {
	pieces := []string{`{"role":"`, role, `","parts":[`}
	for i, part := range parts {
		if i > 0 {
			pieces = append(pieces, ",")
		}
		pieces = append(pieces, part)
	}
	g.add(from, append(pieces, "]}")...)
}

// parts appends the parts that a value is: a list of them, one, or a string.
func (g *geminiCLI) parts(parts []string, at rawjson.Span) []string {
	switch g.Kind(at) {
	case rawjson.Absent, rawjson.Null:
		return parts
	case rawjson.String:
		if g.Str(at) == "" {
			return parts
		}
		return append(parts, g.part(at))
	case rawjson.Array:
		for element := range rawjson.Elements(g.Text, at) {
			parts = append(parts, g.part(element))
		}
		return parts
	default:
		return append(parts, g.part(at))
	}
}

// part returns the part that a value is.
func (g *geminiCLI) part(at rawjson.Span) string {
	if g.Kind(at) == rawjson.String {
		return `{"text":` + at.Of(g.Text) + `}`
	}
	return at.Of(g.Text)
}

// thought returns the part that a summary of what the model thought is.
func (g *geminiCLI) thought(at rawjson.Span) string {
	text := g.Str(g.Get(at, "subject"))
	if description := g.Str(g.Get(at, "description")); text == "" || description == "" {
		text += description
	} else {
		text += "\n" + description
	}
	return `{"thought":true,"text":` + string(rawjson.AppendQuote(nil, text)) + `}`
}
