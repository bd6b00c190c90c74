package archive_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/archive"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

var now = time.Date(2030, 5, 4, 3, 2, 1, 7, time.UTC)

func newArchive(t testing.TB, opts ...archive.Option) *archive.Archive {
	t.Helper()
	a, err := archive.New(archive.NewMemory(0), opts...)
	require.NoError(t, err)
	return a
}

// anything proposes all that core allows, in any order.
func anything(seed uint64) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			r := rand.New(rand.NewPCG(seed, 1))
			for range 2 * len(w.History) {
				e := core.Edit{Op: core.Op(1 + r.IntN(4)), Msg: r.IntN(len(w.History)), Part: -1, By: -1, Reason: "old", Text: "[trimkit: note]"}
				if parts := len(w.History[e.Msg].Parts); parts > 0 && e.Op < core.Drop {
					e.Part = r.IntN(parts)
					e.Text = strings.ToValidUTF8(w.History[e.Msg].Parts[e.Part].Text, "")
					e.Text = strings.ToValidUTF8(e.Text[:len(e.Text)/3], "")
				}
				if !yield(e) {
					return
				}
			}
		}
	})
}

// edited returns a view of a history and its ledger.
func edited(history []core.Message, e core.Editor, opts ...core.Option) ([]core.Message, []core.Edit) {
	w := core.NewWindow(history, opts...)
	_, _ = core.Apply(w, e)
	return w.View(), w.Edits()
}

// stripped is what another process reads of a view: what went over the wire.
func stripped(view []core.Message) []core.Message {
	bare := make([]core.Message, len(view))
	for i, m := range view {
		bare[i] = core.Message{Role: m.Role, Name: m.Name, Src: int32(i + 1)}
		for p, part := range m.Parts {
			bare[i].Parts = append(bare[i].Parts, core.Part{Kind: part.Kind, Text: part.Text, Tool: part.Tool, CallID: part.CallID, Media: part.Media, Slot: uint32(p)})
		}
	}
	return bare
}

// Whatever core lets an editor do to whatever history: it comes back in every field, and by
// another process from what went over the wire.
func TestSaveAndRestore(t *testing.T) {
	profiles := append(core.Profiles(), nil)
	hidden := 0
	rapid.Check(t, func(t *rapid.T) {
		history := rapid.OneOf(coretest.Histories(coretest.Config{}), coretest.Malformed(coretest.Config{})).Draw(t, "history")
		profile := profiles[rapid.IntRange(0, len(profiles)-1).Draw(t, "profile")]
		view, edits := edited(history, anything(rapid.Uint64().Draw(t, "seed")), core.WithProfile(profile))
		a, err := archive.New(archive.NewMemory(0))
		require.NoError(t, err)
		saved, err := a.Save(context.Background(), "c", history, view, edits, archive.Details{Time: now})
		require.NoError(t, err, "%s", coretest.Format(history))
		hidden += saved.Entries

		back, err := a.Restore(context.Background(), "c", saved.View)
		require.NoError(t, err)
		assert.Zero(t, back.Beyond)
		require.Len(t, back.History, len(history))
		for i := range history {
			assert.Equal(t, history[i], back.History[i])
		}
		for i := range saved.View {
			for p := range saved.View[i].Parts {
				if e := saved.View[i].Parts[p].Elided; e != nil && e.Op != core.Insert && view[i].Parts[p].Elided.Receipt == "" && i < len(history) {
					assert.True(t, archive.Receipt(e.Receipt).Valid() || e.Receipt == "")
				}
			}
		}
		again, err := a.Restore(context.Background(), "c", stripped(view))
		require.NoError(t, err)
		assert.Equal(t, archive.HashOf(history), archive.HashOf(again.History))
		growing := append(slices.Clone(view), core.Message{Role: core.RoleUser, Src: 99, Parts: []core.Part{{Text: "and now?"}}})
		if len(edits) > 0 {
			longer, err := a.Restore(context.Background(), "c", growing)
			require.NoError(t, err)
			assert.Equal(t, 1, longer.Beyond)
			assert.Equal(t, append(slices.Clone(history), growing[len(view)]), longer.History)
		}
	})
	assert.NotZero(t, hidden)
}

// history is a coding session whose results are long.
func history(exchanges int) []core.Message {
	h := coretest.Parse("S=be_brief U=fix_it")
	for i := range exchanges {
		h = append(h, coretest.Parse(fmt.Sprintf("A(c%d) T(c%d) A=seen_%d", i, i, i))...)
		h[len(h)-2].Parts[0].Text = strings.Repeat(fmt.Sprintf("line of file %d\n", i), 60)
	}
	for i := range h {
		h[i].Src = int32(i + 1)
	}
	return h
}

// oldest elides results, and drops them when the target is not reached by that.
var oldest = core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		for i := range w.History {
			if w.History[i].Role == core.RoleTool && !yield(core.Edit{Op: core.Elide, Msg: i, Part: 0, By: -1, Reason: "old"}) {
				return
			}
		}
		for _, g := range w.Groups.List {
			if w.Protection(g.Msgs[0]) == 0 && !yield(core.Edit{Op: core.Drop, Msg: g.Msgs[0], Part: -1, By: -1, Reason: "oldest"}) {
				return
			}
		}
	}
})

// Three collections, each of a longer history and against the raw one: every view on the way
// restores to what there was, and nothing is stored twice.
func TestRestore_ThreeCollectionsDeep(t *testing.T) {
	raw, a := history(40), newArchive(t)
	var views [][]core.Message
	stored := 0
	for n, target := range []int{12_000, 9_000, 3_000} {
		h := raw[:len(raw)*(n+2)/4]
		h = h[:2+(len(h)-2)/3*3]
		view, edits := edited(h, oldest, core.WithTarget(target))
		saved, err := a.Save(t.Context(), "c", h, view, edits, archive.Details{Time: now})
		require.NoError(t, err)
		require.NotZero(t, saved.Entries)
		views = append(views, saved.View)
		all, _, err := a.List(t.Context(), "c", archive.Cursor{}, 1000)
		require.NoError(t, err)
		assert.Greater(t, len(all), stored)
		stored = len(all)
		_, err = a.Save(t.Context(), "c", h, view, edits, archive.Details{Time: now.Add(time.Hour)})
		require.NoError(t, err)
		all, _, err = a.List(t.Context(), "c", archive.Cursor{}, 1000)
		require.NoError(t, err)
		assert.Len(t, all, stored)
		for k, v := range views {
			back, err := a.Restore(t.Context(), "c", v)
			require.NoError(t, err)
			want := raw[:2+(len(raw)*(k+2)/4-2)/3*3]
			assert.Equal(t, want, back.History)
		}
	}
}

func TestSave_NothingHidden(t *testing.T) {
	a, h := newArchive(t), history(3)
	_, err := a.Restore(t.Context(), "c", h)
	var missing *archive.NotFoundError
	require.ErrorAs(t, err, &missing)
	saved, err := a.Save(t.Context(), "c", h, h, nil, archive.Details{})
	require.NoError(t, err)
	assert.Same(t, &h[0], &saved.View[0])
	back, err := a.Restore(t.Context(), "c", h)
	require.NoError(t, err)
	assert.Equal(t, h, back.History)
	// That the beginning hid nothing says nothing of what goes on.
	_, err = a.Restore(t.Context(), "c", append(slices.Clone(h), h[3]))
	require.ErrorAs(t, err, &missing)
}

// Edits that do not account for a difference store nothing.
func TestSave_LedgerError(t *testing.T) {
	h := history(6)
	view, edits := edited(h, oldest, core.WithTarget(1500))
	changed := slices.Clone(view)
	changed[0].Parts = []core.Part{{Text: "another system message"}}
	twice := append(slices.Clone(edits), edits[0])
	marker := slices.Clone(h)
	marker[3].Parts = []core.Part{{Kind: core.KindToolResult, CallID: "c0", Text: "[trimkit: x]", Elided: &core.Elision{}}}
	for name, c := range map[string]struct {
		history, view []core.Message
		edits         []core.Edit
	}{
		"an edit is missing":          {h, view, edits[1:]},
		"edits of another view":       {h, h, edits},
		"a message changed":           {h, changed, edits},
		"a message is gone":           {h, view[1:], edits},
		"a message more":              {h, append(slices.Clone(view), view[0]), edits},
		"an edit twice":               {h, view, twice},
		"an edit beyond the history":  {h, view, append(slices.Clone(edits), core.Edit{Op: core.Drop, Msg: 99})},
		"an edit before the history":  {h, view, append(slices.Clone(edits), core.Edit{Op: core.Drop, Msg: -1})},
		"a part that is not there":    {h, view, append(slices.Clone(edits), core.Edit{Op: core.Elide, Msg: 0, Part: 5})},
		"an unknown operation":        {h, view, append(slices.Clone(edits), core.Edit{Op: 77, Msg: 0})},
		"a marker is not an original": {marker, view, edits},
	} {
		t.Run(name, func(t *testing.T) {
			a := newArchive(t)
			_, err := a.Save(t.Context(), "c", c.history, c.view, c.edits, archive.Details{})
			var ledger *archive.LedgerError
			require.ErrorAs(t, err, &ledger)
			all, _, err := a.List(t.Context(), "c", archive.Cursor{}, 10)
			require.NoError(t, err)
			assert.Empty(t, all)
		})
	}
}

// The receipt that a marker shows before anything is stored is the one that the entry gets.
func TestReceipt(t *testing.T) {
	h, a := history(6), newArchive(t)
	view, edits := edited(h, oldest, core.WithTarget(4000))
	require.NotEmpty(t, edits)
	saved, err := a.Save(t.Context(), "c", h, view, edits, archive.Details{Time: now, Paths: func(msg, part int) []string {
		return []string{fmt.Sprintf("%d/%d.go", msg, part)}
	}})
	require.NoError(t, err)
	for _, e := range saved.Manifest.Edits {
		for _, r := range e.Removed {
			want, err := a.Receipt("c", &h[r.Msg], r.Part)
			require.NoError(t, err)
			assert.Equal(t, want, r.Receipt)
			other, err := a.Receipt("d", &h[r.Msg], r.Part)
			require.NoError(t, err)
			assert.NotEqual(t, want, other)
			entry, err := a.Get(t.Context(), "c", r.Receipt)
			require.NoError(t, err)
			assert.Equal(t, &archive.Entry{
				Receipt: r.Receipt, Conversation: "c", Msg: r.Msg, Part: r.Part, Message: h[r.Msg], Tool: "Read",
				Paths: []string{fmt.Sprintf("%d/%d.go", r.Msg, r.Part)}, Reason: e.Reason, Tokens: e.Before, Time: now,
			}, entry)
			if r.Part >= 0 {
				assert.Equal(t, string(r.Receipt), saved.View[r.Msg].Parts[r.Part].Elided.Receipt)
			}
		}
	}
	assert.Empty(t, view[3].Parts[0].Elided.Receipt, "the caller's view is not written to")
}

// A receipt is part of what programs store: it does not change with a new version.
func TestReceipt_Stable(t *testing.T) {
	a := newArchive(t)
	m := core.Message{Role: core.RoleTool, Src: 3, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "c", Tool: "Read", Text: "text"}}}
	r, err := a.Receipt("conversation", &m, 0)
	require.NoError(t, err)
	assert.Equal(t, archive.Receipt("gkoux5cxn2v4lcqr"), r)
	assert.Equal(t, "96472892fb16cf68a9f21d61e877573b9eb4d38118a04c33b582edbdfc9881b8", archive.HashOf([]core.Message{m}).String())
}

// Two histories that differ in what was dropped alone have one view: that is said, not guessed.
func TestRestore_Ambiguous(t *testing.T) {
	one := history(6)
	two := slices.Clone(one)
	two[4].Parts = []core.Part{{Text: "seen something else"}}
	drop := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return slices.Values([]core.Edit{{Op: core.Drop, Msg: 4, Part: -1, By: -1, Reason: "old"}})
	})
	a := newArchive(t)
	var view []core.Message
	for _, h := range [][]core.Message{one, two, one} {
		v, edits := edited(h, drop)
		view = v
		_, err := a.Save(t.Context(), "c", h, v, edits, archive.Details{Time: now})
		require.NoError(t, err)
	}
	_, err := a.Restore(t.Context(), "c", view)
	var ambiguous *archive.AmbiguousError
	require.ErrorAs(t, err, &ambiguous)
	require.Len(t, ambiguous.Manifests, 2)
	for i, want := range [][]core.Message{one, two} {
		back, err := a.RestoreFrom(t.Context(), ambiguous.Manifests[i], view)
		require.NoError(t, err)
		assert.Equal(t, want, back.History)
	}
}
