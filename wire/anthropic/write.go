package anthropic

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/view"
)

// Write returns the view as JSON of the shape that was read. See [wire.Conversation].
//
// An edited part replaces its string; elided media, and a search result, becomes a block
// of type text with the cache_control of its block. A part that the view's message lacks
// leaves its array, a tool_result or document of which nothing is left leaves with it, and
// content of which nothing is left becomes "" or []. Of a user message that mixes results
// and other content, only the blocks of those of its two messages are written that the
// view has; where an added message stands between the two, they become two messages, which
// the API takes for one turn again. A view without the system prompt loses the member
// system. A message with Src 0 is written with its role and text.
//
// No edit of package core makes an assistant message end on thinking, or moves a result
// behind other content, where that was not so before.
//
// Every error is a [*wire.ViewError]: a message or part that is not of this conversation,
// comes twice or out of order; a changed role, name, call id, tool or status; new arguments
// of a call; a changed text under a signature; other media; a message before the system
// prompt; or an added message that has a name or is more than text.
//
// A view without messages, which no edit makes, is [] or, for JSONL, an empty document
// that Parse refuses.
func (c *Conversation) Write(messages []core.Message) ([]byte, error) {
	w := writer{Conversation: c, Comparison: view.Comparison{Format: formatName, Own: c.messages}}
	for i := range messages {
		if err := w.message(&messages[i]); err != nil {
			return nil, err
		}
	}
	if err := w.flush(); err != nil {
		return nil, err
	}
	return c.doc.Join(w.items, w.around()...), nil
}

// writer compares a view with what was read.
type writer struct {
	*Conversation
	view.Comparison
	reader *reader // made for the first edited message
	items  []document.Item

	open   []half          // of the document's message that is being put together
	system []rawjson.Patch // of the system prompt
	kept   bool            // the view has the system prompt
}

// half is a message of the view that is all, or one of two halves, of a document's message.
type half struct {
	message int         // index in the history
	parts   []view.Part // nil: all as they were
}

// message takes the next message of the view.
func (w *writer) message(m *core.Message) error {
	if err := w.Next(m); err != nil {
		return err
	}
	if w.Message < 0 || len(w.open) > 0 && w.messages[w.open[0].message].Src != m.Src {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.Message < 0 {
		return w.add(m)
	}
	if w.isSystem(w.Message) && len(w.items) > 0 {
		return w.Error("the system prompt before all other messages", "an added message before it", "")
	}
	parts, err := w.Parts(m)
	if err != nil {
		return err
	}
	w.open = append(w.open, half{w.Message, parts})
	return w.writable(parts)
}

// add writes a message that an edit added.
func (w *writer) add(m *core.Message) error {
	if err := w.Added(m); err != nil {
		return err
	}
	if m.Name != "" {
		return w.Error("an added message without a name", "one with a name", "the format has no names")
	}
	w.items = append(w.items, document.Item{Index: -1, New: added(m)})
	return nil
}

// writable returns an error if a part of the message at hand has a new text and no place
// for it.
func (w *writer) writable(parts []view.Part) error {
	for i := range parts {
		if parts[i].Change != view.Rewritten {
			continue
		}
		own := &w.messages[w.Message]
		if err := w.locate(own.Src); err != nil {
			return err
		}
		if w.reader.pieces[own.Parts[i].Slot-1].form == fixed {
			return w.Unwritable(i, parts[i])
		}
	}
	return nil
}

// flush writes the document's message of which the view has had the open halves.
func (w *writer) flush() error {
	if len(w.open) == 0 {
		return nil
	}
	first := w.open[0].message
	patches, err := w.patches()
	if err != nil {
		return err
	}
	if w.isSystem(first) {
		w.system, w.kept = patches, true
	} else {
		index := int(w.messages[first].Src) - 1 - w.prompts()
		w.items = append(w.items, document.Item{Index: index, Patches: patches})
	}
	w.open = w.open[:0]
	return nil
}

// patches returns what changes in the bytes of the open halves' message.
func (w *writer) patches() ([]rawjson.Patch, error) {
	same := len(w.open) == w.halves(w.open[0].message)
	for i := range w.open {
		same = same && w.open[i].parts == nil
	}
	if same {
		return nil, nil
	}
	if err := w.locate(w.messages[w.open[0].message].Src); err != nil {
		return nil, err
	}
	all := make([]view.Part, len(w.reader.parts))
	for i := range all {
		all[i].Change = view.Gone
	}
	for _, h := range w.open {
		for i, own := range w.messages[h.message].Parts {
			all[own.Slot-1] = view.Part{Change: view.Same}
			if h.parts != nil {
				all[own.Slot-1] = h.parts[i]
			}
		}
	}
	return w.reader.edit(all), nil
}

// halves returns how many messages of the history the document's message is.
func (w *writer) halves(message int) int {
	n := 1
	for _, i := range []int{message - 1, message + 1} {
		if i >= 0 && i < len(w.messages) && w.messages[i].Src == w.messages[message].Src {
			n++
		}
	}
	return n
}

// locate reads a message again, for the places of its parts.
func (w *writer) locate(src int32) error {
	if w.reader == nil {
		w.reader = w.newReader()
		w.reader.places = true
	}
	if w.reader.src == src {
		return nil
	}
	return w.reader.read(src)
}

func (w *writer) isSystem(message int) bool { return int(w.messages[message].Src) <= w.prompts() }

// around returns what changes outside of the messages: the system prompt.
func (w *writer) around() []rawjson.Patch {
	if w.kept || w.prompts() == 0 {
		return w.system
	}
	var members []rawjson.Span
	var goes []bool
	for m := range rawjson.Members(w.doc.Text, w.doc.Object) {
		members, goes = append(members, m.Whole), append(goes, m.Name == "system")
	}
	return rawjson.Cuts(members, func(i int) bool { return goes[i] })
}

// added returns the JSON of an added message.
func added(m *core.Message) string {
	out := append(append([]byte(`{"role":"`), m.Role.String()...), `","content":`...)
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
			out = appendText(out, m.Parts[i].Text, "")
		}
		out = append(out, ']')
	}
	return string(append(out, '}'))
}
