package archive_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/format"
)

// TestTraces trims every recorded conversation to a quarter, stores what goes, and has it back;
// and what is stored is hardly more than what went.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var removed, stored, entries int64
	var putting, restoring time.Duration
	worst, worstName := 0.0, ""
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		h, err := format.Parse(data, format.Auto)
		if err != nil {
			continue // the malformed ones have their own tests
		}
		raw := h.Messages()
		total := 0
		for i := range raw {
			total += core.Bytes.Message(&raw[i])
		}
		view, edits := edited(raw, oldest, core.WithTarget(max(1, total/4)), core.WithProfile(core.OpenAI))
		folder := t.TempDir()
		store, err := archive.OpenDirectory(folder)
		require.NoError(t, err)
		a, err := archive.New(store)
		require.NoError(t, err)
		key := filepath.Base(file)
		began := time.Now()
		s, err := a.Save(t.Context(), key, raw, view, edits, archive.Details{Time: now})
		require.NoError(t, err, file)
		putting += time.Since(began)
		began = time.Now()
		back, err := a.Restore(t.Context(), key, s.View)
		require.NoError(t, err, file)
		restoring += time.Since(began)
		require.Equal(t, raw, back.History, file)
		again, err := a.Restore(t.Context(), key, stripped(view))
		require.NoError(t, err, file)
		assert.Equal(t, archive.HashOf(raw), archive.HashOf(again.History), file)
		size := int64(0)
		require.NoError(t, filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				info, err := d.Info()
				require.NoError(t, err)
				size += info.Size()
			}
			return err
		}))
		removed, stored, entries = removed+int64(s.Bytes), stored+size, entries+int64(s.Entries)
		if share := float64(size) / float64(max(1, s.Bytes)); s.Bytes > 10_000 && share > worst {
			worst, worstName = share, filepath.Base(file)
		}
		require.NoError(t, store.Close())
	}
	t.Logf("%d entries, %d bytes removed, %d stored: %.3f a byte, at worst %.3f (%s); save %v, restore %v",
		entries, removed, stored, float64(stored)/float64(removed), worst, worstName, putting, restoring)
	assert.LessOrEqual(t, float64(stored), 1.1*float64(removed))
	assert.LessOrEqual(t, worst, 1.1)
}
