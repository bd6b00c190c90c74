package genkitkit_test

import (
	"encoding/json"
	"iter"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
)

// random makes messages out of bytes: any role with any parts, refs that repeat or are
// missing, nils.
type random struct{ bytes []byte }

func (r *random) n(below int) int {
	if len(r.bytes) == 0 {
		return 0
	}
	b := int(r.bytes[0])
	r.bytes = r.bytes[1:]
	return b % below
}

func (r *random) messages() []*ai.Message {
	roles := []ai.Role{ai.RoleUser, ai.RoleModel, ai.RoleTool, ai.RoleSystem, "other"}
	var all []*ai.Message
	for len(r.bytes) > 0 && len(all) < 60 {
		if r.n(16) == 1 {
			all = append(all, nil)
			continue
		}
		m := &ai.Message{Role: roles[r.n(len(roles))], Metadata: []map[string]any{nil, {"mine": 1}, {"trimkit.policy": "ephemeral"}, {"cache": map[string]any{"name": "c"}}}[[]int{0, 0, 0, 0, 0, 1, 2, 3}[r.n(8)]]}
		for range r.n(5) {
			m.Content = append(m.Content, r.part(true))
		}
		all = append(all, m)
	}
	return all
}

func (r *random) part(outer bool) *ai.Part {
	text := long[:r.n(len(long))]
	ref := []string{"", "", "1", "2", "3"}[r.n(5)]
	tool := []string{"f", "g"}[r.n(2)]
	value := []any{nil, text, map[string]any{"text": text}, []any{text}, 1.5, json.RawMessage(`{"a":1}`)}[r.n(6)]
	switch kind := r.n(11); {
	case kind < 2:
		return ai.NewTextPart(text)
	case kind == 2:
		return ai.NewReasoningPart(text, [][]byte{nil, []byte("s")}[r.n(2)])
	case kind == 3:
		return ai.NewMediaPart("image/png", pixel)
	case kind == 4:
		return ai.NewDataPart(text)
	case kind == 5:
		return ai.NewCustomPart(map[string]any{"text": text})
	case kind == 6:
		return ai.NewResourcePart(text)
	case kind == 7:
		return nil
	case kind == 8 || !outer:
		return request(tool, ref, value)
	}
	p := response(tool, ref, value)
	for range r.n(3) {
		p.ToolResponse.Content = append(p.ToolResponse.Content, r.part(false))
	}
	return p
}

// careless proposes an edit of everything, by chance.
func careless(seed []byte) core.Transformer {
	return core.Transform(core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			r := random{seed}
			for i := range w.History {
				if op := r.n(4); op == 1 && !yield(core.Edit{Op: core.Drop, Msg: i, Part: -1, Reason: "chance"}) {
					return
				} else if op == 2 && !yield(core.Edit{Op: core.Insert, Msg: i, Part: -1, Text: "a note", Reason: "chance"}) {
					return
				}
				for p := range w.History[i].Parts {
					op := []core.Op{core.Elide, core.Shorten}[r.n(2)]
					if r.n(2) == 1 && !yield(core.Edit{Op: op, Msg: i, Part: p, Text: "short", Reason: "chance"}) {
						return
					}
				}
			}
		}
	}))
}

func FuzzMiddleware(f *testing.F) {
	for i := range 40 {
		seed := make([]byte, 300)
		for k := range seed {
			seed[k] = byte((k*k*(i+3) + 7*k*i + i) % 251)
		}
		f.Add(seed, seed[100:])
	}
	f.Fuzz(func(t *testing.T, seed, edits []byte) {
		messages, untouched := (&random{seed}).messages(), (&random{seed}).messages()
		sent := call(t, identity(t), messages)
		require.Equal(t, messages, sent)
		for i, m := range messages {
			for k := range content(m) {
				assert.Same(t, m.Content[k], sent[i].Content[k])
			}
		}

		sent = call(t, careless(edits), messages)
		require.Equal(t, untouched, messages, "written to")
		own := make(map[*ai.Part]bool)
		for _, m := range messages {
			for _, p := range content(m) {
				own[p] = true
			}
		}
		var r recorder
		call(t, &r, sent) // what was edited can be taken in again
		for _, m := range sent {
			for _, p := range content(m) {
				if p != nil && !own[p] {
					whole, err := json.Marshal(p)
					require.NoError(t, err)
					assert.Contains(t, string(whole), core.MarkerPrefix, "neither the caller's part nor marked")
				}
			}
		}
	})
}

func content(m *ai.Message) []*ai.Part {
	if m == nil {
		return nil
	}
	return m.Content
}
