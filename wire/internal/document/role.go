package document

import "github.com/trimkit/trimkit/wire/internal/rawjson"

// Role returns the role of the message of that index, which is the string at a span. A
// format whose messages all have one reads it with this.
func (d *Document) Role(index int, at rawjson.Span) (string, error) {
	begin := d.Items[index].Start
	switch kind := rawjson.TypeOf(d.Text, at); {
	case kind == rawjson.String:
		return rawjson.Unquote(at.Of(d.Text)), nil
	case kind != rawjson.Absent:
		return "", d.Error(at.Start, index, `a string as "role"`, kind.String(), "")
	case rawjson.Get(d.Text, d.Items[index], d.Format.List) != (rawjson.Span{}):
		return "", d.Error(begin, index, `a message with "role"`, `an object with "`+d.Format.List+`"`,
			"this looks like a file with a conversation in each line: read the lines one by one")
	default:
		return "", d.Error(begin, index, `a message with "role"`, "none", `every message needs one, such as "user"`)
	}
}
