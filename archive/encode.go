package archive

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/trimkit/trimkit/core"
)

// contentVersion begins every encoded message. Its bytes are hashed into receipts, so an
// encoding, once released, is never changed: a new one gets another number.
const contentVersion = 1

var errEncoding = errors.New("it ends or goes on where it must not")

// encoder appends values. The zero encoder is ready.
type encoder struct{ b []byte }

func (e *encoder) byte(v byte)    { e.b = append(e.b, v) }
func (e *encoder) uint(v uint64)  { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)    { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) text(v string)  { e.uint(uint64(len(v))); e.b = append(e.b, v...) }
func (e *encoder) fixed(v []byte) { e.b = append(e.b, v...) }
func (e *encoder) bool(v bool)    { e.b = append(e.b, map[bool]byte{true: 1}[v]) }
func (e *encoder) count(n int, null bool) {
	if null {
		n = -1
	}
	e.uint(uint64(n + 1)) // 0: nil, which is not the same as empty
}

func (e *encoder) bytes(v []byte) {
	e.count(len(v), v == nil)
	e.b = append(e.b, v...)
}

func (e *encoder) time(t time.Time) {
	_, offset := t.Zone()
	e.int(t.Unix())
	e.uint(uint64(t.Nanosecond()))
	e.int(int64(offset))
}

// message appends a message with everything that core knows of it.
func (e *encoder) message(m *core.Message) {
	e.byte(contentVersion)
	e.byte(byte(m.Role))
	e.byte(byte(m.Policy))
	e.int(int64(m.Src))
	e.int(int64(m.Reply))
	e.text(m.Name)
	e.bool(m.Meta != nil)
	if m.Meta != nil {
		e.text(m.Meta.ID)
		e.time(m.Meta.Time)
		e.count(len(m.Meta.Labels), m.Meta.Labels == nil)
		for _, k := range slices.Sorted(maps.Keys(m.Meta.Labels)) {
			e.text(k)
			e.text(m.Meta.Labels[k])
		}
	}
	e.count(len(m.Parts), m.Parts == nil)
	for i := range m.Parts {
		e.part(&m.Parts[i])
	}
}

func (e *encoder) part(p *core.Part) {
	e.byte(byte(p.Kind))
	e.byte(byte(p.Status))
	e.bool(p.Signed)
	e.uint(uint64(p.Slot))
	e.text(p.Text)
	e.text(p.CallID)
	e.text(p.Tool)
	e.bool(p.Media != nil)
	if m := p.Media; m != nil {
		e.text(m.MIME)
		e.text(m.URL)
		e.bytes(m.Data)
		e.text(m.Detail)
		e.int(int64(m.Width))
		e.int(int64(m.Height))
	}
	e.bool(p.Elided != nil)
	if x := p.Elided; x != nil {
		e.byte(byte(x.Op))
		e.text(x.Reason)
		e.text(x.Tool)
		e.int(int64(x.Bytes))
		e.int(int64(x.Tokens))
		e.bool(x.Failed)
		e.int(int64(x.By))
		e.text(x.Receipt)
	}
}

// decoder reads what an encoder wrote. After the first fault every value is zero. It never
// allocates more than its input's length gives reason for.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail() {
	d.err = errEncoding
	d.b = nil
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail()
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) byte() byte {
	if v := d.take(1); len(v) == 1 {
		return v[0]
	}
	return 0
}

func (d *decoder) bool() bool {
	v := d.byte()
	if v > 1 {
		d.fail()
	}
	return v == 1
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

// int reads an integer that must be one of so many bits.
func (d *decoder) int(bits int) int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 || v<<(64-bits)>>(64-bits) != v {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) num() int { return int(d.int(strconv.IntSize)) }

func (d *decoder) text() string { return string(d.take(d.uint())) }

func (d *decoder) bytes() []byte {
	n, null := d.count(1)
	if null || d.err != nil {
		return nil
	}
	return append([]byte{}, d.take(uint64(n))...)
}

// count reads the number of values that follow, each of which takes so many bytes at least.
func (d *decoder) count(least int) (n int, null bool) {
	v := d.uint()
	if v == 0 {
		return 0, true
	}
	if v-1 > uint64(len(d.b)/least) {
		d.fail()
		return 0, false
	}
	return int(v - 1), false
}

func (d *decoder) time() time.Time {
	sec, nsec, offset := d.int(64), d.uint(), d.int(32)
	if nsec > 999_999_999 {
		d.fail()
		return time.Time{}
	}
	t := time.Unix(sec, int64(nsec))
	if offset == 0 {
		return t.UTC()
	}
	return t.In(time.FixedZone("", int(offset)))
}

// end reports a fault, or that something is left.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		return errEncoding
	}
	return d.err
}

func (d *decoder) message() core.Message {
	if d.byte() != contentVersion {
		d.fail()
	}
	m := core.Message{
		Role: core.Role(d.byte()), Policy: core.Policy(d.byte()),
		Src: int32(d.int(32)), Reply: int32(d.int(32)), Name: d.text(),
	}
	if d.bool() {
		m.Meta = &core.Meta{ID: d.text(), Time: d.time()}
		if n, null := d.count(2); !null {
			m.Meta.Labels = make(map[string]string, n)
			for range n {
				k := d.text()
				m.Meta.Labels[k] = d.text()
			}
		}
	}
	const leastPart = 9 // bytes
	if n, null := d.count(leastPart); !null {
		m.Parts = make([]core.Part, n)
		for i := range m.Parts {
			m.Parts[i] = d.part()
		}
	}
	return m
}

func (d *decoder) part() core.Part {
	p := core.Part{Kind: core.Kind(d.byte()), Status: core.Status(d.byte()), Signed: d.bool()}
	slot := d.uint()
	if slot > 1<<32-1 {
		d.fail()
	}
	p.Slot, p.Text, p.CallID, p.Tool = uint32(slot), d.text(), d.text(), d.text()
	if d.bool() {
		p.Media = &core.Media{
			MIME: d.text(), URL: d.text(), Data: d.bytes(), Detail: d.text(), Width: d.num(), Height: d.num(),
		}
	}
	if d.bool() {
		p.Elided = &core.Elision{
			Op: core.Op(d.byte()), Reason: d.text(), Tool: d.text(), Bytes: d.num(), Tokens: d.num(),
			Failed: d.bool(), By: d.num(), Receipt: d.text(),
		}
	}
	return p
}
