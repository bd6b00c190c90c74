package format_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire/format"
)

// TestTraces detects recorded conversations, all of which are OpenAI's, in three shapes.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	reasons := map[string]int{}
	for _, file := range files {
		lines, err := os.ReadFile(file)
		require.NoError(t, err)
		array := append(append([]byte("["), bytes.ReplaceAll(bytes.TrimSpace(lines), []byte("\n"), []byte(","))...), ']')
		request := append(append([]byte(`{"model":"m","messages":`), array...), '}')
		for _, data := range [][]byte{lines, array, request} {
			f, reason, err := format.Detect(data)
			require.NoError(t, err, file)
			assert.Equal(t, "openai", f.Name, "%s: %s", file, reason)
			reasons[reason]++
		}
	}
	t.Log(reasons)
}
