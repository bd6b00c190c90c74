package openai

import (
	"strconv"
	"unicode/utf8"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/tools"
)

// schemas writes the definitions of tools.
func (e *encoder) schemas(schemas []string) {
	if len(schemas) == 0 {
		return
	}
	e.write(`,"tools":[`)
	for i, schema := range schemas {
		at, ok := value(schema)
		read := tools.Read(schema)
		switch {
		case !ok || !utf8.ValidString(schema):
			e.lose(place{-1, i}, "a tool that is no JSON")
		case len(read) == 0 || isOwn(schema, at):
			e.next()
			e.write(at.Of(schema))
		default:
			for _, tool := range read {
				e.next()
				e.tool(place{-1, i}, &tool)
			}
		}
	}
	e.write("]")
}

// isOwn reports whether a definition has the form of this API: what it says stands in a
// member that is called like its type.
func isOwn(schema string, at rawjson.Span) bool {
	return rawjson.Get(schema, at, "function") != rawjson.Span{} || rawjson.Get(schema, at, "custom") != rawjson.Span{}
}

// tool writes a translated definition.
func (e *encoder) tool(at place, t *tools.Tool) {
	for _, name := range t.Extra {
		e.lose(at, "a tool's member "+strconv.Quote(name))
	}
	kind := "function"
	if t.Free {
		kind = "custom"
	}
	e.write(`{"type":"`, kind, `","`, kind, `":{"name":`)
	e.quote(t.Name)
	if t.Description != "" {
		e.write(`,"description":`)
		e.quote(t.Description)
	}
	if t.Syntax != "" {
		e.write(`,"format":{"type":"grammar","grammar":{"syntax":`)
		e.quote(t.Syntax)
		e.write(`,"definition":`)
		e.quote(t.Grammar)
		e.write("}}")
	}
	if t.Parameters != "" {
		e.write(`,"parameters":`, t.Parameters)
	}
	if t.Strict != "" {
		e.write(`,"strict":`, t.Strict)
	}
	e.write("}}")
}

// docs writes the JSON schema of the reply, which is all that the format has room for.
func (e *encoder) docs(docs []string) {
	written := false
	for i, doc := range docs {
		schema := replySchema(doc)
		if written || schema == "" {
			e.lose(place{-1, i}, "a document that is not the reply's only JSON schema")
			continue
		}
		e.write(`,"response_format":{"type":"json_schema","json_schema":`, schema, "}")
		written = true
	}
}

// replySchema returns a JSON schema with its name, which this API demands, or "" if the
// document is none. The Responses API has a type beside the name.
func replySchema(doc string) string {
	at, ok := value(doc)
	if !ok || rawjson.TypeOf(doc, at) != rawjson.Object || !utf8.ValidString(doc) {
		return ""
	}
	if rawjson.TypeOf(doc, rawjson.Get(doc, at, "schema")) == rawjson.Object {
		kind := rawjson.Get(doc, at, "type")
		if kind == (rawjson.Span{}) {
			return at.Of(doc)
		}
		var members []rawjson.Span
		var types []bool
		for m := range rawjson.Members(doc, at) {
			members, types = append(members, m.Whole), append(types, m.Name == "type")
		}
		cuts := rawjson.Cuts(members, func(i int) bool { return types[i] })
		return string(rawjson.AppendPatched(nil, doc, at, cuts))
	}
	for _, name := range []string{"type", "properties", "anyOf", "allOf", "$ref", "enum"} {
		if rawjson.Get(doc, at, name) != (rawjson.Span{}) {
			return `{"name":"output","schema":` + at.Of(doc) + "}"
		}
	}
	return ""
}
