package archivetest

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/trimkit/trimkit/archive"
)

func disk() []Check {
	return []Check{
		{Name: "persistent", Rule: "A store that is opened again holds what was put.", persistent: true, run: persistent},
		{Name: "private", Rule: "Nobody but the owner may read what a store writes, and no name tells a content.", persistent: true, run: private},
		{Name: "kills", Rule: "Whenever a process is killed, what it was told is stored is stored, and of the rest all or nothing.", persistent: true, run: kills},
		{Name: "processes", Rule: "Any number of processes may write at once.", persistent: true, run: processes},
		{Name: "corrupt", Rule: "Whatever byte of a store changes, it is noticed or does not matter.", persistent: true, run: corrupt},
		{Name: "cut off", Rule: "A file that lost its end is noticed or does not matter.", persistent: true, run: cutOff},
		{Name: "disk full", Rule: "A batch for which the disk has no room fails with a typed error, and what was stored stays.", persistent: true, run: full},
	}
}

func persistent(s *subject) error {
	var all []archive.Record
	for b := range 10 {
		batch := records(fmt.Sprintf("b%d", b), 4, 500)
		all = append(all, batch...)
		if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: batch}); err != nil {
			return err
		}
	}
	if err := s.reopen(); err != nil {
		return err
	}
	if err := expect(s.ctx, s.store, alpha, all); err != nil {
		return err
	}
	heads, err := listAll(s.ctx, s.store, alpha, 7)
	if err == nil && len(heads) != len(all) {
		err = fmt.Errorf("list: %d records, %d were stored", len(heads), len(all))
	}
	return err
}

func private(s *subject) error {
	secret := record("r", 100)
	copy(secret.Data, "SECRETWORD")
	if err := s.store.Put(s.ctx, archive.ScopeOf("SECRETWORD"), archive.Batch{Records: []archive.Record{secret}, Lease: noon}); err != nil {
		return err
	}
	return filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == s.dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			return fmt.Errorf("%s has the mode %o", d.Name(), info.Mode().Perm())
		}
		if strings.Contains(strings.ToUpper(d.Name()), "SECRET") {
			return fmt.Errorf("the name %s tells a content", d.Name())
		}
		return nil
	})
}

// kills lets a process put batches until it is killed, time and again into one store.
func kills(s *subject) error {
	times := 20
	if soak() {
		times = 200
	}
	seed := rand.Uint64()
	dice := rand.New(rand.NewPCG(seed, 0))
	for n := range times {
		said, err := s.killed(fmt.Sprintf("k%d", n), 1+dice.IntN(3), time.Duration(dice.IntN(15_000))*time.Microsecond)
		if err != nil {
			return fmt.Errorf("seed %d, kill %d: %w", seed, n, err)
		}
		if err := s.reopen(); err != nil {
			return fmt.Errorf("seed %d, after kill %d: %w", seed, n, err)
		}
		for b := range said + 20 {
			batch := records(fmt.Sprintf("k%d-%d", n, b), killRecords, killSize)
			got, err := s.store.Get(s.ctx, alpha, ids(batch)...)
			switch {
			case err != nil:
				return fmt.Errorf("seed %d, after kill %d: %w", seed, n, err)
			case len(got) == len(batch):
				err = expect(s.ctx, s.store, alpha, batch)
			case len(got) > 0:
				err = errors.New("a part of a batch is there")
			case b < said:
				err = fmt.Errorf("batch %d of %d that were stored is gone", b, said)
			}
			if err != nil {
				return fmt.Errorf("seed %d, after kill %d: %w", seed, n, err)
			}
		}
	}
	return s.store.Put(s.ctx, alpha, archive.Batch{Records: records("after", 3, 10)})
}

const killRecords, killSize = 12, 30_000

// killed starts a process that puts, kills it a while after it has said that so many batches are
// stored, and returns how many it has said.
func (s *subject) killed(name string, batches int, later time.Duration) (said int, err error) {
	cmd := s.command("kill", name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			return 0, errors.Join(fmt.Errorf("the process says %q", lines.Text()), cmd.Process.Kill(), cmd.Wait())
		}
		if said = n; said == batches {
			time.AfterFunc(later, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // it was killed
	if said < batches {
		return said, fmt.Errorf("the process ended by itself after %d batches", said)
	}
	return said, nil
}

func processes(s *subject) error {
	const writers = 4
	var errs []error
	var wait []func() error
	for w := range writers {
		cmd := s.command("write", strconv.Itoa(w))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			return err
		}
		wait = append(wait, cmd.Wait)
	}
	for _, w := range wait {
		errs = append(errs, w())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("a writer failed: %w", err)
	}
	// This process had the store open all the while.
	for w := range writers {
		for b := range writeBatches {
			if err := expect(s.ctx, s.store, alpha, written(w, b)[1:]); err != nil {
				return err
			}
		}
	}
	heads, err := listAll(s.ctx, s.store, alpha, 100)
	if want := writers*writeBatches*3 + writeBatches*2; err == nil && len(heads) != want {
		err = fmt.Errorf("%d records are left, and not %d", len(heads), want)
	}
	return err
}

const writeBatches = 25

// written is batch b of writer w: the first is deleted again, the last two everybody writes.
func written(w, b int) []archive.Record {
	return append(records(fmt.Sprintf("w%d-%d", w, b), 4, 700), records(fmt.Sprintf("all-%d", b), 2, 700)...)
}

func full(s *subject) error {
	if !limitsFiles {
		return nil
	}
	before := records("before", 5, 1000)
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: before, Lease: noon}); err != nil {
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	cmd := s.command("full", "")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := s.open(); err != nil {
		return err
	}
	if err := errors.Join(expect(s.ctx, s.store, alpha, before), absent(s.ctx, s.store, alpha, tooMuch())); err != nil {
		return err
	}
	if err := s.store.Put(s.ctx, alpha, archive.Batch{Records: tooMuch()}); err != nil {
		return fmt.Errorf("with room again: %w", err)
	}
	return expect(s.ctx, s.store, alpha, tooMuch())
}

// tooMuch is more than a child may write into one file.
func tooMuch() []archive.Record { return records("much", 40, 100_000) }
