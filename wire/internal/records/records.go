// Package records cuts the text of a log, or of anything that may be one, into its records:
// the lines of JSONL, the elements of an array, or a single object. Unlike package document
// it lives with broken lines, which a program leaves behind that was stopped while writing.
package records

import (
	"bytes"
	"iter"
	"strings"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Records is a text and where its records are. It never changes once it is read.
type Records struct {
	Text   string
	Shape  wire.Shape     // ShapeRequest is a text that is one object
	Whole  rawjson.Span   // the array or the object; the zero Span for lines
	Items  []rawjson.Span // objects; of a text that is one object, that object
	Broken int            // lines and elements that are no objects
}

const byteOrderMark = "\xef\xbb\xbf"

// Read cuts data into at most so many records; a limit of 0 is none. It copies data. A text
// of which nothing can be read is a [*wire.SyntaxError] of that format.
func Read(format string, data []byte, limit int) (*Records, error) {
	r := &Records{Text: string(data)}
	begin := 0
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		begin = len(byteOrderMark)
	}
	begin = rawjson.Space(r.Text, begin)
	if begin == len(data) {
		return nil, r.Error(format, begin, -1, "JSON or JSONL", "an empty file", "")
	}
	bad := r.readWhole(data, begin, limit)
	if bad != nil && data[begin] == '{' {
		r.readLines(data, begin, limit)
	}
	if bad != nil && len(r.Items) == 0 {
		return nil, r.Error(format, begin+bad.Offset, -1, "JSON or JSONL", bad.Reason, "")
	}
	return r, nil
}

// readWhole reads a text that is one value, or says why it is none.
func (r *Records) readWhole(data []byte, begin, limit int) *rawjson.Error {
	if bad := rawjson.Check(data[begin:]); bad != nil {
		return bad
	}
	whole := rawjson.ValueAt(r.Text, begin)
	switch kind := rawjson.TypeOf(r.Text, whole); kind {
	case rawjson.Object:
		r.Shape, r.Whole, r.Items = wire.ShapeRequest, whole, []rawjson.Span{whole}
	case rawjson.Array:
		r.Shape, r.Whole = wire.ShapeArray, whole
		for item := range rawjson.Elements(r.Text, whole) {
			if limit > 0 && len(r.Items) == limit {
				break
			}
			r.add(item)
		}
	default:
		return &rawjson.Error{Reason: kind.String()}
	}
	return nil
}

func (r *Records) readLines(data []byte, begin, limit int) {
	r.Shape = wire.ShapeLines
	for start := begin; start < len(data) && (limit == 0 || len(r.Items) < limit); start = rawjson.Space(r.Text, start) {
		end := len(data)
		if newline := bytes.IndexByte(data[start:], '\n'); newline >= 0 {
			end = start + newline
		}
		if rawjson.Check(data[start:end]) == nil {
			r.add(rawjson.ValueAt(r.Text, start))
		} else {
			r.Broken++
		}
		start = end
	}
}

func (r *Records) add(item rawjson.Span) {
	if rawjson.TypeOf(r.Text, item) != rawjson.Object {
		r.Broken++
		return
	}
	r.Items = append(r.Items, item)
}

// Error returns the error for what was found at an offset, in the record of that index or,
// if it is negative, outside of any.
func (r *Records) Error(format string, offset, record int, expected, found, hint string) *wire.SyntaxError {
	return &wire.SyntaxError{
		Format: format, Line: 1 + strings.Count(r.Text[:offset], "\n"), Message: record, Offset: int64(offset),
		Expected: expected, Found: found, Hint: hint,
	}
}

// Str returns the string at a span, or "" if it is none.
func (r *Records) Str(at rawjson.Span) string {
	if rawjson.TypeOf(r.Text, at) != rawjson.String {
		return ""
	}
	return rawjson.Unquote(at.Of(r.Text))
}

// Kind returns the type of the value at a span.
func (r *Records) Kind(at rawjson.Span) rawjson.Type { return rawjson.TypeOf(r.Text, at) }

// Get returns a member of the object at a span. See [rawjson.Get].
func (r *Records) Get(object rawjson.Span, name string) rawjson.Span {
	return rawjson.Get(r.Text, object, name)
}

// Fields returns the members of the object at a span by their names, and none if it is no
// object.
func (r *Records) Fields(at rawjson.Span) map[string]rawjson.Span {
	fields := map[string]rawjson.Span{}
	if r.Kind(at) == rawjson.Object {
		for m := range rawjson.Members(r.Text, at) {
			fields[m.Name] = m.Value
		}
	}
	return fields
}

// Elements returns the elements of the array at a span, and none if it is no array.
func (r *Records) Elements(at rawjson.Span) iter.Seq[rawjson.Span] {
	if r.Kind(at) != rawjson.Array {
		return func(func(rawjson.Span) bool) {}
	}
	return rawjson.Elements(r.Text, at)
}
