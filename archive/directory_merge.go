package archive

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"
)

// Delete implements [Store].
func (d *Directory) Delete(ctx context.Context, s Scope, unleased time.Time, ids ...string) error {
	unlock, err := d.lock(ctx, s)
	if err != nil {
		return err
	}
	defer unlock()
	if !unleased.IsZero() {
		lease, err := d.lease(s)
		if err != nil {
			return err
		}
		if !lease.Before(unleased) {
			return &LeasedError{s, lease}
		}
	}
	if len(ids) > 0 {
		gone := make(map[string]bool, len(ids))
		for _, id := range ids {
			gone[id] = true
		}
		return d.merge(ctx, s, func(records []located, _ int64) bool {
			return slices.ContainsFunc(records, func(r located) bool { return gone[r.ID] })
		}, gone)
	}
	if err := d.isFolder(s); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	// The lease last: while anything is there, so is what protects it.
	names, err := fs.ReadDir(d.root.FS(), s.String())
	if err != nil {
		return &IOError{"list folder", err}
	}
	for _, n := range names {
		if n.Name() != leaseFile {
			if err := d.root.Remove(s.String() + "/" + n.Name()); err != nil {
				return &IOError{"remove pack", err}
			}
		}
	}
	if err := d.root.RemoveAll(s.String()); err != nil {
		return &IOError{"remove folder", err}
	}
	return d.syncFolder(".")
}

// mergeSmall chooses the packs that are worth being one.
func mergeSmall(_ []located, bytes int64) bool { return bytes < 4<<20 }

// merge rewrites the packs of a scope that are chosen as one, without the records that are to
// go. The new one is in place before the old ones leave. The caller has the lock.
func (d *Directory) merge(ctx context.Context, s Scope, choose func([]located, int64) bool, gone map[string]bool) error {
	f, err := d.folder(s)
	if err != nil {
		return err
	}
	if f.damage != nil {
		return f.damage
	}
	var old []string
	var keep []located
	seen := make(map[string]bool)
	for name, records := range f.packs {
		var bytes int64
		for _, r := range records {
			bytes += r.Size
		}
		if !choose(records, bytes) {
			continue
		}
		old = append(old, name)
		for _, r := range records {
			if !gone[r.ID] && !seen[r.ID] {
				seen[r.ID] = true
				keep = append(keep, r)
			}
		}
	}
	if len(old) == 0 || len(old) == 1 && gone == nil {
		return nil
	}
	slices.SortFunc(keep, func(a, b located) int { return compareHeads(a.Head, b.Head) })
	if len(keep) > 0 {
		if err := d.rewrite(ctx, s, keep); err != nil {
			return err
		}
	}
	for _, name := range old {
		if err := d.root.Remove(s.String() + "/" + name); err != nil {
			return &IOError{"remove pack", err}
		}
	}
	return d.syncFolder(s.String())
}

// rewrite stores records of other packs in a new one.
func (d *Directory) rewrite(ctx context.Context, s Scope, keep []located) error {
	read := packReader{directory: d, scope: s}
	defer read.close()
	records := make([]Record, 0, len(keep))
	for _, at := range keep {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := read.record(at)
		if err != nil {
			return err
		}
		records = append(records, r)
	}
	return d.writePack(s, records)
}

// Compact implements [Compacter]: it merges the small packs of each conversation.
func (d *Directory) Compact(ctx context.Context) error {
	names, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return &IOError{"list conversations", err}
	}
	for _, n := range names {
		s, ok := ParseScope(n.Name())
		if !ok {
			continue
		}
		unlock, err := d.lock(ctx, s)
		if err != nil {
			return err
		}
		err = d.merge(ctx, s, mergeSmall, nil)
		if err == nil {
			if err = d.sweep(s); errors.Is(err, fs.ErrNotExist) {
				err = nil // the folder is gone
			}
		}
		unlock()
		if err != nil {
			return err
		}
	}
	return nil
}
