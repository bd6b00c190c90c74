package format_test

import (
	"fmt"

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
