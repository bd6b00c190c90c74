package gemini

import (
	"cmp"
	"slices"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/view"
)

// edit returns the patches that make the changes to the content at hand, by part.
func (r *reader) edit(becomes []view.Part) []rawjson.Patch {
	var patches []rawjson.Patch
	var gone []bool
	stays := false
	for i, part := range becomes {
		if at := &r.pieces[i]; at.element == len(gone) {
			gone = append(gone, part.Change == view.Gone)
		}
		stays = stays || part.Change != view.Gone
		if part.Change == view.Rewritten {
			patches = append(patches, rawjson.Patch{Span: r.pieces[i].text, New: r.newText(i, part.Text)})
		}
	}
	switch {
	case len(gone) == 0:
		return nil
	case !stays:
		return []rawjson.Patch{{Span: r.list, New: "[]"}}
	case r.kind(r.list) != rawjson.Array:
		return inOrder(patches)
	}
	var spans []rawjson.Span
	for at := range rawjson.Elements(r.text, r.list) {
		spans = append(spans, at)
	}
	return inOrder(append(patches, rawjson.Cuts(spans, func(i int) bool { return gone[i] })...))
}

// inOrder sorts patches. A result's own parts may stand before its response.
func inOrder(patches []rawjson.Patch) []rawjson.Patch {
	slices.SortFunc(patches, func(a, b rawjson.Patch) int { return cmp.Compare(a.Start, b.Start) })
	return patches
}

// withoutSystem returns what takes the system instruction out of the request.
func (c *Conversation) withoutSystem() []rawjson.Patch {
	var members []rawjson.Span
	var goes []bool
	for m := range rawjson.Members(c.doc.Text, c.doc.Object) {
		members, goes = append(members, m.Whole), append(goes, spelled(m.Name, "systemInstruction"))
	}
	return rawjson.Cuts(members, func(i int) bool { return goes[i] })
}

// newText returns what a new text of a part is written as.
func (r *reader) newText(i int, text string) string {
	at, p := &r.pieces[i], &r.parts[i]
	var out []byte
	switch at.form {
	case asPart:
		out = appendText(out, text)
	case asObject:
		out = appendResponse(out, p.Status, text)
	case asResponse:
		if out = append(out, `"response":`...); at.text.Start == at.text.End {
			out = appendResponse(append([]byte{','}, out...), p.Status, text)
		} else { // it has no member at all
			out = append(appendResponse(append([]byte{'{'}, out...), p.Status, text), '}')
		}
	case asData:
		out = append(out, '"')
		out = append(appendBase64(out, text), '"')
	case asDocument:
		label := ""
		if r.kind(at.label) == rawjson.String {
			label = at.label.Of(r.text)
		}
		out = appendDocument(out, text, label, at.snake)
	default:
		out = rawjson.AppendQuote(out, text)
	}
	return string(out)
}
