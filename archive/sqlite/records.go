package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"time"

	"github.com/trimkit/trimkit/archive"
)

// Put implements [archive.Store].
func (s *Store) Put(ctx context.Context, scope archive.Scope, b archive.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range b.Records {
		if err := b.Records[i].Check(); err != nil {
			return err
		}
	}
	if len(b.Records)+len(b.Needs) == 0 {
		if leased, err := s.leased(ctx, scope, b.Lease); leased || err != nil {
			return err
		}
	}
	return s.transact(ctx, "store batch", func(tx *sql.Tx) error {
		find, err := tx.PrepareContext(ctx, "SELECT digest FROM records WHERE scope = ? AND id = ?")
		if err != nil {
			return err
		}
		defer release(find)
		for _, n := range b.Needs {
			switch d, ok, err := stored(ctx, find, scope, n.ID); {
			case err != nil:
				return err
			case !ok:
				return &archive.NotFoundError{ID: n.ID}
			case d != n.Digest:
				return &archive.CollisionError{ID: n.ID}
			}
		}
		insert, err := tx.PrepareContext(ctx, "INSERT INTO records (scope, id, kind, digest, place, time, size, checksum, data) VALUES (?,?,?,?,?,?,?,?,?)")
		if err != nil {
			return err
		}
		defer release(insert)
		for i := range b.Records {
			r := &b.Records[i]
			d, ok, err := stored(ctx, find, scope, r.ID)
			switch {
			case err != nil:
				return err
			case ok && d != r.Digest:
				return &archive.CollisionError{ID: r.ID}
			case ok:
				continue
			}
			data := r.Data
			if data == nil {
				data = []byte{} // nil would be NULL
			}
			if _, err := insert.ExecContext(ctx, scope[:], r.ID, r.Kind, r.Digest[:], r.Order, r.Time, r.Size, r.Checksum(scope), data); err != nil {
				return err
			}
		}
		return extend(ctx, tx, scope, b.Lease)
	})
}

// stored returns the digest under which an id is stored.
func stored(ctx context.Context, find *sql.Stmt, scope archive.Scope, id string) (d archive.Digest, ok bool, err error) {
	var b []byte
	err = find.QueryRowContext(ctx, scope[:], id).Scan(&b)
	if errors.Is(err, sql.ErrNoRows) {
		return d, false, nil
	}
	copy(d[:], b)
	return d, err == nil, err
}

const columns = "id, kind, digest, place, time, size"

// scan reads the columns, and others behind them, into a head.
func scan(row interface{ Scan(...any) error }, h *archive.Head, more ...any) error {
	var digest []byte
	err := row.Scan(append([]any{&h.ID, &h.Kind, &digest, &h.Order, &h.Time, &h.Size}, more...)...)
	copy(h.Digest[:], digest)
	return err
}

// release closes what was only read, or is of a transaction, which has the errors.
func release(c io.Closer) { _ = c.Close() }

// Get implements [archive.Store].
func (s *Store) Get(ctx context.Context, scope archive.Scope, ids ...string) ([]archive.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	find, err := s.read.PrepareContext(ctx, "SELECT "+columns+", checksum, data FROM records WHERE scope = ? AND id = ?")
	if err != nil {
		return nil, failure("read records", err)
	}
	defer release(find)
	var records []archive.Record
	for _, id := range ids {
		var r archive.Record
		var checksum uint32
		err := scan(find.QueryRowContext(ctx, scope[:], id), &r.Head, &checksum, &r.Data)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, unreadable(id, err)
		}
		if r.ID != id || r.Size != int64(len(r.Data)) || r.Checksum(scope) != checksum {
			return nil, &archive.CorruptError{ID: id, Detail: "its checksum is another one"}
		}
		records = append(records, r)
	}
	return records, nil
}

// unreadable tells a value of another type, which only damage makes, from other failures.
func unreadable(id string, err error) error {
	failed := failure("read records", err)
	var other *archive.IOError
	var known interface{ Code() int } // SQLite's own errors
	if errors.As(failed, &other) && !errors.As(err, &known) {
		return &archive.CorruptError{ID: id, Detail: "a column cannot be read", Err: err}
	}
	return failed
}

// Missing implements [archive.Checker].
func (s *Store) Missing(ctx context.Context, scope archive.Scope, ids ...string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	find, err := s.read.PrepareContext(ctx, "SELECT digest FROM records WHERE scope = ? AND id = ?")
	if err != nil {
		return nil, failure("look for records", err)
	}
	defer release(find)
	var missing []string
	for _, id := range ids {
		_, ok, err := stored(ctx, find, scope, id)
		if err != nil {
			return nil, unreadable(id, err)
		}
		if !ok {
			missing = append(missing, id)
		}
	}
	return missing, nil
}

// List implements [archive.Store].
func (s *Store) List(ctx context.Context, scope archive.Scope, after archive.Cursor, limit int) ([]archive.Head, error) {
	rows, err := s.read.QueryContext(ctx, "SELECT "+columns+" FROM records WHERE scope = ? AND (place, id) > (?, ?) ORDER BY place, id LIMIT ?",
		scope[:], after.Order, after.ID, max(limit, 0))
	if err != nil {
		return nil, failure("list records", err)
	}
	defer release(rows)
	var heads []archive.Head
	for rows.Next() {
		var h archive.Head
		if err := scan(rows, &h); err != nil {
			return nil, unreadable("", err)
		}
		heads = append(heads, h)
	}
	return heads, failure("list records", rows.Err())
}

// Delete implements [archive.Store].
func (s *Store) Delete(ctx context.Context, scope archive.Scope, unleased time.Time, ids ...string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.transact(ctx, "delete records", func(tx *sql.Tx) error {
		if err := unleasedBefore(ctx, tx, scope, unleased); err != nil {
			return err
		}
		if len(ids) == 0 {
			_, err := tx.ExecContext(ctx, "DELETE FROM records WHERE scope = ?", scope[:])
			if err == nil {
				_, err = tx.ExecContext(ctx, "DELETE FROM scopes WHERE scope = ?", scope[:])
			}
			return err
		}
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, "DELETE FROM records WHERE scope = ? AND id = ?", scope[:], id); err != nil {
				return err
			}
		}
		return nil
	})
}
