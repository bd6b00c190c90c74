package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/config"
)

type configCommand struct {
	Action string `arg:"" help:"schema, check, show or test." enum:"schema,check,show,test"`
	File   string `arg:"" optional:"" help:"The configuration; without it trimkit.json or gc.json, of the working directory, else of the folder trimkit in the user's configuration directory."`

	Effective bool `help:"With show: every key, also those with their defaults."`
	JSON      bool `help:"With show and test: write JSON."`
}

// Help is what the help of the command says beside its first line and flags.
func (*configCommand) Help() string {
	return `Schema prints the JSON schema of the file, for editors. Check lists what is wrong with the
file, and with the variables TRIMKIT_GC_THRESHOLD, TRIMKIT_GC_TARGET and
TRIMKIT_GC_PRESSURE, a line each with its place; if there is something, the exit code is 1.
Show prints what the file and the environment say, and where. Test runs the tests that the
file carries, with the tokens of gpt-4o; if one fails, the exit code is 1. With a file that
check finds something in, show and test end with exit code 3.

Examples:

  trimkit config schema > trimkit.schema.json

  trimkit config check

  trimkit config show --effective

  trimkit config test policies/trimkit.json`
}

// Run does what the action says.
func (n *configCommand) Run(a *app) error {
	switch {
	case n.Effective && n.Action != "show":
		return usage("--effective has no effect with %s, only with show", n.Action)
	case n.JSON && n.Action != "show" && n.Action != "test":
		return usage("--json has no effect with %s, only with show and test", n.Action)
	case n.Action == "schema" && n.File != "":
		return usage("schema needs no file: it is the same for all")
	case n.Action == "schema":
		return a.write(stdio, config.Schema())
	}
	c, err := config.Load(config.Sources{File: n.File})
	if err == nil && n.Action != "show" {
		err = c.Apply(&trimkit.Config{}) // what this version cannot do
	}
	switch {
	case n.Action == "check":
		return n.check(a, c, err)
	case err != nil:
		return &exitError{exitInput, err}
	case n.Action == "test":
		return n.test(a, c)
	default:
		return n.show(a, c)
	}
}

// check lists faults.
func (n *configCommand) check(a *app, c *config.Config, err error) error {
	var wrong *config.Error
	switch {
	case err == nil:
		fmt.Fprintf(a.stderr, "trimkit: nothing wrong with %s\n", named(c))
		return nil
	case !errors.As(err, &wrong):
		return &exitError{exitInput, err}
	}
	var lines strings.Builder
	for _, f := range wrong.Faults {
		fmt.Fprintln(&lines, printable(f.String()))
	}
	if err := a.write(stdio, []byte(lines.String())); err != nil {
		return err
	}
	return &exitError{exitFound, fmt.Errorf("%s in the configuration", number(len(wrong.Faults), "fault"))}
}

// named names the file that was read.
func named(c *config.Config) string {
	if c.File() == "" {
		return "the configuration: there is no " + strings.Join(config.FileNames(), " or ")
	}
	return c.File()
}

// setting is what show --json says of a key.
type setting struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Origin string          `json:"origin"`
}

// show prints what holds and who said it.
func (n *configCommand) show(a *app, c *config.Config) error {
	all := []setting{}
	for _, s := range c.Effective(trimkit.Config{}) {
		if n.Effective || s.Origin != "default" {
			all = append(all, setting{s.Key, json.RawMessage(s.Value), s.Origin})
		}
	}
	if n.JSON {
		out, err := toJSON(struct {
			File     string    `json:"file"`
			Settings []setting `json:"settings"`
		}{c.File(), all})
		if err != nil {
			return err
		}
		return a.write(stdio, out)
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, s := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, brief(printable(string(s.Value))), printable(s.Origin))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if c.File() == "" {
		fmt.Fprintf(a.stderr, "trimkit: there is no %s\n", strings.Join(config.FileNames(), " or "))
	}
	return a.write(stdio, []byte(text.String()))
}

// brief cuts a value that is too long for a column.
func brief(value string) string {
	const most = 60
	if r := []rune(value); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return value
}

// outcome is what test --json says of a test.
type outcome struct {
	Name     string   `json:"name"`
	Line     int      `json:"line"`
	Failures []string `json:"failures"`
}

// test runs the file's tests.
func (n *configCommand) test(a *app, c *config.Config) error {
	results, err := c.RunTests(context.Background(), trimkit.Config{Model: standardModel})
	if err != nil {
		return err
	}
	failed, all := 0, []outcome{}
	var text strings.Builder
	for _, r := range results {
		all = append(all, outcome{r.Name, r.Line, append([]string{}, r.Failures...)})
		if len(r.Failures) == 0 {
			fmt.Fprintf(&text, "ok    %s\n", printable(r.Name))
			continue
		}
		failed++
		fmt.Fprintf(&text, "FAIL  %s (%s:%d)\n", printable(r.Name), printable(c.File()), r.Line)
		for _, f := range r.Failures {
			fmt.Fprintf(&text, "      %s\n", printable(f))
		}
	}
	out := []byte(text.String())
	if n.JSON {
		if out, err = toJSON(all); err != nil {
			return err
		}
	}
	if err := a.write(stdio, out); err != nil {
		return err
	}
	if failed > 0 {
		return &exitError{exitFound, fmt.Errorf("%d of %s failed", failed, number(len(results), "test"))}
	}
	fmt.Fprintf(a.stderr, "trimkit: %s passed\n", number(len(results), "test"))
	return nil
}
