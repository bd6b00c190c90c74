package anthropic

import (
	"cmp"
	"slices"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/view"
)

// edit returns the patches that make the changes to the message at hand; changes has an
// element for every part of it.
func (r *reader) edit(changes []view.Part) []rawjson.Patch {
	var patches []rawjson.Patch
	for i, change := range changes {
		if change.Change == view.Rewritten {
			patches = append(patches, rawjson.Patch{Span: r.pieces[i].text, New: r.newText(r.pieces[i], change.Text)})
		}
	}
	if len(r.lists) == 0 {
		if len(changes) > 0 && changes[0].Change == view.Gone && r.parts[0].Text != "" {
			patches = append(patches, rawjson.Patch{Span: r.content, New: `""`})
		}
		return patches
	}
	patches = append(patches, r.cuts(changes)...)
	slices.SortFunc(patches, func(a, b rawjson.Patch) int { return cmp.Compare(a.Start, b.Start) })
	return patches
}

// cuts returns what takes the blocks out of their lists of which nothing stays.
func (r *reader) cuts(changes []view.Part) []rawjson.Patch {
	stays := make([]bool, len(r.blocks))
	inList := make([][]int, len(r.lists))     // list → its blocks
	leaves := make([]bool, len(r.lists))      // with the block that holds it
	some := make([]bool, len(r.lists))        // one of its blocks stays
	for i := len(r.blocks) - 1; i >= 0; i-- { // what holds a list stands before its blocks
		b := &r.blocks[i]
		if b.part >= 0 {
			stays[i] = changes[b.part].Change != view.Gone
		} else {
			stays[i] = some[b.holds]
			leaves[b.holds] = !stays[i]
		}
		some[b.list] = some[b.list] || stays[i]
		if b.whole != (rawjson.Span{}) {
			inList[b.list] = append(inList[b.list], i)
		}
	}
	var patches []rawjson.Patch
	for list, blocks := range inList {
		if leaves[list] {
			continue
		}
		slices.Reverse(blocks)
		items := make([]rawjson.Span, len(blocks))
		for i, b := range blocks {
			items[i] = r.blocks[b].whole
		}
		switch {
		case len(items) == 0:
		case slices.ContainsFunc(blocks, func(b int) bool { return stays[b] }):
			patches = append(patches, rawjson.Cuts(items, func(i int) bool { return !stays[blocks[i]] })...)
		default:
			patches = append(patches, rawjson.Patch{Span: r.lists[list], New: "[]"})
		}
	}
	return patches
}

// newText returns what replaces the text of a piece.
func (r *reader) newText(at piece, text string) string {
	var out []byte
	switch at.form {
	case textBlock:
		out = appendText(out, text, r.get(at.text, "cache_control").Of(r.text))
	case newContent:
		out = rawjson.AppendQuote(append(out, `,"content":`...), text)
	default:
		out = rawjson.AppendQuote(out, text)
	}
	return string(out)
}

// appendText appends a block of type text, with the JSON of its cache_control if it has
// any.
func appendText(out []byte, text, cacheControl string) []byte {
	out = rawjson.AppendQuote(append(out, `{"type":"text","text":`...), text)
	if cacheControl != "" {
		out = append(append(out, `,"cache_control":`...), cacheControl...)
	}
	return append(out, '}')
}
