package budget

import (
	"context"

	"github.com/trimkit/trimkit/core"
)

// Explain returns what a collection of a history, now and whatever the marks say, would do,
// and does nothing: the dry run of [Enforcer.Collect].
func (e *Enforcer) Explain(ctx context.Context, history []core.Message) (*Report, error) {
	if err := ctx.Err(); err != nil || len(history) == 0 {
		return &Report{View: history}, err
	}
	f := e.take(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	w, r := f.run(TriggerManual)
	r.View = w.View()
	if len(r.Edits) == 0 {
		r.View, _ = f.view(history)
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
	f := e.take(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	f.reports, f.now.stuck = nil, false
	f.collect(TriggerManual)
	report := *f.reports[0]
	err := e.tell(f.reports)
	f.reports = nil
	var over *OverBudgetError
	if report.View, over = f.view(history); over != nil {
		return &report, over
	}
	return &report, err
}

// Watch tells the function of [WithOnThreshold] if the view of a history is above the
// trigger. It is for programs that stream, and want to know before the next model call; it
// does what [Enforcer.Transform] would do, without a report, and returns the tokens of the
// view and of the trigger.
func (e *Enforcer) Watch(ctx context.Context, history []core.Message) (tokens, trigger int) {
	if ctx.Err() != nil || len(history) == 0 {
		return 0, 0
	}
	f := e.take(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	if f.now.tokens > f.trigger && e.onThreshold != nil {
		e.onThreshold(f.now.tokens, f.trigger)
	}
	return f.now.tokens, f.trigger
}

// Calibrate raises the calibration of a conversation by a step: for the case that a provider
// refused a view as too long. It reports whether there was a further step.
func (e *Enforcer) Calibrate(ctx context.Context, history []core.Message) bool {
	if len(history) == 0 {
		return false
	}
	f := e.take(history, core.RequestFrom(ctx))
	step, before := f.step, f.now
	f.mu.Unlock()
	if step.Calibration++; step.Calibration == len(calibrations) {
		return false
	}
	g := e.newFold(f.key, step, history)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.extend(history)
	g.reports = nil
	g.stepped(&before)
	e.folds.use(g)
	return true
}
