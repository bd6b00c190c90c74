// Package view compares a view with the conversation that it was made of. What it finds is
// for a format to write; it knows nothing of JSON.
package view

import (
	"slices"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// Comparison walks through a view, message by message.
type Comparison struct {
	Format string         // for errors
	Own    []core.Message // as they were read; no two share a Src and a Role

	View    int // index of the message at hand in the view
	Message int // its index in Own; -1: it was added
	Part    int // index of the part at hand in the view's message; -1: none

	started bool
	next    int // first of Own that may still come
}

// Error returns the error for what was found at the place where the comparison stands.
func (c *Comparison) Error(expected, found, hint string) error {
	return &wire.ViewError{
		Format: c.Format, View: c.View, Message: c.Message, Part: c.Part,
		Expected: expected, Found: found, Hint: hint,
	}
}

// Next moves on to m, the next message of the view, and finds it in Own.
func (c *Comparison) Next(m *core.Message) error {
	if c.started {
		c.View++
	}
	c.started, c.Message, c.Part = true, -1, -1
	if m.Src == 0 {
		return nil
	}
	for i := c.next; i < len(c.Own); i++ {
		if c.Own[i].Src == m.Src && c.Own[i].Role == m.Role {
			c.Message, c.next = i, i+1
			return c.sameName(m)
		}
	}
	return c.misplaced(m)
}

func (c *Comparison) sameName(m *core.Message) error {
	if m.Name != c.Own[c.Message].Name {
		return c.Error("the name as it was read", "another", "")
	}
	return nil
}

// misplaced returns the error for a message that Own does not have from here on.
func (c *Comparison) misplaced(m *core.Message) error {
	var here []int
	for i := range c.Own {
		if c.Own[i].Src == m.Src {
			here = append(here, i)
		}
	}
	if len(here) == 0 {
		return c.Error("a message of this conversation", "an unknown Src", "")
	}
	c.Message = here[0]
	for _, i := range here {
		if c.Own[i].Role == m.Role {
			c.Message = i
			return c.Error("the messages in their order, each once", "one that is twice or late in the view", "")
		}
	}
	return c.Error("the role "+c.Own[c.Message].Role.String(), m.Role.String(), "")
}

// Change is what an edit made of a part.
type Change uint8

// The changes.
const (
	Same Change = iota
	Gone
	Rewritten
)

// Part is what became of a part of Own.
type Part struct {
	Change Change
	Text   string // the new one of a rewritten part
	At     int    // index in the view's message; -1 if it is gone
}

// Parts compares m, at which the comparison stands, with the message of Own that it is,
// and returns what became of each part of that, or nil if all are the same.
func (c *Comparison) Parts(m *core.Message) ([]Part, error) {
	own := &c.Own[c.Message]
	if len(m.Parts) == len(own.Parts) && (len(m.Parts) == 0 || &m.Parts[0] == &own.Parts[0]) {
		return nil, nil
	}
	parts := make([]Part, len(own.Parts))
	for i := range parts {
		parts[i] = Part{Change: Gone, At: -1}
	}
	next, edited := 0, len(m.Parts) < len(own.Parts)
	for i := range m.Parts {
		p := &m.Parts[i]
		c.Part = i
		for next < len(own.Parts) && own.Parts[next].Slot != p.Slot {
			next++
		}
		if next == len(own.Parts) {
			return nil, c.Error("the parts of its message in their order", "an unknown Slot, or one that is twice or late", "")
		}
		change, err := c.compare(p, &own.Parts[next])
		if err != nil {
			return nil, err
		}
		parts[next] = Part{Change: change, At: i}
		if change == Rewritten {
			parts[next].Text = p.Text
		}
		edited = edited || change != Same
		next++
	}
	c.Part = -1
	if !edited {
		return nil, nil
	}
	return parts, nil
}

// compare says what an edit made of a part that is still in the view.
func (c *Comparison) compare(p, own *core.Part) (Change, error) {
	if p.Kind == core.KindReasoning && own.Kind == p.Kind && p.Elided != nil {
		return Gone, nil // reasoning leaves no marker
	}
	elided := own.Media != nil && p.Media == nil
	kind := own.Kind
	if elided && kind == core.KindMedia {
		kind = core.KindText
	}
	switch {
	case p.Kind != kind:
		return Same, c.Error("a part of kind "+kind.String(), "kind "+p.Kind.String(), "")
	case p.CallID != own.CallID || p.Tool != own.Tool || p.Status != own.Status:
		return Same, c.Error("call id, tool and status as they were read", "others", "")
	case own.Signed && (elided || p.Text != own.Text):
		return Same, c.Error("a signed part as it was read", "another text", "leave it whole, or take it out")
	case elided:
		return Rewritten, nil
	case !sameMedia(p.Media, own.Media):
		return Same, c.Error("the media as it was read", "another", "elide it, or leave it as it is")
	case p.Text == own.Text:
		return Same, nil
	case own.Kind == core.KindToolCall || own.Kind == core.KindOpaque || own.Media != nil:
		return Same, c.Error("the "+own.Kind.String()+" part as it was read", "another text", "leave it as it is")
	}
	return Rewritten, nil
}

func sameMedia(a, b *core.Media) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	return a.MIME == b.MIME && a.URL == b.URL && a.Detail == b.Detail &&
		a.Width == b.Width && a.Height == b.Height && slices.Equal(a.Data, b.Data)
}

// Unwritable returns the error for a part of the message at hand that has a new text and,
// as its format writes it, no place for one.
func (c *Comparison) Unwritable(own int, part Part) error {
	c.Part = part.At
	return c.Error("the "+c.Own[c.Message].Parts[own].Kind.String()+" part as it was read", "another text", "leave it as it is")
}

// Added returns an error if m, which an edit added, is more than text of a role that an
// added message may have.
func (c *Comparison) Added(m *core.Message) error {
	if m.Role != core.RoleSystem && m.Role != core.RoleUser && m.Role != core.RoleAssistant {
		return c.Error("an added message of role system, user or assistant", "role "+m.Role.String(), "")
	}
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind != core.KindText || p.Media != nil {
			c.Part = i
			return c.Error("text in an added message", "a part of kind "+p.Kind.String(), "")
		}
	}
	return nil
}
