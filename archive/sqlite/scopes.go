package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"

	"github.com/trimkit/trimkit/archive"
)

// leased reports whether a lease is as long already, which costs no transaction.
func (s *Store) leased(ctx context.Context, scope archive.Scope, until time.Time) (bool, error) {
	if until.IsZero() {
		return true, nil
	}
	lease, ok, err := leaseOf(ctx, s.read, scope)
	return ok && !lease.Before(until), err
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// leaseOf returns a scope's lease, and whether it has a row.
func leaseOf(ctx context.Context, q querier, scope archive.Scope) (time.Time, bool, error) {
	var lease int64
	var checksum uint32
	err := q.QueryRowContext(ctx, "SELECT lease, checksum FROM scopes WHERE scope = ?", scope[:]).Scan(&lease, &checksum)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return time.Time{}, false, nil
	case err != nil:
		return time.Time{}, false, unreadable("", err)
	case checksum != leaseChecksum(scope, lease):
		return time.Time{}, false, &archive.CorruptError{Detail: "the lease of " + scope.String() + " is damaged"}
	case lease == 0:
		return time.Time{}, true, nil
	}
	return time.Unix(0, lease).UTC(), true, nil
}

func leaseChecksum(scope archive.Scope, lease int64) uint32 {
	return crc32.ChecksumIEEE(binary.LittleEndian.AppendUint64(scope[:], uint64(lease)))
}

// extend makes sure that a scope has a row, and makes its lease longer. One that is damaged is
// replaced.
func extend(ctx context.Context, tx *sql.Tx, scope archive.Scope, until time.Time) error {
	lease, ok, err := leaseOf(ctx, tx, scope)
	var corrupt *archive.CorruptError
	if err != nil && !errors.As(err, &corrupt) || ok && !until.After(lease) {
		return err
	}
	nanos := int64(0)
	if !until.IsZero() {
		nanos = until.UnixNano()
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO scopes VALUES (?, ?, ?)", scope[:], nanos, leaseChecksum(scope, nanos))
	return err
}

// unleasedBefore returns an error if a scope's lease keeps it at a time, or cannot be told.
func unleasedBefore(ctx context.Context, tx *sql.Tx, scope archive.Scope, at time.Time) error {
	if at.IsZero() {
		return nil
	}
	lease, ok, err := leaseOf(ctx, tx, scope)
	if err != nil {
		return err
	}
	if !ok {
		var records int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM records WHERE scope = ?", scope[:]).Scan(&records); err != nil {
			return err
		}
		if records > 0 {
			return &archive.CorruptError{Detail: "the lease of " + scope.String() + " is lost"}
		}
	}
	if !lease.Before(at) {
		return &archive.LeasedError{Scope: scope, Lease: lease}
	}
	return nil
}

// Scopes implements [archive.Catalog].
func (s *Store) Scopes(ctx context.Context, after archive.Scope, limit int) ([]archive.Info, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT s.scope, s.lease, count(r.id), coalesce(sum(r.size), 0), coalesce(max(r.time), 0)
		FROM (SELECT * FROM scopes WHERE scope > ? ORDER BY scope LIMIT ?) s LEFT JOIN records r ON r.scope = s.scope
		GROUP BY s.scope ORDER BY s.scope`, after[:], max(limit, 0))
	if err != nil {
		return nil, failure("list conversations", err)
	}
	defer release(rows)
	var list []archive.Info
	for rows.Next() {
		var i archive.Info
		var scope []byte
		var lease, newest int64
		if err := rows.Scan(&scope, &lease, &i.Records, &i.Bytes, &newest); err != nil {
			return nil, unreadable("", err)
		}
		copy(i.Scope[:], scope)
		if lease != 0 {
			i.Lease = time.Unix(0, lease).UTC()
		}
		if newest != 0 {
			i.Newest = time.Unix(0, newest).UTC()
		}
		list = append(list, i)
	}
	return list, failure("list conversations", rows.Err())
}

// Compact implements [archive.Compacter]: it moves the log into the database and gives free pages
// back to the file system. Writers wait for it.
func (s *Store) Compact(ctx context.Context) error {
	_, err := s.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err == nil {
		_, err = s.write.ExecContext(ctx, "VACUUM")
	}
	return failure("compact database", err)
}
