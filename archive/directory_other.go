//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package archive

import "os"

// noRoom is not known here: a full disk is an [*IOError].
var noRoom []error

// tryLock has nothing to lock with: there may be one writing process only.
func tryLock(*os.File) (bool, error) { return true, nil }

// syncFolder does nothing: not every such system can sync a folder.
func (*Directory) syncFolder(string) error { return nil }
