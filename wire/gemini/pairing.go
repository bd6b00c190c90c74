package gemini

import "strconv"

// pairing gives every call an id and finds it again for the result. What the API does is
// said in Google's guide to function calling and in the messages of its errors: a result
// names the call by its id where that has one, and otherwise results and calls are matched by
// name and order.
type pairing struct {
	calls  []asked
	queues []queue
	newest [ways]map[string]int // id or tool → 1 + index of the newest of its queues; 0: all are empty
	given  int                  // number of ids that were made up
}

// way is a way to find a call.
type way uint8

const (
	byID    way = iota
	byTool      // any call of a tool
	unnamed     // a call of a tool that came without id
	ways
)

type asked struct {
	id       string
	answered bool
	next     [ways]int // 1 + index of the next call in the same queue; 0: none
}

// queue is the calls of one content that can be found in one way under one name. Answered
// ones leave it when they are met.
type queue struct {
	content    int
	head, tail int // 1 + indices of calls; head 0: it is empty
	older      int // 1 + index of the queue of an earlier content; 0: none
}

func newPairing() pairing {
	return pairing{newest: [ways]map[string]int{{}, {}, {}}}
}

// call returns the id of a call of the tool in a content: its own, or a new one.
func (p *pairing) call(content int, tool, id string) string {
	made := id == ""
	if made {
		id = p.invent(tool)
	}
	p.calls = append(p.calls, asked{id: id})
	p.push(byID, id, content)
	p.push(byTool, tool, content)
	if made {
		p.push(unnamed, tool, content)
	}
	return id
}

func (p *pairing) invent(tool string) string {
	for {
		p.given++
		id := tool + "#" + strconv.Itoa(p.given)
		if _, taken := p.newest[byID][id]; !taken {
			return id
		}
	}
}

// push adds the last call to its queue.
func (p *pairing) push(by way, name string, content int) {
	call, at := len(p.calls), p.newest[by][name]
	if at > 0 && p.queues[at-1].content == content {
		q := &p.queues[at-1]
		p.calls[q.tail-1].next[by] = call
		q.tail = call
		return
	}
	p.queues = append(p.queues, queue{content: content, head: call, tail: call, older: at})
	p.newest[by][name] = len(p.queues)
}

// answer returns the id of the call that a result of the tool answers, if there is one, and
// else the result's own. A result that is not final leaves the call unanswered. Clients that
// make up ids put them into results only, so an id that no call has is no hindrance for a call
// without.
func (p *pairing) answer(tool, id string, final bool) string {
	by, name := byTool, tool
	if id != "" {
		by = unnamed
		if _, known := p.newest[byID][id]; known {
			by, name = byID, id
		}
	}
	call := p.pick(by, name)
	if call == nil {
		return id
	}
	call.answered = call.answered || final
	return call.id
}

// pick returns the first unanswered call of the name in the nearest content that has any.
func (p *pairing) pick(by way, name string) *asked {
	at, known := p.newest[by][name]
	if !known { // and it is not remembered
		return nil
	}
	for at > 0 {
		q := &p.queues[at-1]
		for q.head > 0 && p.calls[q.head-1].answered {
			q.head = p.calls[q.head-1].next[by]
		}
		if q.head > 0 {
			p.newest[by][name] = at
			return &p.calls[q.head-1]
		}
		at = q.older
	}
	p.newest[by][name] = 0
	return nil
}
