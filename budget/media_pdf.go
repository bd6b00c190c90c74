package budget

import "bytes"

// Bounds on what is read of a PDF, whatever it says: windows of pdfWindow bytes, for one
// entry of a dictionary at most pdfSpan bytes and for its value pdfValue, and so many tables
// and parts of a table.
const (
	pdfWindow   = 1 << 10
	pdfValue    = 64
	pdfSpan     = 1 << 16
	pdfTables   = 8
	pdfSections = 64
	leastPage   = 64 // bytes that a page takes, compressed as it may be
)

// pages returns how many pages a PDF says it has. It follows the document's own pointers
// from its end to the root of the page tree, and so reads a few kilobytes wherever they are,
// without decoding the rest. Where the objects are compressed it inflates what leads there,
// see [pdfStreams].
//
// 0 means that it cannot be told: the objects are compressed and encrypted, or compressed in
// an unusual way, the end is missing, the pointers lead nowhere, or the count is more than
// the bytes could hold.
func (b blob) pages() int {
	if !b.has("%PDF-") {
		return 0
	}
	n := b.linearized()
	if n == 0 {
		n = b.pageTree(b.object)
	}
	if n == 0 {
		n = b.pageTree((&pdfStreams{blob: b, left: pdfInflate}).object)
	}
	if n > b.size()/leastPage {
		return 0
	}
	return n
}

// linearized reads the dictionary that a PDF made for the web begins with. It is out of date
// if the document was changed since, which its length shows.
func (b blob) linearized() int {
	var buf [pdfWindow]byte
	head := buf[:b.read(buf[:], 0)]
	start := entry(head, "/Linearized")
	if start < 0 {
		return 0
	}
	head, _, _ = bytes.Cut(head[start:], []byte(">>"))
	length, pages := entry(head, "/L"), entry(head, "/N")
	if length < 0 || pages < 0 {
		return 0
	}
	const padding = 2 // by which the size of base64 may be off
	if d := b.size() - number(head[length:]); d < 0 || d > padding {
		return 0
	}
	return number(head[pages:])
}

// pageTree goes from the end of a PDF to its table of objects, from there to the catalog,
// and from there to the root of the page tree. Object returns where an object is, by the
// table at a place; object 0 is the trailer of that table. A place of 0 is none.
func (b blob) pageTree(object func(table, object int) (blob, int)) int {
	var buf [pdfWindow]byte
	tail := buf[:b.read(buf[:], max(b.size()-pdfWindow, 0))]
	const pointer = "startxref"
	i := bytes.LastIndex(tail, []byte(pointer))
	if i < 0 {
		return 0
	}
	table := number(tail[i+len(pointer):])
	value := buf[:pdfValue]
	in, trailer := object(table, 0)
	catalog := reference(in.lookUp(value, trailer, "/Root"))
	if catalog == 0 {
		return 0
	}
	in, at := object(table, catalog)
	root := reference(in.lookUp(value, at, "/Pages"))
	if root == 0 {
		return 0
	}
	in, at = object(table, root)
	count := in.lookUp(value, at, "/Count")
	if reference(count) > 0 {
		return 0 // kept elsewhere, which nobody does
	}
	return number(count)
}

// object returns the place of an object, as pageTree wants it. A document that was changed
// has a table for the change, which points to the one before.
func (b blob) object(table, object int) (blob, int) {
	var buf [pdfValue]byte
	for range pdfTables {
		place, trailer := b.section(table, object)
		if object == 0 {
			return b, trailer
		}
		if place > 0 {
			return b, place
		}
		table = number(b.lookUp(buf[:], trailer, "/Prev"))
	}
	return b, 0
}

// section looks an object up in the table at a place, and returns where it is and where the
// trailer behind the table is; 0: not there. A table is lines of 20 bytes under headings,
// which have the number of the first object and how many there are.
func (b blob) section(table, object int) (place, trailer int) {
	if table <= 0 || !b.hasAt("xref", table) {
		return 0, 0
	}
	const line = 20
	at := table + len("xref")
	for range pdfSections {
		var buf [64]byte
		heading := buf[:b.read(buf[:], at)]
		if skip := blanks(heading); bytes.HasPrefix(heading[skip:], []byte("trailer")) {
			return place, at + skip
		}
		first, n := digits(heading)
		count, m := digits(heading[n:])
		if n == 0 || m == 0 {
			return place, 0
		}
		at += n + m
		at += blanks(heading[n+m:])
		if i := object - first; i >= 0 && i < count {
			var entry [line]byte
			if b.read(entry[:], at+i*line) == line && entry[17] == 'n' {
				place = number(entry[:10])
			}
		}
		at += count * line
	}
	return place, 0
}

// lookUp reads what stands behind a name in the object or trailer at a place; nil: it is not
// there.
func (b blob) lookUp(buf []byte, place int, name string) []byte {
	at := b.find(place, name)
	if at == 0 {
		return nil
	}
	return buf[:b.read(buf, at)]
}

// find returns the place behind a name in the object or trailer at a place; 0: it is not
// there.
func (b blob) find(place int, name string) int {
	const overlap = 64 // more than a name and what ends an object
	if place <= 0 {
		return 0
	}
	var buf [pdfWindow]byte
	for at := place; at < place+pdfSpan; at += len(buf) - overlap {
		text := buf[:b.read(buf[:], at)]
		last := len(text) < len(buf)
		for _, end := range [...]string{"endobj", "startxref", "stream"} {
			if i := bytes.Index(text, []byte(end)); i >= 0 {
				text, last = text[:i], true
			}
		}
		if i := entry(text, name); i >= 0 && (i < len(text) || last) {
			return at + i
		}
		if last {
			return 0
		}
	}
	return 0
}

// entry returns the place behind a name; -1: it is not there. /N is not /Names.
func entry(text []byte, name string) int {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(name))
		if i < 0 {
			return -1
		}
		from += i + len(name)
		if from == len(text) || bytes.IndexByte([]byte("\x00\t\n\f\r ()<>[]{}/%+-0123456789"), text[from]) >= 0 {
			return from
		}
	}
}

// blanks returns how much white space a text begins with.
func blanks(text []byte) int {
	return len(text) - len(bytes.TrimLeft(text, "\x00\t\n\f\r "))
}

// digits reads a number after white space, and returns it and its end; an end of 0: there is
// none, or more than a place in a file can have.
func digits(text []byte) (n, end int) {
	const longest = 10
	start := blanks(text)
	end = start
	for end < len(text) && end-start <= longest && text[end] >= '0' && text[end] <= '9' {
		n = n*10 + int(text[end]-'0')
		end++
	}
	if end == start || end-start > longest {
		return 0, 0
	}
	return n, end
}

// number reads a number after white space; 0: there is none.
func number(text []byte) int {
	n, _ := digits(text)
	return n
}

// reference reads a reference to an object, such as "12 0 R", and returns the object's
// number; 0: there is none.
func reference(text []byte) int {
	object, n := digits(text)
	_, m := digits(text[n:])
	if rest := text[n+m:]; n > 0 && m > 0 && bytes.HasPrefix(rest[blanks(rest):], []byte("R")) {
		return object
	}
	return 0
}
