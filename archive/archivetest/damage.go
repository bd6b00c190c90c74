package archivetest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trimkit/trimkit/archive"
)

// damaged makes a small store, and gives each change of its files to try.
func damaged(s *subject, change func(content []byte, try func([]byte) error) error) error {
	want := records("r", 3, 40)
	want[1].Data = []byte("what stands here is looked at byte by byte")
	want[1].Size = int64(len(want[1].Data))
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: want, Lease: noon}); err != nil {
		return err
	}
	if c, ok := s.store.(archive.Compacter); ok {
		if err := c.Compact(s.ctx); err != nil {
			return err
		}
	}
	if err := s.close(); err != nil {
		return err
	}
	files, err := contents(s.dir)
	if err != nil {
		return err
	}
	noticed, harmless := 0, 0
	for name, content := range files {
		err := change(content, func(broken []byte) error {
			if err := restoreFiles(s.dir, files); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(s.dir, name), broken, 0o600); err != nil {
				return err
			}
			seen, err := s.notices(want)
			if err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(name), err)
			}
			if seen {
				noticed++
			} else {
				harmless++
			}
			return s.close()
		})
		if err != nil {
			return err
		}
	}
	s.t.Logf("%d changes were noticed, %d did not matter", noticed, harmless)
	if noticed == 0 {
		return errors.New("no change was ever noticed")
	}
	return nil
}

// notices reads everything: it must be right, or an error of damage.
func (s *subject) notices(want []archive.Record) (bool, error) {
	noticed := false
	judge := func(err error) error {
		noticed = noticed || err != nil
		var corrupt *archive.CorruptError
		var invalid *archive.InvalidError
		var io *archive.IOError
		if err == nil || errors.As(err, &corrupt) || errors.As(err, &invalid) || errors.As(err, &io) {
			return nil
		}
		return fmt.Errorf("the error of damage is of no type that says so: %w", err)
	}
	if err := s.open(); err != nil {
		return true, judge(errors.Unwrap(err))
	}
	for i := range want {
		got, err := s.store.Get(s.ctx, alpha, want[i].ID)
		if err := judge(err); err != nil {
			return true, err
		}
		switch {
		case err != nil:
		case len(got) == 0:
			noticed = true
			if s.silent(want) {
				return true, fmt.Errorf("record %s is gone, and nothing tells", want[i].ID)
			}
		case !same(&got[0], &want[i]):
			return true, fmt.Errorf("record %s came back as something else", want[i].ID)
		}
	}
	heads, err := s.store.List(s.ctx, alpha, archive.Cursor{}, 10)
	if err := judge(err); err != nil {
		return true, err
	}
	noticed = noticed || err == nil && len(heads) != len(want)
	if err := s.store.Delete(s.ctx, alpha, noon); err == nil {
		return true, errors.New("the lease is gone, and what it kept was removed")
	}
	return noticed, nil
}

// silent reports whether a store that has lost a record looks whole to a walk through its list.
func (s *subject) silent(want []archive.Record) bool {
	heads, err := s.store.List(s.ctx, alpha, archive.Cursor{}, 10)
	if err != nil || len(heads) < len(want) {
		return false
	}
	for _, h := range heads {
		if got, err := s.store.Get(s.ctx, alpha, h.ID); err != nil || len(got) == 0 {
			return false
		}
	}
	return true
}

func corrupt(s *subject) error {
	stride := max(s.harness.Stride, 1)
	if soak() {
		stride = 1
	}
	return damaged(s, func(content []byte, try func([]byte) error) error {
		for i := 0; i < len(content); i += stride {
			broken := append([]byte(nil), content...)
			broken[i] ^= 1 << (i % 8)
			if err := try(broken); err != nil {
				return fmt.Errorf("byte %d of %d flipped: %w", i, len(content), err)
			}
		}
		return nil
	})
}

func cutOff(s *subject) error {
	return damaged(s, func(content []byte, try func([]byte) error) error {
		// One that is empty may be as good as one that is new.
		for i := 1; i < len(content); i += max(1, len(content)/40) {
			if err := try(content[:i:i]); err != nil {
				return fmt.Errorf("cut off behind %d of %d bytes: %w", i, len(content), err)
			}
		}
		return nil
	})
}

// contents reads the files below a folder. What is empty has nothing to damage.
func contents(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if name, ok := strings.CutPrefix(path, dir+string(filepath.Separator)); ok && len(b) > 0 {
			files[name] = b
		}
		return err
	})
	return files, err
}

// restoreFiles makes a folder what it was.
func restoreFiles(dir string, files map[string][]byte) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Remove(path)
	})
	for name, content := range files {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, content, 0o600))
	}
	return err
}
