package einokit

import (
	"context"

	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// viewOf returns what a call sends, for the shapes that see the messages before the call and
// nothing else of it.
func viewOf(ctx context.Context, caller *adapters.Caller, input []*schema.Message) ([]*schema.Message, error) {
	history, usage, err := convert(input)
	if err != nil {
		return nil, err
	}
	view, err := caller.View(ctx, history, core.Request{Usage: usage})
	if err != nil {
		return nil, err
	}
	return restore(input, history, view)
}
