package genkitkit_test

import (
	"testing"

	"github.com/trimkit/trimkit/adapters/adaptertest"
)

// TestSuite runs each shape, and each client. The pairs that are left out are in TestWire:
// Genkit validates every message of every call, and a suite of its loops takes its time. Under
// the race detector two have to do, one a client.
func TestSuite(t *testing.T) {
	harnesses := []adaptertest.Harness{
		harness("Middleware", adaptertest.ChatCompletions, 0),
		harness("Plugin", adaptertest.Messages, adaptertest.Reasoning),
	}
	if !raced {
		harnesses = append(harnesses,
			harness("Middleware", adaptertest.Messages, adaptertest.Reasoning),
			harness("DefineModel", adaptertest.ChatCompletions, 0))
	}
	for _, h := range harnesses {
		adaptertest.Run(t, h)
	}
}
