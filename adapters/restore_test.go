package adapters_test

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// note is a framework's message.
type note struct{ text string }

var notes = adapters.Native[*note]{
	Edit: func(_ *note, pieces []core.Message) (*note, error) {
		var text strings.Builder
		for _, m := range pieces {
			for _, p := range m.Parts {
				text.WriteString(p.Text)
			}
		}
		return &note{text.String()}, nil
	},
	Insert: func(m *core.Message) (*note, error) { return &note{"new: " + m.Parts[0].Text}, nil },
}

func natives(history []core.Message) (list []*note) {
	for i := range history {
		for len(list) < int(history[i].Src) {
			list = append(list, &note{})
		}
		list[history[i].Src-1].text += history[i].Parts[0].Text
	}
	return list
}

func TestRestore_WithoutEditsTheSameValues(t *testing.T) {
	native := natives(history)
	same, err := adapters.Restore(notes, native, history, history)
	require.NoError(t, err)
	assert.Same(t, &native[0], &same[0], "the slice itself")

	copied := append([]core.Message(nil), history...)
	for i := range copied {
		copied[i].Parts = append([]core.Part(nil), copied[i].Parts...)
	}
	again, err := adapters.Restore(notes, native, history, copied)
	require.NoError(t, err)
	require.Len(t, again, len(native))
	for i := range native {
		assert.Same(t, native[i], again[i])
	}
}

func TestRestore_Edits(t *testing.T) {
	native := natives(history)
	before := natives(history)
	edits := []core.Edit{
		{Op: core.Drop, Msg: 4, Part: -1, By: -1, Reason: "old"},
		{Op: core.Elide, Msg: 3, Part: 0, By: -1, Reason: "old"},
		{Op: core.Insert, Msg: 4, Part: -1, By: -1, Reason: "notice", Text: "[trimkit: notice]"},
	}
	w := core.NewWindow(history)
	refused, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values(edits) }))
	require.NoError(t, err)
	require.Empty(t, refused)
	got, err := adapters.Restore(notes, native, history, w.View())
	require.NoError(t, err)
	require.Len(t, got, 6)
	assert.Same(t, native[2], got[2])
	assert.Contains(t, got[3].text, core.MarkerPrefix)
	assert.Equal(t, "new: [trimkit: notice]", got[4].text)
	assert.Same(t, native[5], got[5])
	assert.Equal(t, before, native, "nothing is written to")
}

// A message that the adapter made two of is edited as one.
func TestRestore_NeighboursOfOneSrc(t *testing.T) {
	split := coretest.Parse("U A(c1) T(c1) U A")
	split[3].Src, split[4].Src = 3, 4 // the results and the user's text were one
	native := natives(split)
	require.Len(t, native, 4)

	view := append(append([]core.Message(nil), split[:3]...), split[4])
	got, err := adapters.Restore(notes, native, split, view)
	require.NoError(t, err)
	require.Len(t, got, 4)
	assert.NotSame(t, native[2], got[2], "half of it is gone")
	assert.Equal(t, split[2].Parts[0].Text, got[2].text)
}

// A message that an edit inserts between the two parts the native one.
func TestRestore_InsertedBetweenNeighboursOfOneSrc(t *testing.T) {
	split := coretest.Parse("U A(c1) T(c1) U A")
	split[3].Src, split[4].Src = 3, 4
	notice := core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: "note", Elided: &core.Elision{Op: core.Insert}}}}
	view := append(append([]core.Message(nil), split[:3]...), notice, split[3], split[4])
	native := natives(split)
	got, err := adapters.Restore(notes, native, split, view)
	require.NoError(t, err)
	require.Len(t, got, 6)
	assert.Equal(t, []string{split[2].Parts[0].Text, "new: note", split[3].Parts[0].Text}, []string{got[2].text, got[3].text, got[4].text})
	assert.Same(t, native[3], got[5])
}

func TestRestore_Errors(t *testing.T) {
	native := natives(history)
	alien := append([]core.Message(nil), history[:2]...)
	alien[1].Src = 40
	_, err := adapters.Restore(notes, native, history, alien)
	assert.ErrorContains(t, err, "message 1 of the view has Src 40")

	back := []core.Message{history[2], history[1]}
	_, err = adapters.Restore(notes, native, history, back)
	assert.ErrorContains(t, err, "not behind")

	fails := notes
	boom := errors.New("boom")
	fails.Edit = func(*note, []core.Message) (*note, error) { return nil, boom }
	edited := append([]core.Message(nil), history...)
	edited[1].Parts = []core.Part{{Text: "x", Elided: &core.Elision{Op: core.Elide}}}
	_, err = adapters.Restore(fails, native, history, edited)
	require.ErrorIs(t, err, boom)
	assert.ErrorContains(t, err, "message 1 of the framework's")
}
