package genkitkit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

var long = strings.Repeat("long text ", 50)

// loop is a conversation whose middle, messages 2 to 4, may be edited.
func loop(results ...*ai.Part) []*ai.Message {
	return []*ai.Message{
		ai.NewSystemTextMessage("be brief"),
		ai.NewUserTextMessage("task"),
		ai.NewModelMessage(ai.NewReasoningPart("hm", nil), ai.NewTextPart("look"), request("f", "1", map[string]any{"a": 1})),
		ai.NewMessage(ai.RoleTool, map[string]any{"resumed": true}, results...),
		ai.NewModelTextMessage("seen"),
		ai.NewUserTextMessage("question"),
	}
}

// TestEdit: what an elided result becomes.
func TestEdit(t *testing.T) {
	type block struct{ Text string }
	for name, c := range map[string]struct {
		output any
		want   func(marker string) any
	}{
		"string":  {long, func(m string) any { return m }},
		"object":  {map[string]any{"text": long}, func(m string) any { return map[string]any{"result": m} }},
		"struct":  {block{long}, func(m string) any { return map[string]any{"result": m} }},
		"raw":     {json.RawMessage(`{"a":"` + long + `"}`), func(m string) any { return map[string]any{"result": m} }},
		"list":    {[]any{long}, func(m string) any { return []any{m} }},
		"strings": {[]string{long, long}, func(m string) any { return []any{m} }},
		"named":   {json.Number(strings.Repeat("1", 300)), func(m string) any { return m }},
	} {
		t.Run(name, func(t *testing.T) {
			part := response("f", "1", c.output)
			part.Metadata = map[string]any{"source": "pending"}
			messages, untouched := loop(part), loop(part)
			sent := call(t, proposing(core.Edit{Op: core.Elide, Msg: 3, Part: 0, Reason: "old"}), messages)
			assert.Equal(t, untouched, messages, "the caller's")

			require.Len(t, sent, len(messages))
			got := sent[3].Content[0]
			require.NotSame(t, part, got)
			assert.Equal(t, part.Metadata, got.Metadata)
			assert.Equal(t, messages[3].Metadata, sent[3].Metadata)
			assert.Equal(t, "1", got.ToolResponse.Ref)
			whole, err := json.Marshal(got.ToolResponse.Output)
			require.NoError(t, err)
			marker := string(whole[strings.Index(string(whole), core.MarkerPrefix) : strings.Index(string(whole), "]")+1])
			assert.Equal(t, c.want(marker), got.ToolResponse.Output)
			for i, m := range messages {
				if i != 3 {
					assert.Equal(t, m, sent[i])
					assert.Same(t, m.Content[0], sent[i].Content[0], "what was not edited is the caller's own part")
				}
			}
		})
	}
}

// TestEdit_blocks: each block of a result by itself; its neighbours stay the very parts.
func TestEdit_blocks(t *testing.T) {
	image, text, two := ai.NewMediaPart("image/png", pixel+strings.Repeat("A", 4000)), ai.NewTextPart(long), response("f", "2", "two")
	messages := loop(response("f", "1", nil, nil, text, image), two)
	sent := call(t, proposing(core.Edit{Op: core.Elide, Msg: 3, Part: 2, Reason: "old"}), messages)[3]
	got := sent.Content[0].ToolResponse
	assert.Nil(t, got.Output)
	require.Len(t, got.Content, 3)
	assert.Nil(t, got.Content[0])
	assert.Same(t, text, got.Content[1])
	assert.Equal(t, ai.PartText, got.Content[2].Kind)
	assert.Contains(t, got.Content[2].Text, core.MarkerPrefix)
	assert.Same(t, two, sent.Content[1])
	assert.Equal(t, ai.PartMedia, image.Kind)
}

func TestEdit_shorten(t *testing.T) {
	messages := loop(response("f", "1", map[string]any{"text": long}))
	sent := call(t, proposing(core.Edit{Op: core.Shorten, Msg: 3, Part: 0, Text: `{"text":"long`, Reason: "old"}), messages)
	output, ok := sent[3].Content[0].ToolResponse.Output.(map[string]any)
	require.True(t, ok)
	assert.Contains(t, output["result"], `{"text":"long`+"\n"+core.MarkerPrefix)
}

// TestEdit_reasoning: reasoning that goes leaves its message without the part.
func TestEdit_reasoning(t *testing.T) {
	messages := loop(response("f", "1", "out"))
	sent := call(t, proposing(core.Edit{Op: core.Elide, Msg: 2, Part: 0, Reason: "old"}), messages)
	assert.Equal(t, messages[2].Content[1:], sent[2].Content)
	assert.Len(t, messages[2].Content, 3)
}

// TestEdit_mixed: of a message with responses and the user's words, the words may stay alone.
func TestEdit_mixed(t *testing.T) {
	words := ai.NewTextPart("go on")
	messages := []*ai.Message{
		ai.NewUserTextMessage("task"),
		ai.NewModelMessage(request("f", "1", nil)),
		ai.NewUserMessage(response("f", "1", long), words),
		ai.NewModelTextMessage("seen"),
		ai.NewUserTextMessage("question"),
	}
	sent := call(t, proposing(core.Edit{Op: core.Drop, Msg: 1, Reason: "old"}), messages)
	at := len(sent) - 3
	assert.Equal(t, ai.RoleUser, sent[at].Role)
	assert.Equal(t, []*ai.Part{words}, sent[at].Content)
	assert.Len(t, messages[2].Content, 2)
}

// TestInsert: a message that an edit added says so.
func TestInsert(t *testing.T) {
	messages := loop(response("f", "1", long))
	sent := call(t, proposing(
		core.Edit{Op: core.Insert, Msg: 4, Text: "a summary", Reason: "summary"},
		core.Edit{Op: core.Drop, Msg: 2, Reason: "old"},
	), messages)
	var added *ai.Message
	for _, m := range sent {
		if strings.Contains(m.Text(), "a summary") {
			added = m
		}
	}
	require.NotNil(t, added)
	assert.Equal(t, map[string]any{"trimkit.policy": "ephemeral"}, added.Metadata)
	assert.True(t, strings.HasPrefix(added.Text(), core.MarkerPrefix))
}

// TestIdentity: without an edit a model gets the caller's parts, in messages of its own that
// Genkit may write to.
func TestIdentity(t *testing.T) {
	messages := append(loop(response("f", "1", map[string]any{"a": []any{1}})), &ai.Message{Role: ai.RoleUser}, nil)
	sent := call(t, identity(t), messages)
	assert.Equal(t, messages, sent)
	for i, m := range messages[:6] {
		assert.NotSame(t, m, sent[i])
		for k := range m.Content {
			assert.Same(t, m.Content[k], sent[i].Content[k])
		}
		grown := append(sent[i].Content, ai.NewTextPart("into the caller's array?"))
		grown[0] = nil
		assert.NotNil(t, m.Content[0])
	}
	assert.NotNil(t, sent[1].Content[0], "what grows does not reach its neighbour")
}

// TestMarshalledOnce: a structured output is marshalled at the first call and no more, and
// anew if the response has another one.
func TestMarshalledOnce(t *testing.T) {
	counted := &counting{}
	r := response("f", "1", counted)
	messages := loop(r)
	mw := genkitkit.Middleware(identity(t))
	for range 3 {
		_, err := mw((&recorder{}).model())(t.Context(), &ai.ModelRequest{Messages: messages}, nil)
		require.NoError(t, err)
	}
	assert.Equal(t, 1, counted.times)
	r.ToolResponse.Output = map[string]any{"another": true}
	var seen recorder
	call(t, &seen, messages)
	assert.JSONEq(t, `{"another":true}`, seen.histories[0][3].Parts[0].Text)
}

type counting struct{ times int }

// MarshalJSON counts.
func (c *counting) MarshalJSON() ([]byte, error) {
	c.times++
	return []byte(`{"a":1}`), nil
}
