package langchainkit_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/trimkit/trimkit"
	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
)

var sizes = []int{10, 100, 1000, 10_000}

// plainTalk returns a conversation of short texts.
func plainTalk(n int) []llms.MessageContent {
	messages := make([]llms.MessageContent, n)
	for i := range messages {
		messages[i] = human(fmt.Sprintf("message %d is about as long as a person types", i))
		if i%2 == 1 {
			messages[i].Role = llms.ChatMessageTypeAI
		}
	}
	return messages
}

// silent is a model that does nothing.
type silent struct{ llms.Model }

var answer = says("ok")

func (silent) GenerateContent(context.Context, []llms.MessageContent, ...llms.CallOption) (*llms.ContentResponse, error) {
	return answer, nil
}

// offline answers at once, so that what is measured is the client's own work.
type offline struct{}

func (offline) Do(r *http.Request) (*http.Response, error) {
	_, err := io.Copy(io.Discard, r.Body)
	body := `{"choices":[{"message":{"content":"ok"}}]}`
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body)), Request: r}, err
}

func client(b *testing.B) llms.Model {
	b.Helper()
	model, err := openai.New(openai.WithHTTPClient(offline{}), openai.WithToken("none"), openai.WithModel("gpt-4o"))
	require.NoError(b, err)
	return model
}

func generate(b *testing.B, model llms.Model, messages []llms.MessageContent) {
	b.Helper()
	if _, err := model.GenerateContent(b.Context(), messages); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCall compares calls with the adapter to the same without it. Model "none" does
// nothing, so what is left is the adapter; "client" is the framework's, up to the network.
func BenchmarkCall(b *testing.B) {
	identity := core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) { return h, nil })
	for name, inner := range map[string]llms.Model{"none": silent{}, "client": client(b)} {
		for _, n := range sizes {
			messages := plainTalk(n)
			for _, with := range []struct {
				name  string
				model llms.Model
			}{
				{"bare", inner},
				{"identity", langchainkit.WrapModel(inner, nil)},
				{"guarded", langchainkit.WrapModel(inner, identity)},
			} {
				b.Run(fmt.Sprintf("model=%s/messages=%d/%s", name, n, with.name), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						generate(b, with.model, messages)
					}
				})
			}
		}
	}
}

// BenchmarkGrowing makes calls with a history that grows by an exchange each time.
func BenchmarkGrowing(b *testing.B) {
	const calls = 50
	for name, inner := range map[string]llms.Model{"none": silent{}, "client": client(b)} {
		for _, n := range sizes {
			messages := plainTalk(n + 1 + 2*calls)
			fresh := func() llms.Model {
				kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o"})
				require.NoError(b, err)
				model := langchainkit.WrapModel(inner, kit)
				generate(b, model, messages[:n+1])
				return model
			}
			for _, with := range []string{"bare", "enforcer"} {
				b.Run(fmt.Sprintf("model=%s/messages=%d/%s", name, n, with), func(b *testing.B) {
					b.ReportAllocs()
					model, made := inner, 0
					if with == "enforcer" {
						model = fresh()
					}
					for b.Loop() {
						if made++; made > calls {
							b.StopTimer()
							if made = 1; with == "enforcer" {
								model = fresh()
							}
							b.StartTimer()
						}
						generate(b, model, messages[:n+1+2*made])
					}
				})
			}
		}
	}
}
