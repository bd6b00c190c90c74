package summary_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/summary"
)

func TestMemos(t *testing.T) {
	d, err := summary.OpenDirectory(filepath.Join(t.TempDir(), "memo"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, d.Close()) })
	for name, m := range map[string]summary.Memo{"memory": summary.NewMemory(1 << 20), "directory": d} {
		t.Run(name, func(t *testing.T) {
			_, ok := m.Get(summary.Key{1})
			assert.False(t, ok)
			want := summary.Entry{Text: "Goal: größer", Carried: []string{"Never."}}
			require.NoError(t, m.Put(summary.Key{1}, want))
			require.NoError(t, m.Put(summary.Key{2}, summary.Entry{Refused: "empty"}))
			require.NoError(t, m.Put(summary.Key{1}, summary.Entry{Text: "later"}))
			got, ok := m.Get(summary.Key{1})
			assert.True(t, ok)
			assert.Equal(t, want, got, "the first stays")
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					assert.NoError(t, m.Put(summary.Key{3}, summary.Entry{Text: string(rune('a' + i))}))
					_, ok := m.Get(summary.Key{3})
					assert.True(t, ok)
				})
			}
			wg.Wait()
		})
	}
}

func TestFault_LEAK_MemoryIsBounded(t *testing.T) {
	m := summary.NewMemory(10_000)
	for i := range 100 {
		require.NoError(t, m.Put(summary.Key{byte(i)}, summary.Entry{Text: string(make([]byte, 744))})) // 1,000 with its bookkeeping
		_, first := m.Get(summary.Key{0})
		require.True(t, first, "what is used stays")
	}
	known := 0
	for i := range 100 {
		if _, ok := m.Get(summary.Key{byte(i)}); ok {
			known++
		}
	}
	assert.Equal(t, 10, known)
	require.NoError(t, m.Put(summary.Key{200}, summary.Entry{Text: string(make([]byte, 20_000))}))
	_, ok := m.Get(summary.Key{200})
	assert.False(t, ok)
	_, ok = m.Get(summary.Key{0})
	assert.True(t, ok, "nothing has to go for what does not fit")
}

func TestDirectoryOutlivesTheProcessAndHeals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memo")
	reopen := func() *summary.Directory {
		d, err := summary.OpenDirectory(path)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, d.Close()) })
		return d
	}
	require.NoError(t, reopen().Put(summary.Key{1}, summary.Entry{Text: "kept"}))
	e, ok := reopen().Get(summary.Key{1})
	require.True(t, ok)
	assert.Equal(t, "kept", e.Text)

	files, err := os.ReadDir(path)
	require.NoError(t, err)
	require.Len(t, files, 1)
	file := filepath.Join(path, files[0].Name())
	sound, err := os.ReadFile(file)
	require.NoError(t, err)
	for n := range sound { // cut anywhere, it is as if it were not there
		require.NoError(t, os.WriteFile(file, sound[:n], 0o600))
		_, ok := reopen().Get(summary.Key{1})
		require.False(t, ok, "%d bytes", n)
		if n > 20 {
			break
		}
	}
	damaged := append([]byte(nil), sound...)
	damaged[len(damaged)-3] ^= 1
	require.NoError(t, os.WriteFile(file, damaged, 0o600))
	d := reopen()
	_, ok = d.Get(summary.Key{1})
	require.False(t, ok)
	require.NoError(t, d.Put(summary.Key{1}, summary.Entry{Text: "healed"}))
	e, ok = reopen().Get(summary.Key{1})
	require.True(t, ok)
	assert.Equal(t, "healed", e.Text)
	old := filepath.Join(path, "temp-of-a-killed-process")
	require.NoError(t, os.WriteFile(old, nil, 0o600))
	require.NoError(t, os.Chtimes(old, time.Time{}, time.Now().Add(-2*time.Hour)))
	reopen()
	files, err = os.ReadDir(path)
	require.NoError(t, err)
	assert.Len(t, files, 1, "nothing else is left")
}

func TestOpenDirectoryRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, err := summary.OpenDirectory(path)
	var failed *summary.MemoError
	require.ErrorAs(t, err, &failed)
}

// Of many that ask for the same at the same time, one asks the model; one that gives up does
// not take the others with it.
func TestFault_RACE_SingleFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		history := session(10, 100)
		ctx, cancel := context.WithCancel(t.Context())
		model := &script{answer: func(ctx context.Context, _ int, _ string) (string, error) {
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-time.After(30 * time.Second):
				return "Goal: fine.", nil
			}
		}}
		s := newSummary(t, model, summary.NewMemory(1<<20))
		var wg sync.WaitGroup
		wg.Go(func() { assert.ErrorIs(t, s.Prepare(ctx, window(history, 500)), context.Canceled) })
		synctest.Wait()
		for range 15 {
			wg.Go(func() { assert.NoError(t, s.Prepare(t.Context(), window(history, 500))) })
		}
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		wg.Go(func() { assert.ErrorIs(t, s.Prepare(short, window(history, 500)), context.DeadlineExceeded) })
		synctest.Wait()
		time.Sleep(2 * time.Second)
		cancel()
		wg.Wait()
		assert.Len(t, model.asked, 2, "the one that gave up, and one for all others")
	})
}
