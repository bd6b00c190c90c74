package main

import (
	"fmt"
	"os"
	"strconv"
)

type diffCommand struct {
	collectFlags
	Full       bool   `help:"Show every line, and all of it."`
	SideBySide bool   `help:"Show before and after in two columns, as wide as COLUMNS says, or 160."`
	Color      string `help:"Use colours: ${enum}. Auto is on a terminal, unless NO_COLOR is set." enum:"auto,always,never" default:"auto"`
}

// Help is what the help of the command says beside its first line and flags.
func (*diffCommand) Help() string {
	return `It takes trim's flags and changes nothing: it shows what would leave and what would stand in
its place, in the order of the messages. Of long texts it shows the first lines. The exit
code is the one that trim would have. Session logs of agents, which trim cannot write, can
be compared all the same.

Examples:

  trimkit diff --budget 32000 session.jsonl

  trimkit diff --budget 32000 --side-by-side --full --color always session.jsonl | less -R`
}

// Run writes the comparison.
func (d *diffCommand) Run(a *app) error {
	if sameFile(d.Output, d.File) {
		return usage("-o names the input %s, and diff changes nothing", d.Output)
	}
	if d.Report == stdio && (d.Output == "" || d.Output == stdio) {
		return usage("--report %s needs -o FILE: standard output is for the comparison", stdio)
	}
	c, err := d.collect(a)
	if err != nil {
		return err
	}
	var out []byte
	if len(c.edits) > 0 {
		p := page{width: columns(), full: d.Full, color: d.colored(a)}
		out = []byte(p.render(newDiff(d.name(), c, d.Full), d.SideBySide))
	}
	if err := a.write(d.Output, out); err != nil {
		return err
	}
	if err := d.writeReport(a, c); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "trimkit: %s\n", c.summary())
	return c.err()
}

// colored reports whether the output gets colours.
func (d *diffCommand) colored(a *app) bool {
	if d.Color != "auto" {
		return d.Color == "always"
	}
	if d.Output != "" && d.Output != stdio || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	f, ok := a.stdout.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// columns is the width of the terminal, as far as it says so.
func columns() int {
	const usual, least = 160, 20
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || n <= 0 {
		return usual
	}
	return max(n, least)
}
