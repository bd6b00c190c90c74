package main

import (
	"fmt"

	"github.com/trimkit/trimkit/wire"
)

type trimCommand struct {
	collectFlags
}

// Help is what the help of the command says beside its first line and flags.
func (*trimCommand) Help() string {
	return `The output is the input without what had to go. As long as it is over the budget, the steps
of --steps run one after the other. By default three go first that lose nothing: they take
out results of reads whose lines a newer copy shows (stale-reads), edits that newer copies
or edits replaced (outdated-diffs), and results that a later call repeats (duplicates). A
line in the place of a result says why it went.

Then trim drops whole groups of messages (a call leaves with its results), oldest first,
user text last. System messages, the first and the last user message, whatever came after
the last reply, and open calls stay. If even they do not fit, the results among them are
shortened; if that is not enough, the best view is written and the exit code is 4.

Without the step trim no budget is needed: the other steps then take out all that they can.
The output may be the input's own file. The session log of an agent can be read only (exit
code 3): convert it first.

Examples:

  trimkit trim --budget 32000 session.jsonl > view.jsonl

  trimkit trim --steps stale-reads,outdated-diffs,duplicates session.jsonl > view.jsonl

  trimkit trim --budget 8000 -o session.jsonl --report edits.json session.jsonl

  trimkit convert --to anthropic log.jsonl | trimkit trim --budget 32000`
}

// Run writes the report, then the view.
func (t *trimCommand) Run(a *app) error {
	if t.Report == stdio && (t.Output == "" || t.Output == stdio) {
		return usage("--report %s needs -o FILE: standard output is for the conversation", stdio)
	}
	c, err := t.collect(a)
	if err != nil {
		return err
	}
	conversation, ok := c.conversation.History.(wire.Conversation)
	if !ok {
		return &exitError{exitInput, fmt.Errorf("%s is a log (%s), which can be read only; convert it first: trimkit convert --to %s",
			t.name(), c.conversation.format.Name, c.conversation.provider())}
	}
	view, err := conversation.Write(c.view)
	if err != nil {
		return err
	}
	if err := t.writeReport(a, c); err != nil { // before the input may be gone
		return err
	}
	if err := a.write(t.Output, view); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "trimkit: %s\n", c.summary())
	return c.err()
}

// writeReport does what --report asks for, if it is given.
func (f *collectFlags) writeReport(a *app, c *collection) error {
	if f.Report == "" {
		return nil
	}
	data, err := toJSON(c.report())
	if err != nil {
		return err
	}
	return a.write(f.Report, data)
}
