package coretest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
)

// Malformed generates what programs hand over although no provider would take it: the
// histories of [Histories] with one to four faults, such as results without calls, results
// twice or lost, roles and kinds that do not exist, messages without parts, Src 0 or twice,
// ids that are empty or the same for all, broken UTF-8, calls of users, replies that start
// the conversation, results far from their calls, and markers and notices of an earlier view.
//
// Slot numbers the parts of the whole history from 1, so that they can be told apart
// whatever happened to Src.
func Malformed(cfg Config) *rapid.Generator[[]core.Message] {
	return rapid.Custom(func(t *rapid.T) []core.Message {
		b := &builder{dice: dice{t}}
		b.conversation(cfg)
		b.numbered()
		for range b.between(1, 4) {
			if len(b.history) > 0 {
				faults[b.below(len(faults))](b)
			}
		}
		slot := uint32(0)
		for i := range b.history {
			m := &b.history[i]
			m.Parts = slices.Clone(m.Parts) // a message may stand there twice
			for p := range m.Parts {
				slot++
				m.Parts[p].Slot = slot
			}
		}
		return b.history
	})
}

// faults are what Malformed does to a history that is not empty.
var faults = []func(*builder){
	func(b *builder) { // a result that answers nothing
		b.put(core.Message{Role: core.RoleTool, Src: b.src + 1, Parts: b.result(core.Part{CallID: "none"})})
	},
	func(b *builder) { // a message twice
		b.put(b.history[b.any()])
	},
	func(b *builder) { // a message lost: a result, a call, the task
		i := b.any()
		b.history = slices.Delete(b.history, i, i+1)
	},
	func(b *builder) { // a message elsewhere: late results, results before their calls
		i := b.any()
		m := b.history[i]
		b.history = slices.Delete(b.history, i, i+1)
		b.put(m)
	},
	func(b *builder) { // the reply starts
		if i := slices.IndexFunc(b.history, func(m core.Message) bool { return m.Role == core.RoleAssistant }); i > 0 {
			b.history = b.history[i:]
		}
	},
	func(b *builder) { b.history[b.any()].Role = []core.Role{0, 9, 255}[b.below(3)] },
	func(b *builder) { b.history[b.any()].Role = core.Role(b.between(1, 4)) }, // calls of users, results of the model
	func(b *builder) { b.history[b.any()].Parts = nil },
	func(b *builder) {
		for i := range b.history { // not numbered at all
			b.history[i].Src = 0
		}
	},
	func(b *builder) { b.history[b.any()].Src = b.history[b.any()].Src },
	func(b *builder) { b.history[b.any()].Reply = b.history[b.any()].Reply },
	func(b *builder) { // every reply is the same
		for i := range b.history {
			b.history[i].Reply = 7
		}
	},
	func(b *builder) { b.eachPart(func(p *core.Part) { p.CallID = "" }) },
	func(b *builder) { // results without the name of their tool, ids that all look alike
		b.eachPart(func(p *core.Part) {
			if p.CallID != "" && b.below(2) == 1 {
				p.CallID = "call_1"
			}
		})
	},
	func(b *builder) { b.onePart(func(p *core.Part) { p.Text = "\xff\xfe" + p.Text + "\xe4\xb8" }) },
	func(b *builder) {
		b.onePart(func(p *core.Part) { p.Text = "\U0001F469\u200d\U0001F469\u200d" + p.Text + "\u0301\x00\u2028" })
	},
	func(b *builder) { b.onePart(func(p *core.Part) { p.Text = "" }) },
	func(b *builder) { b.onePart(func(p *core.Part) { p.Kind = core.Kind(b.below(8)) }) },
	func(b *builder) { b.onePart(func(p *core.Part) { p.Status = core.Status(b.below(8)) }) },
	func(b *builder) { b.onePart(func(p *core.Part) { p.Media = b.media() }) },
	func(b *builder) { b.onePart(func(p *core.Part) { p.Tool = "]\n\"<tool>`\\" }) },
	func(b *builder) { // edited by somebody before
		b.onePart(func(p *core.Part) {
			p.Text = core.MarkerPrefix + "result removed; 900 tokens]"
			p.Elided = &core.Elision{Op: core.Elide, Reason: "old", Bytes: 3600, Tokens: 900, By: -1}
		})
	},
	func(b *builder) { // a notice of an earlier view
		b.put(core.Message{Role: core.Role(b.between(2, 3)), Parts: []core.Part{{
			Text: core.MarkerPrefix + "inserted: summary]\n" + b.text(), Elided: &core.Elision{Op: core.Insert, Reason: "summary", By: -1},
		}}})
	},
}

func (b *builder) any() int { return b.below(len(b.history)) }

// put inserts a message somewhere.
func (b *builder) put(m core.Message) {
	b.history = slices.Insert(b.history, b.below(len(b.history)+1), m)
}

// onePart changes a part of one message, if that has any.
func (b *builder) onePart(change func(p *core.Part)) {
	m := &b.history[b.any()]
	if len(m.Parts) > 0 {
		m.Parts = slices.Clone(m.Parts)
		change(&m.Parts[b.below(len(m.Parts))])
	}
}

// eachPart changes the parts of all messages.
func (b *builder) eachPart(change func(p *core.Part)) {
	for i := range b.history {
		b.history[i].Parts = slices.Clone(b.history[i].Parts)
		for p := range b.history[i].Parts {
			change(&b.history[i].Parts[p])
		}
	}
}
