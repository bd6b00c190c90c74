package budget

import (
	"slices"

	"github.com/trimkit/trimkit/core"
)

// pairs finds the call of each result as messages come in, by the rules of [core.Groups]: the
// nearest unanswered one of its id before it, and of one reply the first such; without one,
// that which was answered last.
type pairs struct {
	waiting  map[string][][]call // id → unanswered calls, by reply
	answered map[string]call     // id → the call answered last
	calls    int
	answers  []int // of the last message: the message with the call that each part answers; -1
}

// call is a call: its message, and which one it is.
type call struct{ msg, number int }

func newPairs() pairs {
	return pairs{waiting: make(map[string][][]call), answered: make(map[string]call)}
}

// take takes in message i of a history.
func (p *pairs) take(history []core.Message, i int) {
	p.answers = p.answers[:0]
	before := -1 // number of the call that the part before answers
	for at := range history[i].Parts {
		part, now := &history[i].Parts[at], call{-1, -1}
		switch part.Kind {
		case core.KindToolCall:
			p.call(history, i, part.CallID)
		case core.KindToolResult:
			now = p.result(history, part, before)
		}
		p.answers, before = append(p.answers, now.msg), now.number
	}
}

func (p *pairs) call(history []core.Message, i int, id string) {
	replies := p.waiting[id]
	if n := len(replies) - 1; n >= 0 && oneReply(history, replies[n][len(replies[n])-1].msg, i) {
		replies[n] = append(replies[n], call{i, p.calls})
	} else {
		p.waiting[id] = append(replies, []call{{i, p.calls}})
	}
	p.calls++
}

func (p *pairs) result(history []core.Message, part *core.Part, before int) call {
	last, repeated := p.answered[part.CallID]
	replies := p.waiting[part.CallID]
	n := len(replies) - 1
	switch {
	case n < 0 && !repeated:
		return call{-1, -1}
	case n < 0, repeated && before == last.number && !oneReply(history, last.msg, replies[n][0].msg):
		return last // another block of that result
	}
	c := replies[n][0]
	if part.Status == core.StatusPending {
		return c
	}
	p.answered[part.CallID] = c
	if replies[n] = replies[n][1:]; len(replies[n]) == 0 {
		replies = replies[:n]
	}
	if p.waiting[part.CallID] = replies; len(replies) == 0 {
		delete(p.waiting, part.CallID)
	}
	return c
}

func oneReply(history []core.Message, a, b int) bool {
	return a == b || history[a].Reply != 0 && history[a].Reply == history[b].Reply
}

// belongs returns a message that has left the view and that the newest, message i, leaves
// with, or -1: the call that it answers, if it answers no other and is not what the user says,
// or what began its reply.
func (f *fold) belongs(i int) int {
	m := &f.seen[i]
	if first, known := f.first[m.Reply]; known && first < i && m.Role == core.RoleAssistant {
		if f.shows(first) {
			return -1
		}
		return first
	}
	if i > 0 && m.Role == core.RoleAssistant && onlyReasoning(&f.seen[i-1]) && !f.shows(i-1) {
		return i - 1 // it is what that led to
	}
	of := -1
	for p, call := range f.answers {
		kind := m.Parts[p].Kind
		switch {
		case call >= 0 && f.shows(call), kind == core.KindToolCall, kind != core.KindToolResult && m.Role == core.RoleUser:
			return -1
		case call >= 0:
			of = call
		}
	}
	return of
}

// onlyReasoning reports whether a message is the model's and nothing but reasoning.
func onlyReasoning(m *core.Message) bool {
	return m.Role == core.RoleAssistant && len(m.Parts) > 0 &&
		!slices.ContainsFunc(m.Parts, func(p core.Part) bool { return p.Kind != core.KindReasoning })
}

// shows reports whether the view has a message of the history.
func (f *fold) shows(i int) bool {
	if f.now.view == nil {
		return true
	}
	for at := len(f.now.index) - 1; at >= 0; at-- { // what is asked for is mostly near the end
		if raw := int(f.now.index[at]); raw >= 0 && raw <= i {
			return raw == i
		}
	}
	return false
}
