package budget

import (
	"slices"

	"github.com/trimkit/trimkit/core"
)

// Classifier gives messages policies, for [WithPolicies]. i is the index in the history;
// [core.PolicyDefault] leaves the message's own. It must be pure and safe for concurrent use,
// and must not change the message, which may be one that was edited before.
type Classifier = func(i int, m *core.Message) core.Policy

// PinIDs pins the messages whose metadata have one of the ids: they are Locked. Without an id
// there is nothing to go by, so the empty one pins nothing.
func PinIDs(ids ...string) Classifier {
	set := named(nil, ids)
	return PinIf(func(_ int, m *core.Message) bool { return m.Meta != nil && m.Meta.ID != "" && set[m.Meta.ID] })
}

// PinIndexes pins messages by their place in the history, from 0.
func PinIndexes(indexes ...int) Classifier {
	indexes = slices.Clone(indexes)
	return PinIf(func(i int, _ *core.Message) bool { return slices.Contains(indexes, i) })
}

// PinLabel pins the messages with a label of that value.
func PinLabel(key, value string) Classifier { return ByLabel(key, value, core.Locked) }

// ByLabel gives the messages with a label of that value a policy.
func ByLabel(key, value string, p core.Policy) Classifier {
	return func(_ int, m *core.Message) core.Policy {
		if m.Meta == nil {
			return core.PolicyDefault
		}
		if v, ok := m.Meta.Labels[key]; ok && v == value {
			return p
		}
		return core.PolicyDefault
	}
}

// PinIf pins the messages of which pin says so.
func PinIf(pin func(i int, m *core.Message) bool) Classifier {
	return func(i int, m *core.Message) core.Policy {
		if pin(i, m) {
			return core.Locked
		}
		return core.PolicyDefault
	}
}

// Policies asks all of its classifiers: of their answers the strictest counts, whatever their
// order.
func Policies(classifiers ...Classifier) Classifier {
	classifiers = slices.Clone(classifiers)
	return func(i int, m *core.Message) core.Policy {
		strictest := core.PolicyDefault
		for _, c := range classifiers {
			strictest = max(strictest, c(i, m))
		}
		return strictest
	}
}
