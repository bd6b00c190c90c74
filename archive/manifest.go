package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/trimkit/trimkit/core"
)

// Hash names a list of messages by what a provider is sent of them: roles, names, kinds,
// texts, the tools of calls, and media. What an adapter or a program adds of its own (Src,
// Slot, Reply, ids, policies, Meta, Elided) is not in it, so that a process which reads a
// view from a file finds the hash that another one stored.
type Hash [sha256.Size]byte

// String returns the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// HashOf returns the hash of some messages, in time linear in their size.
func HashOf(messages []core.Message) Hash {
	h := Hash(digest("trimkit messages 1"))
	for i := range messages {
		h = h.with(&messages[i])
	}
	return h
}

// prefixHashes returns the hash of every beginning of some messages, the empty one first.
func prefixHashes(messages []core.Message) []Hash {
	hashes := make([]Hash, 1, len(messages)+1)
	hashes[0] = HashOf(nil)
	for i := range messages {
		hashes = append(hashes, hashes[i].with(&messages[i]))
	}
	return hashes
}

// with returns the hash of the messages with one more behind them.
func (h Hash) with(m *core.Message) Hash {
	var e encoder
	e.byte(byte(m.Role))
	e.text(m.Name)
	e.uint(uint64(len(m.Parts)))
	for i := range m.Parts {
		p := &m.Parts[i]
		e.byte(byte(p.Kind))
		e.text(p.Text)
		if p.Kind == core.KindToolCall {
			e.text(p.Tool)
		}
		e.bool(p.Media != nil)
		if p.Media != nil {
			e.text(p.Media.MIME)
			e.text(p.Media.URL)
			e.text(string(p.Media.Data))
		}
	}
	return Hash(digest("trimkit message 1", h[:], e.b))
}

// Manifest says how a history is made of a view and of entries. It holds for every view that
// begins with the one it was made of, as views do between two collections: what stands
// behind is the history's own.
type Manifest struct {
	Conversation string
	View         Hash
	ViewMessages int
	History      Hash
	Messages     int    // of the history
	Inserted     []int  // indexes into the view, of messages that edits put in
	Edits        []Edit // the ledger
	Time         time.Time
}

// Edit is an edit of a ledger, with what it took out.
type Edit struct {
	core.Edit
	Removed []Removed // one of a part; of a Drop, one for each message of its group
}

// Removed is a part or message that the view does not show.
type Removed struct {
	Msg, Part int // of the history; Part is -1 for a whole message
	Receipt   Receipt
	Vanished  bool // the part left nothing in its message
}

// Receipts returns the receipts of everything that the view hides, in the history's order.
func (m *Manifest) Receipts() []Receipt {
	var all []Receipt
	for _, e := range m.Edits {
		for _, r := range e.Removed {
			all = append(all, r.Receipt)
		}
	}
	return all
}

// manifestID returns the id of the n-th manifest of a view. There is a second one only where
// two histories have one view.
func manifestID(view Hash, n int) string {
	id := "view-" + base32Lower.EncodeToString(view[:16])
	if n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// encode returns the manifest without its time, which stands in the record's head.
func (m *Manifest) encode() ([]byte, error) {
	var c encoder
	c.byte(manifestVersion)
	c.text(m.Conversation)
	c.fixed(m.View[:])
	c.int(int64(m.ViewMessages))
	c.fixed(m.History[:])
	c.int(int64(m.Messages))
	c.uint(uint64(len(m.Inserted)))
	for _, i := range m.Inserted {
		c.int(int64(i))
	}
	c.uint(uint64(len(m.Edits)))
	for i := range m.Edits {
		e := &m.Edits[i]
		c.byte(byte(e.Op))
		c.int(int64(e.Msg))
		c.int(int64(e.Part))
		c.text(e.Text)
		c.text(e.Reason)
		c.int(int64(e.By))
		c.int(int64(e.Before))
		c.int(int64(e.After))
		c.uint(uint64(len(e.Removed)))
		for _, r := range e.Removed {
			b, ok := r.Receipt.binary()
			if !ok {
				return nil, &InvalidError{fmt.Sprintf("a manifest with a receipt of %d bytes that is none", len(r.Receipt))}
			}
			c.int(int64(r.Msg))
			c.int(int64(r.Part))
			c.bool(r.Vanished)
			c.fixed(b[:])
		}
	}
	return c.b, nil
}

func manifestDigest(data []byte) Digest { return digest("trimkit manifest 1", data) }

func decodeManifest(data []byte) (*Manifest, error) {
	d := decoder{b: data}
	if v := d.byte(); d.err == nil && v != manifestVersion {
		return nil, fmt.Errorf("its encoding has the version %d, this program knows %d", v, manifestVersion)
	}
	m := &Manifest{Conversation: d.text()}
	copy(m.View[:], d.take(uint64(len(m.View))))
	m.ViewMessages = d.num()
	copy(m.History[:], d.take(uint64(len(m.History))))
	m.Messages = d.num()
	for range d.items(1) {
		m.Inserted = append(m.Inserted, d.num())
	}
	for range d.items(9) {
		e := Edit{Edit: core.Edit{
			Op: core.Op(d.byte()), Msg: d.num(), Part: d.num(), Text: d.text(), Reason: d.text(),
			By: d.num(), Before: d.num(), After: d.num(),
		}}
		for range d.items(3 + receiptBytes) {
			r := Removed{Msg: d.num(), Part: d.num(), Vanished: d.bool()}
			r.Receipt = Receipt(base32Lower.EncodeToString(d.take(receiptBytes)))
			e.Removed = append(e.Removed, r)
		}
		m.Edits = append(m.Edits, e)
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	return m, m.check()
}

// items reads the number of values that follow, each of so many bytes at least.
func (d *decoder) items(least int) int {
	n := d.uint()
	if n > uint64(len(d.b)/least) {
		d.fail()
		return 0
	}
	return int(n)
}

// check returns what makes a manifest one that no history can be made of. It bounds what
// restoring allocates by what is there.
func (m *Manifest) check() error {
	if m.Conversation == "" {
		return ErrNoConversation
	}
	whole := 0
	for _, e := range m.Edits {
		for _, r := range e.Removed {
			if r.Msg < 0 || r.Msg >= m.Messages || r.Part < -1 || r.Part > maxPlace {
				return errors.New("it removes what the history does not have")
			}
			if r.Part < 0 {
				whole++
			}
		}
	}
	for i, v := range m.Inserted {
		if v < 0 || v >= m.ViewMessages || i > 0 && v <= m.Inserted[i-1] {
			return errors.New("its inserted messages are not the view's, in order")
		}
	}
	if m.ViewMessages < 0 || m.Messages < 0 || m.Messages-whole != m.ViewMessages-len(m.Inserted) {
		return fmt.Errorf("a history of %d messages without %d is not a view of %d with %d inserted",
			m.Messages, whole, m.ViewMessages, len(m.Inserted))
	}
	return nil
}
