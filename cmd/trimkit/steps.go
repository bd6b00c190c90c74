package main

import (
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/diffs/shell"
)

// step is something that --steps can name.
type step struct {
	name   string
	help   string
	editor func(files diffs.Option) core.Editor // nil for trim, which owns the budget
}

// trimName is the step that brings a view below the budget, whatever it takes.
const trimName = "trim"

// steps is what --steps can name, in the order in which the help lists it.
var steps = []step{
	{"stale-reads", "reads whose lines a newer copy shows", func(f diffs.Option) core.Editor { return diffs.StaleReads(f) }},
	{"outdated-diffs", "edits that newer copies or edits replaced", func(f diffs.Option) core.Editor { return diffs.OutdatedDiffs(f) }},
	{"duplicates", "results that a later call repeats", func(f diffs.Option) core.Editor { return diffs.Duplicates(f) }},
	{"fold", "runs of edits of a file, for their net change", func(f diffs.Option) core.Editor { return diffs.Fold(f) }},
	{"superseded", "older output of a command that printed as much later", func(f diffs.Option) core.Editor { return diffs.Superseded(f) }},
	{"outdated-reads", "reads of files that were changed afterwards", func(f diffs.Option) core.Editor { return diffs.OutdatedReads(f) }},
	{trimName, "drops whole groups, oldest first, until the budget is met", nil},
}

// defaultSteps lose nothing before trim does.
const defaultSteps = "stale-reads,outdated-diffs,duplicates," + trimName

// shellParser reads the command lines of agents.
var shellParser = shell.Parser{}

// rooted is the flag that says which paths are one file.
type rooted struct {
	Root string `help:"Directory below which the relative paths in tool calls are; without it the conversation is searched for one." placeholder:"DIR"`
}

// files returns what tool calls do to files. All steps share it, and the work with it.
func (r *rooted) files() diffs.Option { return diffs.WithTools(r.tools()) }

func (r *rooted) tools() *diffs.Tools {
	tools, err := diffs.NewTools(diffs.WithShell(shellParser), diffs.WithRoot(r.Root))
	if err != nil {
		panic(err) // the built-in table, which a test reads
	}
	return tools
}

func stepNames(steps []step) []string {
	var names []string
	for _, s := range steps {
		names = append(names, s.name)
	}
	return names
}

// stepList says what there is, for the help.
func stepList(steps []step) string {
	var list []string
	for _, s := range steps {
		list = append(list, s.name+" ("+s.help+")")
	}
	return strings.Join(list, ", ")
}

// plan is what a --steps list asks for.
type plan struct {
	editors []core.Editor
	trim    bool // the list ends with trim
}

// parseSteps reads a --steps list.
func parseSteps(known []step, list string, files diffs.Option) (plan, error) {
	var p plan
	var seen []string
	names := strings.Join(stepNames(known), ", ")
	if strings.TrimSpace(list) == "" {
		return p, usage("--steps: the list is empty; name one or more of: %s", names)
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(known, func(s step) bool { return s.name == name })
		switch {
		case i < 0:
			return p, usage("--steps: unknown step %q; known: %s", name, names)
		case slices.Contains(seen, name):
			return p, usage("--steps: %q stands there twice; name each of these once at most: %s", name, names)
		case p.trim:
			return p, usage("--steps: %q stands behind %s, which must be the last step; known: %s", name, trimName, names)
		}
		seen = append(seen, name)
		if name == trimName {
			p.trim = true
		} else {
			p.editors = append(p.editors, known[i].editor(files))
		}
	}
	return p, nil
}
