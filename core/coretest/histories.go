package coretest

import (
	"time"

	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
)

// Config bounds what [Histories] and [Malformed] generate. The zero Config is a mix:
// mostly small histories, empty ones too, and one in sixteen of about 200 messages.
type Config struct {
	MaxSteps int // at most so many user messages, replies and exchanges; 0: the mix
}

// Histories generates well-formed histories: every call has an id, a result answers an
// earlier call, roles hold what they can hold. They have what makes histories difficult:
// parallel calls answered in another order, over several messages or with user notes in
// between, replies split over messages, open and dead calls, pending results, ids that come
// again, reasoning signed and alone, media, opaque parts, failed and empty results, system
// messages in mid-conversation, every policy.
//
// Src numbers the messages from 1, and a user message may share that of the results before
// it, as an adapter makes them of one native message. Slot numbers the parts of a message.
func Histories(cfg Config) *rapid.Generator[[]core.Message] {
	return rapid.Custom(func(t *rapid.T) []core.Message {
		b := &builder{dice: dice{t}}
		b.conversation(cfg)
		return b.numbered()
	})
}

// builder writes one conversation.
type builder struct {
	dice
	history []core.Message
	calls   int      // so far; ids are made of it
	closed  []string // ids of answered calls, which may come again
	replies int32    // Reply numbers so far
	src     int32
}

func (b *builder) steps(cfg Config) int {
	if cfg.MaxSteps > 0 {
		return b.below(cfg.MaxSteps + 1)
	}
	if b.once(16) {
		return b.between(45, 85)
	}
	return b.below(13)
}

func (b *builder) conversation(cfg Config) {
	steps := b.steps(cfg)
	if steps == 0 && b.below(2) == 0 {
		return
	}
	for range b.below(3) {
		b.system()
	}
	b.user()
	for range steps {
		b.step()
	}
	b.ending()
}

func (b *builder) step() {
	switch b.below(16) {
	case 0, 1:
		b.reply()
	case 2, 3:
		b.user()
	case 4:
		b.reply()
		b.user()
	case 5:
		b.deadCalls()
	case 15:
		if b.below(4) == 0 {
			b.system()
		}
	default:
		b.exchange()
	}
}

// ending leaves the conversation where a program asks the model again, or where it stopped.
func (b *builder) ending() {
	switch b.below(8) {
	case 0:
	case 1, 2:
		b.user()
	case 3:
		b.openCalls()
	case 4:
		b.reply()
	default:
		b.exchange()
	}
}

func (b *builder) add(m core.Message) {
	switch { // one policy in twelve messages is not the default
	case b.once(48):
		m.Policy = core.Locked
	case b.once(16):
		m.Policy = core.Policy(b.below(int(core.Locked)))
	}
	if b.once(16) {
		m.Meta = &core.Meta{ID: "m", Time: time.Unix(int64(b.below(1000)), 0).UTC(), Labels: map[string]string{"tag": "x"}}
	}
	b.history = append(b.history, m)
}

func (b *builder) system() {
	b.add(core.Message{Role: core.RoleSystem, Parts: []core.Part{{Text: b.text()}}})
}

func (b *builder) user() {
	m := core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: b.text()}}}
	switch b.below(12) {
	case 9:
		m.Parts = append(m.Parts, core.Part{Text: b.output()}) // a file pasted
	case 10:
		m.Name = "ada"
	case 11:
		m.Parts = append(m.Parts, core.Part{Kind: core.KindMedia, Media: b.media()})
	}
	b.add(m)
}

// reply is one answer without calls, over one message or several.
func (b *builder) reply() {
	number := b.number()
	messages := 1
	if number != 0 && b.once(4) {
		messages += b.between(1, 2)
	}
	for range messages {
		m := core.Message{Role: core.RoleAssistant, Reply: number}
		m.Parts = append(b.reasoning(8), core.Part{Text: b.text()})
		switch b.below(24) {
		case 21:
			m.Parts = append(m.Parts, core.Part{Kind: core.KindOpaque, Text: b.text(), Signed: true})
		case 22:
			m.Parts = append(m.Parts, core.Part{Kind: core.KindMedia, Media: b.media()})
		case 23:
			m.Name = "helper"
		}
		b.add(m)
	}
}

// number returns a new Reply number, or 0 where the source gives none.
func (b *builder) number() int32 {
	if b.below(3) == 0 {
		return 0
	}
	b.replies++
	return b.replies
}

// reasoning returns a reasoning part once in n times.
func (b *builder) reasoning(n int) []core.Part {
	if !b.once(n) {
		return nil
	}
	return []core.Part{{Kind: core.KindReasoning, Text: b.text(), Signed: b.below(3) == 2}}
}

// media returns an image: by address, or with some of its bytes.
func (b *builder) media() *core.Media {
	m := &core.Media{MIME: "image/png"}
	if b.below(2) == 0 {
		m.URL = "https://example.com/" + cut(listing, b.below(99), b.between(1, 120))
		return m
	}
	m.Data = []byte(cut(listing, b.below(9_000), b.between(8, 4_000)))
	m.Width, m.Height = 64, 64
	return m
}

// numbered returns the history with Src and Slot set.
func (b *builder) numbered() []core.Message {
	for i := range b.history {
		m := &b.history[i]
		joined := i > 0 && m.Role == core.RoleUser && b.history[i-1].Role == core.RoleTool && b.once(8)
		if !joined {
			b.src++
		}
		m.Src = b.src
		for p := range m.Parts {
			m.Parts[p].Slot = uint32(p)
		}
	}
	return b.history
}
