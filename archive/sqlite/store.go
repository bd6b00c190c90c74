package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/trimkit/trimkit/archive"
)

// Store is an [archive.Store] in a SQLite database, for any number of processes of one machine.
// A batch is one transaction. Writers wait for each other, as long as their contexts let them;
// readers wait for nobody.
type Store struct {
	write *sql.DB // one connection, so that the writers of this process queue up
	read  *sql.DB
}

var _ interface {
	archive.Store
	archive.Catalog
	archive.Checker
	archive.Compacter
} = (*Store)(nil)

// busyTimeout is how long SQLite itself waits for another process's transaction before the
// Store looks at its context and tries again.
const busyTimeout = 250 * time.Millisecond

// Open opens the database in a file, or makes one, with the mode 0600. It brings an older schema
// up to date. It refuses a symbolic link and a newer schema with an [*archive.InvalidError], and
// a file that is no database of an archive with an [*archive.CorruptError]. Close the Store when
// it is not needed any more.
func Open(path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, &archive.IOError{Op: "open database", Err: err}
	}
	if err := create(path); err != nil {
		return nil, err
	}
	s := &Store{write: open(path, "_txlock=immediate"), read: open(path, "_pragma=query_only(1)")}
	s.write.SetMaxOpenConns(1)
	if err := s.migrate(context.Background()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// create makes an empty file, so that nobody else may read it at any time.
func create(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return &archive.InvalidError{Detail: "the database is a symbolic link or a folder: give the file itself"}
	case err == nil && info.Size() > 0 && info.Size() < 512: // which SQLite takes for a new one
		return &archive.CorruptError{Detail: fmt.Sprintf("the database is cut off: it has %d bytes", info.Size())}
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return &archive.IOError{Op: "open database", Err: err}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return &archive.IOError{Op: "create database", Err: err}
	}
	return nil
}

func open(path, options string) *sql.DB {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	u.RawQuery = options + "&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cell_size_check(1)&_pragma=trusted_schema(0)" +
		"&_pragma=busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")"
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		panic(err) // the driver is linked, and looks at nothing else before the first use
	}
	return db
}

// Close gives back what the Store holds. No other method may be called any more.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// failure makes an error of this module's types out of SQLite's.
func failure(op string, err error) error {
	var known *sqlite.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case !errors.As(err, &known):
		return &archive.IOError{Op: op, Err: err}
	}
	switch known.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return &archive.FullError{Err: err}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH:
		return &archive.CorruptError{Detail: op, Err: err}
	default:
		return &archive.IOError{Op: op, Err: err}
	}
}

// busy reports whether another process had the database for longer than SQLite waits.
func busy(err error) bool {
	var known *sqlite.Error
	return errors.As(err, &known) && (known.Code()&0xff == sqlite3.SQLITE_BUSY || known.Code()&0xff == sqlite3.SQLITE_LOCKED)
}

// transact runs one writing transaction, again for as long as others have the database. Its
// errors are the archive's.
func (s *Store) transact(ctx context.Context, op string, run func(*sql.Tx) error) error {
	for {
		err := s.once(ctx, run)
		if !busy(err) {
			return typed(op, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

func (s *Store) once(ctx context.Context, run func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := run(tx); err != nil {
		_ = tx.Rollback() // the error that led here is the one to tell
		return err
	}
	return tx.Commit()
}

// typed leaves errors of the archive's types as they are.
func typed(op string, err error) error {
	var a *archive.NotFoundError
	var b *archive.CollisionError
	var c *archive.LeasedError
	var d *archive.InvalidError
	var e *archive.CorruptError
	if errors.As(err, &a) || errors.As(err, &b) || errors.As(err, &c) || errors.As(err, &d) || errors.As(err, &e) {
		return err
	}
	return failure(op, err)
}

// migrations bring a database from one version of the schema to the next: the first makes it.
// One that was released is never changed.
var migrations = []string{
	`CREATE TABLE scopes (
		scope BLOB PRIMARY KEY,
		lease INTEGER NOT NULL, -- nanoseconds since 1970; 0: none
		checksum INTEGER NOT NULL
	) WITHOUT ROWID;
	CREATE TABLE records (
		scope BLOB NOT NULL,
		id TEXT NOT NULL,
		kind INTEGER NOT NULL,
		digest BLOB NOT NULL,
		place INTEGER NOT NULL,
		time INTEGER NOT NULL,
		size INTEGER NOT NULL,
		checksum INTEGER NOT NULL,
		data BLOB NOT NULL
	);
	CREATE UNIQUE INDEX records_by_id ON records (scope, id);
	CREATE INDEX records_by_place ON records (scope, place, id);`,
}

// application marks the file as an archive: "tkar".
const application = 0x746b6172

// migrate brings the schema up to date.
func (s *Store) migrate(ctx context.Context) error {
	return s.transact(ctx, "open database", func(tx *sql.Tx) error {
		var mark, version, tables int
		for pragma, value := range map[string]*int{
			"PRAGMA application_id": &mark, "PRAGMA user_version": &version, "SELECT count(*) FROM sqlite_schema": &tables,
		} {
			if err := tx.QueryRowContext(ctx, pragma).Scan(value); err != nil {
				return err
			}
		}
		if mark != application && (mark != 0 || version != 0 || tables != 0) {
			return &archive.InvalidError{Detail: "the database is not an archive's"}
		}
		if version > len(migrations) {
			return &archive.InvalidError{Detail: fmt.Sprintf("the database has version %d, this program knows %d: use a newer one", version, len(migrations))}
		}
		for ; version < len(migrations); version++ {
			if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", version, application))
		return err
	})
}
