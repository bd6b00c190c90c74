package einokit

import (
	"context"
	"slices"

	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// MessageModifier returns a modifier for [react.AgentConfig]: as MessageModifier it makes the
// view that a call sends and leaves the agent's messages alone; as MessageRewriter the view
// takes their place, and what left it is lost to this run.
//
// A modifier cannot fail a call. Whatever goes wrong is told to onError, which may be nil, and
// the call goes on: with the best view where the budget cannot be met, and with the messages
// as they are otherwise. A program that wants neither ends the call's context in onError. It
// is [adapters.OnError], asked for here because there is no error to look at.
//
// Tools are not seen here: see [Schemas].
func MessageModifier(t core.Transformer, onError func(context.Context, error), opts ...adapters.Option) react.MessageModifier {
	opts = append(slices.Clip(opts), adapters.SendAnyway())
	if onError != nil {
		opts = append(opts, adapters.OnError(onError))
	}
	caller := adapters.NewCaller(t, opts...)
	return func(ctx context.Context, input []*schema.Message) []*schema.Message {
		view, err := viewOf(ctx, caller, input)
		if err != nil {
			caller.Report(ctx, err)
			return input
		}
		return view
	}
}
