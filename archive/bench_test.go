package archive_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/core"
)

// BenchmarkSave saves the views of a session of 600 messages, each of a new conversation, and the
// same view again, of which everything is stored.
func BenchmarkSave(b *testing.B) {
	h := history(200)
	view, edits := edited(h, oldest, core.WithTarget(50_000))
	for name, open := range map[string]func(b *testing.B) archive.Store{
		"memory": func(*testing.B) archive.Store { return archive.NewMemory(0) },
		"directory": func(b *testing.B) archive.Store {
			b.Helper()
			d, err := archive.OpenDirectory(b.TempDir())
			require.NoError(b, err)
			b.Cleanup(func() { _ = d.Close() })
			return d
		},
	} {
		a, err := archive.New(open(b))
		require.NoError(b, err)
		save := func(b *testing.B, key string) *archive.Saved {
			b.Helper()
			s, err := a.Save(b.Context(), key, h, view, edits, archive.Details{Time: now})
			require.NoError(b, err)
			return s
		}
		b.Run(name+"/new", func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				b.ReportMetric(float64(save(b, fmt.Sprint(b.N, n)).Entries), "entries")
			}
		})
		s := save(b, "known")
		b.Run(name+"/known", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				save(b, "known")
			}
		})
		b.Run(name+"/get", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := a.Get(b.Context(), "known", s.Manifest.Receipts()[7])
				require.NoError(b, err)
			}
		})
		b.Run(name+"/restore", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := a.Restore(b.Context(), "known", view)
				require.NoError(b, err)
			}
		})
		b.Run(name+"/touch", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, a.Touch(b.Context(), "known", now.Add(time.Hour)))
			}
		})
	}
}
