package diffs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParsePatch(t *testing.T) {
	change := func(before, after string) []Change { return []Change{{Old: before, New: after, Whole: true}} }
	tests := []struct {
		name, patch string
		want        []Event
	}{
		{"unified", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", []Event{{Op: Edit, Path: "x", Certain: true, Changes: change("a\nb\n", "a\nc\n")}}},
		{"two files", "--- x\n+++ x\n@@ -1 +1 @@\n-b\n+c\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-d\n+e\n", []Event{
			{Op: Edit, Path: "x", Certain: true, Changes: change("b\n", "c\n")}, {Op: Edit, Path: "y", Certain: true, Changes: change("d\n", "e\n")},
		}},
		{"two hunks", "--- x\n+++ x\n@@ -1 +1 @@\n-b\n+c\n@@ -9,0 +10 @@\n+z\n", []Event{{Op: Edit, Path: "x", Certain: true, Changes: []Change{
			{Old: "b\n", New: "c\n", Whole: true}, {New: "z\n", First: 10, Last: 9},
		}}}},
		{"deleted", "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n", []Event{{Op: Delete, Path: "x", Certain: true}}},
		{"renamed", "diff --git a/x b/y\nrename from x\nrename to y\n", []Event{{Op: Move, Path: "x", To: "y", Certain: true}}},
		{"cut", "*** Begin Patch\n*** Update File: x\n@@\n-b\n+c", []Event{{Op: Edit, Path: "x", Changes: change("b\n", "c\n")}}},
		{"windows", "*** Begin Patch\r\n*** Update File: x\r\n@@ f()\r\n a\r\n-b\r\n*** End Patch\r\n", []Event{{Op: Edit, Path: "x", Certain: true, Changes: change("a\nb\n", "a\n")}}},
		{"at the end", "*** Begin Patch\n*** Update File: x\n@@\n+c\n*** End of File\n*** End Patch", []Event{{Op: Edit, Path: "x", Certain: true, Changes: []Change{{New: "c\n", First: -1}}}}},
		{"nothing", "no patch", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, parsePatch(test.patch)) })
	}
	created := parsePatch("--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n")
	require.Len(t, created, 1)
	require.Len(t, created[0].Copies, 1)
	assert.Equal(t, "a\nb", created[0].Copies[0].Text())
}

func TestPythonCalls(t *testing.T) {
	calls, ok := pythonCalls("# first\nf('a', \"b\\n\\x41\", n=3)\ng(\n'''x\ny''',\n)\nh(r'\\d', 'a' 'b', -1)")
	require.True(t, ok)
	assert.Equal(t, []pythonCall{
		{"f", map[string]string{"0": "a", "1": "b\nA", "n": "3"}},
		{"g", map[string]string{"0": "x\ny"}},
		{"h", map[string]string{"0": `\d`, "1": "ab", "2": "-1"}},
	}, calls)
	for _, code := range []string{"x = 1", "f(a)", "f('a'", "f('a)", "f(f'{a}')", "f('\\N{DASH}')", "!ls", "f('a') + 1", "f(1"} {
		_, ok := pythonCalls(code)
		assert.False(t, ok, code)
	}
}

func TestCleanPath(t *testing.T) {
	tests := []struct {
		path    string
		windows bool
		want    string
	}{
		{"./a/../b", false, "b"},
		{"/a//b/", false, "/a/b"},
		{"../a", false, "../a"},
		{`C:\src\.\a.go`, false, "c:/src/a.go"},
		{`src\a.go`, false, `src\a.go`},
		{`src\a.go`, true, "src/a.go"},
		{"file:///w/a%20b", false, "/w/a b"},
		{"file:///C:/w/a", false, "c:/w/a"},
		{"", false, ""},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, cleanPath(test.path, test.windows), test.path)
	}
}

func TestPlacesInfer(t *testing.T) {
	tests := []struct {
		name    string
		paths   []string
		visited string
		want    string
	}{
		{"two relative paths", []string{"src/a.ts", "lib/b.ts", "/w/src/a.ts", "/w/lib/b.ts"}, "", "/w"},
		{"one alone is no proof", []string{"src/a.ts", "/w/src/a.ts"}, "", ""},
		{"one where commands ran", []string{"src/a.ts", "/w/src/a.ts"}, "/w", "/w"},
		{"a name alone is none", []string{"README.md", "go.mod", "/w/README.md", "/w/go.mod"}, "/w", ""},
		{"two worktrees", []string{"src/a.ts", "lib/b.ts", "/w/1/src/a.ts", "/w/1/lib/b.ts", "/w/2/src/a.ts"}, "/w/1", ""},
		{"windows", []string{"src/a.ts", `lib\b.ts`, `C:\w\src\a.ts`, "c:/w/lib/b.ts"}, "", "c:/w"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPlaces("")
			for _, name := range test.paths {
				p.note(name)
			}
			p.visit(test.visited)
			p.infer()
			assert.Equal(t, test.want, p.root)
		})
	}
}

func TestPlacesStatements(t *testing.T) {
	for text, want := range map[string]string{
		"Working directory: /w/x":                          "/w/x",
		"<env>\n  Working directory: /w/x\n</env>":         "/w/x",
		"- Primary working directory: /w/x":                "/w/x",
		"<cwd>/w/x</cwd>":                                  "/w/x",
		"I'm currently working in the directory: /w/x\nso": "/w/x",
		"The working directory: /w/x is mine":              "",
		"Current working directory: `C:\\w`":               "c:/w",
		"Working directory: here":                          "",
	} {
		p := newPlaces("")
		if m := stated.FindStringSubmatch(text); m != nil {
			p.state(m[1])
		}
		assert.Equal(t, want, p.root, text)
	}
	p := newPlaces("")
	p.link("a/b.txt", "Wrote to: /w/x/a/b.txt.\nmore")
	assert.Equal(t, "/w/x", p.root)
	for _, result := range []string{"Wrote to /w/a/b.txtx", "Wrote a/b.txt", "\n/w/a/b.txt", ""} {
		p := newPlaces("")
		p.link("a/b.txt", result)
		assert.Empty(t, p.root, result)
	}
}

func TestNumberedText(t *testing.T) {
	tests := []struct {
		raw          string
		first, lines int
		text, rest   string
	}{
		{"1\ta\n2\tb", 1, 2, "a\nb", ""},
		{"    9→a\r\n   10→b\r\n", 9, 2, "a\nb", "\n"},
		{"1:a\n3:b", 1, 1, "a", "\n3:b"},
		{"1|a\n\n2|b", 1, 1, "a", "\n\n2|b"},
		{"00001| a\n00002| ", 1, 2, "a\n", ""},
		{" 7 | a\n 8 |\n 9 |  b", 7, 3, "a\n\n b", ""},
		{"1\ta\n2\t" + strings.Repeat("x", 2000) + "...\n3\tc", 1, 1, "a", "\n2\t" + strings.Repeat("x", 2000) + "...\n3\tc"},
	}
	for _, test := range tests {
		n, ok := numberedText(test.raw, false)
		require.True(t, ok, test.raw)
		c := Copy{First: n.first, Lines: n.lines, text: n.text}
		assert.Equal(t, []any{test.first, test.lines, test.text, test.rest}, []any{c.First, c.Lines, c.Text(), n.rest}, test.raw)
	}
	for _, raw := range []string{"", "a", "a\t1", "0\ta", "1234567890\ta", "\t1\ta", "-1:a", "1 a"} {
		_, ok := numberedText(raw, false)
		assert.False(t, ok, raw)
	}
}

func TestNewText(t *testing.T) {
	for raw, want := range map[string]string{"": "0", "a": "1a", "a\n": "1a", "a\n\n": "2a\n", "\n": "1", "a\r\nb\r\n": "2a\nb", "a\rb": "1a\rb"} {
		content, lines := newText(raw)
		c := Copy{First: 1, Lines: lines, text: content}
		assert.Equal(t, want, fmt.Sprint(lines)+c.Text(), "%q", raw)
	}
}
