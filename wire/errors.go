package wire

import (
	"fmt"
	"strings"
)

// SyntaxError is input that is not a conversation of the format: no JSON, or JSON of
// another form. It quotes no content of the conversation but the one character that JSON
// does not allow.
type SyntaxError struct {
	Format   string // the package that read it, such as "openai"
	Line     int    // line of the input, from 1
	Message  int    // index of the message; -1: outside of any, or unknown
	Offset   int64  // byte of the input, from 0, a byte order mark counted
	Expected string
	Found    string
	Hint     string // what to do; may be empty
}

// Error says where, what was expected, what was found, and what to do.
func (e *SyntaxError) Error() string {
	where := fmt.Sprintf("line %d, byte %d", e.Line, e.Offset)
	if e.Message >= 0 {
		where = fmt.Sprintf("message %d (%s)", e.Message, where)
	}
	return withHint(fmt.Sprintf("%s: parse: %s: expected %s, found %s", e.Format, where, e.Expected, e.Found), e.Hint)
}

// ViewError is a view that the conversation cannot write, because it is not made of the
// conversation's own messages, or holds a change that has no place in the format.
type ViewError struct {
	Format   string
	View     int // index of the message in the view
	Message  int // index of the message in the conversation; -1: none
	Part     int // index of the part in the view's message; -1: the message itself
	Expected string
	Found    string
	Hint     string // what to do; may be empty
}

// Error says where, what was expected, what was found, and what to do.
func (e *ViewError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: write: view message %d", e.Format, e.View)
	if e.Message >= 0 {
		fmt.Fprintf(&b, " (message %d as read)", e.Message)
	}
	if e.Part >= 0 {
		fmt.Fprintf(&b, ", part %d", e.Part)
	}
	fmt.Fprintf(&b, ": expected %s, found %s", e.Expected, e.Found)
	return withHint(b.String(), e.Hint)
}

func withHint(message, hint string) string {
	if hint == "" {
		return message
	}
	return message + "; " + hint
}

// EncodeError is a history that a format cannot hold: writing it would lose something.
// Nothing was written.
type EncodeError struct {
	Format string
	Losses []Loss // all of them, in the order of the history, the request's last
}

// Loss is one thing that has no place in a format.
type Loss struct {
	Message int    // index into the history; -1: what stands beside the messages
	Part    int    // index into the message's parts, or of the schema or document; -1: the message itself
	What    string // such as "an author's name": no content; of a document it begins with "a document"
}

// Where says what it concerns: a message or its part, or of the request the tool definition
// or the document, by its index in Schemas or Docs.
func (l Loss) Where() string {
	switch {
	case l.Message >= 0 && l.Part >= 0:
		return fmt.Sprintf("message %d, part %d", l.Message, l.Part)
	case l.Message >= 0:
		return fmt.Sprintf("message %d", l.Message)
	case l.Part < 0:
		return "request"
	case strings.HasPrefix(l.What, "a document"):
		return fmt.Sprintf("document %d", l.Part)
	default:
		return fmt.Sprintf("tool definition %d", l.Part)
	}
}

// String says where, and what.
func (l Loss) String() string {
	where := "request"
	if l.Message >= 0 {
		where = fmt.Sprintf("message %d", l.Message)
	}
	if l.Part >= 0 {
		where += fmt.Sprintf(", part %d", l.Part)
	}
	return where + ": " + l.What
}

// Error lists the first losses and counts the others.
func (e *EncodeError) Error() string {
	const shown = 5
	var b strings.Builder
	b.WriteString(e.Format + ": encode: the format cannot hold it")
	separator := ": "
	for i, loss := range e.Losses {
		if i == shown {
			fmt.Fprintf(&b, "; and %d more", len(e.Losses)-shown)
			break
		}
		b.WriteString(separator + loss.String())
		separator = "; "
	}
	return b.String()
}
