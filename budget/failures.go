package budget

import (
	"iter"

	"github.com/trimkit/trimkit/core"
)

// ResolvedFailures returns an editor that removes failed attempts which a later one made
// good, oldest first: the same tool was called with the same arguments, word for word,
// after the failure was known, and its result says that it succeeded, in a status and not
// in words. Edits point to that success, the newest that the view shows.
//
// An exchange leaves whole if each of its calls is such a failure and it says nothing
// itself: it has no text, media or part of unknown kind, and nothing that is signed unless
// its turn is closed. Of others the failed results are elided and the calls stay, as
// [ElideResults] does it and with its exceptions. What is protected, Locked, Preservable or
// Conditional is left alone.
//
// It loses what the error was. It costs time linear in the history. A success to come
// changes what stands: on its own the editor is not prefix-stable.
func ResolvedFailures() core.Editor {
	return core.EditorFunc(func(w *core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			exchanges := resolved(w, attempts(w))
			question := turnStart(w, 1)
			for i, e := range exchanges {
				g := &w.Groups.List[i]
				if len(e.failures) > 0 && expendable(w, g) && !e.remove(w, g, closed(g, question), yield) {
					return
				}
			}
		}
	})
}

const reasonResolved = "a later attempt succeeded"

// attempt is a call and how it went.
type attempt struct {
	at      place
	results []place     // without intermediate ones
	status  core.Status // that of all results; Unknown if they disagree or there are none
	by      int         // a message with the result of the success that resolves it
}

// attempts returns the calls of the history, in its order.
func attempts(w *core.Window) []attempt {
	var calls []attempt
	index := make(map[place]int)
	for m := range w.History {
		for p := range w.History[m].Parts {
			switch part, at := &w.History[m].Parts[p], (place{m, p}); part.Kind {
			case core.KindToolCall:
				index[at] = len(calls)
				calls = append(calls, attempt{at: at})
			case core.KindToolResult:
				if i, ok := index[callOf(w, at)]; ok && part.Status != core.StatusPending {
					calls[i].add(at, part.Status)
				}
			}
		}
	}
	return calls
}

func (a *attempt) add(at place, status core.Status) {
	if len(a.results) > 0 && a.status != status {
		status = core.StatusUnknown
	}
	a.results, a.status = append(a.results, at), status
}

// exchange is what is known of a group with calls.
type exchange struct {
	calls    int
	failures []attempt // resolved ones
}

// resolved returns an exchange for every group; those without calls are empty.
func resolved(w *core.Window, calls []attempt) []exchange {
	type request struct{ tool, arguments string }
	newest := make(map[request]*attempt) // the newest success
	for i := len(calls) - 1; i >= 0; i-- {
		a := &calls[i]
		call := &w.History[a.at.msg].Parts[a.at.part]
		r := request{call.Tool, call.Text}
		success := newest[r]
		a.by = -1
		switch {
		case r.tool == "":
		case a.status == core.StatusOK && success == nil && w.Visible(a.at.msg):
			newest[r] = a
		case a.status == core.StatusFailed && success != nil && success.at.msg > a.results[len(a.results)-1].msg:
			a.by = success.results[0].msg
		}
	}
	exchanges := make([]exchange, len(w.Groups.List))
	for _, a := range calls {
		e := &exchanges[w.Groups.Of[a.at.msg]]
		e.calls++
		if a.by >= 0 {
			e.failures = append(e.failures, a)
		}
	}
	return exchanges
}

// remove proposes what takes the failures out.
func (e *exchange) remove(w *core.Window, g *core.Group, closed bool, yield func(core.Edit) bool) bool {
	if len(e.failures) == e.calls && !says(w, g, closed) {
		return yield(core.Edit{Op: core.Drop, Msg: g.Msgs[0], Part: -1, By: e.failures[0].by, Reason: reasonResolved})
	}
	for _, a := range e.failures {
		for _, at := range a.results {
			if gain(w, w.Part(at.msg, at.part), reasonResolved) > 0 &&
				!yield(core.Edit{Op: core.Elide, Msg: at.msg, Part: at.part, By: a.by, Reason: reasonResolved}) {
				return false
			}
		}
	}
	return true
}

// says reports whether an exchange holds more than calls and their results. Reasoning that
// led to a failure goes with it, unless its signature is still needed.
func says(w *core.Window, g *core.Group, closed bool) bool {
	for _, m := range g.Msgs {
		for _, p := range w.History[m].Parts {
			if p.Signed && !closed || p.Kind != core.KindToolCall && p.Kind != core.KindToolResult && speaks(p) {
				return true
			}
		}
	}
	return false
}
