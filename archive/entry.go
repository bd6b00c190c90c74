package archive

import (
	"fmt"
	"time"

	"github.com/trimkit/trimkit/core"
)

// Entry is an original: a message that left a view, or one part of it.
type Entry struct {
	Receipt      Receipt
	Conversation string // its key
	Msg, Part    int    // where it stood in the raw history when it was first stored; Part is -1 for a whole message

	// Message is the original, complete. Of a single part it holds that part alone, with the
	// role, numbers and name of its message and without the Meta.
	Message core.Message

	Native   []byte    // what the framework or provider had of it, as the caller gave it; nil: nothing
	Tool     string    // whose call or result it is
	Paths    []string  // files that it is about
	Reason   string    // why it left
	Tokens   int       // what the view saved by that
	Time     time.Time // as the caller gave it, UTC, to the nanosecond
	Redacted bool      // the redaction hook changed it before it was stored
}

// Failed reports whether the original is the result of a call that failed.
func (e *Entry) Failed() bool {
	for i := range e.Message.Parts {
		if e.Message.Parts[i].Status == core.StatusFailed {
			return true
		}
	}
	return false
}

// Bytes returns the size of what the original holds.
func (e *Entry) Bytes() int {
	n := 0
	for i := range e.Message.Parts {
		n += e.Message.Parts[i].Bytes()
	}
	return n
}

// subject returns the message that an entry of a place holds.
func subject(m *core.Message, part int) core.Message {
	if part < 0 {
		return *m
	}
	one := *m
	one.Meta, one.Parts = nil, m.Parts[part:part+1:part+1]
	return one
}

// entryVersion begins an encoded entry, manifestVersion an encoded manifest.
const (
	entryVersion    = 1
	manifestVersion = 1
)

// content returns the bytes that the receipt is a hash of.
func (e *Entry) content() []byte {
	var c encoder
	c.message(&e.Message)
	return c.b
}

// encode returns the entry without its time, which stands in the record's head.
func (e *Entry) encode(content []byte) []byte {
	c := encoder{b: make([]byte, 0, len(content)+len(e.Native)+128)}
	c.byte(entryVersion)
	c.text(e.Conversation)
	c.int(int64(e.Msg))
	c.int(int64(e.Part))
	c.text(e.Tool)
	c.count(len(e.Paths), e.Paths == nil)
	for _, p := range e.Paths {
		c.text(p)
	}
	c.text(e.Reason)
	c.int(int64(e.Tokens))
	c.bool(e.Redacted)
	c.bytes(e.Native)
	c.fixed(content)
	return c.b
}

// decodeEntry reads an entry and returns it with its digest, which the caller compares.
func decodeEntry(data []byte) (*Entry, Digest, error) {
	d := decoder{b: data}
	if v := d.byte(); d.err == nil && v != entryVersion {
		return nil, Digest{}, fmt.Errorf("its encoding has the version %d, this program knows %d", v, entryVersion)
	}
	e := &Entry{Conversation: d.text(), Msg: d.num(), Part: d.num(), Tool: d.text()}
	if n, null := d.count(1); !null {
		e.Paths = make([]string, n)
		for i := range e.Paths {
			e.Paths[i] = d.text()
		}
	}
	e.Reason, e.Tokens, e.Redacted, e.Native = d.text(), d.num(), d.bool(), d.bytes()
	content := d.b
	e.Message = d.message()
	if err := d.end(); err != nil {
		return nil, Digest{}, err
	}
	sum := contentDigest(e.Conversation, content)
	e.Receipt = receiptOf(sum)
	return e, sum, e.check()
}

// check returns what makes an entry one that cannot be.
func (e *Entry) check() error {
	if e.Conversation == "" {
		return ErrNoConversation
	}
	if e.Msg < 0 || e.Msg > maxPlace || e.Part < -1 || e.Part > maxPlace || e.Part >= 0 && len(e.Message.Parts) != 1 {
		return &InvalidError{fmt.Sprintf("an entry of message %d, part %d with %d parts", e.Msg, e.Part, len(e.Message.Parts))}
	}
	return nil
}

// Places are ordered by one number in a record's head; manifests come behind all entries.
const (
	maxPlace      = 1<<31 - 2
	manifestOrder = 1<<63 - 1
)

func (e *Entry) order() int64 { return int64(e.Msg)<<31 + int64(e.Part) + 1 }
