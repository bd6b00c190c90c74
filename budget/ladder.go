package budget

import (
	"context"
	"iter"

	"github.com/trimkit/trimkit/core"
)

// Rung is one step of a ladder: an editor, and the name that reports give it.
//
// Prepare, if there is one, does what the Editor cannot do since it is pure, such as asking a
// model: it is called before it, with the window as the rungs before left it, and where the
// Editor finds what came of it, it proposes. That happens only for a decision that is taken now, at
// the end of a history or by [Enforcer.Collect], and not when one is taken again, nor for
// [Enforcer.Explain]. Nothing is locked meanwhile; calls for one conversation may prepare the same
// at the same time. An error is reported, and the rung has failed; but if the context ended
// nothing is decided. In distress such a rung does not reach into the tail.
type Rung struct {
	Name    string
	Editor  core.Editor
	Prepare func(ctx context.Context, w *core.Window) error
}

// Ladder is what an [Enforcer] tries, gentlest first, until the target is reached. Whatever
// it is, dropping the oldest groups follows, and in distress the shortening of what is
// unread.
type Ladder struct {
	Name  string
	Rungs []Rung
}

// DefaultLadder returns the ladder of this package's own rungs behind others that lose
// nothing, such as those of package diffs: reasoning of closed turns, failures that were
// resolved, old results.
func DefaultLadder(lossless ...Rung) Ladder {
	return Ladder{"default", append(lossless[:len(lossless):len(lossless)],
		Rung{Name: "reasoning", Editor: Reasoning()}, Rung{Name: "resolved-failures", Editor: ResolvedFailures()},
		Rung{Name: "old-results", Editor: ElideResults()})}
}

// outside returns an editor that proposes what another proposes, but for the groups from
// tail on and those that are spared.
func outside(tail int, spared []bool, e core.Editor) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for edit := range e.Edits(w) {
				if edit.Msg >= 0 && edit.Msg < len(w.History) && edit.Op != core.Insert {
					if g := w.Groups.Of[edit.Msg]; g >= tail || spared[g] {
						continue
					}
				}
				if !yield(edit) {
					return
				}
			}
		}
	})
}

// tailStart returns the first group of the tail: the newest groups that have no more than so
// many tokens and turns together.
func tailStart(w *core.Window, tokens, turns int) int {
	groups := w.Groups.List
	if len(groups) == 0 {
		return 0
	}
	last := groups[len(groups)-1].Turn
	for i := len(groups) - 1; i >= 0; i-- {
		tokens -= groupSize(w, groups[i].Msgs[0])
		if tokens < 0 || last-groups[i].Turn >= turns {
			return i + 1
		}
	}
	return 0
}
