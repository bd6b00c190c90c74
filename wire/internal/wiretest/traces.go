package wiretest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/openai"
)

// EachTrace runs a test for each recorded conversation, all of which are OpenAI's as JSONL,
// in the folder that TRIMKIT_TRACES names, or skips the test.
func EachTrace(t *testing.T, test func(t *testing.T, data []byte)) {
	t.Helper()
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded conversation in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, data)
		})
	}
}

// Traces writes every recorded conversation anew in this format, as far as that can be, reads
// it, and edits and trims it. It returns how many the format holds whole.
func (h *Harness[C]) Traces(t *testing.T) (held, all int) {
	t.Helper()
	reasons := map[string]int{} // → conversations
	EachTrace(t, func(t *testing.T, data []byte) {
		t.Helper()
		recorded, err := openai.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		history, lost, err := h.Holdable(recorded.Messages())
		if err != nil {
			t.Fatal(err)
		}
		for reason := range lost {
			reasons[reason]++
		}
		all++
		if len(lost) == 0 {
			held++
		}
		fail(t, h.checkHeld(history, 1))
	})
	t.Logf("%d of %d conversations are held whole; what is not held: %v", held, all, reasons)
	return held, all
}

// checkHeld encodes a history that the format can hold, reads that, and edits and trims it.
func (h *Harness[C]) checkHeld(history []core.Message, choice uint64) error {
	held, err := h.checkEncode(history, nil)
	if err != nil || !held {
		return fmt.Errorf("expected a history that can be encoded: %v, %w", held, err)
	}
	out, err := h.Encode(history, nil)
	if err != nil {
		return err
	}
	c, err := h.read(string(out))
	if err == nil {
		_, err = h.checkViews(c, choice, 25, 50, 75)
	}
	return err
}

// Held checks a history that the format can hold when it is encoded, edited and trimmed.
func (h *Harness[C]) Held(t testing.TB, history []core.Message, choice uint64) {
	t.Helper()
	fail(t, h.checkHeld(history, choice))
}

// Holdable returns what the format can hold of a history: without what Encode says that it
// cannot, which is returned too. A status or a signature goes before its part, and a name
// before its message.
func (h *Harness[C]) Holdable(history []core.Message) (rest []core.Message, lost map[string]bool, err error) {
	history, lost = Copy(history), map[string]bool{}
	for range 9 { // what goes may cost a result its call
		_, err = h.Encode(history, nil)
		var losses *wire.EncodeError
		if !errors.As(err, &losses) {
			return history, lost, err
		}
		done := wire.Loss{Message: -1}
		for _, l := range slices.Backward(losses.Losses) {
			lost[l.What] = true
			if l.Message == done.Message && l.Part == done.Part {
				continue // it has two faults
			}
			done = l
			history = leaveOut(history, l)
		}
	}
	return nil, lost, err
}

func leaveOut(history []core.Message, l wire.Loss) []core.Message {
	m := &history[l.Message]
	switch {
	case l.Part >= 0:
		if p := &m.Parts[l.Part]; p.Status != 0 || p.Signed {
			p.Status, p.Signed = 0, false
			return history
		}
		m.Parts = slices.Delete(m.Parts, l.Part, l.Part+1)
	case m.Name != "":
		m.Name = ""
	default:
		return slices.Delete(history, l.Message, l.Message+1)
	}
	return history
}

// emptied returns what is left of a history when all that may go is elided, and every third
// group dropped.
func (h *Harness[C]) emptied(history []core.Message) ([]core.Message, error) {
	everything := core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range w.History {
				for p := range w.History[i].Parts {
					if !yield(ElideAt(i, p)) {
						return
					}
				}
				if w.Groups.Of[i]%3 == 0 && !yield(DropAt(i)) {
					return
				}
			}
		}
	})
	return core.Transform(everything, core.WithProfile(h.Profile)).Transform(context.Background(), history)
}
