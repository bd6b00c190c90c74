package summary

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Directory is a [Memo] in a folder, for any number of processes of one machine. An entry is
// a file that is written beside its place, synced, and put into it under its key's name, so
// that a reader sees all of it or nothing. A file that is damaged counts as not there, and is
// replaced by the next answer. The folder has mode 0700 and files 0600: they hold what was
// said. Nothing is removed from it; files may be deleted at any time, and are as good as
// forgotten then.
type Directory struct {
	root  *os.Root
	front *Memory
}

const (
	frontBytes = 4 << 20 // of entries kept in memory, before the folder
	formatLine = "trimkit summary 1\n"
	tempPrefix = "temp-"
)

// OpenDirectory opens the memo in a folder, and makes the folder if there is none. Its error
// is a [*MemoError]. Close the Directory when it is not needed any more.
func OpenDirectory(path string) (*Directory, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, &MemoError{"open directory", err}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, &MemoError{"open directory", err}
	}
	d := &Directory{root, NewMemory(frontBytes)}
	d.sweep()
	return d, nil
}

// sweep removes what processes left that were killed while they wrote.
func (d *Directory) sweep() {
	files, _ := fs.ReadDir(d.root.FS(), ".") // else the next one will
	for _, f := range files {
		if info, err := f.Info(); err == nil && strings.HasPrefix(f.Name(), tempPrefix) && time.Since(info.ModTime()) > time.Hour {
			_ = d.root.Remove(f.Name())
		}
	}
}

// Close gives back what the Directory holds of the operating system. No other method may be
// called any more.
func (d *Directory) Close() error { return d.root.Close() }

// Get implements [Memo].
func (d *Directory) Get(k Key) (Entry, bool) {
	if e, ok := d.front.Get(k); ok {
		return e, true
	}
	e, ok := d.read(fileName(k))
	if ok {
		_ = d.front.Put(k, e) // a Memory has nothing that could fail
	}
	return e, ok
}

// Put implements [Memo]. Its error is a [*MemoError].
func (d *Directory) Put(k Key, e Entry) error {
	if _, ok := d.Get(k); ok {
		return nil
	}
	data, err := encode(e)
	if err != nil {
		return &MemoError{"put", err}
	}
	temp := tempPrefix + rand.Text()
	if err := errors.Join(d.write(temp, data), d.place(temp, fileName(k))); err != nil {
		return &MemoError{"put", errors.Join(err, d.gone(temp))}
	}
	if err := d.gone(temp); err != nil {
		return &MemoError{"put", err}
	}
	d.Get(k) // another process may have been first
	return nil
}

func fileName(k Key) string { return hex.EncodeToString(k[:]) }

// place gives a file its name, unless a sound one has it.
func (d *Directory) place(temp, name string) error {
	if err := d.root.Link(temp, name); err == nil {
		return nil
	}
	if _, sound := d.read(name); sound {
		return nil
	}
	return d.root.Rename(temp, name) // over a damaged one, or where the file system has no links
}

// gone removes a file that may not be there.
func (d *Directory) gone(name string) error {
	if err := d.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d *Directory) write(name string, data []byte) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// read returns the entry of a file, if it is there and sound.
func (d *Directory) read(name string) (e Entry, ok bool) {
	data, err := d.root.ReadFile(name)
	if err != nil {
		return e, false
	}
	rest, known := bytes.CutPrefix(data, []byte(formatLine))
	if !known || len(rest) < sha256.Size || sha256.Sum256(rest[sha256.Size:]) != [sha256.Size]byte(rest) {
		return e, false
	}
	return e, json.Unmarshal(rest[sha256.Size:], &e) == nil
}

// encode returns an entry as a file has it: the format, a checksum, JSON.
func encode(e Entry) ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return append(append([]byte(formatLine), sum[:]...), text...), nil
}
