package budget

import (
	"bytes"
	"compress/zlib"
	"io"
)

// pdfInflate is how many bytes are inflated of a PDF, and how many are read for that, in all:
// enough for the directory of some hundred thousand objects.
const pdfInflate = 4 << 20

// pdfRuns is how many runs of objects a table that is a stream may have.
const pdfRuns = 1 << 12

// pdfStreams finds objects in a PDF that compresses them, as most do since version 1.5: its
// table of objects is a stream (ISO 32000-1, 7.5.8), and most objects are in streams of
// several (7.5.7). What is inflated goes by in small pieces and ends at pdfInflate, whatever
// the streams say of themselves.
//
// Understood are streams that are compressed in the one way that writers use, with the
// predictors None, Sub and Up. The rest is not found.
type pdfStreams struct {
	blob
	left int // bytes
}

// object returns where an object is, as pageTree wants it.
func (p *pdfStreams) object(table, object int) (blob, int) {
	if object == 0 {
		return p.blob, max(table, 0)
	}
	compressed, place := p.locate(table, object)
	if !compressed {
		return p.blob, place
	}
	compressed, container := p.locate(table, place)
	if compressed { // in itself, or in another: there is no such thing
		return p.blob, 0
	}
	return p.unpack(container, object)
}

// locate returns the place of an object, or, if it is compressed, the number of the stream
// that has it; 0: not known.
func (p *pdfStreams) locate(table, object int) (compressed bool, place int) {
	var buf [pdfValue]byte
	for range pdfTables {
		if table <= 0 {
			break
		}
		compressed, place := p.entry(table, object)
		if place > 0 {
			return compressed, place
		}
		table = number(p.lookUp(buf[:], table, "/Prev"))
	}
	return false, 0
}

// entry looks an object up in the stream at a place. Its rows have three numbers, each of a
// width in bytes that /W says: the kind of the entry, the place or the container, and more.
func (p *pdfStreams) entry(table, object int) (compressed bool, place int) {
	var buf [pdfValue]byte
	var widths [3]int
	for i, at := 0, p.list(table, "/W"); i < len(widths); i++ {
		if widths[i], at = p.next(at); at == 0 || widths[i] > 7 {
			return false, 0
		}
	}
	row, before := p.row(table, object), 0
	if number(p.lookUp(buf[:], table, "/Predictor")) > 1 {
		before = 1 // a byte that says how the row was changed
	}
	stream := p.inflate(table)
	if row < 0 || stream == nil {
		return false, 0
	}
	var last, line [1 + 3*7]byte
	size := before + widths[0] + widths[1] + widths[2]
	for range row + 1 {
		last = line
		if _, err := io.ReadFull(stream, line[:size]); err != nil {
			return false, 0
		}
		if before == 1 && !restore(line[:size], last[:size]) {
			return false, 0
		}
	}
	kind, fields := 1, line[before:]
	if widths[0] > 0 {
		kind = integer(fields[:widths[0]])
	}
	place = integer(fields[widths[0] : widths[0]+widths[1]])
	if kind != 1 && kind != 2 {
		return false, 0
	}
	return kind == 2, place
}

// row returns the row of an object; below 0: there is none. /Index has pairs of the first
// object in a run of rows, and how many there are.
func (p *pdfStreams) row(table, object int) int {
	var buf [pdfValue]byte
	at := p.list(table, "/Index")
	if at == 0 {
		if object < number(p.lookUp(buf[:], table, "/Size")) {
			return object
		}
		return -1
	}
	before := 0
	for range pdfRuns {
		var first, count int
		first, at = p.next(at)
		if count, at = p.next(at); at == 0 {
			break
		}
		if i := object - first; i >= 0 && i < count {
			return before + i
		}
		before += count
	}
	return -1
}

// list returns where the first element of a list is that stands behind a name; 0: there is
// none.
func (p *pdfStreams) list(place int, name string) int {
	at := p.find(place, name)
	var buf [pdfValue]byte
	text := buf[:p.read(buf[:], at)]
	n := blanks(text)
	if at == 0 || !bytes.HasPrefix(text[n:], []byte("[")) {
		return 0
	}
	return at + n + 1
}

// next reads a number at a place, and returns it and where it ends; 0: there is none.
func (p *pdfStreams) next(at int) (n, end int) {
	if at == 0 {
		return 0, 0
	}
	var buf [pdfValue]byte
	n, length := digits(buf[:p.read(buf[:], at)])
	if length == 0 {
		return 0, 0
	}
	return n, at + length
}

// restore undoes what a predictor did to a row: the differences to the byte before, or to the
// row before.
func restore(line, last []byte) bool {
	switch line[0] {
	case 0:
	case 1:
		for i := 2; i < len(line); i++ {
			line[i] += line[i-1]
		}
	case 2:
		for i := 1; i < len(line); i++ {
			line[i] += last[i]
		}
	default:
		return false
	}
	return true
}

// unpack returns an object of the stream at a place. The stream begins with pairs: an
// object's number, and where behind /First it is.
func (p *pdfStreams) unpack(container, object int) (blob, int) {
	var buf [pdfValue]byte
	first := number(p.lookUp(buf[:], container, "/First"))
	stream := p.inflate(container)
	if stream == nil || first > p.left {
		return p.blob, 0
	}
	pairs := make([]byte, first)
	if _, err := io.ReadFull(stream, pairs); err != nil {
		return p.blob, 0
	}
	start, end := -1, pdfInflate
	for {
		number, n := digits(pairs)
		at, m := digits(pairs[n:])
		if n == 0 || m == 0 {
			break
		}
		switch {
		case start < 0 && number == object:
			start = at
		case start >= 0 && at > start:
			end = min(end, at)
		}
		pairs = pairs[n+m:]
	}
	if start < 0 {
		return p.blob, 0
	}
	if _, err := io.CopyN(io.Discard, stream, int64(start)); err != nil {
		return p.blob, 0
	}
	text, _ := io.ReadAll(io.LimitReader(stream, int64(min(end-start, pdfSpan)))) // what there is
	return blob{raw: append([]byte{' '}, text...)}, 1
}

// inflate opens the stream of the object at a place; nil: it has none that is understood.
func (p *pdfStreams) inflate(place int) io.Reader {
	var buf [pdfValue]byte
	filter := p.lookUp(buf[:], place, "/Filter")
	filter = filter[blanks(filter):]
	filter, several := bytes.CutPrefix(filter, []byte("["))
	filter, flate := bytes.CutPrefix(filter[blanks(filter):], []byte("/FlateDecode"))
	if !flate || several && !bytes.HasPrefix(filter[blanks(filter):], []byte("]")) {
		return nil
	}
	start := p.stream(place)
	if start == 0 {
		return nil
	}
	r, err := zlib.NewReader(&spending{p, &source{p.blob, start}})
	if err != nil {
		return nil
	}
	return &spending{p, r}
}

// stream returns where the data of the stream at a place begins; 0: there is none.
func (p *pdfStreams) stream(place int) int {
	const keyword = "stream"
	var buf [pdfWindow]byte
	for at := place; at < place+pdfSpan; at += len(buf) - len(keyword) {
		text := buf[:p.read(buf[:], at)]
		if i := bytes.Index(text, []byte(keyword)); i >= 0 {
			start := at + i + len(keyword)
			if p.hasAt("\r", start) {
				start++
			}
			return start + 1 // a line feed ends the line
		}
		if len(text) < len(buf) || bytes.Contains(text, []byte("endobj")) {
			break
		}
	}
	return 0
}

// source reads a blob from a place on.
type source struct {
	blob
	at int
}

func (s *source) Read(dst []byte) (int, error) {
	n := s.read(dst, s.at)
	s.at += n
	if n == 0 && len(dst) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// spending reads what the document has left to spend.
type spending struct {
	on *pdfStreams
	r  io.Reader
}

func (s *spending) Read(dst []byte) (int, error) {
	if s.on.left <= 0 {
		return 0, io.EOF
	}
	n, err := s.r.Read(dst[:min(len(dst), s.on.left)])
	s.on.left -= n
	return n, err
}

// integer returns the number that bytes are, the highest first.
func integer(field []byte) int {
	n := 0
	for _, b := range field {
		n = n<<8 | int(b)
	}
	return n
}
