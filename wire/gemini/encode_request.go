package gemini

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/tools"
)

// tools writes tool definitions. Functions, whoever's shape they have, are declarations of
// one tool; what is not known as a function, such as a tool that Google runs, is a tool of
// its own as it is.
func (e *encoder) tools(schemas []string) {
	var functions, others []string
	for i, schema := range schemas {
		whole, kind := object(schema)
		if kind != rawjson.Object || !utf8.ValidString(schema) {
			e.lose(-1, i, "a tool definition that is no JSON object")
			continue
		}
		own := whole.Of(schema)
		if isDeclaration(schema, whole) {
			functions = append(functions, own)
			continue
		}
		known := tools.Read(schema)
		if len(known) == 0 {
			others = append(others, own)
		}
		for _, t := range known {
			functions = append(functions, e.declaration(i, &t))
		}
	}
	if len(functions) > 0 {
		others = append([]string{`{"functionDeclarations":[` + strings.Join(functions, ",\n") + "]}"}, others...)
	}
	if len(others) > 0 {
		e.write(",\n" + `"tools":[` + strings.Join(others, ",\n") + "]")
	}
}

// isDeclaration reports whether a definition can stand among Gemini's as it is. OpenAI's
// older functions have the same form.
func isDeclaration(text string, whole rawjson.Span) bool {
	name := false
	for m := range rawjson.Members(text, whole) {
		switch {
		case m.Name == "name":
			name = rawjson.TypeOf(text, m.Value) == rawjson.String
		case m.Name == "description" || m.Name == "parameters" || m.Name == "response" || m.Name == "behavior" ||
			spelled(m.Name, "parametersJsonSchema") || spelled(m.Name, "responseJsonSchema"):
		default:
			return false
		}
	}
	return name
}

// declaration returns the declaration of a function. Its schema is plain JSON schema, for
// which Gemini has a member beside the one for its own dialect.
func (e *encoder) declaration(schema int, t *tools.Tool) string {
	out := rawjson.AppendQuote([]byte(`{"name":`), t.Name)
	if t.Description != "" {
		out = rawjson.AppendQuote(append(out, `,"description":`...), t.Description)
	}
	if t.Parameters != "" {
		out = append(append(out, `,"parametersJsonSchema":`...), t.Parameters...)
	}
	switch {
	case t.Free:
		e.lose(-1, schema, "a tool whose input is text")
	case t.Strict == "true":
		e.lose(-1, schema, "arguments that strictly follow the schema")
	}
	for _, name := range t.Extra {
		e.lose(-1, schema, "a tool's "+name)
	}
	return string(append(out, '}'))
}

// docs writes the schema that the reply must have.
func (e *encoder) docs(docs []string) {
	schema, name := "", ""
	for i, doc := range docs {
		at := schemaIn(doc)
		if at == (rawjson.Span{}) || schema != "" || !utf8.ValidString(doc) {
			e.lose(-1, i, "a document beside the messages")
			continue
		}
		schema, name = at.Of(doc), "responseJsonSchema"
		if kind := rawjson.Get(doc, at, "type"); rawjson.TypeOf(doc, kind) == rawjson.String && kind.Of(doc) == strings.ToUpper(kind.Of(doc)) {
			name = "responseSchema" // the API's own dialect
		}
	}
	if schema != "" {
		e.write(",\n" + `"generationConfig":{"responseMimeType":"application/json","` + name + `":` + schema + "}")
	}
}

// schemaIn returns what looks like a JSON schema: the document, or what OpenAI has under a
// name.
func schemaIn(doc string) rawjson.Span {
	at, kind := object(doc)
	if kind != rawjson.Object {
		return rawjson.Span{}
	}
	if named := rawjson.Get(doc, at, "schema"); rawjson.TypeOf(doc, named) == rawjson.Object {
		return named
	}
	for m := range rawjson.Members(doc, at) {
		if slices.Contains([]string{"type", "properties", "anyOf", "oneOf", "allOf", "enum", "$ref"}, m.Name) {
			return at
		}
	}
	return rawjson.Span{}
}

// object returns the one JSON value that a text is, and its type if it is an object.
func object(text string) (rawjson.Span, rawjson.Type) {
	if rawjson.Check([]byte(text)) != nil {
		return rawjson.Span{}, rawjson.Absent
	}
	at := rawjson.ValueAt(text, rawjson.Space(text, 0))
	return at, rawjson.TypeOf(text, at)
}
