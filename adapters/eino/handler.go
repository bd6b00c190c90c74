package einokit

import (
	"context"

	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// StatePreHandler returns a handler for the model node of a graph, [compose.WithStatePreHandler]:
// the node gets the view that t makes of its input. The state is neither read nor written, so
// where it keeps the messages it keeps them all. A node has one such handler; one that collects
// messages in the state calls this one last:
//
//	trim := einokit.StatePreHandler[*state](kit)
//	func(ctx context.Context, in []*schema.Message, s *state) ([]*schema.Message, error) {
//		s.messages = append(s.messages, in...)
//		return trim(ctx, s.messages, s)
//	}
//
// Tools are not seen here: see [Schemas].
func StatePreHandler[S any](t core.Transformer, opts ...adapters.Option) compose.StatePreHandler[[]*schema.Message, S] {
	caller := adapters.NewCaller(t, opts...)
	return func(ctx context.Context, in []*schema.Message, _ S) ([]*schema.Message, error) {
		return viewOf(ctx, caller, in)
	}
}
