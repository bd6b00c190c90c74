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
		budget.WithOnReport(func(_ context.Context, r *budget.Report) {
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

// Between the view and the history stands the ledger, to the token.
func ExampleEnforcer_Ledger() {
	ctx, history := context.Background(), looking(25)
	meter := budget.NewMeter(words)
	e, _ := budget.NewEnforcer(meter, budget.Limits{Window: 1600})
	view, _ := e.Transform(ctx, history)
	ledger, _ := e.Ledger(ctx, history)
	ops, removed := make(map[core.Op]int), 0
	for _, edit := range ledger {
		ops[edit.Op]++
		removed += edit.Before - edit.After
	}
	fmt.Println(ops[core.Elide], "results elided,", ops[core.Drop], "exchanges dropped")
	fmt.Println(meter.History(history), "-", removed, "=", meter.History(view))
	// Output:
	// 15 results elided, 5 exchanges dropped
	// 2682 - 1585 = 1097
}

// What a program pins stays as it is, whatever else goes.
func ExampleWithPolicies() {
	history := looking(25)
	history[4].Meta = &core.Meta{ID: "plan"}
	history[6].Meta = &core.Meta{Labels: map[string]string{"keep": "yes"}}
	e, _ := budget.NewEnforcer(budget.NewMeter(words), budget.Limits{Window: 1600}, budget.WithPolicies(budget.Policies(
		budget.PinIDs("plan"),
		budget.PinLabel("keep", "yes"),
		budget.PinIf(func(_ int, m *core.Message) bool { return len(m.Parts) > 0 && m.Parts[0].CallID == "call_8" }),
	)))
	ledger, _ := e.Ledger(context.Background(), history)
	gone := make(map[int]bool)
	for _, edit := range ledger {
		gone[edit.Msg] = true
	}
	for i := 2; i < 20; i += 2 {
		if !gone[i] && !gone[i-1] {
			fmt.Println("message", i, "is as it was")
		}
	}
	// Output:
	// message 4 is as it was
	// message 6 is as it was
	// message 18 is as it was
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
