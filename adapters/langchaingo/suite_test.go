package langchainkit_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

func TestSuite(t *testing.T) {
	for _, h := range append(chatHarnesses(), modelHarness()) {
		adaptertest.Run(t, h)
	}
}

// Every harness sends the same with the adapter as without.
func TestHarnesses(t *testing.T) {
	p := serve(t)
	history := coretest.Parse("S U A(c1,c2) T(c1) T(c2) A U")
	for _, h := range append(chatHarnesses(), modelHarness()) {
		for _, api := range h.APIs {
			for _, bare := range []bool{true, false} {
				client := h.New(t, adaptertest.Setup{URL: p.URL, API: api, Bare: bare, MaxTokens: 50, Transformer: core.Chain()})
				reply, err := client.Call(t.Context(), h.Native(history), nil)
				require.NoError(t, err)
				assert.Equal(t, "ok", reply.Text)
			}
			bodies := p.last()
			require.Len(t, bodies, 2)
			assert.Equal(t, bodies[0], bodies[1], "%s, %s", h.Name, api)
		}
	}
}
