package responses_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/responses"
)

func seeds(f *testing.F) {
	f.Helper()
	for i, c := range itemCases {
		items := strings.ReplaceAll(c.json, "\n", ",")
		f.Add([]byte(c.json), uint64(i))
		f.Add([]byte(`{"input": [`+items+` ],"tools":[{}],"instructions":"i"}`), uint64(i))
		long := strings.Repeat("long ", 60)
		f.Add([]byte(list(task, answer, next, sealed, call1, out("c1", long), items, next, call2, out("c2", long), items, answer, next)), uint64(i))
	}
	for i, c := range writeCases {
		f.Add([]byte(c.doc), uint64(i))
	}
	f.Add([]byte(`{"previous_response_id":"r","input":`+list(out("c", "r"), task, answer)+`}`), uint64(1))
	f.Add([]byte("[{\"role\":\"user\",\"content\":\"\xff\\ud83d\"}]"), uint64(7))
}

// FuzzParse: what can be read comes back byte for byte. What an editor, or a budget, makes
// of it comes back as the view says, and breaks no rule that it did not break before.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, choice uint64) {
		c, err := responses.Parse(data)
		if err != nil {
			var syntax *wire.SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.True(t, syntax.Offset >= 0 && syntax.Offset <= int64(len(data)))
			assert.True(t, syntax.Line >= 1 && syntax.Expected != "" && syntax.Found != "")
			return
		}
		require.Equal(t, string(data), write(t, c, c.Messages()))
		require.Equal(t, string(data), write(t, c, deepCopy(c.Messages())))
		before := deepCopy(c.Messages())
		for _, view := range [][]core.Message{edited(t, c.Messages(), choice), trimmed(t, c.Messages(), 50)} {
			back := checkView(t, c, view)
			checkRules(t, c.Messages(), back)
		}
		require.Equal(t, before, c.Messages())
		checkEncode(t, c.Messages(), c.Request())
	})
}

// FuzzEdit: with new texts, and with parts and messages taken out, it is still a document,
// of what the view says.
func FuzzEdit(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, choice uint64) {
		c, err := responses.Parse(data)
		if err != nil {
			return
		}
		before := deepCopy(c.Messages())
		rng := rand.New(rand.NewPCG(choice, 1))
		var view []core.Message
		for i, m := range deepCopy(c.Messages()) {
			if i > 0 && rng.IntN(8) == 0 {
				view = append(view, note(core.RoleUser, "new"))
			}
			if rng.IntN(4) == 0 {
				continue
			}
			parts := slices.Clone(m.Parts)
			m.Parts = nil
			for _, p := range parts {
				switch choice := rng.IntN(3); {
				case choice == 0 || len(parts) > 1 && (p.Kind == core.KindOpaque || p.Signed): // they cannot leave the others
					m.Parts = append(m.Parts, p)
				case choice == 1:
					if p, ok := rewritten(t, c, m, p); ok {
						m.Parts = append(m.Parts, p)
					}
				}
			}
			view = append(view, m)
		}
		checkView(t, c, view)
		require.Equal(t, before, c.Messages())
	})
}

// rewritten gives a part a new text, unless it can have none.
func rewritten(t *testing.T, c *responses.Conversation, m core.Message, p core.Part) (core.Part, bool) {
	t.Helper()
	p.Text, p.Media = "<new> \"\n\u2028\xff", nil
	if p.Kind == core.KindMedia {
		p.Kind = core.KindText
	}
	m.Parts = []core.Part{p}
	_, err := c.Write([]core.Message{m})
	if err == nil {
		return p, true
	}
	var refused *wire.ViewError
	require.ErrorAs(t, err, &refused)
	return p, false
}

// edited returns the view that an editor makes which proposes anything anywhere.
func edited(t *testing.T, history []core.Message, choice uint64) []core.Message {
	t.Helper()
	rng := rand.New(rand.NewPCG(choice, 0))
	anything := core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for i := range w.History {
				for p := range w.History[i].Parts {
					e := elideAt(i, p)
					if text := w.Part(i, p).Text; rng.IntN(2) == 0 {
						e.Op, e.Text = core.Shorten, strings.ToValidUTF8(text[:len(text)/4], "")
					}
					if rng.IntN(2) == 0 && !yield(e) {
						return
					}
				}
				if rng.IntN(4) == 0 && !yield(dropAt(i)) {
					return
				}
			}
		}
	})
	view, err := core.Transform(anything, core.WithProfile(core.Responses)).Transform(context.Background(), history)
	require.NoError(t, err)
	return view
}

// trimmed returns the view of so many percent of the tokens, or the best one.
func trimmed(t *testing.T, history []core.Message, percent int) []core.Message {
	t.Helper()
	meter := budget.NewMeter(words{})
	window := max(meter.AsSent(history, nil)*percent/100, 1)
	trim, err := budget.NewTrim(meter, budget.Limits{Window: window}, budget.WithProfile(core.Responses))
	require.NoError(t, err)
	view, err := trim.Transform(context.Background(), history)
	var over *budget.OverBudgetError
	if err != nil && !errors.As(err, &over) {
		require.NoError(t, err)
	}
	return view
}

// checkView writes a view, and compares it with what is read from that and returned.
func checkView(t *testing.T, c *responses.Conversation, view []core.Message) []core.Message {
	t.Helper()
	out := write(t, c, view)
	wanted := normal(view)
	if len(wanted) == 0 && c.Shape() == wire.ShapeLines {
		return nil // no document
	}
	if c.Shape() != wire.ShapeLines {
		require.True(t, json.Valid([]byte(out)), out)
	}
	back, err := responses.Parse([]byte(out))
	if err != nil && c.Shape() == wire.ShapeLines && len(wanted) == 1 && strings.Contains(err.Error(), "found neither") {
		return nil // an item without type and role, on the only line, is read as neither item nor request
	}
	require.NoError(t, err, out)
	require.Equal(t, c.Shape(), back.Shape(), out)
	require.Equal(t, c.Request(), back.Request())
	require.Equal(t, c.PreviousResponse(), back.PreviousResponse())
	require.Equal(t, wanted, normal(back.Messages()), out)
	return back.Messages()
}

// normal returns the messages that say something, without what depends on their neighbours
// or place.
func normal(history []core.Message) []core.Message {
	history = deepCopy(append([]core.Message{}, history...))
	for i := range history {
		m := &history[i]
		m.Src, m.Reply, m.Policy = 0, 0, 0
		m.Parts = slices.DeleteFunc(m.Parts, func(p core.Part) bool {
			return p.Text == "" && p.Media == nil && p.Kind != core.KindToolCall
		})
		for k := range m.Parts {
			p := &m.Parts[k]
			p.Slot, p.Elided = 0, nil
			p.Text = strings.ReplaceAll(p.Text, "\xff", "\ufffd")
			if m.Role == core.RoleTool {
				p.Tool, p.CallID = "", "" // those of the call
			}
		}
	}
	return slices.DeleteFunc(history, func(m core.Message) bool { return len(m.Parts) == 0 })
}

// checkRules compares what the provider would reject in a view and in what it was made of.
func checkRules(t *testing.T, history, view []core.Message) {
	t.Helper()
	count := map[string]int{}
	for _, rule := range rules(history) {
		count[rule]++
	}
	for _, rule := range rules(view) {
		count[rule]--
	}
	for rule, left := range count {
		require.GreaterOrEqual(t, left, 0, rule)
	}
}

// checkEncode writes a history as a request, and compares it with what is read from that.
func checkEncode(t *testing.T, history []core.Message, r *core.Request) {
	t.Helper()
	encoded, err := responses.Encode(history, r)
	if err != nil {
		var lost *wire.EncodeError
		require.ErrorAs(t, err, &lost)
		require.NotEmpty(t, lost.Losses)
		return
	}
	back, err := responses.Parse(encoded)
	require.NoError(t, err, string(encoded))
	require.Equal(t, essence(history), essence(back.Messages()), string(encoded))
	require.Len(t, back.Request().Schemas, len(r.Schemas))
}
