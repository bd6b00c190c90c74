package budget

import (
	"context"
	"errors"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// Explain returns what a collection of a history, now and whatever the marks say, would do,
// and does nothing: the dry run of [Enforcer.Collect], without what a rung has to prepare and
// without a new notice.
func (e *Enforcer) Explain(ctx context.Context, history []core.Message) (*Report, error) {
	if err := ctx.Err(); err != nil || len(history) == 0 {
		return &Report{View: history}, err
	}
	f := e.peek(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	w, r := f.run(TriggerManual)
	if r.View = history; len(r.Edits) > 0 {
		r.View, _ = f.shown(w)
	} else if f.now.view != nil {
		r.View = slices.Clip(f.now.view)
	}
	return r, r.Err
}

// Collect collects a history now, whatever the marks say, and returns what it did. The view
// of this history and of what grows out of it has those edits from here on, as long as the
// Enforcer remembers it: unlike everything else it is no function of the history, so only
// [Enforcer.State] takes it to another process.
func (e *Enforcer) Collect(ctx context.Context, history []core.Message) (*Report, error) {
	if err := ctx.Err(); err != nil || len(history) == 0 {
		return &Report{View: history}, err
	}
	report, over, reports, err := e.collect(ctx, history, core.RequestFrom(ctx))
	if err != nil {
		return &Report{View: history}, err
	}
	err = e.tell(ctx, reports)
	if over != nil {
		err = errors.Join(over, err)
	}
	return report, err
}

// collect collects, and returns what is to be returned and to be told. Its error is the
// context's.
func (e *Enforcer) collect(ctx context.Context, history []core.Message, r *core.Request) (*Report, *OverBudgetError, []*Report, error) {
	f, err := e.take(ctx, history, r)
	if err != nil {
		return nil, nil, nil, err
	}
	for e.prepares {
		if f.failed, err = f.rehearsed(ctx); err == nil && len(f.seen) == len(history) {
			break
		}
		f.mu.Unlock() // the context ended, or others went on with it meanwhile
		if err != nil {
			return nil, nil, nil, err
		}
		if f, err = e.take(ctx, history, r); err != nil {
			return nil, nil, nil, err
		}
	}
	defer f.mu.Unlock()
	f.collect(TriggerManual)
	f.failed = nil
	report := *f.reports[len(f.reports)-1]
	var over *OverBudgetError
	report.View, _, over = f.view(history)
	return &report, over, f.told(), nil
}

// Watch tells the function of [WithOnThreshold] if the view of a history is above the
// trigger. It is for programs that stream, and want to know before the next model call; it
// does what [Enforcer.Transform] would do, without a report, and returns the tokens of the
// view and of the trigger. A collection that a rung has to be prepared for is left to Transform.
func (e *Enforcer) Watch(ctx context.Context, history []core.Message) (tokens, trigger int) {
	if ctx.Err() != nil || len(history) == 0 {
		return 0, 0
	}
	f := e.peek(history, core.RequestFrom(ctx))
	tokens, trigger = f.now.tokens, f.trigger
	f.mu.Unlock()
	if tokens > trigger && e.onThreshold != nil {
		e.onThreshold(tokens, trigger)
	}
	return tokens, trigger
}

// Calibrate raises the calibration of a conversation, for the case that a provider refused a
// view as too long: as far as it takes for the view to have fewer tokens. It reports whether
// that is possible; if not, everything stays as it was.
func (e *Enforcer) Calibrate(ctx context.Context, history []core.Message) bool {
	if len(history) == 0 {
		return false
	}
	f := e.peek(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	refused, _, _ := f.called()
	for step := f.step; step.Calibration < len(calibrations)-1; {
		step.Calibration++
		g := f.fork(len(history), step, history)
		g.extend(history)
		g.conclude(nil)
		if now, _, _ := g.called(); now.tokens < refused.tokens {
			g.reports, g.warm = nil, true
			g.stepped(&f.now)
			e.folds.use(g)
			return true
		}
	}
	return false
}
