package diffs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

func TestCallsOfShells(t *testing.T) {
	tests := []struct {
		name, tool string
		args       any
		result     string
		want       string
	}{
		{"mini-swe-agent", "bash", args{"command": "sed -n '4,5p' a.py"}, "<returncode>0</returncode>\n<output>\n\nx\n</output>", `read a.py ok 4+2"\nx"`},
		{"mini-swe-agent, at the end", "bash", args{"command": "sed -n '4,9p' a.py"}, "<returncode>0</returncode>\n<output>\nx\n</output>", `read a.py ok 4+1$"x"`},
		{"mini-swe-agent, elided", "bash", args{"command": "cat a.py"}, "<returncode>0</returncode>\n<warning>\nToo long\n</warning><output_head>\nx\n</output_head>\n<elided_chars>\n9 characters elided\n</elided_chars>\n<output_tail>\ny\n</output_tail>", "read a.py ok"},
		{"mini-swe-agent, failed", "bash", args{"command": "cat a.py"}, "<returncode>1</returncode>\n<output>\ncat: a.py: No such file or directory\n</output>", "read a.py failed"},
		{"mini-swe-agent, json", "bash", args{"command": "cat a.py"}, `{"returncode": 0, "output": "x\n"}`, `read a.py ok 1+1$"x"`},
		{"codex", "exec_command", args{"cmd": "nl -ba a.go | sed -n '7,8p'"}, "Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\n     7\tx\n     8\ty", `read a.go ok 7+2"x\ny"`},
		{"codex, cut", "exec_command", args{"cmd": "cat a.go"}, "Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nx\n…12 tokens truncated…\ny\n", "read a.go ok"},
		{"codex words", "shell", args{"command": []string{"bash", "-lc", "cat a.go"}}, "Exit code: 0\nWall time: 1 seconds\nOutput:\nx\n", `read a.go ok 1+1$"x"`},
		{"codex workdir", "shell", args{"command": []string{"cat", "a.go"}, "workdir": "/w/sub"}, "Exit code: 0\nWall time: 1 seconds\nOutput:\nx\n", `read /w/sub/a.go ok 1+1$"x"`},
		{"several lines", "shell", args{"commands": []string{"rm a.go", "rm b.go"}}, "", "delete a.go unknown\ndelete b.go unknown"},
		{"codex json", "shell", args{"command": []string{"cat", "a.go"}}, `{"output":"x\n","metadata":{"exit_code":0}}`, `read a.go ok 1+1$"x"`},
		{"gemini", "run_shell_command", args{"command": "rm a.md"}, "Command: rm a.md\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0\nSignal: 0\nProcess Group PGID: 7", "delete a.md ok"},
		{"gemini, failed", "run_shell_command", args{"command": "rm a.md"}, "Command: rm a.md\nDirectory: (root)\nOutput: (empty)\nError: no\nExit Code: 1\nSignal: 0\nProcess Group PGID: 7", "delete a.md unknown"},
		{"claude", "Bash", args{"command": "rm a.md"}, "", "delete a.md ok"},
		{"claude, failed", "Bash", args{"command": "rm a.md"}, "Exit code 1\nrm: a.md", "delete a.md unknown"},
		{"claude, not run", "Bash", args{"command": "rm a.md"}, "<tool_use_error>Sibling tool call errored</tool_use_error>", "delete a.md failed"},
		{"claude, ends cut off", "Bash", args{"command": "cat a.md"}, "x\ny", `read a.md ok uncertain 1+2$"x\ny"`},
		{"claude, as many lines as asked for", "Bash", args{"command": "sed -n 3,4p a.md"}, "x\ny", `read a.md ok 3+2"x\ny"`},
		{"openhands", "execute_bash", args{"command": "cat a.md"}, "x\ny\n[The command completed with exit code 0.]\n[Current working directory: /w]", `read a.md ok uncertain 1+2$"x\ny"`},
		{"openhands, silent", "execute_bash", args{"command": "rm a.md"}, "Command `rm a.md` executed with exit code 0.", "delete a.md ok"},
		{"swe-agent", "bash", args{"command": "rm a.md"}, "Your command ran successfully and did not produce any output.\n(Open file: n/a)\n(Current directory: /w)\nbash-$", "delete a.md ok"},
		{"heredoc", "bash", args{"command": "cat > a.md <<'EOF'\nx\nEOF"}, "<returncode>0</returncode>\n<output>\n</output>", `write a.md ok 1+1$"x"@call`},
		{"patch in a heredoc", "Bash", args{"command": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.md\n+x\n*** End Patch\nEOF"}, "Done!", `write a.md ok 1+1$"x"@call`},
		{"old version", "bash", args{"command": "git show HEAD:a.md"}, "<returncode>0</returncode>\n<output>\nx\n</output>", ""},
		{"test run behind a read", "bash", args{"command": "cat a.md && go test ./..."}, "<returncode>0</returncode>\n<output>\nx\nok\n</output>", "read a.md ok"},
		{"words", "shell", "ls -l", "x", ""},
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

func TestCallsOfAShellThatOnlyTellsFailures(t *testing.T) {
	s := new(toolSession).call("bash", args{"command": "rm a"}, "")
	assert.Equal(t, "delete a unknown", told(s.calls()[0]), "nothing says what silence means")
	s.call("bash", args{"command": "rm b"}, "rm: b\n\nCommand exited with code 1")
	s.call("bash", args{"command": "rm c"}, "x\n\nCommand timed out after 5 seconds")
	calls := s.calls()
	assert.Equal(t, "delete a ok", told(calls[0]), "failures are told, so this was none")
	assert.Equal(t, "delete b unknown", told(calls[1]))
	assert.Equal(t, "delete c unknown", told(calls[2]))
}

func TestCallsFollowTheDirectory(t *testing.T) {
	t.Run("it stays where it is stated", func(t *testing.T) {
		s := new(toolSession).
			call("bash", args{"command": "ls"}, "a.py\n(Open file: n/a)\n(Current directory: /w)\nbash-$").
			call("bash", args{"command": "cd sub"}, "Your command ran successfully and did not produce any output.\n(Open file: n/a)\n(Current directory: /w/sub)\nbash-$").
			call("bash", args{"command": "rm a.py"}, "Your command ran successfully and did not produce any output.\n(Open file: n/a)\n(Current directory: /w/sub)\nbash-$")
		assert.Equal(t, "delete sub/a.py ok", told(s.calls()[2]))
	})
	t.Run("it does not outlast a line that has its own shell", func(t *testing.T) {
		s := new(toolSession).
			call("bash", args{"command": "cd sub && ls"}, "<returncode>0</returncode>\n<output>\na.py\n</output>").
			call("bash", args{"command": "rm a.py"}, "<returncode>0</returncode>\n<output>\n</output>")
		assert.Equal(t, "delete a.py ok", told(s.calls()[1]))
	})
	t.Run("where nothing says which, a relative path is any file", func(t *testing.T) {
		s := new(toolSession).
			call("terminal", args{"command": "cd sub"}, "").
			call("terminal", args{"command": "rm a.py"}, "")
		assert.Equal(t, "touch unknown", told(s.calls()[1]))
	})
	t.Run("it stays in Claude Code until that says otherwise", func(t *testing.T) {
		s := new(toolSession).
			call("Bash", args{"command": "cd sub"}, "").
			call("Bash", args{"command": "rm a.py"}, "").
			call("Bash", args{"command": "cd /"}, "Shell cwd was reset to /w").
			call("Bash", args{"command": "rm a.py"}, "")
		calls := s.calls()
		assert.Equal(t, "delete sub/a.py ok", told(calls[1]))
		assert.Equal(t, "delete /w/a.py ok", told(calls[3]))
	})
}

func TestCallsKnowTheScriptsThatWereWritten(t *testing.T) {
	s := new(toolSession).
		call("Write", args{"file_path": "/w/x.py", "content": "open('/w/a.txt', 'w').write('x')\n"}, "File created successfully at: /w/x.py").
		call("Bash", args{"command": "python /w/x.py"}, "")
	call := s.calls()[1]
	assert.Equal(t, diffs.EffectChange, call.Effect)
	require.NotEmpty(t, call.Events)
	assert.Equal(t, diffs.Unknown, call.Events[0].Outcome)
}

func TestCallsWithoutAnswer(t *testing.T) {
	history := []core.Message{{Role: core.RoleAssistant, Parts: []core.Part{
		{Kind: core.KindToolCall, CallID: "1", Tool: "Edit", Text: `{"file_path":"/a","old_string":"x","new_string":"y"}`},
		{Kind: core.KindToolCall, CallID: "2", Tool: "Bash", Text: `{"command":"rm /b"}`},
	}}, {Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "2", Status: core.StatusPending}}}}
	calls := diffs.DefaultTools().Calls(history)
	require.Len(t, calls, 2)
	assert.Empty(t, calls[0].Results)
	assert.Equal(t, `edit /a unknown "x">"y"`, told(calls[0]))
	assert.Len(t, calls[1].Results, 1)
	assert.Equal(t, "delete /b unknown", told(calls[1]))
}
