package archivetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/trimkit/trimkit/archive"
)

const (
	roleVariable = "TRIMKIT_ARCHIVETEST" // role, argument and folder, with a bar between
	fileLimit    = 512 << 10             // bytes, of the child that runs out of disk
)

// command returns the test binary as a child that plays a role on the subject's folder. Run is
// what it comes to, in the test that called it here.
func (s *subject) command(role, argument string) *exec.Cmd {
	var pattern []string
	for name := range strings.SplitSeq(s.t.Name(), "/") {
		pattern = append(pattern, "^"+regexp.QuoteMeta(name)+"$")
	}
	cmd := exec.CommandContext(s.ctx, os.Args[0], "-test.run="+strings.Join(pattern, "/"), "-test.count=1")
	cmd.Env = append(os.Environ(), roleVariable+"="+role+"|"+argument+"|"+s.dir)
	return cmd
}

// child plays a role and ends the process.
func child(h Harness, variable string) {
	role, rest, _ := strings.Cut(variable, "|")
	argument, dir, _ := strings.Cut(rest, "|")
	if err := play(h, role, argument, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func play(h Harness, role, argument, dir string) error {
	ctx := context.Background()
	if role == "full" {
		if err := limitFiles(fileLimit); err != nil {
			return err
		}
	}
	store, err := h.Open(dir)
	if err != nil {
		return err
	}
	switch role {
	case "kill":
		for n := range 1000 {
			batch := records(fmt.Sprintf("%s-%d", argument, n), killRecords, killSize)
			if err := store.Put(ctx, alpha, archive.Batch{Records: batch, Lease: noon.Add(time.Duration(n))}); err != nil {
				return err
			}
			fmt.Println(n + 1)
		}
		return errors.New("nobody killed it")
	case "write":
		w, err := strconv.Atoi(argument)
		if err != nil {
			return err
		}
		for b := range writeBatches {
			batch := written(w, b)
			if err := store.Put(ctx, alpha, archive.Batch{Records: batch, Lease: noon}); err != nil {
				return err
			}
			if err := expect(ctx, store, alpha, batch); err != nil {
				return err
			}
			if err := store.Delete(ctx, alpha, time.Time{}, batch[0].ID); err != nil {
				return err
			}
		}
		return nil
	case "full":
		return outOfDisk(ctx, store)
	default:
		return fmt.Errorf("no role %q", role)
	}
}

// outOfDisk puts a batch that is too large for the disk.
func outOfDisk(ctx context.Context, store archive.Store) error {
	err := store.Put(ctx, alpha, archive.Batch{Records: tooMuch()})
	var io *archive.IOError
	var noRoom *archive.FullError
	if !errors.As(err, &io) && !errors.As(err, &noRoom) {
		return fmt.Errorf("put without room: the error is %w, of type %T", err, err)
	}
	if err := absent(ctx, store, alpha, tooMuch()); err != nil {
		return err
	}
	if err := expect(ctx, store, alpha, records("before", 5, 1000)); err != nil {
		return err
	}
	small := records("small", 2, 100)
	if err := store.Put(ctx, alpha, archive.Batch{Records: small}); err != nil {
		return fmt.Errorf("a small batch behind one that failed: %w", err)
	}
	return expect(ctx, store, alpha, small)
}
