package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/wire"
)

func TestShape(t *testing.T) {
	assert.Equal(t, "array", wire.ShapeArray.String())
	assert.Equal(t, "request", wire.ShapeRequest.String())
	assert.Equal(t, "lines", wire.ShapeLines.String())
	assert.Equal(t, "none", wire.Shape(0).String())
}

func TestLossSaysWhere(t *testing.T) {
	for want, loss := range map[string]wire.Loss{
		"message 2, part 1": {Message: 2, Part: 1, What: "a sound"},
		"message 2":         {Message: 2, Part: -1, What: "an author's name"},
		"tool definition 3": {Message: -1, Part: 3, What: "arguments that strictly follow the schema"},
		"document 0":        {Message: -1, What: "a document beside the messages"},
		"request":           {Message: -1, Part: -1, What: "JSON that is nested too deep"},
	} {
		assert.Equal(t, want, loss.Where())
	}
}

func TestErrors(t *testing.T) {
	for want, err := range map[string]error{
		`openai: parse: line 3, byte 40: expected JSON, found a comma; remove it`: &wire.SyntaxError{
			Format: "openai", Line: 3, Message: -1, Offset: 40, Expected: "JSON", Found: "a comma", Hint: "remove it",
		},
		`openai: parse: message 2 (line 3, byte 40): expected a string, found null`: &wire.SyntaxError{
			Format: "openai", Line: 3, Message: 2, Offset: 40, Expected: "a string", Found: "null",
		},
		`openai: write: view message 1: expected a message, found none`: &wire.ViewError{
			Format: "openai", View: 1, Message: -1, Part: -1, Expected: "a message", Found: "none",
		},
		`openai: write: view message 1 (message 4 as read), part 0: expected x, found y; do z`: &wire.ViewError{
			Format: "openai", View: 1, Message: 4, Expected: "x", Found: "y", Hint: "do z",
		},
		`openai: encode: the format cannot hold it: message 2, part 1: a sound; message 3: a name; request: a schema`: &wire.EncodeError{
			Format: "openai", Losses: []wire.Loss{{2, 1, "a sound"}, {3, -1, "a name"}, {-1, -1, "a schema"}},
		},
		`openai: parse: line 2, byte 9: expected at most 3 levels of nesting, found 4; raise MaxDepth of the limits if the input is to be trusted`: &wire.LimitError{
			Format: "openai", Limit: "MaxDepth", Max: 3, Found: 4, Line: 2, Offset: 9,
		},
		`openai: encode: the format cannot hold it: message 0: a; message 0: b; message 0: c; message 0: d; message 0: e; and 2 more`: &wire.EncodeError{
			Format: "openai", Losses: []wire.Loss{{0, -1, "a"}, {0, -1, "b"}, {0, -1, "c"}, {0, -1, "d"}, {0, -1, "e"}, {0, -1, "f"}, {0, -1, "g"}},
		},
	} {
		assert.EqualError(t, err, want)
	}
}
