package budget

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/trimkit/trimkit/core"
)

// decide collects if a mark says so.
func (f *fold) decide() {
	s, m := &f.now, &f.e.marks
	last := f.seen[len(f.seen)-1].Role
	due := m.Mode == Automatic && s.tokens > f.trigger || m.Mode == Continuous && last == core.RoleUser && s.tokens > f.target
	grown := s.tokens >= s.wait
	switch {
	case m.Mode == Manual:
		return
	case s.tokens > f.hard:
		if !s.stuck || grown {
			f.collect(TriggerHardLimit)
		}
	case due && grown && s.n >= s.rest:
		trigger := TriggerMark
		if s.missed {
			trigger = TriggerMissed
		}
		f.collect(trigger)
	}
	if m.MaxTurns > 0 && s.turns > m.MaxTurns && s.turns >= s.crowd {
		f.collect(TriggerTurns)
	}
	if f.heavier() && s.bytes >= s.full {
		f.collect(TriggerBytes)
	}
}

// collect runs the ladder, and goes on with what it left if that is worth it.
func (f *fold) collect(trigger Trigger) {
	started, before := time.Now(), f.now
	f.hush()
	w, r := f.run(trigger)
	r.TokensBefore = before.tokens + f.fixed
	freed := f.now.tokens - w.Tokens()
	if r.Adopted = freed > 0 && (freed >= f.gain || trigger != TriggerMark && trigger != TriggerMissed); r.Adopted {
		f.adopt(w)
		if f.e.notice {
			f.announce(&before, r)
		}
	} else {
		f.now = before
	}
	said := f.settled(trigger, r)
	switch {
	case freed <= 0:
		r.Cause = cmp.Or(r.Cause, "nothing more may go")
	case !r.Adopted:
		r.Cause = cmp.Or(r.Cause, "it would have freed less than is worth a new prefix")
	case trigger != TriggerTurns && trigger != TriggerBytes && f.now.missed:
		r.Cause = cmp.Or(r.Cause, "what is left may not go, or not yet")
	}
	r.Duration = time.Since(started)
	if r.Adopted || !said {
		f.reports = append(f.reports, r)
	}
}

// settled says what the next collection waits for behind one that was adopted or not, and
// reports whether it was said before that such a one is in vain.
func (f *fold) settled(trigger Trigger, r *Report) (said bool) {
	s, m := &f.now, &f.e.marks
	if r.Adopted {
		s.edited++
		s.rest = s.n + m.Cooldown
		s.manual = s.manual || trigger == TriggerManual
		if s.stuck = s.stuck && s.tokens > f.hard; !s.stuck {
			s.wait = 0
		}
	}
	switch {
	case trigger == TriggerTurns:
		said = s.crowd > 0
		if s.crowd = 0; s.turns > m.MaxTurns {
			s.crowd = s.turns + max(m.MaxTurns-f.e.keptTurns(), s.turns/inVain, 1)
		}
	case trigger == TriggerBytes:
		said, s.heavy = s.heavy, f.heavier()
		if s.full = 0; s.heavy {
			s.full = s.bytes + max(s.bytes/inVain, 1)
		}
	case r.Adopted || trigger != TriggerManual: // a request that led to nothing leaves no trace
		said = s.stuck && trigger != TriggerManual
		f.await(r.Adopted)
	}
	if r.Adopted {
		f.remember()
	}
	return said
}

// inVain is the share by which a view must grow, one part in so many, before the next attempt
// on what nothing could be done about: with any fixed number of tokens, turns or bytes, a
// replay of a history in which everything is pinned would be quadratic.
const inVain = 20

// await says what the next attempt for the sake of tokens waits for. One that was not adopted
// is repeated when the view has grown by what is worth a new prefix. So is one that missed its
// target: each that is adopted frees as much, so what is appended bounds their number as it
// does that of the others, with the minimum gain in the place of trigger minus target, and
// without the wait one could follow another at each call, in vain until the view has grown. A
// view that does not even fit waits for the larger of that and a twentieth of its size; what
// a call then sends is cut for it alone.
func (f *fold) await(adopted bool) {
	s := &f.now
	if adopted {
		s.missed = s.tokens > f.target
	}
	if !adopted || s.missed {
		s.wait = s.tokens + f.gain
	}
	if s.stuck = s.tokens > f.hard; s.stuck {
		s.wait = s.tokens + max(f.gain, s.tokens/inVain)
	}
}

// keptTurns returns to how many turns a view with too many is cut.
func (e *Enforcer) keptTurns() int { return max(e.marks.MaxTurns*e.marks.Target/e.marks.Trigger, 1) }

// run runs the ladder on what the view is now.
func (f *fold) run(trigger Trigger) (*core.Window, *Report) {
	w := core.NewWindow(f.window(), core.WithSizer(f.e.meter), core.WithProfile(f.e.profile), core.WithTarget(f.goal(trigger)))
	w.Gaps = f.gaps()
	r := &Report{Trigger: trigger, Step: f.step, Strategy: f.e.ladder.Name, Limit: f.e.limits.Window, TokensBefore: f.now.tokens + f.fixed}
	tail, spared := tailStart(w, f.tail, f.e.marks.TailTurns), f.e.spared(w)
	if trigger == TriggerTurns {
		tail = len(w.Groups.List)
	}
	*scopeOf(w) = scope{tail, spared}
	for i, rung := range f.rungs(trigger) {
		f.ready(i, rung, w, r)
		r.climb(w, rung.Name, outside(tail, spared, rung.Editor))
	}
	if w.Tokens() > f.hard || trigger == TriggerBytes && f.oversize(w) {
		for _, rung := range f.rungs(trigger) {
			if rung.Prepare == nil {
				r.climb(w, rung.Name+" in the tail", rung.Editor)
			}
		}
	}
	if w.Tokens() > f.hard {
		if f.e.marks.Mode != Continuous {
			r.climb(w, "everything", DropOldest())
			r.climb(w, "everything", dropEverything())
		}
		if !w.Fits() {
			w.Distress()
			r.climb(w, "unread", ShortenUnread())
		}
	}
	if w.Tokens() > f.hard {
		r.Cause = overBudget(w, nil, f.hard).Error()
	}
	if trigger == TriggerBytes && f.oversize(w) {
		r.Cause = cmp.Or(r.Cause, "what has the bytes may not go")
	}
	r.TokensAfter, r.Edits = w.Tokens()+f.fixed, w.Edits()
	for i := range r.Edits {
		e := &r.Edits[i]
		if e.By >= 0 {
			e.By = f.raw(e.By)
			if e.Op == core.Elide || e.Op == core.Shorten {
				w.Part(e.Msg, e.Part).Elided.By = e.By // the window took it for the view's
			}
		}
		e.Msg = f.raw(e.Msg)
	}
	return w, r
}

// goal returns down to which size of the view a collection goes.
func (f *fold) goal(trigger Trigger) int {
	target := f.target
	if trigger == TriggerTurns || trigger == TriggerBytes {
		target = 1 // their rungs know where to stop
	} else if f.e.notice {
		m := notice(f.now.n, f.now.n, f.now.raw) // no other has larger numbers
		target -= f.e.meter.Message(&m)
	}
	return max(target, 1)
}

// climb runs an editor until the target is reached, and notes what it freed.
func (r *Report) climb(w *core.Window, name string, e core.Editor) {
	if w.Fits() {
		return
	}
	before := w.Tokens()
	if _, err := core.Apply(w, e); err != nil {
		r.Err = errors.Join(r.Err, &core.StepError{Step: len(r.Rungs), Err: err})
	}
	r.Rungs = append(r.Rungs, Freed{name, before - w.Tokens()})
}

// rungs returns what a collection tries, the oldest groups last of all.
func (f *fold) rungs(trigger Trigger) []Rung {
	m := &f.e.marks
	switch trigger {
	case TriggerTurns:
		return []Rung{{Name: "turns", Editor: OldestTurns(f.e.keptTurns())}}
	case TriggerBytes:
		return []Rung{
			{Name: "media", Editor: f.slim(elideMedia())},
			{Name: "old-results", Editor: f.slim(ElideResults())},
			{Name: "oldest", Editor: f.slim(DropOldest())},
		}
	}
	pressure := f.pressure
	if m.Mode == Continuous {
		pressure = 0
	}
	oldest := ByPolicy(PolicyOptions{Pressure: pressure, Ask: f.e.ask})
	return append(slices.Clip(f.e.ladder.Rungs), Rung{Name: "oldest", Editor: oldest})
}

// window returns the messages that a collection works on: the view, with the policies that
// the configuration gives.
func (f *fold) window() []core.Message {
	base := f.seen
	if f.now.view != nil {
		base = f.now.view
	}
	return f.classified(base)
}

// spared returns which groups nothing but distress may touch: with calls that a person
// refused, that wait or were never answered, or of tools that are not eligible. An intermediate
// result spares its group only until the final one is there.
func (e *Enforcer) spared(w *core.Window) []bool {
	spared := make([]bool, len(w.Groups.List))
	for m := range w.History {
		for i := range w.History[m].Parts {
			p := &w.History[m].Parts[i]
			call, result := p.Kind == core.KindToolCall, p.Kind == core.KindToolResult
			pending := result && p.Status == core.StatusPending
			if pending && !w.Groups.List[w.Groups.Of[m]].Open {
				_, _, answers := w.Groups.CallOf(m, i)
				pending = !answers
			}
			if pending || result && p.Status == core.StatusDenied || call && !w.Groups.Answered(m, i) ||
				(call || result) && e.eligible != nil && p.Tool != "" && !e.eligible[p.Tool] {
				spared[w.Groups.Of[m]] = true
			}
		}
	}
	return spared
}

// gaps returns the messages of the view before which others were left out.
func (f *fold) gaps() []int {
	if f.now.view == nil {
		return nil
	}
	var gaps []int
	next := int32(0)
	for i, raw := range f.now.index {
		if raw < 0 {
			continue
		}
		if raw != next {
			gaps = append(gaps, i)
		}
		next = raw + 1
	}
	return gaps
}
