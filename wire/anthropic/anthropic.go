// Package anthropic reads and writes conversations of Anthropic's messages API, and of the
// services and logs that use its message format.
//
// [Parse] takes a request object with "messages" (and "system", "tools", or anything else),
// a JSON array of messages, or JSONL with a message a line. [Conversation.Write] returns
// the same shape. What package wire guarantees holds: bytes that no edit touched stay.
// [Encode] writes a history of any origin as a request object.
//
// It is lenient where recordings are: unknown members, roles and blocks are carried, and a
// block of a known type but unknown form is an unknown block. Whether the provider would
// take the history is a question for [core.Check] with [core.Anthropic].
//
// # What becomes what
//
// The request's member system is the conversation's first message and has Src 1; then the
// messages count on. Where there is no system prompt (the member is missing, null, "" or
// []), the first of the messages has Src 1. A part's Slot is 1 + its index among the parts
// of its message in the document, so that a Slot is unique within a Src.
//
//   - Roles: user, assistant, and system, which newer models take between messages too;
//     any other is the zero Role. The results in a user message are a RoleTool message; if
//     it has anything else, that is a RoleUser message beside it with the same Src. The
//     one whose first block comes first is first. Write joins the two again, and keeps
//     them apart only where an added message stands between them.
//   - Text: content that is a string, "" included; blocks text; a document of plain text.
//   - Reasoning (of an assistant): a thinking block, Signed if it has a signature; a
//     redacted_thinking block, always Signed, Text being its data.
//   - Media: blocks image and document. Base64 becomes a data: URI; an uploaded file has
//     its id as URL. A document behind an address or id is taken for a PDF. A document of
//     content blocks is those blocks.
//   - Calls (of an assistant): a tool_use block; Text is the JSON of input as it stands,
//     or, where that is a string, what it says.
//   - Results (of a user): of a tool_result block, the string or every block of the content
//     is a part, all with the block's tool_use_id. There is at least one, be it empty. Text
//     of a search_result is its JSON. Tool is that of the latest call with the id;
//     is_error gives the Status.
//   - Opaque: every other block. Text is its JSON; within a tool_result it has the CallID.
//   - Calls of tools that the provider runs, and their results, are Opaque. Where such a
//     result, or a call that server code made, is in a later message than the server's
//     call, the messages are one Reply: the API refuses the one without the other.
//   - Policy Locked: a message with a compaction block, which stands for everything before
//     it, or with a mid_conv_system block, which is a system message in a user's.
//
// # Where the rules come from
//
// From the API's reference and guides (platform.claude.com/docs) and from what its errors
// say, as users report them:
//
//   - Neighbours of one role are one turn: reference of the messages API. System messages
//     between others: guide to mid-conversation system messages.
//   - The results of all calls of a reply come first in the message behind it: guide to
//     handling tool calls. Ids of calls are letters, digits, _ and -; each is there once,
//     and has one result: errors.
//   - Thinking is sent back as it came, or not at all, and is never the last block of a
//     message: guide to extended thinking, and errors.
//   - A tool that the provider runs has its result in the same turn, which may be paused
//     or go on behind results of the program's own tools: guide to server tools. The result
//     alone is refused: errors.
//   - Everything before a compaction block is ignored: guide to compaction.
//   - Texts that are empty or blank, and images of an assistant, are refused: errors.
package anthropic

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

const formatName = "anthropic"

// Conversation is a conversation in Anthropic's format. It is immutable, and safe for
// concurrent use.
type Conversation struct {
	doc      *document.Document
	system   rawjson.Span // the system prompt; the zero Span: there is none
	messages []core.Message
	request  core.Request
}

var _ wire.Conversation = (*Conversation)(nil)

// Parse reads a conversation. It takes time and memory linear in data and does not keep
// data; the strings of the messages share one copy of it, but for media in base64, whose
// data: URIs are copies. Every error is a [*wire.SyntaxError]: the input is no JSON or is
// cut off, a message is no object, its role is no string, its content is of a wrong type,
// an object has no messages, or there is nothing at all; or a [*wire.LimitError], if data is
// beyond the limits of opts. An array without messages is a conversation.
func Parse(data []byte, opts ...wire.ParseOption) (*Conversation, error) {
	if err := wire.CheckLimits(formatName, data, opts...); err != nil {
		return nil, err
	}
	doc, err := document.Read(data, document.Format{Name: formatName, List: "messages", Marks: []string{"role"}})
	if err != nil {
		return nil, err
	}
	c := &Conversation{doc: doc, messages: make([]core.Message, 0, len(doc.Items)+1)}
	if c.system, err = systemOf(doc); err != nil {
		return nil, err
	}
	r := c.newReader()
	for i := range len(doc.Items) + r.prompts {
		if err := r.read(int32(i) + 1); err != nil {
			return nil, err
		}
		c.messages = r.appendTo(c.messages)
	}
	r.replies.number(c.messages)
	if err := c.readRequest(); err != nil {
		return nil, err
	}
	return c, nil
}

// Messages returns the history. See [wire.Conversation].
func (c *Conversation) Messages() []core.Message { return c.messages }

// Request returns the elements of tools as Schemas, those of tools that the provider runs
// included, each as the JSON that was read, and the JSON schema that the output must have
// among Docs. Only a request object has any. See [wire.Conversation].
func (c *Conversation) Request() *core.Request { return &c.request }

// Shape returns the shape of the document.
func (c *Conversation) Shape() wire.Shape { return c.doc.Shape }

// systemOf returns where the system prompt is, or the zero Span if it says nothing.
func systemOf(doc *document.Document) (rawjson.Span, error) {
	at := rawjson.Get(doc.Text, doc.Object, "system")
	switch kind := rawjson.TypeOf(doc.Text, at); kind {
	case rawjson.Absent, rawjson.Null:
		return rawjson.Span{}, nil
	case rawjson.String:
		if at.Of(doc.Text) == `""` {
			return rawjson.Span{}, nil
		}
		return at, nil
	case rawjson.Array:
		for range rawjson.Elements(doc.Text, at) {
			return at, nil
		}
		return rawjson.Span{}, nil
	default:
		return at, doc.Error(at.Start, -1, `a string or an array as "system"`, kind.String(), "")
	}
}

// prompts returns how many Srcs come before that of the first of the document's messages.
func (c *Conversation) prompts() int {
	if c.system == (rawjson.Span{}) {
		return 0
	}
	return 1
}

func (c *Conversation) readRequest() error {
	doc := c.doc
	list := rawjson.Get(doc.Text, doc.Object, "tools")
	switch kind := rawjson.TypeOf(doc.Text, list); kind {
	case rawjson.Absent, rawjson.Null:
	case rawjson.Array:
		for schema := range rawjson.Elements(doc.Text, list) {
			c.request.Schemas = append(c.request.Schemas, schema.Of(doc.Text))
		}
	default:
		return doc.Error(list.Start, -1, `an array as "tools"`, kind.String(), "")
	}
	format := rawjson.Get(doc.Text, rawjson.Get(doc.Text, doc.Object, "output_config"), "format")
	if format == (rawjson.Span{}) {
		format = rawjson.Get(doc.Text, doc.Object, "output_format") // its name during the beta
	}
	if schema := rawjson.Get(doc.Text, format, "schema"); rawjson.TypeOf(doc.Text, schema) == rawjson.Object {
		c.request.Docs = append(c.request.Docs, schema.Of(doc.Text))
	}
	return nil
}
