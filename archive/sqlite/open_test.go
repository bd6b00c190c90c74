package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/archive/sqlite"
	"github.com/trimkit/trimkit/core"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "with space?&#%.db")
	s, err := sqlite.Open(path)
	require.NoError(t, err)
	require.NoError(t, s.Put(t.Context(), archive.ScopeOf("c"), archive.Batch{Lease: time.Unix(1, 0)}))
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, n := range names {
		info, err := n.Info()
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), n.Name())
		assert.True(t, strings.HasPrefix(n.Name(), "with space?&#%.db"), n.Name())
	}
	require.NoError(t, s.Close())

	exec := func(path string, statements ...string) {
		db, err := sql.Open("sqlite", "file:"+path)
		require.NoError(t, err)
		for _, x := range statements {
			_, err := db.ExecContext(t.Context(), x)
			require.NoError(t, err)
		}
		require.NoError(t, db.Close())
	}
	var invalid *archive.InvalidError
	newer := filepath.Join(dir, "newer.db")
	s, err = sqlite.Open(newer)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	exec(newer, "PRAGMA user_version = 99")
	_, err = sqlite.Open(newer)
	require.ErrorAs(t, err, &invalid)
	assert.Contains(t, err.Error(), "99")

	foreign := filepath.Join(dir, "foreign.db")
	exec(foreign, "CREATE TABLE accounts (id)")
	_, err = sqlite.Open(foreign)
	require.ErrorAs(t, err, &invalid)

	link := filepath.Join(dir, "link.db")
	require.NoError(t, os.Symlink(newer, link))
	_, err = sqlite.Open(link)
	require.ErrorAs(t, err, &invalid)
	_, err = sqlite.Open(dir)
	require.ErrorAs(t, err, &invalid)

	text := filepath.Join(dir, "text.db")
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("no database ", 1000)), 0o600))
	var corrupt *archive.CorruptError
	_, err = sqlite.Open(text)
	require.ErrorAs(t, err, &corrupt)
	var io *archive.IOError
	_, err = sqlite.Open(filepath.Join(dir, "nowhere", "x.db"))
	require.ErrorAs(t, err, &io)
}

// A writer waits for another process's transaction, as long as its context lets it.
func TestPut_Busy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	s, err := sqlite.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	other, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, other.Close()) })
	tx, err := other.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 600*time.Millisecond)
	defer cancel()
	batch := archive.Batch{Records: []archive.Record{{Head: archive.Head{ID: "x", Kind: archive.KindEntry}}}}
	require.ErrorIs(t, s.Put(ctx, archive.ScopeOf("c"), batch), context.DeadlineExceeded)
	done := make(chan error)
	go func() { done <- s.Put(t.Context(), archive.ScopeOf("c"), batch) }()
	got, err := s.Get(t.Context(), archive.ScopeOf("c"), "x") // readers wait for nobody
	require.NoError(t, err)
	assert.Empty(t, got)
	require.NoError(t, tx.Rollback())
	require.NoError(t, <-done)
}

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	store, err := sqlite.Open(filepath.Join(dir, "archive.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	a, err := archive.New(store)
	if err != nil {
		log.Fatal(err)
	}
	history := []core.Message{
		{Role: core.RoleUser, Src: 1, Parts: []core.Part{{Text: "Hello"}}},
		{Role: core.RoleAssistant, Src: 2, Parts: []core.Part{{Text: "Hello. How can I help?"}}},
		{Role: core.RoleUser, Src: 3, Parts: []core.Part{{Text: "What is the time?"}}},
	}
	w := core.NewWindow(history)
	if _, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			yield(core.Edit{Op: core.Drop, Msg: 1, Part: -1, By: -1, Reason: "small talk"})
		}
	})); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	saved, err := a.Save(ctx, "conversation-17", history, w.View(), w.Edits(), archive.Details{})
	if err != nil {
		log.Fatal(err)
	}
	back, err := a.Restore(ctx, "conversation-17", saved.View)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(saved.View), "of", len(back.History), "messages:", back.History[1].Parts[0].Text)
	// Output: 2 of 3 messages: Hello. How can I help?
}
