// Package rawjson finds the pieces of a JSON text by their offsets, so that a writer can
// change one value and leave every other byte alone.
//
// Its scanner trusts its input: call [Check] once on a text before anything else here.
// On text that is no JSON the results mean nothing. No function recurses, each looks at
// a byte of its span at most a few times, and each is safe for concurrent use.
//
// Where an object has a name twice, the last one counts, as with most readers of JSON.
package rawjson

import (
	"iter"
	"strings"
)

// Span is a piece of a text: the bytes from Start up to End. The zero Span stands for a
// value that is not there.
type Span struct{ Start, End int }

// Of returns the piece itself. It shares memory with text.
func (s Span) Of(text string) string { return text[s.Start:s.End] }

// Type says what a value is.
type Type uint8

// The types of values.
const (
	Absent Type = iota // no value: the zero Span
	Null
	Bool
	Number
	String
	Array
	Object
)

// String names the type with its article, for error messages.
func (t Type) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}[t]
}

// TypeOf returns the type of the value at s.
func TypeOf(text string, s Span) Type {
	if s == (Span{}) {
		return Absent
	}
	switch text[s.Start] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	default:
		return Number
	}
}

// Member is a member of an object.
type Member struct {
	Name  string // decoded
	Whole Span   // from the name's quote to the end of the value
	Value Span
}

// Members returns the members of the object at s, in their order.
func Members(text string, s Span) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		for i := Space(text, s.Start+1); i < s.End-1; {
			name := Span{i, stringEnd(text, i)}
			colon := Space(text, name.End)
			value := ValueAt(text, Space(text, colon+1))
			if !yield(Member{Unquote(name.Of(text)), Span{name.Start, value.End}, value}) {
				return
			}
			i = next(text, value.End)
		}
	}
}

// Elements returns the elements of the array at s, in their order.
func Elements(text string, s Span) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for i := Space(text, s.Start+1); i < s.End-1; {
			value := ValueAt(text, i)
			if !yield(value) {
				return
			}
			i = next(text, value.End)
		}
	}
}

// Get returns the value of the member of that name of the object at s, or the zero Span.
// It is the zero Span, too, where the value at s is no object.
func Get(text string, s Span, name string) Span {
	var found Span
	if TypeOf(text, s) != Object {
		return found
	}
	for m := range Members(text, s) {
		if m.Name == name {
			found = m.Value
		}
	}
	return found
}

// ValueAt returns the value that begins at i.
func ValueAt(text string, i int) Span {
	start := i
	if i < len(text) && text[i] == '"' {
		return Span{start, stringEnd(text, i)}
	}
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return Span{start, i + 1}
			}
			if depth < 0 { // the container around a number or a literal
				return Span{start, i}
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return Span{start, i}
			}
		}
		i++
	}
	return Span{start, i}
}

// Space returns the first offset from i on that holds no white space, or len(text).
func Space(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
		i++
	}
	return i
}

// next steps from the end of a value over the comma to the value behind it, or to the
// bracket that closes the list.
func next(text string, i int) int {
	i = Space(text, i)
	if i < len(text) && text[i] == ',' {
		i = Space(text, i+1)
	}
	return i
}

// stringEnd returns the offset behind the string whose quote is at i. A quote ends it
// unless an odd number of backslashes stands before it.
func stringEnd(text string, i int) int {
	for from := i + 1; from <= len(text); {
		quote := strings.IndexByte(text[from:], '"')
		if quote < 0 {
			break
		}
		quote += from
		first := quote
		for first > from && text[first-1] == '\\' {
			first--
		}
		if (quote-first)%2 == 0 {
			return quote + 1
		}
		from = quote + 1
	}
	return len(text)
}
