package budget

import (
	"slices"
	"sync"

	"github.com/trimkit/trimkit/core"
)

// fold is what became of one conversation: a history taken in message by message. Its state
// is a pure function of the history, the configuration and the step.
type fold struct {
	mu   sync.Mutex
	e    *Enforcer
	key  string
	head []core.Message // its first messages
	step Step
	levels

	seen []core.Message // the history, as this fold's own copy
	now  state
	past []state // what it was at earlier collections, oldest first

	open  map[string]int // calls that wait for results, by id
	waits int            // how many
	first map[int32]int  // first message of each reply, by its number
	pairs

	undecided bool          // the decision at the end of what was seen waits for rungs to be prepared
	failed    map[int]error // rungs of the decision at hand that could not be
	rehearsal *preparation  // of a copy, on which they are prepared

	reports []*Report // what was decided and not told yet
	warm    bool      // a view was handed out, or its change is told
	sent    int       // tokens of the last view that was handed out, with what stands beside it
	sentAt  int       // messages of the history that it was made of
}

// state is where a fold stands at a decision point. Its slices are never written to below
// their length.
type state struct {
	n     int            // messages of the history taken in
	view  []core.Message // nil: the history itself
	index []int32        // of each message of the view in the history; -1: inserted
	left  *departures    // what has left it
	gone  int            // how many messages did

	tokens, bytes, media int // of the view
	raw                  int // tokens of the history
	turns                int // user messages in the view

	wait   int  // no attempt below so many tokens
	rest   int  // no unforced one before so many messages
	crowd  int  // no attempt for the sake of turns below so many; 0: any
	full   int  // no attempt for the sake of bytes below so many
	missed bool // the last collection could not reach its target
	stuck  bool // it was said that the view does not fit
	heavy  bool // the same of its bytes
	manual bool // Collect had a part in it
	edited int  // collections
}

// maxPast bounds the states to which a fold can go back without taking everything in again.
const maxPast = 16

// common returns how many messages a history begins with that the fold has seen. The first
// n of them are known to be the same.
func (f *fold) common(n int, history []core.Message) int {
	for n < min(len(f.seen), len(history)) && equal(&f.seen[n], &history[n]) {
		n++
	}
	return n
}

// back returns the newest state within the first n messages, as an index into past; -1:
// there is none. At another step only what [Enforcer.Collect] did counts, since a program
// asked for that, and the rest is decided anew.
func (f *fold) back(n int, step Step) int {
	i := len(f.past) - 1
	for i >= 0 && (f.past[i].n > n || f.step != step && !f.past[i].manual) {
		i--
	}
	return i
}

// fork returns a fold that goes on from what this one was within the first n messages.
func (f *fold) fork(n int, step Step, history []core.Message) *fold {
	g := f.e.newFold(f.key, step, history)
	if i := f.back(n, step); i >= 0 {
		g.now, g.past = f.past[i], slices.Clone(f.past[:i+1])
		g.seen = f.seen[:g.now.n:g.now.n]
		for i := range g.seen {
			g.follow(i)
		}
	}
	return g
}

// extend takes in what a history has beyond what was seen. Where a view was handed out
// before, everything that is decided on the way to the next one is news; else only what is
// decided at the end, since what was before that another process may have reported.
func (f *fold) extend(history []core.Message) {
	for i := len(f.seen); i < len(history); i++ {
		if !f.warm {
			f.reports = nil
		}
		if f.add(&history[i]); !f.decides() {
			continue
		}
		if f.undecided = f.e.prepares && i == len(history)-1; !f.undecided {
			f.decide()
		}
	}
}

// add takes in a message.
func (f *fold) add(m *core.Message) {
	f.seen = append(f.seen, own(m))
	f.now.n++
	tokens := f.e.meter.Message(m)
	f.now.raw += tokens
	f.follow(f.now.n - 1)
	if f.now.view != nil {
		if of := f.belongs(f.now.n - 1); of >= 0 {
			f.now.left = &departures{[]departure{{Msg: int32(f.now.n - 1), Part: -1, Of: int32(of)}}, f.now.left}
			f.now.gone++
			return
		}
		f.now.view = append(f.now.view, f.seen[f.now.n-1])
		f.now.index = append(f.now.index, int32(f.now.n-1))
	}
	f.now.tokens += tokens
	text, media := bytesOf(m)
	f.now.bytes += text
	f.now.media += media
	if m.Role == core.RoleUser && !m.Inserted() {
		f.now.turns++
	}
}

// follow keeps count of the calls that wait, and account of what belongs together.
func (f *fold) follow(i int) {
	m := &f.seen[i]
	f.take(f.seen, i)
	if f.waits > 0 && m.Role == core.RoleAssistant && f.seen[i-1].Role != core.RoleAssistant {
		f.waits, f.open = 0, make(map[string]int) // whoever called the model again does not wait for them
	}
	if _, known := f.first[m.Reply]; !known && m.Reply != 0 && m.Role == core.RoleAssistant {
		f.first[m.Reply] = i
	}
	for p := range m.Parts {
		switch part := &m.Parts[p]; {
		case part.Kind == core.KindToolCall:
			f.open[part.CallID]++
			f.waits++
		case part.Kind == core.KindToolResult && part.Status != core.StatusPending && f.open[part.CallID] > 0:
			if f.open[part.CallID]--; f.open[part.CallID] == 0 {
				delete(f.open, part.CallID)
			}
			f.waits--
		}
	}
}

// decides reports whether a model call is due: the last message is not the model's, and no
// call is open. Only there is anything decided.
func (f *fold) decides() bool {
	last := &f.seen[len(f.seen)-1]
	return f.waits == 0 && (last.Role == core.RoleUser || last.Role == core.RoleTool)
}

// view returns what is to be sent, its tokens, and an [*OverBudgetError] if that is too
// large.
func (f *fold) view(history []core.Message) (view []core.Message, tokens int, over *OverBudgetError) {
	s, over, reports := f.called()
	f.reports = append(f.reports, reports...)
	if view = history; s.view != nil {
		view = slices.Clip(s.view)
	}
	if over != nil {
		over.View = view
	}
	return view, s.tokens, over
}

// called returns the state whose view this call sends. Nothing is decided here: what an open
// call, a mode or an attempt in vain puts off is done for this once.
func (f *fold) called() (s state, over *OverBudgetError, reports []*Report) {
	if f.now.tokens <= f.hard && !f.heavier() {
		return f.now, nil, nil
	}
	kept := f.now
	defer func() { f.now = kept }()
	spend := func(w *core.Window, r *Report) {
		if w.Tokens() < f.now.tokens {
			f.adopt(w)
			r.Once = true
			reports = append(reports, r)
		}
	}
	if f.now.tokens > f.hard {
		w, r := f.run(TriggerHardLimit)
		if w.Tokens() > f.hard {
			over = overBudget(w, nil, f.hard)
			for i := range over.Kept {
				over.Kept[i].Message = f.raw(over.Kept[i].Message)
			}
		}
		spend(w, r)
	}
	if f.heavier() {
		spend(f.run(TriggerBytes))
	}
	if f.now.tokens <= f.hard {
		over = nil
	}
	return f.now, over, reports
}

// raw returns the index in the history of a message of the view; the next one's for what was
// inserted.
func (f *fold) raw(i int) int {
	if f.now.view == nil {
		return i
	}
	for ; i < len(f.now.index); i++ {
		if r := f.now.index[i]; r >= 0 {
			return int(r)
		}
	}
	return f.now.n
}

// adopt makes the window's view the fold's.
func (f *fold) adopt(w *core.Window) {
	left := f.departed(w)
	f.now.view, f.now.index = f.shown(w)
	if left != f.now.left {
		f.now.gone += left.messages()
	}
	f.now.left, f.now.tokens = left, w.Tokens()
	f.measure()
}

// shown returns the window's view, with the policies that the program gave, and where its
// messages stand in the history.
func (f *fold) shown(w *core.Window) ([]core.Message, []int32) {
	view := w.View()
	index := make([]int32, len(view))
	next := 0
	for i := range view {
		for next < len(w.History) && !w.Visible(next) {
			next++
		}
		if m := &view[i]; m.Inserted() && m.Parts[0].Elided.Op == core.Insert && (next == len(w.History) || !sameParts(m, &w.History[next])) {
			index[i] = -1
			continue
		}
		index[i] = f.place(next)
		next++
	}
	for i, raw := range index {
		if raw >= 0 {
			view[i].Policy = f.seen[raw].Policy
		}
	}
	return view, index
}

// sameParts reports whether two messages share their parts, as one without edits does with
// the view's.
func sameParts(a, b *core.Message) bool {
	return len(a.Parts) > 0 && len(b.Parts) > 0 && &a.Parts[0] == &b.Parts[0]
}

// measure counts what the view has beside tokens.
func (f *fold) measure() {
	view := f.now.view
	f.now.turns, f.now.bytes, f.now.media = 0, 0, 0
	for i := range view {
		if view[i].Role == core.RoleUser && !view[i].Inserted() {
			f.now.turns++
		}
		text, media := bytesOf(&view[i])
		f.now.bytes += text
		f.now.media += media
	}
}

// remember keeps the state, so that a fork need not begin anew.
func (f *fold) remember() {
	f.now.view, f.now.index = slices.Clip(f.now.view), slices.Clip(f.now.index)
	if len(f.past) == maxPast {
		f.past = slices.Delete(f.past, 0, 1)
	}
	f.past = append(f.past, f.now)
}
