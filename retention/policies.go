package retention

import (
	"time"

	"github.com/trimkit/trimkit/core"
)

// Policies returns what gives the messages that a view shows the policies that follow from
// their labels, for budget.WithClassifier. Messages without a label have none, but see
// [Exchanges]. A label never makes a message's own policy weaker.
//
// The function is pure and safe for concurrent use. It looks at each message of the history
// for marks and times, and at what is shown more closely.
func Policies() func(history []core.Message, shown []int) []core.Policy {
	return func(history []core.Message, shown []int) []core.Policy {
		policies := make([]core.Policy, len(shown))
		found := false
		ends, next := endsOf(history), len(shown)-1
		for i := len(history) - 1; i >= 0 && next >= 0; i-- {
			l, _ := read(&history[i])
			ends.mark(&l)
			if shown[next] == i {
				if l.Importance != "" || l.Until != (Until{}) {
					policies[next] = ends.policy(&l)
					found = true
				}
				next--
			}
			ends.turn(&history[i])
		}
		if !found {
			return nil
		}
		return Exchanges(history, shown, policies)
	}
}

// Exchanges completes policies of the messages that a view shows, in place, and returns them.
// What is said of a part of an exchange is said of all of it, since it leaves whole: results
// without a policy get that of their reply, and a reply without one whose results all have one
// gets the strictest of these. (Else the rest, which is Partial, would keep what is
// Ephemeral.) A policy that is weaker than the message's own gives way to that.
func Exchanges(history []core.Message, shown []int, policies []core.Policy) []core.Policy {
	view := make([]core.Message, len(shown))
	for at, i := range shown {
		view[at] = history[i]
	}
	for _, g := range core.NewGroups(view).List {
		if g.Kind == core.GroupExchange {
			complete(view, policies, g.Msgs)
		}
	}
	for at := range policies {
		if policies[at] != core.PolicyDefault {
			policies[at] = max(policies[at], view[at].Policy)
		}
	}
	return policies
}

// complete gives the messages of an exchange each other's policies.
func complete(view []core.Message, policies []core.Policy, msgs []int) {
	var reply, results core.Policy
	all := true
	for _, i := range msgs {
		if view[i].Role == core.RoleAssistant {
			reply = max(reply, policies[i])
			continue
		}
		results = max(results, policies[i])
		all = all && policies[i] != core.PolicyDefault
	}
	for _, i := range msgs {
		switch {
		case policies[i] != core.PolicyDefault:
		case reply != core.PolicyDefault || view[i].Role != core.RoleAssistant:
			policies[i] = reply
		case all:
			policies[i] = results
		}
	}
}

// ends is what has ended behind a message, while a history is gone through backwards.
type ends struct {
	turns         int // user messages behind it
	task, session bool
	newest        time.Time // that any message has
}

func endsOf(history []core.Message) *ends {
	e := &ends{}
	for i := range history {
		if meta := history[i].Meta; meta != nil && meta.Time.After(e.newest) {
			e.newest = meta.Time
		}
	}
	return e
}

// mark heeds a message's mark, which holds for the message itself, too.
func (e *ends) mark(l *Label) {
	e.session = e.session || l.Ends == SessionScope
	e.task = e.task || l.Ends != ""
}

// turn counts a message.
func (e *ends) turn(m *core.Message) {
	if m.Role == core.RoleUser && !m.Inserted() {
		e.turns++
	}
}

// policy returns the policy of a message.
func (e *ends) policy(l *Label) core.Policy {
	if e.ended(l) {
		return core.Ephemeral
	}
	switch l.Importance {
	case Task, Session:
		return core.Preservable
	case Temporary:
		return core.Partial
	case Debug:
		return core.Ephemeral
	default: // critical, or only retained
		return core.Locked
	}
}

// ended reports whether a message is no longer retained.
func (e *ends) ended(l *Label) bool {
	until := l.Until
	if until == (Until{}) {
		until = map[Importance]Until{Task: EndOfTask, Session: EndOfSession, Temporary: Turns(1)}[l.Importance]
	}
	switch {
	case until.scope == TaskScope:
		return e.task
	case until.scope == SessionScope:
		return e.session
	case until.turns > 0:
		return e.turns >= until.turns
	default:
		return !until.time.IsZero() && !e.newest.Before(until.time)
	}
}
