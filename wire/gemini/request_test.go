package gemini_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

func TestShapes(t *testing.T) {
	const m = `{"role":"user","parts":[{"text":"a"}]}`
	for doc, want := range map[string]struct {
		shape wire.Shape
		n     int
	}{
		m + "\r\n" + `{"role":"model"}` + "\r\n":                  {wire.ShapeLines, 2},
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
			assert.Equal(t, wiretest.Numbered(want), parse(t, c.doc).Messages())
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
	suite.SyntaxErrors(t, []wiretest.SyntaxCase{
		{"contents no array", `{"contents":7}`, 1, -1, 12, `expected an array as "contents", found a number`},
		{"role no string", `[` + m + `,{"role":7}]`, 1, 1, 36, `expected a string as "role", found a number`},
		{"neither parts nor role", `[{"parts":null,"role":null,"x":1}]`, 1, 0, 1, `expected a content with "parts" or "role", found neither`},
		{"parts a number", `[{"role":"user","parts":7}]`, 1, 0, 24, `expected an array as "parts", found a number`},
		{"system instruction a string", `{"contents":[],"systemInstruction":"s"}`, 1, -1, 35, `expected an object as "systemInstruction", found a string; put a text into {"parts":[{"text":...}]}`},
		{"system instruction with odd parts", `{"contents":[],"systemInstruction":{"parts":true}}`, 1, -1, 44, `expected an array as "parts", found a boolean`},
		{"tools no array", `{"contents":[],"tools":"f"}`, 1, -1, 23, `expected an array as "tools", found a string`},
	})
}
