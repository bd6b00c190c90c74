package anthropic

import (
	"strconv"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/tools"
)

// schemas writes the definitions of tools.
func (e *encoder) schemas(schemas []string) {
	if len(schemas) == 0 {
		return
	}
	e.out = append(e.out, `,"tools":[`...)
	first := true
	for i, schema := range schemas {
		for _, tool := range e.schema(place{-1, i}, schema) {
			if !first {
				e.out = append(e.out, ',')
			}
			e.out, first = append(e.out, tool...), false
		}
	}
	e.out = append(e.out, ']')
}

// schema returns the tools of a definition as this format has them.
func (e *encoder) schema(at place, schema string) []string {
	if rawjson.Check([]byte(schema)) != nil {
		e.lose(at, "a tool that is no JSON")
		return nil
	}
	whole := rawjson.ValueAt(schema, rawjson.Space(schema, 0))
	if rawjson.Get(schema, whole, "input_schema") != (rawjson.Span{}) {
		return []string{schema}
	}
	read := tools.Read(schema)
	if read == nil {
		return []string{schema}
	}
	var all []string
	for _, t := range read {
		if t.Free {
			e.lose(at, "a tool whose input is not JSON")
		}
		for _, name := range t.Extra {
			e.lose(at, "a tool's member "+strconv.Quote(name))
		}
		all = append(all, tool(t))
	}
	return all
}

func tool(t tools.Tool) string {
	out := rawjson.AppendQuote([]byte(`{"name":`), t.Name)
	if t.Description != "" {
		out = rawjson.AppendQuote(append(out, `,"description":`...), t.Description)
	}
	if t.Parameters == "" {
		t.Parameters = `{"type":"object","properties":{}}`
	}
	out = append(append(out, `,"input_schema":`...), t.Parameters...)
	if t.Strict != "" {
		out = append(append(out, `,"strict":`...), t.Strict...)
	}
	return string(append(out, '}'))
}

// docs writes the JSON schema of the output, which is all that the format has room for.
func (e *encoder) docs(docs []string) {
	for i, doc := range docs {
		schema := outputSchema(doc)
		if schema == "" || i > 0 {
			e.lose(place{-1, i}, "a document that is not the output's only JSON schema")
			continue
		}
		e.out = append(e.out, `,"output_config":{"format":{"type":"json_schema","schema":`...)
		e.out = append(append(e.out, schema...), `}}`...)
	}
}

// outputSchema returns the JSON schema that a document is or, as OpenAI has it, gives a
// name to.
func outputSchema(doc string) string {
	if rawjson.Check([]byte(doc)) != nil {
		return ""
	}
	at := rawjson.ValueAt(doc, rawjson.Space(doc, 0))
	if schema := rawjson.Get(doc, at, "schema"); rawjson.TypeOf(doc, schema) == rawjson.Object {
		return schema.Of(doc)
	}
	for _, name := range []string{"type", "properties", "anyOf", "allOf", "$ref", "enum"} {
		if rawjson.Get(doc, at, name) != (rawjson.Span{}) {
			return at.Of(doc)
		}
	}
	return ""
}

// newIDs returns the call ids to write. The API takes letters, digits, _ and -, and at
// least one of them; others are replaced by something that is not taken.
func newIDs(history []core.Message) map[string]string {
	ids, taken := map[string]string{}, map[string]bool{}
	var bad []string
	for i := range history {
		for p := range history[i].Parts {
			id := history[i].Parts[p].CallID
			if _, seen := ids[id]; seen {
				continue
			}
			ids[id] = id
			if good(id) == id {
				taken[id] = true
			} else {
				bad = append(bad, id)
			}
		}
	}
	last := map[string]int{} // good form → number of the last one made of it
	for _, id := range bad {
		name := good(id)
		for taken[name] {
			last[good(id)]++
			name = good(id) + "_" + strconv.Itoa(last[good(id)])
		}
		ids[id], taken[name] = name, true
	}
	return ids
}

// good returns an id that the API takes.
func good(id string) string {
	if id == "" {
		return "call"
	}
	out := []byte(id)
	for i, c := range out {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			out[i] = '_'
		}
	}
	return string(out)
}
