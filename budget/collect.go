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
	switch {
	case m.Mode == Manual:
		return
	case s.tokens > f.hard:
		f.collect(TriggerHardLimit)
	case due && s.tokens >= s.wait && s.n >= s.rest && s.missed:
		f.collect(TriggerMissed)
	case due && s.tokens >= s.wait && s.n >= s.rest:
		f.collect(TriggerMark)
	}
	if m.MaxTurns > 0 && s.turns > m.MaxTurns {
		f.collect(TriggerTurns)
	}
	if m.MaxBytes > 0 && s.bytes > m.MaxBytes || m.MaxMediaBytes > 0 && s.media > m.MaxMediaBytes {
		f.collect(TriggerBytes)
	}
}

// collect runs the ladder, and goes on with what it left if that is worth it.
func (f *fold) collect(trigger Trigger) {
	started := time.Now()
	w, r := f.run(trigger)
	freed := f.now.tokens - w.Tokens()
	r.Adopted = freed > 0 && (freed >= f.gain || trigger != TriggerMark && trigger != TriggerMissed)
	if r.Adopted {
		f.adopt(w)
		f.now.edited++
		f.now.wait, f.now.rest = 0, f.now.n+f.e.marks.Cooldown
		if trigger != TriggerTurns && trigger != TriggerBytes {
			f.now.missed = f.now.tokens > f.target
		}
		f.remember()
	} else {
		f.now.wait = f.now.tokens + f.gain
		r.Cause = cmp.Or(r.Cause, "it would have freed less than is worth a new prefix")
	}
	r.Duration = time.Since(started)
	if r.Adopted || !f.now.stuck {
		f.reports = append(f.reports, r)
	}
	f.now.stuck = f.now.tokens > f.hard // said once
}

// run runs the ladder on what the view is now.
func (f *fold) run(trigger Trigger) (*core.Window, *Report) {
	target := max(f.target, 1)
	if trigger == TriggerTurns || trigger == TriggerBytes {
		target = 1 // their rungs know where to stop
	}
	w := core.NewWindow(f.window(), core.WithSizer(f.e.meter), core.WithProfile(f.e.profile), core.WithTarget(target))
	w.Gaps = f.gaps()
	r := &Report{Trigger: trigger, Step: f.step, Strategy: f.e.ladder.Name, Limit: f.e.limits.Window, TokensBefore: f.now.tokens + f.fixed}
	tail, spared := tailStart(w, f.tail, f.e.marks.TailTurns), f.e.spared(w)
	if trigger == TriggerTurns {
		tail = len(w.Groups.List)
	}
	for _, rung := range f.rungs(trigger) {
		r.climb(w, rung.Name, outside(tail, spared, rung.Editor))
	}
	if w.Tokens() > f.hard && f.e.marks.Mode != Manual || trigger == TriggerBytes && f.oversize(w) {
		for _, rung := range f.rungs(trigger) {
			r.climb(w, rung.Name+" in the tail", rung.Editor)
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
	r.TokensAfter, r.Edits = w.Tokens()+f.fixed, w.Edits()
	for i := range r.Edits {
		r.Edits[i].Msg = f.raw(r.Edits[i].Msg)
		if r.Edits[i].By >= 0 {
			r.Edits[i].By = f.raw(r.Edits[i].By)
		}
	}
	return w, r
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
		return []Rung{{"turns", OldestTurns(max(m.MaxTurns*m.Target/m.Trigger, 1))}}
	case TriggerBytes:
		return []Rung{
			{"media", f.slim(elideMedia())}, {"old-results", f.slim(ElideResults())}, {"oldest", f.slim(DropOldest())},
		}
	}
	pressure := f.pressure
	if m.Mode == Continuous {
		pressure = 0
	}
	oldest := ByPolicy(PolicyOptions{Pressure: pressure, Ask: f.e.ask})
	return append(slices.Clip(f.e.ladder.Rungs), Rung{"oldest", oldest})
}

// window returns the messages that a collection works on: the view, with the policies that
// the configuration gives.
func (f *fold) window() []core.Message {
	base := f.seen
	if f.now.view != nil {
		base = f.now.view
	}
	if f.e.classify == nil {
		return base
	}
	base = slices.Clone(base)
	for i := range base {
		if !base[i].Inserted() {
			if p := f.e.classify(f.raw(i), &base[i]); p != core.PolicyDefault {
				base[i].Policy = p
			}
		}
	}
	return base
}

// spared returns which groups nothing but distress may touch: with calls that a person
// refused, that wait or were never answered, or of tools that are not eligible.
func (e *Enforcer) spared(w *core.Window) []bool {
	spared := make([]bool, len(w.Groups.List))
	for m := range w.History {
		for i := range w.History[m].Parts {
			p := &w.History[m].Parts[i]
			call, result := p.Kind == core.KindToolCall, p.Kind == core.KindToolResult
			if result && (p.Status == core.StatusDenied || p.Status == core.StatusPending) || call && !w.Groups.Answered(m, i) ||
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
