package openai_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

// TestTraces reads every recorded conversation in the three shapes, writes it back, and
// edits it in each.
func TestTraces(t *testing.T) {
	wiretest.EachTrace(t, func(t *testing.T, data []byte) {
		t.Helper()
		t.Parallel()
		lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		array := slices.Concat([]byte("[\n  "), bytes.Join(lines, []byte(",\n  ")), []byte("\n]\n"))
		request := slices.Concat([]byte(`{"model":"m","messages":`), array, []byte(`,"tools":[{"type":"function"}]}`))
		var first []core.Message
		for shape, doc := range [][]byte{wire.ShapeLines: data, wire.ShapeArray: array, wire.ShapeRequest: request} {
			if doc == nil {
				continue
			}
			c := parse(t, string(doc))
			assert.Equal(t, wire.Shape(shape), c.Shape())
			if first == nil {
				first = c.Messages()
			}
			assert.Equal(t, first, c.Messages())
			suite.Views(t, c, 1)
		}
		assert.Len(t, first, len(lines))
	})
}

// TestTracesEncode writes every recorded conversation anew, as far as it can be held.
func TestTracesEncode(t *testing.T) {
	held, all := suite.Traces(t)
	assert.Greater(t, held, all/2)
}
