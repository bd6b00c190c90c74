package format

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/tools"
)

// giveUpOfRequest leaves in the request what the format can hold of it. A loss does not say
// whether it is a schema's or a document's, so all are tried.
func (l *lossy) giveUpOfRequest() {
	var schemas, docs []string
	for _, schema := range l.request.Schemas {
		if l.fits(&core.Request{Schemas: []string{schema}}) {
			schemas = append(schemas, schema)
			continue
		}
		for _, t := range tools.Read(schema) {
			if plain := plainTool(&t); l.fits(&core.Request{Schemas: []string{plain}}) {
				schemas = append(schemas, plain)
			}
		}
	}
	for _, doc := range l.request.Docs {
		if with := append(docs[:len(docs):len(docs)], doc); l.fits(&core.Request{Docs: with}) {
			docs = with
		}
	}
	l.request.Schemas, l.request.Docs = schemas, docs
}

func (l *lossy) fits(r *core.Request) bool {
	_, err := l.format.Encode(nil, r)
	return err == nil
}

// plainTool returns a definition that every format can hold, in the shape of OpenAI's chat
// completions, which all the others translate.
func plainTool(t *tools.Tool) string {
	parameters := t.Parameters
	switch {
	case t.Free:
		parameters = `{"type":"object","properties":{"` + inputName + `":{"type":"string"}},"required":["` + inputName + `"]}`
	case parameters == "":
		parameters = `{"type":"object","properties":{}}`
	}
	out := rawjson.AppendQuote([]byte(`{"type":"function","function":{"name":`), t.Name)
	if t.Description != "" {
		out = rawjson.AppendQuote(append(out, `,"description":`...), t.Description)
	}
	return string(append(append(out, `,"parameters":`...), parameters...)) + "}}"
}
