package format_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
)

func ExampleDetect() {
	data := []byte(`[
  {"role": "user", "content": "What is in the folder?"},
  {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "list", "input": {}}]},
  {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a.go"}]}
]`)
	f, reason, err := format.Detect(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %s\n", f.Name, reason)

	h, err := f.Parse(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, writes := h.(wire.Conversation)
	fmt.Println(len(h.Messages()), "messages, can be written again:", writes)
	// Output:
	// anthropic: message 1 has a block of type tool_use
	// 3 messages, can be written again: true
}

func ExampleEncodeLossy() {
	history := []core.Message{
		{Role: core.RoleUser, Name: "jo", Parts: []core.Part{{Text: "What is in the folder?"}}},
		{Role: core.RoleAssistant, Parts: []core.Part{{Kind: core.KindToolCall, CallID: "c1", Tool: "list", Text: "."}}},
	}
	data, losses, err := format.EncodeLossy(history, nil, "anthropic")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, loss := range losses {
		fmt.Println("lost:", loss)
	}
	fmt.Println(string(data))
	// Output:
	// lost: message 0: an author's name
	// lost: message 1, part 0: arguments that are no JSON object
	// {"messages":[{"role":"user","content":"What is in the folder?"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"list","input":{"input":"."}}]}]}
}

// Input that nobody vouches for.
func ExampleParse_limits() {
	limits := wire.Limits{MaxBytes: 1 << 20, MaxDepth: 64, MaxValues: 100_000}
	data := strings.Repeat("[", 1000)
	_, err := format.Parse([]byte(data), format.Auto, wire.WithLimits(limits))
	var over *wire.LimitError
	if errors.As(err, &over) {
		fmt.Println(over.Limit, over.Max)
	}
	// Output:
	// MaxDepth 64
}

func ExampleRefused() {
	h, err := format.Parse([]byte(`[
  {"role": "user", "content": "Where is the sun?"},
  {"role": "assistant", "content": [{"type": "thinking", "thinking": "Up?"}, {"type": "text", "text": "Above."}]}
]`), "anthropic")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, refused := range format.Refused(h.Messages(), "anthropic") {
		fmt.Printf("%s: %s\n", refused.Where(), refused.What)
	}
	// Output:
	// message 1, part 0: reasoning without a signature
}
