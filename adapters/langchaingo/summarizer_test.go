package langchainkit_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/summary"
)

// asked is what a summary.Summarizer is given.
var asked = []core.Message{
	{Role: core.RoleSystem, Parts: []core.Part{{Text: "sum up"}}}, {Role: core.RoleUser, Parts: []core.Part{{Text: "a long story"}}},
}

func TestSummarizer(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		choice llms.ContentChoice
		err    error
		want   string
		is     error
	}{
		"an answer":     {choice: llms.ContentChoice{Content: "short", StopReason: "stop"}, want: "short"},
		"cut by OpenAI": {choice: llms.ContentChoice{Content: "sho", StopReason: "length"}, is: summary.ErrTruncated},
		"cut otherwise": {choice: llms.ContentChoice{Content: "sho", StopReason: "max_tokens"}, is: summary.ErrTruncated},
		"a call":        {choice: llms.ContentChoice{ToolCalls: []llms.ToolCall{{ID: "c1"}}}, is: summary.ErrToolCall},
		"a failure":     {err: broken, is: broken},
	} {
		t.Run(name, func(t *testing.T) {
			model := &stub{reply: func(_ int, _ []llms.MessageContent, call *llms.CallOptions) (*llms.ContentResponse, error) {
				assert.Empty(t, call.Tools, "no tools are offered")
				assert.Equal(t, 77, call.MaxTokens)
				return &llms.ContentResponse{Choices: []*llms.ContentChoice{&c.choice}}, c.err
			}}
			tools := llms.WithTools([]llms.Tool{{Type: "function", Function: &llms.FunctionDefinition{Name: "look"}}})
			got, err := langchainkit.Summarizer(model, tools, llms.WithMaxTokens(77)).Summarize(t.Context(), asked)
			assert.Equal(t, c.want, got)
			assert.ErrorIs(t, err, c.is)
			assert.Equal(t, [][]llms.MessageContent{{
				text(llms.ChatMessageTypeSystem, "sum up"), human("a long story"),
			}}, model.calls)
		})
	}
}

// Both clients send the two texts, and nothing else.
func TestSummarizer_OnTheWire(t *testing.T) {
	for _, api := range []adaptertest.API{adaptertest.ChatCompletions, adaptertest.Messages} {
		server := adaptertest.NewServer(func(*adaptertest.Request) adaptertest.Answer { return adaptertest.Answer{Text: "short"} })
		defer server.Close()
		model := realModel(t, adaptertest.Setup{URL: server.URL, API: api})
		got, err := langchainkit.Summarizer(model, llms.WithMaxTokens(100)).Summarize(t.Context(), asked)
		require.NoError(t, err)
		assert.Equal(t, "short", got)
		require.Len(t, server.Requests(), 1)
		r := server.Requests()[0]
		assert.Empty(t, r.Refused)
		require.Len(t, r.History, 2)
		assert.Equal(t, "sum up", r.History[0].Parts[0].Text)
		assert.Equal(t, "a long story", r.History[1].Parts[0].Text)
	}
}
