package openai

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/view"
)

// Write returns the view as JSON of the shape that was read. See [wire.Conversation].
//
// An edited part replaces its string; elided media becomes a block of type text. A part
// that the view's message lacks leaves its array or takes its member along, and content
// of which nothing is left becomes the empty string. A message with Src 0 is written with
// its role and text. Every error is a [*wire.ViewError]: a message or part that is not of
// this conversation, comes twice or out of order; a changed role, name, call id, tool or
// status; new arguments of a call; a changed text under a signature; other media; or an
// added message that is more than text.
//
// A view without messages, which no edit makes, is [] or, for JSONL, an empty document
// that Parse refuses.
func (c *Conversation) Write(messages []core.Message) ([]byte, error) {
	items := make([]document.Item, len(messages))
	w := writer{Conversation: c, Comparison: view.Comparison{Format: formatName, Own: c.messages}}
	for i := range messages {
		var err error
		if items[i], err = w.item(&messages[i]); err != nil {
			return nil, err
		}
	}
	return c.doc.Join(items), nil
}

// writer compares a view with what was read.
type writer struct {
	*Conversation
	view.Comparison
	reader *reader // made for the first edited message
}

// item returns what is written for a message of the view.
func (w *writer) item(m *core.Message) (document.Item, error) {
	if err := w.Next(m); err != nil {
		return document.Item{}, err
	}
	if w.Message < 0 {
		if err := w.Added(m); err != nil {
			return document.Item{}, err
		}
		return document.Item{Index: -1, New: added(m)}, nil
	}
	item := document.Item{Index: w.Message}
	parts, err := w.Parts(m)
	if err == nil && parts != nil {
		item.Patches, err = w.edit(parts)
	}
	return item, err
}

// added returns the JSON of a message that an edit inserted.
func added(m *core.Message) string {
	out := append([]byte(`{"role":"`), m.Role.String()...)
	if m.Name != "" {
		out = rawjson.AppendQuote(append(out, `","name":`...), m.Name)
		out = append(out, `,"content":`...)
	} else {
		out = append(out, `","content":`...)
	}
	switch len(m.Parts) {
	case 0:
		out = append(out, `""`...)
	case 1:
		out = rawjson.AppendQuote(out, m.Parts[0].Text)
	default:
		out = append(out, '[')
		for i := range m.Parts {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, newText(textBlock, m.Parts[i].Text)...)
		}
		out = append(out, ']')
	}
	return string(append(out, '}'))
}
