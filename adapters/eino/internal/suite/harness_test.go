package suite_test

import "github.com/trimkit/trimkit/adapters/adaptertest"

const (
	// Of a shape that sees messages alone.
	common = adaptertest.Streams | adaptertest.Loops | adaptertest.EveryCall | adaptertest.Images | adaptertest.Marks
	// Of one that is a model.
	whole = common | adaptertest.Errors | adaptertest.Retries | adaptertest.Schemas | adaptertest.MaxTokens | adaptertest.Usage
)

// harnesses are all shapes with both clients.
func harnesses() (all []adaptertest.Harness) {
	for _, api := range []adaptertest.API{adaptertest.ChatCompletions, adaptertest.Messages} {
		var reasoning adaptertest.Feature
		if api == adaptertest.Messages { // the client for OpenAI does not send it
			reasoning = adaptertest.Reasoning
		}
		for _, h := range []adaptertest.Harness{
			{Name: "WrapModel", Features: whole | adaptertest.Concurrent, New: newWrapModel},
			{Name: "WrapModel in package adk", Features: whole | adaptertest.Concurrent, New: newADK},
			{Name: "AgentMiddleware", Features: common | adaptertest.Errors | adaptertest.Concurrent, New: newMiddleware},
			{Name: "MessageModifier", Features: common | adaptertest.Concurrent, New: newModifier},
			{Name: "StatePreHandler", Features: common | adaptertest.Errors | adaptertest.Concurrent, New: newHandler},
			{Name: "Lambda", Features: common | adaptertest.Errors | adaptertest.Concurrent, New: newLambda},
		} {
			h.Name += ", " + string(api)
			h.Features |= reasoning
			h.APIs = []adaptertest.API{api}
			if raced && api == adaptertest.Messages {
				h.Features &^= adaptertest.Streams
			}
			h.Native, h.Specimens = native, specimens(api)
			all = append(all, h)
		}
	}
	return all
}
