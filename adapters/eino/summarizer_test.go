package einokit_test

import (
	"errors"
	"testing"

	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"

	einokit "github.com/trimkit/trimkit/adapters/eino"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/summary"
)

func TestSummarizer(t *testing.T) {
	asked := []core.Message{
		{Role: core.RoleSystem, Parts: []core.Part{{Text: "sum up"}}}, {Role: core.RoleUser, Parts: []core.Part{{Text: "a long story"}}},
	}
	broken := errors.New("broken")
	answer := func(reason string, calls ...schema.ToolCall) *schema.Message {
		m := schema.AssistantMessage("short", calls)
		m.ResponseMeta = &schema.ResponseMeta{FinishReason: reason}
		return m
	}
	for name, c := range map[string]struct {
		reply *schema.Message
		err   error
		want  string
		is    error
	}{
		"an answer":       {reply: answer("stop"), want: "short"},
		"without reasons": {reply: schema.AssistantMessage("short", nil), want: "short"},
		"cut":             {reply: answer("length"), is: summary.ErrTruncated},
		"a call":          {reply: answer("tool_calls", schema.ToolCall{ID: "c1"}), is: summary.ErrToolCall},
		"a failure":       {err: broken, is: broken},
	} {
		t.Run(name, func(t *testing.T) {
			inner := newStub(func(int, []*schema.Message) (*schema.Message, error) { return c.reply, c.err })
			got, err := einokit.Summarizer(inner).Summarize(t.Context(), asked)
			assert.Equal(t, c.want, got)
			assert.ErrorIs(t, err, c.is)
			assert.Equal(t, [][]*schema.Message{{schema.SystemMessage("sum up"), schema.UserMessage("a long story")}}, inner.sent)
		})
	}
}
