package responses_test

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/openai"
	"github.com/trimkit/trimkit/wire/responses"
)

// TestTraces writes every recorded conversation as a request, reads that, and trims it. One
// that has what the format lacks must say so, and goes on without that.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	held := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			recorded, err := openai.Parse(data)
			require.NoError(t, err)
			history := recorded.Messages()
			encoded, err := responses.Encode(history, recorded.Request())
			var lost *wire.EncodeError
			if errors.As(err, &lost) {
				reasons := map[string]int{}
				for _, loss := range lost.Losses {
					reasons[loss.What]++
				}
				t.Logf("cannot be held: %v", reasons)
				history = holdable(history)
				encoded, err = responses.Encode(history, recorded.Request())
			} else {
				held++
			}
			require.NoError(t, err)
			c, err := responses.Parse(encoded)
			require.NoError(t, err)
			require.Equal(t, essence(history), essence(c.Messages()))
			out, err := c.Write(deepCopy(c.Messages()))
			require.NoError(t, err)
			assert.True(t, bytes.Equal(encoded, out), "other bytes")
			for _, percent := range []int{25, 50, 75} {
				back := checkView(t, c, trimmed(t, c.Messages(), percent))
				checkRules(t, c.Messages(), back)
			}
		})
	}
	t.Logf("%d of %d conversations are held whole", held, len(files))
	assert.Positive(t, held)
}

// holdable returns a history without what the format has no place for.
func holdable(history []core.Message) []core.Message {
	history = deepCopy(history)
	for i := range history {
		m := &history[i]
		m.Name, m.Role = "", cmp.Or(m.Role, core.RoleUser)
		kept := m.Parts[:0]
		for _, p := range m.Parts {
			p.Status, p.Signed = 0, false
			if m.Role != core.RoleTool || p.Kind == core.KindToolResult {
				kept = append(kept, p)
			}
		}
		m.Parts = kept
	}
	return history
}
