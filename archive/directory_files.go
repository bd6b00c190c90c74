package archive

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// writeFile puts a whole file in place, or nothing. Its folder is synced by the caller.
func (d *Directory) writeFile(name string, pieces ...[]byte) (err error) {
	folder, _, nested := strings.Cut(name, "/")
	temp := tempPrefix + rand.Text()
	if nested {
		temp = folder + "/" + temp
	}
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return failed("create file", err)
	}
	defer func() {
		if err != nil {
			_ = d.root.Remove(temp) // else the next sweep does
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	for _, p := range pieces {
		_, _ = w.Write(p) // Flush has its error
	}
	if err := w.Flush(); err != nil {
		return errors.Join(failed("write file", err), f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(failed("sync file", err), f.Close())
	}
	if err := f.Close(); err != nil {
		return failed("close file", err)
	}
	if err := d.root.Rename(temp, name); err != nil {
		return failed("rename file", err)
	}
	return nil
}

// failed wraps a file system's error: a disk without room is a [*FullError].
func failed(op string, err error) error {
	for _, full := range noRoom {
		if errors.Is(err, full) {
			return &FullError{Err: err}
		}
	}
	return &IOError{op, err}
}

// openFile opens a file for reading that is no link.
func (d *Directory) openFile(name string) (*os.File, error) {
	before, err := d.root.Lstat(name)
	if err != nil {
		return nil, &IOError{"open file", err}
	}
	if !before.Mode().IsRegular() {
		return nil, &CorruptError{Detail: fmt.Sprintf("%s is no regular file, but %s", name, before.Mode().Type())}
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, &IOError{"open file", err}
	}
	after, err := f.Stat()
	if err != nil || !os.SameFile(before, after) {
		return nil, errors.Join(&CorruptError{Detail: name + " was replaced while it was opened"}, f.Close())
	}
	return f, nil
}

func (d *Directory) readFile(name string) ([]byte, error) {
	f, err := d.openFile(name)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, &IOError{"read file", err}
	}
	return b, nil
}

// makeFolder makes a scope's folder durable before anything is in it.
func (d *Directory) makeFolder(s Scope, f *folder) error {
	if f.exists {
		return nil
	}
	if err := d.root.Mkdir(s.String(), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return failed("create folder", err)
	}
	if err := d.isFolder(s); err != nil {
		return err
	}
	return d.syncFolder(".")
}

func (d *Directory) isFolder(s Scope) error {
	info, err := d.root.Lstat(s.String())
	if err != nil {
		return &IOError{"open folder", err}
	}
	if !info.IsDir() {
		return &CorruptError{Detail: fmt.Sprintf("%s is no folder, but %s", s, info.Mode().Type())}
	}
	return nil
}

// sweep removes what a killed writer left. The caller has the scope's lock, so nobody writes.
func (d *Directory) sweep(s Scope) error {
	names, err := fs.ReadDir(d.root.FS(), s.String())
	if err != nil {
		return &IOError{"list folder", err}
	}
	for _, n := range names {
		if strings.HasPrefix(n.Name(), tempPrefix) {
			if err := d.root.Remove(s.String() + "/" + n.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return &IOError{"remove leftover", err}
			}
		}
	}
	return nil
}

// lock makes the caller the only writer of a scope.
func (d *Directory) lock(ctx context.Context, s Scope) (unlock func(), err error) {
	n := int(s[0]) % lockFiles
	if err := ctx.Err(); err != nil {
		return nil, err // which a select with a free lock would notice now and then
	}
	select {
	case d.writers[n] <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f, err := d.root.OpenFile(fmt.Sprintf("lock-%x", n), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		<-d.writers[n]
		return nil, failed("open lock", err)
	}
	const longest = 20 * time.Millisecond
	for wait := 100 * time.Microsecond; ; wait = min(2*wait, longest) {
		locked, err := tryLock(f)
		if locked {
			return func() {
				_ = f.Close() // which unlocks
				<-d.writers[n]
			}, nil
		}
		if err == nil {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(wait):
				continue
			}
		} else {
			err = &IOError{"lock", err}
		}
		_ = f.Close()
		<-d.writers[n]
		return nil, err
	}
}

// A lease file holds nanoseconds since 1970 and a checksum.
const leaseBytes = 12

func (d *Directory) lease(s Scope) (time.Time, error) {
	b, err := d.readFile(s.String() + "/" + leaseFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, err
	case len(b) != leaseBytes || crc32.ChecksumIEEE(b[:8]) != binary.LittleEndian.Uint32(b[8:]):
		return time.Time{}, &CorruptError{Detail: "the lease of " + s.String() + " is damaged"}
	}
	return timeOf(int64(binary.LittleEndian.Uint64(b))), nil
}

// leased reports whether a lease is as long already.
func (d *Directory) leased(s Scope, until time.Time) bool {
	now, err := d.lease(s)
	return err == nil && !until.IsZero() && !until.After(now)
}

// extend makes a lease longer. One that is damaged is replaced.
func (d *Directory) extend(s Scope, until time.Time) error {
	if until.IsZero() || d.leased(s, until) {
		return nil
	}
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, leaseBytes), uint64(until.UnixNano()))
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	if err := d.writeFile(s.String()+"/"+leaseFile, b); err != nil {
		return err
	}
	return d.syncFolder(s.String())
}
