package gemini_test

import (
	"fmt"
	"iter"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/gemini"
)

func ExampleParse() {
	c, err := gemini.Parse([]byte(`{
  "system_instruction": {"parts": [{"text": "You mend programs."}]},
  "contents": [
    {"role": "user", "parts": [{"text": "Why does the build fail?"}]},
    {"role": "model", "parts": [{"functionCall": {"name": "build", "args": {}}, "thoughtSignature": "c2ln"}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "build", "response": {"output": "a log of many lines, which has been read and answered, and so is no longer needed"}}}]},
    {"role": "model", "parts": [{"text": "A bracket is missing in main.go."}]},
    {"role": "user", "parts": [{"text": "Mend it, please."}]}
  ]
}`))
	if err != nil {
		fmt.Println(err)
		return
	}

	elideResult := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			yield(core.Edit{Op: core.Elide, Msg: 3, Part: 0, By: -1, Reason: "answered"})
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
	// {
	//   "system_instruction": {"parts": [{"text": "You mend programs."}]},
	//   "contents": [
	//     {"role": "user", "parts": [{"text": "Why does the build fail?"}]},
	//     {"role": "model", "parts": [{"functionCall": {"name": "build", "args": {}}, "thoughtSignature": "c2ln"}]},
	//     {"role": "user", "parts": [{"functionResponse": {"name": "build", "response": {"output": "[trimkit: build result removed: answered; 81 tokens]"}}}]},
	//     {"role": "model", "parts": [{"text": "A bracket is missing in main.go."}]},
	//     {"role": "user", "parts": [{"text": "Mend it, please."}]}
	//   ]
	// }
}

func ExampleEncode() {
	out, err := gemini.Encode([]core.Message{
		{Role: core.RoleUser, Parts: []core.Part{{Text: "Is it raining?"}}},
		{Role: core.RoleAssistant, Parts: []core.Part{{Kind: core.KindToolCall, CallID: "1", Tool: "look", Text: `{"where":"outside"}`}}},
		{Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "1", Tool: "look", Text: "It is.", Status: core.StatusOK}}},
	}, nil)
	fmt.Printf("%s%v\n", out, err)

	_, err = gemini.Encode([]core.Message{
		{Role: core.RoleUser, Name: "jo", Parts: []core.Part{{Text: "Is it raining?"}}},
	}, nil)
	fmt.Println(err)
	// Output:
	// {"contents":[
	// {"role":"user","parts":[{"text":"Is it raining?"}]},
	// {"role":"model","parts":[{"functionCall":{"id":"1","name":"look","args":{"where":"outside"}}}]},
	// {"role":"user","parts":[{"functionResponse":{"id":"1","name":"look","response":{"output":"It is."}}}]}
	// ]}
	// <nil>
	// gemini: encode: the format cannot hold it: message 0: an author's name
}
