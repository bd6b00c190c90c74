package archive

import (
	"context"
	"errors"
)

// Verified is what a Verify found.
type Verified struct {
	Conversations, Entries, Manifests int
	Bytes                             int64 // as they are stored
	Faults                            []Fault
}

// Fault is something stored that cannot be used.
type Fault struct {
	Scope Scope
	ID    string // of the record; empty where the damage hides it
	Err   error  // *CorruptError, *ForeignError, *KeyError, or *NotFoundError of what a manifest needs
}

// Verify reads everything that is stored, of one conversation or, without a key, of all, which
// takes a [Catalog]. It compares every checksum and receipt, and looks for every entry that a
// manifest needs. Damage is reported, not mended; the error is of what kept it from looking.
func (a *Archive) Verify(ctx context.Context, conversation string) (*Verified, error) {
	v := &Verified{}
	if conversation != "" {
		return v, a.verify(ctx, ScopeOf(conversation), v)
	}
	err := a.scopes(ctx, func(i Info) error { return a.verify(ctx, i.Scope, v) })
	if damage(err) {
		v.Faults, err = append(v.Faults, Fault{Err: err}), nil
	}
	return v, err
}

func (a *Archive) verify(ctx context.Context, scope Scope, v *Verified) error {
	v.Conversations++
	fault := func(id string, err error) { v.Faults = append(v.Faults, Fault{scope, id, err}) }
	var manifests []*Manifest
	stored := map[Receipt]bool{}
	err := a.heads(ctx, scope, func(heads []Head) error {
		for _, h := range heads {
			records, err := a.store.Get(ctx, scope, h.ID)
			if err != nil && !damage(err) {
				return err
			}
			if err == nil {
				var m *Manifest
				if m, err = a.read(scope, h.ID, records); m != nil {
					manifests = append(manifests, m)
				}
			}
			v.Bytes += h.Size
			switch {
			case err != nil:
				fault(h.ID, err)
			case h.Kind == KindEntry:
				v.Entries++
				stored[Receipt(h.ID)] = true
			default:
				v.Manifests++
			}
		}
		return nil
	})
	for _, m := range manifests {
		for _, r := range m.Receipts() {
			if !stored[r] {
				fault(manifestID(m.View, 1), &NotFoundError{string(r)})
			}
		}
	}
	if damage(err) {
		var corrupt *CorruptError
		if errors.As(err, &corrupt) {
			fault(corrupt.ID, err)
		} else {
			fault("", err)
		}
		return nil
	}
	return err
}

// read decodes what a store returned for a listed id, and returns it if it is a manifest.
func (a *Archive) read(scope Scope, id string, records []Record) (*Manifest, error) {
	if len(records) == 0 {
		return nil, &CorruptError{ID: id, Detail: "it is listed and cannot be found, unless it was deleted just now"}
	}
	r := &records[0]
	if r.Kind == KindManifest {
		return a.manifest(scope, r)
	}
	_, err := a.entry(scope, r)
	return nil, err
}
