//lint:file-ignore SA1019 the deprecated MultiContent is in programs and their histories still

package einokit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	einokit "github.com/trimkit/trimkit/adapters/eino"
	"github.com/trimkit/trimkit/core"
)

var long = strings.Repeat("a long text that is worth an edit ", 40)

// all has every kind of piece, in messages that may be edited.
func all() []*schema.Message {
	image := schema.MessagePartCommon{Base64Data: ptr("aGVsbG8="), MIMEType: "image/png"}
	link := schema.MessagePartCommon{URL: ptr("https://example.com/" + long)}
	return []*schema.Message{
		schema.SystemMessage("rules"),
		schema.UserMessage("the task"),
		{
			Role: schema.Assistant, Content: "I look", ReasoningContent: "hm " + long,
			Extra: map[string]any{"reasoning-content": "hm " + long, "mine": 1},
			ToolCalls: []schema.ToolCall{
				{ID: "a", Type: "function", Function: schema.FunctionCall{Name: "look", Arguments: "x"}, Extra: map[string]any{"k": "v"}},
				{ID: "b", Type: "function", Function: schema.FunctionCall{Name: "show", Arguments: `{}`}},
			},
			ResponseMeta: &schema.ResponseMeta{Usage: &schema.TokenUsage{PromptTokens: 41}},
		},
		{Role: schema.Tool, ToolCallID: "b", ToolName: "show", UserInputMultiContent: []schema.MessageInputPart{
			{Type: schema.ChatMessagePartTypeText, Text: long, Extra: map[string]any{"k": "v"}},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: link}},
			{Type: "hologram", Text: long},
		}},
		schema.ToolMessage(long, "a", schema.WithToolName("look")),
		{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{
			{Type: schema.ChatMessagePartTypeText, Text: "see"},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: link, Detail: schema.ImageURLDetailLow}},
			{Type: schema.ChatMessagePartTypeAudioURL, Audio: &schema.MessageInputAudio{MessagePartCommon: image}},
			{Type: schema.ChatMessagePartTypeVideoURL, Video: &schema.MessageInputVideo{MessagePartCommon: link}},
			{Type: schema.ChatMessagePartTypeFileURL, File: &schema.MessageInputFile{MessagePartCommon: image, Name: "n"}},
		}},
		{Role: schema.Assistant, AssistantGenMultiContent: []schema.MessageOutputPart{
			{Type: schema.ChatMessagePartTypeText, Text: "drawn"},
			{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageOutputImage{MessagePartCommon: image}},
			{Type: schema.ChatMessagePartTypeAudioURL, Audio: &schema.MessageOutputAudio{MessagePartCommon: link}},
			{Type: schema.ChatMessagePartTypeVideoURL, Video: &schema.MessageOutputVideo{MessagePartCommon: link}},
		}},
		deprecated(),
		nil,
		schema.AssistantMessage("ok", nil),
		schema.UserMessage("the question"),
	}
}

// deprecated has its pieces in the field of old.
//
//nolint:staticcheck // deprecated, but still sent by clients
func deprecated() *schema.Message {
	return &schema.Message{Role: schema.User, MultiContent: []schema.ChatMessagePart{
		{Type: schema.ChatMessagePartTypeText, Text: "old"},
		{Type: schema.ChatMessagePartTypeImageURL, ImageURL: &schema.ChatMessageImageURL{URL: "https://example.com/" + long, Detail: schema.ImageURLDetailHigh}},
		{Type: schema.ChatMessagePartTypeAudioURL, AudioURL: &schema.ChatMessageAudioURL{URI: "data:audio/wav;base64," + strings.Repeat("aGVsbG8", 40), MIMEType: "audio/wav"}},
		{Type: schema.ChatMessagePartTypeVideoURL, VideoURL: &schema.ChatMessageVideoURL{URL: "https://example.com/v"}},
		{Type: schema.ChatMessagePartTypeFileURL, FileURL: &schema.ChatMessageFileURL{URL: "https://example.com/f"}},
		{Type: schema.ChatMessagePartTypeImageURL},
	}}
}

func TestConvert_EveryKindOfPiece(t *testing.T) {
	var got seen
	out := einokit.MessageModifier(&got, nil)(t.Context(), all())
	assert.Len(t, out, len(all()))

	type part struct {
		kind       core.Kind
		text, call string
		media      string
	}
	var parts [][]part
	for _, m := range got.history {
		var ps []part
		for _, p := range m.Parts {
			q := part{kind: p.Kind, text: p.Text, call: p.CallID}
			if p.Media != nil {
				q.media, _, _ = strings.Cut(p.Media.URL, "/"+long)
				q.media += p.Media.Detail
			}
			ps = append(ps, q)
		}
		parts = append(parts, ps)
	}
	png := "data:image/png;base64,aGVsbG8="
	wav := "data:audio/wav;base64," + strings.Repeat("aGVsbG8", 40)
	assert.Equal(t, [][]part{
		{{text: "rules"}},
		{{text: "the task"}},
		{
			{kind: core.KindReasoning, text: "hm " + long},
			{text: "I look"},
			{kind: core.KindToolCall, text: "x", call: "a"},
			{kind: core.KindToolCall, text: "{}", call: "b"},
		},
		{
			{kind: core.KindToolResult, text: long, call: "b"},
			{kind: core.KindToolResult, call: "b", media: "https://example.com"},
			{kind: core.KindToolResult, call: "b", text: `{"type":"hologram","text":"` + long + `"}`},
		},
		{{kind: core.KindToolResult, text: long, call: "a"}},
		{
			{text: "see"},
			{kind: core.KindMedia, media: "https://example.comlow"},
			{kind: core.KindMedia, media: png},
			{kind: core.KindMedia, media: "https://example.com"},
			{kind: core.KindMedia, media: png},
		},
		{
			{text: "drawn"},
			{kind: core.KindMedia, media: png},
			{kind: core.KindMedia, media: "https://example.com"},
			{kind: core.KindMedia, media: "https://example.com"},
		},
		{
			{text: "old"},
			{kind: core.KindMedia, media: "https://example.comhigh"},
			{kind: core.KindMedia, media: wav},
			{kind: core.KindMedia, media: "https://example.com/v"},
			{kind: core.KindMedia, media: "https://example.com/f"},
			{kind: core.KindOpaque, text: `{"type":"image_url"}`},
		},
		{{text: "ok"}},
		{{text: "the question"}},
	}, parts)
	assert.Equal(t, 0, got.requests[0].Usage, "the last reply says nothing")
}

func TestConvert_Roles(t *testing.T) {
	var got seen
	einokit.MessageModifier(&got, nil)(t.Context(), []*schema.Message{
		{Role: "developer", Content: "stays"}, schema.UserMessage("hi"), {Role: schema.Tool, ToolCallID: "empty"},
	})
	require.Len(t, got.history, 3)
	assert.Equal(t, core.RoleSystem, got.history[0].Role)
	require.Len(t, got.history[2].Parts, 1, "a result without a word is a result")
}

func TestRestore_SameValuesWithoutAnEdit(t *testing.T) {
	native := all()
	out := einokit.MessageModifier(nil, nil)(t.Context(), native)
	assert.Same(t, &native[0], &out[0], "the very slice")

	out = einokit.MessageModifier(every(core.Elide), nil)(t.Context(), native)
	assert.Equal(t, all(), native, "nothing of the caller's was written to")
	same := 0
	for i := range out {
		if out[i] == native[i] {
			same++
		}
	}
	assert.Less(t, same, len(out))
	assert.Same(t, native[1], out[1])
}

func TestRestore_EveryKindOfEdit(t *testing.T) {
	native := all()
	out := einokit.MessageModifier(every(core.Elide), func(_ context.Context, err error) { require.NoError(t, err) })(t.Context(), native)
	require.Len(t, out, len(native)-1, "nil is none")

	reply, was := out[2], native[2]
	assert.Empty(t, reply.ReasoningContent)
	assert.Equal(t, map[string]any{"mine": 1}, reply.Extra, "a client's second copy of the reasoning goes too")
	assert.Equal(t, was.ToolCalls, reply.ToolCalls)
	assert.Same(t, was.ResponseMeta, reply.ResponseMeta)
	assert.Equal(t, "I look", reply.Content)

	show := out[3]
	assert.Equal(t, "b", show.ToolCallID)
	require.Len(t, show.UserInputMultiContent, 3)
	for _, p := range show.UserInputMultiContent {
		assert.Equal(t, schema.ChatMessagePartTypeText, p.Type)
		assert.Contains(t, p.Text, core.MarkerPrefix)
		assert.Nil(t, p.Image)
	}
	assert.Equal(t, map[string]any{"k": "v"}, show.UserInputMultiContent[0].Extra)
	assert.Contains(t, out[4].Content, core.MarkerPrefix)

	assert.Equal(t, "see", out[5].UserInputMultiContent[0].Text)
	assert.Contains(t, out[5].UserInputMultiContent[1].Text, core.MarkerPrefix)
	assert.Contains(t, out[6].AssistantGenMultiContent[2].Text, core.MarkerPrefix)
	assert.Contains(t, out[7].MultiContent[1].Text, core.MarkerPrefix)
	assert.Equal(t, native[7].MultiContent[5], out[7].MultiContent[5], "what is opaque stays")
}
