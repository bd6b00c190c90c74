package records_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/records"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		limit      int
		shape      wire.Shape
		items      []string
		broken     int
	}{
		{"lines", "{\"a\":1}\r\n\n {\"b\":2} \n", 0, wire.ShapeLines, []string{`{"a":1}`, `{"b":2}`}, 0},
		{"broken lines", "{\"a\":1}\n{\"b\":\n7\n[]\n{}", 0, wire.ShapeLines, []string{`{"a":1}`, `{}`}, 3},
		{"a cut line", "{}\n{\"a\":", 0, wire.ShapeLines, []string{`{}`}, 1},
		{"some lines", "{}\n{}\n{}", 2, wire.ShapeLines, []string{`{}`, `{}`}, 0},
		{"an array", "\xef\xbb\xbf [{}, 7,\n{\"a\":[1]}]", 0, wire.ShapeArray, []string{`{}`, `{"a":[1]}`}, 1},
		{"some of an array", "[{},{},{}]", 1, wire.ShapeArray, []string{`{}`}, 0},
		{"an object", " {\"a\":\n1}\n", 0, wire.ShapeRequest, []string{"{\"a\":\n1}"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := records.Read("f", []byte(c.text), c.limit)
			require.NoError(t, err)
			assert.Equal(t, c.shape, r.Shape)
			assert.Equal(t, c.broken, r.Broken)
			var items []string
			for _, item := range r.Items {
				items = append(items, item.Of(r.Text))
			}
			assert.Equal(t, c.items, items)
			assert.Equal(t, c.shape == wire.ShapeLines, r.Whole == rawjson.Span{})
		})
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"\n":         "f: parse: line 2, byte 1: expected JSON or JSONL, found an empty file",
		"\n\"a\"":    "f: parse: line 2, byte 1: expected JSON or JSONL, found a string",
		"[{}":        "f: parse: line 1, byte 3: expected JSON or JSONL, found unexpected end of JSON input",
		"{\n\"a\":}": "f: parse: line 2, byte 6: expected JSON or JSONL, found invalid character '}' looking for beginning of value",
	} {
		_, err := records.Read("f", []byte(text), 0)
		assert.EqualError(t, err, want)
	}
}

func TestValues(t *testing.T) {
	r, err := records.Read("f", []byte(`{"a":"\u0041","b":[1,2],"a":null}`), 0)
	require.NoError(t, err)
	fields := r.Fields(r.Whole)
	assert.Equal(t, rawjson.Null, r.Kind(fields["a"]), "the last one counts")
	assert.Equal(t, fields["b"], r.Get(r.Whole, "b"))
	assert.Empty(t, r.Str(fields["b"]))
	n := 0
	for range r.Elements(fields["b"]) {
		n++
	}
	for range r.Elements(r.Whole) {
		n++
	}
	assert.Equal(t, 2, n)
	assert.Empty(t, r.Fields(fields["b"]))
}
