package coretest

import "github.com/trimkit/trimkit/core"

// place is a part of a history.
type place struct{ msg, part int }

// pairing is what belongs together in a history, and what must stay, derived from the
// rules as they are written: by looking through the whole history for every part.
type pairing struct {
	history []core.Message
	answers map[place]place // result → the call that it answers
	final   map[place]bool  // calls with a result that is not pending
	pending map[place]bool  // calls with a pending result
	calls   []place
	open    map[place]bool // calls that still wait
	group   []int          // message → first message of its group
	hard    []bool         // message: its group is pinned, a system message, the task or the question
	waiting []bool         // message: its group has something unread, or an open call
}

func newPairing(history []core.Message) *pairing {
	p := &pairing{
		history: history,
		answers: make(map[place]place), final: make(map[place]bool), pending: make(map[place]bool), open: make(map[place]bool),
		group: make([]int, len(history)),
	}
	p.match()
	p.unite()
	p.protect()
	return p
}

// match finds the call of every result.
func (p *pairing) match() {
	last := make(map[string]place) // id → the call answered last
	for m := range p.history {
		for i := range p.history[m].Parts {
			part, at := &p.history[m].Parts[i], place{m, i}
			switch part.Kind {
			case core.KindToolCall:
				p.calls = append(p.calls, at)
			case core.KindToolResult:
				call, ok := p.callOf(at, last)
				if !ok {
					continue
				}
				p.answers[at] = call
				if part.Status == core.StatusPending {
					p.pending[call] = true
				} else {
					p.final[call] = true
					last[part.CallID] = call
				}
			}
		}
	}
	for _, c := range p.calls {
		p.open[c] = !p.final[c] && (p.pending[c] || !p.userAfter(c.msg))
	}
}

// callOf returns the call that the result at a place answers: the nearest before it of its
// id that is unanswered, and the first such of that reply; without one, the call of the id
// that was answered last. The blocks of a result follow each other and answer one call.
func (p *pairing) callOf(at place, last map[string]place) (call place, ok bool) {
	id := p.history[at.msg].Parts[at.part].CallID
	previous, repeated := last[id]
	var waiting []place
	for _, c := range p.calls {
		if p.history[c.msg].Parts[c.part].CallID == id && !p.final[c] {
			waiting = append(waiting, c)
		}
	}
	if len(waiting) == 0 {
		return previous, repeated
	}
	call = waiting[len(waiting)-1]
	for i := len(waiting) - 1; i >= 0 && p.oneReply(waiting[i].msg, call.msg); i-- {
		call = waiting[i]
	}
	before, answered := p.answers[place{at.msg, at.part - 1}]
	if answered && repeated && before == previous && !p.oneReply(previous.msg, call.msg) {
		return previous, true
	}
	return call, true
}

func (p *pairing) oneReply(a, b int) bool {
	return a == b || p.history[a].Reply != 0 && p.history[a].Reply == p.history[b].Reply
}

func (p *pairing) userAfter(msg int) bool {
	for m := msg + 1; m < len(p.history); m++ {
		if isUser(&p.history[m]) {
			return true
		}
	}
	return false
}

// unite makes the groups.
func (p *pairing) unite() {
	for m := range p.group {
		p.group[m] = m
	}
	for result, call := range p.answers {
		p.join(result.msg, call.msg)
	}
	for b := range p.history {
		if p.history[b].Role != core.RoleAssistant {
			continue
		}
		for a := range b {
			if p.history[a].Role == core.RoleAssistant && (p.oneReply(a, b) || a == b-1 && thoughtsOnly(&p.history[a])) {
				p.join(a, b)
			}
		}
	}
}

func (p *pairing) join(a, b int) {
	first, second := min(p.group[a], p.group[b]), max(p.group[a], p.group[b])
	for m, g := range p.group {
		if g == second {
			p.group[m] = first
		}
	}
}

// protect finds what law 5 is about. A group stays whole, so what protects one of its
// messages protects all.
func (p *pairing) protect() {
	p.hard, p.waiting = make([]bool, len(p.history)), make([]bool, len(p.history))
	task, question := p.users()
	begin, end := p.lastReply()
	for m := range p.history {
		role := p.history[m].Role
		if p.history[m].Policy == core.Locked || role == core.RoleSystem || m == task || m == question {
			p.mark(p.hard, m)
		}
		if m > begin && role != core.RoleAssistant { // the model has not seen it
			p.mark(p.waiting, m)
			if m < end { // unread only as long as the reply around it is there
				p.mark(p.waiting, begin)
			}
		}
	}
	for c, open := range p.open {
		if open {
			p.mark(p.waiting, c.msg)
		}
	}
}

// mark marks the group of a message.
func (p *pairing) mark(marks []bool, msg int) {
	for m := range p.group {
		marks[m] = marks[m] || p.group[m] == p.group[msg]
	}
}

// users returns the first and the last user message, or -1.
func (p *pairing) users() (task, question int) {
	task, question = -1, -1
	for m := range p.history {
		if isUser(&p.history[m]) {
			question = m
			if task < 0 {
				task = m
			}
		}
	}
	return task, question
}

// lastReply returns the first and the last message of the last reply, or -1.
func (p *pairing) lastReply() (begin, end int) {
	end = -1
	for m := range p.history {
		if p.history[m].Role == core.RoleAssistant && !added(&p.history[m]) {
			end = m
		}
	}
	for m := range end {
		if p.history[m].Role == core.RoleAssistant && p.oneReply(m, end) {
			return m, end
		}
	}
	return end, end
}

// isUser reports whether a message is the user's own.
func isUser(m *core.Message) bool { return m.Role == core.RoleUser && !added(m) }

// added reports whether an edit added the message.
func added(m *core.Message) bool {
	return m.Src == 0 && len(m.Parts) == 1 && m.Parts[0].Elided != nil
}

func thoughtsOnly(m *core.Message) bool {
	for i := range m.Parts {
		if m.Parts[i].Kind != core.KindReasoning {
			return false
		}
	}
	return len(m.Parts) > 0
}
