package wiretest

import (
	"slices"

	"github.com/trimkit/trimkit/core"
)

// A Change turns a copy of a history into a view.
type Change func(view []core.Message) []core.Message

// Copy returns a copy of a history and of its parts.
func Copy(history []core.Message) []core.Message {
	history = slices.Clone(history)
	for i := range history {
		history[i].Parts = slices.Clone(history[i].Parts)
	}
	return history
}

// Drop removes messages by index.
func Drop(gone ...int) Change {
	return func(view []core.Message) []core.Message { return left(view, gone) }
}

// Without takes parts out of a message.
func Without(msg int, gone ...int) Change {
	return Message(msg, func(m *core.Message) { m.Parts = left(m.Parts, gone) })
}

func left[T any](list []T, gone []int) []T {
	var kept []T
	for i := range list {
		if !slices.Contains(gone, i) {
			kept = append(kept, list[i])
		}
	}
	return kept
}

// Message changes a message.
func Message(msg int, change func(m *core.Message)) Change {
	return func(view []core.Message) []core.Message { change(&view[msg]); return view }
}

// Part changes a part.
func Part(msg, part int, change func(p *core.Part)) Change {
	return Message(msg, func(m *core.Message) {
		m.Parts = slices.Clone(m.Parts)
		change(&m.Parts[part])
	})
}

// Retext gives a part another text; what held media becomes text, as an edit does it.
func Retext(msg, part int, text string) Change {
	return Part(msg, part, func(p *core.Part) {
		p.Text, p.Media = text, nil
		if p.Kind == core.KindMedia {
			p.Kind = core.KindText
		}
		if p.Kind != core.KindReasoning { // of which an edit leaves nothing
			p.Elided = &core.Elision{Op: core.Elide, By: -1}
		}
	})
}

// Swap exchanges two messages.
func Swap(i, k int) Change {
	return func(view []core.Message) []core.Message { view[i], view[k] = view[k], view[i]; return view }
}

// Insert adds a message before the one of that index.
func Insert(at int, m core.Message) Change {
	return func(view []core.Message) []core.Message { return slices.Insert(view, at, m) }
}

// Note is a message as an edit inserts it.
func Note(role core.Role, text string) core.Message {
	return core.Message{Role: role, Parts: []core.Part{{Text: text, Elided: &core.Elision{Op: core.Insert, By: -1}}}}
}

// All makes changes one after the other.
func All(changes ...Change) Change {
	return func(view []core.Message) []core.Message {
		for _, c := range changes {
			view = c(view)
		}
		return view
	}
}
