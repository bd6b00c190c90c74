package budget

import (
	"cmp"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// HistoryClassifier gives messages policies by what the whole history says, for
// [WithClassifier]: it returns one for each message that the view shows, in their order. shown
// are their indexes in the history. [core.PolicyDefault] leaves the message's own, and messages
// behind the end of what it returns keep theirs. It must be pure and safe for concurrent use, and
// must not change what it gets.
//
// It had better cost hardly more than what is shown: a history goes on growing, a view does not.
type HistoryClassifier = func(history []core.Message, shown []int) []core.Policy

// WithClassifier sets a function that gives messages policies by what the history says of
// them up to a collection: how old they have become, or that what they were kept for is done.
// It is asked once a collection, with the raw history up to there, so that a replay gives the
// same answers. Given several times, all are asked; of what they and the function of
// [WithPolicies] say of a message, the strictest counts.
func WithClassifier(classify HistoryClassifier) EnforcerOption {
	return func(e *Enforcer) { e.surveys = append(e.surveys, classify) }
}

// classified returns messages of the view with the policies that the configuration gives.
func (f *fold) classified(base []core.Message) []core.Message {
	e := f.e
	if e.classify == nil && e.surveys == nil && e.ask == nil {
		return base
	}
	given := f.survey(base)
	base = slices.Clone(base)
	for i := range base {
		m := &base[i]
		if !m.Inserted() {
			if e.classify != nil {
				given[i] = max(given[i], e.classify(f.raw(i), m))
			}
			m.Policy = cmp.Or(given[i], m.Policy)
		}
		if e.ask != nil && m.Policy == core.Conditional && e.ask(m) {
			m.Policy = core.Partial // for every rung
		}
	}
	return base
}

// survey returns what the classifiers of the whole history say of messages of the view.
func (f *fold) survey(base []core.Message) []core.Policy {
	given := make([]core.Policy, len(base))
	if f.e.surveys == nil {
		return given
	}
	var at, shown []int // in base, and in the history
	for i := range base {
		if !base[i].Inserted() {
			at, shown = append(at, i), append(shown, f.raw(i))
		}
	}
	for _, classify := range f.e.surveys {
		for i, p := range classify(slices.Clip(f.seen), slices.Clone(shown)) {
			if i < len(at) {
				given[at[i]] = max(given[at[i]], p)
			}
		}
	}
	return given
}
