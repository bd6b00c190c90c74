package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// Restored is a history that was made of a view.
type Restored struct {
	Conversation string
	History      []core.Message
	Manifest     *Manifest

	From    []int            // history → the message of the view that it stands in, -1 where it was dropped
	Entries map[Place]*Entry // what came out of the archive

	// Beyond is how many messages at the end were taken from the view as they stand, since the
	// manifest was made of a view that had not come to them yet; 0: it is of this very view.
	Beyond int

	// Redacted says that something came back as the redaction hook left it, so that this is not
	// the history word for word.
	Redacted bool
}

// Place is a message of a history, with Part -1, or a part of it.
type Place struct{ Msg, Part int }

// Restore returns the history that a saved view was made of. The view is one that [Archive.Save]
// was given, or one that begins with it and goes on with the history's own messages; it may have
// been written to a file and read back, by another process.
//
// Messages and parts that the view shows are the view's: read back from a file they have the
// numbers (Src, Slot, CallID) that reading gave them. [Restored.From] and Entries are for whoever
// puts native messages together instead.
//
// Errors: [*NotFoundError] names the receipt of an entry that was deleted, or the manifest's id
// if no beginning of the view is known; [*AmbiguousError] if several histories fit;
// [*CorruptError] if what comes out is not what went in.
func (a *Archive) Restore(ctx context.Context, conversation string, view []core.Message) (*Restored, error) {
	if conversation == "" {
		return nil, ErrNoConversation
	}
	found, err := a.find(ctx, ScopeOf(conversation), view)
	if err != nil {
		return nil, err
	}
	return a.choose(ctx, found, view)
}

// RestoreAny is Restore for whoever has the whole archive and no key, such as a person at the
// command line: the manifest names the conversation. It looks into every conversation of the
// store, which must be a [Catalog].
func (a *Archive) RestoreAny(ctx context.Context, view []core.Message) (*Restored, error) {
	var found []*Manifest
	err := a.scopes(ctx, func(i Info) error {
		more, err := a.find(ctx, i.Scope, view)
		var missing *NotFoundError
		if err != nil && !errors.As(err, &missing) {
			return err
		}
		switch {
		case len(more) == 0:
		case len(found) == 0 || more[0].ViewMessages > found[0].ViewMessages:
			found = more
		case more[0].ViewMessages == found[0].ViewMessages:
			found = append(found, more...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &NotFoundError{manifestID(HashOf(view), 1)}
	}
	return a.choose(ctx, found, view)
}

// find returns the manifests of the longest beginning of the view that has one. One without
// edits holds for its own view only: of a longer one nothing says that it hides nothing.
func (a *Archive) find(ctx context.Context, scope Scope, view []core.Message) ([]*Manifest, error) {
	hashes := prefixHashes(view)
	known := func(int) bool { return true }
	if c, ok := a.store.(Checker); ok {
		ids := make([]string, len(hashes))
		for i, h := range hashes {
			ids[i] = manifestID(h, 1)
		}
		missing, err := c.Missing(ctx, scope, ids...)
		if err != nil {
			return nil, err
		}
		gone := make(map[string]bool, len(missing))
		for _, id := range missing {
			gone[id] = true
		}
		known = func(i int) bool { return !gone[ids[i]] }
	}
	for n := len(view); n >= 0; n-- {
		if !known(n) {
			continue
		}
		found, err := a.manifests(ctx, scope, hashes[n])
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(m *Manifest) bool {
			return m.ViewMessages != n || n < len(view) && len(m.Edits) == 0
		})
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, &NotFoundError{manifestID(hashes[len(view)], 1)}
}

// choose restores the one history that manifests of a view agree on.
func (a *Archive) choose(ctx context.Context, found []*Manifest, view []core.Message) (*Restored, error) {
	for _, m := range found[1:] {
		if m.History != found[0].History || m.Conversation != found[0].Conversation {
			return nil, &AmbiguousError{found}
		}
	}
	return a.RestoreFrom(ctx, found[0], view)
}

// RestoreFrom is Restore with a manifest that the caller chose.
func (a *Archive) RestoreFrom(ctx context.Context, m *Manifest, view []core.Message) (*Restored, error) {
	if len(view) < m.ViewMessages || HashOf(view[:m.ViewMessages]) != m.View {
		return nil, &InvalidError{"the manifest is of another view"}
	}
	for i := m.ViewMessages; i < len(view); i++ {
		if slices.ContainsFunc(view[i].Parts, func(p core.Part) bool { return p.Elided != nil }) {
			return nil, &NotFoundError{manifestID(HashOf(view), 1)} // edited since, and that was not saved
		}
	}
	entries := make(map[Receipt]*Entry)
	for chunk := range slices.Chunk(m.Receipts(), listChunk) {
		got, err := a.get(ctx, m.Conversation, chunk)
		if err != nil {
			return nil, err
		}
		for _, e := range got {
			entries[e.Receipt] = e
		}
	}
	r, err := rebuild(m, view[:m.ViewMessages], entries)
	if err != nil {
		return nil, &CorruptError{ID: manifestID(m.View, 1), Detail: "it does not fit its view", Err: err}
	}
	if !r.Redacted && HashOf(r.History) != m.History {
		return nil, &CorruptError{ID: manifestID(m.View, 1), Detail: "the history that it makes has another hash"}
	}
	r.Beyond = len(view) - m.ViewMessages
	for i := m.ViewMessages; i < len(view); i++ {
		r.History, r.From = append(r.History, view[i]), append(r.From, i)
	}
	return r, nil
}

// rebuild makes the history of a view and what it hides. It is the inverse of the edits, and
// takes nothing from them but places.
func rebuild(m *Manifest, view []core.Message, entries map[Receipt]*Entry) (*Restored, error) {
	r := &Restored{Conversation: m.Conversation, Manifest: m, Entries: make(map[Place]*Entry)}
	edited := make(map[int][]Removed)
	for _, e := range m.Edits {
		for _, gone := range e.Removed {
			entry := entries[gone.Receipt]
			at := Place{gone.Msg, gone.Part}
			if entry == nil || gone.Part >= 0 && len(entry.Message.Parts) != 1 || r.Entries[at] != nil {
				return nil, fmt.Errorf("message %d, part %d has no entry of its own", gone.Msg, gone.Part)
			}
			r.Entries[at] = entry
			r.Redacted = r.Redacted || entry.Redacted
			if gone.Part >= 0 {
				edited[gone.Msg] = append(edited[gone.Msg], gone)
			}
		}
	}
	v, inserted := 0, m.Inserted
	for i := range m.Messages {
		if e := r.Entries[Place{i, -1}]; e != nil {
			r.History, r.From = append(r.History, e.Message), append(r.From, -1)
			continue
		}
		for len(inserted) > 0 && inserted[0] == v {
			inserted, v = inserted[1:], v+1
		}
		if v >= len(view) {
			return nil, fmt.Errorf("message %d stands nowhere", i)
		}
		whole := view[v]
		if parts := edited[i]; parts != nil {
			var err error
			if whole.Parts, err = refill(view[v].Parts, parts, r.Entries); err != nil {
				return nil, err
			}
		}
		r.History, r.From = append(r.History, whole), append(r.From, v)
		v++
	}
	if v+len(inserted) != len(view) {
		return nil, errors.New("the view has more messages than the history")
	}
	return r, nil
}

// refill returns the parts of a message with the originals in their places. Of a part that the
// view shows in another form, the numbers that the view gives it stay.
func refill(shown []core.Part, gone []Removed, entries map[Place]*Entry) ([]core.Part, error) {
	slices.SortFunc(gone, func(a, b Removed) int { return a.Part - b.Part })
	parts := make([]core.Part, 0, len(shown)+len(gone))
	for q := 0; q < len(shown) || len(gone) > 0; {
		if len(gone) == 0 || gone[0].Part != len(parts) {
			if q >= len(shown) {
				return nil, fmt.Errorf("message %d has too few parts", gone[0].Msg)
			}
			parts = append(parts, shown[q])
			q++
			continue
		}
		part := entries[Place{gone[0].Msg, gone[0].Part}].Message.Parts[0]
		if !gone[0].Vanished {
			if q >= len(shown) {
				return nil, fmt.Errorf("message %d has too few parts", gone[0].Msg)
			}
			part.Slot, part.CallID = shown[q].Slot, shown[q].CallID
			q++
		}
		parts, gone = append(parts, part), gone[1:]
	}
	return parts, nil
}
