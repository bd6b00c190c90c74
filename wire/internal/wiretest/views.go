package wiretest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// FuzzParse fuzzes this: what cannot be read is a typed error; what can comes back byte for
// byte. What an editor, a budget or Encode makes of it comes back as the view says, and breaks no rule
// that it did not break before.
func (h *Harness[C]) FuzzParse(f *testing.F) {
	h.seed(f)
	f.Fuzz(func(t *testing.T, data []byte, choice uint64) {
		if err := h.checkData(data, choice); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzEdit fuzzes this: with new texts, and with parts and messages taken out wherever that can be
// written, it is still a document, of what the view says.
func (h *Harness[C]) FuzzEdit(f *testing.F) {
	h.seed(f)
	f.Fuzz(func(t *testing.T, data []byte, choice uint64) {
		c, err := h.Parse(data)
		if err != nil {
			return
		}
		if err := h.checkAnyEdit(c, rand.New(rand.NewPCG(choice, 1))); err != nil {
			t.Fatal(err)
		}
	})
}

// seed adds every document that the suite knows: as lines, and several in a request with
// much around them that a budget may take.
func (h *Harness[C]) seed(f *testing.F) {
	f.Helper()
	for i, doc := range h.Lines {
		f.Add([]byte(doc), uint64(i))
	}
	const together = 4
	for some := range slices.Chunk(h.Lines, together) {
		doc := h.amid(listed(some...))
		if _, err := h.read(doc); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(doc), uint64(len(doc)))
	}
	for i, row := range h.commonWrites() {
		f.Add([]byte(row.Doc), uint64(i))
	}
	for i, doc := range h.Extra {
		f.Add([]byte(doc), uint64(i))
	}
	f.Add([]byte("["+h.Dialect.user("\xff\\ud83d")+"]"), uint64(7))
}

// listed returns the messages of lines as elements of a list.
func listed(lines ...string) string {
	var list []string
	for _, some := range lines {
		list = append(list, strings.Split(strings.Trim(some, "\n"), "\n")...)
	}
	return strings.Join(list, ",\n")
}

// amid returns a request with messages amid old and new exchanges.
func (h *Harness[C]) amid(list string) string {
	d, long := &h.Dialect, strings.Repeat("long ", 60)
	exchange := func(id string) string {
		return strings.Join(append(d.calls(id), d.results(long, id)...), ",\n")
	}
	return h.prompted("be brief", array(d.user("task"), d.reply(long), exchange("c1"), list, d.user("next"), exchange("c2"), list, d.reply("done"), d.user("next")))
}

// checkData is what FuzzParse does with some bytes.
func (h *Harness[C]) checkData(data []byte, choice uint64) error {
	c, err := h.Parse(data)
	if err != nil {
		var syntax *wire.SyntaxError
		switch {
		case !errors.As(err, &syntax) || syntax.Format != h.Name || syntax.Expected == "" || syntax.Found == "":
			return fmt.Errorf("expected a SyntaxError that says what is expected and found, found %w", err)
		case syntax.Offset < 0 || syntax.Offset > int64(len(data)) || syntax.Line < 1 || syntax.Message < -1:
			return fmt.Errorf("the error is nowhere in %d bytes: %+v", len(data), *syntax)
		}
		return nil
	}
	if err := h.roundTrip(c, string(data)); err != nil {
		return err
	}
	_, err = h.checkViews(c, choice, 50)
	return err
}

// Views checks what is written of a conversation when it is edited and trimmed.
func (h *Harness[C]) Views(t testing.TB, c C, choice uint64) {
	t.Helper()
	_, err := h.checkViews(c, choice, 25, 50, 75)
	fail(t, err)
}

// checkViews checks what an editor without a plan makes of a conversation, then a budget of
// so many hundredths, and Encode; it counts the views that are another than the history.
func (h *Harness[C]) checkViews(c C, choice uint64, percents ...int) (changed int, err error) {
	before := Copy(c.Messages())
	check := func(view []core.Message, err error) error {
		if err != nil {
			return err
		}
		if len(view) != len(before) || len(view) > 0 && &view[0] != &c.Messages()[0] {
			changed++
		}
		back, err := h.checkView(c, view)
		if err == nil && back != nil {
			err = h.checkRules(before, back)
		}
		return err
	}
	if err := check(h.Edited(c.Messages(), choice)); err != nil {
		return 0, fmt.Errorf("edited: %w", err)
	}
	if err := check(h.emptied(c.Messages())); err != nil {
		return 0, fmt.Errorf("emptied: %w", err)
	}
	for _, percent := range percents {
		if err := check(h.trimmed(c, percent)); err != nil {
			return 0, fmt.Errorf("trimmed: %w", err)
		}
	}
	if _, err := h.checkEncode(c.Messages(), c.Request()); err != nil {
		return 0, err
	}
	if !reflect.DeepEqual(before, c.Messages()) {
		return 0, errors.New("the conversation has changed")
	}
	return changed, nil
}

// Edited returns what an editor that proposes anything anywhere makes of a history.
func (h *Harness[C]) Edited(history []core.Message, choice uint64) ([]core.Message, error) {
	rng := rand.New(rand.NewPCG(choice, 0))
	anything := core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for _, i := range rng.Perm(len(w.History)) {
				for p := range w.History[i].Parts {
					e := core.Edit{Op: core.Elide, Msg: i, Part: p, By: -1, Reason: "seen"}
					if text := w.Part(i, p).Text; rng.IntN(2) == 0 {
						e.Op, e.Text = core.Shorten, strings.ToValidUTF8(text[:rng.IntN(len(text)+1)], "")
					}
					if rng.IntN(2) == 0 && !yield(e) {
						return
					}
				}
				if rng.IntN(4) == 0 && !yield(core.Edit{Op: core.Drop, Msg: i, Part: -1, By: -1, Reason: "old"}) {
					return
				}
				if rng.IntN(8) == 0 && !yield(core.Edit{Op: core.Insert, Msg: i, Part: -1, By: -1, Reason: "test", Text: "note"}) {
					return
				}
			}
		}
	})
	return core.Transform(anything, core.WithProfile(h.Profile)).Transform(context.Background(), history)
}

// trimmed returns a conversation in so many hundredths of its tokens, or in the fewest.
func (h *Harness[C]) trimmed(c C, percent int) ([]core.Message, error) {
	trim, err := h.Trim(max(h.Tokens(c.Messages(), c.Request())*percent/100, 1))
	if err != nil {
		return nil, err
	}
	view, err := trim.Transform(core.WithRequest(context.Background(), c.Request()), c.Messages())
	if err != nil && view == nil && len(c.Messages()) > 0 {
		return nil, fmt.Errorf("expected the best view with the error: %w", err)
	}
	return view, nil
}

// checkAnyEdit takes out and rewrites whatever of a conversation can be.
func (h *Harness[C]) checkAnyEdit(c C, rng *rand.Rand) error {
	before := Copy(c.Messages())
	var view []core.Message
	for i, m := range before {
		if (i > 0 || m.Role != core.RoleSystem) && rng.IntN(8) == 0 { // nothing stands before a prompt
			view = append(view, Note(core.RoleUser, "new"))
		}
		if rng.IntN(4) == 0 {
			continue
		}
		m, err := h.someParts(c, m, rng)
		if err != nil {
			return err
		}
		view = append(view, m)
	}
	if _, err := h.checkView(c, view); err != nil {
		return err
	}
	if !reflect.DeepEqual(before, c.Messages()) {
		return errors.New("the conversation has changed")
	}
	return nil
}

// someParts takes out some parts of a message and gives others a new text, as far as the
// format takes that.
func (h *Harness[C]) someParts(c C, m core.Message, rng *rand.Rand) (core.Message, error) {
	for p := len(m.Parts) - 1; p >= 0; p-- {
		edit := Without(0, p)
		switch choice := rng.IntN(3); {
		case choice == 0 || choice == 1 && h.Fixed != nil && h.Fixed(&m, p):
			continue
		case choice == 2:
			edit = Retext(0, p, "<new> \"\n\u2028\xff")
		}
		edited := edit(Copy([]core.Message{m}))
		_, err := c.Write(edited)
		var refused *wire.ViewError
		switch {
		case err == nil:
			m = edited[0]
		case !errors.As(err, &refused):
			return m, fmt.Errorf("expected a ViewError, found %w", err)
		}
	}
	return m, nil
}

// checkDocuments does with many conversations what the fuzz targets do with any bytes, which
// seldom are one.
func (h *Harness[C]) checkDocuments() error {
	const documents, enough = 250, 500
	changed, held := 0, 0
	for seed := range uint64(documents) {
		rng := rand.New(rand.NewPCG(seed, 2))
		doc := h.document(rng)
		c, err := h.read(doc)
		if err != nil {
			return err
		}
		n, err := h.checkViews(c, seed, 25, 50, 75)
		if err == nil {
			err = h.checkAnyEdit(c, rng)
		}
		if err != nil {
			return fmt.Errorf("document %d: %w; it was %q", seed, err, doc)
		}
		changed += n
		if ok, _ := h.checkEncode(c.Messages(), c.Request()); ok {
			held++
		}
	}
	if changed < enough || held == 0 {
		return fmt.Errorf("of %d documents, only %d views differ and %d can be encoded: the check is worth little", documents, changed, held)
	}
	return nil
}

// document returns a document at random.
func (h *Harness[C]) document(rng *rand.Rand) string {
	if h.Random != nil && rng.IntN(2) == 0 {
		return h.Random(rng)
	}
	var lines []string
	for range rng.IntN(8) {
		lines = append(lines, h.Lines[rng.IntN(len(h.Lines))])
	}
	if len(lines) == 0 {
		return "[]"
	}
	return h.amid(listed(lines...))
}

// Letters counts four bytes as a token. It is cheap.
func Letters(text string) int { return (len(text) + 3) / 4 }
