package diffs

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recordedLines returns the command lines of recorded sessions, each once.
func recordedLines(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	var lines []string
	seen := map[string]bool{}
	for _, path := range paths {
		file, err := os.Open(path)
		require.NoError(t, err)
		scanner := bufio.NewScanner(file)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			var message struct {
				Calls []struct {
					Function struct{ Arguments string }
				} `json:"tool_calls"`
			}
			if json.Unmarshal(scanner.Bytes(), &message) != nil {
				continue
			}
			for _, call := range message.Calls {
				var args struct{ Command, Cmd, Path any }
				if json.Unmarshal([]byte(call.Function.Arguments), &args) != nil || args.Path != nil {
					continue
				}
				for _, value := range []any{args.Command, args.Cmd} {
					if line, ok := value.(string); ok && !seen[line] {
						seen[line] = true
						lines = append(lines, line)
					}
				}
			}
		}
		require.NoError(t, scanner.Err())
		require.NoError(t, file.Close())
	}
	require.NotEmpty(t, lines)
	return lines
}

// TestShellTraces counts what is understood of the command lines that agents wrote.
func TestShellTraces(t *testing.T) {
	count := map[string]int{}
	for _, line := range recordedLines(t) {
		count["lines"]++
		if _, ok := plainShell.Parse(line); ok {
			count["split"]++
		}
		fx := shellEffects(nil, line, "/w")
		require.Len(t, fx.exit, len(fx.events))
		count[fx.effect.String()]++
		reads := 0
		for _, e := range fx.events {
			switch {
			case e.Op == Touch && e.Path == "":
				count["touch any"]++
			case e.Op == Read:
				reads++
			}
			assert.NotContains(t, e.Path, "\n")
		}
		if reads > 0 {
			count["reads"]++
		}
		if fx.output != nil {
			count["exact outputs"]++
		}
		if fx.dir == unknownDir {
			count["unknown folder"]++
		}
	}
	t.Log(count)
	assert.GreaterOrEqual(t, count["split"], count["lines"]*95/100)
	assert.LessOrEqual(t, count["touch any"], count["lines"]/10)
}
