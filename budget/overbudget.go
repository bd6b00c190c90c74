package budget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// OverBudgetError says that a history cannot be made to fit: what must stay is larger
// than the room there is for it.
type OverBudgetError struct {
	Room   int            // tokens that messages may have: the window less the reserve and everything beside the messages
	Tokens int            // tokens of the messages of View
	View   []core.Message // the best valid view
	Kept   []Kept         // what takes the room, largest first
}

// Kept is a message that stays.
type Kept struct {
	Message int // index into the history
	Role    core.Role
	Tool    string          // of the first call or result in it
	Tokens  int             // as it stands in the view
	Why     core.Protection // 0: dropping it would gain nothing
}

// Error names the largest of what was kept, and what to do.
func (e *OverBudgetError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "budget: %d tokens must stay, there is room for %d", e.Tokens, e.Room)
	for i, k := range e.Kept {
		if i == 3 {
			fmt.Fprintf(&b, ", and %d more", len(e.Kept)-i)
			break
		}
		separator := ", "
		if i == 0 {
			separator = ": "
		}
		fmt.Fprintf(&b, "%smessage %d (%s) takes %d", separator, k.Message, k.name(), k.Tokens)
	}
	if e.Room <= 0 {
		b.WriteString("; the tool schemas, documents and reserve alone fill the window")
	}
	b.WriteString("; raise the budget, or unpin or shorten what stays")
	return b.String()
}

func (k Kept) name() string {
	name := k.Role.String()
	if k.Tool != "" {
		name += " " + k.Tool
	}
	if k.Why != 0 {
		name += ", " + k.Why.String()
	}
	return name
}

func overBudget(w *core.Window, view []core.Message, room int) *OverBudgetError {
	e := &OverBudgetError{Room: room, Tokens: w.Tokens(), View: view}
	for i := range w.History {
		if !w.Visible(i) {
			continue
		}
		k := Kept{Message: i, Role: w.History[i].Role, Tokens: w.Size(i), Why: w.Protection(i)}
		for p := range w.History[i].Parts {
			if k.Tool == "" {
				k.Tool = w.History[i].Parts[p].Tool
			}
		}
		e.Kept = append(e.Kept, k)
	}
	slices.SortStableFunc(e.Kept, func(a, b Kept) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return e
}
