package einokit

import (
	"context"

	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// Lambda returns a node that makes views of messages, for chains and graphs. It trims what
// passes through it and nothing else: before a model in a loop it must stand inside the loop,
// and an agent behind it calls its model many times on one view.
//
// Tools are not seen here: see [Schemas].
func Lambda(t core.Transformer, opts ...adapters.Option) *compose.Lambda {
	caller := adapters.NewCaller(t, opts...)
	view := func(ctx context.Context, in []*schema.Message) ([]*schema.Message, error) {
		return viewOf(ctx, caller, in)
	}
	return compose.InvokableLambda(view, compose.WithLambdaType("Trimkit"))
}
