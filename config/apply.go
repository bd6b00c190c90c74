package config

import (
	"cmp"
	"slices"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/retention"
)

// New returns the enforcer of a program's configuration, completed by this one, see
// [Config.Apply]. Its errors are those of Apply and [trimkit.New].
func (c *Config) New(code trimkit.Config) (*budget.Enforcer, error) {
	if err := c.Apply(&code); err != nil {
		return nil, err
	}
	return trimkit.New(code)
}

// Apply completes a program's configuration: what the program has set stays, and options of
// its own come behind those that this adds. Policies add up: of the program's, of the rules
// here and of labels (see package retention) the strictest counts.
func (c *Config) Apply(code *trimkit.Config) error {
	tools, err := c.tools(code)
	if err != nil {
		return err
	}
	code.Tools = tools
	code.Ladder = cmp.Or(code.Ladder, c.ladder)
	code.Marks = c.complete(code.Marks)
	ours := []budget.EnforcerOption{budget.WithClassifier(retention.Policies())}
	if len(c.rules)+len(c.pinned) > 0 {
		ours = append(ours, budget.WithClassifier(func(history []core.Message, shown []int) []core.Policy {
			return c.classify(history, shown, tools)
		}))
	}
	if c.only {
		ours = append(ours, budget.WithEligibleTools(c.eligible...))
	}
	if c.shadow {
		ours = append(ours, budget.WithShadow())
	}
	code.Options = slices.Concat(ours, code.Options)
	return c.summaries(code)
}

// tools returns the program's table of tools, or one with the families of the file.
func (c *Config) tools(code *trimkit.Config) (*diffs.Tools, error) {
	switch {
	case code.Tools != nil:
		return code.Tools, nil
	case len(c.rows) == 0:
		return diffs.DefaultTools(), nil
	}
	return diffs.NewTools(diffs.WithRows(c.rows...))
}

// complete returns a program's marks with this configuration's where it has none. A pressure
// rules out the continuous mode, and a number of turns that there is no tail.
func (c *Config) complete(code budget.Marks) budget.Marks {
	m := c.marks
	m.Mode = c.mode()
	if m.Mode == budget.Continuous && code.Pressure != 0 {
		m.Mode = budget.Automatic
	}
	if m.TailShare == noTail && code.TailTurns != 0 {
		m.TailShare = 0
	}
	m.Mode = cmp.Or(code.Mode, m.Mode)
	for _, f := range []struct{ mark, code *int }{
		{&m.Trigger, &code.Trigger},
		{&m.Target, &code.Target},
		{&m.Pressure, &code.Pressure},
		{&m.MinGain, &code.MinGain},
		{&m.Margin, &code.Margin},
		{&m.TailTurns, &code.TailTurns},
		{&m.TailShare, &code.TailShare},
		{&m.MaxTurns, &code.MaxTurns},
		{&m.Cooldown, &code.Cooldown},
		{&m.MaxBytes, &code.MaxBytes},
		{&m.MaxMediaBytes, &code.MaxMediaBytes},
	} {
		*f.mark = cmp.Or(*f.code, *f.mark)
	}
	return m
}
