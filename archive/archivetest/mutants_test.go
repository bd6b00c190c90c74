package archivetest_test

import (
	"context"
	"encoding/gob"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/archive/archivetest"
)

// mutant is a store in memory with one fault; a nil function is Memory's own.
type mutant struct {
	*archive.Memory
	put    func(m *archive.Memory, ctx context.Context, s archive.Scope, b archive.Batch) error
	get    func(m *archive.Memory, ctx context.Context, s archive.Scope, ids []string) ([]archive.Record, error)
	list   func(m *archive.Memory, ctx context.Context, s archive.Scope, after archive.Cursor, limit int) ([]archive.Head, error)
	delete func(m *archive.Memory, ctx context.Context, s archive.Scope, at time.Time, ids []string) error
	scopes func(m *archive.Memory, ctx context.Context, after archive.Scope, limit int) ([]archive.Info, error)

	compact func(m *archive.Memory, ctx context.Context) error
}

func (m *mutant) Compact(ctx context.Context) error {
	if m.compact != nil {
		return m.compact(m.Memory, ctx)
	}
	return nil
}

func (m *mutant) Put(ctx context.Context, s archive.Scope, b archive.Batch) error {
	if m.put != nil {
		return m.put(m.Memory, ctx, s, b)
	}
	return m.Memory.Put(ctx, s, b)
}

func (m *mutant) Get(ctx context.Context, s archive.Scope, ids ...string) ([]archive.Record, error) {
	if m.get != nil {
		return m.get(m.Memory, ctx, s, ids)
	}
	return m.Memory.Get(ctx, s, ids...)
}

func (m *mutant) List(ctx context.Context, s archive.Scope, after archive.Cursor, limit int) ([]archive.Head, error) {
	if m.list != nil {
		return m.list(m.Memory, ctx, s, after, limit)
	}
	return m.Memory.List(ctx, s, after, limit)
}

func (m *mutant) Delete(ctx context.Context, s archive.Scope, at time.Time, ids ...string) error {
	if m.delete != nil {
		return m.delete(m.Memory, ctx, s, at, ids)
	}
	return m.Memory.Delete(ctx, s, at, ids...)
}

func (m *mutant) Scopes(ctx context.Context, after archive.Scope, limit int) ([]archive.Info, error) {
	if m.scopes != nil {
		return m.scopes(m.Memory, ctx, after, limit)
	}
	return m.Memory.Scopes(ctx, after, limit)
}

type (
	memory = archive.Memory
	batch  = archive.Batch
)

// mutants are broken stores, with the check that must find each.
var mutants = map[string]struct {
	check string
	store mutant
}{
	"forgets the last record": {"round trip", mutant{put: func(m *memory, ctx context.Context, s archive.Scope, b batch) error {
		b.Records = b.Records[:max(0, len(b.Records)-1)]
		return m.Put(ctx, s, b)
	}}},
	"shares what it returns": {"round trip", mutant{get: sharing()}},
	"returns any order": {"round trip", mutant{get: func(m *memory, ctx context.Context, s archive.Scope, ids []string) ([]archive.Record, error) {
		got, err := m.Get(ctx, s, ids...)
		if len(got) > 1 {
			got[0], got[1] = got[1], got[0]
		}
		return got, err
	}}},
	"overwrites": {"idempotent", mutant{put: func(m *memory, ctx context.Context, s archive.Scope, b batch) error {
		for _, r := range b.Records {
			if got, err := m.Get(ctx, s, r.ID); err == nil && len(got) == 1 && got[0].Digest == r.Digest {
				_ = m.Delete(ctx, s, time.Time{}, r.ID)
			}
		}
		return m.Put(ctx, s, b)
	}}},
	"keeps quiet about collisions": {"collision", mutant{put: func(m *memory, ctx context.Context, s archive.Scope, b batch) error {
		err := m.Put(ctx, s, b)
		if collision := (*archive.CollisionError)(nil); errors.As(err, &collision) {
			return nil
		}
		return err
	}}},
	"stores record by record": {"atomic", mutant{put: func(m *memory, ctx context.Context, s archive.Scope, b batch) error {
		for i := range b.Records {
			if err := m.Put(ctx, s, batch{Records: b.Records[i : i+1], Needs: b.Needs, Lease: b.Lease}); err != nil {
				return err
			}
		}
		return m.Put(ctx, s, batch{Needs: b.Needs, Lease: b.Lease})
	}}},
	"ignores needs": {"needs", mutant{put: func(m *memory, ctx context.Context, s archive.Scope, b batch) error {
		b.Needs = nil
		return m.Put(ctx, s, b)
	}}},
	"has one scope": {"apart", mutant{
		put: func(m *memory, ctx context.Context, _ archive.Scope, b batch) error {
			return m.Put(ctx, archive.Scope{1}, b)
		},
		get: func(m *memory, ctx context.Context, _ archive.Scope, ids []string) ([]archive.Record, error) {
			return m.Get(ctx, archive.Scope{1}, ids...)
		},
	}},
	"lists a page short": {"list", mutant{list: func(m *memory, ctx context.Context, s archive.Scope, after archive.Cursor, limit int) ([]archive.Head, error) {
		got, err := m.List(ctx, s, after, limit)
		if len(got) == limit && limit > 1 {
			got = append(got[:limit-2], got[limit-1])
		}
		return got, err
	}}},
	"lists the last of a page again": {"list", mutant{list: func(m *memory, ctx context.Context, s archive.Scope, after archive.Cursor, limit int) ([]archive.Head, error) {
		after.ID = ""
		return m.List(ctx, s, after, limit)
	}}},
	"deletes everything": {"delete", mutant{delete: func(m *memory, ctx context.Context, s archive.Scope, at time.Time, _ []string) error {
		return m.Delete(ctx, s, at)
	}}},
	"deletes nothing": {"delete", mutant{delete: func(_ *memory, ctx context.Context, _ archive.Scope, _ time.Time, _ []string) error {
		return ctx.Err()
	}}},
	"ignores leases": {"lease", mutant{delete: func(m *memory, ctx context.Context, s archive.Scope, _ time.Time, ids []string) error {
		return m.Delete(ctx, s, time.Time{}, ids...)
	}}},
	"forgets leases": {"lease", mutant{put: func(m *memory, ctx context.Context, s archive.Scope, b batch) error {
		b.Lease = time.Time{}
		return m.Put(ctx, s, b)
	}}},
	"miscounts": {"catalog", mutant{scopes: func(m *memory, ctx context.Context, after archive.Scope, limit int) ([]archive.Info, error) {
		got, err := m.Scopes(ctx, after, limit)
		for i := range got {
			got[i].Bytes++
		}
		return got, err
	}}},
	"lists scopes for ever": {"catalog", mutant{scopes: func(m *memory, ctx context.Context, _ archive.Scope, limit int) ([]archive.Info, error) {
		return m.Scopes(ctx, archive.Scope{}, limit)
	}}},
	"fails at strange ids": {"hostile ids", mutant{get: func(m *memory, ctx context.Context, s archive.Scope, ids []string) ([]archive.Record, error) {
		if slices.Contains(ids, "..") {
			return nil, &archive.InvalidError{Detail: "no such id"}
		}
		return m.Get(ctx, s, ids...)
	}}},
	"compacts what is needed": {"compact", mutant{compact: func(m *memory, ctx context.Context) error {
		return m.Delete(ctx, archive.ScopeOf("alpha"), time.Time{}, "b99-0")
	}}},
	"lists ten thousand": {"volume", mutant{list: func(m *memory, ctx context.Context, s archive.Scope, after archive.Cursor, limit int) ([]archive.Head, error) {
		if after.Order > 128 {
			return nil, nil
		}
		return m.List(ctx, s, after, limit)
	}}},
	"goes on without its caller": {"context", mutant{put: func(m *memory, ctx context.Context, s archive.Scope, b batch) error {
		return m.Put(context.WithoutCancel(ctx), s, b)
	}}},
}

// sharing returns what it returned before, whatever became of it.
func sharing() func(*memory, context.Context, archive.Scope, []string) ([]archive.Record, error) {
	seen := map[string][]byte{}
	return func(m *memory, ctx context.Context, s archive.Scope, ids []string) ([]archive.Record, error) {
		got, err := m.Get(ctx, s, ids...)
		for i := range got {
			if data, ok := seen[got[i].ID]; ok {
				got[i].Data = data
			}
			seen[got[i].ID] = got[i].Data
		}
		return got, err
	}
}

func judge(t *testing.T, name string, h archivetest.Harness) error {
	t.Helper()
	for _, c := range archivetest.Checks() {
		if c.Name == name {
			return c.Judge(t, h)
		}
	}
	require.Fail(t, "no such check", name)
	return nil
}

func TestMutants(t *testing.T) {
	for name, m := range mutants {
		t.Run(name, func(t *testing.T) {
			err := judge(t, m.check, archivetest.Harness{Open: func(string) (archive.Store, error) {
				broken := m.store
				broken.Memory = archive.NewMemory(0)
				return &broken, nil
			}})
			assert.Error(t, err, "the check %q does not notice it", m.check)
			t.Log(err)
		})
	}
}

// file is a store in one file without checksums, as somebody might write it in an evening.
type file struct {
	*archive.Memory
	path string
	mode os.FileMode
	lazy bool // writes when it is closed
	torn bool // writes record by record
}

type stored struct {
	Scope  archive.Scope
	Record archive.Record
}

func openFile(f file) (archive.Store, error) {
	f.Memory = archive.NewMemory(0)
	r, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return &f, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	for decode := gob.NewDecoder(r); ; {
		var batch []stored
		if decode.Decode(&batch) != nil {
			return &f, nil
		}
		for _, s := range batch {
			// Its leases never end, so that it is not their loss which is noticed.
			b := archive.Batch{Records: []archive.Record{s.Record}, Lease: time.Unix(1<<40, 0)}
			if err := f.Memory.Put(context.Background(), s.Scope, b); err != nil {
				return nil, err
			}
		}
	}
}

func (f *file) Put(ctx context.Context, s archive.Scope, b archive.Batch) error {
	if err := f.Memory.Put(ctx, s, b); err != nil || f.lazy {
		return err
	}
	w, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, f.mode)
	if err != nil {
		return err
	}
	encode := gob.NewEncoder(w)
	var all []stored
	heads, err := f.Memory.List(ctx, s, archive.Cursor{}, 1<<20)
	for _, h := range heads {
		got, _ := f.Memory.Get(ctx, s, h.ID)
		all = append(all, stored{s, got[0]})
		if f.torn {
			err = errors.Join(err, encode.Encode(all))
			all = nil
		}
	}
	return errors.Join(err, encode.Encode(all), w.Close())
}

// What breaks on disks and between processes.
func TestMutants_OnDisk(t *testing.T) {
	for name, m := range map[string]struct {
		check string
		file  file
	}{
		"is not there the next time":     {"persistent", file{lazy: true, mode: 0o600}},
		"lets others read":               {"private", file{mode: 0o644}},
		"says stored and has not":        {"kills", file{lazy: true, mode: 0o600}},
		"writes the file in place":       {"kills", file{torn: true, mode: 0o600}},
		"one process overwrites another": {"processes", file{mode: 0o600}},
		"has no checksums":               {"corrupt", file{mode: 0o600}},
		"takes the end as it is":         {"cut off", file{mode: 0o600}},
		"leaves errors as they are":      {"disk full", file{mode: 0o600}},
	} {
		t.Run(name, func(t *testing.T) {
			h := archivetest.Harness{Persistent: true, Open: func(dir string) (archive.Store, error) {
				f := m.file
				f.path = filepath.Join(dir, "store")
				return openFile(f)
			}}
			err := judge(t, m.check, h)
			assert.Error(t, err, "the check %q does not notice it", m.check)
			t.Log(err)
		})
	}
}
