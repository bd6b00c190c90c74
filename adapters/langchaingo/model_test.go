package langchainkit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/prompts"

	"github.com/trimkit/trimkit/adapters"
	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// thinker is a model that reasons.
type thinker struct{ stub }

func (*thinker) SupportsReasoning() bool { return true }

func TestWrapModel_ReasoningModel(t *testing.T) {
	assert.True(t, llms.SupportsReasoningModel(langchainkit.WrapModel(&thinker{}, nil)))
	_, reasons := langchainkit.WrapModel(&stub{}, nil).(llms.ReasoningModel)
	assert.False(t, reasons)
}

// prompted is the older way to call a model, which the framework calls deprecated and keeps.
type prompted interface {
	Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error)
}

func TestWrapModel_Call(t *testing.T) {
	var inner stub
	var s seen
	answer, err := prompted(langchainkit.WrapModel(&inner, &s)).Call(t.Context(), "hello")
	require.NoError(t, err)
	assert.Equal(t, "ok", answer)
	assert.Len(t, s.histories, 1)
	assert.Equal(t, [][]llms.MessageContent{{human("hello")}}, inner.calls)
}

func TestWrapModel_Request(t *testing.T) {
	tool := llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: "read", Description: "reads", Parameters: map[string]any{"type": "object"}}}
	var s seen
	model := langchainkit.WrapModel(&stub{}, &s, adapters.ConversationKey(func(context.Context) string { return "key" }))
	for range 2 {
		_, err := model.GenerateContent(t.Context(), []llms.MessageContent{human("hello")},
			llms.WithMaxTokens(123), llms.WithTools([]llms.Tool{tool, {Type: "other"}}), llms.WithFunctions([]llms.FunctionDefinition{{Name: "older"}}))
		require.NoError(t, err)
	}
	want := core.Request{Reserve: 123, Conversation: "key", Schemas: []string{
		`{"type":"function","function":{"name":"older","description":""}}`,
		`{"type":"function","function":{"name":"read","description":"reads","parameters":{"type":"object"}}}`,
		`{"type":"other"}`,
	}}
	assert.Equal(t, []core.Request{want, want}, s.requests)
}

func TestWrapModel_ReportedUsage(t *testing.T) {
	for name, info := range map[string]map[string]any{
		"OpenAI":    {"PromptTokens": 70},
		"Anthropic": {"InputTokens": 20, "CacheReadInputTokens": 45, "CacheCreationInputTokens": 5},
		"Vertex AI": {"input_tokens": int32(70)},
		"a float":   {"PromptTokens": 70.0},
		"a long":    {"PromptTokens": int64(70)},
	} {
		var s seen
		model := langchainkit.WrapModel(&stub{reply: func(int, []llms.MessageContent, *llms.CallOptions) (*llms.ContentResponse, error) {
			return &llms.ContentResponse{Choices: []*llms.ContentChoice{nil, {Content: "ok", GenerationInfo: info}}}, nil
		}}, &s)
		messages := []llms.MessageContent{human("hello")}
		_, err := model.GenerateContent(t.Context(), messages)
		require.NoError(t, err)
		_, err = model.GenerateContent(t.Context(), append(messages, ai("ok"), human("more")))
		require.NoError(t, err)
		assert.Equal(t, []int{0, 70}, []int{s.requests[0].Usage, s.requests[1].Usage}, name)
	}
}

// Some options append to what the program's own map has. They are read once more than without
// the adapter, which must not show there.
func TestWrapModel_OptionsAreAppliedToTheProgramsMetadataOnce(t *testing.T) {
	headers := func(model llms.Model) (program, sent any) {
		metadata := map[string]any{"mine": true}
		_, err := model.GenerateContent(t.Context(), []llms.MessageContent{human("hello")},
			llms.WithMetadata(metadata), anthropic.WithBetaHeader("beta-1"), llms.WithTemperature(0.5))
		require.NoError(t, err)
		return metadata["anthropic:beta_headers"], sent
	}
	bare, _ := headers(&stub{})
	wrapped, _ := headers(langchainkit.WrapModel(&stub{}, nil))
	assert.Equal(t, bare, wrapped)
	assert.Equal(t, []string{"beta-1"}, wrapped)
}

func overBudget(t *testing.T, err error) {
	t.Helper()
	var over *budget.OverBudgetError
	require.ErrorAs(t, err, &over)
}

func TestWrapModel_OverBudgetThroughTheFramework(t *testing.T) {
	var inner stub
	model := langchainkit.WrapModel(&inner, trim(t, 50))
	_, err := model.GenerateContent(t.Context(), []llms.MessageContent{human(long("a question"))})
	overBudget(t, err)
	_, err = prompted(model).Call(t.Context(), long("a question"))
	overBudget(t, err)

	// A chain sends one message, of which nothing can go.
	chain := chains.NewLLMChain(model, prompts.NewPromptTemplate("Answer: {{.q}}", []string{"q"}))
	_, err = chains.Call(t.Context(), chain, map[string]any{"q": long("a question")})
	overBudget(t, err)
	_, err = chains.Run(t.Context(), chains.NewConversation(model, memory.NewConversationBuffer()), long("a question"))
	overBudget(t, err)
	assert.Empty(t, inner.calls)

	var told error
	anyway := langchainkit.WrapModel(&inner, trim(t, 50), adapters.SendAnyway(), adapters.OnError(func(_ context.Context, err error) { told = err }))
	_, err = anyway.GenerateContent(t.Context(), []llms.MessageContent{human(long("a question"))})
	require.NoError(t, err)
	assert.Len(t, inner.calls, 1)
	overBudget(t, told)
}

func TestWrapModel_TheContextsError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var inner stub
	_, err := langchainkit.WrapModel(&inner, trim(t, 50)).GenerateContent(ctx, everything())
	require.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, inner.calls)
}

// errTooLong is what the OpenAI client makes of a refusal.
var errTooLong = errors.New("API returned unexpected status code: 400: This model's maximum context length is 8192 tokens")

// talk is a conversation of so many messages.
func talk(n int) []llms.MessageContent {
	messages := []llms.MessageContent{text(llms.ChatMessageTypeSystem, "be brief")}
	for i := len(messages); i < n-1; i++ {
		if i%2 == 1 {
			messages = append(messages, human(fmt.Sprintf("question %d: %s", i, long("q"))))
		} else {
			messages = append(messages, ai(fmt.Sprintf("answer %d: %s", i, long("a"))))
		}
	}
	return append(messages, human("the last question"))
}

func TestWrapModel_TriesOnceMore(t *testing.T) {
	refuse := func(times int, deliver string) *stub {
		return &stub{reply: func(n int, _ []llms.MessageContent, call *llms.CallOptions) (*llms.ContentResponse, error) {
			if n >= times {
				return says("ok"), nil
			}
			if call.StreamingFunc != nil {
				_ = call.StreamingFunc(t.Context(), []byte(deliver)) // the program's own never fails
			}
			return nil, errTooLong
		}}
	}
	messages := talk(60)
	window := 5000
	streaming := llms.WithStreamingFunc(func(context.Context, []byte) error { return nil })

	inner := refuse(1, "")
	_, err := langchainkit.WrapModel(inner, enforcer(t, window)).GenerateContent(t.Context(), messages)
	require.NoError(t, err)
	require.Len(t, inner.calls, 2)
	assert.Less(t, len(inner.calls[1]), len(inner.calls[0]))

	inner = refuse(1, "")
	_, err = langchainkit.WrapModel(inner, enforcer(t, window)).GenerateContent(t.Context(), messages, streaming)
	require.NoError(t, err, "an empty chunk delivers nothing")
	assert.Len(t, inner.calls, 2)

	inner = refuse(1, "The")
	_, err = langchainkit.WrapModel(inner, enforcer(t, window)).GenerateContent(t.Context(), messages, streaming)
	require.ErrorIs(t, err, errTooLong)
	assert.Len(t, inner.calls, 1)

	inner = refuse(9, "")
	_, err = langchainkit.WrapModel(inner, enforcer(t, window)).GenerateContent(t.Context(), messages)
	require.ErrorIs(t, err, errTooLong)
	assert.Len(t, inner.calls, 2, "never more than once")
}

func TestWrapModel_Streams(t *testing.T) {
	inner := &stub{reply: func(_ int, _ []llms.MessageContent, call *llms.CallOptions) (*llms.ContentResponse, error) {
		for _, chunk := range []string{"o", "k"} {
			if err := errors.Join(call.StreamingFunc(t.Context(), []byte(chunk)), call.StreamingReasoningFunc(t.Context(), []byte("r"), []byte(chunk))); err != nil {
				return nil, err
			}
		}
		return says("ok"), nil
	}}
	var streamed, reasoned string
	_, err := langchainkit.WrapModel(inner, nil).GenerateContent(t.Context(), talk(3),
		llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error { streamed += string(chunk); return nil }),
		llms.WithStreamingReasoningFunc(func(_ context.Context, reasoning, chunk []byte) error {
			reasoned += string(reasoning) + string(chunk)
			return nil
		}))
	require.NoError(t, err)
	assert.Equal(t, "ok", streamed)
	assert.Equal(t, "rork", reasoned)

	stop := errors.New("enough")
	_, err = langchainkit.WrapModel(inner, nil).GenerateContent(t.Context(), talk(3),
		llms.WithStreamingReasoningFunc(func(context.Context, []byte, []byte) error { return nil }),
		llms.WithStreamingFunc(func(context.Context, []byte) error { return stop }))
	require.ErrorIs(t, err, stop)
}

func TestPolicies_Content(t *testing.T) {
	pinned := func(transformer core.Transformer) langchainkit.Policies {
		return langchainkit.Policies{Transformer: transformer, Content: func(i int, m llms.MessageContent) core.Policy {
			if m.Role == llms.ChatMessageTypeAI && i == 4 {
				return core.Locked
			}
			return core.PolicyDefault
		}}
	}
	messages := talk(40)
	for _, transformer := range []core.Transformer{trim(t, 1000), enforcer(t, 1000)} {
		byValue := pinned(transformer)
		assert.NotContains(t, sentBy(t, transformer, messages), messages[4])
		assert.Contains(t, sentBy(t, byValue, messages), messages[4])
		assert.Contains(t, sentBy(t, &byValue, messages), messages[4])
	}
	alone, err := pinned(nil).Content, error(nil)
	assert.Equal(t, core.Locked, alone(4, ai("x")))
	require.NoError(t, err)
	assert.Len(t, sentBy(t, pinned(nil), messages), len(messages), "without a transformer nothing is trimmed")
}

func TestWrapModel_ConcurrentUse(t *testing.T) {
	for name, transformer := range map[string]core.Transformer{"Enforcer": enforcer(t, 3000), "Trim": trim(t, 3000), "guarded": smallest} {
		t.Run(name, func(t *testing.T) {
			var inner stub
			model := langchainkit.WrapModel(&inner, transformer)
			shared := everything()
			tool := llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: "read"}}
			var wait sync.WaitGroup
			for g := range 32 {
				wait.Go(func() {
					messages := talk(20 + g)
					for n := 4; n < len(messages); n += 2 {
						_, err := model.GenerateContent(t.Context(), messages[:n:n], llms.WithTools([]llms.Tool{tool}))
						assert.NoError(t, err)
					}
					_, err := model.GenerateContent(t.Context(), shared)
					assert.NoError(t, err)
				})
			}
			wait.Wait()
			assert.Equal(t, everything(), shared)
		})
	}
}
