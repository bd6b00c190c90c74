package budget

import (
	"iter"

	"github.com/trimkit/trimkit/core"
)

// OldestTurns returns an editor that proposes to drop whole turns, each a user message and
// everything up to the next, oldest first. The newest keep turns stay, the last one in any
// case. Within a turn the user's text goes last, so where the target is reached in the
// middle of one, what is left of it is its newest part and what was asked.
//
// The first user message is the task and stays, as does all else that is protected or
// Locked, and messages with content that an edit inserted, such as a summary. Every other
// policy counts for nothing here: [ByPolicy] heeds them. An exchange that reaches into a
// turn that stays, stays with it. Without a target everything older than the newest keep
// turns goes. It costs time linear in the history.
func OldestTurns(keep int) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			dropAll(w, turns(w, turnStart(w, max(keep, 1))), 0, yield)
		}
	})
}

// turns returns the first messages of the groups that may go and end before message end,
// in the order in which they go.
func turns(w *core.Window, end int) []int {
	var msgs, asked []int
	turn := 0
	for i := range w.Groups.List {
		g := &w.Groups.List[i]
		if g.Turn != turn {
			msgs, asked, turn = append(msgs, asked...), asked[:0], g.Turn
		}
		switch {
		case g.Msgs[len(g.Msgs)-1] >= end || !droppableByAge(w, g) || w.Policy(g.Msgs[0]) == core.Locked:
		case g.Kind == core.GroupUser:
			asked = append(asked, g.Msgs[0])
		default:
			msgs = append(msgs, g.Msgs[0])
		}
	}
	return append(msgs, asked...)
}

// turnStart returns the message with which the nth turn from the end begins; -1 if there are
// fewer.
func turnStart(w *core.Window, n int) int {
	for i := len(w.History) - 1; i >= 0; i-- {
		if w.History[i].Role != core.RoleUser || w.History[i].Inserted() {
			continue
		}
		if n--; n == 0 {
			return i
		}
	}
	return -1
}
