package document_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

func read(t *testing.T, text string) *document.Document {
	t.Helper()
	d, err := document.Read([]byte(text), document.Format{Name: "f", List: "list", Text: true, Marks: []string{"a", "b"}, Signs: []string{"id"}})
	require.NoError(t, err)
	return d
}

func TestMarks(t *testing.T) {
	for text, want := range map[string]wire.Shape{
		`{"a":1}`:              wire.ShapeLines,
		`{"b":1,"list":"x"}`:   wire.ShapeLines,
		`{"list":[],"c":1}`:    wire.ShapeRequest,
		`{"list":"x"}`:         wire.ShapeRequest,
		`{"id":1}`:             wire.ShapeLines,
		`{"id":1,"list":[]}`:   wire.ShapeRequest,
		"{\"c\":1}\n{\"c\":2}": wire.ShapeLines,
	} {
		assert.Equal(t, want, read(t, text).Shape, text)
	}
}

// A list that is a string stays one until something else stands beside it.
func TestJoinText(t *testing.T) {
	const text = `{"x":1, "list" : "said" }`
	d := read(t, text)
	require.Len(t, d.Items, 1)
	patch := []rawjson.Patch{{Span: d.Items[0], New: `"new"`}}
	for want, items := range map[string][]document.Item{
		text:                                          {{Index: 0}},
		strings.Replace(text, "said", "new", 1):       {{Index: 0, Patches: patch}},
		strings.Replace(text, `"said"`, `[]`, 1):      {},
		strings.Replace(text, `"said"`, `[{}]`, 1):    {{Index: -1, New: `{}`}},
		strings.Replace(text, `"said"`, `[{},{}]`, 1): {{Index: -1, New: `{}`}, {Index: -1, New: `{}`}},
	} {
		assert.Equal(t, want, string(d.Join(items)))
	}
}

// Patches around the list go with any items in it.
func TestJoinAround(t *testing.T) {
	d := read(t, `{"head":1,"list":[ {"a":1} ,{"a":2}],"tail":2}`)
	patch := func(name string) rawjson.Patch {
		return rawjson.Patch{Span: rawjson.Get(d.Text, d.Object, name), New: `"` + name + `"`}
	}
	around := []rawjson.Patch{patch("head"), patch("tail")}
	for want, got := range map[string][]byte{
		`{"head":"head","list":[ {"a":1} ,{"a":2}],"tail":"tail"}`: d.Join([]document.Item{{Index: 0}, {Index: 1}}, around...),
		`{"head":"head","list":[ {"a":2}],"tail":"tail"}`:          d.Join([]document.Item{{Index: 1}}, around...),
		`{"head":"head","list":[],"tail":"tail"}`:                  d.Join(nil, around...),
		`{"head":1,"list":[],"tail":"tail"}`:                       d.Join(nil, around[1]),
	} {
		assert.Equal(t, want, string(got))
	}
}
