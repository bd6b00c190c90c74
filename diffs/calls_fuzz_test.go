package diffs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
)

// toolNames are tools of every kind.
var toolNames = []string{
	"Read", "Edit", "MultiEdit", "Write", "Bash", "read", "edit", "write", "str_replace_editor", "execute_ipython_cell",
	"open", "goto", "create", "insert", "bash", "shell", "exec_command", "apply_patch", "read_file", "read_many_files",
	"replace", "edit_file", "move_file", "write_to_file", "replace_in_file", "apply_diff_to_file", "delete_file", "Glob", "unknown",
}

// FuzzCalls makes histories of any text: nothing panics, every place is a part of the
// history, and what is shown is never more than the part that shows it.
func FuzzCalls(f *testing.F) {
	f.Add(uint8(0), `{"file_path":"/a"}`, "     1→x\n     2→y", uint8(0))
	f.Add(uint8(5), `{"path":"a","offset":2,"limit":1}`, "x\n\n[9 more lines in file. Use offset=3 to continue]", uint8(1))
	f.Add(uint8(8), `{"command":"insert","path":"a","insert_line":-1,"new_str":"x"}`, "The file a has been edited.", uint8(0))
	f.Add(uint8(9), `{"code":"append_file('a', '''x''')"}`, "[File: a (1 lines total)]\n1|x", uint8(0))
	f.Add(uint8(10), `{"path":"a"}`, "[File: a (1 lines total)]\n1:x\n(Open file: /w/a)\n(Current directory: /w)\nbash-$", uint8(0))
	f.Add(uint8(14), `{"command":"cat a && cd b"}`, "<returncode>0</returncode>\n<output>\nx\n</output>", uint8(0))
	f.Add(uint8(15), `{"command":["apply_patch","*** Begin Patch\n*** Add File: a\n+x"]}`, "Done!", uint8(2))
	f.Add(uint8(17), "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch", `{"output":"x","metadata":{"exit_code":0}}`, uint8(3))
	f.Add(uint8(19), `{"paths":["a","b"]}`, "<files><file><path>a</path><content lines=\"1\">\n1 | x\n</content></file></files>", uint8(0))
	f.Add(uint8(24), `{"path":"a","diff":"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"}`, "<final_file_content path=\"a\">\n</final_file_content>", uint8(0))
	f.Fuzz(func(t *testing.T, tool uint8, arguments, result string, status uint8) {
		s := new(toolSession).say(core.RoleSystem, result).say(core.RoleAssistant, arguments).say(core.RoleUser, result)
		s.call(toolNames[int(tool)%len(toolNames)], arguments, result, core.Status(status%5))
		s.call(toolNames[int(tool>>3)%len(toolNames)], arguments, result)
		calls := s.calls()
		for i := range calls {
			checkCall(t, s.history, &calls[i])
			if i > 0 {
				assert.LessOrEqual(t, calls[i-1].At.Msg, calls[i].At.Msg)
			}
		}
		assert.Equal(t, calls, s.calls(), "the same history, the same calls")
	})
}

// TestCallsAreLinear lets one long hostile text grow tenfold. A walk that is not linear
// would take a hundred times as long, which the test's own deadline finds.
func TestCallsAreLinear(t *testing.T) {
	many := strings.Repeat
	const n = 40_000
	for name, s := range map[string]*toolSession{
		"blocks that do not end": new(toolSession).say(core.RoleAssistant, many("a.py\n<<<<<<< SEARCH\n", n)),
		"blocks without path":    new(toolSession).say(core.RoleAssistant, many("<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", n)),
		"junk in a patch":        new(toolSession).call("apply_patch", "*** Begin Patch\n"+many("junk\n", n), "Done!"),
		"files of a patch":       new(toolSession).call("apply_patch", "*** Begin Patch\n"+many("*** Delete File: x\n", n), "Done!"),
		"heads of diffs":         new(toolSession).call("apply_patch", many("--- a\n+++ b\n", n), "Done!"),
		"sections without end":   new(toolSession).call("read_many_files", `{"paths":["a"]}`, "<file>"+many("<path>a</path><content>", n)),
		"sections with rules":    new(toolSession).call("read_many_files", `{"paths":["a"]}`, many("--- a ---\n\nx\n\n", n)),
		"windows":                new(toolSession).call("execute_ipython_cell", `{"code":"`+many(`open_file('a')\n`, n)+`"}`, many("[File: b (2 lines total)]\n1|x\n", n)),
		"calls without windows":  new(toolSession).call("execute_ipython_cell", `{"code":"`+many(`open_file('a')\n`, n)+`"}`, many("x", n)),
		"a line of digits":       new(toolSession).call("Read", `{"file_path":"a"}`, many("1", 10*n)),
		"numbered lines":         new(toolSession).call("Read", `{"file_path":"a"}`, many("1\tx\n", n)),
		"slashes":                new(toolSession).call("read", `{"path":"`+many("/a", n)+`"}`, "x").call("read", `{"path":"a`+many("/a", n)+`"}`, "x"),
		"words of notices":       new(toolSession).call("read", `{"path":"a"}`, many("truncated omitted clipped\n", n)),
		"brackets":               new(toolSession).call("edit", many("[", n), "x").call("edit", many(`{"a":`, n), "x"),
		"lines of output":        new(toolSession).call("bash", `{"command":"cat a"}`, "Command: "+many("x\n", n)),
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range s.calls() {
				assert.NotNil(t, c.At)
			}
		})
	}
}
