package diffs

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Tools knows which tools touch which files, and how their results tell what became of
// it. It never changes and is safe for concurrent use.
type Tools struct {
	table []Row
	named map[string][]*tool
	shell Shell
	root  string
}

// ToolsOption configures [NewTools].
type ToolsOption func(*toolsConfig)

type toolsConfig struct {
	rows  []Row
	shell Shell
	root  string
}

// WithRows adds rows to the built-in table. They take the place of every built-in row that
// has one of their names; names that no built-in row has are new.
func WithRows(rows ...Row) ToolsOption {
	return func(c *toolsConfig) { c.rows = append(c.rows, rows...) }
}

// WithShell sets what parses command lines. The default understands plain commands, and
// takes every other line for one that may have changed any file.
func WithShell(shell Shell) ToolsOption {
	return func(c *toolsConfig) { c.shell = shell }
}

// WithRoot sets the directory that relative paths are relative to. Without it the history
// is searched for a statement of it; see [Tools.Calls].
func WithRoot(dir string) ToolsOption {
	return func(c *toolsConfig) { c.root = dir }
}

//go:embed tools.json
var builtinRows []byte

// NewTools returns the built-in table with the given changes. The error joins a *[RowError]
// for each fault of a row, whose index is its place among all that were given.
func NewTools(opts ...ToolsOption) (*Tools, error) {
	c := toolsConfig{shell: plainShell}
	for _, opt := range opts {
		opt(&c)
	}
	rows, err := ParseRows(builtinRows)
	if err != nil {
		return nil, fmt.Errorf("diffs: read the built-in table: %w", err)
	}
	t := &Tools{named: make(map[string][]*tool), shell: c.shell, root: c.root}
	if t.shell == nil {
		t.shell = plainShell
	}
	faults := t.add(c.rows)
	for i := range rows {
		rows[i].Names = slices.DeleteFunc(rows[i].Names, t.knows)
	}
	rows = slices.DeleteFunc(rows, func(r Row) bool { return len(r.Names) == 0 })
	if faults = append(faults, t.add(rows)...); len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return t, nil
}

// add compiles rows behind those that are there.
func (t *Tools) add(rows []Row) (faults []error) {
	for i, row := range rows {
		row = row.clone()
		compiled, errs := compileRow(i, row)
		faults = append(faults, errs...)
		t.table = append(t.table, row)
		for _, name := range row.Names {
			t.named[name] = append(t.named[name], compiled)
		}
	}
	return faults
}

// DefaultTools returns the built-in table. It is made once and shared.
func DefaultTools() *Tools { return defaultTools() }

var defaultTools = sync.OnceValue(func() *Tools {
	t, err := NewTools()
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	return t
})

// Rows returns a copy of the table, in the order in which its rows are asked.
func (t *Tools) Rows() []Row {
	rows := make([]Row, len(t.table))
	for i, row := range t.table {
		rows[i] = row.clone()
	}
	return rows
}

// knows reports whether the table has a tool of exactly that name.
func (t *Tools) knows(name string) bool { return len(t.named[name]) > 0 }

// lookup returns the rows of a name, which may carry the prefix of an MCP server.
func (t *Tools) lookup(name string) []*tool {
	if rows, ok := t.named[name]; ok {
		return rows
	}
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if _, bare, ok := strings.Cut(rest, "__"); ok {
			return t.named[bare]
		}
	}
	return nil
}

// find returns the first row of a name whose conditions the arguments meet, or nil.
func (t *Tools) find(name string, a arguments) *tool {
	for _, row := range t.lookup(name) {
		if row.applies(a) {
			return row
		}
	}
	return nil
}

func (t *tool) applies(a arguments) bool {
	for key, want := range t.When {
		got, ok := a.value([]string{key})
		switch {
		case want == "*" && ok, want == "-" && !ok:
		case want == "*", want == "-", !ok:
			return false
		case strings.Trim(string(got), `"`) != want:
			return false
		}
	}
	return true
}
