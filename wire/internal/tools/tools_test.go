package tools_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/wire/internal/tools"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		want         []tools.Tool
	}{
		{
			"OpenAI chat", ` {"type":"function", "function":{"name":"f","description":"d\n","parameters":{"type": "object"},"strict":true}}`,
			[]tools.Tool{{Name: "f", Description: "d\n", Parameters: `{"type": "object"}`, Strict: "true"}},
		},
		{
			"OpenAI chat, free text", `{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"g"}}}}`,
			[]tools.Tool{{Name: "f", Free: true, Syntax: "lark", Grammar: "g"}},
		},
		{"OpenAI's older functions", `{"name":"f","parameters":null}`, []tools.Tool{{Name: "f"}}},
		{
			"OpenAI Responses", `{"type":"function","name":"f","parameters":{},"strict":null,"x":1}`,
			[]tools.Tool{{Name: "f", Parameters: `{}`, Extra: []string{"x"}}},
		},
		{
			"OpenAI Responses, free text", `{"type":"custom","name":"f","format":{"type":"grammar","syntax":"regex","definition":"a+"}}`,
			[]tools.Tool{{Name: "f", Free: true, Syntax: "regex", Grammar: "a+"}},
		},
		{"OpenAI Responses, any text", `{"type":"custom","name":"f","format":{"type":"text"}}`, []tools.Tool{{Name: "f", Free: true}}},
		{
			"Anthropic", `{"name":"f","input_schema":{"type":"OBJECT"},"cache_control":{"type":"ephemeral"},"input_examples":[]}`,
			[]tools.Tool{{Name: "f", Parameters: `{"type":"OBJECT"}`, Extra: []string{"input_examples"}}},
		},
		{"Anthropic with a type", `{"type":"custom","name":"f","input_schema":{}}`, []tools.Tool{{Name: "f", Parameters: `{}`}}},
		{
			"Gemini", `{"functionDeclarations":[{"name":"f","parameters":{"type" : "OBJECT","properties":{"type":{"type":"STRING","description":"type\":"}}}},{"name":"g","parametersJsonSchema":{}}]}`,
			[]tools.Tool{{Name: "f", Parameters: `{"type" : "object","properties":{"type":{"type":"string","description":"type\":"}}}`}, {Name: "g", Parameters: `{}`}},
		},
		{"a Gemini declaration", `{"name":"f","description":"d","response":{}}`, []tools.Tool{{Name: "f", Description: "d", Extra: []string{"response"}}}},

		{"a tool of the provider's", `{"type":"web_search"}`, nil},
		{"another one", `{"type":"web_search_20250305","name":"web_search"}`, nil},
		{"one of Gemini's", `{"googleSearch":{}}`, nil},
		{"one beside declarations", `{"functionDeclarations":[{"name":"f"}],"googleSearch":{}}`, nil},
		{"an unknown declaration", `{"functionDeclarations":[{"name":"f"},{}]}`, nil},
		{"no declarations", `{"functionDeclarations":[]}`, nil},
		{"no name", `{"type":"function","function":{"parameters":{}}}`, nil},
		{"no object", `["name"]`, nil},
		{"no JSON", `{"name":"f"`, nil},
		{"nothing", ``, nil},
	} {
		assert.Equal(t, c.want, tools.Read(c.schema), c.name)
	}
}

// A deep or long schema takes no more than linear time.
func TestReadHostile(t *testing.T) {
	const n = 9000
	deep := strings.Repeat(`{"type":"OBJECT","a":`, n) + `"` + strings.Repeat("x", 100*n) + `"` + strings.Repeat("}", n)
	got := tools.Read(`{"name":"f","parameters":` + deep + `}`)
	assert.Len(t, got, 1)
	assert.Equal(t, strings.ReplaceAll(deep, "OBJECT", "object"), got[0].Parameters)
}
