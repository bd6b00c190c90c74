package genkitkit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// onWire runs a test for each shape with each of Genkit's real clients, streaming and not.
func onWire(t *testing.T, test func(t *testing.T, h adaptertest.Harness, onChunk func(string))) {
	t.Helper()
	for _, h := range harnesses() {
		t.Run(h.Name, func(t *testing.T) { test(t, h, nil) })
		t.Run(h.Name+" streaming", func(t *testing.T) { test(t, h, func(string) {}) })
	}
}

// TestWire_identity: under budget, the adapter does not change a byte of a request.
func TestWire_identity(t *testing.T) {
	onWire(t, func(t *testing.T, h adaptertest.Harness, onChunk func(string)) {
		t.Helper()
		s := adaptertest.NewServer(func(*adaptertest.Request) adaptertest.Answer { return adaptertest.Answer{Text: "done"} })
		t.Cleanup(s.Close)
		bare, with := h.New(t, adaptertest.Setup{URL: s.URL, API: h.APIs[0], Bare: true}), h.New(t, adaptertest.Setup{URL: s.URL, API: h.APIs[0], Transformer: identity(t)})
		specimens, untouched := h.Specimens(), h.Specimens()
		for name := range specimens {
			_, err := bare.Call(t.Context(), specimens[name], onChunk)
			require.NoError(t, err, name)
			reply, err := with.Call(t.Context(), specimens[name], onChunk)
			require.NoError(t, err, name)
			assert.Equal(t, "done", reply.Text, name)
			requests := s.Requests()
			assert.Equal(t, string(requests[len(requests)-2].Body), string(requests[len(requests)-1].Body), name)
			assert.Equal(t, untouched[name], specimens[name], name)
		}
	})
}

// TestWire_loop: a loop whose history passes the window completes with the adapter, in
// requests that a provider takes, and is refused without it.
func TestWire_loop(t *testing.T) {
	const turns, window = 12, 1_000
	onWire(t, func(t *testing.T, h adaptertest.Harness, onChunk func(string)) {
		t.Helper()
		serve := func() *adaptertest.Server {
			s := adaptertest.NewServer(func(r *adaptertest.Request) adaptertest.Answer {
				if r.Index < turns {
					return adaptertest.Answer{Calls: []core.Part{{Kind: core.KindToolCall, Tool: "read", Text: fmt.Sprintf(`{"n":%d}`, r.Index)}}}
				}
				return adaptertest.Answer{Text: "done"}
			}, adaptertest.WithWindow(window))
			t.Cleanup(s.Close)
			return s
		}
		kit, err := budget.NewEnforcer(adaptertest.Meter(), budget.Limits{Window: window})
		require.NoError(t, err)
		s := serve()
		setup := adaptertest.Setup{URL: s.URL, API: h.APIs[0], Transformer: kit, MaxSteps: turns + 1, Tools: []adaptertest.Tool{{
			Name: "read", Description: "reads", Schema: `{"type":"object","properties":{"n":{"type":"integer"}}}`,
			Run: func(context.Context, string) (string, error) { return strings.Repeat("read ", 200), nil },
		}}}
		messages := nativeOf([]core.Message{
			{Role: core.RoleSystem, Parts: []core.Part{{Text: "be brief"}}},
			{Role: core.RoleUser, Parts: []core.Part{{Text: "task"}}},
		})
		reply, err := h.New(t, setup).Loop(t.Context(), messages, onChunk)
		require.NoError(t, err)
		assert.Equal(t, "done", reply.Text)
		assert.Len(t, s.Requests(), turns+1)

		setup.Bare, setup.URL = true, serve().URL
		_, err = h.New(t, setup).Loop(t.Context(), messages, onChunk)
		require.True(t, adapters.ContextLimit(err), err)
	})
}
