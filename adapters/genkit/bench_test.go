package genkitkit_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/core"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

// talk is a conversation of texts.
func talk(n int) []*ai.Message {
	messages := []*ai.Message{ai.NewSystemTextMessage("be brief")}
	for i := 1; i < n; i++ {
		role := ai.RoleUser
		if i%2 == 0 {
			role = ai.RoleModel
		}
		messages = append(messages, ai.NewTextMessage(role, fmt.Sprintf("message %d says that nothing much has happened since the one before it", i)))
	}
	return messages
}

// work is a conversation of tool calls with structured inputs and outputs.
func work(n int) []*ai.Message {
	messages := []*ai.Message{ai.NewSystemTextMessage("be brief"), ai.NewUserTextMessage("task")}
	for i := 0; len(messages) < n; i++ {
		ref := fmt.Sprint(i)
		messages = append(messages,
			ai.NewModelMessage(request("query", ref, map[string]any{"table": "t", "limit": i})),
			ai.NewMessage(ai.RoleTool, nil, response("query", ref, map[string]any{"rows": []any{map[string]any{"id": i, "name": "a name"}, map[string]any{"id": i, "name": "another"}}})))
	}
	return messages
}

var sizes = []int{10, 100, 1_000, 10_000}

func instant(context.Context, *ai.ModelRequest, ai.ModelStreamCallback) (*ai.ModelResponse, error) {
	return &ai.ModelResponse{Message: ai.NewModelTextMessage("done")}, nil
}

// BenchmarkAdapter is the middleware alone, around a model that answers at once.
func BenchmarkAdapter(b *testing.B) {
	for _, kind := range []struct {
		name string
		of   func(int) []*ai.Message
	}{{"texts", talk}, {"structured", work}} {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("identity/%s/%d", kind.name, n), func(b *testing.B) {
				run := genkitkit.Middleware(nil)(instant)
				r := &ai.ModelRequest{Messages: kind.of(n)}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := run(b.Context(), r, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("first/structured/%d", n), func(b *testing.B) {
			run := genkitkit.Middleware(nil)(instant)
			for b.Loop() {
				b.StopTimer()
				r := &ai.ModelRequest{Messages: work(n)}
				b.StartTimer()
				if _, err := run(b.Context(), r, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("enforcer/texts/%d", n), func(b *testing.B) { benchmarkEnforcer(b, n) })
	}
}

// benchmarkEnforcer is a call with a history that has grown by an exchange since the one
// before it, with what trimkit.New returns and a window that holds two thirds of it.
func benchmarkEnforcer(b *testing.B, n int) {
	b.Helper()
	all := talk(n + 2_000)
	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: max(12*n, 1_000)})
	require.NoError(b, err)
	run := genkitkit.Middleware(kit)(instant)
	_, err = run(b.Context(), &ai.ModelRequest{Messages: all[:n]}, nil) // counts what is there
	require.NoError(b, err)
	at := n
	b.ReportAllocs()
	for b.Loop() {
		if at += 2; at > len(all) {
			at = n
		}
		if _, err := run(b.Context(), &ai.ModelRequest{Messages: all[:at]}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGenerate is Genkit's own call, bare and with each shape.
func BenchmarkGenerate(b *testing.B) {
	g := genkit.Init(b.Context())
	genkit.DefineModel(g, "test/model", &ai.ModelOptions{Supports: supports}, instant)
	identity := core.Transformer(nil)
	_, err := genkitkit.DefineModel(g, "wrapped", ai.NewModelRef("test/model", nil), identity)
	require.NoError(b, err)
	for _, n := range sizes {
		messages := talk(n)
		for _, c := range []struct {
			name string
			opts []ai.GenerateOption
		}{
			{"bare", []ai.GenerateOption{ai.WithModelName("test/model")}},
			{"middleware", []ai.GenerateOption{ai.WithModelName("test/model"), ai.WithMiddleware(genkitkit.Middleware(identity))}},
			{"wrapped", []ai.GenerateOption{ai.WithModelName("wrapped")}},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := genkit.Generate(b.Context(), g, append(c.opts, ai.WithMessages(messages...))...); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
