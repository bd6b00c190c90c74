package diffs_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// toolSession writes histories as agents have them.
type toolSession struct{ history []core.Message }

func (s *toolSession) say(role core.Role, text string) *toolSession {
	return s.add(role, core.Part{Text: text})
}

// call adds a call and its result. Arguments are a JSON text, or what becomes one.
func (s *toolSession) call(tool string, args any, result string, status ...core.Status) *toolSession {
	text, ok := args.(string)
	if !ok {
		data, err := json.Marshal(args)
		if err != nil {
			panic(err)
		}
		text = string(data)
	}
	id := fmt.Sprint("id", len(s.history))
	part := core.Part{Kind: core.KindToolResult, CallID: id, Text: result}
	if len(status) > 0 {
		part.Status = status[0]
	}
	return s.add(core.RoleAssistant, core.Part{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: text}).add(core.RoleTool, part)
}

func (s *toolSession) add(role core.Role, part core.Part) *toolSession {
	s.history = append(s.history, core.Message{Role: role, Src: int32(len(s.history) + 1), Parts: []core.Part{part}})
	return s
}

func (s *toolSession) calls() []diffs.Call { return diffs.DefaultTools().Calls(s.history) }

// args are a call's arguments.
type args map[string]any

// told writes a call as a line for each event, so that expectations can be read: operation,
// path, outcome, what is shown, how it changed.
func told(c diffs.Call) string {
	var b strings.Builder
	for i, e := range c.Events {
		if i > 0 {
			b.WriteString("\n")
		}
		op := [...]string{"?", "read", "write", "edit", "delete", "move", "list", "touch"}[e.Op]
		b.WriteString(strings.TrimSpace(fmt.Sprintf("%s %s", op, e.Path)))
		if e.To != "" {
			b.WriteString(" to " + e.To)
		}
		b.WriteString([...]string{" unknown", " ok", " failed"}[e.Outcome])
		if !e.Certain && e.Op != diffs.Touch {
			b.WriteString(" uncertain")
		}
		for k := range e.Copies {
			copied := &e.Copies[k]
			end := ""
			if copied.ToEnd {
				end = "$"
			}
			fmt.Fprintf(&b, " %d+%d%s%q", copied.First, copied.Lines, end, copied.Text())
			if copied.At == c.At {
				b.WriteString("@call")
			}
		}
		for _, change := range e.Changes {
			fmt.Fprintf(&b, " %q>%q", change.Old, change.New)
			if change.All {
				b.WriteString("*")
			}
			if change.First != 0 {
				fmt.Fprintf(&b, "[%d,%d]", change.First, change.Last)
			}
		}
	}
	return b.String()
}

func TestCallsOfEachFamily(t *testing.T) {
	tests := []struct {
		name, tool string
		args       any
		result     string
		want       string
	}{
		{"claude read", "Read", args{"file_path": "/w/a.go"}, "     1→one\n     2→two\n     3→\n\n<system-reminder>\nbe good\n</system-reminder>\n", `read /w/a.go ok 1+2$"one\ntwo"`},
		{"claude read of a part", "Read", args{"file_path": "/w/a.go", "offset": 40, "limit": 2}, "    40→x\n    41→y", `read /w/a.go ok 40+2"x\ny"`},
		{"claude read of the last part", "Read", args{"file_path": "/w/a.go", "offset": 40, "limit": 9}, "    40→x\n    41→y", `read /w/a.go ok 40+2$"x\ny"`},
		{"claude read, unchanged", "Read", args{"file_path": "/w/a.go"}, "File unchanged since last read.", "read /w/a.go unknown"},
		{"claude edit", "Edit", args{"file_path": "/w/a.go", "old_string": "a", "new_string": "b", "replace_all": true}, "The file /w/a.go has been updated successfully.", `edit /w/a.go ok "a">"b"*`},
		{"claude edit, older", "Edit", args{"file_path": "/w/a.go", "old_string": "a", "new_string": "b"}, "The file /w/a.go has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n     7→b\n     8→c", `edit /w/a.go ok 7+2"b\nc" "a">"b"`},
		{"claude edit, refused", "Edit", args{"file_path": "/w/a.go", "old_string": "a", "new_string": "b"}, "The user doesn't want to proceed with this tool use.", `edit /w/a.go failed "a">"b"`},
		{"claude write", "Write", args{"file_path": "/w/a.go", "content": "x\ny\n"}, "File created successfully at: /w/a.go", `write /w/a.go ok 1+2$"x\ny"@call`},
		{"claude multi edit", "MultiEdit", args{"file_path": "/w/a.go", "edits": []args{{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}}}, "Applied 2 edits to /w/a.go", `edit /w/a.go ok "a">"b" "c">""`},
		{"claude notebook", "NotebookEdit", args{"notebook_path": "/w/a.ipynb", "new_source": "x"}, "Updated cell 3", "edit /w/a.ipynb ok"},
		{"claude lsp", "LSP", args{"filePath": "/w/a.go"}, "x", ""},
		{"claude todo", "TodoWrite", args{"todos": []int{}}, "ok", ""},

		{"pi read", "read", args{"path": "a.ts"}, "x\ny\n", `read a.ts ok 1+2$"x\ny"`},
		{"pi read of a part", "read", args{"path": "a.ts", "offset": 5, "limit": 2}, "x\n\n\n[9 more lines in file. Use offset=7 to continue]", `read a.ts ok 5+2"x\n"`},
		{"pi read, older notice", "read", args{"path": "a.ts", "limit": 1}, "x\n\n... (9 more lines not shown. Use offset=2 to continue reading)", `read a.ts ok 1+1"x"`},
		{"pi read, too large", "read", args{"path": "a.ts"}, "x\ny\n\n[Showing lines 1-2 of 90 (50.0KB limit). Use offset=3 to continue]", `read a.ts ok 1+2"x\ny"`},
		{"pi edit", "edit", args{"path": "a.ts", "oldText": "a", "newText": "b"}, "Successfully replaced text in a.ts. Changed 1 characters to 1 characters.", `edit a.ts ok "a">"b"`},
		{"pi edit without new text", "edit", args{"path": "a.ts", "oldText": "a"}, "Successfully replaced text in a.ts.", "edit a.ts ok"},
		{"pi edit, no match", "edit", args{"path": "a.ts", "oldText": "a", "newText": "b"}, "Could not find the exact text in a.ts.", `edit a.ts failed "a">"b"`},
		{"pi write", "write", args{"path": "a.ts", "content": "x"}, "Successfully wrote 1 bytes to a.ts", `write a.ts ok 1+1$"x"@call`},

		{"text editor view", "str_replace_editor", args{"command": "view", "path": "/w/a.c"}, "Here's the result of running `cat -n` on /w/a.c:\n     1\tx\n     2\t\n", `read /w/a.c ok 1+1$"x"`},
		{"text editor view of a range", "str_replace_based_edit_tool", args{"command": "view", "path": "/w/a.c", "view_range": []int{6, 7}}, "     6\tx\n     7\ty", `read /w/a.c ok 6+2"x\ny"`},
		{"text editor view to the end", "file_editor", args{"command": "view", "path": "/w/a.c", "view_range": []int{6, -1}}, "     6\tx\n     7\ty", `read /w/a.c ok 6+2$"x\ny"`},
		{"text editor view, clipped", "str_replace_editor", args{"command": "view", "path": "/w/a.c"}, "     1\tx\n     2\tint ma<response clipped><NOTE>Due to the max output limit, only part</NOTE>", `read /w/a.c ok 1+1"x"`},
		{"text editor view of a folder", "str_replace_editor", args{"command": "view", "path": "/w"}, "Here's the files and directories up to 2 levels deep in /w:\n/w/a.c", "list /w unknown"},
		{"text editor replace", "str_replace_editor", args{"command": "str_replace", "path": "/w/a.c", "old_str": "a", "new_str": "b"}, "The file /w/a.c has been edited. Here's the result of running `cat -n` on a snippet of /w/a.c:\n     4\tb\nReview the changes and make sure", `edit /w/a.c ok 4+1"b" "a">"b"`},
		{"text editor replace, no match", "str_replace_editor", args{"command": "str_replace", "path": "/w/a.c", "old_str": "a", "new_str": "b"}, "ERROR:\nNo replacement was performed, old_str `a` did not appear verbatim in /w/a.c.", `edit /w/a.c failed "a">"b"`},
		{"text editor create", "str_replace_editor", args{"command": "create", "path": "/w/a.c", "file_text": "x"}, "File created successfully at: /w/a.c", `write /w/a.c ok 1+1$"x"@call`},
		{"text editor insert", "str_replace_editor", args{"command": "insert", "path": "/w/a.c", "insert_line": 3, "new_str": "x"}, "The file /w/a.c has been edited.", `edit /w/a.c ok "">"x\n"[4,3]`},
		{"text editor undo", "str_replace_editor", args{"command": "undo_edit", "path": "/w/a.c"}, "Last edit to /w/a.c undone successfully.", "edit /w/a.c ok"},

		{"openhands open", "execute_ipython_cell", args{"code": "open_file('/w/a.py', 2)"}, "[File: /w/a.py (2 lines total)]\n(this is the beginning of the file)\n1|x\n2| y\n(this is the end of the file)\n[Jupyter current working directory: /w]", `read a.py ok 1+2$"x\n y"`},
		{"openhands replace", "execute_ipython_cell", args{"code": "edit_file_by_replace('/w/a.py', to_replace=\"\"\"a\n\"\"\", new_content='b\\n')"}, "[File: /w/a.py (9 lines total after edit)]\n(3 more lines above)\n4|b\n(5 more lines below)\n[File updated (edited at line 4).]", `edit /w/a.py ok 4+1"b" "a\n">"b\n"`},
		{"openhands replace, refused", "execute_ipython_cell", args{"code": "edit_file_by_replace('/w/a.py', 'a', 'b')"}, "[Your proposed edit has introduced new syntax error(s).]\n[File: /w/a.py (1 lines total)]\n1|b", `edit /w/a.py failed "a">"b"`},
		{"openhands append", "execute_ipython_cell", args{"code": "append_file('/w/a.py', content='z')"}, "", `edit /w/a.py unknown "">"z\n"[-1,0]`},
		{"openhands any code", "execute_ipython_cell", args{"code": "import os\nos.remove('/w/a.py')"}, "", "touch unknown"},

		{"swe-agent open", "open", args{"path": "a.py"}, "[File: a.py (3 lines total)]\r\n(1 more lines above)\r\n2:x\r\n3:y\r\n(Open file: /w/a.py)\n(Current directory: /w)\nbash-$", `read a.py ok 2+2$"x\ny"`},
		{"swe-agent edit", "edit", args{"start_line": 2, "end_line": 3, "replacement_text": "z"}, "[File: /w/a.py (2 lines total)]\n1:x\n2:z\nFile updated. Please review the changes", `edit /w/a.py ok 1+2$"x\nz" "">"z"[2,3]`},
		{"swe-agent edit, refused", "edit", args{"start_line": 2, "end_line": 3, "replacement_text": "z"}, "Your proposed edit has introduced new syntax error(s).\n[File: /w/a.py (1 lines total)]\n1:x", `edit /w/a.py failed "">"z"[2,3]`},
		{"swe-agent edit by text", "edit", args{"search": "x", "replace": "z"}, "Text replaced. Please review\n[File: /w/a.py (1 lines total)]\n1:z", `edit /w/a.py ok 1+1$"z" "x">"z"`},
		{"swe-agent create", "create", args{"filename": "a.py"}, "[File: a.py (1 lines total)]\n1:\n(Open file: /w/a.py)\n(Current directory: /w)\nbash-$", `write a.py ok 1+1$""`},

		{"apply_patch", "apply_patch", args{"input": "*** Begin Patch\n*** Update File: a.go\n@@\n x\n-y\n+z\n*** Add File: b.go\n+new\n*** Delete File: c.go\n*** Update File: d.go\n*** Move to: e.go\n*** End Patch"}, "Success. Updated the following files:\nM a.go", "edit a.go ok \"x\\ny\\n\">\"x\\nz\\n\"\nwrite b.go ok 1+1$\"new\"@call\ndelete c.go ok\nmove d.go to e.go ok"},
		{"apply_patch as text", "apply_patch", "*** Begin Patch\n*** Delete File: c.go\n*** End Patch", `{"output":"Success. Updated the following files:\nD c.go","metadata":{"exit_code":0}}`, "delete c.go ok"},
		{"apply_patch as words", "shell", args{"command": []string{"apply_patch", "*** Begin Patch\n*** Delete File: c.go\n*** End Patch"}}, "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess. Updated the following files:\nD c.go", "delete c.go ok"},
		{"apply_patch of the API", "apply_patch", args{"type": "update_file", "path": "a.go", "diff": "@@ f()\n x\n-y\n+z\n"}, "", `edit a.go unknown "x\ny\n">"x\nz\n"`},
		{"apply_patch of the API, lines alone", "apply_patch", args{"type": "update_file", "path": "a.go", "diff": "-y\n+z"}, "", `edit a.go unknown "y\n">"z\n"`},
		{"apply_patch of the API, new file", "apply_patch", args{"type": "create_file", "path": "a.go", "diff": "+x\n+y\n"}, "", `write a.go unknown 1+2$"x\ny"@call`},
		{"apply_patch of the API, no file", "apply_patch", args{"type": "delete_file", "path": "a.go"}, "", "delete a.go unknown"},
		{"apply_patch, refused", "apply_patch", args{"input": "*** Begin Patch\n*** Delete File: c.go\n*** End Patch"}, "apply_patch verification failed: Failed to read c.go", "delete c.go failed"},

		{"gemini read", "read_file", args{"absolute_path": "/w/a.ts"}, "x\ny\n", `read /w/a.ts ok 1+2$"x\ny"`},
		{"gemini read of a part", "read_file", args{"absolute_path": "/w/a.ts", "offset": 9, "limit": 2}, "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 10-11 of 40 total lines.\nAction: To read more, go on.\n\n--- FILE CONTENT (truncated) ---\nx\ny", `read /w/a.ts ok 10+2"x\ny"`},
		{"gemini write", "write_file", args{"file_path": "a.ts", "content": "x"}, "Successfully overwrote file: /w/a.ts.", `write a.ts ok 1+1$"x"@call`},
		{"gemini replace", "replace", args{"file_path": "/w/a.ts", "old_string": "a", "new_string": "b"}, "Successfully modified file: /w/a.ts (1 replacements).", `edit /w/a.ts ok "a">"b"`},
		{"gemini replace, no match", "replace", args{"file_path": "/w/a.ts", "old_string": "a", "new_string": "b"}, "Failed to edit, 0 occurrences found", `edit /w/a.ts failed "a">"b"`},
		{"gemini many", "read_many_files", args{"paths": []string{"a.ts", "b/*.ts"}}, "--- /w/a.ts ---\n\nx\ny\n\n\n--- /w/b/c.ts ---\n\nz\n\n", "read a.ts ok 1+2\"x\\ny\"\nread /w/b/c.ts ok 1+1\"z\""},
		{"deepagents read", "read_file", args{"file_path": "/a.py", "offset": 5, "limit": 2}, "     6\tx\n     7\ty", `read /a.py ok 6+2"x\ny"`},
		{"deepagents edit", "edit_file", args{"file_path": "/a.py", "old_string": "a", "new_string": "b"}, "Successfully replaced 1 instance(s) of the string in '/a.py'", `edit /a.py ok "a">"b"`},

		{"cline read", "read_file", args{"path": "a.ts"}, "[read_file for 'a.ts'] Result:\nx\ny\n", `read a.ts ok 1+2$"x\ny"`},
		{"roo read", "read_file", args{"files": []args{{"path": "a.ts"}, {"path": "b.ts"}}}, "<files>\n<file><path>a.ts</path>\n<content lines=\"3-4\">\n3 | x\n4 | y\n</content>\n</file>\n<file><path>b.ts</path>\n<content lines=\"1\">\n1 | z\n</content></file></files>", "read a.ts ok 3+2\"x\\ny\"\nread b.ts ok 1+1\"z\""},
		{"cline write", "write_to_file", args{"path": "a.ts", "content": "x"}, "The content was successfully saved to a.ts.\n\n<final_file_content path=\"a.ts\">\nx;\n\n</final_file_content>", `write a.ts ok 1+1$"x;"`},
		{"cline replace", "replace_in_file", args{"path": "a.ts", "diff": "------- SEARCH\na\n=======\nb\n+++++++ REPLACE"}, "The content was successfully saved to a.ts.", `edit a.ts ok "a\n">"b\n"`},
		{"roo diff", "apply_diff", args{"path": "a.ts", "diff": "<<<<<<< SEARCH\n:start_line:4\n-------\na\n=======\nb\n>>>>>>> REPLACE"}, "Changes successfully applied to a.ts", `edit a.ts ok "a\n">"b\n"`},

		{"opencode read", "read", args{"filePath": "/w/a.ts"}, "<file>\n00001| x\n00002| \n\n(End of file - total 2 lines)\n</file>", `read /w/a.ts ok 1+2$"x\n"`},
		{"opencode read, newer", "read", args{"filePath": "/w/a.ts", "offset": 2}, "<path>/w/a.ts</path>\n<type>file</type>\n<content>\n2: x\n3:  y\n\n(Showing lines 2-3 of 9. Use offset=4 to continue.)\n</content>", `read /w/a.ts ok 2+2"x\n y"`},
		{"opencode edit", "edit", args{"filePath": "/w/a.ts", "oldString": "a", "newString": "b"}, "Edit applied successfully.", `edit /w/a.ts ok "a">"b"`},

		{"mcp read", "mcp__fs__read_text_file", args{"path": "/w/a.ts", "head": 2}, "x\ny\n", `read /w/a.ts ok 1+2"x\ny"`},
		{"mcp read of the tail", "mcp__fs__read_text_file", args{"path": "/w/a.ts", "tail": 2}, "x\ny\n", "read /w/a.ts ok"},
		{"mcp read of several", "read_multiple_files", args{"paths": []string{"a.ts", "b.ts"}}, "a.ts:\nx\n---\ny\n\n---\nb.ts:\nz\n", "read a.ts ok 1+3$\"x\\n---\\ny\"\nread b.ts ok 1+1$\"z\""},
		{"mcp edit", "mcp__fs__edit_file", args{"path": "/w/a.ts", "edits": []args{{"oldText": "a", "newText": "b"}}}, "```diff\nIndex: /w/a.ts\n```", `edit /w/a.ts ok "a">"b"`},
		{"mcp edit, dry", "edit_file", args{"path": "/w/a.ts", "edits": []args{{"oldText": "a", "newText": "b"}}, "dryRun": true}, "```diff\nIndex: /w/a.ts\n```", ""},
		{"mcp move", "move_file", args{"source": "/w/a.ts", "destination": "/w/b.ts"}, "Successfully moved /w/a.ts to /w/b.ts", "move /w/a.ts to /w/b.ts ok"},

		{"gitauto read", "get_local_file_content", args{"file_path": "a.py"}, "Opened file: 'a.py' with line numbers for your information.\n\n```a.py\n1:x\n2:y\n```", `read a.py ok 1+2$"x\ny"`},
		{"gitauto diff", "apply_diff_to_file", args{"file_path": "a.py", "diff": "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"}, "diff applied to the file: a.py successfully by apply_diff_to_file().\n\n```a.py\n1:x\n2:z\n```", `edit a.py ok 1+2$"x\nz" "x\ny\n">"x\nz\n"`},
		{"gitauto diff, refused", "apply_diff_to_file", args{"file_path": "a.py", "diff": "@@ -1 +1 @@\n-y\n+z\n"}, "No changes to a.py.", `edit a.py failed "y\n">"z\n"`},
		{"gitauto write", "write_and_commit_file", args{"file_path": "a.py", "file_content": "x"}, "Updated a.py.", `write a.py ok 1+1$"x"@call`},
		{"gitauto delete", "delete_file", args{"file_path": "a.py"}, "Deleted a.py.", "delete a.py ok"},
		{"deletion elsewhere", "mcp__github__delete_file", args{"path": "a.py", "repo": "r"}, "Deleted", ""},

		{"unknown tool", "frobnicate", args{"path": "a.py"}, "x", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := new(toolSession).call(test.tool, test.args, test.result)
			calls := s.calls()
			require.Len(t, calls, 1)
			checkCall(t, s.history, &calls[0])
			assert.Equal(t, test.want, told(calls[0]))
		})
	}
}
