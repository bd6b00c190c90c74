package gemini

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/view"
)

// Write returns the view as JSON of the shape that was read. See [wire.Conversation].
//
// The two messages of a mixed content are joined again where they stand together in the
// view, and are two contents where something was added between them. A part that the view's
// message lacks leaves its list, and a message without parts has an empty one. A system
// instruction that the view lacks leaves the request. A message with Src 0 is written with
// its role and text.
//
// Every error is a [*wire.ViewError]: a message or part that is not of this conversation,
// comes twice or out of order; a changed role, name, call id, tool or status; new arguments
// of a call; a changed text under a signature; other media; a result of several parts of
// which some are missing; or an added message that is the system's, named, or more than
// text.
//
// A view without contents, which no edit makes, is [] or, for JSONL, an empty document that
// Parse refuses.
func (c *Conversation) Write(messages []core.Message) ([]byte, error) {
	w := writer{Conversation: c, Comparison: view.Comparison{Format: formatName, Own: c.messages}}
	systemStays := c.system == (rawjson.Span{})
	for i := range messages {
		m := &messages[i]
		if err := w.Next(m); err != nil {
			return nil, err
		}
		if w.Message < 0 {
			if err := w.add(m); err != nil {
				return nil, err
			}
			continue
		}
		if err := w.keep(m); err != nil {
			return nil, err
		}
		systemStays = systemStays || m.Role == core.RoleSystem
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	if !systemStays {
		w.around = w.withoutSystem()
	}
	return c.doc.Join(w.items, w.around...), nil
}

// writer compares a view with what was read, and collects what is to be written.
type writer struct {
	*Conversation
	view.Comparison
	reader *reader // made for the first edited message

	items  []document.Item
	around []rawjson.Patch // outside of the contents

	// The content at hand, which goes on as long as its messages come one after the other.
	open    bool
	content int // its index; -1: the system instruction
	kept    []kept
}

// kept is a message of the view and what became of its parts.
type kept struct {
	own   int         // index of the message as read
	parts []view.Part // nil: all are the same
}

// add writes a message that an edit inserted.
func (w *writer) add(m *core.Message) error {
	if err := w.Added(m); err != nil {
		return err
	}
	switch {
	case m.Role == core.RoleSystem:
		return w.Error("an added message of role user or assistant", "role "+m.Role.String(), "")
	case m.Name != "":
		return w.Error("an added message without a name", "one with a name", "contents have none")
	}
	if err := w.finish(); err != nil {
		return err
	}
	out := append([]byte(`{"role":"`), roleName(m.Role)...)
	out = append(out, `","parts":[`...)
	for i := range m.Parts {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendText(out, m.Parts[i].Text)
	}
	w.items = append(w.items, document.Item{Index: -1, New: string(append(out, ']', '}'))})
	return nil
}

func roleName(r core.Role) string {
	if r == core.RoleAssistant {
		return "model"
	}
	return "user"
}

// keep writes a message that was read.
func (w *writer) keep(m *core.Message) error {
	content := w.contentOf(m.Src)
	if w.content != content {
		if err := w.finish(); err != nil {
			return err
		}
	}
	w.open, w.content = true, content
	parts, err := w.Parts(m)
	if err != nil {
		return err
	}
	if parts != nil {
		if err := w.writable(parts); err != nil {
			return err
		}
	}
	w.kept = append(w.kept, kept{w.Message, parts})
	return nil
}

// writable returns an error if there is no place for a new text, or a part would leave the
// element that it shares with others.
func (w *writer) writable(parts []view.Part) error {
	r, err := w.locate()
	if err != nil {
		return err
	}
	own := w.messages[w.Message].Parts
	for i, part := range parts {
		at := r.pieces[own[i].Slot-1]
		if part.Change == view.Rewritten && at.form == fixed {
			return w.Unwritable(i, part)
		}
		if i == 0 || r.pieces[own[i-1].Slot-1].element != at.element {
			continue
		}
		if (part.Change == view.Gone) != (parts[i-1].Change == view.Gone) {
			return w.Error("all parts of a result, or none", "some of them", "elide or shorten a part instead of taking it out")
		}
	}
	return nil
}

// locate reads the content at hand again, for the places of its parts.
func (w *writer) locate() (*reader, error) {
	if w.reader == nil {
		w.reader = newReader(w.doc)
		w.reader.index = len(w.doc.Items) // none yet
	}
	r := w.reader
	switch {
	case r.index == w.content:
		return r, nil
	case w.content < 0:
		return r, r.system(w.system)
	default:
		return r, r.content(w.content)
	}
}

// finish writes the content at hand.
func (w *writer) finish() error {
	if !w.open {
		return nil
	}
	patches, err := w.patches()
	if w.content < 0 {
		w.around = patches
	} else {
		w.items = append(w.items, document.Item{Index: w.content, Patches: patches})
	}
	w.open, w.kept = false, w.kept[:0]
	return err
}

// patches returns what changes in the bytes of the content at hand.
func (w *writer) patches() ([]rawjson.Patch, error) {
	same := true
	for _, k := range w.kept {
		same = same && k.parts == nil
	}
	if same && len(w.kept) == w.messagesOf(w.kept[0].own) {
		return nil, nil
	}
	r, err := w.locate()
	if err != nil {
		return nil, err
	}
	becomes := make([]view.Part, len(r.parts))
	for i := range becomes {
		becomes[i] = view.Part{Change: view.Gone}
	}
	for _, k := range w.kept {
		for i, p := range w.messages[k.own].Parts {
			becomes[p.Slot-1] = view.Part{}
			if k.parts != nil {
				becomes[p.Slot-1] = k.parts[i]
			}
		}
	}
	return r.edit(becomes), nil
}

// messagesOf returns how many messages share the content of a message.
func (w *writer) messagesOf(message int) int {
	n := 0
	for i := max(message-1, 0); i < len(w.messages) && i <= message+1; i++ {
		if w.messages[i].Src == w.messages[message].Src {
			n++
		}
	}
	return n
}
