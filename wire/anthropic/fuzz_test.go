package anthropic_test

import (
	"context"
	"encoding/json"
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
	"github.com/trimkit/trimkit/wire/anthropic"
)

func seeds(f *testing.F) {
	f.Helper()
	for i, c := range slices.Concat(messageCases, serverCases) {
		f.Add([]byte(c.json), uint64(i))
		f.Add([]byte(`{"system": "s","messages": [`+strings.ReplaceAll(c.json, "\n", ",")+` ],"tools":[{}]}`), uint64(i))
	}
	for i, c := range writeCases {
		f.Add([]byte(c.doc), uint64(i))
	}
	exchange := asks("c1", "c2") + "," + says(answers("c2", strings.Repeat("r", 99)), answers("c1", strings.Repeat("s", 99)), plainHint)
	f.Add([]byte(`{"system":[{"type":"text","text":"s"}],"messages":[`+asked+`,`+exchange+`,`+said+`,`+asked+`,`+exchange+`,`+said+`]}`), uint64(1))
	f.Add([]byte(lines(asked, said, says(image, plainHint), asks("c"), says(answers("c", "r")), said, asked, said)), uint64(2))
	f.Add([]byte("[{\"role\":\"user\",\"content\":\"\xff\\ud83d\"}]"), uint64(7))
}

// FuzzParse: what can be read comes back byte for byte. What an editor, or a budget, makes
// of it comes back as the view says, and breaks no rule that it did not break before.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, choice uint64) {
		c, err := anthropic.Parse(data)
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
		for _, view := range [][]core.Message{edited(t, c.Messages(), choice), trimmed(t, c.Messages())} {
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
		c, err := anthropic.Parse(data)
		if err != nil {
			return
		}
		before := deepCopy(c.Messages())
		rng := rand.New(rand.NewPCG(choice, 1))
		var view []core.Message
		for i, m := range before {
			if m.Role != core.RoleSystem && rng.IntN(8) == 0 {
				view = append(view, note(core.RoleUser, "new"))
			}
			if rng.IntN(4) > 0 && (len(view) == 0 || i > 0) {
				m.Parts = someParts(t, c, m, rng)
				view = append(view, m)
			}
		}
		checkView(t, c, view)
	})
}

func someParts(t *testing.T, c *anthropic.Conversation, m core.Message, rng *rand.Rand) []core.Part {
	t.Helper()
	var parts []core.Part
	for _, p := range m.Parts {
		switch choice := rng.IntN(3); {
		case choice == 0 || m.Role != core.RoleAssistant && parts == nil: // without its first part, another half of the message may come first
			parts = append(parts, p)
		case choice == 1:
			if p, ok := rewritten(t, c, m, p); ok {
				parts = append(parts, p)
			}
		}
	}
	return parts
}

// rewritten gives a part a new text, unless it can have none.
func rewritten(t *testing.T, c *anthropic.Conversation, m core.Message, p core.Part) (core.Part, bool) {
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

// edited returns what an editor without a plan makes of a history.
func edited(t *testing.T, history []core.Message, choice uint64) []core.Message {
	t.Helper()
	rng := rand.New(rand.NewPCG(choice, 0))
	editor := core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for range 3 * len(w.History) {
				edit := core.Edit{Op: core.Op(1 + rng.IntN(4)), Msg: rng.IntN(len(w.History)), Part: -1, By: -1, Reason: "tested"}
				if n := len(w.History[edit.Msg].Parts); n > 0 && edit.Op <= core.Shorten {
					edit.Part = rng.IntN(n)
					edit.Text = strings.ToValidUTF8(w.History[edit.Msg].Parts[edit.Part].Text, "")
					edit.Text = strings.ToValidUTF8(edit.Text[:len(edit.Text)/3], "")
				}
				if !yield(edit) {
					return
				}
			}
		}
	})
	view, err := core.Transform(editor, core.WithProfile(core.Anthropic)).Transform(context.Background(), history)
	require.NoError(t, err)
	return view
}

// letters counts four bytes as a token.
var letters = budget.NewMeter(budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }))

// trimmed returns the history at half its size, or as near to that as may be.
func trimmed(t *testing.T, history []core.Message) []core.Message {
	t.Helper()
	return fitted(t, history, 50)
}

// fitted returns the history at so many hundredths of its size.
func fitted(t *testing.T, history []core.Message, percent int) []core.Message {
	t.Helper()
	window := max(letters.History(history)*percent/100, 1)
	trim, err := budget.NewTrim(letters, budget.Limits{Window: window}, budget.WithProfile(core.Anthropic))
	require.NoError(t, err)
	view, err := trim.Transform(context.Background(), history)
	var over *budget.OverBudgetError
	if err != nil {
		require.ErrorAs(t, err, &over)
	}
	return view
}

// checkRules: after has no violation of the provider's rules that before has not.
func checkRules(t *testing.T, before, after []core.Message) {
	t.Helper()
	found := map[string]int{}
	for _, rule := range rules(before) {
		found[rule]++
	}
	for _, rule := range rules(after) {
		found[rule]--
		require.GreaterOrEqual(t, found[rule], 0, "one more %s", rule)
	}
}

// checkView writes a view and compares it with what is read from that.
func checkView(t *testing.T, c *anthropic.Conversation, view []core.Message) []core.Message {
	t.Helper()
	out := write(t, c, view)
	if len(view) == 0 && c.Shape() == wire.ShapeLines {
		return nil // no document
	}
	if c.Shape() != wire.ShapeLines {
		require.True(t, json.Valid([]byte(out)), out)
	}
	back, err := anthropic.Parse([]byte(out))
	require.NoError(t, err, out)
	require.Equal(t, c.Shape(), back.Shape(), out)
	require.Equal(t, c.Request(), back.Request())
	require.Equal(t, normal(view), normal(back.Messages()), out)
	return back.Messages()
}

// normal returns the messages without what depends on their neighbours or place, and
// without parts that say nothing, in which a message of which all was taken out differs.
func normal(history []core.Message) []core.Message {
	history = deepCopy(append([]core.Message{}, history...))
	for i := range history {
		m := &history[i]
		m.Src, m.Reply, m.Policy = 0, 0, 0
		m.Parts = slices.DeleteFunc(m.Parts, func(p core.Part) bool {
			return p.Text == "" && p.Media == nil && (p.Kind == core.KindText || p.Kind == core.KindToolResult)
		})
		for k := range m.Parts {
			p := &m.Parts[k]
			p.Slot, p.Elided = 0, nil
			p.Text = strings.ReplaceAll(p.Text, "\xff", "\ufffd")
			if p.Kind == core.KindToolResult {
				p.Tool = "" // that of the call
			}
		}
	}
	return slices.DeleteFunc(history, func(m core.Message) bool { return len(m.Parts) == 0 })
}
