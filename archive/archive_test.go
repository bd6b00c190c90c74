package archive_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/core"
)

// odd is a message with everything that a message can hold, and what no text should.
func odd() core.Message {
	return core.Message{
		Role: 200, Policy: core.Locked, Src: -5, Reply: 1 << 30, Name: "n\xff",
		Meta: &core.Meta{ID: "id", Time: time.Date(1969, 1, 2, 3, 4, 5, 6, time.FixedZone("", -12345)), Labels: map[string]string{"b": "\x00", "a": "x\xfe"}},
		Parts: []core.Part{
			{Kind: core.KindToolResult, Status: core.StatusFailed, Signed: true, Slot: 1<<32 - 1, Text: "cut \xe2\x82", CallID: "\xff", Tool: "t"},
			{Kind: 99, Media: &core.Media{MIME: "image/png", Data: []byte{}, Detail: "low", Width: -1, Height: 1 << 30}},
			{Media: &core.Media{URL: "data:,x", Data: []byte{0, 255}}},
			{Elided: &core.Elision{Op: 7, Reason: "r", Tool: "t", Bytes: 1, Tokens: 2, Failed: true, By: -1, Receipt: "x"}},
			{},
		},
	}
}

func TestPutAndGet(t *testing.T) {
	a := newArchive(t)
	for _, m := range []core.Message{odd(), {}, {Parts: []core.Part{}, Meta: &core.Meta{Labels: map[string]string{}}}} {
		e := &archive.Entry{Part: -1, Message: m, Native: []byte{}, Paths: []string{"a\xff", ""}, Reason: "\x00", Tokens: -3, Time: now}
		require.NoError(t, a.Put(t.Context(), "c\xff", []*archive.Entry{e}, nil, now, time.Time{}))
		require.True(t, e.Receipt.Valid())
		got, err := a.Get(t.Context(), "c\xff", e.Receipt)
		require.NoError(t, err)
		if m.Meta != nil {
			assert.True(t, m.Meta.Time.Equal(got.Message.Meta.Time))
			assert.Equal(t, m.Meta.Time.Format(time.RFC3339Nano), got.Message.Meta.Time.Format(time.RFC3339Nano))
			got.Message.Meta.Time = m.Meta.Time // of equal value; zones are pointers
		}
		assert.Equal(t, e, got)
	}
}

func TestNew_Faults(t *testing.T) {
	var invalid *archive.InvalidError
	_, err := archive.New(nil)
	require.ErrorAs(t, err, &invalid)
	_, err = archive.New(archive.NewMemory(0), archive.WithKey([]byte("short")))
	require.ErrorAs(t, err, &invalid)
	_, err = archive.New(archive.NewMemory(0), archive.WithKey(nil))
	require.ErrorAs(t, err, &invalid, "a key that was not loaded is no key, not none")
}

func TestWithKey(t *testing.T) {
	store := archive.NewMemory(0)
	open := func(opts ...archive.Option) *archive.Archive {
		a, err := archive.New(store, opts...)
		require.NoError(t, err)
		return a
	}
	key, other := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	h, s := saved(t, open(archive.WithKey(key)), "c")
	back, err := open(archive.WithKey(key)).Restore(t.Context(), "c", s.View)
	require.NoError(t, err)
	assert.Equal(t, h, back.History)

	scope, r := archive.ScopeOf("c"), string(s.Manifest.Receipts()[0])
	records, err := store.Get(t.Context(), scope, r)
	require.NoError(t, err)
	assert.NotContains(t, string(records[0].Data), "line of file")
	var wrong *archive.KeyError
	for _, a := range []*archive.Archive{open(), open(archive.WithKey(other))} {
		_, err = a.Get(t.Context(), "c", archive.Receipt(r))
		require.ErrorAs(t, err, &wrong)
	}
	// Every byte of a ciphertext counts, and it is bound to its place.
	for at := range len(records[0].Data) {
		broken, err := archive.New(altered{store, at}, archive.WithKey(key))
		require.NoError(t, err)
		_, err = broken.Get(t.Context(), "c", archive.Receipt(r))
		require.Error(t, err, "byte %d", at)
	}
	require.NoError(t, store.Put(t.Context(), archive.ScopeOf("d"), archive.Batch{Records: records}))
	var corrupt *archive.CorruptError
	_, err = open(archive.WithKey(key)).Get(t.Context(), "d", archive.Receipt(r))
	require.ErrorAs(t, err, &corrupt)
	// What was stored in the clear is not read as if it were authentic.
	plain := newArchive(t)
	_, _ = saved(t, plain, "c")
	_, inClear := saved(t, open(), "e")
	_, err = open(archive.WithKey(key)).Get(t.Context(), "e", inClear.Manifest.Receipts()[0])
	require.ErrorAs(t, err, &wrong)
}

func TestWithRedaction(t *testing.T) {
	hook := archive.WithRedaction(func(m *core.Message) bool {
		changed := false
		for i := range m.Parts {
			text := strings.ReplaceAll(m.Parts[i].Text, "line of file 1", "[secret]")
			changed = changed || text != m.Parts[i].Text
			m.Parts[i].Text = text
		}
		return changed
	})
	a, h := newArchive(t, hook), history(6)
	view, edits := edited(h, oldest, core.WithTarget(2500))
	s, err := a.Save(t.Context(), "c", h, view, edits, archive.Details{Time: now, Native: func(int, int) []byte { return []byte("line of file 1") }})
	require.NoError(t, err)
	assert.Contains(t, h[6].Parts[0].Text, "line of file 1", "the caller's history is not written to")
	back, err := a.Restore(t.Context(), "c", s.View)
	require.NoError(t, err)
	assert.True(t, back.Redacted)
	redacted := 0
	for at, e := range back.Entries {
		assert.NotContains(t, e.Text(), "line of file 1")
		assert.Equal(t, strings.Contains(e.Text(), "[secret]"), e.Redacted)
		want, err := a.Receipt("c", &h[at.Msg], at.Part)
		require.NoError(t, err)
		assert.Equal(t, want, e.Receipt)
		if e.Redacted {
			redacted++
			assert.Nil(t, e.Native)
		}
	}
	assert.NotZero(t, redacted)
	_, err = newArchive(t, archive.WithRedaction(func(m *core.Message) bool { m.Parts = nil; return true })).Receipt("c", &h[0], 0)
	var invalid *archive.InvalidError
	require.ErrorAs(t, err, &invalid)
}

func TestRecall(t *testing.T) {
	a := newArchive(t)
	text := strings.Repeat("a line of text\n", 40) + strings.Repeat("👩‍👩‍👧‍👦", 30) + strings.Repeat("e\u0301", 100) + strings.Repeat("\xff", 200) + strings.Repeat("界", 200)
	e := &archive.Entry{Part: 0, Message: core.Message{Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, Text: text}}}}
	require.NoError(t, a.Put(t.Context(), "c", []*archive.Entry{e}, nil, now, now))
	for _, size := range []int{archive.MinPage, 65, 66, 67, 100, 1000, 1 << 20} {
		var whole strings.Builder
		for page := 0; ; page++ {
			p, err := a.Recall(t.Context(), "c", e.Receipt, page, size)
			require.NoError(t, err)
			assert.LessOrEqual(t, len(p.Text), size)
			assert.NotEmpty(t, p.Text)
			if !strings.Contains(p.Text, "\xff") {
				assert.True(t, utf8.ValidString(p.Text), "cut in a character: %q", p.Text)
			}
			assert.False(t, strings.HasPrefix(p.Text, "\u0301") || strings.HasPrefix(p.Text, "\u200d"))
			whole.WriteString(p.Text)
			if page == p.Pages-1 {
				break
			}
		}
		assert.Equal(t, text, whole.String())
	}
	var invalid *archive.InvalidError
	for _, c := range [][2]int{{0, 10}, {-1, 100}, {1000, 100}} {
		_, err := a.Recall(t.Context(), "c", e.Receipt, c[0], c[1])
		require.ErrorAs(t, err, &invalid)
	}
	nothing := &archive.Entry{Part: 0, Message: core.Message{Parts: []core.Part{{}}}}
	require.NoError(t, a.Put(t.Context(), "c", []*archive.Entry{nothing}, nil, now, now))
	p, err := a.Recall(t.Context(), "c", nothing.Receipt, 0, 100)
	require.NoError(t, err)
	assert.Equal(t, 1, p.Pages)
	assert.Empty(t, p.Text)
}

func TestSearch(t *testing.T) {
	a, h := newArchive(t), history(150)
	view, edits := edited(h, oldest, core.WithTarget(3000))
	_, err := a.Save(t.Context(), "c", h, view, edits, archive.Details{Time: now, Paths: func(msg, _ int) []string {
		if h[msg].Role == core.RoleTool {
			return []string{"src/" + strings.Fields(h[msg].Parts[0].Text)[3] + ".go"}
		}
		return nil
	}})
	require.NoError(t, err)
	count := func(q archive.Query) (n int) {
		for {
			found, err := a.Search(t.Context(), "c", q)
			require.NoError(t, err)
			for _, hit := range found.Hits {
				assert.LessOrEqual(t, len(hit.Snippet), 200)
				assert.True(t, hit.Entry.Receipt.Valid())
			}
			n += len(found.Hits)
			if q.After = found.Next; !found.More {
				return n
			}
		}
	}
	assert.Equal(t, 1, count(archive.Query{Words: "LINE file 77", Tool: "Read", Path: "77.go"}))
	assert.Equal(t, 1, count(archive.Query{Path: "src/7.go"}), "a whole name, not the end of one")
	assert.Zero(t, count(archive.Query{Words: "line nowhere"}))
	assert.Zero(t, count(archive.Query{Tool: "Rea"}))
	assert.Equal(t, count(archive.Query{Tool: "Read", Limit: 7}), count(archive.Query{Tool: "Read", Limit: 100}))
	found, err := a.Search(t.Context(), "another", archive.Query{})
	require.NoError(t, err)
	assert.Empty(t, found.Hits)
	found, err = a.Search(t.Context(), "c", archive.Query{Limit: 1 << 30})
	require.NoError(t, err)
	assert.Len(t, found.Hits, 100)
	assert.True(t, found.More)
}

func TestPrune(t *testing.T) {
	a := newArchive(t)
	day := 24 * time.Hour
	for i, key := range []string{"a", "b", "c", "d"} {
		h := history(6)
		view, edits := edited(h, oldest, core.WithTarget(2500))
		_, err := a.Save(t.Context(), key, h, view, edits, archive.Details{Time: now.Add(time.Duration(i) * day)})
		require.NoError(t, err)
	}
	require.NoError(t, a.Touch(t.Context(), "a", now.Add(10*day)))
	prune := func(r archive.Retention) *archive.Pruned {
		p, err := a.Prune(t.Context(), r)
		require.NoError(t, err)
		return p
	}
	assert.Zero(t, prune(archive.Retention{Now: now.Add(5 * day), MaxAge: 5 * day}).Conversations)
	dry := prune(archive.Retention{Now: now.Add(5 * day), MaxAge: 3 * day, DryRun: true})
	p := prune(archive.Retention{Now: now.Add(5 * day), MaxAge: 3 * day})
	assert.Equal(t, dry, p)
	assert.Equal(t, []archive.Scope{archive.ScopeOf("b")}, p.Scopes)
	p = prune(archive.Retention{Now: now.Add(5 * day), MaxBytes: 1})
	assert.Equal(t, []archive.Scope{archive.ScopeOf("c"), archive.ScopeOf("d")}, p.Scopes)
	assert.NotZero(t, p.Left, "what is leased stays")
	p = prune(archive.Retention{Now: now.Add(11 * day), MaxAge: 2 * day})
	assert.Zero(t, p.Conversations, "a lease counts as use")
	p = prune(archive.Retention{Now: now.Add(13 * day), MaxAge: 2 * day})
	assert.Equal(t, []archive.Scope{archive.ScopeOf("a")}, p.Scopes)
	var invalid *archive.InvalidError
	_, err := a.Prune(t.Context(), archive.Retention{})
	require.ErrorAs(t, err, &invalid)
}

func TestMemory_Bound(t *testing.T) {
	store := archive.NewMemory(60_000)
	put := func(key string, at time.Time, lease time.Time) error {
		r := archive.Record{Head: archive.Head{ID: "x", Kind: archive.KindEntry, Size: 20_000}, Data: make([]byte, 20_000)}
		return store.Put(t.Context(), archive.ScopeOf(key), archive.Batch{Records: []archive.Record{r}, Now: at, Lease: lease})
	}
	has := func(key string) bool {
		got, err := store.Get(t.Context(), archive.ScopeOf(key), "x")
		require.NoError(t, err)
		return len(got) == 1
	}
	require.NoError(t, put("leased", now, now.Add(time.Hour)))
	require.NoError(t, put("old", now, now.Add(time.Minute)))
	require.NoError(t, put("new", now.Add(2*time.Minute), time.Time{}))
	assert.False(t, has("leased") && has("old") && has("new"), "60 kB hold two of 20 kB and what each costs")
	assert.True(t, has("leased"))
	assert.False(t, has("old"))
	require.NoError(t, put("newer", now.Add(3*time.Minute), now.Add(time.Hour)))
	assert.False(t, has("new"))
	var full *archive.FullError
	require.ErrorAs(t, put("newest", now.Add(4*time.Minute), now.Add(time.Hour)), &full)
	assert.True(t, has("leased") && has("newer"))
	require.NoError(t, put("newest", now.Add(2*time.Hour), time.Time{}))
}

func TestExportAndImport(t *testing.T) {
	a := newArchive(t, archive.WithKey(bytes.Repeat([]byte{1}, 32)))
	h, s := saved(t, a, "alice")
	_, _ = saved(t, a, "b\xffb")
	o := &archive.Entry{Part: -1, Message: odd()}
	require.NoError(t, a.Put(t.Context(), "alice", []*archive.Entry{o}, nil, now, now))
	var all, one bytes.Buffer
	n, err := a.Export(t.Context(), "", &all)
	require.NoError(t, err)
	assert.Equal(t, 2, n.Manifests)
	assert.Equal(t, 2*s.Entries+1, n.Entries)
	_, err = a.Export(t.Context(), "alice", &one)
	require.NoError(t, err)
	assert.Less(t, one.Len(), all.Len())

	dir, err := archive.OpenDirectory(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, dir.Close()) })
	b, err := archive.New(dir)
	require.NoError(t, err)
	for range 2 {
		got, err := b.Import(t.Context(), bytes.NewReader(all.Bytes()), now, now)
		require.NoError(t, err)
		assert.Equal(t, n, got)
	}
	back, err := b.Restore(t.Context(), "alice", s.View)
	require.NoError(t, err)
	assert.Equal(t, h, back.History)
	var again bytes.Buffer
	_, err = b.Export(t.Context(), "", &again)
	require.NoError(t, err)
	assert.Equal(t, all.String(), again.String())
	v, err := b.Verify(t.Context(), "")
	require.NoError(t, err)
	assert.Empty(t, v.Faults)
	assert.Equal(t, 2, v.Conversations)
}

func TestImport_Faults(t *testing.T) {
	a := newArchive(t)
	_, s := saved(t, a, "c")
	var out bytes.Buffer
	_, err := a.Export(t.Context(), "c", &out)
	require.NoError(t, err)
	first, _, _ := strings.Cut(out.String(), "\n")
	id := first[strings.Index(first, `"id":"`)+6:][:16]
	other := string(s.Manifest.Receipts()[len(s.Manifest.Receipts())-1])
	for name, text := range map[string]string{
		"another receipt":   strings.Replace(first, id, other, 1),
		"another version":   strings.Replace(first, `{"trimkit":1`, `{"trimkit":2`, 1),
		"no JSON":           "nonsense",
		"neither":           `{"trimkit":1,"id":"x"}`,
		"cut off":           first[:len(first)/2],
		"other content":     strings.Replace(first, `"entry":"A`, `"entry":"B`, 1),
		"a manifest of air": `{"trimkit":1,"id":"view-x","manifest":"AQ=="}`,
	} {
		require.NotEqual(t, first, text, name)
		_, err := newArchive(t).Import(t.Context(), io.MultiReader(strings.NewReader("\n\n"), strings.NewReader(text)), now, now)
		var corrupt *archive.CorruptError
		require.ErrorAs(t, err, &corrupt, name)
		assert.Contains(t, err.Error(), "line 3")
	}
}
