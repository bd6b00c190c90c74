//go:build darwin || linux

package archivetest

import (
	"os/signal"
	"syscall"
)

const limitsFiles = true

// limitFiles makes writing beyond a size fail, as a full disk does.
func limitFiles(bytes uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	const fsize = 1 // RLIMIT_FSIZE, which package syscall names on some systems only
	return syscall.Setrlimit(fsize, &syscall.Rlimit{Cur: bytes, Max: bytes})
}
