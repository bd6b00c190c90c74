package archive

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"
)

// Kind says what a record holds.
type Kind uint8

// The kinds of records.
const (
	KindEntry    Kind = 1 + iota // an original, under its receipt
	KindManifest                 // how a history is made of a view, under an id made of the view's hash
)

// Head is what a store knows of a record.
type Head struct {
	ID     string // unique within a scope; 1 to 64 of a-z, 0-9 and "-"
	Kind   Kind
	Digest Digest // of what the record says, whatever its bytes: equal ids with equal digests are equal records
	Order  int64  // not negative; records of a scope are listed by Order, then ID
	Time   int64  // nanoseconds since 1970, as the caller gave it
	Size   int64  // bytes of Data
}

// Record is what a store holds: bytes that it does not look into.
type Record struct {
	Head
	Data []byte
}

// Checksum returns the CRC-32C of everything in the record and of the scope that it is in.
// A store keeps it beside the record and compares it when it reads.
func (r *Record) Checksum(s Scope) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	b := append(s[:], byte(r.Kind))
	b = binary.AppendUvarint(b, uint64(len(r.ID)))
	b = append(b, r.ID...)
	b = append(b, r.Digest[:]...)
	b = binary.AppendVarint(b, r.Order)
	b = binary.AppendVarint(b, r.Time)
	return crc32.Update(crc32.Checksum(b, table), table, r.Data)
}

// Check returns an [*InvalidError] if no store could take the record.
func (r *Record) Check() error {
	ok := len(r.ID) > 0 && len(r.ID) <= 64
	for i := range len(r.ID) {
		c := r.ID[i]
		ok = ok && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-')
	}
	switch {
	case !ok:
		return &InvalidError{fmt.Sprintf("an id is 1 to 64 of a-z, 0-9 and -, not these %d bytes", len(r.ID))}
	case r.Kind != KindEntry && r.Kind != KindManifest:
		return &InvalidError{fmt.Sprintf("record %q is of the unknown kind %d", r.ID, r.Kind)}
	case r.Order < 0:
		return &InvalidError{fmt.Sprintf("record %q has the negative order %d", r.ID, r.Order)}
	case r.Size != int64(len(r.Data)):
		return &InvalidError{fmt.Sprintf("record %q says %d bytes and has %d", r.ID, r.Size, len(r.Data))}
	}
	return nil
}

// Batch is what one Put stores.
type Batch struct {
	Records []Record
	Needs   []Need    // what must be stored already
	Now     time.Time // what a store that makes room takes for the present
	Lease   time.Time // the scope is kept until then, at least; zero: as it was
}

// Need is a record that is not in a batch because the store has it.
type Need struct {
	ID     string
	Digest Digest
}

// Cursor is a place in a list: behind the record with this Order and ID. The zero Cursor is
// before every record.
type Cursor struct {
	Order int64
	ID    string
}

// Before reports whether the cursor stands before the record.
func (c Cursor) Before(h *Head) bool { return c.Order < h.Order || c.Order == h.Order && c.ID < h.ID }

// Store holds records by scope. Its methods are safe for concurrent use, in as many
// processes as its comment says. What it is given and what it returns is shared with
// nobody: neither side keeps or changes the other's slices after a call.
//
// Errors are of this package's types, [*NotFoundError], [*CorruptError], [*CollisionError],
// [*InvalidError], [*FullError] and [*IOError]; a context's error is passed through.
type Store interface {
	// Put stores a batch: when it returns nil, all of it is durable, and no reader ever sees
	// a part of it. A record whose id is stored with the same digest is left as it is; with
	// another digest, or twice in the batch with two, it is a [*CollisionError]. A need that
	// is not stored is a [*NotFoundError], one with another digest a [*CollisionError]. With an error nothing of the batch is stored,
	// unless it is the context's: then all or nothing is. A lease is never shortened, and a
	// batch without records is only a lease, of a scope that may be new.
	Put(ctx context.Context, s Scope, b Batch) error

	// Get returns the records of some ids, in that order, without those that are not stored.
	// Any text may be asked for.
	Get(ctx context.Context, s Scope, ids ...string) ([]Record, error)

	// List returns the heads of up to limit records behind a place, in their order. Fewer
	// than limit are the last. A scope that does not exist is an empty one.
	List(ctx context.Context, s Scope, after Cursor, limit int) ([]Head, error)

	// Delete removes records; without ids, the whole scope and its lease. What is not there
	// counts as removed. If the scope's lease, zero if it has none, is not before the given
	// time, nothing is removed and the error is a [*LeasedError]; the zero time removes
	// whatever the lease.
	Delete(ctx context.Context, s Scope, unleased time.Time, ids ...string) error
}

// Info is what a [Catalog] says of a scope.
type Info struct {
	Scope   Scope
	Records int
	Bytes   int64     // of Data
	Newest  time.Time // the latest Time of its records
	Lease   time.Time // zero: none
}

// Catalog is a store that can tell which scopes it holds. All stores of this module are.
type Catalog interface {
	// Scopes returns up to limit scopes behind the given one, in the order of their bytes.
	// The zero Scope is before all.
	Scopes(ctx context.Context, after Scope, limit int) ([]Info, error)
}

// Compacter is a store that can give back room which deleted records took.
type Compacter interface {
	// Compact rewrites what is worth it. Readers and writers go on meanwhile, or wait.
	Compact(ctx context.Context) error
}

// Checker is a store that can tell which of some records it has without reading them.
type Checker interface {
	// Missing returns those of some ids that are not stored.
	Missing(ctx context.Context, s Scope, ids ...string) ([]string, error)
}

// LeasedError says that a scope was not removed, since its lease has not ended.
type LeasedError struct {
	Scope Scope
	Lease time.Time
}

// Error names the end of the lease.
func (e *LeasedError) Error() string {
	return fmt.Sprintf("archive: scope %s is leased until %s", e.Scope, e.Lease.UTC().Format(time.RFC3339))
}
