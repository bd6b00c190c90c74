package einokit

import (
	"context"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/summary"
)

// Summarizer returns what sums up with a model of the framework, for [trimkit.Summaries]. The
// model should have no tools, and be the inner one, not one that [WrapModel] returned: the
// request is made to fit already.
//
// [trimkit.Summaries]: https://pkg.go.dev/github.com/trimkit/trimkit#Summaries
func Summarizer(inner model.BaseChatModel, options ...model.Option) summary.Summarizer {
	return summary.SummarizerFunc(func(ctx context.Context, history []core.Message) (string, error) {
		var messages []*schema.Message
		for i := range history {
			text := history[i].Parts[0].Text
			if history[i].Role == core.RoleSystem {
				messages = append(messages, schema.SystemMessage(text))
			} else {
				messages = append(messages, schema.UserMessage(text))
			}
		}
		reply, err := inner.Generate(ctx, messages, options...)
		switch {
		case err != nil:
			return "", err
		case len(reply.ToolCalls) > 0:
			return "", summary.ErrToolCall
		case reply.ResponseMeta != nil && adapters.Truncated(reply.ResponseMeta.FinishReason):
			return "", summary.ErrTruncated
		}
		return reply.Content, nil
	})
}
