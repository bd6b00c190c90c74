package adaptertest

import (
	"context"
	"testing"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// Harness is one shape of an adapter, as the suite drives it: with the framework's real
// client, over HTTP, to the suite's [Server].
type Harness struct {
	Name     string
	Features Feature
	APIs     []API // of the real clients that the framework has

	// Native makes the framework's messages of a history; a new, independent value for each
	// call, so that two of them can be compared with each other. Src is 1 + the index of the
	// message. It is the suite's way in, and shares no code with the adapter.
	Native func(history []core.Message) any

	// Specimens are histories that only the framework can make: with metadata, signatures,
	// images, cache markers, whatever its messages can hold beside what core can. Each call
	// returns new values.
	Specimens func() map[string]any

	// New returns a client of the framework that talks to a server.
	New func(t *testing.T, s Setup) Client
}

// Setup says what a client is to be.
type Setup struct {
	URL         string // of the server, without a path
	API         API
	Bare        bool // without the adapter
	Transformer core.Transformer
	Options     []adapters.Option
	Tools       []Tool
	MaxTokens   int // bound of the reply; 0: the framework's own
	MaxSteps    int // model calls that a loop may make
}

// Client makes model calls. It is safe for concurrent use if the framework is.
type Client interface {
	// Call makes one model call with messages of Native or Specimens. If onChunk is not nil
	// the call streams, and onChunk gets every piece of text.
	Call(ctx context.Context, messages any, onChunk func(string)) (Reply, error)

	// Loop runs the framework's own loop of model calls and tool calls until the model
	// answers without calls. It is asked only where Features has [Loops].
	Loop(ctx context.Context, messages any, onChunk func(string)) (Reply, error)
}

// Reply is a model's answer.
type Reply struct {
	Text  string
	Calls []core.Part // tool calls
}

// Tool is a tool that the model may call.
type Tool struct {
	Name        string
	Description string
	Schema      string // of its arguments, as JSON
	Run         func(ctx context.Context, arguments string) (string, error)
}

// API is a provider's protocol.
type API string

// The protocols that the server speaks.
const (
	ChatCompletions API = "openai"
	Messages        API = "anthropic"
)

// Feature says what a shape can do; a case that needs more is skipped.
type Feature uint16

// The features.
const (
	Streams    Feature = 1 << iota // calls can stream
	Loops                          // the framework has a loop that calls tools
	EveryCall                      // the shape sees every model call of the loop
	Errors                         // it can fail a call
	Retries                        // it can make a call a second time
	Schemas                        // it knows the tools, so that their schemas are counted
	MaxTokens                      // it knows the bound of the reply
	Usage                          // it learns what the provider counted
	Images                         // messages can have images
	Reasoning                      // messages can have reasoning that reaches the wire
	Marks                          // messages can have metadata of ours
	Concurrent                     // one client may be used by several goroutines
)

// Has reports whether all of some features are there.
func (f Feature) Has(all Feature) bool { return f&all == all }
