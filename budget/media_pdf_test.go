package budget_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// pdfForm says how a PDF with compressed objects is written.
type pdfForm struct {
	pages     int
	predictor byte   // of the rows of the table: 0 is none of them, 255 no such thing
	index     string // of the table
	filter    string
	encrypted bool
	noise     int // bytes in the stream of objects before the catalog
	container int // the stream that the table says has the catalog; 0: the right one
}

func deflated(t []byte) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(t) // a buffer takes everything
	_ = w.Close()
	return b.String()
}

// compressedPDF makes a PDF whose catalog (object 1) and root of pages (object 2) are in a
// stream of objects (object 4), and whose table (object 5) is a stream, too.
func compressedPDF(f pdfForm) []byte {
	if f.filter == "" {
		f.filter = "/FlateDecode"
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n3 0 obj\n<<>>stream\n" + strings.Repeat("the content of a page ", 8*f.pages) + "\nendstream\nendobj\n")
	noise := "<</Count 77>>" + strings.Repeat(" ", f.noise)
	catalog := "<</Type/Catalog/Pages 2 0 R>>"
	pairs := fmt.Sprintf("9 0 2 %d 1 %d ", len(noise)+len(catalog), len(noise))
	objects := pairs + noise + catalog + fmt.Sprintf("<</Type/Pages/Count %d>>", f.pages)
	packed := b.Len()
	data := deflated([]byte(objects))
	if f.encrypted {
		data = "x" + data
	}
	fmt.Fprintf(&b, "4 0 obj\n<</Type/ObjStm/N 3/First %d/Length %d/Filter %s>>\nstream\r\n%s\nendstream\nendobj\n", len(pairs), len(data), f.filter, data)

	if f.container == 0 {
		f.container = 4
	}
	table := b.Len()
	var rows, last []byte
	for _, row := range [][3]int{{0, 0, 255}, {2, f.container, 2}, {2, 4, 1}, {1, 9, 0}, {1, packed, 0}, {1, table, 0}} {
		line := []byte{byte(row[0]), byte(row[1] >> 16), byte(row[1] >> 8), byte(row[1]), byte(row[2])}
		coded := bytes.Clone(line)
		for i := range line {
			switch {
			case f.predictor == 1 && i > 0:
				coded[i] -= line[i-1]
			case f.predictor == 2 && last != nil:
				coded[i] -= last[i]
			}
		}
		if f.predictor > 0 {
			rows = append(rows, f.predictor)
		}
		rows, last = append(rows, coded...), line
	}
	fmt.Fprintf(&b, "5 0 obj\n<</Type/XRef/Size 6/Root 1 0 R/W[ 1 3 1]")
	if f.index != "" {
		b.WriteString("/Index " + f.index)
	}
	if f.predictor > 0 {
		b.WriteString("/DecodeParms<</Columns 5/Predictor 12>>")
	}
	fmt.Fprintf(&b, "/Filter %s>>stream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", f.filter, deflated(rows), table)
	return b.Bytes()
}

// changedPDF appends a change to such a PDF: another root of its pages, not compressed.
func changedPDF(file []byte, count int) []byte {
	b := bytes.NewBuffer(bytes.Clone(file))
	old := bytes.LastIndex(file, []byte("5 0 obj"))
	root := b.Len()
	fmt.Fprintf(b, "2 0 obj\n<</Count %d>>\nendobj\n", count)
	table := b.Len()
	row := []byte{byte(root >> 16), byte(root >> 8), byte(root)}
	fmt.Fprintf(b, "7 0 obj\n<</Type/XRef/Root 1 0 R/Prev %d/W[0 3 0]/Index[2 1]/Filter[/FlateDecode ]>>stream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF", old, deflated(row), table)
	return b.Bytes()
}

func TestFault_IMAGE_PagesOfCompressedPDF(t *testing.T) {
	const unknown = 0
	cost := budget.MediaCost{Rates: []budget.MediaRate{{MIME: "application/pdf", Page: 1000, Bytes: 1 << 40, Least: 7}}}
	plain := compressedPDF(pdfForm{pages: 12})
	for _, c := range []struct {
		name string
		data []byte
		want int
	}{
		{"plain", plain, 12},
		{"predictor Sub", compressedPDF(pdfForm{pages: 12, predictor: 1}), 12},
		{"predictor Up", compressedPDF(pdfForm{pages: 12, predictor: 2}), 12},
		{"another predictor", compressedPDF(pdfForm{pages: 12, predictor: 255}), unknown},
		{"runs", compressedPDF(pdfForm{pages: 12, index: "[0 1 1 2\n3 3]"}), 12},
		{"runs that leave the catalog out", compressedPDF(pdfForm{pages: 12, index: "[0 1 3 3]"}), unknown},
		{"runs that do not end", compressedPDF(pdfForm{pages: 12, index: "[0 1 1 "}), unknown},
		{"a list of one filter", compressedPDF(pdfForm{pages: 12, filter: "[ /FlateDecode]"}), 12},
		{"a list of two", compressedPDF(pdfForm{pages: 12, filter: "[/FlateDecode/LZWDecode]"}), unknown},
		{"another filter", compressedPDF(pdfForm{pages: 12, filter: "/LZWDecode"}), unknown},
		{"encrypted", compressedPDF(pdfForm{pages: 12, encrypted: true}), unknown},
		{"a large object before", compressedPDF(pdfForm{pages: 12, noise: 1 << 20}), 12},
		{"changed", changedPDF(plain, 15), 15},
		{"changed twice", changedPDF(changedPDF(plain, 15), 16), 16},
		{"a bomb before", compressedPDF(pdfForm{pages: 12, noise: 1 << 23}), unknown},
		{"a container in itself", compressedPDF(pdfForm{pages: 12, container: 1}), unknown},
		{"a container that is none", compressedPDF(pdfForm{pages: 12, container: 3}), unknown},
		{"cut off", append(bytes.Clone(plain[:len(plain)-80]), plain[len(plain)-20:]...), unknown},
		{"a table in a circle", []byte("%PDF-1.5\n1 0 obj\n<</Type/XRef/W[1 2 1]/Root 2 0 R/Prev 9/Filter/FlateDecode>>stream\n\x78\x9c\nendstream\nendobj\nstartxref\n9\n%%EOF"), unknown},
		{"wide rows", bytes.Replace(plain, []byte("/W[ 1 3 1]"), []byte("/W[ 9 9 9]"), 1), unknown},
		{"rows of nothing", bytes.Replace(plain, []byte("/W[ 1 3 1]"), []byte("/W[ 0 0 0]"), 1), unknown},
	} {
		want := max(c.want*1000, 7)
		for form, m := range map[string]core.Media{
			"data":   {MIME: "application/pdf", Data: c.data},
			"base64": {URL: "data:application/pdf;base64," + encode(c.data)},
		} {
			assert.Equal(t, want, cost.Tokens(&m), "%s, %s", c.name, form)
		}
	}
}

// A stream that inflates to much more than it is costs no more memory than it is worth.
func TestFault_IMAGE_BombInPDF(t *testing.T) {
	bomb := core.Media{MIME: "application/pdf", Data: compressedPDF(pdfForm{pages: 12, noise: 1 << 23})}
	cost := budget.AnthropicMedia()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Positive(t, cost.Tokens(&bomb))
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}
