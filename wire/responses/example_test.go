package responses_test

import (
	"fmt"
	"iter"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/openai"
	"github.com/trimkit/trimkit/wire/responses"
)

func ExampleParse() {
	c, err := responses.Parse([]byte(`{"model": "gpt-5", "input": [
  {"role": "user", "content": "Why does the build fail?"},
  {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "build", "arguments": "{}", "status": "completed"},
  {"type": "function_call_output", "call_id": "c1", "output": "a log of many lines, which has been read and answered, and so is no longer needed"},
  {"id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A bracket is missing."}]},
  {"role": "user", "content": "Mend it, please."}
]}`))
	if err != nil {
		fmt.Println(err)
		return
	}

	elideOutput := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			yield(core.Edit{Op: core.Elide, Msg: 2, Part: 0, By: -1, Reason: "answered"})
		}
	})
	w := core.NewWindow(c.Messages(), core.WithProfile(core.Responses))
	if _, err := core.Apply(w, elideOutput); err != nil {
		fmt.Println(err)
		return
	}
	out, err := c.Write(w.View())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", out)
	// Output:
	// {"model": "gpt-5", "input": [
	//   {"role": "user", "content": "Why does the build fail?"},
	//   {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "build", "arguments": "{}", "status": "completed"},
	//   {"type": "function_call_output", "call_id": "c1", "output": "[trimkit: build result removed: answered; 81 tokens]"},
	//   {"id": "msg_1", "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A bracket is missing."}]},
	//   {"role": "user", "content": "Mend it, please."}
	// ]}
}

// A history of the chat completions API becomes a request of this one.
func ExampleEncode() {
	chat, err := openai.Parse([]byte(`{"messages": [
  {"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}]},
  {"role": "tool", "tool_call_id": "c1", "content": "package main"}
], "tools": [{"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := responses.Encode(chat.Messages(), chat.Request())
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := responses.Parse(out)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range c.Messages() {
		for _, p := range m.Parts {
			fmt.Printf("%s of reply %d: %s %q\n", m.Role, m.Reply, p.Kind, p.Text)
		}
	}
	fmt.Println(c.Request().Schemas[0])
	// Output:
	// assistant of reply 1: text "Let me look."
	// assistant of reply 1: tool-call "{}"
	// tool of reply 0: tool-result "package main"
	// {"type":"function","name":"read","parameters":{"type": "object"},"strict":false}
}
