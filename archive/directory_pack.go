package archive

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// A pack is what one Put wrote, or what several packs were merged into: a magic word, the data
// of its records, an index with a head and a checksum for each of them, and a footer with the
// size and the checksum of the index. There is no byte in it that no checksum covers.
var packMagic = []byte("tkpack1\n")

const footerBytes = 16 // size of the index, its checksum, the number of records

// located is a record in a pack.
type located struct {
	Head
	pack     string
	offset   int64
	checksum uint32
}

// folder is the index of a scope. It never changes once it is made.
type folder struct {
	exists bool
	packs  map[string][]located
	byID   map[string]located
	sorted []Head
	damage error // of a pack that could not be read
	used   int64
}

func (f *folder) find(id string) (located, bool) {
	at, ok := f.byID[id]
	return at, ok
}

func (f *folder) heads() []Head { return f.sorted }

// folder returns the index of a scope as it stands in the file system. Packs never change, so
// what was read of one is good for as long as its name is there.
func (d *Directory) folder(s Scope) (*folder, error) {
	d.mu.Lock()
	old := d.folders[s]
	d.mu.Unlock()
	const attempts = 5 // packs may be merged between list and read
	for n := 1; ; n++ {
		f, err := d.index(s, old)
		if err == nil || n == attempts || !errors.Is(err, fs.ErrNotExist) {
			if err == nil {
				d.keep(s, f)
			}
			return f, err
		}
	}
}

// keep remembers an index, and forgets that which was used longest ago if there are many.
func (d *Directory) keep(s Scope, f *folder) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used++
	if !f.exists {
		delete(d.folders, s)
		return
	}
	f.used = d.used
	d.folders[s] = f
	if len(d.folders) > maxFolders {
		var oldest Scope
		least := d.used + 1
		for s, f := range d.folders {
			if f.used < least {
				oldest, least = s, f.used
			}
		}
		delete(d.folders, oldest)
	}
}

func (d *Directory) index(s Scope, old *folder) (*folder, error) {
	names, err := d.packNames(s)
	if errors.Is(err, fs.ErrNotExist) {
		return &folder{}, nil
	}
	if err != nil {
		return nil, err
	}
	if old != nil && len(names) == len(old.packs) && old.damage == nil {
		same := true
		for _, n := range names {
			_, ok := old.packs[n]
			same = same && ok
		}
		if same {
			again := *old // its own, since used is written
			return &again, nil
		}
	}
	f := &folder{exists: true, packs: make(map[string][]located, len(names)), byID: make(map[string]located)}
	for _, n := range names {
		var records []located
		ok := false
		if old != nil {
			records, ok = old.packs[n]
		}
		if !ok {
			records, err = d.readIndex(s, n)
			var corrupt *CorruptError
			if errors.As(err, &corrupt) {
				f.damage = err
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		f.packs[n] = records
		for _, r := range records {
			f.byID[r.ID] = r
		}
	}
	f.sorted = make([]Head, 0, len(f.byID))
	for _, r := range f.byID {
		f.sorted = append(f.sorted, r.Head)
	}
	slices.SortFunc(f.sorted, compareHeads)
	return f, nil
}

func (d *Directory) packNames(s Scope) ([]string, error) {
	if err := d.isFolder(s); err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(d.root.FS(), s.String())
	if err != nil {
		return nil, &IOError{"list folder", err}
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), packSuffix) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// writePack stores records as a pack of a new name: no name is ever used twice, since other
// processes remember what they read under it.
func (d *Directory) writePack(s Scope, records []Record) error {
	pieces := make([][]byte, 0, len(records)+2)
	pieces = append(pieces, packMagic)
	var index encoder
	offset := int64(len(packMagic))
	for i := range records {
		r := &records[i]
		if id := r.ID; id == string(receiptOf(r.Digest)) {
			index.text("") // which the digest says
		} else {
			index.text(id)
		}
		index.byte(byte(r.Kind))
		index.fixed(r.Digest[:])
		index.int(r.Order)
		index.int(r.Time)
		index.int(r.Size)
		index.fixed(binary.LittleEndian.AppendUint32(nil, r.Checksum(s)))
		offset += r.Size
		pieces = append(pieces, r.Data)
	}
	size := len(index.b)
	index.fixed(binary.LittleEndian.AppendUint64(nil, uint64(size)))
	index.fixed(binary.LittleEndian.AppendUint32(nil, uint32(len(records))))
	index.fixed(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(index.b)))
	pieces = append(pieces, index.b)
	name := s.String() + "/" + rand.Text() + packSuffix
	err := d.writeFile(name, pieces...)
	if err != nil {
		return err
	}
	if err = d.syncFolder(s.String()); err != nil {
		return errors.Join(err, d.root.Remove(name)) // what is not durable is not stored
	}
	return nil
}

// readIndex reads where a pack has its records.
func (d *Directory) readIndex(s Scope, name string) ([]located, error) {
	corrupt := func(detail string) ([]located, error) {
		return nil, &CorruptError{Detail: fmt.Sprintf("pack %s of %s: %s", name, s, detail)}
	}
	f, err := d.openFile(s.String() + "/" + name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it is only read
	info, err := f.Stat()
	if err != nil {
		return nil, &IOError{"open pack", err}
	}
	size, head := info.Size(), make([]byte, len(packMagic)+footerBytes)
	if size < int64(len(head)) {
		return corrupt("it is cut off")
	}
	footer := head[len(packMagic):]
	if err := readAt(f, head[:len(packMagic)], 0); err != nil {
		return nil, err
	}
	if err := readAt(f, footer, size-footerBytes); err != nil {
		return nil, err
	}
	room := size - int64(len(head))
	length := binary.LittleEndian.Uint64(footer)
	if !bytes.Equal(head[:len(packMagic)], packMagic) || length > uint64(room) {
		return corrupt("it does not begin or end as a pack does")
	}
	index := make([]byte, length, length+footerBytes)
	if err := readAt(f, index, size-footerBytes-int64(length)); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(append(index, footer[:12]...)) != binary.LittleEndian.Uint32(footer[12:]) {
		return corrupt("the checksum of its index is another one")
	}
	records, end := parseIndex(index, name, int(binary.LittleEndian.Uint32(footer[8:])))
	if end != size-footerBytes-int64(length) {
		return corrupt("its index does not fit its data")
	}
	return records, nil
}

// parseIndex returns the records of an index, and where their data must end; -1 if it is none.
func parseIndex(index []byte, pack string, count int) ([]located, int64) {
	d := decoder{b: index}
	records := make([]located, 0, min(count, len(index)/40))
	offset := int64(len(packMagic))
	for range count {
		r := located{pack: pack, offset: offset}
		r.ID, r.Kind = d.text(), Kind(d.byte())
		copy(r.Digest[:], d.take(uint64(len(r.Digest))))
		if r.ID == "" {
			r.ID = string(receiptOf(r.Digest))
		}
		r.Order, r.Time, r.Size = d.int(64), d.int(64), d.int(64)
		if sum := d.take(4); len(sum) == 4 {
			r.checksum = binary.LittleEndian.Uint32(sum)
		}
		if d.err != nil || r.Size < 0 || r.Size > 2*maxRecord {
			return nil, -1
		}
		offset += r.Size
		records = append(records, r)
	}
	if d.end() != nil {
		return nil, -1
	}
	return records, offset
}

func readAt(f *os.File, b []byte, at int64) error {
	if _, err := f.ReadAt(b, at); err != nil && (len(b) > 0 || !errors.Is(err, io.EOF)) {
		return &IOError{"read pack", err}
	}
	return nil
}

// packReader reads records of a scope, with the last pack open.
type packReader struct {
	directory *Directory
	scope     Scope
	name      string
	file      *os.File
}

func (r *packReader) close() {
	if r.file != nil {
		_ = r.file.Close() // it was read only
	}
}

func (r *packReader) record(at located) (Record, error) {
	if r.file == nil || r.name != at.pack {
		r.close()
		r.file = nil
		f, err := r.directory.openFile(r.scope.String() + "/" + at.pack)
		if err != nil {
			return Record{}, err
		}
		r.file, r.name = f, at.pack
	}
	record := Record{Head: at.Head, Data: make([]byte, at.Size)}
	if err := readAt(r.file, record.Data, at.offset); err != nil {
		return Record{}, err
	}
	if record.Checksum(r.scope) != at.checksum {
		return Record{}, &CorruptError{ID: at.ID, Detail: "its checksum is another one"}
	}
	return record, nil
}
