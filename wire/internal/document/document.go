// Package document cuts a conversation's JSON into its messages, whatever shape it has,
// and puts messages together again, edited, added or left out, in that shape. It knows
// nothing of what a message says.
package document

import (
	"bytes"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Format says how a provider's documents look.
type Format struct {
	Name  string   // for errors, such as "openai"
	List  string   // the member of a request object that holds the messages
	Text  bool     // the list may also be a string, which then is the only message
	Marks []string // a message has one of these members, a request object none
	Signs []string // a message may have one of these instead; so may a request, beside its list
}

// Document is a text and where its messages are. It never changes once it is read.
type Document struct {
	Format Format
	Shape  wire.Shape
	Text   string         // all of it, checked to be JSON
	Object rawjson.Span   // the request object; else the zero Span
	Items  []rawjson.Span // the messages, each an object, or the string that is the list

	list rawjson.Span // the array or string; the zero Span for lines
}

const (
	byteOrderMark = "\xef\xbb\xbf"
	blanks        = " \t\r\n"
)

// Read cuts data into messages. A document that begins with a bracket is an array. One
// that is a single object is a request if it has the format's list and none of its marks, and
// a message if it has a mark, or a sign and no list; everything else is lines. It copies
// data. Errors are of type [*wire.SyntaxError].
func Read(data []byte, format Format) (*Document, error) {
	d := &Document{Format: format, Text: string(data)}
	begin := 0
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		begin = len(byteOrderMark)
	}
	begin = rawjson.Space(d.Text, begin)
	if begin == len(data) {
		return nil, d.Error(len(data), -1, "a conversation", "an empty file", "write [] for a conversation without messages")
	}
	var err error
	switch data[begin] {
	case '[':
		err = d.readArray(data, begin)
	case '{':
		err = d.readObject(data, begin)
	default:
		err = d.Error(begin, -1, "a JSON array, a request object, or a message a line",
			"the byte "+quoteByte(data[begin]), "the file must be JSON in UTF-8")
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (d *Document) readArray(data []byte, begin int) error {
	if bad := rawjson.Check(data[begin:]); bad != nil {
		return d.notJSON(begin, len(data), -1, bad)
	}
	d.Shape = wire.ShapeArray
	return d.readList(rawjson.ValueAt(d.Text, begin))
}

func (d *Document) readList(list rawjson.Span) error {
	d.list = list
	for item := range rawjson.Elements(d.Text, list) {
		if err := d.addItem(item); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) addItem(item rawjson.Span) error {
	if kind := rawjson.TypeOf(d.Text, item); kind != rawjson.Object {
		return d.Error(item.Start, len(d.Items), "a message object", kind.String(), "")
	}
	d.Items = append(d.Items, item)
	return nil
}

func (d *Document) readObject(data []byte, begin int) error {
	bad := rawjson.Check(data[begin:])
	if bad != nil {
		if d.hasLines(data, begin) {
			return d.readLines(data, begin)
		}
		return d.notJSON(begin, len(data), -1, bad)
	}
	object := rawjson.ValueAt(d.Text, begin)
	list := rawjson.Get(d.Text, object, d.Format.List)
	switch kind := rawjson.TypeOf(d.Text, list); {
	case d.has(object, d.Format.Marks), kind == rawjson.Absent && d.has(object, d.Format.Signs):
		d.Shape = wire.ShapeLines
		return d.addItem(object)
	case kind == rawjson.Absent:
		return d.Error(begin, -1,
			`an object with "`+d.Format.List+`" (a request) or "`+strings.Join(slices.Concat(d.Format.Marks, d.Format.Signs), `" or "`)+`" (a message)`,
			"neither", "pass the part of the file that holds the messages")
	case kind == rawjson.String && d.Format.Text:
		d.Shape, d.Object, d.list, d.Items = wire.ShapeRequest, object, list, []rawjson.Span{list}
		return nil
	case kind != rawjson.Array && d.Format.Text:
		return d.Error(list.Start, -1, `a string or an array as "`+d.Format.List+`"`, kind.String(), "")
	case kind != rawjson.Array:
		return d.Error(list.Start, -1, `an array as "`+d.Format.List+`"`, kind.String(), "")
	}
	d.Shape, d.Object = wire.ShapeRequest, object
	return d.readList(list)
}

// has reports whether an object has one of these members.
func (d *Document) has(object rawjson.Span, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return rawjson.Get(d.Text, object, name) != rawjson.Span{}
	})
}

// hasLines reports whether a text that is not one JSON value is meant to be one a line:
// its first line is a value, or the line after it is.
func (d *Document) hasLines(data []byte, begin int) bool {
	first, rest, _ := bytes.Cut(data[begin:], []byte("\n"))
	if rawjson.Check(first) == nil {
		return true
	}
	second, _, _ := bytes.Cut(bytes.TrimLeft(rest, blanks), []byte("\n"))
	return bytes.HasPrefix(second, []byte("{")) && rawjson.Check(second) == nil
}

func (d *Document) readLines(data []byte, begin int) error {
	d.Shape = wire.ShapeLines
	for start := begin; start < len(data); start = rawjson.Space(d.Text, start) {
		end := len(data)
		if newline := bytes.IndexByte(data[start:], '\n'); newline >= 0 {
			end = start + newline
		}
		if bad := rawjson.Check(data[start:end]); bad != nil {
			return d.notJSON(start, end, len(d.Items), bad)
		}
		if err := d.addItem(rawjson.ValueAt(d.Text, start)); err != nil {
			return err
		}
		start = end
	}
	return nil
}
