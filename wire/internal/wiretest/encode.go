package wiretest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// EncodeCase is a history, what is beside it, and the request that Encode makes of them.
type EncodeCase = struct {
	Name    string
	History []core.Message
	Request *core.Request
	Want    string
}

// EncodesTo checks what Encode makes of histories that the format can hold.
func (h *Harness[C]) EncodesTo(t *testing.T, cases []EncodeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			out, err := h.Encode(c.History, c.Request)
			if err != nil || string(out) != c.Want {
				t.Errorf("expected %q, found %q, %v", c.Want, out, err)
			}
			h.Encodes(t, c.History, c.Request)
		})
	}
}

// Losses returns what Encode says that the format cannot hold.
func (h *Harness[C]) Losses(t testing.TB, history []core.Message, r *core.Request) []string {
	t.Helper()
	out, err := h.Encode(history, r)
	var lost *wire.EncodeError
	if !errors.As(err, &lost) || out != nil || lost.Format != h.Name {
		t.Fatalf("expected an EncodeError and nothing written, found %v and %q", err, out)
	}
	var losses []string
	for _, l := range lost.Losses {
		losses = append(losses, l.String())
	}
	return losses
}

// checkEncode encodes a history, compares it with what is read from that, and reports
// whether the format can hold it.
func (h *Harness[C]) checkEncode(history []core.Message, r *core.Request) (held bool, err error) {
	before := Copy(history)
	out, err := h.Encode(history, r)
	if !reflect.DeepEqual(before, Copy(history)) {
		return false, errors.New("the history has changed")
	}
	var lost *wire.EncodeError
	switch {
	case errors.As(err, &lost) && len(lost.Losses) > 0 && out == nil && lost.Format == h.Name:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("encode: expected an EncodeError with losses and nothing written, found %w", err)
	case !json.Valid(out):
		return false, fmt.Errorf("what Encode writes is no JSON: %q", out)
	}
	back, err := h.read(string(out))
	if err != nil {
		return false, err
	}
	if back.Shape() != wire.ShapeRequest {
		return false, fmt.Errorf("what Encode writes is %s: %q", back.Shape(), out)
	}
	if want, got := h.Flat(history), h.Flat(back.Messages()); !reflect.DeepEqual(want, got) {
		return false, fmt.Errorf("encoded, %+v becomes %+v: %q", want, got, out)
	}
	if err := h.checkEncodedRules(history, back.Messages()); err != nil {
		return false, fmt.Errorf("encoded: %w: %q", err, out)
	}
	again, err := h.Encode(back.Messages(), back.Request())
	switch {
	case err != nil:
		return false, fmt.Errorf("encode %q once more: %w", out, err)
	case h.Stable && !bytes.Equal(out, again):
		return false, fmt.Errorf("encoded once more, %q becomes %q", out, again)
	}
	return true, nil
}

// checkEncodedRules is checkRules for a history that no format has read. Where calls have no
// ids, or the same ones, which call a result is of depends on its neighbours; a Reply that is
// wrong hides what is too late.
func (h *Harness[C]) checkEncodedRules(history, back []core.Message) error {
	ids := map[string]bool{"": true}
	for _, at := range find(history, core.KindToolCall) {
		id := history[at[0]].Parts[at[1]].CallID
		if ids[id] {
			return nil
		}
		ids[id] = true
	}
	if h.checkRules(history, back) == nil {
		return nil
	}
	history = Copy(history)
	for i := range history {
		history[i].Reply = 0
	}
	return h.checkRules(history, back)
}

// Encodes checks that a history is encoded, if the format can hold it, and says what it
// said when it is read again.
func (h *Harness[C]) Encodes(t T, history []core.Message, r *core.Request) (held bool) {
	t.Helper()
	held, err := h.checkEncode(history, r)
	if err != nil {
		t.Errorf("%v", err)
		t.FailNow()
	}
	return held
}

// T is a test, or a property of package rapid.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}
