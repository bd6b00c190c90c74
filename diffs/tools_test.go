package diffs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

func ExampleNewTools() {
	tools, err := diffs.NewTools(diffs.WithRows(diffs.Row{
		Names: []string{"fetch_source"}, Does: diffs.DoesRead, Path: []string{"uri"},
		Shows: diffs.ShowsPlain, Otherwise: "ok",
	}))
	if err != nil {
		panic(err)
	}
	calls := tools.Calls([]core.Message{
		{Role: core.RoleAssistant, Parts: []core.Part{{Kind: core.KindToolCall, CallID: "1", Tool: "fetch_source", Text: `{"uri":"file:///src/a.go"}`}}},
		{Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "1", Text: "package a\n\nvar A int\n"}}},
	})
	event := calls[0].Events[0]
	fmt.Println(event.Path, "lines", event.Copies[0].First, "to", event.Copies[0].Lines)
	// Output: /src/a.go lines 1 to 3
}

func TestToolsTableIsJSON(t *testing.T) {
	rows := diffs.DefaultTools().Rows()
	require.NotEmpty(t, rows)
	data, err := json.Marshal(rows)
	require.NoError(t, err)
	again, err := diffs.ParseRows(data)
	require.NoError(t, err)
	assert.Equal(t, rows, again)
}

func TestToolsTableIsACopy(t *testing.T) {
	rows := diffs.DefaultTools().Rows()
	rows[0].Names[0] = "changed"
	assert.NotEqual(t, "changed", diffs.DefaultTools().Rows()[0].Names[0])
	assert.Same(t, diffs.DefaultTools(), diffs.DefaultTools())
}

// TestToolsTableHasEveryTool names the tools that the agents known to us use on files.
func TestToolsTableHasEveryTool(t *testing.T) {
	known := make(map[string]bool)
	for _, row := range diffs.DefaultTools().Rows() {
		for _, name := range row.Names {
			known[name] = true
		}
	}
	for name := range strings.FieldsSeq(`Read Edit Write MultiEdit NotebookEdit Grep Glob TodoWrite LSP read edit write
		str_replace_editor str_replace_based_edit_tool execute_ipython_cell open goto scroll_up scroll_down insert create
		shell exec_command bash Bash apply_patch read_file read_many_files write_file replace edit_file write_to_file
		replace_in_file apply_diff patch read_text_file read_multiple_files move_file get_local_file_content
		apply_diff_to_file search_and_replace write_and_commit_file delete_file`) {
		assert.True(t, known[name], name)
	}
}

func TestParseRowsListsEveryFault(t *testing.T) {
	_, err := diffs.ParseRows([]byte(`[
		{"names": ["a"], "does": "read", "colour": 1},
		{"names": [], "does": "read"},
		{"names": ["b", ""], "does": "read"},
		{"names": ["c"], "does": "fly"},
		{"names": ["d"], "does": "read", "shows": "off", "base": 2, "otherwise": "fine"},
		{"names": ["e"], "does": "edit", "ok": ["("], "failed": ["["]},
		{"names": ["f"], "does": "read"},
		7
	]`))
	require.Error(t, err)
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok)
	rows := make(map[int]int)
	for _, e := range joined.Unwrap() {
		var fault *diffs.RowError
		require.ErrorAs(t, e, &fault)
		assert.NotEmpty(t, fault.Error())
		rows[fault.Row]++
	}
	assert.Equal(t, map[int]int{0: 1, 1: 1, 2: 1, 3: 1, 4: 3, 5: 2, 7: 1}, rows)

	_, err = diffs.ParseRows([]byte(`{"names": []}`))
	require.Error(t, err)
	var syntax *json.UnmarshalTypeError
	assert.ErrorAs(t, err, &syntax)

	_, err = diffs.NewTools(diffs.WithRows(diffs.Row{}))
	var fault *diffs.RowError
	require.ErrorAs(t, err, &fault)
	assert.NoError(t, errors.Unwrap(fault))
}

func TestWithRowsReplacesByName(t *testing.T) {
	tools, err := diffs.NewTools(diffs.WithRows(diffs.Row{Names: []string{"read"}, Does: diffs.DoesNone}))
	require.NoError(t, err)
	s := new(toolSession).call("read", args{"path": "a"}, "x\n").call("Read", args{"file_path": "/a"}, "     1→x")
	calls := tools.Calls(s.history)
	assert.Empty(t, told(calls[0]))
	assert.Equal(t, `read /a ok 1+1$"x"`, told(calls[1]))
	for _, row := range tools.Rows()[1:] {
		assert.NotContains(t, row.Names, "read")
	}
}

func TestWithRoot(t *testing.T) {
	tools, err := diffs.NewTools(diffs.WithRoot("/w/"))
	require.NoError(t, err)
	s := new(toolSession).say(core.RoleSystem, "Working directory: /elsewhere").
		call("read", args{"path": "/w/a"}, "x\n").call("read", args{"path": "a"}, "x\n").call("read", args{"path": "../a"}, "x\n")
	calls := tools.Calls(s.history)
	assert.Equal(t, "a", calls[0].Events[0].Path)
	assert.Equal(t, "a", calls[1].Events[0].Path)
	assert.Equal(t, "/a", calls[2].Events[0].Path)
}

// noShell understands nothing.
type noShell struct{}

func (noShell) Parse(string) ([]diffs.Command, bool) { return nil, false }

func TestWithShell(t *testing.T) {
	for _, shell := range []diffs.Shell{nil, noShell{}} {
		tools, err := diffs.NewTools(diffs.WithShell(shell))
		require.NoError(t, err)
		s := new(toolSession).call("Bash", args{"command": "rm a"}, "")
		assert.Equal(t, diffs.EffectChange, tools.Calls(s.history)[0].Effect)
	}
}

func TestToolsAreSafeForConcurrentUse(t *testing.T) {
	s := new(toolSession).call("read", args{"path": "a"}, "x\n").call("Bash", args{"command": "rm a"}, "")
	want := s.calls()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { assert.Equal(t, want, s.calls()) })
	}
	wait.Wait()
}

func TestCallsOfNothing(t *testing.T) {
	assert.Empty(t, diffs.DefaultTools().Calls(nil))
	assert.Empty(t, diffs.DefaultTools().Calls([]core.Message{{}, {Role: core.RoleUser, Parts: []core.Part{{}}}}))
}
