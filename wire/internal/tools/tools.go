// Package tools reads the definitions of tools in the shapes that providers give them, so
// that one format can write what another read.
package tools

import (
	"slices"
	"strings"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Tool is the definition of a tool that a program runs.
type Tool struct {
	Name        string
	Description string
	Parameters  string // the JSON schema of the arguments; empty: none is given
	Strict      string // true or false where the definition says so
	Free        bool   // the input is text and not JSON
	Syntax      string // of such a text: the language of Grammar, such as "lark"; empty: any text
	Grammar     string
	Extra       []string // members that are none of these
}

// shape says how a provider writes a definition.
type shape struct {
	kind, body string // the member type, and the member that holds the rest; empty: there is none
	mark       string // a member that tells it from the others; may be empty
	parameters []string
	free       bool
	openAPI    bool // names of types are in capitals
}

// The shapes, the more particular before the less. Members that cache or load a definition
// change nothing of what it says and are left behind.
var shapes = []shape{
	{kind: "function", body: "function", parameters: []string{"parameters"}}, // OpenAI chat
	{kind: "custom", body: "custom", free: true},
	{kind: "function", mark: "name", parameters: []string{"parameters"}}, // OpenAI Responses
	{kind: "custom", mark: "input_schema", parameters: []string{"input_schema"}},
	{kind: "custom", mark: "name", free: true},
	{mark: "input_schema", parameters: []string{"input_schema"}},                                                        // Anthropic
	{mark: "name", parameters: []string{"parameters", "parametersJsonSchema", "parameters_json_schema"}, openAPI: true}, // OpenAI's older functions, Gemini
}

var ignored = []string{"cache_control", "defer_loading"}

// Read returns the tools that a definition holds: one, or as many as a Gemini tool
// declares. It returns nil for what it does not know: no JSON, another shape, or a tool
// that the provider runs itself.
func Read(schema string) []Tool {
	if rawjson.Check([]byte(schema)) != nil {
		return nil
	}
	whole := rawjson.ValueAt(schema, rawjson.Space(schema, 0))
	if declared, only := declarations(schema, whole); only {
		var all []Tool
		for at := range rawjson.Elements(schema, declared) {
			t, ok := read(schema, at)
			if !ok {
				return nil
			}
			all = append(all, t)
		}
		return all
	}
	if t, ok := read(schema, whole); ok {
		return []Tool{t}
	}
	return nil
}

// declarations returns the list of a Gemini tool, and whether the tool is nothing else.
func declarations(text string, whole rawjson.Span) (list rawjson.Span, only bool) {
	if rawjson.TypeOf(text, whole) != rawjson.Object {
		return list, false
	}
	for m := range rawjson.Members(text, whole) {
		if m.Name != "functionDeclarations" && m.Name != "function_declarations" {
			return list, false
		}
		list = m.Value
	}
	return list, rawjson.TypeOf(text, list) == rawjson.Array
}

func read(text string, at rawjson.Span) (Tool, bool) {
	kind := str(text, rawjson.Get(text, at, "type"))
	for i := range shapes {
		s := &shapes[i]
		if kind != s.kind || s.mark != "" && rawjson.Get(text, at, s.mark) == (rawjson.Span{}) {
			continue
		}
		body := at
		if s.body != "" {
			body = rawjson.Get(text, at, s.body)
		}
		if str(text, rawjson.Get(text, body, "name")) != "" {
			return s.read(text, at, body), true
		}
	}
	return Tool{}, false
}

// read reads a definition of the shape: its body, and what stands around that.
func (s *shape) read(text string, at, body rawjson.Span) Tool {
	t := Tool{Free: s.free}
	for m := range rawjson.Members(text, body) {
		switch {
		case m.Name == "name":
			t.Name = str(text, m.Value)
		case m.Name == "description":
			t.Description = str(text, m.Value)
		case m.Name == "strict":
			t.Strict = m.Value.Of(text)
		case s.free && m.Name == "format":
			t.readFormat(text, m.Value)
		case slices.Contains(s.parameters, m.Name):
			t.Parameters = s.schema(text, m.Value)
		case m.Name != "type" || body != at:
			t.extra(m.Name)
		}
	}
	if body != at {
		for m := range rawjson.Members(text, at) {
			if m.Name != "type" && m.Name != s.body {
				t.extra(m.Name)
			}
		}
	}
	if t.Strict == "null" {
		t.Strict = ""
	}
	return t
}

// readFormat reads what the input of a tool may be. OpenAI's chat API has the grammar in an
// object of its own.
func (t *Tool) readFormat(text string, at rawjson.Span) {
	if inner := rawjson.Get(text, at, "grammar"); rawjson.TypeOf(text, inner) == rawjson.Object {
		at = inner
	}
	t.Syntax, t.Grammar = str(text, rawjson.Get(text, at, "syntax")), str(text, rawjson.Get(text, at, "definition"))
}

func (t *Tool) extra(name string) {
	if !slices.Contains(ignored, name) && !slices.Contains(t.Extra, name) {
		t.Extra = append(t.Extra, name)
	}
}

// schema returns the schema at a span. Gemini's own dialect has the names of types in
// capitals, which no other provider takes.
func (s *shape) schema(text string, at rawjson.Span) string {
	if rawjson.TypeOf(text, at) == rawjson.Null {
		return ""
	}
	if !s.openAPI {
		return at.Of(text)
	}
	var patches []rawjson.Patch
	for i := at.Start; i < at.End; i++ {
		if text[i] != '"' {
			continue
		}
		name := rawjson.ValueAt(text, i)
		i = name.End - 1
		value := rawjson.Space(text, name.End)
		if name.Of(text) != `"type"` || value >= at.End || text[value] != ':' {
			continue
		}
		if value = rawjson.Space(text, value+1); text[value] == '"' {
			span := rawjson.ValueAt(text, value)
			if kind := str(text, span); slices.Contains(capitals, kind) {
				patches = append(patches, rawjson.Patch{Span: span, New: strings.ToLower(span.Of(text))})
			}
		}
	}
	return string(rawjson.AppendPatched(nil, text, at, patches))
}

var capitals = []string{"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}

// str returns the string at a span, or "" if it is none.
func str(text string, at rawjson.Span) string {
	if rawjson.TypeOf(text, at) != rawjson.String {
		return ""
	}
	return rawjson.Unquote(at.Of(text))
}
