package openai_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/openai"
)

func seeds(f *testing.F) {
	f.Helper()
	for i, c := range messageCases {
		f.Add([]byte(c.json), uint64(i))
		f.Add([]byte(`{"messages": [`+strings.ReplaceAll(c.json, "\n", ",")+` ],"tools":[{}]}`), uint64(i))
	}
	for i, c := range writeCases {
		f.Add([]byte(c.doc), uint64(i))
	}
	f.Add([]byte(orphaned), uint64(7))
	f.Add([]byte("[{\"role\":\"user\",\"content\":\"\xff\\ud83d\"}]"), uint64(7))
}

// FuzzParse: what can be read comes back byte for byte; without some of its messages it
// is still a document, of the others.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, choice uint64) {
		c, err := openai.Parse(data)
		if err != nil {
			var syntax *wire.SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.True(t, syntax.Offset >= 0 && syntax.Offset <= int64(len(data)))
			assert.True(t, syntax.Line >= 1 && syntax.Expected != "" && syntax.Found != "")
			return
		}
		require.Equal(t, string(data), write(t, c, c.Messages()))
		require.Equal(t, string(data), write(t, c, deepCopy(c.Messages())))

		rng := rand.New(rand.NewPCG(choice, 0))
		var kept []core.Message
		for _, m := range c.Messages() {
			if rng.IntN(2) == 0 {
				kept = append(kept, m)
			}
		}
		checkView(t, c, kept)
	})
}

// FuzzEdit: with new texts, and with parts and messages taken out, it is still a document,
// of what the view says.
func FuzzEdit(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, choice uint64) {
		c, err := openai.Parse(data)
		if err != nil {
			return
		}
		before := deepCopy(c.Messages())
		rng := rand.New(rand.NewPCG(choice, 1))
		var view []core.Message
		for _, m := range deepCopy(c.Messages()) {
			if rng.IntN(8) == 0 {
				view = append(view, note(core.RoleUser, "new"))
			}
			if rng.IntN(4) == 0 {
				continue
			}
			var parts []core.Part
			for _, p := range m.Parts {
				switch rng.IntN(3) {
				case 0:
					parts = append(parts, p)
				case 1:
					if p, ok := rewritten(t, c, m, p); ok {
						parts = append(parts, p)
					}
				}
			}
			m.Parts = parts
			view = append(view, m)
		}
		checkView(t, c, view)
		require.Equal(t, before, c.Messages())
	})
}

// rewritten gives a part a new text, unless it can have none.
func rewritten(t *testing.T, c *openai.Conversation, m core.Message, p core.Part) (core.Part, bool) {
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

// checkView writes a view and compares it with what is read from that.
func checkView(t *testing.T, c *openai.Conversation, view []core.Message) {
	t.Helper()
	out := write(t, c, view)
	if len(view) == 0 && c.Shape() == wire.ShapeLines {
		return // no document
	}
	if c.Shape() != wire.ShapeLines {
		require.True(t, json.Valid([]byte(out)), out)
	}
	back, err := openai.Parse([]byte(out))
	require.NoError(t, err, out)
	require.Equal(t, c.Shape(), back.Shape(), out)
	require.Equal(t, c.Request(), back.Request())
	require.Equal(t, normal(view), normal(back.Messages()), out)
}

// normal returns the messages without what depends on their neighbours or place, and
// without parts that say nothing, in which a message of which all was taken out differs.
func normal(history []core.Message) []core.Message {
	history = deepCopy(append([]core.Message{}, history...))
	for i := range history {
		m := &history[i]
		m.Src = 0
		m.Parts = slices.DeleteFunc(m.Parts, func(p core.Part) bool {
			return p.Text == "" && p.Media == nil && (p.Kind == core.KindText || p.Kind == core.KindToolResult)
		})
		if len(m.Parts) == 0 {
			m.Parts = nil
		}
		for k := range m.Parts {
			p := &m.Parts[k]
			p.Slot, p.Elided = 0, nil
			p.Text = strings.ReplaceAll(p.Text, "\xff", "\ufffd")
			if p.Kind == core.KindToolResult {
				p.Tool = "" // that of the call
			}
			if strings.HasPrefix(p.CallID, "function_call#") || m.Role == core.RoleTool && p.CallID == "" {
				p.CallID = ""
			}
		}
	}
	return history
}
