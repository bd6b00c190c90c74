package document

import (
	"strings"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// Item is a message to write.
type Item struct {
	Index   int             // which of the document's items; -1: a new one
	Patches []rawjson.Patch // of the document's item, as [rawjson.AppendPatched] wants them
	New     string          // the JSON of a new one
}

// Join returns the document with these messages, the old ones in their order. What stands
// between two of them is what stood before the second. All old ones without patches give
// the text that was read. Lines without any message are no document. A list that is a
// string stays one if the string is all of items; otherwise all of them are new ones, and
// it becomes an array.
//
// Around are patches of what is outside of the list, in ascending order.
func (d *Document) Join(items []Item, around ...rawjson.Patch) []byte {
	out := make([]byte, 0, len(d.Text))
	first, last := d.ends()
	anew := d.listAnew(items)
	if anew {
		first, last = d.list.Start, d.list.End
	}
	before := 0
	for before < len(around) && around[before].End <= first {
		before++
	}
	out = rawjson.AppendPatched(out, d.Text, rawjson.Span{End: first}, around[:before])
	if anew {
		out = append(d.appendItems(append(out, '['), items), ']')
	} else {
		out = d.appendItems(out, items)
	}
	return rawjson.AppendPatched(out, d.Text, rawjson.Span{Start: last, End: len(d.Text)}, around[before:])
}

// listAnew reports whether nothing of the list stays, not even its brackets.
func (d *Document) listAnew(items []Item) bool {
	switch {
	case d.Shape == wire.ShapeLines:
		return false
	case len(items) == 0:
		return len(d.Items) > 0
	default:
		return d.isText() && items[0].Index < 0
	}
}

func (d *Document) isText() bool { return rawjson.TypeOf(d.Text, d.list) == rawjson.String }

func (d *Document) appendItems(out []byte, items []Item) []byte {
	for i, item := range items {
		if i > 0 {
			out = append(out, d.gap(item.Index)...)
		}
		begin := len(out)
		if item.Index < 0 {
			out = append(out, item.New...)
		} else {
			out = rawjson.AppendPatched(out, d.Text, d.Items[item.Index], item.Patches)
		}
		if d.Shape == wire.ShapeLines && len(items) > 1 && len(d.Items) == 1 {
			out = onOneLine(out, begin)
		}
	}
	return out
}

// ends returns where the first message begins and the last one ends.
func (d *Document) ends() (first, last int) {
	n := len(d.Items)
	if n == 0 {
		return d.list.End - 1, d.list.End - 1
	}
	return d.Items[0].Start, d.Items[n-1].End
}

// gap returns what stands before the old message of that index, or before a new one.
func (d *Document) gap(index int) string {
	switch {
	case index > 0:
		return d.Text[d.Items[index-1].End:d.Items[index].Start]
	case d.Shape == wire.ShapeLines:
		line, _, _ := strings.Cut(d.Text[d.Items[0].End:], "\n")
		if strings.HasSuffix(line, "\r") {
			return "\r\n"
		}
		return "\n"
	case d.isText():
		return ","
	case len(d.Items) > 1:
		return d.Text[d.Items[0].End:d.Items[1].Start]
	case len(d.Items) == 1:
		return "," + d.Text[d.list.Start+1:d.Items[0].Start]
	default:
		return ","
	}
}

// onOneLine takes the line breaks out of the JSON text that begins at out[begin]. Only a
// document of a single message can have some.
func onOneLine(out []byte, begin int) []byte {
	at := begin
	for _, c := range out[begin:] {
		if c != '\n' && c != '\r' {
			out[at] = c
			at++
		}
	}
	return out[:at]
}
