package openai

import (
	"cmp"
	"slices"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/view"
)

// locate reads the message at hand again, for the places of its parts.
func (w *writer) locate() (*reader, error) {
	if w.reader == nil {
		w.reader = newReader(w.doc)
		w.reader.index = -1
	}
	if w.reader.index != w.Message {
		if _, err := w.reader.message(w.Message); err != nil {
			return nil, err
		}
	}
	return w.reader, nil
}

// edit returns the patches that make the changes to the message at hand.
func (w *writer) edit(parts []view.Part) ([]rawjson.Patch, error) {
	r, err := w.locate()
	if err != nil {
		return nil, err
	}
	var patches []rawjson.Patch
	members := map[string]bool{} // that leave
	for i, part := range parts {
		at := &r.pieces[i]
		switch {
		case part.Change == view.Rewritten && at.form == fixed:
			return nil, w.Unwritable(i, part)
		case part.Change == view.Rewritten:
			patches = append(patches, rawjson.Patch{Span: at.text, New: newText(at.form, part.Text)})
		case part.Change == view.Gone && at.home == asMember:
			members[at.member] = true
		case part.Change == view.Gone && at.home == asContent && r.parts[i].Text != "":
			patches = append(patches, rawjson.Patch{Span: at.whole, New: `""`})
		}
	}
	if cuts, all := r.cuts(inContent, parts); all {
		patches = append(patches, rawjson.Patch{Span: r.fields.content, New: `""`})
	} else {
		patches = append(patches, cuts...)
	}
	if cuts, all := r.cuts(inCalls, parts); all {
		members["tool_calls"] = true
	} else {
		patches = append(patches, cuts...)
	}
	patches = append(patches, r.withoutMembers(members)...)
	slices.SortFunc(patches, func(a, b rawjson.Patch) int { return cmp.Compare(a.Start, b.Start) })
	return patches, nil
}

// cuts returns what takes the parts that are gone out of an array; all means that it
// had some and none stays.
func (r *reader) cuts(home home, parts []view.Part) (cuts []rawjson.Patch, all bool) {
	var items []rawjson.Span
	var goes []bool
	left := 0
	for i := range r.pieces {
		if r.pieces[i].home == home {
			items, goes = append(items, r.pieces[i].whole), append(goes, parts[i].Change == view.Gone)
			if parts[i].Change != view.Gone {
				left++
			}
		}
	}
	if left == 0 {
		return nil, len(items) > 0
	}
	return rawjson.Cuts(items, func(i int) bool { return goes[i] }), false
}

// withoutMembers returns what takes members out of the message.
func (r *reader) withoutMembers(names map[string]bool) []rawjson.Patch {
	if len(names) == 0 {
		return nil
	}
	var items []rawjson.Span
	var goes []bool
	for m := range rawjson.Members(r.text, r.doc.Items[r.index]) {
		items, goes = append(items, m.Whole), append(goes, names[m.Name])
	}
	return rawjson.Cuts(items, func(i int) bool { return goes[i] })
}

func newText(form form, text string) string {
	var out []byte
	switch form {
	case textBlock:
		out = append(rawjson.AppendQuote(append(out, `{"type":"text","text":`...), text), '}')
	case newContent:
		out = rawjson.AppendQuote(append(out, `,"content":`...), text)
	default:
		out = rawjson.AppendQuote(out, text)
	}
	return string(out)
}
