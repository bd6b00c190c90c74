package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// collectFlags are the flags of trim, and of explain, which says what trim would do.
type collectFlags struct {
	Budget  *int   `help:"Tokens that the whole request may have, as count prints them: tool schemas included. Required when the step trim runs." placeholder:"N"`
	Steps   string `help:"Steps to take, comma-separated, in this order, trim last. Known: ${step_list}." default:"${default_steps}"`
	Profile string `help:"Provider whose rules the view keeps: ${profile_list}." enum:"${profiles}" default:"auto"`
	Report  string `help:"Write the list of edits to this file, as JSON." placeholder:"FILE"`
	Output  string `short:"o" help:"Write to this file instead of standard output." placeholder:"FILE"`
	rooted
	counting
	input
}

// collection is what became of a conversation.
type collection struct {
	conversation  *source
	meter         *budget.Meter
	limit         int // the budget; 0: none
	view          []core.Message
	edits         []core.Edit
	before, after int        // tokens as sent
	failure       *exitError // with which the view is still the best one; nil: none
}

// collect reads the conversation and runs the steps on it. It writes nothing.
func (f *collectFlags) collect(a *app) (*collection, error) {
	p, err := f.validate(a)
	if err != nil {
		return nil, err
	}
	conversation, err := f.read(a)
	if err != nil {
		return nil, err
	}
	profile := conversation.profile(f.Profile)
	meter, err := f.meter(a, profile.Name)
	if err != nil {
		return nil, err
	}
	c := &collection{conversation: conversation, meter: meter}
	if p.trim {
		c.limit = *f.Budget
		if err := c.fit(p.editors, profile); err != nil {
			return nil, err
		}
	} else {
		c.edit(p.editors, profile)
	}
	request := conversation.Request()
	c.before, c.after = meter.AsSent(conversation.Messages(), request), meter.AsSent(c.view, request)
	if c.failure == nil && p.trim && c.after > c.limit { // no messages, and what stands beside them is too large
		c.failure = &exitError{exitOverBudget, fmt.Errorf("cannot fit: the budget of %d is below the %d tokens of a request without messages", c.limit, c.after)}
	}
	return c, nil
}

// validate finds what is wrong with the flags before anything is read.
func (f *collectFlags) validate(a *app) (plan, error) {
	p, err := parseSteps(a.steps, f.Steps, f.files())
	switch {
	case err != nil:
		return p, err
	case p.trim && f.Budget == nil:
		return p, usage("--budget is required for the step %s: the tokens that the request may have, as trimkit count prints them", trimName)
	case p.trim && *f.Budget <= 0:
		return p, usage("--budget is %d, it must be above 0", *f.Budget)
	case !p.trim && f.Budget != nil:
		return p, usage("--budget has no effect without the step %s; add that to --steps, or leave the budget out", trimName)
	case f.Report != "" && sameFile(f.Report, f.Output):
		return p, usage("--report and -o name the same file %s", f.Report)
	case f.Report != "" && sameFile(f.Report, f.File):
		return p, usage("--report names the input %s, which it would replace", f.Report)
	}
	return p, f.counting.validate()
}

// fit runs the editors as long as the conversation is over the budget, and then trims.
func (c *collection) fit(editors []core.Editor, profile *core.Profile) error {
	trim, err := budget.NewTrim(c.meter, budget.Limits{Window: c.limit}, budget.WithProfile(profile), budget.WithSteps(editors...))
	if err != nil {
		return err
	}
	ctx := core.WithRequest(context.Background(), c.conversation.Request())
	report, err := trim.Explain(ctx, c.conversation.Messages())
	c.view, c.edits = report.View, report.Edits
	var over *budget.OverBudgetError
	if errors.As(err, &over) {
		c.failure = &exitError{exitOverBudget, fmt.Errorf("cannot fit: %w (of the budget, %d go to what stands beside the messages)",
			err, c.limit-over.Room)}
	} else if err != nil {
		c.failure = &exitError{exitFailed, err}
	}
	return nil
}

// edit runs the editors with no target.
func (c *collection) edit(editors []core.Editor, profile *core.Profile) {
	w := core.NewWindow(c.conversation.Messages(), core.WithSizer(c.meter), core.WithProfile(profile))
	var failures []error
	for i, e := range editors {
		if _, err := core.Apply(w, e); err != nil {
			failures = append(failures, &core.StepError{Step: i, Err: err})
		}
	}
	if len(failures) > 0 {
		c.failure = &exitError{exitFailed, errors.Join(failures...)}
	}
	c.view, c.edits = w.View(), w.Edits()
}

// err is the failure, as what a command returns.
func (c *collection) err() error {
	if c.failure == nil {
		return nil
	}
	return c.failure
}

// summary says in a line what became of the conversation.
func (c *collection) summary() string {
	kept, shortened := 0, 0
	for i := range c.view {
		if c.view[i].Src != 0 {
			kept++
		}
	}
	for _, e := range c.edits {
		if e.Op == core.Elide || e.Op == core.Shorten {
			shortened++
		}
	}
	of := ""
	if c.limit > 0 {
		of = fmt.Sprintf(" of %d", c.limit)
	}
	if len(c.edits) == 0 {
		return fmt.Sprintf("%d tokens%s, unchanged", c.after, of)
	}
	all := len(c.conversation.Messages())
	return fmt.Sprintf("%d -> %d tokens%s; %s kept, %d dropped, %s shortened",
		c.before, c.after, of, number(kept, "message"), all-kept, number(shortened, "part"))
}
