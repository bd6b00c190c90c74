package responses

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/document"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/view"
)

// Write returns the view as JSON of the shape that was read. See [wire.Conversation].
//
// An edited part replaces its string; elided media becomes a content part of text. A part
// that the view's message lacks leaves its array; an item of which no part is left leaves,
// and so do the instructions. A message with Src 0 is written
// as an item of type message with its role and text. An input that is a string becomes an
// array when something stands beside it. Every error is a [*wire.ViewError]: a message or
// part that is not of this conversation, comes twice or out of order; a changed role, name,
// call id, tool or status; new arguments of a call; a changed text under a signature; other
// media; a part without others of its item that it cannot leave, such as a summary without
// its encrypted reasoning; or an added message that is more than text, or has a name.
//
// A view without messages, which no edit makes, is [] or, for JSONL, an empty document
// that Parse refuses.
func (c *Conversation) Write(messages []core.Message) ([]byte, error) {
	w := writer{
		Conversation: c,
		Comparison:   view.Comparison{Format: formatName, Own: c.messages},
		items:        make([]document.Item, 0, len(messages)),
		prompted:     c.instructions == (rawjson.Span{}),
	}
	for i := range messages {
		if err := w.message(&messages[i]); err != nil {
			return nil, err
		}
	}
	if !w.prompted {
		w.around = w.withoutInstructions()
	}
	return c.doc.Join(w.asArray(w.items), w.around...), nil
}

// writer compares a view with what was read.
type writer struct {
	*Conversation
	view.Comparison
	reader *reader // made for the first edited item

	items    []document.Item
	around   []rawjson.Patch // of what is beside the items
	prompted bool            // the instructions are written, if there are any
}

// message adds what is written for a message of the view.
func (w *writer) message(m *core.Message) error {
	if err := w.Next(m); err != nil {
		return err
	}
	if w.Message < 0 {
		if err := w.Added(m); err != nil {
			return err
		}
		if m.Name != "" {
			return w.Error("an added message without a name", "one with a name", "the format has no place for it")
		}
		w.items = append(w.items, document.Item{Index: -1, New: added(m)})
		return nil
	}
	parts, err := w.Parts(m)
	if err != nil {
		return err
	}
	index := w.Message - (len(w.messages) - len(w.doc.Items))
	switch {
	case index < 0:
		w.instruct(parts)
	case parts == nil:
		w.items = append(w.items, document.Item{Index: index})
	case slices.ContainsFunc(parts, func(p view.Part) bool { return p.Change != view.Gone }):
		patches, err := w.edit(index, parts)
		if err != nil {
			return err
		}
		w.items = append(w.items, document.Item{Index: index, Patches: patches})
	}
	return nil
}

// instruct writes the instructions: nil is as they were read.
func (w *writer) instruct(parts []view.Part) {
	switch {
	case parts == nil:
	case parts[0].Change == view.Gone:
		return
	default:
		w.around = []rawjson.Patch{{Span: w.instructions, New: quote(parts[0].Text)}}
	}
	w.prompted = true
}

// withoutInstructions returns what takes the instructions out of the request.
func (w *writer) withoutInstructions() []rawjson.Patch {
	var items []rawjson.Span
	var goes []bool
	for m := range rawjson.Members(w.doc.Text, w.doc.Object) {
		items, goes = append(items, m.Whole), append(goes, m.Name == "instructions")
	}
	return rawjson.Cuts(items, func(i int) bool { return goes[i] })
}

// asArray returns the items as an input that is a string has to have them: it alone, or an
// array in which it is a message.
func (w *writer) asArray(items []document.Item) []document.Item {
	if len(items) < 2 || len(w.doc.Items) != 1 || rawjson.TypeOf(w.doc.Text, w.doc.Items[0]) != rawjson.String {
		return items
	}
	for i := range items {
		if items[i].Index < 0 {
			continue
		}
		said := w.doc.Items[0].Of(w.doc.Text)
		if len(items[i].Patches) > 0 {
			said = items[i].Patches[0].New
		}
		items[i] = document.Item{Index: -1, New: `{"type":"message","role":"user","content":` + said + `}`}
	}
	return items
}

// edit returns the patches that make the changes to the item of that index.
func (w *writer) edit(index int, parts []view.Part) ([]rawjson.Patch, error) {
	if w.reader == nil {
		w.reader = newReader(w.doc)
	}
	r := w.reader
	if _, err := r.message(index); err != nil {
		return nil, err
	}
	var patches []rawjson.Patch
	for i, part := range parts {
		at := &r.pieces[i]
		switch {
		case part.Change == view.Gone && (at.home == asItem || r.parts[i].Signed):
			return nil, w.Error("the "+r.parts[i].Kind.String()+" part, since its item has others", "none", "they stay or leave together")
		case part.Change == view.Rewritten && at.form == fixed:
			return nil, w.Unwritable(i, part)
		case part.Change == view.Rewritten:
			patches = append(patches, rawjson.Patch{Span: at.text, New: newText(at, part.Text)})
		case part.Change == view.Gone && at.home == asString:
			patches = append(patches, rawjson.Patch{Span: at.text, New: `""`})
		}
	}
	for _, f := range []field{fieldContent, fieldSummary, fieldOutput} {
		patches = append(patches, r.cuts(f, parts)...)
	}
	slices.SortFunc(patches, func(a, b rawjson.Patch) int { return cmp.Compare(a.Start, b.Start) })
	return patches, nil
}

// cuts returns what takes the parts that are gone out of the array of a member. Not every
// element there is a part: what a shell put out is two, or none.
func (r *reader) cuts(f field, parts []view.Part) []rawjson.Patch {
	gone := map[rawjson.Span]bool{}
	for i := range r.pieces {
		if at := &r.pieces[i]; at.home == inList && at.field == f && parts[i].Change == view.Gone {
			gone[at.whole] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	items := slices.Collect(rawjson.Elements(r.text, r.fields[f]))
	if len(gone) == len(items) {
		return []rawjson.Patch{{Span: r.fields[f], New: "[]"}}
	}
	return rawjson.Cuts(items, func(i int) bool { return gone[items[i]] })
}

// newText returns what a new text is written as.
func newText(at *piece, text string) string {
	switch at.form {
	case inputText, outputText:
		return textPart(at.form, text)
	case newMember:
		return `,"` + fieldNames[at.field] + `":` + quote(text)
	default:
		return quote(text)
	}
}

// textPart returns a content part.
func textPart(form form, text string) string {
	kind := "input_text"
	if form == outputText {
		kind = "output_text"
	}
	return `{"type":"` + kind + `","text":` + quote(text) + `}`
}

func quote(text string) string { return string(rawjson.AppendQuote(nil, text)) }

// added returns the JSON of a message that an edit inserted.
func added(m *core.Message) string {
	form := inputText
	if m.Role == core.RoleAssistant {
		form = outputText
	}
	var out strings.Builder
	out.WriteString(`{"type":"message","role":"` + m.Role.String() + `","content":[`)
	for i := range m.Parts {
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString(textPart(form, m.Parts[i].Text))
	}
	return out.String() + `]}`
}
