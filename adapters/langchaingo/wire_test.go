package langchainkit_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/callbacks"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/openai"

	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
)

// provider answers every request in both protocols, and notes what it got.
type provider struct {
	*httptest.Server

	refusals int // requests that it refuses as too long
	mu       sync.Mutex
	bodies   []string
}

func serve(t *testing.T) *provider {
	t.Helper()
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.bodies = append(p.bodies, string(body))
		switch {
		case p.refusals > 0:
			p.refusals--
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"type":"invalid_request_error","message":"prompt is too long: 9000 tokens > 8192 maximum"}}`)
		case strings.HasSuffix(r.URL.Path, "/messages"):
			fmt.Fprint(w, `{"content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":70}}`)
		case strings.Contains(string(body), `"stream":true`):
			fmt.Fprint(w, `data: {"choices":[{"delta":{"content":"o"}}]}`+"\n\n"+`data: {"choices":[{"delta":{"content":"k"}}]}`+"\n\ndata: [DONE]\n\n")
		default:
			fmt.Fprint(w, `{"choices":[{"message":{"content":"ok"}}],"usage":{"prompt_tokens":70}}`)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

// last returns the bodies since the last time.
func (p *provider) last() []string {
	defer func() { p.bodies = nil }()
	return p.bodies
}

// handler counts the events of a model.
type handler struct {
	callbacks.SimpleHandler

	started [][]llms.MessageContent
	ended   int
}

func (h *handler) HandleLLMGenerateContentStart(_ context.Context, ms []llms.MessageContent) {
	h.started = append(h.started, ms)
}
func (h *handler) HandleLLMGenerateContentEnd(context.Context, *llms.ContentResponse) { h.ended++ }

func clients(t *testing.T, p *provider, h callbacks.Handler) map[string]llms.Model {
	t.Helper()
	gpt, err := openai.New(openai.WithBaseURL(p.URL), openai.WithToken("none"), openai.WithModel("gpt-4o"), openai.WithCallback(h))
	require.NoError(t, err)
	claude, err := anthropic.New(anthropic.WithBaseURL(p.URL), anthropic.WithToken("none"), anthropic.WithModel("claude-sonnet-4"))
	require.NoError(t, err)
	claude.CallbacksHandler = h
	return map[string]llms.Model{"openai": gpt, "anthropic": claude}
}

// dialogue is a conversation that both clients can send.
func dialogue(turns int) []llms.MessageContent {
	messages := []llms.MessageContent{text(llms.ChatMessageTypeSystem, "be brief"), human("the task")}
	for i := range turns {
		id := fmt.Sprint("c", i)
		messages = append(messages, calls(call(id, "read", fmt.Sprintf(`{"page":%d}`, i))), result(id, "read", long(id)))
	}
	return messages
}

func TestClients_TheSameBytesWithoutAnEdit(t *testing.T) {
	p := serve(t)
	for name, inner := range clients(t, p, nil) {
		messages := dialogue(5)
		options := []llms.CallOption{
			llms.WithMaxTokens(99), llms.WithTemperature(0.3), llms.WithStopWords([]string{"stop"}),
			llms.WithTools([]llms.Tool{{Type: "function", Function: &llms.FunctionDefinition{Name: "read", Parameters: map[string]any{"type": "object"}}}}),
		}
		_, err := inner.GenerateContent(t.Context(), messages, options...)
		require.NoError(t, err, name)
		_, err = langchainkit.WrapModel(inner, enforcer(t, 100_000)).GenerateContent(t.Context(), messages, options...)
		require.NoError(t, err, name)
		bodies := p.last()
		require.Len(t, bodies, 2)
		assert.Equal(t, bodies[0], bodies[1], name)
		_, reasons := langchainkit.WrapModel(inner, nil).(llms.ReasoningModel)
		assert.True(t, reasons)
	}
}

func TestClients_CallbacksFireOnceAndSeeWhatIsSent(t *testing.T) {
	p := serve(t)
	for _, name := range []string{"openai", "anthropic"} {
		h := &handler{}
		messages := dialogue(40)
		response, err := langchainkit.WrapModel(clients(t, p, h)[name], enforcer(t, 2000)).GenerateContent(t.Context(), messages)
		require.NoError(t, err)
		assert.Equal(t, "ok", response.Choices[0].Content)
		require.Len(t, h.started, 1)
		assert.LessOrEqual(t, h.ended, 1) // Anthropic's client has no such event
		assert.NotEqual(t, messages, h.started[0])
		assert.Equal(t, dialogue(40), messages)
	}
}

func TestClients_RefusalAndUsage(t *testing.T) {
	p := serve(t)
	for name, inner := range clients(t, p, nil) {
		var s seen
		messages, model := dialogue(20), langchainkit.WrapModel(inner, &s)
		for _, m := range [][]llms.MessageContent{messages, append(messages, ai("ok"), human("more"))} {
			_, err := model.GenerateContent(t.Context(), m)
			require.NoError(t, err, name)
		}
		assert.Equal(t, []int{0, 70}, []int{s.requests[0].Usage, s.requests[1].Usage}, name)
		p.last()

		p.refusals = 1
		_, err := langchainkit.WrapModel(inner, enforcer(t, 3600)).GenerateContent(t.Context(), messages)
		require.NoError(t, err, name)
		bodies := p.last()
		require.Len(t, bodies, 2, name)
		assert.Less(t, len(bodies[1]), len(bodies[0]), name)
	}
}

func TestClients_Streaming(t *testing.T) {
	p := serve(t)
	var streamed string
	model := langchainkit.WrapModel(clients(t, p, nil)["openai"], enforcer(t, 2000))
	response, err := model.GenerateContent(t.Context(), dialogue(40), llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
		streamed += string(chunk)
		return nil
	}))
	require.NoError(t, err)
	assert.Equal(t, "ok", streamed)
	assert.Equal(t, "ok", response.Choices[0].Content)
}
