package budget

import (
	"cmp"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// HistoryClassifier gives the messages of a history policies, for [WithClassifier]: one for
// each message, in their order. [core.PolicyDefault] leaves the message's own, and messages
// behind the end of what it returns keep theirs. It must be pure and safe for concurrent
// use, and must not change the history.
type HistoryClassifier = func(history []core.Message) []core.Policy

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
	surveyed := make([][]core.Policy, len(e.surveys))
	for i, classify := range e.surveys {
		surveyed[i] = classify(slices.Clip(f.seen))
	}
	base = slices.Clone(base)
	for i := range base {
		m := &base[i]
		if !m.Inserted() {
			raw, given := f.raw(i), core.PolicyDefault
			if e.classify != nil {
				given = e.classify(raw, m)
			}
			for _, policies := range surveyed {
				if raw < len(policies) {
					given = max(given, policies[raw])
				}
			}
			m.Policy = cmp.Or(given, m.Policy)
		}
		if e.ask != nil && m.Policy == core.Conditional && e.ask(m) {
			m.Policy = core.Partial // for every rung
		}
	}
	return base
}
