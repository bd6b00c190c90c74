package trimkit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/diffs"
)

// DefaultLadder is the name of the ladder that [New] takes.
const DefaultLadder = "default"

// ladders are the ladders by name, as they are listed.
var ladders = []struct {
	name  string
	rungs func(files diffs.Option) []budget.Rung
}{
	{DefaultLadder, func(files diffs.Option) []budget.Rung {
		own := budget.DefaultLadder(lossless(files)...).Rungs
		results := len(own) - 1 // the last of them
		return slices.Insert(own, results, budget.Rung{Name: "outdated-reads", Editor: diffs.OutdatedReads(files)})
	}},
	{"lossless", lossless},
	{"truncate", func(diffs.Option) []budget.Rung {
		return []budget.Rung{{Name: "oldest-turns", Editor: budget.OldestTurns(1)}}
	}},
	{"budget", func(diffs.Option) []budget.Rung { return nil }}, // what ends every ladder goes by policy
}

// lossless are the rungs that lose nothing.
func lossless(files diffs.Option) []budget.Rung {
	return []budget.Rung{
		{Name: "stale-reads", Editor: diffs.StaleReads(files)},
		{Name: "outdated-diffs", Editor: diffs.OutdatedDiffs(files)},
		{Name: "duplicates", Editor: diffs.Duplicates(files)},
	}
}

// LadderNames returns the names that [Ladder] knows.
func LadderNames() []string {
	var names []string
	for _, l := range ladders {
		names = append(names, l.name)
	}
	return names
}

// LadderError names a ladder that there is not.
type LadderError struct {
	Name  string
	Known []string
}

// Error lists the names that there are.
func (e *LadderError) Error() string {
	return fmt.Sprintf("trimkit: unknown ladder %q; known: %s", e.Name, strings.Join(e.Known, ", "))
}

// Ladder assembles what an enforcer tries, gentlest first, out of the rungs of all packages:
//
//	default   what newer copies cover; reasoning of closed turns and failures that were
//	          resolved; reads that were outdated; old results
//	lossless  what newer copies cover, and nothing else before the oldest groups go
//	truncate  the oldest turns
//	budget    by policy: what is ephemeral first, user text last
//
// tools knows the tools that touch files; nil: [diffs.DefaultTools]. The error is a
// [*LadderError].
func Ladder(name string, tools *diffs.Tools) (budget.Ladder, error) {
	if tools == nil {
		tools = diffs.DefaultTools()
	}
	for _, l := range ladders {
		if l.name == name {
			return budget.Ladder{Name: name, Rungs: l.rungs(diffs.WithTools(tools))}, nil
		}
	}
	return budget.Ladder{}, &LadderError{name, LadderNames()}
}
