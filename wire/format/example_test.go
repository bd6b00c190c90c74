package format_test

import (
	"fmt"

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
