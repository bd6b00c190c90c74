package summary

import (
	"context"

	"github.com/trimkit/trimkit/core"
)

// Summarizer is a model that sums up. An adapter makes one of its framework's own model.
//
// The messages are a request as it is to be sent: a system message, and a user message with
// everything that there is to sum up, both of one text. No tools are to be offered with it,
// and nothing else is to be added. What is returned is the text of the answer alone, without
// reasoning.
//
// The error is [ErrTruncated] if the answer ended because it had become too long,
// [ErrToolCall] if the model called a tool, or whatever went wrong, each wrapped or not; with
// an error the text is ignored. When the context ends, so does the call, and its error is returned.
// A Summarizer is safe for concurrent use.
type Summarizer interface {
	Summarize(ctx context.Context, history []core.Message) (string, error)
}

// SummarizerFunc is a function that is a [Summarizer].
type SummarizerFunc func(ctx context.Context, history []core.Message) (string, error)

// Summarize calls f.
func (f SummarizerFunc) Summarize(ctx context.Context, history []core.Message) (string, error) {
	return f(ctx, history)
}
