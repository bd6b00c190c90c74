//lint:file-ignore SA1019 the deprecated MultiContent is in programs and their histories still

package einokit

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
)

// dice makes choices of a fuzzer's bytes.
type dice struct{ data []byte }

func (d *dice) below(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % n
}

func (d *dice) text() string { return strings.Repeat("word ", []int{0, 1, 60}[d.below(3)]) }

func (d *dice) common() schema.MessagePartCommon {
	link, data := "https://example.com/"+d.text(), d.text()
	return [...]schema.MessagePartCommon{{}, {URL: &link}, {Base64Data: &data, MIMEType: "image/png"}}[d.below(3)]
}

func (d *dice) inputs() (out []schema.MessageInputPart) {
	for range d.below(4) {
		out = append(out, [...]schema.MessageInputPart{
			{Type: schema.ChatMessagePartTypeText, Text: d.text(), Extra: map[string]any{"k": 1}},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: d.common()}},
			{Type: "unknown", Text: d.text()},
		}[d.below(3)])
	}
	return out
}

func (d *dice) outputs() (out []schema.MessageOutputPart) {
	for range d.below(3) {
		out = append(out, [...]schema.MessageOutputPart{
			{Type: schema.ChatMessagePartTypeText, Text: d.text()},
			{Type: schema.ChatMessagePartTypeAudioURL, Audio: &schema.MessageOutputAudio{MessagePartCommon: d.common()}},
		}[d.below(2)])
	}
	return out
}

//nolint:staticcheck // deprecated, but still sent by clients
func (d *dice) multi() (out []schema.ChatMessagePart) {
	for range d.below(3) {
		out = append(out, [...]schema.ChatMessagePart{
			{Type: schema.ChatMessagePartTypeText, Text: d.text()},
			{Type: schema.ChatMessagePartTypeFileURL, FileURL: &schema.ChatMessageFileURL{URI: d.text()}},
		}[d.below(2)])
	}
	return out
}

// messages makes a conversation.
func (d *dice) messages() []*schema.Message {
	out := []*schema.Message{schema.UserMessage("task")}
	for i := range 1 + d.below(12) {
		var m *schema.Message
		switch d.below(6) {
		case 0:
			m = &schema.Message{Role: schema.User, Content: d.text(), UserInputMultiContent: d.inputs(), MultiContent: d.multi()}
		case 1:
			m = &schema.Message{Role: schema.Assistant, Content: d.text(), ReasoningContent: d.text(), AssistantGenMultiContent: d.outputs()}
			if d.below(2) == 1 {
				m.Extra = map[string]any{"thinking": m.ReasoningContent, "signature": d.text(), "list": []int{1}}
			}
		case 2, 3:
			m = &schema.Message{Role: schema.Assistant, Content: d.text(), ReasoningContent: d.text()}
			for c := range 1 + d.below(3) {
				m.ToolCalls = append(m.ToolCalls, schema.ToolCall{ID: fmt.Sprint(i, c), Function: schema.FunctionCall{Name: "f", Arguments: d.text()}})
			}
			out = append(out, m)
			for _, c := range m.ToolCalls {
				out = append(out, &schema.Message{Role: schema.Tool, ToolCallID: c.ID, Content: d.text(), UserInputMultiContent: d.inputs()})
			}
			continue
		case 4:
			m = &schema.Message{Role: []schema.RoleType{schema.System, "developer", schema.Tool}[d.below(3)], Content: d.text()}
		}
		out = append(out, m) // nil too
	}
	return append(out, schema.AssistantMessage("reply", nil), schema.UserMessage("question"))
}

// Edits proposes what the bytes say.
func (d *dice) Edits(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		for i := range w.History {
			for p := range w.History[i].Parts {
				e := core.Edit{Op: []core.Op{0, core.Elide, core.Elide, core.Elide, core.Shorten, core.Shorten, core.Drop, core.Insert}[d.below(8)], Msg: i, Part: p, By: -1, Text: "short", Reason: "test"}
				if e.Op >= core.Drop {
					e.Part = -1
				}
				if e.Op != 0 && !yield(e) {
					return
				}
			}
		}
	}
}

func FuzzRestore(f *testing.F) {
	f.Add([]byte{})
	for seed := range byte(24) {
		data := make([]byte, 160)
		for i := range data {
			data[i] = byte(i*i*int(seed+1)+7*i) ^ seed*37
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		from := &dice{data}
		native := from.messages()
		twin := (&dice{data}).messages()

		history, _, err := convert(native)
		require.NoError(t, err)
		out, err := restore(native, history, history)
		require.NoError(t, err)
		require.Same(t, &native[0], &out[0])

		w := core.NewWindow(history)
		_, err = core.Apply(w, from)
		require.NoError(t, err)
		view := w.View()
		out, err = restore(native, history, view)
		require.NoError(t, err)
		require.Equal(t, twin, native, "written to")

		again, _, err := convert(out)
		require.NoError(t, err)
		require.Equal(t, notation(view), notation(again), "what is sent is the view")
		for i := range out {
			if len(view) == len(out) && view[i].Src > 0 && !edited(&view[i]) && len(view[i].Parts) == len(history[view[i].Src-1-skipped(native, view[i].Src)].Parts) {
				assert.Same(t, native[view[i].Src-1], out[i])
			}
		}
	})
}

// skipped counts the nils before a message.
func skipped(native []*schema.Message, src int32) (n int32) {
	for _, m := range native[:src] {
		if m == nil {
			n++
		}
	}
	return n
}

func edited(m *core.Message) bool {
	for i := range m.Parts {
		if m.Parts[i].Elided != nil {
			return true
		}
	}
	return false
}

// notation writes down what a model reads of messages.
func notation(messages []core.Message) (out []string) {
	for _, m := range messages {
		var line strings.Builder
		line.WriteString(fmt.Sprint(m.Role, m.Name, m.Inserted()))
		for _, p := range m.Parts {
			line.WriteString(fmt.Sprintf("|%s %v %s %s %q", p.Kind, p.Signed, p.CallID, p.Tool, p.Text))
			if p.Media != nil {
				line.WriteString(p.Media.URL)
			}
		}
		out = append(out, line.String())
	}
	return out
}

func TestRestore_RefusesWhatIsNoView(t *testing.T) {
	native := []*schema.Message{schema.UserMessage("a"), schema.AssistantMessage("", []schema.ToolCall{{ID: "c"}})}
	history, _, err := convert(native)
	require.NoError(t, err)

	call := history[1]
	call.Parts = nil
	_, err = restore(native, history, []core.Message{history[0], call})
	require.ErrorContains(t, err, "call 0 was edited")

	other := history[0]
	other.Parts = []core.Part{{Slot: 99, Text: "x"}}
	_, err = restore(native, history, []core.Message{other})
	require.ErrorContains(t, err, "slot 0x63")

	_, err = restore(native, history, []core.Message{{Role: core.RoleUser}})
	require.ErrorContains(t, err, "0 parts")
}

// Where a program keeps views, an added message comes back as history.
func TestConvert_RecognisesWhatWasInserted(t *testing.T) {
	added := core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: "[trimkit: summary]\nall was well", Elided: &core.Elision{Op: core.Insert, Reason: "summary", By: -1}}}}
	notice, err := insert(&added)
	require.NoError(t, err)
	native := []*schema.Message{
		schema.UserMessage("task"), schema.AssistantMessage("yes", nil), schema.UserMessage("question"),
		schema.AssistantMessage("looking", nil), notice, schema.AssistantMessage("done", nil),
	}
	history, _, err := convert(native)
	require.NoError(t, err)
	w := core.NewWindow(history)
	assert.True(t, history[4].Inserted())
	assert.Zero(t, w.Protection(4), "it may go")
	assert.NotZero(t, w.Protection(2)&core.Question, "the last user message is still the user's")

	refused, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return slices.Values([]core.Edit{{Op: core.Drop, Msg: 1, Part: -1, By: -1, Reason: "test"}})
	}))
	require.NoError(t, err)
	assert.Empty(t, refused)
	out, err := restore(native, history, w.View())
	require.NoError(t, err)
	assert.Equal(t, slices.Delete(slices.Clone(native), 1, 2), out)
}
