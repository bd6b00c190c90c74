package archive

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/trimkit/trimkit/core"
)

// Archive stores entries and manifests in a [Store]. It keeps nothing of its own and is safe
// for concurrent use; several may share a store, in as many processes as the store allows.
type Archive struct {
	store  Store
	seal   *sealer
	key    []byte
	redact func(m *core.Message) (changed bool)
}

// Option configures an [Archive].
type Option func(*Archive)

// WithKey encrypts every record with AES-256 in GCM, under a key of 32 bytes; the nonce is
// random, and receipt and conversation are bound to the record. What was stored without the
// key or with another one is a [*KeyError]. A store still sees sizes, times, positions, and
// hashes of conversation keys and contents. One key is good for 2^32 records.
func WithKey(key []byte) Option { return func(a *Archive) { a.key = append([]byte{}, key...) } }

// WithRedaction sets a hook that takes secrets out of a message before anything is made of
// it, receipts included, and reports whether it changed it. The message is the hook's own,
// to its media and labels; it may change any text but not the number of parts. It must do
// the same to the same message in every process. What it changed has no native bytes, says
// that it was redacted, and a history that is made of it is not the one that there was.
//
// Of a single part the hook sees what [Entry.Message] holds: that part alone.
func WithRedaction(hook func(m *core.Message) (changed bool)) Option {
	return func(a *Archive) { a.redact = hook }
}

// New returns an Archive on a store. It fails with an [*InvalidError] if the store is nil or
// the key has not 32 bytes.
func New(store Store, opts ...Option) (*Archive, error) {
	if store == nil {
		return nil, &InvalidError{"an archive needs a store"}
	}
	a := &Archive{store: store}
	for _, o := range opts {
		o(a)
	}
	var err error
	a.seal, err = newSealer(a.key)
	a.key = nil
	return a, err
}

// Receipt returns the receipt that a part of a history has, or with part -1 a message, without
// storing it: for whoever renders a marker before it is known what the view will hide. It is a
// pure function of its arguments and the redaction hook.
func (a *Archive) Receipt(conversation string, m *core.Message, part int) (Receipt, error) {
	if conversation == "" {
		return "", ErrNoConversation
	}
	e := Entry{Conversation: conversation, Part: part}
	if err := a.take(&e, m); err != nil {
		return "", err
	}
	return receiptOf(contentDigest(conversation, e.content())), nil
}

// take puts what an entry is of into it, redacted.
func (a *Archive) take(e *Entry, m *core.Message) error {
	if e.Part < -1 || e.Part >= len(m.Parts) {
		return &InvalidError{fmt.Sprintf("no part %d in a message of %d", e.Part, len(m.Parts))}
	}
	e.Message = subject(m, e.Part)
	if a.redact == nil {
		return nil
	}
	own := deepCopy(&e.Message)
	if !a.redact(&own) {
		return nil
	}
	if len(own.Parts) != len(e.Message.Parts) {
		return &InvalidError{fmt.Sprintf("the redaction hook made %d parts of %d", len(own.Parts), len(e.Message.Parts))}
	}
	e.Message, e.Redacted, e.Native = own, true, nil
	return nil
}

// Put stores entries and manifests of one conversation: all of them or, with an error, none.
// It sets each entry's Receipt, after redaction, and its Conversation. What is stored already
// stays as it is. Of now only the lease of other conversations is judged, by stores that must
// make room; until then this one is kept, and a zero until leaves the lease as it was.
func (a *Archive) Put(ctx context.Context, conversation string, entries []*Entry, manifests []*Manifest, now, until time.Time) error {
	if conversation == "" {
		return ErrNoConversation
	}
	for _, e := range entries {
		if e.Conversation != "" && e.Conversation != conversation {
			return &ForeignError{string(e.Receipt)}
		}
		e.Conversation = conversation
		if !e.Redacted { // else the hook has seen it, wherever that was
			m := e.Message
			part := e.Part
			e.Part = -1
			err := a.take(e, &m)
			e.Part = part
			if err != nil {
				return err
			}
		}
		if err := e.check(); err != nil {
			return err
		}
	}
	for _, m := range manifests {
		if m.Conversation != conversation {
			return &ForeignError{manifestID(m.View, 1)}
		}
		if err := m.check(); err != nil {
			return &InvalidError{"a manifest that cannot be: " + err.Error()}
		}
	}
	return a.put(ctx, conversation, entries, manifests, Batch{Now: now, Lease: until})
}

// nanos returns a time as heads have it. The zero time is 0, and reads back as zero.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func timeOf(nanos int64) time.Time {
	if nanos == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}

// Get returns the entry of a receipt: a [*NotFoundError] if this conversation has none, which
// is also so for a receipt of another conversation and for any text that is no receipt.
func (a *Archive) Get(ctx context.Context, conversation string, r Receipt) (*Entry, error) {
	found, err := a.get(ctx, conversation, []Receipt{r})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// get returns the entries of receipts, in their order; the first that is missing is an error.
func (a *Archive) get(ctx context.Context, conversation string, receipts []Receipt) ([]*Entry, error) {
	if conversation == "" {
		return nil, ErrNoConversation
	}
	ids := make([]string, len(receipts))
	for i, r := range receipts {
		if !r.Valid() {
			return nil, &NotFoundError{string(r)}
		}
		ids[i] = string(r)
	}
	scope := ScopeOf(conversation)
	records, err := a.store.Get(ctx, scope, ids...)
	if err != nil {
		return nil, err
	}
	entries := make([]*Entry, 0, len(ids))
	for i := range ids {
		if i >= len(records) || records[i].ID != ids[i] {
			return nil, &NotFoundError{ids[i]}
		}
		e, err := a.entry(scope, &records[i])
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// entry reads a record and makes sure that it is what its id says.
func (a *Archive) entry(scope Scope, r *Record) (*Entry, error) {
	plain, err := a.seal.open(scope, r.ID, r.Data)
	if err != nil {
		return nil, err
	}
	e, sum, err := decodeEntry(plain)
	switch {
	case err != nil:
		return nil, &CorruptError{ID: r.ID, Detail: "it cannot be decoded", Err: err}
	case ScopeOf(e.Conversation) != scope:
		return nil, &ForeignError{r.ID}
	case string(e.Receipt) != r.ID || sum != r.Digest:
		return nil, &CorruptError{ID: r.ID, Detail: "its content has another receipt"}
	}
	e.Time = timeOf(r.Time)
	return e, nil
}

// List returns up to limit entries of a conversation behind a place, ordered by position and
// then receipt, and the place behind them. Fewer than limit are the last ones.
func (a *Archive) List(ctx context.Context, conversation string, after Cursor, limit int) ([]*Entry, Cursor, error) {
	if conversation == "" {
		return nil, after, ErrNoConversation
	}
	if limit < 1 {
		return nil, after, &InvalidError{fmt.Sprintf("a list of %d entries", limit)}
	}
	scope := ScopeOf(conversation)
	heads, err := a.store.List(ctx, scope, after, limit)
	if err != nil {
		return nil, after, err
	}
	var entries []*Entry
	for chunk := range slices.Chunk(heads, listChunk) {
		if entries, after, err = a.page(ctx, scope, chunk, entries, after); err != nil {
			return nil, after, err
		}
	}
	return entries, after, nil
}

// listChunk bounds how many records are in memory at once while more are walked.
const listChunk = 64

// page appends the entries among some heads. What was deleted meanwhile is left out.
func (a *Archive) page(ctx context.Context, scope Scope, heads []Head, entries []*Entry, after Cursor) ([]*Entry, Cursor, error) {
	var ids []string
	for _, h := range heads {
		if h.Kind == KindEntry {
			ids = append(ids, h.ID)
		}
		after = Cursor{h.Order, h.ID}
	}
	records, err := a.store.Get(ctx, scope, ids...)
	if err != nil {
		return nil, after, err
	}
	for i := range records {
		e, err := a.entry(scope, &records[i])
		if err != nil {
			return nil, after, err
		}
		entries = append(entries, e)
	}
	return entries, after, nil
}

// Delete removes entries of a conversation; without receipts, everything of it, manifests
// and lease included, although the lease may not have ended. A view that hides what was
// deleted cannot be restored any more, and the error of trying names it.
func (a *Archive) Delete(ctx context.Context, conversation string, receipts ...Receipt) error {
	if conversation == "" {
		return ErrNoConversation
	}
	ids := make([]string, len(receipts))
	for i, r := range receipts {
		ids[i] = string(r)
	}
	return a.store.Delete(ctx, ScopeOf(conversation), time.Time{}, ids...)
}

// Touch keeps everything of a conversation until a time, at least. Call it at each model
// call; a time rounded up to the hour makes most calls cost nothing.
func (a *Archive) Touch(ctx context.Context, conversation string, until time.Time) error {
	if conversation == "" {
		return ErrNoConversation
	}
	return a.store.Put(ctx, ScopeOf(conversation), Batch{Lease: until})
}
