package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/archive/archivetest"
	"github.com/trimkit/trimkit/archive/sqlite"
)

func TestStore(t *testing.T) {
	archivetest.Run(t, archivetest.Harness{
		Open:       func(dir string) (archive.Store, error) { return sqlite.Open(filepath.Join(dir, "archive.db")) },
		Persistent: true,
		Stride:     251,
	})
}
