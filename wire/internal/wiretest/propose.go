package wiretest

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/trimkit/trimkit/core"
)

// DropAt proposes to drop the group that a message is of.
func DropAt(msg int) core.Edit {
	return core.Edit{Op: core.Drop, Msg: msg, Part: -1, By: -1, Reason: "old"}
}

// ElideAt proposes to elide a part.
func ElideAt(msg, part int) core.Edit {
	return core.Edit{Op: core.Elide, Msg: msg, Part: part, By: -1, Reason: "old"}
}

// Propose returns the view that these proposals make of a history, and those that were
// refused.
func (h *Harness[C]) Propose(history []core.Message, edits ...core.Edit) (view []core.Message, refused []*core.LawError, err error) {
	w := core.NewWindow(history, core.WithProfile(h.Profile))
	refused, err = core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values(edits) }))
	return w.View(), refused, err
}

// Collect makes edits, none of which may be refused, and checks what is written.
func (h *Harness[C]) Collect(t testing.TB, c C, edits ...core.Edit) (view []core.Message, out string) {
	t.Helper()
	view, out, err := h.collect(c, edits...)
	if err != nil {
		t.Fatal(err)
	}
	return view, out
}

// Becomes checks what edits make of a document, none of which may be refused.
func (h *Harness[C]) Becomes(t testing.TB, c C, want string, edits ...core.Edit) {
	t.Helper()
	fail(t, h.becomes(c, want, edits...))
}

func (h *Harness[C]) collect(c C, edits ...core.Edit) (view []core.Message, out string, err error) {
	view, refused, err := h.Propose(c.Messages(), edits...)
	if err != nil {
		return nil, "", err
	}
	if len(refused) > 0 {
		return nil, "", fmt.Errorf("refused: %w", refused[0])
	}
	back, err := h.checkView(c, view)
	if err == nil {
		err = h.checkRules(c.Messages(), back)
	}
	if err != nil {
		return nil, "", err
	}
	data, err := c.Write(view)
	return view, string(data), err
}

// Refused fails the test unless each of the edits is refused.
func (h *Harness[C]) Refused(t testing.TB, c C, edits ...core.Edit) {
	t.Helper()
	fail(t, h.refuses(c, edits...))
}

func (h *Harness[C]) refuses(c C, edits ...core.Edit) error {
	_, refused, err := h.Propose(c.Messages(), edits...)
	if err == nil && len(refused) != len(edits) {
		err = fmt.Errorf("expected %d proposals to be refused, found %v", len(edits), refused)
	}
	return err
}

// becomes checks what edits make of a document.
func (h *Harness[C]) becomes(c C, want string, edits ...core.Edit) error {
	_, out, err := h.collect(c, edits...)
	if err == nil && out != want {
		err = fmt.Errorf("%v: expected %q, found %q", edits, want, out)
	}
	return err
}

// find returns the places of the parts of a kind.
func find(history []core.Message, kind core.Kind) [][2]int {
	var at [][2]int
	for i := range history {
		for k := range history[i].Parts {
			if history[i].Parts[k].Kind == kind {
				at = append(at, [2]int{i, k})
			}
		}
	}
	return at
}
