package archive

import (
	"context"
	"errors"
	"fmt"
)

// draft is a record that is not sealed yet.
type draft struct {
	head  Head
	plain func() []byte
}

// put stores what was checked. It seals only what the store does not have, and lets the store
// confirm under its own lock that it still has the rest: should that have been deleted since
// the question, everything is put once more.
func (a *Archive) put(ctx context.Context, conversation string, entries []*Entry, manifests []*Manifest, b Batch) error {
	const attempts = 8
	scope := ScopeOf(conversation)
	for n := 1; ; n++ {
		drafts, err := a.drafts(ctx, scope, conversation, entries, manifests)
		if err != nil {
			return err
		}
		err = a.putDrafts(ctx, scope, drafts, b, n == 1)
		var missing *NotFoundError
		var taken *CollisionError
		again := errors.As(err, &missing) || errors.As(err, &taken) && !Receipt(taken.ID).Valid()
		if !again || n == attempts {
			return err
		}
	}
}

func (a *Archive) drafts(ctx context.Context, scope Scope, conversation string, entries []*Entry, manifests []*Manifest) ([]draft, error) {
	drafts := make([]draft, 0, len(entries)+len(manifests))
	for _, e := range entries {
		content := e.content()
		sum := contentDigest(conversation, content)
		e.Receipt = receiptOf(sum)
		drafts = append(drafts, draft{
			Head{ID: string(e.Receipt), Kind: KindEntry, Digest: sum, Order: e.order(), Time: nanos(e.Time)},
			func() []byte { return e.encode(content) },
		})
	}
	for _, m := range manifests {
		plain, err := m.encode()
		if err != nil {
			return nil, err
		}
		sum := manifestDigest(plain)
		id, err := a.manifestPlace(ctx, scope, m.View, sum)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, draft{
			Head{ID: id, Kind: KindManifest, Digest: sum, Order: manifestOrder, Time: nanos(m.Time)},
			func() []byte { return plain },
		})
	}
	return drafts, nil
}

// putDrafts stores drafts; if it is to ask, with those that the store has as needs.
func (a *Archive) putDrafts(ctx context.Context, scope Scope, drafts []draft, b Batch, ask bool) error {
	stored := map[string]Digest{}
	if checker, ok := a.store.(Checker); ok && ask {
		ids := make([]string, len(drafts))
		for i := range drafts {
			ids[i] = drafts[i].head.ID
			stored[ids[i]] = drafts[i].head.Digest
		}
		missing, err := checker.Missing(ctx, scope, ids...)
		if err != nil {
			return err
		}
		for _, id := range missing {
			delete(stored, id)
		}
	}
	for i := range drafts {
		d := &drafts[i]
		if _, ok := stored[d.head.ID]; ok {
			b.Needs = append(b.Needs, Need{d.head.ID, d.head.Digest})
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := a.seal.seal(scope, d.head.ID, d.plain())
		if err != nil {
			return err
		}
		d.head.Size = int64(len(data))
		b.Records = append(b.Records, Record{d.head, data})
	}
	return a.store.Put(ctx, scope, b)
}

// maxManifests is how many histories one view may have.
const maxManifests = 64

// manifestPlace returns the id of a view's manifest with this digest, or the first free one.
func (a *Archive) manifestPlace(ctx context.Context, scope Scope, view Hash, sum Digest) (string, error) {
	for n := 1; n <= maxManifests; n++ {
		id := manifestID(view, n)
		records, err := a.store.Get(ctx, scope, id)
		var corrupt *CorruptError
		if err != nil && !errors.As(err, &corrupt) {
			return "", err
		}
		if err == nil && (len(records) == 0 || records[0].Digest == sum) {
			return id, nil
		}
	}
	return "", &InvalidError{fmt.Sprintf("a view with more than %d different histories", maxManifests)}
}

// Manifests returns the manifests that are stored for exactly the view with this hash: none,
// one, or several where what differs between histories is not to be seen in the view.
func (a *Archive) Manifests(ctx context.Context, conversation string, view Hash) ([]*Manifest, error) {
	if conversation == "" {
		return nil, ErrNoConversation
	}
	return a.manifests(ctx, ScopeOf(conversation), view)
}

func (a *Archive) manifests(ctx context.Context, scope Scope, view Hash) ([]*Manifest, error) {
	var all []*Manifest
	for n := 1; n <= maxManifests; n++ {
		records, err := a.store.Get(ctx, scope, manifestID(view, n))
		if err != nil || len(records) == 0 {
			return all, err
		}
		m, err := a.manifest(scope, &records[0])
		if err != nil {
			return nil, err
		}
		if m.View == view {
			all = append(all, m)
		}
	}
	return all, nil
}

// manifest reads a record and makes sure that it is what it says.
func (a *Archive) manifest(scope Scope, r *Record) (*Manifest, error) {
	plain, err := a.seal.open(scope, r.ID, r.Data)
	if err != nil {
		return nil, err
	}
	m, err := decodeManifest(plain)
	switch {
	case err != nil:
		return nil, &CorruptError{ID: r.ID, Detail: "it cannot be decoded", Err: err}
	case ScopeOf(m.Conversation) != scope:
		return nil, &ForeignError{r.ID}
	case manifestDigest(plain) != r.Digest:
		return nil, &CorruptError{ID: r.ID, Detail: "its content has another hash"}
	}
	m.Time = timeOf(r.Time)
	return m, nil
}
