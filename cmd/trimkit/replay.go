package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/wire"
)

type replayCommand struct {
	Window   int    `help:"Tokens of the model's context window." required:"" placeholder:"N"`
	Reserve  int    `help:"Tokens of it that are kept free for the reply." default:"0" placeholder:"N"`
	Strategy string `help:"What a collection tries, gentlest first: ${strategy_list}." enum:"${strategies}" default:"default"`
	Trigger  int    `help:"Percent of what is usable above which it collects." default:"80" placeholder:"PERCENT"`
	Target   int    `help:"Percent of what is usable down to which it collects." default:"60" placeholder:"PERCENT"`
	Profile  string `help:"Provider whose rules the views keep: ${profile_list}." enum:"${profiles}" default:"auto"`

	PriceInput float64 `help:"Price of a token where there is no cache." default:"1" placeholder:"PRICE"`
	PriceRead  float64 `help:"Price of a token that the provider's cache serves." default:"0.1" placeholder:"PRICE"`
	PriceWrite float64 `help:"Price of any other token, which the cache takes in." default:"1.25" placeholder:"PRICE"`

	JSON  bool   `help:"Write JSON."`
	Views string `help:"Write each call's view to this folder, as 00000.jsonl and so on, messages as lines." placeholder:"DIR"`
	Plot  string `help:"Draw tokens by call to this file." placeholder:"FILE.svg"`

	rooted
	counting
	input
}

// Help is what the help of the command says beside its first line and flags.
func (*replayCommand) Help() string {
	return `It goes through the conversation as the program did that recorded it: wherever a reply of
the model begins, and at the end unless that is the model's, there was a call. For each it
says how many tokens the whole history has (raw) and how many an enforcer sends, how many
bytes the request has and how many of them, from its first on, are those of the previous
request (unchanged), and where it collected why, and what each rung of the strategy freed.

The totals compare three ways: what the strategy sends; everything, whatever the window; and
trimming afresh at every call with the default steps of trim. With a prompt cache, a message
that stands where it stood in the previous request, with nothing new before it, costs
--price-read a token, any other --price-write. There are at most as many collections as the
tokens appended need to get from the target to the trigger, and those that were forced.

Bytes are those of the messages, a line each, in the conversation's own format. What stands
beside them (tool schemas, a request's system prompt) is the same in every call and not
among them. A log of an agent counts as convert --lossy would write it. Files in the folder
of --views are replaced, and none are removed. If a call cannot fit, everything is written
all the same, and the exit code is 4.

Examples:

  trimkit replay --window 32000 session.jsonl

  trimkit replay --window 32000 --strategy truncate --plot tokens.svg session.jsonl

  trimkit replay --window 32000 --json session.jsonl | jq .totals.cost`
}

// Run plays the conversation back. What does not fit is said when everything is written.
func (r *replayCommand) Run(a *app) error {
	if err := r.validate(); err != nil {
		return err
	}
	s, err := r.read(a)
	if err != nil {
		return err
	}
	if _, ok := s.History.(wire.Conversation); !ok && r.Views != "" {
		return &exitError{exitInput, fmt.Errorf("%s is a log (%s), whose views cannot be written; convert it first: trimkit convert --to %s",
			r.name(), s.format.Name, s.provider())}
	}
	p, err := r.playback(a, s)
	if err != nil {
		return err
	}
	if err := p.run(); err != nil {
		return err
	}
	if err := r.write(a, p); err != nil {
		return err
	}
	return p.err()
}

// validate finds what is wrong with the flags before anything is read.
func (r *replayCommand) validate() error {
	for _, percent := range []struct {
		flag  string
		value int
	}{{"--trigger", r.Trigger}, {"--target", r.Target}} {
		if percent.value <= 0 {
			return usage("%s is %d, it must be above 0", percent.flag, percent.value)
		}
	}
	for _, price := range []struct {
		flag  string
		value float64
	}{{"--price-input", r.PriceInput}, {"--price-read", r.PriceRead}, {"--price-write", r.PriceWrite}} {
		if !(price.value >= 0) || math.IsInf(price.value, 1) {
			return usage("%s is %g, it must be a number that is not negative", price.flag, price.value)
		}
	}
	switch {
	case r.Plot != "" && sameFile(r.Plot, r.File):
		return usage("--plot names the input %s, which it would replace", r.Plot)
	case r.Plot == stdio:
		return usage("--plot needs a file: standard output is for the calls")
	case r.Views != "" && r.File != stdio && viewName.MatchString(filepath.Base(r.File)) && sameFile(r.Views, filepath.Dir(r.File)):
		return usage("--views names the folder of the input %s, which a view could replace", r.File)
	}
	if err := r.faults(); err != nil {
		return err
	}
	return r.counting.validate()
}

// faults finds what is wrong with the numbers together.
func (r *replayCommand) faults() error {
	// Without a meter it cannot run, but it can say that.
	_, err := budget.NewEnforcer(nil, r.limits(), budget.WithMarks(r.marks()))
	var limits *budget.LimitsError
	if !errors.As(err, &limits) {
		return err
	}
	var faults []string
	for _, f := range limits.Faults {
		faults = append(faults, fmt.Sprintf("--%s is %d, it %s", strings.ToLower(f.Field), f.Found, f.Want))
	}
	return usage("%s", strings.Join(faults, "; "))
}

func (r *replayCommand) limits() budget.Limits {
	return budget.Limits{Window: r.Window, Reserve: r.Reserve}
}

func (r *replayCommand) marks() budget.Marks {
	return budget.Marks{Trigger: r.Trigger, Target: r.Target}
}

// playback prepares what plays a conversation back.
func (r *replayCommand) playback(a *app, s *source) (*playback, error) {
	profile := s.profile(r.Profile)
	meter, err := r.meter(a, profile.Name)
	if err != nil {
		return nil, err
	}
	p := &playback{source: s, meter: meter, marks: r.marks(), save: r.saveView}
	tools := r.tools()
	p.enforcer, err = r.enforcer(meter, profile, tools, func(_ context.Context, r *budget.Report) { p.reports = append(p.reports, r) })
	if err != nil {
		return nil, err
	}
	naive, err := parseSteps(steps, defaultSteps, diffs.WithTools(tools))
	if err != nil {
		return nil, err
	}
	p.trim, err = budget.NewTrim(meter, r.limits(), budget.WithProfile(profile), budget.WithSteps(naive.editors...))
	if err != nil {
		return nil, err
	}
	if r.Views == "" {
		return p, nil
	}
	if err := os.MkdirAll(r.Views, 0o777); err != nil {
		return nil, fmt.Errorf("cannot write views: %w", err)
	}
	return p, nil
}

// enforcer returns what the flags ask for.
func (r *replayCommand) enforcer(meter *budget.Meter, profile *core.Profile, tools *diffs.Tools, tell func(context.Context, *budget.Report)) (*budget.Enforcer, error) {
	ladder, err := trimkit.Ladder(r.Strategy, tools, trimkit.Summaries{})
	if err != nil {
		return nil, err
	}
	return budget.NewEnforcer(meter, r.limits(), budget.WithMarks(r.marks()), budget.WithLadder(ladder),
		budget.WithEnforcerProfile(profile), budget.WithOnReport(tell))
}

// viewName is how views are called.
var viewName = regexp.MustCompile(`^\d{5,}\.jsonl$`)

// saveView does what --views asks for, if it is given.
func (r *replayCommand) saveView(index int, lines []byte) error {
	if r.Views == "" {
		return nil
	}
	return replaceFile(filepath.Join(r.Views, fmt.Sprintf("%05d.jsonl", index)), lines)
}

// write writes everything but the views, which are there already.
func (r *replayCommand) write(a *app, p *playback) error {
	t := p.totals(prices{r.PriceInput, r.PriceRead, r.PriceWrite})
	if r.Plot != "" {
		if err := replaceFile(r.Plot, plot(p.calls, r.Window)); err != nil {
			return err
		}
	}
	out := []byte(p.table(t, r.Strategy))
	if r.JSON {
		var err error
		out, err = toJSON(struct {
			Calls  []modelCall `json:"calls"`
			Totals *totals     `json:"totals"`
		}{p.calls, t})
		if err != nil {
			return err
		}
	}
	return a.write(stdio, out)
}

// err says which calls cannot fit, and which rungs broke down.
func (p *playback) err() error {
	err := errors.Join(p.failures...)
	if len(p.over) == 0 {
		return err
	}
	first := p.over[0]
	return &exitError{exitOverBudget, errors.Join(fmt.Errorf("%d of %s cannot fit; the first is call %d: %s",
		len(p.over), number(len(p.calls), "call"), first.Call, first.Error), err)}
}

// callPoints returns how many messages the history had at each model call: wherever a reply
// begins behind something that is not the model's, and at the end if that waits for one. A
// reply may be several messages, next to each other or with results between them.
func callPoints(history []core.Message) []int {
	var points []int
	begun := map[int32]bool{}
	for i := range history {
		m := &history[i]
		if m.Role != core.RoleAssistant {
			continue
		}
		if i > 0 && history[i-1].Role != core.RoleAssistant && !begun[m.Reply] {
			points = append(points, i)
		}
		if m.Reply != 0 {
			begun[m.Reply] = true
		}
	}
	if n := len(history); n > 0 && (history[n-1].Role == core.RoleUser || history[n-1].Role == core.RoleTool) {
		points = append(points, n)
	}
	return points
}

// strategies are the ladders that need no model: there is none here to ask.
func strategies() []string { return slices.DeleteFunc(trimkit.LadderNames(), trimkit.NeedsModel) }
