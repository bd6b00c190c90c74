package budget

import (
	"context"

	"github.com/trimkit/trimkit/core"
)

// Ledger returns every edit between a history and the view of it that [Enforcer.Transform]
// returns for the same context, in the order of the history's messages (where a rung has a
// Prepare that Transform has yet to call, for the view without that collection):
//
//   - a Drop for each group that has left, at its first message, whatever else had been done
//     to it before; results that came later for its calls, and what went on of its reply, are
//     in its Before;
//   - an Elide or a Shorten for each part that the view shows otherwise, and an Elide for
//     each reasoning part that it does not show;
//   - an Insert for each message that the view has more, at the message of the history that
//     the view shows next; the length of the history if there is none.
//
// Msg, Part and By count in the history. Reason and By are those of the collection that made
// the edit. Text is what stands in the view, for Shorten and Insert. The sum of Before minus
// After is the difference between history and view, to the token. A view for this call alone
// is described like any other. In shadow mode there is nothing to describe.
//
// It costs time linear in the history. The error is the context's: a view that is over
// budget has a ledger too. The slice is the caller's.
func (e *Enforcer) Ledger(ctx context.Context, history []core.Message) ([]core.Edit, error) {
	if err := ctx.Err(); err != nil || len(history) == 0 || e.shadow {
		return nil, err
	}
	f := e.peek(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	s, _, _ := f.called()
	if s.view == nil {
		return nil, nil
	}
	return newLedger(f, &s).write(), nil
}

// departure is what a view does not show and says nothing of: a message, or a reasoning part.
type departure struct {
	Msg    int32  // in the history
	Part   int32  // of the message as the view showed it until then; -1: all of the message
	Of     int32  // the first message of the group that it left with, or one that did before
	By     int32  // of the edit, as its reason is; both are void where Of is another message
	Reason string // of the edit
}

// departures are those of one collection, behind those before it. States share them.
type departures struct {
	list   []departure
	before *departures
}

// messages counts the messages among those of the newest collection.
func (d *departures) messages() (n int) {
	for i := range d.list {
		if d.list[i].Part < 0 {
			n++
		}
	}
	return n
}

// all returns them, oldest first.
func (d *departures) all() []departure {
	n := 0
	for at := d; at != nil; at = at.before {
		n += len(at.list)
	}
	all := make([]departure, n)
	for at := d; at != nil; at = at.before {
		n -= copy(all[n-len(at.list):], at.list)
	}
	return all
}

// departed returns what a window on the view does not show any more, behind what had left
// before. Of a message with several such parts the last comes first, so that each can be
// found by its place when they are taken out one by one.
func (f *fold) departed(w *core.Window) *departures {
	var list []departure
	edits := w.Edits()
	for i := len(edits) - 1; i >= 0; i-- {
		e := &edits[i]
		by := int32(-1)
		if e.By >= 0 {
			by = int32(f.raw(e.By))
		}
		switch {
		case e.Op == core.Drop:
			of := int32(-1)
			for _, m := range w.Groups.List[w.Groups.Of[e.Msg]].Msgs {
				raw := f.place(m)
				if of < 0 {
					of = raw
				}
				if raw >= 0 {
					list = append(list, departure{raw, -1, of, by, e.Reason})
				}
			}
		case e.Op == core.Elide && w.History[e.Msg].Parts[e.Part].Kind == core.KindReasoning:
			if raw := f.place(e.Msg); raw >= 0 {
				list = append(list, departure{raw, int32(e.Part), raw, by, e.Reason})
			}
		}
	}
	if len(list) == 0 {
		return f.now.left
	}
	return &departures{list, f.now.left}
}

// place returns where in the history a message of the view stands; -1: it was inserted.
func (f *fold) place(i int) int32 {
	if f.now.view == nil {
		return int32(i)
	}
	return f.now.index[i]
}

// ledger is a ledger while it is written.
type ledger struct {
	*state
	history []core.Message
	meter   *Meter
	drops   map[int32]*core.Edit         // by first message
	lost    map[int32]map[int]*core.Edit // message → part → the edit that took it out
}

// newLedger sorts what has left.
func newLedger(f *fold, s *state) *ledger {
	l := &ledger{s, f.seen, f.e.meter, make(map[int32]*core.Edit), make(map[int32]map[int]*core.Edit)}
	group := make(map[int32]int32) // message → first message of the group that it left with
	kept := make(map[int32][]int)  // message → parts that the view still shows, once it lost one
	for _, d := range s.left.all() {
		if d.Part >= 0 {
			l.lose(d, kept)
			continue
		}
		of, known := group[d.Of]
		if !known {
			of = d.Of
			l.drops[of] = &core.Edit{Op: core.Drop, Msg: int(of), Part: -1, By: int(d.By), Reason: d.Reason}
		}
		group[d.Msg] = of
		l.drops[of].Before += l.meter.Message(&l.history[d.Msg])
	}
	return l
}

// lose notes a part that the view does not show.
func (l *ledger) lose(d departure, kept map[int32][]int) {
	parts, known := kept[d.Msg]
	if !known {
		for p := range l.history[d.Msg].Parts {
			parts = append(parts, p)
		}
		l.lost[d.Msg] = make(map[int]*core.Edit)
	}
	p := parts[d.Part]
	kept[d.Msg] = append(parts[:d.Part], parts[d.Part+1:]...)
	l.lost[d.Msg][p] = &core.Edit{
		Op: core.Elide, Msg: int(d.Msg), Part: p, By: int(d.By), Reason: d.Reason,
		Before: l.meter.Part(&l.history[d.Msg].Parts[p]),
	}
}

// write returns the edits in the order of the history.
func (l *ledger) write() (edits []core.Edit) {
	v := 0
	for i := range int32(len(l.history)) {
		if drop := l.drops[i]; drop != nil {
			edits = append(edits, *drop)
		}
		at := v
		for at < len(l.index) && l.index[at] < 0 {
			at++
		}
		if at == len(l.index) || l.index[at] != i {
			continue
		}
		edits = l.inserts(edits, v, at, int(i))
		edits = l.changes(edits, i, &l.view[at])
		v = at + 1
	}
	return l.inserts(edits, v, len(l.view), len(l.history))
}

// inserts adds the messages of the view from one to before another, which stand before
// message msg of the history.
func (l *ledger) inserts(edits []core.Edit, from, to, msg int) []core.Edit {
	for ; from < to; from++ {
		m := &l.view[from]
		edits = append(edits, core.Edit{
			Op: core.Insert, Msg: msg, Part: -1, By: -1, Text: m.Parts[0].Text, Reason: m.Parts[0].Elided.Reason,
			After: l.meter.Message(m),
		})
	}
	return edits
}

// changes adds what a message of the history lost and what of it is edited in the view.
func (l *ledger) changes(edits []core.Edit, i int32, m *core.Message) []core.Edit {
	raw, lost, at := &l.history[i], l.lost[i], 0
	for p := range raw.Parts {
		if edit := lost[p]; edit != nil {
			edits = append(edits, *edit)
			continue
		}
		part, was := &m.Parts[at], &raw.Parts[p]
		at++
		if part.Elided == nil || was.Elided != nil {
			continue // as it was; what came edited is not edited again
		}
		edit := core.Edit{
			Op: part.Elided.Op, Msg: int(i), Part: p, By: part.Elided.By, Reason: part.Elided.Reason,
			Before: l.meter.Part(was), After: l.meter.Part(part),
		}
		if edit.Op == core.Shorten {
			edit.Text = part.Text
		}
		edits = append(edits, edit)
	}
	return edits
}
