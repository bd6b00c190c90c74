package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/openai"
)

// TestTraces reads every recorded conversation in the three shapes, writes it back, and
// writes a view in which everything is edited that may be.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
			array := slices.Concat([]byte("[\n  "), bytes.Join(lines, []byte(",\n  ")), []byte("\n]\n"))
			request := slices.Concat([]byte(`{"model":"m","messages":`), array, []byte(`,"tools":[{"type":"function"}]}`))

			asLines := roundTrip(t, data, wire.ShapeLines)
			assert.Len(t, asLines.Messages(), len(lines))
			for doc, shape := range map[*[]byte]wire.Shape{&array: wire.ShapeArray, &request: wire.ShapeRequest} {
				c := roundTrip(t, *doc, shape)
				assert.Equal(t, asLines.Messages(), c.Messages())
				writeEdited(t, c)
			}
			writeEdited(t, asLines)
		})
	}
}

func roundTrip(t *testing.T, data []byte, shape wire.Shape) *openai.Conversation {
	t.Helper()
	c, err := openai.Parse(data)
	require.NoError(t, err)
	assert.Equal(t, shape, c.Shape())
	for _, view := range [][]core.Message{c.Messages(), deepCopy(c.Messages())} {
		out, err := c.Write(view)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(data, out), "other bytes")
	}
	return c
}

// writeEdited elides what can be elided and drops every third group, then reads that.
func writeEdited(t *testing.T, c *openai.Conversation) {
	t.Helper()
	everything := core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range w.History {
				for p := range w.History[i].Parts {
					if !yield(core.Edit{Op: core.Elide, Msg: i, Part: p, By: -1, Reason: "tested"}) {
						return
					}
				}
				if w.Groups.Of[i]%3 == 0 && !yield(core.Edit{Op: core.Drop, Msg: i, Part: -1, By: -1, Reason: "tested"}) {
					return
				}
			}
		}
	})
	view, err := core.Transform(everything, core.WithProfile(core.OpenAI)).Transform(context.Background(), c.Messages())
	require.NoError(t, err)
	out, err := c.Write(view)
	require.NoError(t, err)
	if c.Shape() != wire.ShapeLines {
		assert.True(t, json.Valid(out))
	}
	back, err := openai.Parse(out)
	require.NoError(t, err)
	assert.Equal(t, normal(view), normal(back.Messages()))
}
