package langchainkit

import (
	"context"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/summary"
)

// Summarizer returns what sums up with a model of the framework, for [trimkit.Summaries]. It
// offers no tools, whatever the options say, and wants the inner model, not one that
// [WrapModel] returned: the request is made to fit already.
//
// [trimkit.Summaries]: https://pkg.go.dev/github.com/trimkit/trimkit#Summaries
func Summarizer(model llms.Model, options ...llms.CallOption) summary.Summarizer {
	options = append(options[:len(options):len(options)], func(call *llms.CallOptions) {
		call.Tools, call.Functions, call.ToolChoice = nil, nil, nil
	})
	return summary.SummarizerFunc(func(ctx context.Context, history []core.Message) (string, error) {
		var messages []llms.MessageContent
		for i := range history {
			role := llms.ChatMessageTypeHuman
			if history[i].Role == core.RoleSystem {
				role = llms.ChatMessageTypeSystem
			}
			messages = append(messages, llms.TextParts(role, history[i].Parts[0].Text))
		}
		response, err := model.GenerateContent(ctx, messages, options...)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		for _, choice := range response.Choices {
			switch {
			case len(choice.ToolCalls) > 0 || choice.FuncCall != nil:
				return "", summary.ErrToolCall
			case adapters.Truncated(choice.StopReason):
				return "", summary.ErrTruncated
			}
			text.WriteString(choice.Content)
		}
		return text.String(), nil
	})
}
