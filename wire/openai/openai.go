// Package openai reads and writes conversations of OpenAI's chat completions API, and of
// the many services and logs that use its message format.
//
// [Parse] takes a JSON array of messages, a request object with "messages" (and "tools",
// "functions", or anything else), or JSONL with a message a line. [Conversation.Write]
// returns the same shape. What package wire guarantees holds: bytes that no edit touched
// stay, down to blank lines, a byte order mark, and strings that are no valid UTF-8.
//
// It is lenient where recordings are: unknown members, roles and content blocks are
// carried, a result may lack its id, arguments may be broken or no string. Whether a
// provider would take the history is a question for [core.Check].
//
// # What becomes what
//
// A message of the document is one core.Message: Src is 1 + its index. A part's Slot is
// 1 + its index among the parts of the message as read. Parts come in this order:
// reasoning of the members reasoning_content and reasoning; content, a part for a string
// or for each block of an array; a member refusal; a member audio; tool_calls; a
// function_call.
//
//   - Roles: system and developer are RoleSystem; tool and the older function are RoleTool;
//     any other role is the zero Role, its content kept.
//   - Text: strings, and blocks text and refusal. The empty string is a part where the
//     message has nothing else.
//   - Reasoning: a thinking block, Signed if it has a signature; a redacted_thinking
//     block, always Signed, Text being its data; the two members above.
//   - Media: blocks image_url, input_audio and file. A sound or file becomes a data: URI;
//     a file that was uploaded before has its id as URL.
//   - Opaque: every other block, and a member audio. Text is its JSON.
//   - Calls: Text is the arguments (of a custom tool, the input) as the model wrote them;
//     the JSON of arguments that are no string; the JSON of a call of unknown form. A
//     function_call has no id and gets "function_call#" + the message's index, and so does
//     the next function message of that name.
//   - Results: every text, sound, file or image of a tool message is a part of its own, all
//     with the message's id. A tool message has at least one, be it empty. Tool is the
//     message's name, or the tool of the latest call with that id; is_error gives the
//     Status.
package openai

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

const formatName = "openai"

// Conversation is a conversation in OpenAI's format. It is immutable, and safe for
// concurrent use.
type Conversation struct {
	doc      *document.Document
	messages []core.Message
	request  core.Request
}

var _ wire.Conversation = (*Conversation)(nil)

// Parse reads a conversation. It takes time and memory linear in data and does not keep
// data; the strings of the messages share one copy of it. Every error is a
// [*wire.SyntaxError]: the input is no JSON or is cut off, a message is no object, its
// role is no string, its content or calls are of a wrong type, an object has no messages,
// or there is nothing at all; or a [*wire.LimitError], if data is beyond the limits of
// opts. An array without messages is a conversation.
func Parse(data []byte, opts ...wire.ParseOption) (*Conversation, error) {
	if err := wire.CheckLimits(formatName, data, opts...); err != nil {
		return nil, err
	}
	doc, err := document.Read(data, document.Format{Name: formatName, List: "messages", Marks: []string{"role"}})
	if err != nil {
		return nil, err
	}
	c := &Conversation{doc: doc, messages: make([]core.Message, 0, len(doc.Items))}
	r := newReader(doc)
	for i := range doc.Items {
		m, err := r.message(i)
		if err != nil {
			return nil, err
		}
		c.messages = append(c.messages, m)
	}
	if err := c.readRequest(); err != nil {
		return nil, err
	}
	return c, nil
}

// Messages returns the history. See [wire.Conversation].
func (c *Conversation) Messages() []core.Message { return c.messages }

// Request returns the elements of tools and then those of functions as Schemas, each as
// the JSON that was read, and a JSON schema demanded by response_format among Docs. Only
// a request object has any. See [wire.Conversation].
func (c *Conversation) Request() *core.Request { return &c.request }

// Shape returns the shape of the document.
func (c *Conversation) Shape() wire.Shape { return c.doc.Shape }

func (c *Conversation) readRequest() error {
	doc := c.doc
	for _, name := range []string{"tools", "functions"} {
		list := rawjson.Get(doc.Text, doc.Object, name)
		switch kind := rawjson.TypeOf(doc.Text, list); kind {
		case rawjson.Absent, rawjson.Null:
		case rawjson.Array:
			for schema := range rawjson.Elements(doc.Text, list) {
				c.request.Schemas = append(c.request.Schemas, schema.Of(doc.Text))
			}
		default:
			return doc.Error(list.Start, -1, `an array as "`+name+`"`, kind.String(), "")
		}
	}
	format := rawjson.Get(doc.Text, doc.Object, "response_format")
	if schema := rawjson.Get(doc.Text, format, "json_schema"); rawjson.TypeOf(doc.Text, schema) == rawjson.Object {
		c.request.Docs = append(c.request.Docs, schema.Of(doc.Text))
	}
	return nil
}
