package wiretest

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// Code is about 3,000 characters of code, as they stand in a JSON string.
var Code = strings.Repeat(`\tif err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", path, err) // 日本\n\t}\n`, 35)

// hostileDocuments are what could cost more than linear time in any format, at sizes where
// that would not end.
func (h *Harness[C]) hostileDocuments() map[string]string {
	const n = 1 << 17
	m, d := h.Plain[0], &h.Dialect
	open := m[:len(m)-1] // without its brace
	many := func(one string, n int) string { return one + strings.Repeat(","+one, n) }
	texts := slices.Repeat([]string{"a"}, n/8)
	ids := slices.Repeat([]string{"c"}, n/32)
	return map[string]string{
		"blank lines":      strings.Repeat("\n", n) + m + strings.Repeat("\r\n", n) + m,
		"spaces":           "[" + strings.Repeat(" ", n) + m + strings.Repeat(" ", n) + "]",
		"backslashes":      d.user(strings.Repeat(`\\`, n)),
		"escaped quotes":   d.user(strings.Repeat(`\"`, n)),
		"surrogates":       d.user(strings.Repeat(`\ud83d`, n/4)),
		"parts":            d.texts(texts...),
		"members":          open + strings.Repeat(`,"a":{"a":1}`, n/8) + "}",
		"the same member":  "[" + open + strings.Repeat(`,"content":["a"],"parts":["a"]`, n/16) + "}]",
		"depth":            open + `,"x":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}",
		"deep messages":    "[" + many(open+`,"y":`+strings.Repeat("[", 900)+strings.Repeat("]", 900)+"}", 300) + "]",
		"messages":         "[" + many(m, n/8) + "]",
		"calls of one id":  strings.Join(slices.Concat([]string{m}, d.calls(ids...), d.results("r", ids...)), "\n"),
		"exchanges":        "[" + many(strings.Join(slices.Concat(d.calls("c"), d.results("r", "c")), ","), n/64) + "]",
		"open calls":       "[" + many(strings.Join(d.calls("c"), ","), n/32) + "]",
		"lost results":     "[" + many(strings.Join(d.results("r", "c"), ","), n/32) + "]",
		"one long message": d.user(strings.Repeat("x", 16*n)),
	}
}

// Hostile checks documents that could cost more than linear time: they are read, edited,
// written, read again and encoded.
func (h *Harness[C]) Hostile(t *testing.T, documents map[string]string) {
	t.Helper()
	fail(t, h.hostile(documents))
}

func (h *Harness[C]) hostile(documents map[string]string) error {
	for name, doc := range documents {
		c, err := h.read(doc)
		if err != nil {
			return fmt.Errorf("%s: %.300w", name, err)
		}
		written := 0
		for _, change := range []Change{rewriteAll, withoutFirstParts, dropSecondToLast} {
			out, err := c.Write(change(Copy(c.Messages())))
			var refused *wire.ViewError
			switch {
			case errors.As(err, &refused):
				continue
			case err != nil:
				return fmt.Errorf("%s: %w", name, err)
			}
			if _, err := h.Parse(out); err != nil && len(strings.TrimSpace(string(out))) > 0 {
				return fmt.Errorf("%s, written: %w", name, err)
			}
			written++
		}
		if written == 0 {
			return fmt.Errorf("%s: no edit of it can be written", name)
		}
		if out, err := h.Encode(c.Messages(), c.Request()); err == nil {
			if _, err := h.Parse(out); err != nil {
				return fmt.Errorf("%s, encoded: %w", name, err)
			}
		}
	}
	return nil
}

func rewriteAll(view []core.Message) []core.Message {
	for i := range view {
		for k := range view[i].Parts {
			if p := &view[i].Parts[k]; p.Kind == core.KindText || p.Kind == core.KindToolResult {
				p.Text, p.Media = "b", nil
			}
		}
	}
	return view
}

func withoutFirstParts(view []core.Message) []core.Message {
	for i := range view {
		if len(view[i].Parts) > 1 {
			view[i].Parts = view[i].Parts[1:]
		}
	}
	return view
}

func dropSecondToLast(view []core.Message) []core.Message {
	return Drop(len(view) - 2)(view)
}

// checkLimits reads a document with limits that it is beyond.
func (h *Harness[C]) checkLimits() error {
	doc := []byte(array(h.Plain[:]...))
	for name, l := range map[string]wire.Limits{"MaxBytes": {MaxBytes: 10}, "MaxDepth": {MaxDepth: 1}, "MaxValues": {MaxValues: 5}} {
		_, err := h.Parse(doc, wire.WithLimits(l))
		var limit *wire.LimitError
		if !errors.As(err, &limit) || limit.Format != h.Name || limit.Limit != name {
			return fmt.Errorf("expected a LimitError of %s, found %s", name, fmt.Sprint(err))
		}
	}
	_, err := h.Parse(doc, wire.WithLimits(wire.Unlimited))
	return err
}

// checkGrowth compares what sessions of different lengths take, and counts what Parse
// allocates: parts of the messages of an exchange, and strings with escapes; the text, the
// lists and the maps of calls are few.
func (h *Harness[C]) checkGrowth() error {
	const exchanges = 100
	short, long := h.Session(exchanges), h.Session(4*exchanges)
	allocs, err := h.parseAllocs(short)
	if err != nil {
		return err
	}
	if most := exchanges * h.Allocs; allocs > most {
		return fmt.Errorf("to parse allocates %v times for %d exchanges, expected at most %v", allocs, exchanges, most)
	}
	for name, work := range map[string]func(data []byte) error{
		"Parse": func(data []byte) error { _, err := h.Parse(data); return err },
		"Parse and Write": func(data []byte) error {
			c, err := h.Parse(data)
			if err != nil {
				return err
			}
			_, err = c.Write(h.shortened(c.Messages()))
			return err
		},
	} {
		few, err := allocated(func() error { return work(short) })
		if err != nil {
			return err
		}
		many, err := allocated(func() error { return work(long) })
		if err != nil {
			return err
		}
		const slack = 6 // for four times the length
		if many > slack*few {
			return fmt.Errorf("%s of a session four times as long allocates %d bytes, not %d", name, many, few)
		}
	}
	return nil
}

// parseAllocs counts the allocations of Parse. Lines are put into an array for that: what is
// checked as JSON line by line takes as many again now and then.
func (h *Harness[C]) parseAllocs(session []byte) (allocs float64, err error) {
	c, err := h.Parse(session)
	if err != nil {
		return 0, err
	}
	if c.Shape() == wire.ShapeLines {
		session = []byte("[" + strings.ReplaceAll(strings.TrimSpace(string(session)), "\n", ",\n") + "]")
	}
	allocs = testing.AllocsPerRun(5, func() {
		if _, failed := h.Parse(session); failed != nil {
			err = failed
		}
	})
	return allocs, err
}

// checkMediaMemory reads and edits a message with a large image. It is there twice, in the
// document and in its data: URI, and nothing copies it again; writing copies it once.
func (h *Harness[C]) checkMediaMemory() error {
	const size = 8 << 20
	data := []byte("[" + h.Dialect.picture(strings.Repeat("A", size)) + "," + h.Dialect.user("a") + "]")
	var c C
	parsed, err := allocated(func() (err error) { c, err = h.Parse(data); return err })
	if err != nil {
		return err
	}
	written, err := allocated(func() error {
		out, err := c.Write(Retext(1, 0, "b")(slices.Clone(c.Messages())))
		if err == nil && len(out) < size {
			err = errors.New("the image is not written")
		}
		return err
	})
	if parsed > size*9/4 || written > size*5/4 {
		return fmt.Errorf("for an image of %d bytes, Parse allocates %d and Write %d", size, parsed, written)
	}
	return err
}

func allocated(work func() error) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

// shortened returns a session in which every other result is.
func (h *Harness[C]) shortened(history []core.Message) []core.Message {
	view, results := slices.Clone(history), 0
	for i := range view {
		if view[i].Role != core.RoleTool {
			continue
		}
		if results++; results%2 == 0 {
			view = Retext(i, 0, "[trimkit: read result removed]")(view)
		}
	}
	return view
}

func (h *Harness[C]) checkConcurrentUse() error {
	data := h.Session(20)
	c, err := h.Parse(data)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() {
			view := slices.Clone(c.Messages())
			view = Retext(h.nthResult(view, i), 0, "edited")(view)
			out, err := c.Write(view)
			if err == nil && len(out) >= len(data) {
				err = fmt.Errorf("an edited view takes %d of %d bytes", len(out), len(data))
			}
			whole, err2 := c.Write(c.Messages())
			if err2 == nil && string(whole) != string(data) {
				err2 = errors.New("without an edit, other bytes are written")
			}
			_, err3 := h.Encode(c.Messages(), c.Request())
			var lost *wire.EncodeError
			if errors.As(err3, &lost) {
				err3 = nil
			}
			errs[i] = errors.Join(err, err2, err3)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (h *Harness[C]) nthResult(history []core.Message, n int) int {
	for i := range history {
		if history[i].Role == core.RoleTool {
			if n--; n < 0 {
				return i
			}
		}
	}
	return -1
}

// BenchmarkParse reads a session.
func (h *Harness[C]) BenchmarkParse(b *testing.B) {
	data := h.Session(300)
	benchmark(b, data, func() error { _, err := h.Parse(data); return err })
}

// BenchmarkWrite writes a session untouched, and with every other result elided.
func (h *Harness[C]) BenchmarkWrite(b *testing.B) {
	data := h.Session(300)
	c := h.Read(b, string(data))
	for name, view := range map[string][]core.Message{"untouched": c.Messages(), "edited": h.shortened(c.Messages())} {
		b.Run(name, func(b *testing.B) {
			benchmark(b, data, func() error { _, err := c.Write(view); return err })
		})
	}
}

// BenchmarkEncode writes the messages of a session anew.
func (h *Harness[C]) BenchmarkEncode(b *testing.B) {
	data := h.Session(300)
	c := h.Read(b, string(data))
	var lost *wire.EncodeError
	if _, err := h.Encode(c.Messages(), nil); errors.As(err, &lost) {
		b.Skip("the session is more than Encode writes")
	}
	benchmark(b, data, func() error { _, err := h.Encode(c.Messages(), nil); return err })
}

func benchmark(b *testing.B, data []byte, work func() error) {
	b.Helper()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := work(); err != nil {
			b.Fatal(err)
		}
	}
}
