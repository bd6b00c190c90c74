package einokit

import (
	"context"

	"github.com/cloudwego/eino/adk"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// AgentMiddleware returns a middleware for agents of package adk: before each model call of
// its agent the state's messages become the view that t makes of them. The view is what the
// agent goes on with and what its checkpoints hold; what left it is lost to this run. That
// suits edits which cost something and need not be paid for again, such as summaries. What
// must only fit the window is better off with [WrapModel], which keeps the history.
//
// Tools are not seen here: see [Schemas]. Sub-agents need a middleware of their own.
func AgentMiddleware(t core.Transformer, opts ...adapters.Option) adk.AgentMiddleware {
	caller := adapters.NewCaller(t, opts...)
	return adk.AgentMiddleware{
		BeforeChatModel: func(ctx context.Context, state *adk.ChatModelAgentState) error {
			view, err := viewOf(ctx, caller, state.Messages)
			if err != nil {
				return err
			}
			state.Messages = view
			return nil
		},
	}
}
