package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Directory is a [Store] in a folder of the file system, for any number of processes of one
// machine. Each batch is one file that never changes: written beside its place, synced, and
// renamed into it, so that a reader sees all of it or nothing, whenever a process is killed.
//
// Writers of one conversation wait for each other, across processes too, by a lock of the
// operating system on one of 16 files; readers wait for nobody. Where Go knows no such lock
// (other than Linux, macOS, the BSDs and Windows), one process at a time may write. On network
// file systems, locks and renames are only as good as those are.
//
// Folders have the mode 0700 and files 0600. No name holds anything of a content or of a
// conversation's key but a hash of the key. Symbolic links below the folder are refused.
type Directory struct {
	root *os.Root

	mu      sync.Mutex
	folders map[Scope]*folder
	used    int64
	writers [lockFiles]chan struct{} // in this process: locks of files are between processes
}

const (
	formatFile = "format"
	formatText = "trimkit archive 1\n"
	lockFiles  = 16
	maxFolders = 256 // conversations whose index is kept in memory
	tempPrefix = "temp-"
	packSuffix = ".pack"
	leaseFile  = "lease"
)

var _ interface {
	Store
	Catalog
	Checker
	Compacter
} = (*Directory)(nil)

// OpenDirectory opens the archive in a folder, or makes one in a folder that is empty or does
// not exist. It refuses a folder with anything else in it, a symbolic link, and an archive that
// other users of the machine may look into, with an [*InvalidError]. Close the Directory when
// it is not needed any more.
func OpenDirectory(path string) (*Directory, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, &IOError{"open directory", err}
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, &IOError{"open directory", err}
	}
	if !info.IsDir() {
		return nil, &InvalidError{"the archive's folder is a symbolic link or a file: give the folder itself"}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, &IOError{"open directory", err}
	}
	d := &Directory{root: root, folders: make(map[Scope]*folder)}
	for i := range d.writers {
		d.writers[i] = make(chan struct{}, 1)
	}
	if err := d.adopt(info.Mode().Perm()); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return d, nil
}

// Close gives back what the Directory holds of the operating system. No other method may be
// called any more.
func (d *Directory) Close() error { return d.root.Close() }

// adopt makes sure that the folder is an archive.
func (d *Directory) adopt(mode fs.FileMode) error {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return &IOError{"open directory", err}
	}
	known := false
	for _, e := range entries {
		known = known || e.Name() == formatFile
	}
	if !known {
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), tempPrefix) && !strings.HasPrefix(e.Name(), "lock-") {
				return &InvalidError{fmt.Sprintf("the folder is no archive and not empty: it has %q", e.Name())}
			}
		}
		if err := d.root.Chmod(".", 0o700); err != nil {
			return &IOError{"open directory", err}
		}
		if err := d.writeFile(formatFile, []byte(formatText)); err != nil {
			return err
		}
		return d.syncFolder(".")
	}
	if mode&0o077 != 0 && runtime.GOOS != "windows" {
		return &InvalidError{fmt.Sprintf("other users may look into the archive, its mode is %o: make it 700", mode)}
	}
	text, err := d.readFile(formatFile)
	if err != nil {
		return err
	}
	if string(text) != formatText {
		return &CorruptError{Detail: "the archive's format file says something else than this program knows"}
	}
	return nil
}

// Put implements [Store].
func (d *Directory) Put(ctx context.Context, s Scope, b Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(b.Records)+len(b.Needs) == 0 && d.leased(s, b.Lease) {
		return nil
	}
	unlock, err := d.lock(ctx, s)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := d.folder(s)
	if err != nil {
		return err
	}
	fresh, err := b.fresh(func(id string) (Digest, bool, error) {
		at, ok := f.find(id)
		return at.Digest, ok, nil
	})
	if err != nil {
		return err
	}
	if err := d.makeFolder(s, f); err != nil {
		return err
	}
	if err := d.sweep(s); err != nil {
		return err
	}
	// The lease first: what is visible is never without the lease that it came with.
	if err := d.extend(s, b.Lease); err != nil {
		return err
	}
	if len(fresh) == 0 {
		return d.syncFolder(s.String()) // who stored it may have been killed before doing so
	}
	if err := d.writePack(s, fresh); err != nil {
		return err
	}
	const manyPacks = 64
	if len(f.packs) >= manyPacks {
		_ = d.merge(ctx, s, mergeSmall, nil) // stored is stored; the next Put tries again
	}
	return nil
}

// Get implements [Store].
func (d *Directory) Get(ctx context.Context, s Scope, ids ...string) ([]Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	const attempts = 5 // a pack may be replaced between index and data
	for n := 1; ; n++ {
		records, err := d.get(ctx, s, ids)
		if err == nil || n == attempts || !errors.Is(err, fs.ErrNotExist) {
			return records, err
		}
	}
}

func (d *Directory) get(ctx context.Context, s Scope, ids []string) ([]Record, error) {
	f, err := d.folder(s)
	if err != nil {
		return nil, err
	}
	read := packReader{directory: d, scope: s}
	defer read.close()
	var records []Record
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at, ok := f.find(id)
		if !ok {
			if f.damage != nil {
				return nil, f.damage // it may have been there
			}
			continue
		}
		r, err := read.record(at)
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, nil
}

// Missing implements [Checker].
func (d *Directory) Missing(ctx context.Context, s Scope, ids ...string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := d.folder(s)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, ok := f.find(id)
		return ok
	}), nil
}

// List implements [Store].
func (d *Directory) List(ctx context.Context, s Scope, after Cursor, limit int) ([]Head, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := d.folder(s)
	if err != nil {
		return nil, err
	}
	if f.damage != nil {
		return nil, f.damage
	}
	return listed(f.heads(), after, limit), nil
}

// Scopes implements [Catalog].
func (d *Directory) Scopes(ctx context.Context, after Scope, limit int) ([]Info, error) {
	names, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil, &IOError{"list conversations", err}
	}
	var list []Info
	for _, n := range names { // sorted, and so are scopes
		s, ok := ParseScope(n.Name())
		if !ok || bytes.Compare(s[:], after[:]) <= 0 {
			continue
		}
		if len(list) >= limit {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i, ok, err := d.info(s)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, i)
		}
	}
	return list, nil
}

// info describes a scope. A folder with nothing in it is what a removal left.
func (d *Directory) info(s Scope) (Info, bool, error) {
	f, err := d.folder(s)
	if err != nil {
		return Info{}, false, err
	}
	i := Info{Scope: s}
	if i.Lease, err = d.lease(s); err != nil {
		i.Lease = forever // nothing may go whose lease cannot be read
	}
	for _, h := range f.heads() {
		i.add(&h)
	}
	return i, i.Records > 0 || !i.Lease.IsZero() || f.damage != nil, nil
}

var forever = time.Unix(1<<40, 0).UTC()
