package summary_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/summary"
)

// A program of its own does what an enforcer does with a rung: prepare, then apply.
func ExampleNew() {
	// Stands for a model: an adapter makes one of its framework's own.
	model := summary.SummarizerFunc(func(_ context.Context, history []core.Message) (string, error) {
		fmt.Println("asked once, with", len(history), "messages")
		return "Goal: a list of what is in the files.\nFiles: a.go and b.go have nothing but words.", nil
	})
	s, err := summary.New(model, summary.NewMemory(1<<20), summary.WithMaxTokens(100))
	if err != nil {
		panic(err)
	}
	history := []core.Message{
		{Role: core.RoleUser, Src: 1, Parts: []core.Part{{Text: "What is in a.go and b.go?"}}},
		{Role: core.RoleAssistant, Src: 2, Parts: []core.Part{{Kind: core.KindToolCall, CallID: "1", Tool: "read", Text: `{"path":"a.go"}`}}},
		{Role: core.RoleTool, Src: 3, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "1", Tool: "read", Text: strings.Repeat("word ", 200)}}},
		{Role: core.RoleAssistant, Src: 4, Parts: []core.Part{{Text: "a.go has nothing but words, and so has b.go."}}},
		{Role: core.RoleUser, Src: 5, Parts: []core.Part{{Text: "And c.go?"}}},
	}
	if err := s.Prepare(context.Background(), core.NewWindow(history)); err != nil {
		fmt.Println(err) // nothing will be proposed
	}
	for range 2 { // the second time it is in the memo, as it would be at a replay
		w := core.NewWindow(history)
		if _, err := core.Apply(w, s); err != nil {
			panic(err)
		}
		for _, m := range w.View() {
			fmt.Printf("%s: %s\n", m.Role, m.Parts[0].Text)
		}
	}
	// Output:
	// asked once, with 2 messages
	// user: What is in a.go and b.go?
	// user: [trimkit: inserted: summary of earlier messages]
	// Goal: a list of what is in the files.
	// Files: a.go and b.go have nothing but words.
	// user: And c.go?
	// user: What is in a.go and b.go?
	// user: [trimkit: inserted: summary of earlier messages]
	// Goal: a list of what is in the files.
	// Files: a.go and b.go have nothing but words.
	// user: And c.go?
}

func ExampleOpenDirectory() {
	dir, err := os.MkdirTemp("", "memo")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	memo, err := summary.OpenDirectory(dir)
	if err != nil {
		panic(err)
	}
	defer func() { _ = memo.Close() }()
	if err := memo.Put(summary.Key{1}, summary.Entry{Text: "Goal: go on."}); err != nil {
		panic(err)
	}
	entry, known := memo.Get(summary.Key{1}) // in any process
	fmt.Println(entry.Text, known)
	// Output: Goal: go on. true
}

func ExampleWithConstraints() {
	rules := summary.WithConstraints(func(m *core.Message) []string {
		var lines []string
		for _, p := range m.Parts {
			for line := range strings.Lines(p.Text) {
				if strings.HasPrefix(strings.TrimSpace(line), "Never ") {
					lines = append(lines, line)
				}
			}
		}
		return lines
	})
	_, err := summary.New(summary.SummarizerFunc(func(context.Context, []core.Message) (string, error) {
		return "", summary.ErrToolCall
	}), summary.NewMemory(1<<20), rules)
	fmt.Println(err)
	// Output: <nil>
}
