package config

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/retention"
)

// policyTest is a test that a file carries: a history, and what becomes of it.
type policyTest struct {
	name    string
	line    int
	window  int
	history []core.Message
	expect  []expectation
}

// expectation is what should become of a message.
type expectation struct {
	message int
	fate    string      // one of fates; empty: see policy
	policy  core.Policy // that it has in a collection of the whole history
}

// fates are what can become of a message: it stands there verbatim, or changed, or not at all.
var fates = []string{"kept", "shortened", "gone"}

// TestResult is the outcome of a test that a file carries.
type TestResult struct {
	Name     string
	Line     int      // of the file
	Failures []string // none: it passed
}

// testModel is whose tokens the tests count where the program does not say.
const testModel = "gpt-4o"

// RunTests runs the tests of the file, each in a window of its own size. Of the program's
// configuration everything else counts, but that without a model the tokens are those of
// gpt-4o. Its errors are those of [Config.New], and the context's.
func (c *Config) RunTests(ctx context.Context, code trimkit.Config) ([]TestResult, error) {
	if code.Counter == nil {
		code.Model = cmp.Or(code.Model, testModel)
	}
	var results []TestResult
	for i := range c.tests {
		result, err := c.run(ctx, code, &c.tests[i])
		if err != nil {
			return results, err
		}
		results = append(results, result)
	}
	return results, nil
}

func (c *Config) run(ctx context.Context, code trimkit.Config, t *policyTest) (TestResult, error) {
	r := TestResult{Name: t.name, Line: t.line}
	code.Window, code.Options = t.window, slices.Clone(code.Options)
	tools, err := c.tools(&code)
	if err != nil {
		return r, err
	}
	e, err := c.New(code)
	if err != nil {
		return r, err
	}
	view, err := e.Transform(ctx, t.history)
	var over *budget.OverBudgetError
	if errors.As(err, &over) {
		r.Failures = append(r.Failures, over.Error())
	} else if err != nil {
		return r, err
	}
	w := core.NewWindow(c.apply(t.history, tools))
	for _, x := range t.expect {
		got, want := fate(t.history, view, x.message), x.fate
		if x.policy != core.PolicyDefault {
			got, want = w.Policy(x.message).String(), x.policy.String()
		}
		if got != want {
			r.Failures = append(r.Failures, fmt.Sprintf("message %d is %s, want %s", x.message, got, want))
		}
	}
	return r, nil
}

// apply returns the history with the policies that messages have in a collection.
func (c *Config) apply(history []core.Message, tools *diffs.Tools) []core.Message {
	all, shown := slices.Clone(history), make([]int, len(history))
	for i := range shown {
		shown[i] = i
	}
	labelled := retention.Policies()(history, shown)
	for i, p := range c.classify(history, shown, tools) {
		if i < len(labelled) {
			p = max(p, labelled[i])
		}
		all[i].Policy = cmp.Or(p, all[i].Policy)
	}
	return all
}

// fate returns what became of a message.
func fate(history, view []core.Message, i int) string {
	for j := range view {
		if view[j].Src != history[i].Src {
			continue
		}
		for p := range view[j].Parts {
			if view[j].Parts[p].Elided != nil {
				return fates[1]
			}
		}
		if len(view[j].Parts) != len(history[i].Parts) {
			return fates[1]
		}
		return fates[0]
	}
	return fates[2]
}
