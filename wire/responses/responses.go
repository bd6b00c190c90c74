// Package responses reads and writes conversations of OpenAI's Responses API, and of the
// services and logs that use its items.
//
// [Parse] takes a request object with "input" (and "instructions", "tools", or anything
// else), a JSON array of items, or JSONL with an item a line. [Conversation.Write] returns
// the same shape; [Encode] writes a history of any origin as a request object. What
// package wire guarantees holds: bytes that no edit touched stay, ids and statuses of
// items among them.
//
// It is lenient where recordings are: unknown members, items and content parts are carried,
// calls and outputs may lack their ids, arguments may be broken or no string. Whether the
// provider would take the history is a question for [core.Check] with [core.Responses].
// What a request names but does not hold is carried and not looked at;
// [Conversation.PreviousResponse] tells whether earlier turns are among that.
//
// # What becomes what
//
// The request's instructions are the conversation's first message, a system message with
// Src 1; then each item is one message, and the items count on. Where there are no
// instructions (the member is missing, null or ""), the first item has Src 1. An input that
// is a string is one item, the user's. A part's Slot is 1 + its index in its message.
//
//   - Messages (type message, or a role and no type): system and developer are RoleSystem,
//     user and assistant are what they say, any other role is the zero Role. A part for a
//     string, or for each element of the content: input_text, output_text, text and refusal
//     are Text; input_image, input_file and input_audio are Media, of which a sound or file
//     becomes a data: URI and an uploaded one has its id as URL; anything else is Opaque.
//   - reasoning: Reasoning, a part for each text of the summary, then of the content, then
//     one for encrypted_content, whose Text is the data itself, which a budget does not
//     take for words. With encrypted_content every part is Signed. An item that has
//     nothing of these is one part without Text.
//   - Calls: function_call (Text is its arguments), custom_tool_call (its input),
//     local_shell_call and shell_call (the JSON of the action), computer_call (of the action
//     or the actions), apply_patch_call (of the operation), mcp_approval_request (its
//     arguments; the CallID is the item's id), and any other item with a call_id that is no
//     output (its JSON). Tool is the item's name, or its type without _call.
//   - Results: the outputs of all these. A text, image, file or sound is a part each, of a
//     string, an array of parts, or chunks of a shell's stdout and stderr. A result has at
//     least one ToolResult part, be it empty. Tool is the item's name, or that of the latest
//     call with its id. What no text can stand in for (a screenshot, loaded tools, what a
//     program returned) is Opaque, beside an empty result.
//   - Status: in_progress is Pending, failed is Failed. That a patch was applied or that
//     every command exited with 0 is OK, another exit or a timeout Failed; an approval is
//     OK, or Denied. No other output says how it went, completed least of all.
//   - Opaque: every other item, as an assistant message that is its JSON: calls of tools
//     that the provider runs (web_search_call, file_search_call, code_interpreter_call,
//     image_generation_call, mcp_call, mcp_list_tools), and types not listed here.
//     configuration_update, additional_tools and compaction_trigger are RoleSystem, since a
//     program gives them.
//   - Policy Locked: a compaction item, which stands for everything before it; an
//     item_reference, whose item the provider has and nobody here; and the output of a call
//     that is not here where some of the history is with the provider.
//
// # Replies
//
// A run of items that the model put out (reasoning, the assistant's messages, calls, Opaque
// items), with neither an input message nor an output of a call between them, is one model
// reply, and its messages share a Reply. This is adjacency, but by the API's own rule: as
// its errors say, it refuses a reasoning item without the item that followed it, and an item
// with an id without the reasoning that led to it, and knows them by where they stand; and
// the parallel calls of one response have no other bond. Two responses in a row thus count as one reply. A call
// that a program item made belongs to the program's reply wherever it stands, since the
// provider runs the program again over the outputs. A compaction item belongs to none.
//
// # What an edit becomes
//
// A new text takes the place of the old string, elided media that of a content part. An
// item of which nothing is left leaves the list.
package responses

import (
	"cmp"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

const formatName = "responses"

// Conversation is a conversation in the format of the Responses API. It is immutable, and
// safe for concurrent use.
type Conversation struct {
	doc          *document.Document
	instructions rawjson.Span // the string; the zero Span where there are none
	messages     []core.Message
	request      core.Request
	previous     string
}

var _ wire.Conversation = (*Conversation)(nil)

// Parse reads a conversation. It takes time and memory linear in data and does not keep
// data; the strings of the messages share one copy of it, but for media in base64, whose
// data: URIs are copies. Every error is a [*wire.SyntaxError], in which a message is an
// item: the input is no JSON or is cut off, an item is no object or has neither type nor
// role nor id, its type, role, content or output is of a wrong type, an object is neither
// a request nor an item, or there is nothing at all; or a [*wire.LimitError], if data is
// beyond the limits of opts. An array without items is a conversation.
//
// An object without type and role is a request if it has an input; else, if it has an id
// and nothing says that it is a response, it is an item_reference, be it the only line.
func Parse(data []byte, opts ...wire.ParseOption) (*Conversation, error) {
	if err := wire.CheckLimits(formatName, data, opts...); err != nil {
		return nil, err
	}
	doc, err := document.Read(data, document.Format{
		Name: formatName, List: "input", Text: true, Marks: []string{"type", "role"}, Signs: []string{"id"},
	})
	if err != nil {
		return nil, err
	}
	c := &Conversation{doc: doc, messages: make([]core.Message, 0, len(doc.Items)+1)}
	if err := c.readRequest(); err != nil {
		return nil, err
	}
	if c.instructions != (rawjson.Span{}) {
		text := rawjson.Unquote(c.instructions.Of(doc.Text))
		c.messages = append(c.messages, core.Message{Role: core.RoleSystem, Parts: []core.Part{{Text: text, Slot: 1}}})
	}
	r := newReader(doc)
	r.elsewhere = c.previous != ""
	for i := range doc.Items {
		m, err := r.message(i)
		if err != nil {
			return nil, err
		}
		c.messages = append(c.messages, m)
	}
	for i := range c.messages {
		c.messages[i].Src = int32(i) + 1
	}
	return c, nil
}

// Messages returns the history. See [wire.Conversation].
func (c *Conversation) Messages() []core.Message { return c.messages }

// Request returns the elements of tools as Schemas, those of tools that the provider runs
// included, each as the JSON that was read, and a JSON schema demanded of the text among
// Docs. Only a request object has any. See [wire.Conversation].
func (c *Conversation) Request() *core.Request { return &c.request }

// Shape returns the shape of the document.
func (c *Conversation) Shape() wire.Shape { return c.doc.Shape }

// PreviousResponse returns the id under which the provider keeps what came before the
// input: the request's previous_response_id, or the id of its conversation. If it is not
// empty, the messages are not the whole history: their tokens are not all that is read,
// and a result without its call is no fault.
func (c *Conversation) PreviousResponse() string { return c.previous }

// readRequest reads what stands beside the items.
func (c *Conversation) readRequest() error {
	if c.doc.Shape != wire.ShapeRequest {
		return nil
	}
	doc, tools := c.doc, rawjson.Span{}
	var conversation, previous string
	for m := range rawjson.Members(doc.Text, doc.Object) {
		switch m.Name {
		case "instructions":
			c.instructions = m.Value
		case "tools":
			tools = m.Value
		case "text":
			c.request.Docs = nil
			format := rawjson.Get(doc.Text, m.Value, "format")
			if schema := rawjson.Get(doc.Text, format, "schema"); rawjson.TypeOf(doc.Text, schema) == rawjson.Object {
				c.request.Docs = []string{format.Of(doc.Text)}
			}
		case "conversation":
			conversation = text(doc.Text, m.Value) + text(doc.Text, rawjson.Get(doc.Text, m.Value, "id"))
		case "previous_response_id":
			previous = text(doc.Text, m.Value)
		}
	}
	c.previous = cmp.Or(previous, conversation)
	if text(doc.Text, c.instructions) == "" {
		if kind := rawjson.TypeOf(doc.Text, c.instructions); kind > rawjson.Null && kind != rawjson.String {
			return doc.Error(c.instructions.Start, -1, `a string as "instructions"`, kind.String(), "")
		}
		c.instructions = rawjson.Span{}
	}
	switch kind := rawjson.TypeOf(doc.Text, tools); kind {
	case rawjson.Absent, rawjson.Null:
	case rawjson.Array:
		for schema := range rawjson.Elements(doc.Text, tools) {
			c.request.Schemas = append(c.request.Schemas, schema.Of(doc.Text))
		}
	default:
		return doc.Error(tools.Start, -1, `an array as "tools"`, kind.String(), "")
	}
	return nil
}

// text returns the string at a span, or "" if it is none.
func text(doc string, at rawjson.Span) string {
	if rawjson.TypeOf(doc, at) != rawjson.String {
		return ""
	}
	return rawjson.Unquote(at.Of(doc))
}
