package openai_test

import (
	"fmt"
	"iter"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/openai"
)

func ExampleParse() {
	c, err := openai.Parse([]byte(`[
  {"role": "user", "content": "Why does the build fail?"},
  {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "build", "arguments": "{}"}}]},
  {"role": "tool", "tool_call_id": "c1", "content": "a log of many lines, which has been read and answered, and so is no longer needed"},
  {"role": "assistant", "content": "A bracket is missing in main.go.", "confidence": 0.90},
  {"role": "user", "content": "Mend it, please."}
]`))
	if err != nil {
		fmt.Println(err)
		return
	}

	elideResult := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			yield(core.Edit{Op: core.Elide, Msg: 2, Part: 0, By: -1, Reason: "answered"})
		}
	})
	w := core.NewWindow(c.Messages())
	if _, err := core.Apply(w, elideResult); err != nil {
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
	// [
	//   {"role": "user", "content": "Why does the build fail?"},
	//   {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "build", "arguments": "{}"}}]},
	//   {"role": "tool", "tool_call_id": "c1", "content": "[trimkit: build result removed: answered; 81 tokens]"},
	//   {"role": "assistant", "content": "A bracket is missing in main.go.", "confidence": 0.90},
	//   {"role": "user", "content": "Mend it, please."}
	// ]
}

func ExampleEncodeLines() {
	history := []core.Message{
		{Role: core.RoleUser, Parts: []core.Part{{Text: "What is in the folder?"}}},
		{Role: core.RoleAssistant, Parts: []core.Part{
			{Kind: core.KindReasoning, Text: "I have to look."},
			{Kind: core.KindToolCall, CallID: "c1", Tool: "list", Text: `{"path":"."}`},
		}},
	}
	lines, err := openai.EncodeLines(history)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(lines))
	// Output:
	// {"role":"user","content":"What is in the folder?"}
	// {"role":"assistant","reasoning_content":"I have to look.","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"list","arguments":"{\"path\":\".\"}"}}]}
}
