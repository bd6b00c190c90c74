package budget

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/trimkit/trimkit/core"
)

// Enforcer keeps the views of growing conversations within a budget, and changes them
// seldom: it lets a view grow by appending until it crosses the trigger, then collects down
// to the target in one go, gentlest means first, and leaves the view alone again. So what a
// provider has cached of the last request serves the next one.
//
// A view is a pure function of the history, the configuration and the [Step]: any process
// gives the same bytes, with nothing stored. An Enforcer takes a history in message by
// message and decides wherever a model call is due, whether or not it was asked there. What
// it took in it keeps, for a bounded number of conversations: a history that goes on from a
// seen one costs its new messages, and a comparison of the old ones; one that parts from a
// seen one goes on from the last collection they share.
//
// The bound is exact for the meter's counts: the view, what stands beside it rounded up to a
// sixteenth of the window, and the reserve are at most the window. If what must stay is
// larger, Transform returns the best valid view with an [*OverBudgetError].
//
// An Enforcer is safe for concurrent use. It keeps copies of messages (not of their texts)
// as long as it remembers the conversation. Views share messages with each other, and are
// read only.
type Enforcer struct {
	meter    *Meter
	limits   Limits
	marks    Marks
	profile  *core.Profile
	ladder   Ladder
	classify Classifier
	surveys  []HistoryClassifier
	ask      func(*core.Message) bool
	eligible map[string]bool
	shadow   bool
	notice   bool
	prepares bool // a rung has a Prepare

	onReport    func(context.Context, *Report)
	onThreshold func(tokens, trigger int)
	logger      *slog.Logger

	folds   cache
	mu      sync.Mutex
	reports []*Report // the newest, oldest first
}

// EnforcerOption configures an [Enforcer].
type EnforcerOption func(*Enforcer)

// WithMarks sets when the Enforcer collects, and how far.
func WithMarks(m Marks) EnforcerOption { return func(e *Enforcer) { e.marks = m } }

// WithLadder sets what a collection tries. The default is [DefaultLadder] without lossless
// rungs.
func WithLadder(l Ladder) EnforcerOption { return func(e *Enforcer) { e.ladder = l } }

// WithEnforcerProfile sets the provider whose rules on neighbours views keep.
func WithEnforcerProfile(p *core.Profile) EnforcerOption {
	return func(e *Enforcer) { e.profile = p }
}

// WithPolicies sets a function that gives messages policies: pins by id, index, labels or
// content, see [PinIDs] and [Policies]. It must be pure, since it is asked again whenever a
// history is taken in anew.
func WithPolicies(classify Classifier) EnforcerOption {
	return func(e *Enforcer) { e.classify = classify }
}

// WithConditional sets the function that decides whether a message of policy Conditional may
// go: then it is as a Partial one to every rung of that collection. It must be pure. Without one
// they are as Preservable ones.
func WithConditional(mayGo func(*core.Message) bool) EnforcerOption {
	return func(e *Enforcer) { e.ask = mayGo }
}

// WithEligibleTools sets the only tools whose calls and results may go.
func WithEligibleTools(names ...string) EnforcerOption {
	return func(e *Enforcer) { e.eligible = named(nil, names) }
}

// WithShadow makes the Enforcer decide and report, and return histories as they are. Rungs are
// prepared as ever.
func WithShadow() EnforcerOption { return func(e *Enforcer) { e.shadow = true } }

// WithOnReport sets a function that gets the report of each collection that this process
// decides at the end of a history, and the context of the call that it was due at. Collections
// further back, which taking in a history repeats, are not reported. It is called before
// Transform returns, and must be safe for concurrent use; it may use the Enforcer.
func WithOnReport(f func(context.Context, *Report)) EnforcerOption {
	return func(e *Enforcer) { e.onReport = f }
}

// WithOnThreshold sets a function that is called when [Enforcer.Watch] finds a view above
// the trigger.
func WithOnThreshold(f func(tokens, trigger int)) EnforcerOption {
	return func(e *Enforcer) { e.onThreshold = f }
}

// WithLogger sets where collections are logged: numbers and names, no content. The default
// logs nothing.
func WithLogger(l *slog.Logger) EnforcerOption { return func(e *Enforcer) { e.logger = l } }

// WithConversations bounds the conversations, and branches of them, that the Enforcer
// remembers; the default is 128. A forgotten one is taken in anew when it comes again.
func WithConversations(n int) EnforcerOption {
	return func(e *Enforcer) { e.folds.limit = max(n, 1) }
}

// NewEnforcer returns an Enforcer, or a [*LimitsError] that lists everything wrong with
// limits and marks.
func NewEnforcer(meter *Meter, limits Limits, opts ...EnforcerOption) (*Enforcer, error) {
	e := &Enforcer{meter: meter, limits: limits, ladder: DefaultLadder(), folds: cache{limit: 128}}
	for _, o := range opts {
		o(e)
	}
	e.marks = e.marks.or()
	faults := append(limits.faults(), e.marks.faults()...)
	for i, r := range e.ladder.Rungs {
		e.prepares = e.prepares || r.Prepare != nil
		if r.Editor == nil {
			faults = append(faults, LimitsFault{"Ladder.Rungs", i, "a rung without an Editor", "give it one, or leave it out"})
		}
	}
	if len(faults) > 0 {
		return nil, &LimitsError{faults}
	}
	return e, nil
}

// Transform returns the view of a history that a model call sends. Its errors are the
// context's, an [*OverBudgetError], and a [*core.StepError] for a rung that broke down or could not
// be prepared in a collection at this very end; with the latter two the view is valid. If the
// context ends while a rung is prepared, nothing is decided, and the history comes back.
//
// A history that ends with open calls is only bounded: nothing is decided before they are
// answered.
func (e *Enforcer) Transform(ctx context.Context, history []core.Message) ([]core.Message, error) {
	if err := ctx.Err(); err != nil || len(history) == 0 {
		return history, err
	}
	view, over, reports, err := e.view(ctx, history, core.RequestFrom(ctx))
	if err != nil {
		return history, err
	}
	err = e.tell(ctx, reports) // with nothing locked: who is told may ask
	if e.shadow {
		return history, nil
	}
	if over != nil {
		err = errors.Join(over, err)
	}
	return view, err
}

// view takes a history in, and returns what is to be sent and to be told. Its error is the
// context's.
func (e *Enforcer) view(ctx context.Context, history []core.Message, r *core.Request) ([]core.Message, *OverBudgetError, []*Report, error) {
	f, err := e.take(ctx, history, r)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.mu.Unlock()
	view, tokens, over := f.view(history)
	if e.shadow {
		tokens = f.now.raw
	}
	f.warm, f.sent, f.sentAt = true, tokens+e.meter.Request(r), len(history)
	return view, over, f.told(), nil
}

// told hands over the reports.
func (f *fold) told() []*Report {
	reports := f.reports
	f.reports = nil
	return reports
}

// tell reports collections, and returns the errors of their rungs.
func (e *Enforcer) tell(ctx context.Context, reports []*Report) (err error) {
	for _, r := range reports {
		e.mu.Lock()
		e.reports = append(e.reports, r)
		if len(e.reports) > maxReports {
			e.reports = e.reports[1:]
		}
		e.mu.Unlock()
		e.log(ctx, r)
		if e.onReport != nil {
			e.onReport(ctx, r)
		}
		err = errors.Join(err, r.Err)
	}
	return err
}

// maxReports bounds the reports that an Enforcer keeps.
const maxReports = 64

// Reports returns the newest reports, oldest first: no more than 64.
func (e *Enforcer) Reports() []*Report {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]*Report(nil), e.reports...)
}

func (e *Enforcer) log(ctx context.Context, r *Report) {
	if e.logger == nil {
		return
	}
	e.logger.InfoContext(ctx, "trimkit collection",
		"trigger", string(r.Trigger), "strategy", r.Strategy, "adopted", r.Adopted, "edits", len(r.Edits),
		"tokens_before", r.TokensBefore, "tokens_after", r.TokensAfter, "limit", r.Limit, "duration", r.Duration)
}
