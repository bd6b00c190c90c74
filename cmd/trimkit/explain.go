package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
)

type explainCommand struct {
	collectFlags
	JSON bool `help:"Write the list of edits as JSON, like --report."`
	All  bool `help:"List every edit, however many there are."`

	Files bool `help:"Say also what the view shows of the files that the tool calls touch, as the command files does."`
}

// Help is what the help of the command says beside its first line and flags.
func (*explainCommand) Help() string {
	return `It takes trim's flags and changes nothing: it lists what would go, why, and how many tokens
each has, then what stays and why. The exit code is the one that trim would have. Long lists
are summed up. Session logs of agents, which trim cannot write, can be explained all the same.

Without the step trim no budget is needed: the steps then take out all that they can.

Examples:

  trimkit explain --budget 32000 session.jsonl

  trimkit explain --steps stale-reads,outdated-diffs,duplicates --files session.jsonl

  trimkit explain --budget 32000 --json session.jsonl | jq '.edits[].reason'`
}

// Run writes the explanation.
func (x *explainCommand) Run(a *app) error {
	if sameFile(x.Output, x.File) {
		return usage("-o names the input %s, and explain changes nothing", x.Output)
	}
	if x.Report == stdio && (x.Output == "" || x.Output == stdio) {
		x.Report, x.JSON = "", true // standard output is for one of them
	}
	c, err := x.collect(a)
	if err != nil {
		return err
	}
	out := []byte(explanation(x.name(), c, x.All))
	if x.Files {
		out = append(out, "\n"+fileTable(c.filesShown(x.files()))...)
	}
	if x.JSON {
		r := c.report()
		if x.Files {
			r.Files = fileLines(c.filesShown(x.files()))
		}
		if out, err = toJSON(r); err != nil {
			return err
		}
	}
	if err := a.write(x.Output, out); err != nil {
		return err
	}
	if err := x.writeReport(a, c); err != nil {
		return err
	}
	return c.err()
}

// explanation is what explain prints for people.
func explanation(name string, c *collection, all bool) string {
	w := core.NewWindow(c.conversation.Messages(), core.WithSizer(c.meter))
	goes, stays := c.goes(w), c.stays(w)
	if !all {
		goes, stays = fold(goes), fold(stays)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", name, c.summary())
	if len(goes) == 0 {
		b.WriteString("\nnothing would go\n")
	} else {
		t := table{align: "lllrrl"}
		t.row("would go", "", "edit", "tokens", "after", "why")
		for _, r := range goes {
			t.row(span(r.messages), r.what(), r.op, strconv.Itoa(r.before), strconv.Itoa(r.after), r.why)
		}
		b.WriteString("\n" + t.String())
	}
	t := table{align: "llrl"}
	t.row("stays", "", "tokens", "why")
	for _, r := range stays {
		t.row(span(r.messages), r.what(), strconv.Itoa(r.after), r.why)
	}
	t.row("total", "", strconv.Itoa(c.after), "as sent")
	b.WriteString("\n" + t.String())
	return b.String()
}

// line is a line of an explanation, or a run of them.
type line struct {
	messages      []int
	noun          string // what it is
	detail        string // more of it, such as the tools
	op, why       string
	before, after int
	nouns         []string // of a run: the nouns of its lines
}

// goes lists the edits.
func (c *collection) goes(w *core.Window) []line {
	var lines []line
	for _, e := range c.edits {
		l := line{messages: []int{e.Msg}, op: e.Op.String(), why: e.Reason, before: e.Before, after: e.After}
		switch e.Op {
		case core.Drop:
			g := &w.Groups.List[w.Groups.Of[e.Msg]]
			l.messages, l.noun, l.detail = g.Msgs, groupNoun(g), tools(w.History, g.Msgs)
		case core.Insert:
			l.noun = "notice"
		default:
			part := &w.History[e.Msg].Parts[e.Part]
			l.noun = part.Kind.String()
			if part.Tool != "" {
				l.detail = toolName(part.Tool)
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// stays lists what the view has: groups that are protected, and the rest in a line each
// for what may go and what is no message of the input. Its tokens add up to the total.
func (c *collection) stays(w *core.Window) []line {
	gone := make([]bool, len(w.Groups.List))
	saved := make([]int, len(w.Groups.List))
	inserted := line{noun: "inserted notices", why: "stand for what has gone"}
	for _, e := range c.edits {
		group := w.Groups.Of[e.Msg]
		switch e.Op {
		case core.Drop:
			gone[group] = true
		case core.Insert:
			inserted.after += e.After
		default:
			saved[group] += e.Before - e.After
		}
	}
	rest := line{noun: "other messages", why: "nothing more has to go"}
	if c.failure != nil {
		rest.why = "to drop them would gain nothing"
	}
	var lines []line
	for i := range w.Groups.List {
		g := &w.Groups.List[i]
		if gone[i] {
			continue
		}
		tokens := -saved[i]
		for _, m := range g.Msgs {
			tokens += w.Size(m)
		}
		if p := w.Protection(g.Msgs[0]); p != 0 {
			lines = append(lines, line{messages: g.Msgs, noun: groupNoun(g), detail: tools(w.History, g.Msgs), why: p.String(), after: tokens})
			continue
		}
		rest.messages = append(rest.messages, g.Msgs...)
		rest.after += tokens
	}
	if len(rest.messages) > 0 {
		lines = append(lines, rest)
	}
	if inserted.after > 0 {
		lines = append(lines, inserted)
	}
	return append(lines, line{noun: "beside the messages", why: "tool schemas, start of the reply", after: c.meter.Request(c.conversation.Request())})
}
