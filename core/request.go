package core

import "context"

// Request is what a model call consists of beside its messages. An adapter puts one
// into the context, and whatever keeps a budget reads it there; none of it is ever a
// message.
type Request struct {
	Schemas      []string // tool definitions as the provider gets them, one JSON text each
	Docs         []string // other texts that the model reads: Genkit's Docs, an output schema
	Reserve      int      // tokens kept free for the reply; 0: the budget's own reserve
	Conversation string   // a key that no other conversation has; empty: unknown
	Usage        int      // prompt tokens that the provider reported for the previous call; 0: unknown
}

type requestKey struct{}

// WithRequest returns a context that carries r. The caller must not change *r afterwards.
func WithRequest(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// RequestFrom returns the request that ctx carries, and an empty one if it carries none.
// It is shared: read it, do not write to it.
func RequestFrom(ctx context.Context) *Request {
	if r, ok := ctx.Value(requestKey{}).(*Request); ok && r != nil {
		return r
	}
	return &noRequest
}

var noRequest Request
