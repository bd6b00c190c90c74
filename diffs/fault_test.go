package diffs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// In these stories the first call is message 2 and its result message 3, each further call
// two messages later.

func TestFault_STALE_PrefixIsNotThePath(t *testing.T) {
	foo := body("foo", 20)
	assert.Empty(t, stale(t, tell().do(read("/w/foo.ts", foo...)).do(read("/w/foo.tsx", body("foox", 20)...)).end()))
	assert.Empty(t, stale(t, tell().do(read("/w/foo", foo...)).do(read("/w/foo/bar", body("bar", 20)...)).end()))
	assert.Equal(t, []string{"elide 3"}, stale(t, tell().do(read("/w/foo.ts", foo...)).do(read("/w/foo.ts", foo...)).end()))
}

func TestFault_STALE_Ranges(t *testing.T) {
	lines := body("a", 300)
	assert.Empty(t, stale(t, tell().do(readRange("/w/a", 1, lines[:50]...)).do(readRange("/w/a", 200, lines[199:250]...)).end()),
		"other lines cover nothing")
	assert.Empty(t, stale(t, tell().do(read("/w/a", lines...)).do(readRange("/w/a", 1, lines[:299]...)).end()), "a line is missing")
	assert.Equal(t, []string{"elide 3"}, stale(t, tell().do(readRange("/w/a", 10, lines[9:50]...)).
		do(readRange("/w/a", 1, lines[:25]...)).do(readRange("/w/a", 26, lines[25:60]...)).end()), "ranges add up")
	assert.Empty(t, stale(t, tell().do(readRange("/w/a", 10, lines[9:50]...)).
		do(readRange("/w/a", 1, lines[:25]...)).do(readRange("/w/a", 27, lines[26:60]...)).end()), "line 26 is missing")
}

func TestFault_STALE_EditsMoveLines(t *testing.T) {
	lines := body("a", 60)
	inserted := edit("/w/a", lines[4], lines[4]+strings.Repeat("\ninserted", 10))
	after := slices.Concat(lines[:5], slices.Repeat([]string{"inserted"}, 10), lines[5:])
	s := tell().do(readRange("/w/a", 1, lines[:30]...)).do(inserted)
	assert.Empty(t, stale(t, s.do(readRange("/w/a", 1, after[:30]...)).end()), "lines 21 to 30 are 31 to 40 now")
	s = tell().do(readRange("/w/a", 1, lines[:30]...)).do(inserted)
	assert.Equal(t, []string{"elide 3"}, stale(t, s.do(readRange("/w/a", 1, after[:40]...)).end()))
}

func TestFault_STALE_FailuresCoverNothing(t *testing.T) {
	lines := body("a", 30)
	full := read("/w/a", lines...)
	for name, second := range map[string]step{
		"failed edit":    edit("/w/a", "no such text", "new").failed(),
		"failed re-read": {full.tool, full.arguments, "File does not exist.", core.StatusFailed},
		"refused edit":   {tool: "Edit", arguments: edit("/w/a", lines[0], "new").arguments, result: "The user doesn't want to proceed with this tool use.", status: core.StatusDenied},
		"failed write":   write("/w/a", lines...).failed(),
		"empty search":   call("Grep", map[string]any{"pattern": "x", "path": "/w/a"}, "No matches found"),
	} {
		assert.Empty(t, stale(t, tell().do(full).do(second).end()), name)
	}
}

func TestFault_STALE_FailedEditLeavesAfterSuccess(t *testing.T) {
	lines := body("a", 30)
	failed := edit("/w/a", "line 3 of a that is not there at all", "new").failed()
	failed.result = "String to replace not found in file: " + strings.Repeat("it is not there ", 20)
	assert.Equal(t, []string{"drop 4"}, tell().do(read("/w/a", lines...)).do(failed).do(edit("/w/a", lines[2], "new")).end().
		apply(t, diffs.OutdatedDiffs()))
	assert.Empty(t, tell().do(read("/w/a", lines...)).do(failed).do(edit("/w/b", lines[2], "new")).end().
		apply(t, diffs.OutdatedDiffs()), "that was another file")
	assert.Empty(t, tell().do(read("/w/a", lines...)).do(edit("/w/a", lines[2], "new")).do(failed).end().
		apply(t, diffs.OutdatedDiffs()), "the newest event of a file stays")
}

func TestFault_STALE_DuplicatesPointToWhatIsVisible(t *testing.T) {
	found := call("Grep", map[string]any{"pattern": "x"}, strings.Repeat("a.go:1: x\n", 40))
	s := tell().do(found).do(found).do(found).end()
	w := core.NewWindow(s.history)
	_, err := core.Apply(w, diffs.Duplicates())
	assert.NoError(t, err)
	for _, e := range w.Edits() {
		assert.Equal(t, 7, e.By, "the newest, which stays")
	}
	assert.Len(t, w.Edits(), 2)
	assert.Equal(t, found.result, w.View()[7].Parts[0].Text)
}

func TestFault_STALE_Reverted(t *testing.T) {
	lines := body("a", 30)
	changed := slices.Clone(lines)
	changed[2] = "something else altogether"
	s := tell().do(read("/w/a", lines...)).do(edit("/w/a", lines[2], changed[2])).do(read("/w/a", changed...)).
		do(bash("git checkout -- /w/a", "Updated 1 path from the index")).end()
	assert.Empty(t, s.apply(t, diffs.StaleReads(), diffs.OutdatedDiffs(), diffs.Duplicates()), "the older copy may be right again")

	s = tell().do(read("/w/a", lines...)).do(edit("/w/a", lines[2], changed[2])).do(read("/w/a", changed...)).
		do(edit("/w/a", changed[2], lines[2])).end()
	w := core.NewWindow(s.history)
	_, err := core.Apply(w, diffs.StaleReads())
	assert.NoError(t, err)
	assert.Len(t, w.Edits(), 1)
	assert.Equal(t, 7, w.Edits()[0].By)
	assert.NotContains(t, w.View()[3].Parts[0].Text, "outdated", "no lie: a newer copy shows the same lines")
}

func TestFault_STALE_OneIdentity(t *testing.T) {
	lines := body("a", 30)
	for _, paths := range [][2]string{
		{"/w/a.go", "/w/./a.go"},
		{"/w/sub/../a.go", "/w/a.go"},
		{"./a.go", "a.go"},
		{`C:\w\a.go`, "C:/w/a.go"},
	} {
		assert.Equal(t, []string{"elide 3"}, stale(t, tell().do(read(paths[0], lines...)).do(read(paths[1], lines...)).end()), paths)
	}
	rooted, err := diffs.NewTools(diffs.WithRoot("/w"))
	assert.NoError(t, err)
	s := tell().do(read("/w/src/a.go", lines...)).do(read("src/a.go", lines...)).end()
	assert.Equal(t, []string{"elide 3"}, s.apply(t, diffs.StaleReads(diffs.WithTools(rooted))))

	s = tell().do(read("/w/a.go", lines...)).do(bash("mv /w/a.go /w/b.go", "")).do(read("/w/b.go", lines...)).end()
	assert.Equal(t, []string{"elide 3"}, stale(t, s), "a move carries the identity over")
	s = tell().do(read("/w/b.go", lines...)).do(bash("mv /w/b.go /w/c.go", "")).do(write("/w/b.go", body("other", 30)...)).end()
	assert.Empty(t, stale(t, s), "that is another file by the same name")
	s = tell().do(read("/w/src/a.go", lines...)).do(edit("/w/src/a.go", lines[3], "new")).do(read("/w/src/a.go", changed(lines, 3)...)).
		do(bash("rm -r /w/src", "")).end()
	assert.Empty(t, stale(t, s), "what a folder held may come back")
	s = tell().do(read("/w/a.go", lines...)).do(bash("rm /w/a.go", "")).end()
	assert.Empty(t, stale(t, s), "nothing newer shows it")
}

func TestFault_STALE_PatchOfThreeFiles(t *testing.T) {
	a, b, c := body("a", 20), body("b", 20), body("c", 20)
	var patch strings.Builder
	patch.WriteString("*** Begin Patch\n")
	for _, f := range [][2]string{{"a", a[0]}, {"b", b[0]}, {"c", c[0]}} {
		patch.WriteString("*** Update File: /w/" + f[0] + "\n@@\n-" + f[1] + "\n+new first line\n")
	}
	patch.WriteString("*** End Patch")
	s := tell().do(read("/w/a", a...), read("/w/b", b...), read("/w/c", c...)).
		do(call("apply_patch", map[string]any{"input": patch.String()}, "Success. Updated the following files:\nM /w/a\nM /w/b\nM /w/c\n")).end()
	for _, f := range diffs.State(s.history) {
		text, known := f.Text(diffs.Lines{First: 1, Last: 2})
		assert.True(t, known, f.Path)
		assert.Equal(t, "new first line\nline 2 of "+strings.TrimPrefix(f.Path, "/w/")+", as it was written first", text)
	}
}

func TestFault_STALE_NewestAndUnreadStay(t *testing.T) {
	lines := body("a", 30)
	assert.Equal(t, []string{"elide 3"}, stale(t, tell().do(read("/w/a", lines...)).do(read("/w/a", lines...)).end()),
		"the newest does not count as later than itself")
	assert.Empty(t, stale(t, tell().do(read("/w/a", lines...), read("/w/a", lines...))), "nobody has read either")
	assert.Equal(t, []string{"elide 3"}, stale(t, tell().do(read("/w/a", lines...)).do(read("/w/a", lines...))),
		"an unread copy covers an older one")
}

func TestFault_STALE_UserTextStays(t *testing.T) {
	pasted := strings.Join(body("a", 30), "\n")
	s := tell().user("Here is a.go:\n" + pasted).do(read("/w/a.go", body("a", 30)...)).user("Again:\n" + pasted).end()
	assert.Empty(t, s.apply(t, diffs.StaleReads(), diffs.OutdatedDiffs(), diffs.Duplicates(), diffs.Superseded(), diffs.OutdatedReads()))
}

func TestFault_STALE_ContentIsNoOutcome(t *testing.T) {
	lines := append([]string{"Error: file not found", "error: permission denied", "failed"}, body("log", 30)...)
	first, second := read("/w/log", lines...), read("/w/log", lines...)
	first.status, second.status = core.StatusUnknown, core.StatusUnknown
	assert.Equal(t, []string{"elide 3"}, stale(t, tell().do(first).do(second).end()))
}

func TestFault_STALE_TestsAreEvidence(t *testing.T) {
	output := strings.Repeat("ok  \tpackage\t0.1s\n", 20)
	test := bash("go test ./...", output)
	change := edit("/w/a", "old", "new")
	duplicates := []core.Editor{diffs.StaleReads(), diffs.OutdatedDiffs(), diffs.Duplicates()}
	assert.Empty(t, tell().do(test).do(change).do(test).end().apply(t, duplicates...), "an edit in between")
	assert.Empty(t, tell().do(test).do(bash("go test ./...", output+"FAIL")).end().apply(t, duplicates...), "another result")
	assert.Equal(t, []string{"elide 3"}, tell().do(test).do(test).end().apply(t, duplicates...))
	found := call("Grep", map[string]any{"pattern": "x"}, output)
	assert.Empty(t, tell().do(found).do(write("/w/b", "x")).do(found).end().apply(t, duplicates...), "a write in between")
	assert.Empty(t, tell().do(found).do(bash("gofmt -w .", "")).do(found).end().apply(t, duplicates...), "perhaps a write in between")
}

func TestFault_MARKER_NeverInArguments(t *testing.T) {
	first, second := body("a", 60), body("a2", 60)
	s := tell().reply("I rewrite it.").do(write("/w/a", first...)).do(write("/w/a", second...)).end()
	w := core.NewWindow(s.history)
	for _, e := range []core.Editor{diffs.StaleReads(), diffs.OutdatedDiffs(), diffs.Duplicates(), diffs.OutdatedReads(), diffs.Superseded(), diffs.Fold()} {
		_, err := core.Apply(w, e)
		assert.NoError(t, err)
	}
	for _, m := range w.View() {
		for _, p := range m.Parts {
			if p.Kind == core.KindToolCall {
				assert.NotContains(t, p.Text, core.MarkerPrefix)
			}
		}
	}
	assert.NotEmpty(t, w.Edits())
}

func TestFault_MARKER_TinyOutputsStay(t *testing.T) {
	assert.Empty(t, stale(t, tell().do(read("/w/a", "x")).do(read("/w/a", "x")).end()))
	assert.Empty(t, tell().do(bash("ls", "a b c")).do(bash("ls", "a b c")).end().apply(t, diffs.Duplicates()))
}

func TestFault_MARKER_IsNoCopy(t *testing.T) {
	lines := body("a", 30)
	s := tell().do(read("/w/a", lines...)).do(read("/w/a", lines...)).end()
	view, err := core.Transform(diffs.StaleReads()).Transform(t.Context(), s.history)
	assert.NoError(t, err)
	view = append(slices.Clone(view[:3]), view...) // the marker of the first read is the newest now
	again := slices.Concat(s.history[:len(s.history)-3], view[2:4], s.history[len(s.history)-3:])
	for i := range again {
		again[i].Src = int32(i + 1)
	}
	for _, e := range (&story{history: again}).apply(t, diffs.StaleReads(), diffs.Duplicates()) {
		assert.NotEqual(t, "elide 5", e, "the last copy with content stays")
	}
}

func TestFault_MARKER_SaysThatItWasAnError(t *testing.T) {
	lines := body("a", 30)
	failed := edit("/w/a", "not there", "new").failed()
	failed.result = "String to replace not found in file. " + strings.Repeat("Look again. ", 40)
	s := tell().do(read("/w/a", lines...))
	s.do(failed)
	s.history[4].Parts = append(s.history[4].Parts, core.Part{Text: "I change it.", Slot: 1}) // so that the call stays
	s.do(edit("/w/a", lines[2], "new")).end()
	view, err := core.Transform(diffs.OutdatedDiffs()).Transform(t.Context(), s.history)
	assert.NoError(t, err)
	assert.Contains(t, view[5].Parts[0].Text, "error")
	assert.Equal(t, core.StatusFailed, view[5].Parts[0].Status)

	s.history[5].Parts[0].Status = core.StatusUnknown // only the tool's own words say it
	s.history[5].Parts[0].Text = "<tool_use_error>" + failed.result + "</tool_use_error>"
	view, err = core.Transform(diffs.OutdatedDiffs()).Transform(t.Context(), s.history)
	assert.NoError(t, err)
	assert.Contains(t, view[5].Parts[0].Text, "it failed")
	assert.True(t, diffs.State(view)[0].Certain, "the failure is known behind the marker too")
}

func TestFault_PARALLEL_ExchangeLeavesWholeOrStays(t *testing.T) {
	a, b := body("a", 30), body("b", 30)
	s := tell().do(write("/w/a", a...), write("/w/b", b...)).do(read("/w/a", a...)).end()
	assert.Empty(t, s.apply(t, diffs.OutdatedDiffs()), "b is shown nowhere else")
	s = tell().do(write("/w/a", a...), write("/w/b", b...)).do(read("/w/a", a...), read("/w/b", b...)).end()
	assert.Equal(t, []string{"drop 2"}, s.apply(t, diffs.OutdatedDiffs()))
	view, err := core.Transform(diffs.OutdatedDiffs()).Transform(t.Context(), s.history)
	assert.NoError(t, err)
	assert.Empty(t, core.Check(core.Anthropic, view))
}

func TestFault_PARALLEL_OrderWithinAReplyIsUnknown(t *testing.T) {
	lines := body("a", 30)
	s := tell().do(read("/w/a", lines...)).do(read("/w/a", lines...), edit("/w/a", lines[3], "new")).end()
	assert.NotContains(t, s.apply(t, diffs.OutdatedDiffs()), "drop 4")
	for _, f := range diffs.State(s.history) {
		assert.False(t, f.Certain, "was it read before the edit or after?")
	}
}

func TestFault_ORPHAN_ResultsOutOfOrder(t *testing.T) {
	a, b := body("a", 30), body("b", 30)
	s := tell().do(read("/w/a", a...), read("/w/b", b...)).do(read("/w/a", a...)).end()
	s.history[3], s.history[4] = s.history[4], s.history[3]
	s.history[3].Src, s.history[4].Src = 4, 5
	assert.Equal(t, []string{"elide 4"}, stale(t, s), "the result of a, wherever it stands")
	s.history = slices.Insert(s.history, 4, core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: "a note"}}})
	for i := range s.history {
		s.history[i].Src = int32(i + 1)
	}
	assert.Equal(t, []string{"elide 5"}, stale(t, s))
	s.history = slices.Delete(s.history, 2, 3) // now they are orphans
	assert.Empty(t, stale(t, s))
}
