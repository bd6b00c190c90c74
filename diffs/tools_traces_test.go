package diffs_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/wire/format"
)

// toolTally is what a session's calls come to.
type toolTally struct {
	calls, reads, exact, ok, failed, unknown, touches int
	strangers                                         map[string]int // tools without a row
}

func (n *toolTally) add(c *diffs.Call) {
	n.calls++
	for i := range c.Events {
		switch e := &c.Events[i]; {
		case e.Op == diffs.Touch:
			n.touches++
		case e.Op == diffs.Read:
			n.reads++
			if len(e.Copies) > 0 && e.Certain {
				n.exact++
			}
		case e.Op == diffs.List:
		case e.Outcome == diffs.OK:
			n.ok++
		case e.Outcome == diffs.Failed:
			n.failed++
		default:
			n.unknown++
		}
	}
}

// TestTraces_Tools reads every recorded coding session, checks what calls must keep
// whatever they are, and prints what was understood beside what the index counted.
func TestTraces_Tools(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "coding", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	index := readToolIndex(t, filepath.Join(dir, "INDEX.tsv"))
	tools := diffs.DefaultTools()
	known := make(map[string]bool)
	for _, row := range tools.Rows() {
		for _, name := range row.Names {
			known[name] = true
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-60s %5s | %5s %5s %5s | %5s %5s %5s %5s %5s | %s\n", "session", "calls",
		"index", "reads", "exact", "index", "ok", "fail", "unkn", "touch", "unknown tools")
	var all agreement
	for _, file := range files {
		all.files = make(map[string]*agreed)
		history := readToolTrace(t, file)
		n := toolTally{strangers: make(map[string]int)}
		for _, c := range tools.Calls(history) {
			checkCall(t, history, &c)
			n.add(&c)
			all.add(&c)
			if c.Tool != "" && !known[c.Tool] {
				n.strangers[c.Tool]++
			}
		}
		name, _ := filepath.Rel(dir, file)
		row := index[name]
		names := fmt.Sprint(len(n.strangers))
		fmt.Fprintf(&table, "%-60s %5d | %5s %5d %5d | %5s %5d %5d %5d %5d | %s\n", strings.TrimSuffix(name, ".jsonl"), n.calls,
			row["file_reads"], n.reads, n.exact, row["edits"]+"/"+row["failed_edits"], n.ok, n.failed, n.unknown, n.touches, names)
	}
	t.Log(table.String())
	all.check(t)
}

func readToolTrace(t *testing.T, file string) []core.Message {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	h, err := format.Parse(data, format.Auto)
	require.NoError(t, err, file)
	return h.Messages()
}

func readToolIndex(t *testing.T, file string) map[string]map[string]string {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer func() { assert.NoError(t, f.Close()) }()
	index := make(map[string]map[string]string)
	var head []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		if head == nil {
			head = fields
			continue
		}
		row := make(map[string]string)
		for i, field := range fields {
			row[head[i]] = field
		}
		index[fields[0]] = row
	}
	return index
}

// checkCall checks what holds for every call of every history.
func checkCall(t *testing.T, history []core.Message, c *diffs.Call) {
	t.Helper()
	part := func(at diffs.Place) *core.Part { return &history[at.Msg].Parts[at.Part] }
	require.NotNil(t, part(c.At))
	for _, at := range c.Results {
		assert.Equal(t, core.KindToolResult, part(at).Kind)
	}
	for _, e := range c.Events {
		assert.NotZero(t, e.Op)
		if e.Op != diffs.Touch && e.Certain {
			assert.NotEmpty(t, e.Path, "%v", e.Op)
		}
		for i := range e.Copies {
			copied := &e.Copies[i]
			assert.NotEqual(t, diffs.Failed, e.Outcome)
			assert.Positive(t, copied.First)
			assert.True(t, copied.At == c.At || slices.Contains(c.Results, copied.At), "%v is no part of the call", copied.At)
			if copied.Lines == 0 {
				assert.Empty(t, copied.Text())
				continue
			}
			content := copied.Text()
			assert.Equal(t, copied.Lines, strings.Count(content, "\n")+1, strconv.Quote(content[:min(len(content), 80)]))
			checkShown(t, part(copied.At), content)
		}
	}
}

// checkShown checks that a part has the lines of a copy, in their order.
func checkShown(t *testing.T, part *core.Part, content string) {
	t.Helper()
	rest := part.Text
	assert.LessOrEqual(t, len(content), len(rest))
	if part.Kind == core.KindToolCall || strings.HasPrefix(rest, "{") { // JSON
		return
	}
	for line := range strings.SplitSeq(content, "\n") {
		_, behind, ok := strings.Cut(rest, line)
		if rest = behind; !ok {
			assert.Fail(t, "a line that the part has not", strconv.Quote(line))
			return
		}
	}
}
