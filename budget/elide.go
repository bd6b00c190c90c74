package budget

import (
	"iter"

	"github.com/trimkit/trimkit/core"
)

// ElideOption configures [ElideResults].
type ElideOption func(*elider)

type elider struct {
	keep         int
	least        int
	only, except map[string]bool
}

// KeepNewest leaves the newest n results alone, of those tools whose results may go. A
// result of several blocks is one; one that an edit took out already, or that is only
// intermediate, is none.
func KeepNewest(n int) ElideOption { return func(o *elider) { o.keep = n } }

// OnlyTools names the tools whose results may go. Given several times, the lists add up;
// an empty list names none.
func OnlyTools(names ...string) ElideOption {
	return func(o *elider) { o.only = named(o.only, names) }
}

// ExceptTools names tools whose results stay, whatever [OnlyTools] says. Given several
// times, the lists add up.
func ExceptTools(names ...string) ElideOption {
	return func(o *elider) { o.except = named(o.except, names) }
}

// ClearAtLeast makes the editor propose nothing if all its proposals together would free
// fewer tokens than this: a little room is not worth a new prefix for the prompt cache.
func ClearAtLeast(tokens int) ElideOption { return func(o *elider) { o.least = tokens } }

func named(set map[string]bool, names []string) map[string]bool {
	if set == nil {
		set = make(map[string]bool, len(names))
	}
	for _, name := range names {
		set[name] = true
	}
	return set
}

const reasonOld = "old, to make room"

// ElideResults returns an editor that elides the results of tool calls, of the oldest
// exchange first, block by block; failed ones too, whose markers say so. The calls stay:
// their arguments are short, and hold the names that later steps use.
//
// It leaves alone what is protected, Locked, Preservable or Conditional, results that are
// signed, denied or only intermediate, and those no larger than the line in their place.
// It costs time linear in the history. Decisions change as the history grows: on its own
// it is not prefix-stable.
func ElideResults(opts ...ElideOption) core.Editor {
	var o elider
	for _, set := range opts {
		set(&o)
	}
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			for _, at := range o.results(w) {
				if !yield(core.Edit{Op: core.Elide, Msg: at.msg, Part: at.part, By: -1, Reason: reasonOld}) {
					return
				}
			}
		}
	})
}

// place is a part of the history.
type place struct{ msg, part int }

// results returns what is to be elided, in that order.
func (o *elider) results(w *core.Window) []place {
	type candidate struct {
		place
		number, gain int
	}
	var found []candidate
	numbers := make(map[place]int) // call → number of its result, from the oldest
	for i := range w.Groups.List {
		g := &w.Groups.List[i]
		if !w.Visible(g.Msgs[0]) {
			continue
		}
		given := expendable(w, g)
		for at, part := range shownResults(w, g) {
			call := callOf(w, at)
			if !o.concerns(w, part, call) {
				continue
			}
			number, known := numbers[call]
			if !known {
				number = len(numbers)
				numbers[call] = number
			}
			if freed := gain(w, part, reasonOld); given && freed > 0 {
				found = append(found, candidate{at, number, freed})
			}
		}
	}
	freed := 0
	var leave []place
	for _, c := range found {
		if c.number < len(numbers)-o.keep {
			leave = append(leave, c.place)
			freed += c.gain
		}
	}
	if freed < o.least {
		return nil
	}
	return leave
}

// shownResults yields the blocks of results in a group that the view shows in full, without
// intermediate ones.
func shownResults(w *core.Window, g *core.Group) iter.Seq2[place, *core.Part] {
	return func(yield func(place, *core.Part) bool) {
		for _, m := range g.Msgs {
			for p := range w.History[m].Parts {
				part := w.Part(m, p)
				if part.Kind == core.KindToolResult && part.Elided == nil && part.Status != core.StatusPending && !yield(place{m, p}, part) {
					return
				}
			}
		}
	}
}

// concerns reports whether the result of a call may go as far as its tool goes.
func (o *elider) concerns(w *core.Window, result *core.Part, call place) bool {
	tool := result.Tool
	if tool == "" {
		tool = w.History[call.msg].Parts[call.part].Tool
	}
	return (o.only == nil || o.only[tool]) && !o.except[tool]
}

// callOf returns the call that a result answers, or the result itself if it answers none.
func callOf(w *core.Window, at place) place {
	if msg, part, ok := w.Groups.CallOf(at.msg, at.part); ok {
		return place{msg, part}
	}
	return at
}

// expendable reports whether parts of a group may go: the view shows it, and neither a rule
// nor its policy keeps it.
func expendable(w *core.Window, g *core.Group) bool {
	return w.Visible(g.Msgs[0]) && w.Policy(g.Msgs[0]) <= core.Partial
}

// gain returns about how many tokens the elision of a result frees; 0: it must stay, or
// would not shrink. The line that it is compared with is as long as a marker for that tool
// and reason can be, and the same for every size of result, so that a meter counts it once.
func gain(w *core.Window, result *core.Part, reason string) int {
	if result.Elided != nil || result.Signed || result.Status == core.StatusPending || result.Status == core.StatusDenied {
		return 0
	}
	line := *result
	line.Text, line.Media = core.MarkerPrefix+result.Tool+" tool result removed: "+reason+"; 1000000 tokens; it was an error]", nil
	if result.Media != nil {
		line.Text += result.Media.MIME
	}
	if line.Bytes() >= result.Bytes() {
		return 0
	}
	return max(0, w.Sizer().Part(result)-w.Sizer().Part(&line))
}
