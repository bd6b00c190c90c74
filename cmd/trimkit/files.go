package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// stdio is the name that stands for standard input and output.
const stdio = "-"

// write puts data on standard output, or in place of the file of that name.
func (a *app) write(name string, data []byte) error {
	if name == "" || name == stdio {
		_, err := a.stdout.Write(data)
		return err
	}
	return replaceFile(name, data)
}

// replaceFile writes a file whole or not at all: a new one takes its place when it is
// complete. The old one's mode stays, a link goes on pointing to it, and what is no
// regular file, such as a pipe or /dev/stdout, is written to as it is.
func replaceFile(name string, data []byte) error {
	old, err := os.Stat(name)
	switch {
	case err == nil && (!old.Mode().IsRegular() || special(name)):
		err = writeThrough(name, data)
	case err == nil || errors.Is(err, fs.ErrNotExist):
		err = swap(name, data, old)
	}
	var path *fs.PathError
	if errors.As(err, &path) { // it may name the temporary file, or none of either
		err = path.Err
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}

// special reports whether a name stands for something that is open already: behind
// /dev/stdout may be a file that somebody else is writing to, too.
func special(name string) bool {
	path := absolute(name)
	return strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/")
}

func writeThrough(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func swap(name string, data []byte, old fs.FileInfo) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f, err := createBeside(name)
	if err != nil {
		return err
	}
	err = fill(f, data, old)
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first failure is the one to report
	}
	return err
}

// createBeside creates an empty file in the folder of name. ([os.CreateTemp] would give it
// a mode that keeps others out, instead of the one that new files have here.)
func createBeside(name string) (*os.File, error) {
	for i := 0; ; i++ {
		temporary := fmt.Sprintf("%s.%d-%d.tmp", name, os.Getpid(), i)
		f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || i == 100 {
			return f, err
		}
	}
}

// fill writes and closes f. old, if not nil, is the file whose mode it gets.
func fill(f *os.File, data []byte, old fs.FileInfo) error {
	_, err := f.Write(data)
	if err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// sameFile reports whether two names, neither of them standard input or output, are of
// one file, be it there yet or not.
func sameFile(a, b string) bool {
	if a == "" || b == "" || a == stdio || b == stdio {
		return false
	}
	if absolute(a) == absolute(b) {
		return true
	}
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(first, second)
}

func absolute(name string) string {
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return filepath.Clean(name)
}
