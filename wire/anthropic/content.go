package anthropic

import (
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// block reads an element of a message's content.
func (r *reader) block(at rawjson.Span) {
	kind := r.str(r.get(at, "type"))
	switch {
	case r.material(kind, at):
	case r.role == core.RoleAssistant && r.reply(kind, at):
	case r.role == core.RoleUser && kind == "tool_result":
		r.readResult(at)
	default:
		r.note(kind, at)
		r.opaque(at)
	}
}

func (r *reader) opaque(at rawjson.Span) {
	r.addBlock(at, core.Part{Kind: core.KindOpaque, Text: at.Of(r.text)}, piece{form: fixed})
}

// material reads a block that messages and results alike may have, and reports whether it
// is one.
func (r *reader) material(kind string, at rawjson.Span) bool {
	switch kind {
	case "text":
		text := r.get(at, "text")
		if r.kind(text) != rawjson.String {
			return false
		}
		r.addBlock(at, core.Part{Text: r.str(text)}, piece{form: plain, text: text})
		return true
	case "image":
		return r.media(at, r.source(r.get(at, "source")))
	case "document":
		return r.document(at)
	default:
		return false
	}
}

// document reads a document: its text, the blocks that it consists of, or a medium.
func (r *reader) document(at rawjson.Span) bool {
	source := r.get(at, "source")
	var text rawjson.Span
	switch r.str(r.get(source, "type")) {
	case "text":
		text = r.get(source, "data")
	case "content":
		text = r.get(source, "content")
	default:
		m := r.source(source)
		if m != nil && m.MIME == "" {
			m.MIME = "application/pdf"
		}
		return r.media(at, m)
	}
	switch r.kind(text) {
	case rawjson.String:
		r.addBlock(at, core.Part{Text: r.str(text)}, piece{form: plain, text: text})
	case rawjson.Array:
		if r.isEmpty(text) {
			return false
		}
		r.addList(at, text, func(element rawjson.Span) {
			// A document in a document is unknown to the API, so this does not go deeper.
			if kind := r.str(r.get(element, "type")); kind == "document" || !r.material(kind, element) {
				r.opaque(element)
			}
		})
	default:
		return false
	}
	return true
}

// media adds the medium of a block, if there is one.
func (r *reader) media(at rawjson.Span, m *core.Media) bool {
	if m == nil {
		return false
	}
	r.addBlock(at, core.Part{Kind: core.KindMedia, Media: m}, piece{form: textBlock, text: at})
	return true
}

// source reads what an image or a document comes from, or returns nil for an unknown form.
func (r *reader) source(at rawjson.Span) *core.Media {
	switch r.str(r.get(at, "type")) {
	case "base64":
		mime := r.str(r.get(at, "media_type"))
		if mime == "" || strings.ContainsAny(mime, ",;") { // no data: URI could have it
			return nil
		}
		data := r.str(r.get(at, "data"))
		if r.places && data != "" {
			return &core.Media{MIME: mime}
		}
		return media.Of(mime, data)
	case "url":
		return media.At(r.str(r.get(at, "url")), "")
	case "file":
		return media.At(r.str(r.get(at, "file_id")), "")
	default:
		return nil
	}
}

// reply reads a block that only an assistant has, and reports whether it is one.
func (r *reader) reply(kind string, at rawjson.Span) bool {
	switch kind {
	case "thinking":
		text, signed := r.get(at, "thinking"), r.str(r.get(at, "signature")) != ""
		switch r.kind(text) {
		case rawjson.String:
			r.addBlock(at, core.Part{Kind: core.KindReasoning, Text: r.str(text), Signed: signed}, piece{form: plain, text: text})
		case rawjson.Absent:
			r.addBlock(at, core.Part{Kind: core.KindReasoning, Signed: signed}, piece{form: fixed})
		default:
			return false
		}
	case "redacted_thinking":
		data := r.get(at, "data")
		if r.kind(data) != rawjson.String {
			return false
		}
		r.addBlock(at, core.Part{Kind: core.KindReasoning, Text: r.str(data), Signed: true}, piece{form: fixed})
	case "tool_use":
		p := core.Part{Kind: core.KindToolCall, CallID: r.id(r.get(at, "id")), Tool: r.str(r.get(at, "name")), Text: r.input(r.get(at, "input"))}
		r.tools[p.CallID] = p.Tool
		r.replies.continues(r.src, r.id(r.get(r.get(at, "caller"), "tool_id")))
		r.addBlock(at, p, piece{form: fixed})
	default:
		return false
	}
	return true
}

// input returns the arguments of a call. The API knows objects only; logs have strings
// where the model wrote no JSON.
func (r *reader) input(at rawjson.Span) string {
	switch r.kind(at) {
	case rawjson.Absent, rawjson.Null:
		return ""
	case rawjson.String:
		return r.str(at)
	default:
		return at.Of(r.text)
	}
}

// readResult reads a tool_result: a part, or one for each of its blocks.
func (r *reader) readResult(at rawjson.Span) {
	id := r.id(r.get(at, "tool_use_id"))
	r.result = &core.Part{CallID: id, Tool: r.tools[id]}
	if failed := r.get(at, "is_error"); r.kind(failed) == rawjson.Bool {
		r.result.Status = core.StatusOK
		if failed.Of(r.text) == "true" {
			r.result.Status = core.StatusFailed
		}
	}
	content := r.get(at, "content")
	switch kind := r.kind(content); {
	case kind == rawjson.Array && !r.isEmpty(content):
		r.readResultBlocks(at, content)
	case kind == rawjson.Absent:
		r.addBlock(at, core.Part{}, piece{form: newContent, text: r.endOf(at)})
	case kind == rawjson.String:
		r.addBlock(at, core.Part{Text: r.str(content)}, piece{form: plain, text: content})
	case kind == rawjson.Null || kind == rawjson.Array:
		r.addBlock(at, core.Part{}, piece{form: plain, text: content})
	default: // unknown to the API, but somebody's result
		r.addBlock(at, core.Part{Text: content.Of(r.text)}, piece{form: plain, text: content})
	}
	r.result = nil
}

func (r *reader) readResultBlocks(at, content rawjson.Span) {
	known, list := false, len(r.lists)
	r.addList(at, content, func(element rawjson.Span) {
		kind, before := r.str(r.get(element, "type")), len(r.parts)
		switch {
		case r.material(kind, element):
		case kind == "search_result":
			r.addBlock(element, core.Part{Text: element.Of(r.text)}, piece{form: textBlock, text: element})
		default:
			r.opaque(element)
		}
		for _, p := range r.parts[before:] {
			known = known || p.Kind == core.KindToolResult
		}
	})
	if !known {
		r.blocks = append(r.blocks, block{list: list, part: len(r.parts)})
		r.add(core.Part{}, piece{form: fixed})
	}
}

// note keeps in mind what an unknown block means for its message and for others.
func (r *reader) note(kind string, at rawjson.Span) {
	switch {
	case kind == "compaction" || kind == "mid_conv_system":
		r.locked = true
	case r.role != core.RoleAssistant:
	case strings.HasSuffix(kind, "_tool_use"):
		r.replies.begins(r.src, r.id(r.get(at, "id")))
	case strings.HasSuffix(kind, "_tool_result"):
		r.replies.continues(r.src, r.id(r.get(at, "tool_use_id")))
	}
}

func (r *reader) isEmpty(array rawjson.Span) bool {
	return rawjson.Space(r.text, array.Start+1) == array.End-1
}

// endOf returns the place behind the last member of an object.
func (r *reader) endOf(object rawjson.Span) rawjson.Span {
	end := object.Start + 1
	for m := range rawjson.Members(r.text, object) {
		end = m.Whole.End
	}
	return rawjson.Span{Start: end, End: end}
}
