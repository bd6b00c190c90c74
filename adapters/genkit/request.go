package genkitkit

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/firebase/genkit/go/ai"

	"github.com/trimkit/trimkit/core"
)

// beside returns what a request has beside its messages.
func beside(r *ai.ModelRequest) core.Request {
	beside := core.Request{Reserve: reserve(r.Config)}
	for _, tool := range r.Tools {
		if tool != nil {
			beside.Schemas = append(beside.Schemas, schemaOf(tool))
		}
	}
	for i, doc := range r.Docs {
		if doc != nil {
			beside.Docs = append(beside.Docs, docOf(i, doc))
		}
	}
	if o := r.Output; o != nil && len(o.Schema) > 0 {
		beside.Docs = append(beside.Docs, textOf(o, o.Schema, func() any { return o.Schema }))
	}
	return beside
}

// schemaOf returns a tool as a provider gets it: what it returns stays in the program.
func schemaOf(tool *ai.ToolDefinition) string {
	return textOf(tool, tool.InputSchema, func() any {
		return struct {
			Name        string         `json:"name"`
			Description string         `json:"description,omitempty"`
			Parameters  map[string]any `json:"parameters,omitempty"`
		}{tool.Name, tool.Description, tool.InputSchema}
	})
}

// docOf returns a document as an item of the list that Genkit writes into the last message of
// the user.
func docOf(i int, doc *ai.Document) string {
	var b strings.Builder
	b.WriteString("- [" + strconv.Itoa(i) + "]: ")
	for _, p := range doc.Content {
		if p.IsText() {
			b.WriteString(p.Text)
		}
	}
	b.WriteString("\n")
	return b.String()
}

// The names under which configurations bound the reply: those of Genkit's own and of the
// SDKs that its plugins take, as fields and in JSON.
var (
	boundFields = []string{"MaxOutputTokens", "MaxCompletionTokens", "MaxTokens"}
	boundKeys   = []string{"maxOutputTokens", "max_output_tokens", "max_completion_tokens", "maxTokens", "max_tokens"}
)

// reserve returns the bound of the reply, 0 if a configuration has none. Each plugin takes a
// type of its own, of SDKs that this package does not link.
func reserve(config any) int {
	v := reflect.ValueOf(config)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if values, ok := config.(map[string]any); ok {
		for _, key := range boundKeys {
			if n := number(reflect.ValueOf(values[key])); n > 0 {
				return n
			}
		}
	}
	if v.Kind() == reflect.Struct {
		for _, name := range boundFields {
			if n := number(v.FieldByName(name)); n > 0 {
				return n
			}
		}
	}
	return 0
}

// number returns a number, also one behind a pointer or in the Value of an optional one.
func number(v reflect.Value) int {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return 0
	case v.CanInt():
		return int(v.Int())
	case v.CanUint():
		return int(v.Uint())
	case v.CanFloat():
		return int(v.Float())
	case v.Type() == reflect.TypeFor[json.Number]():
		n, _ := strconv.Atoi(v.String())
		return n
	case v.Kind() == reflect.Struct && v.FieldByName("Value").IsValid():
		return number(v.FieldByName("Value"))
	default:
		return 0
	}
}

// with returns a copy of a request, for one call, with these messages. Genkit's steps between
// here and the model write into requests, messages and their contents, so none is shared with
// the caller; the parts are.
func with(r *ai.ModelRequest, messages []*ai.Message) *ai.ModelRequest {
	total := 0
	for _, m := range messages {
		if m != nil {
			total += len(m.Content)
		}
	}
	copied := *r
	copied.Messages = make([]*ai.Message, len(messages))
	slab, parts := make([]ai.Message, len(messages)), make([]*ai.Part, 0, total)
	for i, m := range messages {
		if m == nil {
			continue
		}
		begin := len(parts)
		parts = append(parts, m.Content...)
		slab[i] = *m
		if m.Content != nil {
			slab[i].Content = parts[begin:len(parts):len(parts)]
		}
		copied.Messages[i] = &slab[i]
	}
	return &copied
}

// answered returns a copy of a response that has the request as it was, whatever became of it
// on the way to the model. What appends to its messages, as History does, gets its own.
func answered(response *ai.ModelResponse, r *ai.ModelRequest) *ai.ModelResponse {
	if response == nil {
		return nil
	}
	original, copied := *r, *response
	original.Messages = slices.Clip(original.Messages)
	copied.Request = &original
	return &copied
}
