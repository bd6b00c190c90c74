package gemini

import (
	"iter"
	"strings"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Protocol buffers, of which the API's JSON is a form, accept a field under its camelCase
// and its snake_case name, take null for a field that is not set, and a single value for a
// list of one. Google's own examples use all three.

// spelled reports whether name is camel, or the same in snake_case.
func spelled(name, camel string) bool {
	at := 0
	for i := range len(camel) {
		c := camel[i]
		if c >= 'A' && c <= 'Z' && at < len(name) && name[at] == '_' {
			at++
			c += 'a' - 'A'
		}
		if at == len(name) || name[at] != c {
			return false
		}
		at++
	}
	return at == len(name)
}

// isSnake reports whether a name that consists of several words is in snake_case.
func isSnake(name string) bool { return strings.Contains(name, "_") }

// present returns the value of the member of that name, in either spelling, of the object at
// s. It is the zero Span if there is none or it is null, or if the value at s is no object.
func present(text string, s rawjson.Span, camel string) rawjson.Span {
	var found rawjson.Span
	if rawjson.TypeOf(text, s) != rawjson.Object {
		return found
	}
	for m := range rawjson.Members(text, s) {
		if spelled(m.Name, camel) && rawjson.TypeOf(text, m.Value) != rawjson.Null {
			found = m.Value
		}
	}
	return found
}

// elements returns the elements of a list: of the array at s, or the one value that stands
// there instead.
func elements(text string, s rawjson.Span) iter.Seq[rawjson.Span] {
	return func(yield func(rawjson.Span) bool) {
		if rawjson.TypeOf(text, s) != rawjson.Array {
			yield(s)
			return
		}
		for at := range rawjson.Elements(text, s) {
			if !yield(at) {
				return
			}
		}
	}
}
