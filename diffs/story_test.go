package diffs_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// story is a conversation with a coding agent, told step by step.
type story struct {
	history []core.Message
	calls   int
}

// tell begins a story; end ends it with a reply, so that everything before is read.
func tell() *story { return (&story{}).system("You are a coding agent.").user("Fix the bug.") }

func (s *story) add(role core.Role, parts ...core.Part) *story {
	for i := range parts {
		parts[i].Slot = uint32(i)
	}
	s.history = append(s.history, core.Message{Role: role, Src: int32(len(s.history) + 1), Parts: parts})
	return s
}

func (s *story) system(text string) *story { return s.add(core.RoleSystem, core.Part{Text: text}) }
func (s *story) user(text string) *story   { return s.add(core.RoleUser, core.Part{Text: text}) }
func (s *story) reply(text string) *story  { return s.add(core.RoleAssistant, core.Part{Text: text}) }

func (s *story) end() *story { return s.reply("Done.").user("And now?").reply("Nothing.") }

// step is a call with its result.
type step struct {
	tool, arguments, result string
	status                  core.Status
}

func (s step) failed() step { s.status = core.StatusFailed; return s }

// do makes one reply of several calls, and gives their results.
func (s *story) do(steps ...step) *story {
	var calls, results []core.Part
	for _, st := range steps {
		s.calls++
		id := fmt.Sprintf("call_%d", s.calls)
		calls = append(calls, core.Part{Kind: core.KindToolCall, CallID: id, Tool: st.tool, Text: st.arguments})
		results = append(results, core.Part{Kind: core.KindToolResult, CallID: id, Tool: st.tool, Text: st.result, Status: st.status})
	}
	s.add(core.RoleAssistant, calls...)
	for _, r := range results {
		s.add(core.RoleTool, r)
	}
	return s
}

func call(tool string, arguments map[string]any, result string) step {
	text, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return step{tool, string(text), result, core.StatusOK}
}

// numbered shows lines as Claude Code's Read does.
func numbered(first int, lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%6d→%s\n", first+i, line)
	}
	return b.String()
}

// body makes n lines that name their file.
func body(name string, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d of %s, as it was written first", i+1, name)
	}
	return lines
}

// changed is a copy of lines with another one in the place of line i, counted from 0.
func changed(lines []string, i int) []string {
	return slices.Concat(lines[:i], []string{"new"}, lines[i+1:])
}

func read(path string, lines ...string) step {
	return call("Read", map[string]any{"file_path": path}, numbered(1, lines...))
}

func readRange(path string, first int, lines ...string) step {
	return call("Read", map[string]any{"file_path": path, "offset": first, "limit": len(lines)}, numbered(first, lines...))
}

func edit(path, before, after string) step {
	return call("Edit", map[string]any{"file_path": path, "old_string": before, "new_string": after},
		"The file "+path+" has been updated successfully.")
}

func write(path string, lines ...string) step {
	return call("Write", map[string]any{"file_path": path, "content": strings.Join(lines, "\n") + "\n"},
		"File created successfully at: "+path)
}

func bash(command, result string) step {
	return call("Bash", map[string]any{"command": command}, result)
}

// apply returns what an editor does to the story, as "op message reason" without the reason.
func (s *story) apply(t *testing.T, editors ...core.Editor) []string {
	t.Helper()
	w := core.NewWindow(s.history)
	for _, e := range editors {
		refused, err := core.Apply(w, e)
		require.NoError(t, err)
		require.Empty(t, refused)
	}
	var list []string
	for _, e := range w.Edits() {
		list = append(list, fmt.Sprintf("%s %d", e.Op, e.Msg))
	}
	return list
}

func stale(t *testing.T, s *story) []string {
	t.Helper()
	return s.apply(t, diffs.StaleReads())
}
