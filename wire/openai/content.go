package openai

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// content reads the content of a message, an empty string excepted.
func (r *reader) content() error {
	at := r.fields.content
	switch kind := r.kind(at); kind {
	case rawjson.Absent, rawjson.Null:
	case rawjson.String:
		if text := r.str(at); text != "" {
			r.add(core.Part{Text: text}, piece{home: asContent, whole: at, form: plain, text: at})
		}
	case rawjson.Array:
		for element := range rawjson.Elements(r.text, at) {
			p, form, text := r.block(element)
			r.add(p, piece{home: inContent, whole: element, form: form, text: text})
		}
	default:
		return r.doc.Error(at.Start, r.index, `a string, an array or null as "content"`, kind.String(), "")
	}
	return nil
}

// block reads an element of a content array, and says what a new text replaces.
func (r *reader) block(at rawjson.Span) (core.Part, form, rawjson.Span) {
	if r.kind(at) == rawjson.String {
		return core.Part{Text: r.str(at)}, plain, at
	}
	switch kind := r.str(r.get(at, "type")); kind {
	case "text", "refusal":
		if text := r.get(at, kind); r.kind(text) == rawjson.String {
			return core.Part{Text: r.str(text)}, plain, text
		}
	case "thinking":
		text, signed := r.get(at, "thinking"), r.str(r.get(at, "signature")) != ""
		switch r.kind(text) {
		case rawjson.String:
			return core.Part{Kind: core.KindReasoning, Text: r.str(text), Signed: signed}, plain, text
		case rawjson.Absent:
			return core.Part{Kind: core.KindReasoning, Signed: signed}, fixed, text
		}
	case "redacted_thinking":
		if data := r.get(at, "data"); r.kind(data) == rawjson.String {
			return core.Part{Kind: core.KindReasoning, Text: r.str(data), Signed: true}, fixed, data
		}
	case "image_url", "input_audio", "file":
		if m := r.media(kind, r.get(at, kind)); m != nil {
			return core.Part{Kind: core.KindMedia, Media: m}, textBlock, at
		}
	}
	return core.Part{Kind: core.KindOpaque, Text: at.Of(r.text)}, fixed, rawjson.Span{}
}

// media reads what a block of that type holds, or returns nil for an unknown form.
func (r *reader) media(kind string, at rawjson.Span) *core.Media {
	switch kind {
	case "image_url":
		url, detail := at, ""
		if r.kind(at) == rawjson.Object {
			url, detail = r.get(at, "url"), r.str(r.get(at, "detail"))
		}
		return media.At(r.str(url), detail)
	case "input_audio":
		return media.Audio(r.str(r.get(at, "data")), r.str(r.get(at, "format")))
	default:
		if data := r.str(r.get(at, "file_data")); data != "" {
			return media.File(data)
		}
		return media.At(r.str(r.get(at, "file_id")), "")
	}
}

// calls reads tool_calls and function_call.
func (r *reader) calls() error {
	at := r.fields.toolCalls
	switch kind := r.kind(at); kind {
	case rawjson.Absent, rawjson.Null:
	case rawjson.Array:
		for element := range rawjson.Elements(r.text, at) {
			p := r.call(element)
			r.tools[p.CallID] = p.Tool
			r.add(p, piece{home: inCalls, whole: element})
		}
	default:
		return r.doc.Error(at.Start, r.index, `an array as "tool_calls"`, kind.String(), "")
	}

	at = r.fields.functionCall
	switch kind := r.kind(at); kind {
	case rawjson.Absent, rawjson.Null:
	case rawjson.Object:
		p := r.function(at, "arguments")
		p.CallID = legacyID(r.index)
		r.pending[p.Tool] = p.CallID
		r.add(p, piece{home: asMember, member: "function_call", whole: at})
	default:
		return r.doc.Error(at.Start, r.index, `an object as "function_call"`, kind.String(), "")
	}
	return nil
}

// call reads an element of tool_calls.
func (r *reader) call(at rawjson.Span) core.Part {
	var p core.Part
	function, custom := r.get(at, "function"), r.get(at, "custom")
	switch {
	case r.kind(function) == rawjson.Object:
		p = r.function(function, "arguments")
	case r.kind(custom) == rawjson.Object:
		p = r.function(custom, "input")
	default:
		p = core.Part{Kind: core.KindToolCall, Tool: r.str(r.get(at, "name")), Text: at.Of(r.text)}
	}
	p.CallID = r.id(r.get(at, "id"))
	return p
}

// function reads what is called, and with what.
func (r *reader) function(at rawjson.Span, arguments string) core.Part {
	p := core.Part{Kind: core.KindToolCall, Tool: r.str(r.get(at, "name"))}
	switch args := r.get(at, arguments); r.kind(args) {
	case rawjson.Absent, rawjson.Null:
	case rawjson.String:
		p.Text = r.str(args)
	default:
		p.Text = args.Of(r.text)
	}
	return p
}
