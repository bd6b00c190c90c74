package shell_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/diffs/shell"
)

// TestTraces parses the command lines of recorded sessions: nearly all are understood, and
// what the splitter understands is the same.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	seen := map[string]bool{}
	var split, parsed int
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		for message := range bytes.Lines(data) {
			for _, line := range commandLines(message) {
				if seen[line] {
					continue
				}
				seen[line] = true
				got, ok := shell.Parser{}.Parse(line)
				if ok {
					parsed++
				}
				if want, understood := (diffs.Splitter{}).Parse(line); understood {
					split++
					assert.True(t, ok, line)
					assert.Equal(t, show(want), show(got), line)
				}
			}
		}
	}
	t.Logf("%d lines: the splitter understands %d, the parser %d", len(seen), split, parsed)
	assert.GreaterOrEqual(t, split, len(seen)*95/100)
	assert.GreaterOrEqual(t, parsed, len(seen)*99/100)
}

// commandLines are those of the tool calls of a message.
func commandLines(message []byte) (lines []string) {
	var m struct {
		Calls []struct {
			Function struct{ Arguments string }
		} `json:"tool_calls"`
	}
	_ = json.Unmarshal(message, &m) // malformed ones are among the recordings
	for _, call := range m.Calls {
		var args struct{ Command, Cmd, Path any }
		if json.Unmarshal([]byte(call.Function.Arguments), &args) != nil || args.Path != nil {
			continue
		}
		for _, value := range []any{args.Command, args.Cmd} {
			if line, ok := value.(string); ok {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
