package diffs_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

const before = `     1→package main
     2→
     3→// main greets whoever started it, in the language of the machine.
     4→func main() {
     5→	println("hello, whoever you are")
     6→}
`

const after = `     1→package main
     2→
     3→// main greets whoever started it, in the language of the machine.
     4→// It says no more.
     5→func main() {
     6→	fmt.Print("hello, whoever you are")
     7→}
`

// session is a conversation with an agent that reads main.go, changes it, and reads it again.
func session() []core.Message {
	history := []core.Message{{Role: core.RoleUser, Src: 1, Parts: []core.Part{{Text: "Use package fmt in main.go."}}}}
	history = exchange(history, "Read", `{"file_path":"main.go"}`, before)
	history = exchange(history, "Edit", `{"file_path":"main.go","old_string":"println","new_string":"fmt.Print"}`, "The file main.go has been updated.")
	history = exchange(history, "Edit", `{"file_path":"main.go","old_string":"func main","new_string":"// It says no more.\nfunc main"}`, "The file main.go has been updated.")
	history = exchange(history, "Read", `{"file_path":"main.go"}`, after)
	return reply(history, "Done.")
}

// exchange appends a call and its result.
func exchange(history []core.Message, tool, arguments, result string) []core.Message {
	n := int32(len(history))
	id := fmt.Sprintf("call_%d", n)
	return append(history,
		core.Message{Role: core.RoleAssistant, Src: n + 1, Parts: []core.Part{{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: arguments}}},
		core.Message{Role: core.RoleTool, Src: n + 2, Parts: []core.Part{{Kind: core.KindToolResult, CallID: id, Tool: tool, Text: result, Status: core.StatusOK}}})
}

func reply(history []core.Message, text string) []core.Message {
	return append(history, core.Message{Role: core.RoleAssistant, Src: int32(len(history) + 1), Parts: []core.Part{{Text: text}}})
}

// show prints a view, a message a line.
func show(view []core.Message) {
	for _, m := range view {
		text, _, _ := strings.Cut(strings.TrimSpace(m.Parts[0].Text), "\n")
		fmt.Printf("%d %s: %s\n", m.Src-1, m.Role, text)
	}
}

// The first read is stale: the second one shows the same lines, as they are now.
func ExampleStaleReads() {
	view, err := core.Transform(diffs.StaleReads()).Transform(context.Background(), session())
	if err != nil {
		log.Fatal(err)
	}
	show(view)
	// Output:
	// 0 user: Use package fmt in main.go.
	// 1 assistant: {"file_path":"main.go"}
	// 2 tool: [trimkit: Read result removed: a newer copy shows the same lines of the file; 186 tokens; see the later Read]
	// 3 assistant: {"file_path":"main.go","old_string":"println","new_string":"fmt.Print"}
	// 4 tool: The file main.go has been updated.
	// 5 assistant: {"file_path":"main.go","old_string":"func main","new_string":"// It says no more.\nfunc main"}
	// 6 tool: The file main.go has been updated.
	// 7 assistant: {"file_path":"main.go"}
	// 8 tool: 1→package main
	// 9 assistant: Done.
}

// The newer copy shows what the edits did. The last change between two equal calls stays, since
// without it nobody could say why the second one gave something else.
func ExampleOutdatedDiffs() {
	steps := core.Chain(core.Transform(diffs.StaleReads()), core.Transform(diffs.OutdatedDiffs()))
	view, err := steps.Transform(context.Background(), session())
	if err != nil {
		log.Fatal(err)
	}
	show(view)
	// Output:
	// 0 user: Use package fmt in main.go.
	// 1 assistant: {"file_path":"main.go"}
	// 2 tool: [trimkit: Read result removed: a newer copy shows the same lines of the file; 186 tokens; see the later Read]
	// 5 assistant: {"file_path":"main.go","old_string":"func main","new_string":"// It says no more.\nfunc main"}
	// 6 tool: The file main.go has been updated.
	// 7 assistant: {"file_path":"main.go"}
	// 8 tool: 1→package main
	// 9 assistant: Done.
}

// The same call gave the same result, and nothing was changed in between.
func ExampleDuplicates() {
	const matches = "main.go:5:\tprintln(\"hello, whoever you are\")\ncmd/greet/greet.go:12:\tprintln(\"hello again\")\ncmd/greet/greet_test.go:8:\t// println writes to standard error\n" +
		"docs/style.md:3:Use package fmt, and never println.\n"
	history := []core.Message{{Role: core.RoleUser, Src: 1, Parts: []core.Part{{Text: "Who calls println?"}}}}
	history = exchange(history, "Grep", `{"pattern":"println"}`, matches)
	history = exchange(history, "Grep", `{"pattern":"println"}`, matches)
	view, err := core.Transform(diffs.Duplicates()).Transform(context.Background(), reply(history, "These."))
	if err != nil {
		log.Fatal(err)
	}
	show(view)
	// Output:
	// 0 user: Who calls println?
	// 1 assistant: {"pattern":"println"}
	// 2 tool: [trimkit: Grep result removed: a later call gave the same result; 206 tokens; see the later Grep]
	// 3 assistant: {"pattern":"println"}
	// 4 tool: main.go:5:	println("hello, whoever you are")
	// 5 assistant: These.
}

func ExampleState() {
	for _, f := range diffs.State(session()) {
		fmt.Printf("%s: %d lines, complete: %t, last: %s in message %d\n", f.Path, f.Lines, f.Complete, f.Last.Op, f.At.Msg)
		line, _ := f.Text(diffs.Lines{First: 6, Last: 6})
		fmt.Println(strings.TrimSpace(line))
	}
	// Output:
	// main.go: 7 lines, complete: true, last: read in message 7
	// fmt.Print("hello, whoever you are")
}

// A program's own tool, in JSON: its arguments have other names than those of known tools.
func ExampleParseRows() {
	rows, err := diffs.ParseRows([]byte(`[
		{"names": ["fetch_source"], "does": "read", "path": ["where"], "shows": "numbered", "otherwise": "ok"}
	]`))
	if err != nil {
		log.Fatal(err)
	}
	tools, err := diffs.NewTools(diffs.WithRows(rows...))
	if err != nil {
		log.Fatal(err)
	}
	history := exchange(nil, "fetch_source", `{"where":"main.go"}`, before)
	for _, c := range tools.Calls(history) {
		e := c.Events[0]
		fmt.Printf("%s %s, %s: %d lines\n", e.Op, e.Path, e.Outcome, e.Copies[0].Lines)
	}
	// Output:
	// read main.go, ok: 6 lines
}
