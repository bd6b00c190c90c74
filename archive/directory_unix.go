//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package archive

import (
	"errors"
	"os"
	"syscall"
)

// noRoom are the errors of a disk, a quota or a limit that is full.
var noRoom = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}

// tryLock locks a file against other processes until it is closed, if nobody else has.
func tryLock(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

// syncFolder makes the names in a folder durable.
func (d *Directory) syncFolder(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return &IOError{"open folder", err}
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return failed("sync folder", err)
	}
	return nil
}
