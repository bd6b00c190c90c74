package genkitkit

import (
	"context"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/summary"
)

// Summarizer returns what sums up with a model of the framework, for [trimkit.Summaries].
// Options say which model, and are those of [genkit.Generate] but for messages, prompts and
// tools; without one it is Genkit's default model. It should be a model that is not fitted by this package:
// the request is made to fit already.
//
// [trimkit.Summaries]: https://pkg.go.dev/github.com/trimkit/trimkit#Summaries
func Summarizer(g *genkit.Genkit, options ...ai.GenerateOption) summary.Summarizer {
	return summary.SummarizerFunc(func(ctx context.Context, history []core.Message) (string, error) {
		var messages []*ai.Message
		for i := range history {
			text := history[i].Parts[0].Text
			if history[i].Role == core.RoleSystem {
				messages = append(messages, ai.NewSystemTextMessage(text))
			} else {
				messages = append(messages, ai.NewUserTextMessage(text))
			}
		}
		options := append(options[:len(options):len(options)], ai.WithMessages(messages...), ai.WithReturnToolRequests(true))
		response, err := genkit.Generate(ctx, g, options...)
		switch {
		case err != nil:
			return "", err
		case len(response.ToolRequests()) > 0:
			return "", summary.ErrToolCall
		case response.FinishReason == ai.FinishReasonLength:
			return "", summary.ErrTruncated
		}
		return response.Text(), nil
	})
}
