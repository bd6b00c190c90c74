package gemini_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/gemini"
)

func TestShapes(t *testing.T) {
	const m = `{"role":"user","parts":[{"text":"a"}]}`
	for doc, want := range map[string]struct {
		shape wire.Shape
		n     int
	}{
		"[]":                                     {wire.ShapeArray, 0},
		" \n[ ]\n":                               {wire.ShapeArray, 0},
		`{"contents":[]}`:                        {wire.ShapeRequest, 0},
		`{"contents":[` + m + `]}`:               {wire.ShapeRequest, 1},
		m:                                        {wire.ShapeLines, 1},
		m + "\n" + m:                             {wire.ShapeLines, 2},
		m + "\r\n" + `{"role":"model"}` + "\r\n": {wire.ShapeLines, 2},
		"\xef\xbb\xbf[" + m + "]":                {wire.ShapeArray, 1},
		"{\n\"role\":\"user\",\n\"parts\":[]\n}": {wire.ShapeLines, 1},
		`{"contents":[` + m + `],"system_instruction":` + m + `}`: {wire.ShapeRequest, 2},
	} {
		c := parse(t, doc)
		assert.Equal(t, want.shape, c.Shape(), doc)
		assert.Len(t, c.Messages(), want.n, doc)
	}
}

func TestSystemInstruction(t *testing.T) {
	const user = `{"role":"user","parts":[{"text":"a"}]}`
	for _, c := range []struct {
		name, doc string
		want      []core.Part // nil: no message
	}{
		{"first", `{"systemInstruction":{"parts":[{"text":"be brief"},{"text":"be kind"}]},"contents":[` + user + `]}`, parts(text("be brief"), text("be kind"))},
		{"last, of one part", `{"contents":[` + user + `],"system_instruction":{"role":"user","parts":{"text":"be brief"}}}`, parts(text("be brief"))},
		{"the last of its name counts", `{"system_instruction":{"parts":[{"text":"a"}]},"contents":[` + user + `],"systemInstruction":{"parts":["b"]}}`, parts(text("b"))},
		{
			"what it should not hold", `{"systemInstruction":{"parts":[{"text":"a","thought":true},{"functionCall":{}},{"fileData":{"fileUri":"u"}}]},"contents":[` + user + `]}`,
			parts(text("a"), opaque(`{"functionCall":{}}`), media("", "u", "")),
		},
		{"null", `{"systemInstruction":null,"contents":[` + user + `]}`, nil},
		{"empty", `{"systemInstruction":{},"contents":[` + user + `]}`, nil},
		{"without parts", `{"systemInstruction":{"parts":null},"contents":[` + user + `]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want []core.Message
			if c.want != nil {
				want = messages(core.RoleSystem, c.want...)
			}
			want = append(want, core.Message{Role: core.RoleUser, Parts: parts(text("a"))})
			number(want)
			assert.Equal(t, want, parse(t, c.doc).Messages())
		})
	}
}

func TestRequest(t *testing.T) {
	c := parse(t, `{"tools":[ {"functionDeclarations":[{"name": "f"} ,{"name":"g"}]} ,{"googleSearch":{}},{"function_declarations":{"name":"h"},"code_execution":{}, "x" : 1,"y":null},7],"contents":[],
"generation_config":{"response_schema":{"type": "OBJECT"},"responseJsonSchema":{"type":"object"},"maxOutputTokens":5},"toolConfig":{}}`)
	assert.Equal(t, &core.Request{
		Schemas: []string{`{"name": "f"}`, `{"name":"g"}`, `{"googleSearch":{}}`, `{"name":"h"}`, `{"code_execution":{},"x" : 1}`, `7`},
		Docs:    []string{`{"type": "OBJECT"}`, `{"type":"object"}`},
	}, c.Request())
	assert.Same(t, c.Request(), c.Request())

	assert.Equal(t, &core.Request{Schemas: []string{`{"name":"f"}`}}, parse(t, `{"contents":[],"tools":{"functionDeclarations":[{"name":"f"}]},"generationConfig":{"responseSchema":null}}`).Request())
	assert.Equal(t, &core.Request{Schemas: []string{`{"functionDeclarations":7}`}}, parse(t, `{"contents":[],"tools":[{"functionDeclarations":7}],"generationConfig":7}`).Request())
	for _, doc := range []string{`[]`, `{"contents":[],"tools":null,"generationConfig":{}}`, `{"parts":[],"tools":[1]}`} {
		assert.Equal(t, &core.Request{}, parse(t, doc).Request(), doc)
	}
}

func TestSyntaxErrors(t *testing.T) {
	const m = `{"role":"user","parts":[]}`
	deep := strings.Repeat("[", 100_000)
	for _, c := range []struct {
		name, doc string
		line, msg int
		offset    int64
		want      string // in the text of the error
	}{
		{"nothing", "", 1, -1, 0, "found an empty file"},
		{"a string", `"hi"`, 1, -1, 0, `found the byte '"'`},
		{"array cut off", "[" + m + ",\n{", 2, -1, 30, "the file seems to be cut off"},
		{"too deep", deep, 1, -1, 10_000, "exceeded max depth"},
		{"line cut off", m + "\n{\"role\":\"us\n" + m, 2, 1, 38, "found the end of the line"},
		{"content no object", "[" + m + ",\n 7]", 2, 1, 30, "expected a message object, found a number"},
		{"no contents", `{"model":"m"}`, 1, -1, 0, `expected an object with "contents" (a request) or "parts" (a message), found neither`},
		{"contents no array", `{"contents":7}`, 1, -1, 12, `expected an array as "contents", found a number`},
		{"role no string", `[` + m + `,{"role":7}]`, 1, 1, 36, `expected a string as "role", found a number`},
		{"parts a number", `[{"role":"user","parts":7}]`, 1, 0, 24, `expected an array as "parts", found a number`},
		{"requests", "{\"contents\":[]}\n{\"contents\":[]}", 1, 0, 0, "read the lines one by one"},
		{"system instruction a string", `{"contents":[],"systemInstruction":"s"}`, 1, -1, 35, `expected an object as "systemInstruction", found a string; put a text into {"parts":[{"text":...}]}`},
		{"system instruction with odd parts", `{"contents":[],"systemInstruction":{"parts":true}}`, 1, -1, 44, `expected an array as "parts", found a boolean`},
		{"tools no array", `{"contents":[],"tools":"f"}`, 1, -1, 23, `expected an array as "tools", found a string`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := gemini.Parse([]byte(c.doc))
			assert.Nil(t, got)
			var syntax *wire.SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.Equal(t, "gemini", syntax.Format)
			assert.Equal(t, c.line, syntax.Line, "line")
			assert.Equal(t, c.msg, syntax.Message, "message")
			assert.Equal(t, c.offset, syntax.Offset, "offset")
			assert.ErrorContains(t, err, c.want)
		})
	}
}
