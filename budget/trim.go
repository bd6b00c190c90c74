package budget

import (
	"context"
	"errors"

	"github.com/trimkit/trimkit/core"
)

// Trim fits histories into limits. A history that fits is returned as it is, without an
// allocation. One that does not runs through the steps, if there are any, for as long as
// it is too large; what then is still missing is made up for by [DropOldest] and, when
// even that does not suffice, by [ShortenUnread].
//
// The bound is exact for the meter's counts: the messages of the view, what the context's
// [core.Request] adds to them, and the reserve together are at most the window. If what
// must stay is larger, Transform returns the best valid view with an [*OverBudgetError].
//
// A Trim keeps nothing of a conversation but token counts, and is safe for concurrent use.
type Trim struct {
	meter   *Meter
	limits  Limits
	profile *core.Profile
	steps   []core.Editor
}

// TrimOption configures a [Trim].
type TrimOption func(*Trim)

// WithSteps sets editors that run, in this order, before groups are dropped. Each is asked
// only while the view is too large, and only for as much as is needed.
func WithSteps(steps ...core.Editor) TrimOption {
	return func(t *Trim) { t.steps = append(t.steps, steps...) }
}

// WithProfile sets the provider whose rules on neighbours the view keeps; see
// [core.WithProfile].
func WithProfile(p *core.Profile) TrimOption { return func(t *Trim) { t.profile = p } }

// NewTrim returns a Trim, or a [*LimitsError] that lists everything wrong with limits.
func NewTrim(meter *Meter, limits Limits, opts ...TrimOption) (*Trim, error) {
	if err := limits.Validate(); err != nil {
		return nil, err
	}
	t := &Trim{meter: meter, limits: limits}
	for _, o := range opts {
		o(t)
	}
	return t, nil
}

// Transform returns a view of history that fits. Its errors are the context's, an
// [*OverBudgetError], and a [*core.StepError] for every step that panicked; with the
// latter two the view is valid, and with a StepError alone it fits.
func (t *Trim) Transform(ctx context.Context, history []core.Message) ([]core.Message, error) {
	if err := ctx.Err(); err != nil || len(history) == 0 {
		return history, err
	}
	room := t.room(ctx)
	if t.meter.History(history) <= room {
		return history, nil
	}
	_, view, err := t.collect(history, room)
	return view, err
}

// Explain does what Transform does and returns what it did and why; error and view are
// those of Transform.
func (t *Trim) Explain(ctx context.Context, history []core.Message) (*Report, error) {
	r := &Report{View: history}
	if err := ctx.Err(); err != nil || len(history) == 0 {
		return r, err
	}
	room := t.room(ctx)
	overhead := t.limits.Window - room // the reserve and everything beside the messages
	w, view, err := t.collect(history, room)
	r.View, r.Edits = view, w.Edits()
	r.Limit, r.TokensBefore, r.TokensAfter = t.limits.Window, t.meter.History(history)+overhead, w.Tokens()+overhead
	return r, err
}

// room returns the tokens that messages may have.
func (t *Trim) room(ctx context.Context) int {
	r := core.RequestFrom(ctx)
	reserve := t.limits.Reserve
	if r.Reserve > 0 {
		reserve = r.Reserve
	}
	return t.limits.Window - reserve - t.meter.Request(r)
}

// collect edits until the history fits room, or nothing more may go. Its error is that of
// Transform.
func (t *Trim) collect(history []core.Message, room int) (*core.Window, []core.Message, error) {
	// Where nothing but the overhead fits, the smallest view is the best one.
	w := core.NewWindow(history, core.WithSizer(t.meter), core.WithProfile(t.profile), core.WithTarget(max(room, 1)))
	var failures []error
	for i, step := range t.steps {
		if _, err := core.Apply(w, step); err != nil {
			failures = append(failures, &core.StepError{Step: i, Err: err})
		}
	}
	// Ours do not panic, and what is refused of theirs stays.
	_, _ = core.Apply(w, DropOldest())
	_, _ = core.Apply(w, dropEverything())
	if !w.Fits() {
		w.Distress()
		_, _ = core.Apply(w, ShortenUnread())
	}
	view := w.View()
	if !w.Fits() {
		failures = append(failures, overBudget(w, view, room))
	}
	return w, view, errors.Join(failures...)
}
