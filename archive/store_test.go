package archive_test

import (
	"testing"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/archive/archivetest"
)

func TestMemory(t *testing.T) {
	archivetest.Run(t, archivetest.Harness{
		Open: func(string) (archive.Store, error) { return archive.NewMemory(0), nil },
	})
}

func TestDirectory(t *testing.T) {
	archivetest.Run(t, archivetest.Harness{
		Open:       func(dir string) (archive.Store, error) { return archive.OpenDirectory(dir) },
		Persistent: true,
	})
}
