package archivetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/trimkit/trimkit/archive"
)

// Harness is a store, as the suite drives it.
type Harness struct {
	// Open opens the store of a folder, which is empty the first time. A store that is an
	// [io.Closer] is closed before its folder is opened again by the same process.
	Open func(dir string) (archive.Store, error)

	// Persistent says that a store opened again, or by several processes, is the same one.
	Persistent bool

	// Stride flips every so many bytes of the store's files, for one that is slow to open;
	// 0: every one. TRIMKIT_SOAK flips every one.
	Stride int
}

// Check is a rule of the contract.
type Check struct {
	Name string
	Rule string // in one sentence

	persistent bool // only of such stores
	run        func(*subject) error
}

// Checks returns the contract.
func Checks() []Check { return append(basics(), disk()...) }

// Run checks a store against the contract, each rule in a subtest. Rules that a store which is
// not persistent cannot keep are left out, not skipped.
func Run(t *testing.T, h Harness) {
	t.Helper()
	if role := os.Getenv(roleVariable); role != "" {
		child(h, role)
	}
	for _, c := range Checks() {
		if c.persistent && !h.Persistent {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Judge(t, h); err != nil {
				t.Errorf("%s\n%v", c.Rule, err)
			}
		})
	}
}

// Judge returns how a store breaks the rule. In a child that the suite has started, it plays the
// child's role and ends the process, as Run does.
func (c Check) Judge(t *testing.T, h Harness) (err error) {
	t.Helper()
	if role := os.Getenv(roleVariable); role != "" {
		child(h, role)
	}
	s := &subject{t: t, ctx: t.Context(), harness: h, dir: t.TempDir()}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.open(); err != nil {
		return err
	}
	return c.run(s)
}

// soak reports whether the suite should be thorough.
func soak() bool { return os.Getenv("TRIMKIT_SOAK") != "" }

// subject is a store under test.
type subject struct {
	t       *testing.T
	ctx     context.Context // of the check, which lives as long
	harness Harness
	dir     string
	store   archive.Store
}

func (s *subject) open() error {
	store, err := s.harness.Open(s.dir)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	s.store = store // not before: a nil pointer in an interface is not nil
	return nil
}

func (s *subject) close() error {
	c, ok := s.store.(io.Closer)
	s.store = nil
	if !ok {
		return nil
	}
	return c.Close()
}

func (s *subject) reopen() error {
	if err := s.close(); err != nil {
		return err
	}
	return s.open()
}
