package anthropic_test

import (
	"fmt"
	"iter"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/anthropic"
)

func ExampleParse() {
	c, err := anthropic.Parse([]byte(`{"model": "m", "system": "Be brief.", "messages": [
  {"role": "user", "content": "Why does the build fail?"},
  {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "build", "input": {}}]},
  {"role": "user", "content": [
    {"type": "tool_result", "tool_use_id": "c1", "content": "a log of many lines, which has been read and answered, and so is no longer needed"},
    {"type": "text", "text": "It did yesterday."}]},
  {"role": "assistant", "content": "A bracket is missing in main.go."},
  {"role": "user", "content": "Mend it, please."}
]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range c.Messages()[2:5] {
		fmt.Println(m.Src, m.Role)
	}

	elideResult := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			yield(core.Edit{Op: core.Elide, Msg: 3, Part: 0, By: -1, Reason: "answered"})
		}
	})
	w := core.NewWindow(c.Messages(), core.WithProfile(core.Anthropic))
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
	// 3 assistant
	// 4 tool
	// 4 user
	// {"model": "m", "system": "Be brief.", "messages": [
	//   {"role": "user", "content": "Why does the build fail?"},
	//   {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "build", "input": {}}]},
	//   {"role": "user", "content": [
	//     {"type": "tool_result", "tool_use_id": "c1", "content": "[trimkit: build result removed: answered; 81 tokens]"},
	//     {"type": "text", "text": "It did yesterday."}]},
	//   {"role": "assistant", "content": "A bracket is missing in main.go."},
	//   {"role": "user", "content": "Mend it, please."}
	// ]}
}

func ExampleEncode() {
	history := []core.Message{
		{Role: core.RoleSystem, Parts: []core.Part{{Text: "Be brief."}}},
		{Role: core.RoleUser, Parts: []core.Part{{Text: "What is 6 times 7?"}}},
		{Role: core.RoleAssistant, Parts: []core.Part{{Kind: core.KindToolCall, CallID: "c1", Tool: "multiply", Text: `{"a":6,"b":7}`}}},
		{Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "c1", Tool: "multiply", Text: "42"}}},
	}
	out, err := anthropic.Encode(history, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", out)

	history[1].Name = "jo"
	_, err = anthropic.Encode(history, nil)
	fmt.Println(err)
	// Output:
	// {"system":"Be brief.","messages":[{"role":"user","content":"What is 6 times 7?"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"multiply","input":{"a":6,"b":7}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"42"}]}]}
	// anthropic: encode: the format cannot hold it: message 1: an author's name
}
