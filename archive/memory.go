package archive

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// Memory is a [Store] of one process, lost with it: for tests, and for programs whose
// conversations do not outlive them.
type Memory struct {
	limit int64

	mu     sync.RWMutex
	scopes map[Scope]*memoryScope
	bytes  int64
	clock  int64 // counts batches
}

type memoryScope struct {
	records map[string]Record
	order   []Head // sorted; nil: to be made again
	bytes   int64
	lease   time.Time
	used    int64 // the batch that touched it last
}

// overhead is what a record is taken to need beside its data, so that many small ones are
// bounded too.
const overhead = 200

// NewMemory returns an empty store of up to so many bytes; 0: no bound. When a batch does not
// fit, whole conversations leave whose lease ended before the batch's Now: the one whose lease
// ended first, and of equal ones that which was used longest ago. Never the batch's own, and
// never one that is leased: a batch that still does not fit is a [*FullError].
func NewMemory(limit int64) *Memory {
	return &Memory{limit: limit, scopes: make(map[Scope]*memoryScope)}
}

var _ interface {
	Store
	Catalog
	Checker
} = (*Memory)(nil)

// Put implements [Store].
func (m *Memory) Put(ctx context.Context, s Scope, b Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	scope := m.scopes[s]
	fresh, err := b.fresh(func(id string) (Digest, bool, error) {
		if scope == nil {
			return Digest{}, false, nil
		}
		r, ok := scope.records[id]
		return r.Digest, ok, nil
	})
	if err != nil {
		return err
	}
	need := int64(0)
	for _, r := range fresh {
		need += r.Size + overhead
	}
	if err := m.makeRoom(s, need, b.Now); err != nil {
		return err
	}
	if scope == nil {
		scope = &memoryScope{records: make(map[string]Record)}
		m.scopes[s] = scope
	}
	for _, r := range fresh {
		r.ID, r.Data = strings.Clone(r.ID), bytes.Clone(r.Data)
		scope.records[r.ID] = r
		scope.order = nil
	}
	scope.bytes += need
	m.bytes += need
	if b.Lease.After(scope.lease) {
		scope.lease = b.Lease
	}
	m.clock++
	scope.used = m.clock
	return nil
}

// makeRoom removes what may go until so many bytes fit, or nothing.
func (m *Memory) makeRoom(own Scope, need int64, now time.Time) error {
	if m.limit <= 0 || m.bytes+need <= m.limit {
		return nil
	}
	var may []Scope
	free := m.limit - m.bytes
	for s, scope := range m.scopes {
		if s != own && scope.lease.Before(now) {
			may = append(may, s)
			free += scope.bytes
		}
	}
	if free < need {
		return &FullError{Need: m.limit - free + need, Limit: m.limit}
	}
	slices.SortFunc(may, func(a, b Scope) int {
		x, y := m.scopes[a], m.scopes[b]
		return cmp.Or(x.lease.Compare(y.lease), cmp.Compare(x.used, y.used))
	})
	for _, s := range may {
		if m.bytes+need <= m.limit {
			break
		}
		m.bytes -= m.scopes[s].bytes
		delete(m.scopes, s)
	}
	return nil
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, s Scope, ids ...string) ([]Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	scope := m.scopes[s]
	if scope == nil {
		return nil, nil
	}
	var records []Record
	for _, id := range ids {
		if r, ok := scope.records[id]; ok {
			r.Data = bytes.Clone(r.Data)
			records = append(records, r)
		}
	}
	return records, nil
}

// Missing implements [Checker].
func (m *Memory) Missing(ctx context.Context, s Scope, ids ...string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	scope := m.scopes[s]
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		if scope == nil {
			return false
		}
		_, ok := scope.records[id]
		return ok
	}), nil
}

// List implements [Store].
func (m *Memory) List(ctx context.Context, s Scope, after Cursor, limit int) ([]Head, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	scope := m.scopes[s]
	if scope == nil {
		return nil, nil
	}
	if scope.order == nil {
		for _, r := range scope.records {
			scope.order = append(scope.order, r.Head)
		}
		slices.SortFunc(scope.order, compareHeads)
	}
	return listed(scope.order, after, limit), nil
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, s Scope, unleased time.Time, ids ...string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	scope := m.scopes[s]
	if scope == nil {
		return nil
	}
	if !unleased.IsZero() && !scope.lease.Before(unleased) {
		return &LeasedError{s, scope.lease}
	}
	if len(ids) == 0 {
		m.bytes -= scope.bytes
		delete(m.scopes, s)
		return nil
	}
	for _, id := range ids {
		if r, ok := scope.records[id]; ok {
			m.bytes -= r.Size + overhead
			scope.bytes -= r.Size + overhead
			delete(scope.records, id)
			scope.order = nil
		}
	}
	return nil
}

// Scopes implements [Catalog].
func (m *Memory) Scopes(ctx context.Context, after Scope, limit int) ([]Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	var list []Info
	for s, scope := range m.scopes {
		if bytes.Compare(s[:], after[:]) <= 0 {
			continue
		}
		i := Info{Scope: s, Lease: scope.lease}
		for _, r := range scope.records {
			i.add(&r.Head)
		}
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b Info) int { return bytes.Compare(a.Scope[:], b.Scope[:]) })
	return list[:min(max(limit, 0), len(list))], nil
}
