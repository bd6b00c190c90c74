package genkitkit

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/firebase/genkit/go/ai"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// Middleware returns middleware that puts t in front of the calls it is given to, which are
// those of [ai.WithMiddleware]: each turn of the tool loop is one. It is safe for concurrent
// use.
//
// Genkit ignores middleware given to DefinePrompt; give it to Execute, or use [Plugin].
func Middleware(t core.Transformer, opts ...adapters.Option) ai.ModelMiddleware {
	return middleware(adapters.NewCaller(t, opts...))
}

func middleware(c *adapters.Caller) ai.ModelMiddleware {
	return func(next ai.ModelFunc) ai.ModelFunc {
		return func(ctx context.Context, r *ai.ModelRequest, stream ai.ModelStreamCallback) (*ai.ModelResponse, error) {
			if r == nil {
				return next(ctx, r, stream)
			}
			return call(ctx, c, r, stream, next)
		}
	}
}

// call makes one call of a model.
func call(ctx context.Context, c *adapters.Caller, r *ai.ModelRequest, stream ai.ModelStreamCallback, next ai.ModelFunc) (*ai.ModelResponse, error) {
	history, err := toHistory(r.Messages)
	if err != nil {
		return nil, err
	}
	var delivered atomic.Bool // models may stream from another goroutine
	chunks := stream
	if stream != nil {
		chunks = func(ctx context.Context, chunk *ai.ModelResponseChunk) error {
			delivered.Store(true)
			return stream(ctx, chunk)
		}
	}
	var response *ai.ModelResponse
	err = c.Do(ctx, history, beside(r), func(view []core.Message) (adapters.Sent, error) {
		messages, err := adapters.Restore(native, r.Messages, history, view)
		if err != nil {
			return adapters.Sent{}, err
		}
		response, err = next(ctx, with(r, messages), chunks)
		sent := adapters.Sent{Delivered: delivered.Load()}
		if response != nil && response.Usage != nil {
			sent.Usage = response.Usage.InputTokens
		}
		return sent, err
	})
	if err != nil {
		return nil, explained(err, r.Messages)
	}
	return answered(response, r), nil
}

// explained says of a budget that cannot be met what part a cache marker has in it.
func explained(err error, messages []*ai.Message) error {
	var over *budget.OverBudgetError
	marked := cached(messages)
	if marked < 0 || !errors.As(err, &over) {
		return err
	}
	return fmt.Errorf("genkitkit: the cache marker of message %d pins it and all %d before it: %w", marked, marked, err)
}
