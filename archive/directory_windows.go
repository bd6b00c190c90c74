package archive

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

// noRoom are ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL and ERROR_DISK_QUOTA_EXCEEDED.
var noRoom = []error{syscall.Errno(39), syscall.Errno(112), syscall.Errno(1295)}

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// tryLock locks a file against other processes until it is closed, if nobody else has.
func tryLock(f *os.File) (bool, error) {
	const exclusive, failImmediately = 2, 1
	const lockViolation, ioPending = syscall.Errno(33), syscall.Errno(997)
	var at syscall.Overlapped
	ok, _, err := lockFileEx.Call(f.Fd(), exclusive|failImmediately, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case ok != 0:
		return true, nil
	case errors.Is(err, lockViolation) || errors.Is(err, ioPending):
		return false, nil
	default:
		return false, err
	}
}

// syncFolder does nothing: Windows has no way to sync a folder, and journals its names.
func (*Directory) syncFolder(string) error { return nil }
