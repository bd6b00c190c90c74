package wiretest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

const byteOrderMark = "\xef\xbb\xbf"

// read parses a document that is fine, and compares what is written.
func (h *Harness[C]) read(doc string) (C, error) {
	c, err := h.Parse([]byte(doc))
	if err != nil {
		return c, fmt.Errorf("parse %q: %w", doc, err)
	}
	return c, h.roundTrip(c, doc)
}

// roundTrip checks that the messages as they were read, and a copy of them, are written as
// the document, and that the conversation gives the same whenever it is asked.
func (h *Harness[C]) roundTrip(c C, doc string) error {
	for _, view := range [][]core.Message{c.Messages(), Copy(c.Messages())} {
		out, err := c.Write(view)
		if err != nil {
			return fmt.Errorf("write what was read: %w", err)
		}
		if string(out) != doc {
			return fmt.Errorf("without an edit, %q becomes %q", doc, out)
		}
	}
	if a, b := c.Request(), c.Request(); a == nil || a != b {
		return fmt.Errorf("the method Request returns %p, then %p", a, b)
	}
	if a, b := c.Messages(), c.Messages(); len(a) != len(b) || len(a) > 0 && &a[0] != &b[0] {
		return errors.New("the method Messages returns another slice when it is asked again")
	}
	return nil
}

// checkView writes a view, compares it with what is read from that, and returns the latter:
// nothing if no document is left.
func (h *Harness[C]) checkView(c C, view []core.Message) ([]core.Message, error) {
	before := Copy(view)
	out, err := c.Write(view)
	if err != nil {
		return nil, fmt.Errorf("write a view: %w", err)
	}
	if !reflect.DeepEqual(before, Copy(view)) {
		return nil, errors.New("Write changes the view")
	}
	want, bare := h.settled(view), bytes.TrimPrefix(out, []byte(byteOrderMark))
	switch {
	case c.Shape() != wire.ShapeLines:
		if !json.Valid(bare) {
			return nil, fmt.Errorf("a view is written as no JSON: %q", out)
		}
	case len(want) == 0 && len(bytes.TrimSpace(bare)) == 0:
		return nil, nil
	}
	back, err := h.Parse(out)
	switch {
	case err != nil:
		return nil, fmt.Errorf("parse %q, which is a view: %w", out, err)
	case back.Shape() != c.Shape():
		return nil, fmt.Errorf("a view of %s is written as %s: %q", c.Shape(), back.Shape(), out)
	case !reflect.DeepEqual(c.Request(), back.Request()):
		return nil, fmt.Errorf("an edit changes the request: %q", out)
	case h.Beside != nil && !reflect.DeepEqual(h.Beside(c), h.Beside(back)):
		return nil, fmt.Errorf("an edit changes what is beside the messages: %q", out)
	}
	if err := same(want, h.settled(back.Messages())); err != nil {
		return nil, fmt.Errorf("%w: in %q", err, out)
	}
	return back.Messages(), nil
}

// settled returns the messages without what depends on their place or their neighbours.
func (h *Harness[C]) settled(history []core.Message) []core.Message {
	history = Copy(history)
	for i := range history {
		m := &history[i]
		m.Src, m.Reply, m.Policy = 0, 0, 0
		for k := range m.Parts {
			p := &m.Parts[k]
			p.Slot, p.Elided = 0, nil
			p.Text = string([]rune(p.Text)) // a new text is written as UTF-8
		}
	}
	if h.Settle != nil {
		kept := history[:0]
		for i := range history {
			if h.Settle(&history[i]) {
				kept = append(kept, history[i])
			}
		}
		history = kept
	}
	for i := range history {
		if len(history[i].Parts) == 0 {
			history[i].Parts = nil
		}
	}
	return history
}

// WithoutBlanks takes the parts of these kinds that say nothing out of a message, in which
// one of which all was taken out differs. It is for Settle.
func WithoutBlanks(m *core.Message, kinds ...core.Kind) {
	m.Parts = slices.DeleteFunc(m.Parts, func(p core.Part) bool {
		return p.Text == "" && p.Media == nil && slices.Contains(kinds, p.Kind)
	})
}

// same compares histories.
func same(want, got []core.Message) error {
	for i := range min(len(want), len(got)) {
		if !reflect.DeepEqual(want[i], got[i]) {
			return fmt.Errorf("message %d: expected %+v, found %+v", i, want[i], got[i])
		}
	}
	if len(want) != len(got) {
		return fmt.Errorf("expected %d messages, found %d", len(want), len(got))
	}
	return nil
}

// Broken returns the names of the rules of the provider's that a history breaks.
func (h *Harness[C]) Broken(history []core.Message) []string {
	var names []string
	for _, v := range core.Check(h.Profile, history) {
		names = append(names, v.Rule)
	}
	return names
}

// checkRules: after breaks no rule of the provider's more often than before.
func (h *Harness[C]) checkRules(before, after []core.Message) error {
	left := map[string]int{}
	for _, name := range h.Broken(before) {
		left[name]++
	}
	for _, name := range h.Broken(after) {
		if left[name]--; left[name] < 0 {
			return fmt.Errorf("an edit breaks the provider's rule %q", name)
		}
	}
	return nil
}
