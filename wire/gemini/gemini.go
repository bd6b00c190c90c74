// Package gemini reads and writes conversations of Google's generateContent API, as the
// Gemini API and Vertex AI have it.
//
// [Parse] takes a request object with "contents" (and "systemInstruction", "tools",
// "generationConfig", or anything else), a JSON array of contents, or JSONL with a content
// a line. [Conversation.Write] returns the same shape; [Encode] writes a history from
// anywhere as a request. What package wire guarantees holds: bytes that no edit touched
// stay.
//
// Every name is read in camelCase and in snake_case, as the API does, and a member that is
// null as one that is absent, as client libraries write them. Reading is lenient where
// recordings are. Whether the API would take the history is a question for [core.Check] with
// [core.Gemini]. What a request names but does not hold, such as cachedContent, is carried
// and not looked at.
//
// # What becomes what
//
// The system instruction is the first message and has Src 1, wherever in the object it
// stands; contents are numbered on from there, or from 1 if there is none. A content is one
// message, or two with one Src if it mixes results and what the user says: first the
// results, then the user's. A part's Slot is 1 + its index among all that its content is
// read as.
//
//   - Roles: user, or none, is RoleUser, and RoleTool where there are results; model is
//     RoleAssistant; function and tool, as older clients have it, are RoleTool, in which a
//     text is Opaque; any other is the zero Role.
//   - Text: a part with text, or a string. With thought it is the model's Reasoning.
//   - Calls: Text is args as JSON, {} where there are none. A call without id gets one: its
//     name, "#", and a running number.
//   - Results: the response says one thing where it is an object with a single string, or
//     has blocks of text as MCP's tools return them: Text is that string, and each block is a
//     part. Any other response is a part with the response's JSON. What stands in the result's
//     parts, and media beside results in a content without text, are parts of the result too:
//     media, or the text itself where it is text/plain.
//   - Status: an error, or isError, is Failed; output, or isError being false, is OK;
//     willContinue is Pending.
//   - Ids of results: the result's own if a call has it, else that of the first unanswered
//     call of its name in the nearest content before it, else its own. The API matches results
//     without ids in the same way, by name and order.
//   - Media: inlineData becomes a data: URI, fileData its address; mediaResolution is Detail.
//   - Signed: any part with a thoughtSignature. The API wants those back unchanged, in the
//     part that they came with, so no edit touches them; they leave with their group.
//   - Opaque: everything else, such as executableCode and codeExecutionResult. Text is its
//     JSON.
//
// # What an edit becomes
//
// A new text takes the place of the old string. A response of another form, which has to be
// an object, becomes {"error": text}, {"output": text} or {"result": text}, by its status.
// Elided media becomes a text; within a result, where the API takes no text but plain-text
// documents, it becomes one of those.
package gemini

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

const formatName = "gemini"

// Conversation is a conversation in Gemini's format. It is immutable, and safe for
// concurrent use.
type Conversation struct {
	doc      *document.Document
	system   rawjson.Span // the system instruction; the zero Span where there is none
	messages []core.Message
	request  core.Request
}

var _ wire.Conversation = (*Conversation)(nil)

// Parse reads a conversation. It takes time and memory linear in data and does not keep
// data; the strings of the messages share one copy of it. Every error is a
// [*wire.SyntaxError], in which a message is a content: the input is no JSON or is cut off,
// a content is no object or has neither parts nor a role, its role is no string, its parts
// are no list, an object is neither a request nor a content, or there is nothing at all; or a
// [*wire.LimitError], if data is beyond the limits of opts. An array without contents is a
// conversation.
func Parse(data []byte, opts ...wire.ParseOption) (*Conversation, error) {
	if err := wire.CheckLimits(formatName, data, opts...); err != nil {
		return nil, err
	}
	doc, err := document.Read(data, document.Format{Name: formatName, List: "contents", Marks: []string{"parts", "role"}})
	if err != nil {
		return nil, err
	}
	c := &Conversation{doc: doc, messages: make([]core.Message, 0, len(doc.Items)+1)}
	if err := c.readRequest(); err != nil {
		return nil, err
	}
	r := newReader(doc)
	if c.system != (rawjson.Span{}) {
		if err := r.system(c.system); err != nil {
			return nil, err
		}
		c.messages = append(c.messages, core.Message{Role: core.RoleSystem, Src: 1, Parts: r.take(func(int) bool { return true })})
	}
	for i := range doc.Items {
		if err := r.content(i); err != nil {
			return nil, err
		}
		c.messages = r.appendMessages(c.messages, c.src(i))
	}
	return c, nil
}

// Messages returns the history. See [wire.Conversation].
func (c *Conversation) Messages() []core.Message { return c.messages }

// Request returns the function declarations of all tools as Schemas, each as the JSON that
// was read, and any other tool as the JSON of its own; a schema that the reply must have is
// among Docs. Only a request object has any. See [wire.Conversation].
func (c *Conversation) Request() *core.Request { return &c.request }

// Shape returns the shape of the document.
func (c *Conversation) Shape() wire.Shape { return c.doc.Shape }

// src returns the Src of the content of that index.
func (c *Conversation) src(content int) int32 {
	if c.system != (rawjson.Span{}) {
		content++
	}
	return int32(content) + 1
}

// contentOf returns the index of the content of that Src; -1 is the system instruction.
func (c *Conversation) contentOf(src int32) int { return int(src - c.src(0)) }

func (c *Conversation) readRequest() error {
	if c.doc.Object == (rawjson.Span{}) {
		return nil
	}
	text := c.doc.Text
	for m := range rawjson.Members(text, c.doc.Object) {
		if rawjson.TypeOf(text, m.Value) == rawjson.Null {
			continue
		}
		switch m.Name {
		case "systemInstruction", "system_instruction":
			c.system = m.Value
		case "tools":
			if err := c.readTools(m.Value); err != nil {
				return err
			}
		case "generationConfig", "generation_config":
			c.readConfig(m.Value)
		}
	}
	if c.system == (rawjson.Span{}) {
		return nil
	}
	if kind := rawjson.TypeOf(text, c.system); kind != rawjson.Object {
		return c.doc.Error(c.system.Start, -1, `an object as "systemInstruction"`, kind.String(),
			`put a text into {"parts":[{"text":...}]}`)
	}
	if present(text, c.system, "parts") == (rawjson.Span{}) {
		c.system = rawjson.Span{}
	}
	return nil
}

// readTools reads the last list of tools; an earlier one is none.
func (c *Conversation) readTools(list rawjson.Span) error {
	text := c.doc.Text
	c.request.Schemas = nil
	if kind := rawjson.TypeOf(text, list); kind != rawjson.Array && kind != rawjson.Object {
		return c.doc.Error(list.Start, -1, `an array as "tools"`, kind.String(), "")
	}
	for tool := range elements(text, list) {
		if rawjson.TypeOf(text, tool) != rawjson.Object {
			c.request.Schemas = append(c.request.Schemas, tool.Of(text))
			continue
		}
		c.readTool(tool)
	}
	return nil
}

// readTool adds the functions that a tool declares, and what else it is.
func (c *Conversation) readTool(tool rawjson.Span) {
	text := c.doc.Text
	var rest []rawjson.Span
	declares := false
	for m := range rawjson.Members(text, tool) {
		kind := rawjson.TypeOf(text, m.Value)
		switch {
		case kind == rawjson.Null:
		case spelled(m.Name, "functionDeclarations") && (kind == rawjson.Array || kind == rawjson.Object):
			declares = true
			for declaration := range elements(text, m.Value) {
				c.request.Schemas = append(c.request.Schemas, declaration.Of(text))
			}
		default:
			rest = append(rest, m.Whole)
		}
	}
	switch {
	case !declares:
		c.request.Schemas = append(c.request.Schemas, tool.Of(text))
	case len(rest) > 0:
		own := []byte{'{'}
		for i, member := range rest {
			if i > 0 {
				own = append(own, ',')
			}
			own = append(own, member.Of(text)...)
		}
		c.request.Schemas = append(c.request.Schemas, string(append(own, '}')))
	}
}

// readConfig reads the schema of the reply, which counts as input.
func (c *Conversation) readConfig(config rawjson.Span) {
	text := c.doc.Text
	c.request.Docs = nil
	for _, name := range []string{"responseSchema", "responseJsonSchema"} {
		if schema := present(text, config, name); rawjson.TypeOf(text, schema) == rawjson.Object {
			c.request.Docs = append(c.request.Docs, schema.Of(text))
		}
	}
}
