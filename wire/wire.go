// Package wire reads conversations as providers have them and writes them back, byte for
// byte where nothing was edited. Each format is a package below this one; what they share
// is here: the [Conversation] that each of them returns, and the errors.
//
// A conversation is read whole into memory. It is for histories that a program, a log or
// a proxy hands over as JSON; whoever holds a framework's own values wants an adapter.
//
//	c, err := openai.Parse(data)
//	...
//	view, err := transform(ctx, c.Messages())
//	...
//	out, err := c.Write(view)
//
// Every format guarantees: a view without edits gives the bytes that were read; a message
// without edits keeps its bytes (unknown fields, key order, spelling of numbers, spaces),
// whatever happens to its neighbours; an edited part changes the bytes of its own value
// and no others; what cannot be read or written is a typed error and nothing partial.
//
// Reading takes time and memory linear in the input. [WithLimits] bounds the input for a
// Parse; beyond its limits, of which some hold by default, the error is a [*LimitError].
package wire

import "github.com/trimkit/trimkit/core"

// Conversation is a conversation in a provider's own JSON. It never changes once it is
// read, so it is safe for concurrent use as long as nobody writes to what it returns.
type Conversation interface {
	// Messages returns the history: always the same slice. It belongs to the conversation;
	// an edit copies what it changes.
	Messages() []core.Message

	// Request returns what the model reads beside the messages: always the same pointer,
	// never nil, and not to be changed.
	Request() *core.Request

	// Write returns view in the shape that was read. View is what edits made of Messages:
	// some of them in their order, with parts changed or taken out, and added messages
	// whose Src is 0. A view that is anything else is a [*ViewError]. The result is the
	// caller's.
	Write(view []core.Message) ([]byte, error)
}

// Shape says how a document holds its messages.
type Shape uint8

// The shapes.
const (
	ShapeArray   Shape = 1 + iota // a JSON array of messages
	ShapeRequest                  // a request object with its messages in a member
	ShapeLines                    // JSONL: a message a line
)

// String returns the shape's name in lower case.
func (s Shape) String() string {
	switch s {
	case ShapeArray:
		return "array"
	case ShapeRequest:
		return "request"
	case ShapeLines:
		return "lines"
	default:
		return "none"
	}
}
