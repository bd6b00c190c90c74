package genkitkit_test

import (
	"context"
	"errors"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/summary"
)

func TestSummarizer(t *testing.T) {
	asked := []core.Message{
		{Role: core.RoleSystem, Parts: []core.Part{{Text: "sum up"}}}, {Role: core.RoleUser, Parts: []core.Part{{Text: "a long story"}}},
	}
	for name, c := range map[string]struct {
		part   *ai.Part
		reason ai.FinishReason
		err    error
		want   string
		is     error
	}{
		"an answer": {part: ai.NewTextPart("short"), reason: ai.FinishReasonStop, want: "short"},
		"cut":       {part: ai.NewTextPart("sho"), reason: ai.FinishReasonLength, is: summary.ErrTruncated},
		"a call":    {part: ai.NewToolRequestPart(&ai.ToolRequest{Name: "look", Ref: "c1"}), reason: ai.FinishReasonStop, is: summary.ErrToolCall},
		"a failure": {err: errors.New("broken")},
	} {
		t.Run(name, func(t *testing.T) {
			g := genkit.Init(t.Context())
			var sent []*ai.ModelRequest
			genkit.DefineModel(g, "test/model", &ai.ModelOptions{Supports: &ai.ModelSupports{SystemRole: true, Tools: true, Multiturn: true}},
				func(_ context.Context, r *ai.ModelRequest, _ ai.ModelStreamCallback) (*ai.ModelResponse, error) {
					sent = append(sent, r)
					if c.err != nil {
						return nil, c.err
					}
					return &ai.ModelResponse{Request: r, FinishReason: c.reason, Message: ai.NewModelMessage(c.part)}, nil
				})
			got, err := genkitkit.Summarizer(g, ai.WithModelName("test/model")).Summarize(t.Context(), asked)
			assert.Equal(t, c.want, got)
			switch {
			case c.is != nil:
				require.ErrorIs(t, err, c.is)
			case c.err != nil:
				require.ErrorContains(t, err, c.err.Error())
			default:
				require.NoError(t, err)
			}
			require.Len(t, sent, 1)
			assert.Empty(t, sent[0].Tools)
			require.Len(t, sent[0].Messages, 2)
			assert.Equal(t, ai.RoleSystem, sent[0].Messages[0].Role)
			assert.Equal(t, "a long story", sent[0].Messages[1].Content[0].Text)
		})
	}
}
