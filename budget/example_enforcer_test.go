package budget_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// looking is the conversation of an agent that looks into so many files.
func looking(files int) []core.Message {
	history := []core.Message{{Src: 1, Role: core.RoleUser, Parts: []core.Part{{Text: "find the bug"}}}}
	for i := range files {
		id, src := fmt.Sprint("call_", i), int32(len(history)+1)
		history = append(history,
			core.Message{Src: src, Role: core.RoleAssistant, Parts: []core.Part{{Kind: core.KindToolCall, CallID: id, Tool: "read", Text: fmt.Sprintf(`{"path":"f%d"}`, i)}}},
			core.Message{Src: src + 1, Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, CallID: id, Tool: "read", Text: strings.Repeat("line ", 80)}}})
	}
	return history
}

// A view grows with its history until it crosses the trigger, shrinks at once, and grows on.
func ExampleNewEnforcer() {
	meter := budget.NewMeter(words)
	e, err := budget.NewEnforcer(meter, budget.Limits{Window: 1600},
		budget.WithOnReport(func(r *budget.Report) {
			fmt.Printf("%s: %d edits, %d tokens became %d\n", r.Trigger, len(r.Edits), r.TokensBefore, r.TokensAfter)
		}))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, history := context.Background(), looking(25)
	for n := 1; n <= len(history); n += 2 {
		if _, err := e.Transform(ctx, history[:n]); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// mark: 6 edits, 1391 tokens became 971
	// mark: 6 edits, 1399 tokens became 979
	// mark: 7 edits, 1407 tokens became 983
	// mark: 6 edits, 1304 tokens became 983
}

func ExampleEnforcer_Explain() {
	e, _ := budget.NewEnforcer(budget.NewMeter(words), budget.Limits{Window: 1600})
	report, _ := e.Explain(context.Background(), looking(10))
	for _, edit := range report.Edits {
		fmt.Printf("message %d: %s, %s, %d tokens become %d\n", edit.Msg, edit.Op, edit.Reason, edit.Before, edit.After)
	}
	// Output:
	// message 2: elide, old, to make room, 88 tokens become 18
	// message 4: elide, old, to make room, 88 tokens become 18
	// message 6: elide, old, to make room, 88 tokens become 18
}

func ExampleEnforcer_Collect() {
	e, _ := budget.NewEnforcer(budget.NewMeter(words), budget.Limits{Window: 1600})
	report, _ := e.Collect(context.Background(), looking(10))
	for _, rung := range report.Rungs {
		fmt.Printf("%s freed %d tokens\n", rung.Rung, rung.Tokens)
	}
	// Output:
	// reasoning freed 0 tokens
	// resolved-failures freed 0 tokens
	// old-results freed 210 tokens
}

// What Collect did is not in the history: the state takes it to another process.
func ExampleEnforcer_State() {
	ctx, history := context.Background(), looking(10)
	meter, limits := budget.NewMeter(words), budget.Limits{Window: 1600}
	here, _ := budget.NewEnforcer(meter, limits)
	_, _ = here.Collect(ctx, history)
	data, err := here.State(history, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	there, _ := budget.NewEnforcer(meter, limits)
	if err := there.Restore(history, data); err != nil {
		fmt.Println(err)
		return
	}
	a, _ := here.Transform(ctx, history)
	b, _ := there.Transform(ctx, history)
	fmt.Println(meter.History(history), meter.History(a), meter.History(b))
	// Output:
	// 1077 867 867
}
