package coretest

import (
	"slices"
	"strconv"

	"github.com/trimkit/trimkit/core"
)

// exchange is a reply with calls, and every result.
func (b *builder) exchange() {
	calls := b.ask()
	if b.once(12) { // a note that the user typed while the tool ran
		b.user()
	}
	if b.once(12) {
		b.pending(calls[:b.between(1, len(calls))])
	}
	b.answer(calls)
	for _, c := range calls {
		b.closed = append(b.closed, c.CallID)
	}
}

// openCalls is a reply whose calls, or some of them, still wait.
func (b *builder) openCalls() {
	calls := b.ask()
	answered := b.below(len(calls))
	b.answer(calls[:answered])
	if b.once(3) {
		b.pending(calls[answered:])
	}
}

// deadCalls is a reply of whose calls some are never answered: the user goes on.
func (b *builder) deadCalls() {
	calls := b.ask()
	b.answer(calls[:b.below(len(calls))])
	b.user()
}

// ask adds a reply with one to eight calls, and returns these.
func (b *builder) ask() []core.Part {
	count := 1
	if b.once(3) {
		count = b.between(2, 8)
	}
	number := b.number()
	if b.once(12) { // a model's thoughts in a message of their own
		thoughts := core.Message{Role: core.RoleAssistant, Parts: append(b.reasoning(1), b.reasoning(4)...)}
		if b.below(2) == 0 {
			thoughts.Reply = number
		}
		b.add(thoughts)
	}
	m := core.Message{Role: core.RoleAssistant, Reply: number, Parts: b.reasoning(6)}
	if b.below(2) == 1 {
		m.Parts = append(m.Parts, core.Part{Text: b.text()})
	}
	split := number != 0 && b.once(3)
	var calls []core.Part
	for i := range count {
		call := core.Part{Kind: core.KindToolCall, CallID: b.id(calls), Tool: tools[b.below(len(tools))], Text: b.arguments()}
		call.Signed = b.once(16)
		calls = append(calls, call)
		m.Parts = append(m.Parts, call)
		if split && i < count-1 && b.below(2) == 1 {
			b.add(m)
			m = core.Message{Role: core.RoleAssistant, Reply: number}
		}
	}
	b.add(m)
	return calls
}

// id returns an id that no other of the calls has; now and then one from long ago.
func (b *builder) id(calls []core.Part) string {
	if len(b.closed) > 0 && b.once(12) {
		id := b.closed[b.below(len(b.closed))]
		if !slices.ContainsFunc(calls, func(c core.Part) bool { return c.CallID == id }) {
			return id
		}
	}
	b.calls++
	return "call_" + strconv.Itoa(b.calls)
}

// answer adds the results of calls: in their order or another, one a message or more.
func (b *builder) answer(calls []core.Part) {
	order := b.shuffled(len(calls))
	together := b.below(3) // 0: a message each; 1: one message; 2: some of each
	var m core.Message
	for _, i := range order {
		m.Role = core.RoleTool
		m.Parts = append(m.Parts, b.result(calls[i])...)
		if together == 0 || together == 2 && b.below(2) == 1 {
			b.add(m)
			m = core.Message{}
			if b.once(24) {
				b.user()
			}
		}
	}
	if len(m.Parts) > 0 {
		b.add(m)
	}
}

// result returns what a call gave: one block, or several, an image among them.
func (b *builder) result(call core.Part) []core.Part {
	p := core.Part{Kind: core.KindToolResult, CallID: call.CallID, Text: b.output()}
	switch b.below(8) {
	case 5:
		p.Status = core.StatusFailed
	case 6:
		p.Status = core.StatusDenied
	case 7:
	default:
		p.Status = core.StatusOK
	}
	if b.below(4) > 0 {
		p.Tool = call.Tool
	}
	switch b.below(12) {
	case 10:
		second := p
		second.Text = b.output()
		return []core.Part{p, second}
	case 11:
		image := p
		image.Text, image.Media = "", b.media()
		return []core.Part{p, image}
	}
	return []core.Part{p}
}

// pending adds a message that says that the calls are at work.
func (b *builder) pending(calls []core.Part) {
	m := core.Message{Role: core.RoleTool}
	for _, c := range calls {
		m.Parts = append(m.Parts, core.Part{
			Kind: core.KindToolResult, Status: core.StatusPending, CallID: c.CallID, Tool: c.Tool, Text: b.output(),
		})
	}
	b.add(m)
}
