package trimkit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/summary"
)

// DefaultLadder is the name of the ladder that [New] takes.
const DefaultLadder = "default"

// ladders are the ladders by name, as they are listed.
var ladders = []struct {
	name  string
	sums  func(*Summaries) []summary.Option // of one that needs a model
	rungs func(files diffs.Option) []budget.Rung
}{
	{DefaultLadder, nil, func(files diffs.Option) []budget.Rung {
		own := budget.DefaultLadder(lossless(files)...).Rungs
		results := len(own) - 1 // the last of them
		return slices.Insert(own, results, budget.Rung{Name: "outdated-reads", Editor: diffs.OutdatedReads(files)})
	}},
	{"lossless", nil, lossless},
	{"truncate", nil, func(diffs.Option) []budget.Rung {
		return []budget.Rung{{Name: "oldest-turns", Editor: budget.OldestTurns(1)}}
	}},
	{"budget", nil, func(diffs.Option) []budget.Rung { return nil }}, // what ends every ladder goes by policy
	{"summarize", func(*Summaries) []summary.Option { return nil }, gentle},
	{"hybrid", func(s *Summaries) []summary.Option {
		return []summary.Option{summary.WithMiddle(cmp.Or(s.MiddleTurns, middleTurns))}
	}, gentle},
}

const (
	middleTurns = 10
	memoBytes   = 16 << 20
)

// Summaries says who sums up, and how, for the ladders that need a model.
type Summaries struct {
	Model       summary.Summarizer // an adapter makes one of its framework's own model
	Memo        summary.Memo       // nil: 16 MiB in memory; one that outlives the process keeps views as they are
	MaxTokens   int                // of a summary; 0: 500
	Window      int                // tokens of a request and its answer; 0: 16,000
	MiddleTurns int                // turns that "hybrid" sums up, behind those that stay; 0: 10

	Options []summary.Option // everything else: constraints, a prompt of one's own
}

// rung returns the rung that sums up.
func (s *Summaries) rung(opts []summary.Option) (budget.Rung, error) {
	if s.MaxTokens != 0 {
		opts = append(opts, summary.WithMaxTokens(s.MaxTokens))
	}
	if s.Window != 0 {
		opts = append(opts, summary.WithWindow(s.Window))
	}
	memo := s.Memo
	if memo == nil {
		memo = summary.NewMemory(memoBytes)
	}
	opts = append(append(opts, summary.WithReach(budget.InReach)), s.Options...)
	sum, err := summary.New(s.Model, memo, opts...)
	if err != nil {
		return budget.Rung{}, err
	}
	return budget.Rung{Name: "summary", Editor: sum, Prepare: sum.Prepare}, nil
}

// gentle are the rungs that lose nothing, and those that lose what closed turns need no more.
// Results stay for the one who sums up.
func gentle(files diffs.Option) []budget.Rung {
	return append(lossless(files),
		budget.Rung{Name: "reasoning", Editor: budget.Reasoning()},
		budget.Rung{Name: "resolved-failures", Editor: budget.ResolvedFailures()})
}

// lossless are the rungs that lose nothing.
func lossless(files diffs.Option) []budget.Rung {
	return []budget.Rung{
		{Name: "stale-reads", Editor: diffs.StaleReads(files)},
		{Name: "outdated-diffs", Editor: diffs.OutdatedDiffs(files)},
		{Name: "duplicates", Editor: diffs.Duplicates(files)},
	}
}

// NeedsModel reports whether the ladder of that name is one for which [Ladder] needs
// [Summaries].
func NeedsModel(name string) bool {
	for _, l := range ladders {
		if l.name == name {
			return l.sums != nil
		}
	}
	return false
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
//	default    what newer copies cover; reasoning of closed turns and failures that were
//	           resolved; reads that were outdated; old results
//	lossless   what newer copies cover, and nothing else before the oldest groups go
//	truncate   the oldest turns
//	budget     by policy: what is ephemeral first, user text last
//	summarize  what newer copies cover; reasoning and resolved failures; then a summary of the
//	           oldest exchanges and replies, as many as it takes, by a model
//	hybrid     the same, but only the newest turns before the tail are summed up, and what is
//	           older is dropped before
//
// tools knows the tools that touch files; nil: [diffs.DefaultTools]. sums is for the last two, and
// ignored by the others. The error is a [*LadderError], or a [*summary.ConfigError].
func Ladder(name string, tools *diffs.Tools, sums Summaries) (budget.Ladder, error) {
	if tools == nil {
		tools = diffs.DefaultTools()
	}
	for _, l := range ladders {
		if l.name != name {
			continue
		}
		ladder := budget.Ladder{Name: name, Rungs: l.rungs(diffs.WithTools(tools))}
		if l.sums == nil {
			return ladder, nil
		}
		rung, err := sums.rung(l.sums(&sums))
		ladder.Rungs = append(ladder.Rungs, rung)
		return ladder, err
	}
	return budget.Ladder{}, &LadderError{name, LadderNames()}
}
