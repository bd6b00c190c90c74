package core

import "iter"

// Op says what an edit does.
type Op uint8

// The operations.
const (
	Elide   Op = 1 + iota // one part: a one-line marker instead of its content
	Shorten               // one part: a shorter text
	Drop                  // a group: all its messages leave
	Insert                // a message is added before Msg
)

// Edit is one change of a history, as an [Editor] proposes it and as [Apply] records it.
// The recorded edits of a collection are everything there is to know about it: the
// ledger, the explanation and the way to make the view again from the raw history.
type Edit struct {
	Op     Op
	Msg    int    // index into the raw history; for Drop any message of the group, recorded as its first; recorded for Insert, its length at the end
	Part   int    // index into the message's parts; -1 for Drop and Insert
	Text   string // the new text of Shorten and Insert
	Reason string // why, in a few words: it appears in markers and reports
	By     int    // index of the message that makes the content redundant; -1: none

	Before int // tokens that the raw part or group had; set by Apply, 0 for Insert
	After  int // tokens of what stands in its place; set by Apply
}

// Editor proposes edits. It is a pure function of the window: it changes nothing, it
// keeps no state between calls, and it must be safe for concurrent use. Proposals come
// gentlest first and are pulled one by one; before each pull the window shows the
// effect of those adopted so far. A proposal that would break a law is refused, which
// an Editor notices by looking at the window again. A sequence must end.
type Editor interface {
	Edits(w *Window) iter.Seq[Edit]
}

// EditorFunc is a function that is an Editor.
type EditorFunc func(w *Window) iter.Seq[Edit]

// Edits calls f.
func (f EditorFunc) Edits(w *Window) iter.Seq[Edit] { return f(w) }

// Sizer tells how many tokens a model reads in a part and in a message. Message covers
// the parts and what surrounds them: m's size is a constant for its role and name plus
// the sum of its parts, so that editing a part changes the message by the difference of
// the part. Both are pure, safe for concurrent use, and cheap for what was seen before.
type Sizer interface {
	Part(p *Part) int
	Message(m *Message) int
}

// Bytes is the Sizer that counts a byte as a token. It stands in where none is given.
var Bytes Sizer = byteSizer{}

type byteSizer struct{}

func (byteSizer) Part(p *Part) int { return p.Bytes() }

func (byteSizer) Message(m *Message) int {
	n := len(m.Name)
	for i := range m.Parts {
		n += m.Parts[i].Bytes()
	}
	return n
}
