package diffs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

func TestStaleReads(t *testing.T) {
	lines := body("a", 30)
	text := strings.Join(lines, "\n") + "\n"
	changed := changed(lines, 3)
	for name, test := range map[string]struct {
		story *story
		want  []string
	}{
		"a write covers a read":              {tell().do(read("/w/a", lines...)).do(write("/w/a", lines...)), []string{"elide 3"}},
		"an edit alone covers one line":      {tell().do(read("/w/a", lines...)).do(edit("/w/a", lines[3], "new")), nil},
		"read, edit, read":                   {tell().do(read("/w/a", lines...)).do(edit("/w/a", lines[3], "new")).do(read("/w/a", changed...)), []string{"elide 3"}},
		"reads of one version add up":        {tell().do(read("/w/a", lines...)).do(readRange("/w/a", 1, lines[:15]...)).do(readRange("/w/a", 16, lines[15:]...)), []string{"elide 3"}},
		"the end may be missing":             {tell().do(read("/w/a", lines...)).do(readRange("/w/a", 1, lines[:15]...)), nil},
		"shell reads":                        {tell().do(bash("cat /w/a", text)).do(bash("sed -n '1,40p' /w/a", text)), []string{"elide 3"}},
		"a command that may change the file": {tell().do(read("/w/a", lines...)).do(edit("/w/a", lines[3], "new")).do(read("/w/a", changed...)).do(bash("gofmt -w .", "")), nil},
		"and a whole copy behind it":         {tell().do(read("/w/a", lines...)).do(edit("/w/a", lines[3], "new")).do(bash("gofmt -w .", "")).do(read("/w/a", changed...)), []string{"elide 3"}},
		"equal copies before it":             {tell().do(read("/w/a", lines...)).do(read("/w/a", lines...)).do(bash("gofmt -w .", "")), []string{"elide 3"}},
		"edits replace each other's lines":   {tell().do(read("/w/a", "x")).do(edit("/w/a", "x", strings.Join(lines, "\n"))).do(read("/w/a", lines...)), nil},
	} {
		assert.Equal(t, test.want, stale(t, test.story.end()), name)
	}
}

func TestOutdatedDiffs(t *testing.T) {
	a, b := body("a", 30), body("b", 30)
	changed := changed(a, 3)
	for name, test := range map[string]struct {
		story *story
		want  []string
	}{
		"a whole copy covers a write":       {tell().do(write("/w/a", a...)).do(read("/w/a", a...)), []string{"drop 2"}},
		"and a later write":                 {tell().do(write("/w/a", a...)).do(write("/w/a", b...)), []string{"drop 2"}},
		"lines that nothing newer shows":    {tell().do(write("/w/a", a...)).do(readRange("/w/a", 1, a[:29]...)), nil},
		"the barrier between two reads":     {tell().do(read("/w/a", a...)).do(edit("/w/a", a[3], "new")).do(read("/w/a", changed...)), nil},
		"the only change between two tests": {tell().do(bash("go test ./...", "FAIL")).do(write("/w/a", a...)).do(bash("go test ./...", "ok")).do(read("/w/a", a...)), nil},
		"the last of two changes is one":    {tell().do(bash("go test ./...", "FAIL")).do(write("/w/a", a...)).do(write("/w/a", b...)).do(bash("go test ./...", "ok")), []string{"drop 4"}},
		"an edit whose lines a later edit has": {tell().do(edit("/w/a", "start", a[1])).do(edit("/w/a", a[1], a[2])).
			do(read("/w/a", changed...)), []string{"drop 2", "drop 4"}},
		"never read": {tell().do(write("/w/a", a...)).do(write("/w/a", b...)).do(read("/w/c", b...)), []string{"drop 2"}},
	} {
		assert.Equal(t, test.want, test.story.end().apply(t, diffs.OutdatedDiffs()), name)
	}
}

func TestOutdatedDiffsKeepsTextAndArguments(t *testing.T) {
	a := body("a", 30)
	first := write("/w/a", a...)
	first.result = "File created:\n" + strings.Repeat("a line that the tool echoes\n", 20)
	s := tell().do(first)
	s.history[2].Parts = append([]core.Part{{Text: "I write it anew.", Slot: 9}}, s.history[2].Parts...)
	s.do(read("/w/a", a...)).end()
	assert.Equal(t, []string{"elide 3"}, s.apply(t, diffs.OutdatedDiffs()))

	s.history[2].Parts = s.history[2].Parts[1:]
	assert.Equal(t, []string{"drop 2"}, s.apply(t, diffs.OutdatedDiffs()))
	s.history[2].Policy = core.Locked
	assert.Empty(t, s.apply(t, diffs.OutdatedDiffs()))
}

func TestOutdatedReads(t *testing.T) {
	a := body("a", 30)
	s := tell().do(readRange("/w/a", 1, a[:15]...)).do(readRange("/w/a", 16, a[15:]...)).do(edit("/w/a", a[3], "new")).end()
	assert.Equal(t, []string{"elide 3", "elide 5"}, s.apply(t, diffs.OutdatedReads(diffs.WithKeep(0))))
	assert.Empty(t, s.apply(t, diffs.OutdatedReads()), "too new")
	assert.Equal(t, []string{"elide 3"}, s.apply(t, diffs.OutdatedReads(diffs.WithKeep(5))))

	s = tell().do(read("/w/a", a...)).do(bash("rm /w/a", "")).end()
	assert.Equal(t, []string{"elide 3"}, s.apply(t, diffs.OutdatedReads(diffs.WithKeep(0))))
	s = tell().do(read("/w/a", a...)).do(edit("/w/a", a[3], "new").failed()).end()
	assert.Empty(t, s.apply(t, diffs.OutdatedReads(diffs.WithKeep(0))))
}

func TestSuperseded(t *testing.T) {
	short, long := strings.Repeat("M a.go\n", 40), strings.Repeat("M a.go\n", 50)
	change := edit("/w/a", "x", "y")
	all := diffs.Superseded(diffs.WithKeep(0))
	for _, command := range []string{"git status --short", "git diff", "ls -la", "go test ./..."} {
		assert.Equal(t, []string{"elide 3"}, tell().do(bash(command, short)).do(change).do(bash(command, long)).end().apply(t, all), command)
		assert.Empty(t, tell().do(bash(command, long)).do(change).do(bash(command, short)).end().apply(t, all), command)
		assert.Empty(t, tell().do(bash(command, short)).do(change).do(bash(command, long)).end().apply(t, diffs.Superseded()), command)
	}
	assert.Empty(t, tell().do(bash("ls", short)).do(bash("ls", long).failed()).end().apply(t, all))
	assert.Empty(t, tell().do(bash("ls a", short)).do(bash("ls b", long)).end().apply(t, all))
}

func TestFold(t *testing.T) {
	a := body("a", 60)
	s := tell().do(read("/w/a", a...))
	for i := 10; i < 16; i++ {
		s.do(edit("/w/a", a[i], "a new line, which is as long as the one that stood there "+a[i]))
	}
	s.end()
	w := core.NewWindow(s.history)
	_, err := core.Apply(w, diffs.Fold())
	require.NoError(t, err)
	var note string
	for _, m := range w.View() {
		if m.Inserted() {
			note = m.Parts[0].Text
		}
	}
	assert.Len(t, w.Edits(), 7, "an insertion for six exchanges")
	assert.Contains(t, note, "6 edits of /w/a")
	assert.Contains(t, note, "@@ -8,12 +8,12 @@")
	assert.Equal(t, 6, strings.Count(note, "\n+a new line"))
	assert.Empty(t, core.Check(core.Anthropic, w.View()))

	again, err := core.Transform(diffs.Fold()).Transform(t.Context(), w.View())
	require.NoError(t, err)
	assert.Len(t, again, len(w.View()), "once is enough")
}

func TestFoldLeavesWhatItCannotRebuild(t *testing.T) {
	a := body("a", 60)
	change := func(i int) step { return edit("/w/a", a[i], "a new line, as long as the old one was: "+a[i]) }
	for name, s := range map[string]*story{
		"original not visible": tell().do(readRange("/w/a", 1, a[:40]...)).do(change(10)).do(change(11)).do(change(12)).do(change(13)),
		"one edit":             tell().do(read("/w/a", a...)).do(change(10)),
		"text in between":      tell().do(read("/w/a", a...)).do(change(10)).do(read("/w/b", a...), change(11)).do(change(12)),
		"tests in between":     tell().do(read("/w/a", a...)).do(bash("go test", "FAIL")).do(change(10)).do(bash("go test", "FAIL")).do(change(11)),
		"something else wrote": tell().do(read("/w/a", a...)).do(change(10)).do(bash("gofmt -w .", "")).do(change(11)),
	} {
		assert.Empty(t, s.end().apply(t, diffs.Fold()), name)
	}
}

func TestState(t *testing.T) {
	a := body("a", 30)
	s := tell().do(readRange("/w/a", 5, a[4:10]...)).do(edit("/w/a", a[5], "new")).do(write("/w/b", "x", "y")).
		do(read("/w/c", a...)).do(bash("sed -i s/x/y/ /w/c", "")).end()
	files := diffs.State(s.history)
	require.Len(t, files, 3)
	assert.Equal(t, []diffs.Lines{{First: 5, Last: 10}}, files[0].Known)
	assert.False(t, files[0].Complete)
	assert.True(t, files[0].Certain)
	assert.Equal(t, diffs.Edit, files[0].Last.Op)
	text, known := files[0].Text(diffs.Lines{First: 5, Last: 7})
	assert.True(t, known)
	assert.Equal(t, a[4]+"\nnew\n"+a[6], text)
	_, known = files[0].Text(diffs.Lines{First: 5, Last: 11})
	assert.False(t, known)
	assert.True(t, files[1].Complete)
	assert.Equal(t, "x\ny", files[1].Content())
	assert.False(t, files[2].Certain, "sed may have changed anything in it")
	assert.Empty(t, files[2].Known)
}
