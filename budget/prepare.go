package budget

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// scope is what the rungs of a collection may touch.
type scope struct {
	tail   int    // the first group of the tail
	spared []bool // by group
}

type scopeKey struct{}

func scopeOf(w *core.Window) *scope {
	whole := func() any { return &scope{tail: len(w.Groups.List)} }
	s, _ := w.Fact(scopeKey{}, whole).(*scope)
	return s
}

// InReach reports whether the rungs of a collection may touch the group of a message: it is
// neither in the tail nor spared for its tool or for how its calls went. For a window that is no
// [Enforcer]'s it is true. A rung that plans ahead asks before it does; what it proposes beyond its
// reach is not tried.
func InReach(w *core.Window, msg int) bool {
	s, g := scopeOf(w), w.Groups.Of[msg]
	return g < s.tail && (s.spared == nil || !s.spared[g])
}

// preparation is how the rungs of one decision are prepared, and what came of it.
type preparation struct {
	ctx    context.Context //nolint:containedctx // it belongs to one call, as this does
	failed map[int]error   // by rung
	ended  error           // the context's
}

// prepare prepares a rung. A panic counts as a failure.
func (p *preparation) prepare(i int, rung Rung, w *core.Window) {
	defer func() {
		if v := recover(); v != nil {
			p.failed[i] = &core.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	if p.ended != nil {
		return
	}
	err := rung.Prepare(p.ctx, w)
	if err != nil && p.ctx.Err() != nil {
		p.ended = p.ctx.Err()
	}
	p.failed[i] = err
}

// ready sees to it that a rung is prepared, where a rehearsal asks for that, and notes if it
// was not.
func (f *fold) ready(i int, rung Rung, w *core.Window, r *Report) {
	if rung.Prepare == nil || w.Fits() {
		return
	}
	failed := f.failed
	if f.rehearsal != nil {
		f.rehearsal.prepare(i, rung, w)
		failed = f.rehearsal.failed
	}
	if err := failed[i]; err != nil {
		r.Err = errors.Join(r.Err, &core.StepError{Step: len(r.Rungs), Err: err})
		r.Cause = cmp.Or(r.Cause, rung.Name+" failed")
	}
}

// rehearse decides on a copy, and lets rungs prepare themselves for the windows that they meet
// there, so that the decision itself finds everything done. Nothing is locked meanwhile: the fold
// may be another one afterwards. It is locked before and after. The error is the context's.
func (f *fold) rehearse(ctx context.Context, decide func(*fold)) (failed map[int]error, err error) {
	p := &preparation{ctx: ctx, failed: make(map[int]error)}
	copied := &fold{e: f.e, step: f.step, levels: f.levels, seen: slices.Clip(f.seen), now: f.now, rehearsal: p}
	copied.now.view, copied.now.index = slices.Clip(f.now.view), slices.Clip(f.now.index)
	f.mu.Unlock()
	defer f.mu.Lock()
	decide(copied)
	return p.failed, p.ended
}

// settle takes the decision that is put off at the end of what was seen, if nobody else does
// meanwhile. The fold is locked before and after, unless a function of the program panics. The
// error is the context's, and then nothing is decided.
func (f *fold) settle(ctx context.Context) error {
	defer f.abandon()
	n := len(f.seen)
	failed, err := f.rehearse(ctx, (*fold).decide)
	if err != nil || !f.undecided || len(f.seen) != n {
		return err
	}
	f.conclude(failed)
	return nil
}

// rehearsed rehearses a collection that a program asks for. It is locked as settle is.
func (f *fold) rehearsed(ctx context.Context) (failed map[int]error, err error) {
	defer f.abandon()
	return f.rehearse(ctx, func(copied *fold) { copied.collect(TriggerManual) })
}

// conclude takes the decision that is put off.
func (f *fold) conclude(failed map[int]error) {
	if f.undecided {
		f.failed = failed
		f.decide()
		f.undecided, f.failed = false, nil
	}
}

// take returns the fold of a history, which has taken all of it in, and is locked. Where rungs
// prepare themselves, they do so before the last decision. Its error is the context's.
func (e *Enforcer) take(ctx context.Context, history []core.Message, r *core.Request) (*fold, error) {
	for {
		f := e.look(history, r)
		if !f.undecided {
			return f, nil
		}
		if err := f.settle(ctx); err != nil {
			f.mu.Unlock()
			return nil, err
		}
		if !f.undecided && len(f.seen) == len(history) {
			return f, nil
		}
		f.mu.Unlock() // others went on with it, or what they began had to be decided first
	}
}

// peek is take for those that want to know and not to decide: a decision at the end of the
// history that rungs would have to be prepared for is left open.
func (e *Enforcer) peek(history []core.Message, r *core.Request) *fold {
	f := e.look(history, r)
	if len(f.seen) == len(history) {
		return f
	}
	g := f.fork(len(f.seen), f.step, history)
	f.mu.Unlock()
	g.mu.Lock()
	g.extend(history)
	return g
}
