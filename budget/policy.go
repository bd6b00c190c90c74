package budget

import (
	"cmp"
	"iter"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// PolicyOptions says what [ByPolicy] may give up. The zero value gives up what is Ephemeral
// or Partial.
type PolicyOptions struct {
	// Pressure is a size of the view, in tokens: what is Preservable may go only while the
	// view is larger. 0: never.
	Pressure int

	// Ask decides about Conditional messages, each time there is something to collect; true:
	// it may go, as if it were Partial. Without it they are Preservable. It must be pure, must
	// be safe for concurrent use, and must not change the message.
	Ask func(m *core.Message) bool
}

// ByPolicy returns an editor that proposes to drop groups, the most readily given up first:
//
//   - Ephemeral ones by age in turns, the oldest turn first, and of one turn the largest
//     first, so that few of equal age have to go;
//   - Partial ones, and Conditional ones that may go, oldest first;
//   - above the pressure Preservable ones, oldest first.
//
// A group goes by the strictest policy of its messages, so a call by that of its result.
// What is protected or Locked stays, and so do the group that ends the history and messages
// with content that an edit inserted, such as a summary: they stand for what has gone
// already. It costs time linear in the history but for sorting what is Ephemeral.
func ByPolicy(o PolicyOptions) core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			ephemeral, partial, preservable := o.bands(w)
			if dropAll(w, slices.Concat(ephemeral, partial), 0, yield) && o.Pressure > 0 {
				dropAll(w, preservable, o.Pressure, yield)
			}
		}
	})
}

// bands returns the first messages of the groups that may go, in the order in which they
// go.
func (o PolicyOptions) bands(w *core.Window) (ephemeral, partial, preservable []int) {
	for i := range w.Groups.List {
		g := &w.Groups.List[i]
		msg := g.Msgs[0]
		if !droppableByAge(w, g) || g.Msgs[len(g.Msgs)-1] == len(w.History)-1 {
			continue
		}
		switch p := w.Policy(msg); {
		case p == core.Ephemeral:
			ephemeral = append(ephemeral, msg)
		case p == core.Partial, p == core.Conditional && o.Ask != nil && o.allows(w, g):
			partial = append(partial, msg)
		case p == core.Preservable, p == core.Conditional && o.Ask == nil:
			preservable = append(preservable, msg)
		}
	}
	return oldestThenLargest(w, ephemeral), partial, preservable
}

// allows reports whether every Conditional message of a group may go.
func (o PolicyOptions) allows(w *core.Window, g *core.Group) bool {
	for _, m := range g.Msgs {
		if w.History[m].Policy == core.Conditional && !o.Ask(&w.History[m]) {
			return false
		}
	}
	return true
}

func oldestThenLargest(w *core.Window, msgs []int) []int {
	sizes := make(map[int]int, len(msgs))
	for _, msg := range msgs {
		sizes[msg] = groupSize(w, msg)
	}
	turn := func(msg int) int { return w.Groups.List[w.Groups.Of[msg]].Turn }
	slices.SortStableFunc(msgs, func(a, b int) int {
		return cmp.Or(cmp.Compare(turn(a), turn(b)), cmp.Compare(sizes[b], sizes[a]))
	})
	return msgs
}
