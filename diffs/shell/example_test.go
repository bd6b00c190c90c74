package shell_test

import (
	"fmt"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/diffs/shell"
)

func ExampleParser() {
	tools, err := diffs.NewTools(diffs.WithShell(shell.Parser{}))
	if err != nil {
		panic(err)
	}
	history := []core.Message{
		{Role: core.RoleAssistant, Parts: []core.Part{{
			Kind: core.KindToolCall, CallID: "1", Tool: "bash",
			Text: `{"command": "(cd cmd && sed -i 's/old/new/' main.go) && if true; then rm notes.txt; fi"}`,
		}}},
		{Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, Status: core.StatusOK, CallID: "1"}}},
	}
	for _, call := range tools.Calls(history) {
		for _, e := range call.Events {
			fmt.Println(e.Op, e.Path, e.Certain)
		}
	}
	// Output:
	// edit cmd/main.go true
	// delete notes.txt false
}

func ExampleParser_Parse() {
	commands, ok := shell.Parser{}.Parse("cat $(git ls-files | head -1) > out.txt")
	fmt.Println(ok)
	for _, c := range commands {
		fmt.Println(c.Words[0].Text, c.Piped, c.Nested)
	}
	// Output:
	// true
	// git true true
	// head false true
	// cat false false
}
