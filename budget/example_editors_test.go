package budget_test

import (
	"context"
	"fmt"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

func ExampleElideResults() {
	history := coretest.Parse("U A(a) T(a) A(b) T(b) A U")
	elide := core.Transform(budget.ElideResults(budget.KeepNewest(1)))
	view, err := elide.Transform(context.Background(), history)
	if err != nil {
		panic(err)
	}
	fmt.Println(view[2].Parts[0].Text)
	fmt.Println(view[4].Parts[0].Text == history[4].Parts[0].Text)
	// Output:
	// [trimkit: Read result removed: old, to make room; 100 tokens]
	// true
}

func ExampleReasoning() {
	history := coretest.Parse("U=Why? ?A=Because. U=And_now? ?A(a)")
	view, err := core.Transform(budget.Reasoning()).Transform(context.Background(), history)
	if err != nil {
		panic(err)
	}
	fmt.Print(coretest.Format(view))
	// Output:
	// 0 user #1: text(4)
	// 1 assistant #2: text(8)
	// 2 user #3: text(8)
	// 3 assistant #4: reasoning(109) call("a" Read, 11)
}

func ExampleResolvedFailures() {
	history := coretest.Parse("U A(a) T(a!) A(b) T(b) A")
	history[4].Parts[0].Status = core.StatusOK // the same call, and it worked
	view, err := core.Transform(budget.ResolvedFailures()).Transform(context.Background(), history)
	if err != nil {
		panic(err)
	}
	fmt.Print(coretest.Format(view))
	// Output:
	// 0 user #1: text(100)
	// 1 assistant #4: call("b" Read, 11)
	// 2 tool #5: result("b" Read, ok, 100)
	// 3 assistant #6: text(100)
}

func ExampleByPolicy() {
	history := coretest.Parse("U A A A U")
	history[1].Policy = core.Preservable
	history[3].Policy = core.Ephemeral
	w := core.NewWindow(history)
	for edit := range budget.ByPolicy(budget.PolicyOptions{Pressure: 200}).Edits(w) {
		fmt.Println(edit.Op, edit.Msg)
	}
	// Output:
	// drop 3
	// drop 2
	// drop 1
}

func ExampleOldestTurns() {
	history := coretest.Parse("S U A U A U A U A")
	view, err := core.Transform(budget.OldestTurns(2)).Transform(context.Background(), history)
	if err != nil {
		panic(err)
	}
	fmt.Print(coretest.Format(view))
	// Output:
	// 0 system #1: text(100)
	// 1 user #2: text(100)
	// 2 user #6: text(100)
	// 3 assistant #7: text(100)
	// 4 user #8: text(100)
	// 5 assistant #9: text(100)
}
