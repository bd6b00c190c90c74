package core

import "time"

// Message is one message of a conversation. It holds the parts of one role only:
// an adapter splits a native message that mixes roles (tool results and text in
// one Anthropic user message) into neighbours that share a Src, and joins them
// again on the way out.
//
// Messages are values and are never changed in place: whoever holds a history may
// share it between goroutines as long as nobody writes to it.
type Message struct {
	Role   Role
	Policy Policy // zero: derived from role and position, see [Window.Policy]
	Src    int32  // 1 + index of the framework's own message; 0 in a message that an edit inserted
	Reply  int32  // messages that are one model reply share a number; 0: a reply of its own
	Name   string // the author's name where the framework has one
	Parts  []Part
	Meta   *Meta // nil for most
}

// Part is one piece of a message. Text holds the text of a Text or Reasoning part,
// the arguments of a ToolCall as JSON (or whatever the model wrote instead), and
// the content of a ToolResult. A result of several blocks is several ToolResult
// parts with one CallID; a block that is an image has Media and no Text.
type Part struct {
	Kind   Kind
	Status Status // of a ToolResult
	Signed bool   // a provider signature covers it: it stays whole or goes, it is never edited
	Slot   uint32 // which piece of the native message this is; the adapter's own numbering
	Text   string
	CallID string // joins a ToolCall and its ToolResult; an adapter invents one where the framework has none
	Tool   string // name of the tool of a ToolCall, and of a ToolResult where the framework says it
	Media  *Media
	Elided *Elision // non-nil: Text is a marker, or a shortened form, put there by an edit
}

// Bytes returns the size of what the part holds, in bytes.
func (p *Part) Bytes() int {
	n := len(p.Text)
	if p.Kind == KindToolCall {
		n += len(p.Tool)
	}
	if p.Media != nil {
		n += len(p.Media.URL) + len(p.Media.Data)
	}
	return n
}

// Inserted reports whether the message was added by an edit: it has no Src, and its
// text says so. Such a message is never taken for the user's own words.
func (m *Message) Inserted() bool {
	return m.Src == 0 && len(m.Parts) == 1 && m.Parts[0].Elided != nil
}

// Role says who speaks in a message.
type Role uint8

// The roles. The zero Role is none of them, and [Check] reports it.
const (
	RoleSystem    Role = 1 + iota // instructions of the program; developer messages too
	RoleUser                      // the person, or the program that asks
	RoleAssistant                 // the model
	RoleTool                      // results of tool calls
)

// Kind says what a part is.
type Kind uint8

// The kinds of parts. The zero Kind is Text.
const (
	KindText Kind = iota
	KindReasoning
	KindToolCall
	KindToolResult
	KindMedia
	KindOpaque // something that the adapter does not know: counted, carried, never edited alone
)

// Status says how a tool call went, as far as its result says so.
type Status uint8

// The statuses of a result. A result that does not say is StatusUnknown.
const (
	StatusUnknown Status = iota
	StatusOK
	StatusFailed
	StatusDenied  // a person or a policy refused the call
	StatusPending // an intermediate result, or a call that waits for approval: the final one is still to come
)

// Policy says how readily a message may be given up. Stricter policies are larger.
type Policy uint8

// The policies, gentlest first. A message whose Policy is zero gets one from its role
// and position: system messages and the first user message are Locked, other user
// messages Preservable, the rest Partial.
const (
	PolicyDefault Policy = iota
	Ephemeral            // first to go: reasoning, enrichment
	Partial              // goes by age
	Conditional          // a callback decides at collection time; without one it is Preservable
	Preservable          // goes last
	Locked               // never goes and is never edited: pinned
)

// Media describes an image, a sound or a document. Exactly one of URL and Data is set.
type Media struct {
	MIME   string // such as "image/png"; empty where unknown
	URL    string // an address, or a data: URI
	Data   []byte // the raw bytes, where the framework holds those
	Detail string // the resolution asked for, such as OpenAI's "low", "high", "auto"
	Width  int    // pixels; 0: unknown
	Height int    // pixels; 0: unknown
}

// Meta is what few messages have.
type Meta struct {
	ID     string
	Time   time.Time
	Labels map[string]string // tags, importance, retention
}

// Elision says what an edit took out of a part. It travels with the view so that
// adapters, reports and archives need not parse markers, which nobody ever does.
type Elision struct {
	Op      Op     // Elide or Shorten; Insert for a message that an edit added
	Reason  string // why it went
	Tool    string // the tool whose result it was
	Bytes   int    // size of the original
	Tokens  int    // tokens of the original
	Failed  bool   // the original was an error
	By      int    // index in the raw history of the message that made it redundant; -1: none
	Receipt string // under which the original can be read back; empty without an archive
}
