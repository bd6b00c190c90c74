package genkitkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/firebase/genkit/go/ai"
	"github.com/openai/openai-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

// TestReserve: the bound of the reply, in whatever configuration a plugin takes.
func TestReserve(t *testing.T) {
	bound := 9
	for name, c := range map[string]struct {
		config any
		want   int
	}{
		"none":                {nil, 0},
		"nil":                 {(*ai.GenerationCommonConfig)(nil), 0},
		"Genkit":              {ai.GenerationCommonConfig{MaxOutputTokens: 9}, 9},
		"pointer":             {&ai.GenerationCommonConfig{MaxOutputTokens: 9}, 9},
		"OpenAI":              {openai.ChatCompletionNewParams{MaxCompletionTokens: openai.Int(9)}, 9},
		"OpenAI, older":       {&openai.ChatCompletionNewParams{MaxTokens: openai.Int(9)}, 9},
		"OpenAI, none":        {&openai.ChatCompletionNewParams{}, 0},
		"Anthropic":           {anthropic.MessageNewParams{MaxTokens: 9}, 9},
		"Google":              {struct{ MaxOutputTokens int32 }{9}, 9},
		"pointer to a number": {struct{ MaxTokens *int }{&bound}, 9},
		"nil number":          {struct{ MaxTokens *int }{}, 0},
		"unsigned":            {struct{ MaxTokens uint }{9}, 9},
		"a word":              {struct{ MaxTokens string }{"9"}, 0},
		"JSON, Genkit":        {map[string]any{"maxOutputTokens": float64(9)}, 9},
		"JSON, OpenAI":        {map[string]any{"max_completion_tokens": json.Number("9")}, 9},
		"JSON, Anthropic":     {map[string]any{"max_tokens": 9}, 9},
		"JSON, none":          {map[string]any{"max_tokens": nil, "temperature": 1}, 0},
		"a number":            {9, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var r recorder
			_, err := genkitkit.Middleware(&r)(r.model())(t.Context(), &ai.ModelRequest{Config: c.config, Messages: loop()}, nil)
			require.NoError(t, err)
			assert.Equal(t, c.want, r.requests[0].Reserve)
		})
	}
}

// TestBeside: what a model reads beside the messages is in the request, and what the context
// has is added to it.
func TestBeside(t *testing.T) {
	var r recorder
	ctx := core.WithRequest(t.Context(), &core.Request{Schemas: []string{"mine"}, Conversation: "c"})
	_, err := genkitkit.Middleware(&r)(r.model())(ctx, &ai.ModelRequest{
		Messages: loop(),
		Tools:    []*ai.ToolDefinition{nil, {Name: "f", Description: "does it", InputSchema: map[string]any{"type": "object"}, OutputSchema: map[string]any{"secret": true}}},
		Docs:     []*ai.Document{nil, ai.DocumentFromText("text", nil)},
		Output:   &ai.ModelOutputConfig{Schema: map[string]any{"type": "string"}},
	}, nil)
	require.NoError(t, err)
	assert.Equal(t, &core.Request{
		Schemas:      []string{"mine", `{"name":"f","description":"does it","parameters":{"type":"object"}}`},
		Docs:         []string{"- [1]: text\n", `{"type":"string"}`},
		Conversation: "c",
	}, r.requests[0])
}

// TestUsage: what the provider counted for a call is known at the next one.
func TestUsage(t *testing.T) {
	var r recorder
	mw := genkitkit.Middleware(&r)
	messages := []*ai.Message{ai.NewUserTextMessage("a")}
	for range 2 {
		response, err := mw(r.model())(t.Context(), &ai.ModelRequest{Messages: messages}, nil)
		require.NoError(t, err)
		messages = append(response.History(), ai.NewUserTextMessage("b"))
	}
	assert.Zero(t, r.requests[0].Usage)
	assert.Equal(t, 7, r.requests[1].Usage)
}

// TestCacheMarker: everything up to the marker is pinned. If that is too much, the error says
// that the marker is the reason.
func TestCacheMarker(t *testing.T) {
	var r recorder
	messages := loop(response("f", "1", long))
	messages[3] = messages[3].WithCacheTTL(60)
	sent := call(t, core.Chain(&r, proposing(core.Edit{Op: core.Drop, Msg: 2, Reason: "old"})), messages)
	for i, m := range r.histories[0] {
		assert.Equal(t, i <= 3, m.Policy == core.Locked, "message %d", i)
	}
	assert.Equal(t, messages, sent, "what would drop a pinned message is refused")
	assert.Equal(t, map[string]any{"ttlSeconds": 60}, sent[3].Metadata["cache"])

	messages[5] = messages[5].WithCacheName("mine")
	_, err := genkitkit.Middleware(enforcer(t, 300))(r.model())(t.Context(), &ai.ModelRequest{Messages: messages}, nil)
	var over *budget.OverBudgetError
	require.ErrorAs(t, err, &over)
	assert.ErrorContains(t, err, "the cache marker of message 5 pins it and all 5 before it")
}

// smaller is a transformer whose views can be made smaller once.
type smaller struct {
	recorder
	steps int
}

// Calibrate reports whether a step was left.
func (s *smaller) Calibrate(context.Context, []core.Message) bool {
	s.steps--
	return s.steps >= 0
}

// TestRetry: once, for a view that was too long, and not where a part of the reply has been
// delivered.
func TestRetry(t *testing.T) {
	tooLong := errors.New("400: this model's maximum context length is 10 tokens")
	for name, c := range map[string]struct {
		steps, fails int
		deliver      bool
		err          error
		want         int // calls
		ok           bool
	}{
		"once":       {1, 1, false, tooLong, 2, true},
		"not twice":  {9, 2, false, tooLong, 2, false},
		"no step":    {0, 1, false, tooLong, 1, false},
		"delivered":  {1, 1, true, tooLong, 1, false},
		"other":      {1, 1, false, errors.New("500"), 1, false},
		"no failure": {1, 0, true, nil, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, calls := &smaller{steps: c.steps}, 0
			next := func(ctx context.Context, _ *ai.ModelRequest, stream ai.ModelStreamCallback) (*ai.ModelResponse, error) {
				calls++
				if c.deliver {
					require.NoError(t, stream(ctx, &ai.ModelResponseChunk{Content: []*ai.Part{ai.NewTextPart("a")}}))
				}
				if calls <= c.fails {
					return nil, c.err
				}
				return &ai.ModelResponse{Message: ai.NewModelTextMessage("done")}, nil
			}
			_, err := genkitkit.Middleware(s)(next)(t.Context(), &ai.ModelRequest{Messages: loop()}, func(context.Context, *ai.ModelResponseChunk) error { return nil })
			assert.Equal(t, c.ok, err == nil)
			assert.Equal(t, c.want, calls)
		})
	}
}

// TestResponse: the response is a copy with the request as it was; appending to its history
// does not reach into the caller's messages.
func TestResponse(t *testing.T) {
	shared := &ai.ModelResponse{Message: ai.NewModelTextMessage("done"), Request: &ai.ModelRequest{}}
	messages := append(make([]*ai.Message, 0, 9), loop(response("f", "1", long))...)
	response, err := genkitkit.Middleware(forget)(func(context.Context, *ai.ModelRequest, ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		return shared, nil
	})(t.Context(), &ai.ModelRequest{Messages: messages, Config: "c"}, nil)
	require.NoError(t, err)
	assert.Equal(t, &ai.ModelRequest{}, shared.Request)
	assert.Equal(t, "c", response.Request.Config)
	assert.Equal(t, messages, response.Request.Messages)
	_ = response.History()
	assert.Nil(t, messages[:7][6])
}

// TestConcurrent: one middleware and one history for many goroutines.
func TestConcurrent(t *testing.T) {
	shared := loop(response("f", "1", map[string]any{"text": long}))
	mw := genkitkit.Middleware(enforcer(t, 2_000))
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			messages := append(shared[:6:6], ai.NewUserTextMessage(fmt.Sprint(i)))
			for range 10 {
				var r recorder
				response, err := mw(r.model())(t.Context(), &ai.ModelRequest{Messages: messages}, nil)
				if !assert.NoError(t, err) || !assert.Len(t, response.History(), len(messages)+1) {
					return
				}
				messages = append(response.History(), ai.NewUserTextMessage(strings.Repeat("more ", 40)))
			}
		})
	}
	wg.Wait()
}
