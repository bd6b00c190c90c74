package genkitkit_test

import (
	"context"
	"iter"
	"slices"
	"sync"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

// identity returns histories as they are. It is one of budget's, so it is not guarded.
func identity(t testing.TB) core.Transformer {
	t.Helper()
	e, err := budget.NewEnforcer(budget.NewMeter(budget.CounterFunc(func(s string) int { return len(s) })), budget.Limits{Window: 1 << 40})
	require.NoError(t, err)
	return e
}

// enforcer keeps views within a window.
func enforcer(t testing.TB, window int) core.Transformer {
	t.Helper()
	e, err := budget.NewEnforcer(budget.NewMeter(budget.CounterFunc(func(s string) int { return len(s) })), budget.Limits{Window: window})
	require.NoError(t, err)
	return e
}

// proposing applies an editor that proposes these edits.
func proposing(edits ...core.Edit) core.Transformer {
	return core.Transform(core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values(edits) }))
}

// recorder keeps what a transformer and a model get.
type recorder struct {
	mu        sync.Mutex
	histories [][]core.Message
	requests  []*core.Request
	sent      []*ai.ModelRequest
}

// Transform returns the history.
func (r *recorder) Transform(ctx context.Context, history []core.Message) ([]core.Message, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.histories = append(r.histories, history)
	r.requests = append(r.requests, core.RequestFrom(ctx))
	return history, nil
}

// model answers each call with the next of some contents, and the last of them for ever.
func (r *recorder) model(contents ...[]*ai.Part) ai.ModelFunc {
	return func(ctx context.Context, q *ai.ModelRequest, stream ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		r.mu.Lock()
		seen := *q
		seen.Messages = slices.Clone(q.Messages)
		r.sent = append(r.sent, &seen)
		content := []*ai.Part{ai.NewTextPart("done")}
		if len(contents) > 0 {
			content = contents[min(len(r.sent), len(contents))-1]
		}
		r.mu.Unlock()
		if stream != nil {
			if err := stream(ctx, &ai.ModelResponseChunk{Content: content}); err != nil {
				return nil, err
			}
		}
		return &ai.ModelResponse{
			Message: &ai.Message{Role: ai.RoleModel, Content: content},
			Usage:   &ai.GenerationUsage{InputTokens: 7},
		}, nil
	}
}

// last returns the messages of the last call.
func (r *recorder) last() []*ai.Message { return r.sent[len(r.sent)-1].Messages }

// supports is what a model of our days can do.
var supports = &ai.ModelSupports{Multiturn: true, Tools: true, SystemRole: true, Media: true, ToolChoice: true}

// start returns a Genkit with a model test/model that answers with these contents.
func start(t testing.TB, r *recorder, contents ...[]*ai.Part) *genkit.Genkit {
	t.Helper()
	g := genkit.Init(t.Context())
	genkit.DefineModel(g, "test/model", &ai.ModelOptions{Supports: supports}, r.model(contents...))
	return g
}

// call runs middleware around a stub, and returns what the stub got.
func call(t *testing.T, tr core.Transformer, messages []*ai.Message, opts ...adapters.Option) []*ai.Message {
	t.Helper()
	var r recorder
	_, err := genkitkit.Middleware(tr, opts...)(r.model())(t.Context(), &ai.ModelRequest{Messages: messages}, nil)
	require.NoError(t, err)
	return r.last()
}

func request(name, ref string, input any) *ai.Part {
	return ai.NewToolRequestPart(&ai.ToolRequest{Name: name, Ref: ref, Input: input})
}

func response(name, ref string, output any, content ...*ai.Part) *ai.Part {
	return ai.NewToolResponsePart(&ai.ToolResponse{Name: name, Ref: ref, Output: output, Content: content})
}
