package archive_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/archive"
)

func openDirectory(t *testing.T, dir string) *archive.Directory {
	t.Helper()
	d, err := archive.OpenDirectory(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, d.Close()) })
	return d
}

var one = archive.Batch{Records: []archive.Record{{Head: archive.Head{ID: "one", Kind: archive.KindEntry, Size: 4}, Data: []byte("data")}}}

func TestOpenDirectory(t *testing.T) {
	var invalid *archive.InvalidError
	var corrupt *archive.CorruptError
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "thesis.doc"), nil, 0o600))
	_, err := archive.OpenDirectory(other)
	require.ErrorAs(t, err, &invalid, "a folder of somebody's files")

	dir := filepath.Join(t.TempDir(), "a", "b")
	openDirectory(t, dir)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	openDirectory(t, dir)

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	_, err = archive.OpenDirectory(link)
	require.ErrorAs(t, err, &invalid)

	require.NoError(t, os.Chmod(dir, 0o755))
	_, err = archive.OpenDirectory(dir)
	require.ErrorAs(t, err, &invalid, "others may look into it")

	require.NoError(t, os.Chmod(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "format"), []byte("trimkit archive 99\n"), 0o600))
	_, err = archive.OpenDirectory(dir)
	require.ErrorAs(t, err, &corrupt)
}

// Somebody who may write into the folder cannot lead the store out of it.
func TestDirectory_Links(t *testing.T) {
	scope := archive.ScopeOf("c")
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.Mkdir(secret, 0o700))
	links := map[string]func(dir string){
		"a conversation": func(dir string) {
			require.NoError(t, os.Symlink(secret, filepath.Join(dir, scope.String())))
		},
		"a pack": func(dir string) {
			d := openDirectory(t, dir)
			require.NoError(t, d.Put(t.Context(), scope, one))
			packs, err := filepath.Glob(filepath.Join(dir, "*", "*.pack"))
			require.NoError(t, err)
			require.Len(t, packs, 1)
			moved := filepath.Join(t.TempDir(), "pack")
			require.NoError(t, os.Rename(packs[0], moved))
			require.NoError(t, os.Symlink(moved, packs[0]))
		},
		"a lock": func(dir string) {
			for _, n := range "0123456789abcdef" {
				require.NoError(t, os.Symlink(filepath.Join(secret, "lock"), filepath.Join(dir, "lock-"+string(n))))
			}
		},
	}
	for name, link := range links {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			openDirectory(t, dir)
			link(dir)
			d := openDirectory(t, dir)
			_, err := d.Get(t.Context(), scope, "one")
			if name != "a lock" {
				var corrupt *archive.CorruptError
				require.ErrorAs(t, err, &corrupt)
			}
			if name != "a pack" { // beside which another one may be put
				require.Error(t, d.Put(t.Context(), scope, one))
			}
			left, err := os.ReadDir(secret)
			require.NoError(t, err)
			assert.Empty(t, left, "something was written behind the link")
		})
	}
}

// A damaged pack hides what is in it and nothing else; storing it again mends that.
func TestDirectory_DamagedPack(t *testing.T) {
	dir, scope := t.TempDir(), archive.ScopeOf("c")
	d := openDirectory(t, dir)
	require.NoError(t, d.Put(t.Context(), scope, one))
	packs, err := filepath.Glob(filepath.Join(dir, "*", "*.pack"))
	require.NoError(t, err)
	two := archive.Batch{Records: []archive.Record{{Head: archive.Head{ID: "two", Kind: archive.KindEntry}}}}
	require.NoError(t, d.Put(t.Context(), scope, two))
	require.NoError(t, os.Truncate(packs[0], 20))

	d = openDirectory(t, dir)
	got, err := d.Get(t.Context(), scope, "two")
	require.NoError(t, err)
	assert.Len(t, got, 1)
	var corrupt *archive.CorruptError
	_, err = d.Get(t.Context(), scope, "one")
	require.ErrorAs(t, err, &corrupt)
	a, err := archive.New(d)
	require.NoError(t, err)
	v, err := a.Verify(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, v.Faults, 1)
	require.ErrorAs(t, v.Faults[0].Err, &corrupt)

	require.NoError(t, d.Put(t.Context(), scope, one))
	got, err = d.Get(t.Context(), scope, "one", "two")
	require.NoError(t, err)
	assert.Len(t, got, 2)
}

// What a killed writer left is swept away by the next one.
func TestDirectory_Leftovers(t *testing.T) {
	dir, scope := t.TempDir(), archive.ScopeOf("c")
	d := openDirectory(t, dir)
	require.NoError(t, d.Put(t.Context(), scope, one))
	left := filepath.Join(dir, scope.String(), "temp-XYZ")
	require.NoError(t, os.WriteFile(left, []byte("half a pack"), 0o600))
	require.NoError(t, d.Put(t.Context(), scope, archive.Batch{Lease: time.Unix(1, 0)}))
	assert.NoFileExists(t, left)
}

// Many small batches do not become many files.
func TestDirectory_Merges(t *testing.T) {
	dir, scope := t.TempDir(), archive.ScopeOf("c")
	d := openDirectory(t, dir)
	for i := range 200 {
		r := archive.Record{Head: archive.Head{ID: "r" + string(rune('a'+i%26)) + string(rune('a'+i/26)), Kind: archive.KindEntry, Order: int64(i)}}
		require.NoError(t, d.Put(t.Context(), scope, archive.Batch{Records: []archive.Record{r}}))
	}
	packs, err := filepath.Glob(filepath.Join(dir, "*", "*.pack"))
	require.NoError(t, err)
	assert.Less(t, len(packs), 70)
	heads, err := d.List(t.Context(), scope, archive.Cursor{}, 1000)
	require.NoError(t, err)
	assert.Len(t, heads, 200)
	require.NoError(t, d.Compact(t.Context()))
	packs, err = filepath.Glob(filepath.Join(dir, "*", "*.pack"))
	require.NoError(t, err)
	assert.Len(t, packs, 1)
}
