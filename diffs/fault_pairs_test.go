package diffs_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// every editor of the package, those that lose something without a tail.
func everyEditor() []core.Editor {
	return []core.Editor{
		diffs.StaleReads(), diffs.OutdatedDiffs(), diffs.Duplicates(), diffs.Fold(),
		diffs.Superseded(diffs.WithKeep(0)), diffs.OutdatedReads(diffs.WithKeep(0)),
	}
}

// renumber gives the messages of a story that was rearranged their places.
func (s *story) renumber() *story {
	for i := range s.history {
		s.history[i].Src = int32(i + 1)
	}
	return s
}

// view applies every editor, and checks that no provider finds anything new.
func (s *story) view(t *testing.T) []core.Message {
	t.Helper()
	w := core.NewWindow(s.history)
	for _, e := range everyEditor() {
		_, err := core.Apply(w, e)
		require.NoError(t, err)
	}
	for _, p := range core.Profiles() {
		assert.LessOrEqual(t, len(core.Check(p, w.View())), len(core.Check(p, s.history)), p.Name)
	}
	return w.View()
}

func TestFault_PARALLEL_EightCallsInAnotherOrder(t *testing.T) {
	var steps []step
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		steps = append(steps, read("/w/"+name, body(name, 20)...))
	}
	s := tell().do(steps...).do(steps[2], steps[5]).end()
	slices.Reverse(s.history[3:11])
	s.renumber()
	assert.Equal(t, []string{"elide 5", "elide 8"}, stale(t, s), "the results of f and c, behind one another")
	s.view(t)
}

func TestFault_PARALLEL_SomeAnswered(t *testing.T) {
	a, b := body("a", 20), body("b", 20)
	s := tell().do(read("/w/a", a...), edit("/w/b", b[0], "new"), read("/w/b", b...))
	s.history = slices.Delete(s.history, 4, 6) // only a was answered
	s.user("Never mind.").do(read("/w/a", a...)).do(read("/w/b", b...)).end().renumber()
	assert.Equal(t, []string{"elide 3"}, stale(t, s))
	assert.Empty(t, s.apply(t, diffs.OutdatedDiffs()), "an edit that nobody answered may have happened")
	s.view(t)
}

func TestFault_PARALLEL_SameIDAgain(t *testing.T) {
	a, b := body("a", 20), body("b", 20)
	s := tell().do(read("/w/a", a...)).do(read("/w/b", b...)).do(read("/w/a", a...)).end()
	for i := range s.history {
		for p := range s.history[i].Parts {
			if s.history[i].Parts[p].CallID != "" {
				s.history[i].Parts[p].CallID = "call_1"
			}
		}
	}
	assert.Equal(t, []string{"elide 3"}, stale(t, s))
}

func TestFault_ORPHAN_ResultsOverTwoMessages(t *testing.T) {
	a, b := body("a", 20), body("b", 20)
	s := tell().do(write("/w/a", a...), write("/w/b", b...)).do(read("/w/a", a...), read("/w/b", b...)).end()
	s.history = slices.Insert(s.history, 4, core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: "A note in between."}}})
	view := s.renumber().view(t)
	for i := range view {
		assert.NotEqual(t, int32(3), view[i].Src, "the calls left")
		assert.NotContains(t, []int32{4, 6}, view[i].Src, "and both results with them")
	}
	assert.Len(t, view, len(s.history)-3, "the note stays")
}

func TestFault_ORPHAN_InTheInput(t *testing.T) {
	a := body("a", 20)
	s := tell().do(read("/w/a", a...)).do(edit("/w/a", a[2], "new"), edit("/w/a", a[3], "newer")).do(read("/w/a", a...)).end()
	s.history = slices.Delete(s.history, 4, 5) // results without calls
	before := len(core.Check(core.Anthropic, s.renumber().history))
	require.NotZero(t, before)
	assert.Len(t, core.Check(core.Anthropic, s.view(t)), before, "still reported, and no more of it")
}

func TestFault_ORPHAN_EmptyResultIsAResult(t *testing.T) {
	s := tell().do(bash("touch /w/a", "")).do(bash("touch /w/a", "")).end()
	assert.Len(t, s.view(t), len(s.history))
}

func TestFault_ORPHAN_NothingRemoved(t *testing.T) {
	s := tell().do(read("/w/a", body("a", 20)...))
	s.history = append(s.history, core.Message{Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "nobody", Text: "x"}}})
	s.end().renumber()
	view := s.view(t)
	assert.Same(t, &s.history[0], &view[0], "the very input")
}
