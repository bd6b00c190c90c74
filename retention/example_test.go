package retention_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/retention"
)

func ExamplePolicies() {
	say := func(role core.Role, text string) core.Message {
		return core.Message{Role: role, Src: 1, Parts: []core.Part{{Text: text}}}
	}
	history := []core.Message{
		say(core.RoleUser, "plan the move"),
		retention.Set(say(core.RoleAssistant, "the plan: "+strings.Repeat("step ", 20)), retention.Label{Importance: retention.Critical, Until: retention.EndOfTask}),
		say(core.RoleUser, "and now the details"),
		say(core.RoleAssistant, "details: "+strings.Repeat("box ", 60)),
		say(core.RoleUser, "go on"),
	}
	meter := budget.NewMeter(budget.CounterFunc(func(text string) int { return len(text) / 4 }))
	e, err := budget.NewEnforcer(meter, budget.Limits{Window: 100}, budget.WithClassifier(retention.Policies()))
	if err != nil {
		fmt.Println(err)
		return
	}
	view, err := e.Transform(context.Background(), history)
	for _, m := range view {
		text, _, _ := strings.Cut(m.Parts[0].Text, " ")
		fmt.Println(m.Role, text)
	}
	fmt.Println(err)
	// Output:
	// user plan
	// assistant the
	// user and
	// user go
	// <nil>
}
