package diffs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

func TestFault_STALE_WordsInContentAreContent(t *testing.T) {
	s := new(toolSession).
		call("read", args{"path": "errors.go"}, "// Error: not found\npackage errors\n\nvar ErrNotFound = 1\n\nvar more = 2\n").
		call("Read", args{"file_path": "/w/a.go"}, "     1→String to replace not found in file.\n     2→Error: failed").
		call("bash", args{"command": "cat a.log"}, "<returncode>0</returncode>\n<output>\nError: No such file or directory\n</output>").
		call("str_replace_editor", args{"command": "view", "path": "/w/b"}, "Here's the result of running `cat -n` on /w/b:\n     1\tERROR: it failed")
	for _, c := range s.calls() {
		assert.Equal(t, diffs.OK, c.Outcome, told(c))
		require.Len(t, c.Events, 1)
		assert.Len(t, c.Events[0].Copies, 1, told(c))
	}
}

func TestFault_STALE_FailedEditsAndReadsShowNothing(t *testing.T) {
	s := new(toolSession).
		call("Read", args{"file_path": "/w/a"}, "     1→x", core.StatusFailed).
		call("Edit", args{"file_path": "/w/a", "old_string": "x", "new_string": "y"}, "", core.StatusFailed).
		call("Edit", args{"file_path": "/w/a", "old_string": "x", "new_string": "y"}, "", core.StatusDenied).
		call("Write", args{"file_path": "/w/a", "content": "y"}, "The user doesn't want to take this action right now.").
		call("read", args{"path": "a"}, "ENOENT: no such file or directory, access 'a'").
		call("replace", args{"file_path": "a", "old_string": "x", "new_string": "y"}, "Failed to edit, 0 occurrences found for old_string in a")
	for _, c := range s.calls() {
		require.Len(t, c.Events, 1)
		assert.Equal(t, diffs.Failed, c.Events[0].Outcome, told(c))
		assert.Empty(t, c.Events[0].Copies)
	}
}

func TestFault_STALE_AnEditIsNotOKBecauseNothingWasSaid(t *testing.T) {
	for _, result := range []string{"", "done", "The file contains: Successfully replaced"} {
		s := new(toolSession).call("edit", args{"path": "a", "oldText": "x", "newText": "y"}, result)
		assert.Equal(t, diffs.Unknown, s.calls()[0].Outcome, result)
	}
	s := new(toolSession).call("edit", args{"path": "a", "oldText": "x", "newText": "y"}, "done", core.StatusOK)
	assert.Equal(t, diffs.OK, s.calls()[0].Outcome)
	s = new(toolSession).call("edit", args{"path": "a", "oldText": "x", "newText": "y"}, "Could not find the exact text in a.", core.StatusOK)
	assert.Equal(t, diffs.Failed, s.calls()[0].Outcome, "it answered, that was OK")
}

func TestFault_STALE_APatchIsAllItsFiles(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Update File: b\n@@\n-x\n+y\n*** Update File: c\n@@\n-x\n+y\n*** End Patch"
	calls := new(toolSession).call("apply_patch", args{"input": patch}, "Success. Updated the following files:\nM a\nM b\nM c").calls()
	require.Len(t, calls, 1)
	require.Len(t, calls[0].Events, 3)
	for i, e := range calls[0].Events {
		assert.Equal(t, []string{"a", "b", "c"}[i], e.Path)
		assert.Equal(t, diffs.OK, e.Outcome)
	}
	partly := new(toolSession).call("apply_patch", args{"input": patch}, "Failed to find expected lines in c").calls()
	assert.Equal(t, diffs.Unknown, partly[0].Events[0].Outcome, "the files before may be changed")
}

func TestFault_STALE_OnePathOneFile(t *testing.T) {
	paths := []string{"src/a.ts", "./src/a.ts", "src//a.ts", "src/../src/a.ts", "/w/src/a.ts", "/w/./src/a.ts", "file:///w/src/a.ts"}
	s := new(toolSession).say(core.RoleSystem, "You are in an environment.\nWorking directory: /w\nPlatform: linux")
	for _, p := range paths {
		s.call("read", args{"path": p}, "x\n")
	}
	for i, c := range s.calls() {
		assert.Equal(t, "src/a.ts", c.Events[0].Path, paths[i])
	}
}

func TestFault_STALE_APrefixIsNotThePath(t *testing.T) {
	s := new(toolSession).say(core.RoleSystem, "Working directory: /w")
	for _, p := range []string{"foo.ts", "foo.tsx", "/w/foo", "/w2/foo.ts", "/w/sub/foo.ts"} {
		s.call("read", args{"path": p}, "x\n")
	}
	seen := make(map[string]bool)
	for _, c := range s.calls() {
		seen[c.Events[0].Path] = true
	}
	assert.Len(t, seen, 5, "%v", seen)
}

func TestFault_STALE_MovesAndDeletes(t *testing.T) {
	calls := new(toolSession).
		call("bash", args{"command": "mv ./a.md b.md"}, "<returncode>0</returncode>\n<output>\n</output>").
		call("bash", args{"command": "git rm ./b.md"}, "<returncode>0</returncode>\n<output>\n</output>").calls()
	assert.Equal(t, "move a.md to b.md ok", told(calls[0]))
	assert.Equal(t, "delete b.md ok", told(calls[1]))
}

func TestFault_STALE_ElidedPartsShowNothing(t *testing.T) {
	s := new(toolSession).
		call("read", args{"path": "a"}, "[trimkit: read result elided]").
		call("read", args{"path": "a"}, "[trimkit: read result elided, it was an error]")
	for i, c := range s.calls() {
		result := &s.history[c.Results[0].Msg].Parts[0]
		result.Elided = &core.Elision{Op: core.Elide, Failed: i == 1, By: -1}
	}
	calls := s.calls()
	assert.Equal(t, "read a unknown", told(calls[0]))
	assert.Equal(t, "read a failed", told(calls[1]))
}

func TestFault_PARALLEL_ResultsArePairedByID(t *testing.T) {
	part := func(kind core.Kind, id, tool, text string) core.Part {
		return core.Part{Kind: kind, CallID: id, Tool: tool, Text: text}
	}
	history := []core.Message{
		{Role: core.RoleAssistant, Parts: []core.Part{
			part(core.KindToolCall, "1", "read", `{"path":"a"}`), part(core.KindToolCall, "2", "read", `{"path":"b"}`),
		}},
		{Role: core.RoleTool, Parts: []core.Part{part(core.KindToolResult, "2", "", "of b\n")}},
		{Role: core.RoleUser, Parts: []core.Part{{Text: "a note"}}},
		{Role: core.RoleTool, Parts: []core.Part{part(core.KindToolResult, "1", "", "of a\n")}},
	}
	calls := diffs.DefaultTools().Calls(history)
	require.Len(t, calls, 2)
	assert.Equal(t, `read a ok 1+1$"of a"`, told(calls[0]))
	assert.Equal(t, `read b ok 1+1$"of b"`, told(calls[1]))
}

func TestFault_ARGS_WhatIsNoJSON(t *testing.T) {
	for _, text := range []string{
		"", "x", "{", `{"file_path": "/w/a", "old_str`, "null", "[]", "[1,2]", `"x"`, "{}", `{"file_path": 7}`, `{"file_path": null}`,
		`{"file_path": ["/w/a"]}`, `{"file_path": {"a": 1}, "old_string": [], "new_string": {}}`, `{"edits": "[", "path": "a"}`,
	} {
		for _, tool := range []string{"Read", "Edit", "Write", "Bash", "shell", "apply_patch", "execute_ipython_cell", "read_many_files", "move_file", "edit", "str_replace_editor"} {
			s := new(toolSession).call(tool, text, "ok")
			calls := s.calls()
			require.Len(t, calls, 1)
			checkCall(t, s.history, &calls[0])
			for _, e := range calls[0].Events {
				assert.True(t, e.Path != "" || e.Op == diffs.Touch, "%s %s: %s", tool, text, told(calls[0]))
			}
		}
	}
}

func TestFault_STALE_WhatOnlyLooksNumbered(t *testing.T) {
	for name, s := range map[string]*toolSession{
		"a linter's words": new(toolSession).call("Edit", args{"file_path": "/a", "old_string": "x", "new_string": "y"}, "The file /a has been updated successfully.\n12:5 error\n13:1 error"),
		"a tool's words":   new(toolSession).call("search_and_replace", args{"file_path": "a", "old_string": "x", "new_string": "y"}, "Updated a.\n1: warning"),
		"a message":        new(toolSession).call("Read", args{"file_path": "/a"}, "7: cannot"),
	} {
		for _, e := range s.calls()[0].Events {
			assert.Empty(t, e.Copies, name)
		}
	}
	table := new(toolSession).call("read_file", args{"path": "a.tsv"}, "1\tx\n2\ty\n")
	assert.Equal(t, "read a.tsv ok 1+2$\"1\\tx\\n2\\ty\"", told(table.calls()[0]), "the numbers are the file's own")
}

func TestCallsOfTheOpenFile(t *testing.T) {
	const foot = "\n(Open file: /w/a.py)\n(Current directory: /w)\nbash-$"
	calls := new(toolSession).
		call("goto", args{"line_number": 9}, "No file open. Use the open command first.\n(Open file: n/a)\n(Current directory: /w)\nbash-$").
		call("open", args{"path": "a.py"}, "[File: a.py (9 lines total)]\n1:x\n2:y\n(7 more lines below)"+foot).
		call("scroll_down", "", "[File: a.py (9 lines total)]\n(2 more lines above)\n3:z\n(6 more lines below)"+foot).
		call("insert", args{"text": "q"}, "File updated."+foot).
		call("edit", args{"search": "x", "replace": "y"}, "Your edit was not applied (file not modified): Text not found."+foot).calls()
	want := []string{"", `read a.py ok 1+2"x\ny"`, `read a.py ok 3+1"z"`, "edit a.py ok", `edit a.py failed "x">"y"`}
	for i, c := range calls {
		assert.Equal(t, want[i], told(c))
	}
}

func TestCallsInTheBackground(t *testing.T) {
	s := new(toolSession).call("Bash", args{"command": "cat a > b", "run_in_background": true}, "Command running in background with ID: 1")
	assert.Equal(t, diffs.Unknown, s.calls()[0].Outcome)
}
