package sessionlog

import (
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// read returns the message that an entry is; ok is false for an entry that the model does
// not get.
func (p *pi) read(e *piEntry) (m core.Message, ok bool, err error) {
	p.role, p.parts = core.RoleUser, p.parts[:0]
	switch e.kind {
	case "message":
		if p.Kind(e.message) != rawjson.Object {
			return m, false, p.Error(p.agent, e.whole.Start, e.record, `an object as "message"`, p.Kind(e.message).String(), "")
		}
		ok = p.message(e.message)
	case "custom_message":
		ok = true
		p.content(p.Get(e.whole, "content"))
	case "compaction", "branch_summary":
		ok = true
		p.text(p.Get(e.whole, "summary"))
	default:
		p.skipType(e.kind)
	}
	m.Role = p.role
	for i := range p.parts {
		p.parts[i].Slot = uint32(i) + 1
	}
	if len(p.parts) > 0 {
		m.Parts = slices.Clone(p.parts)
	}
	return m, ok, nil
}

// message reads the message of an entry.
func (p *pi) message(at rawjson.Span) bool {
	fields := p.Fields(at)
	switch role := p.Str(fields["role"]); role {
	case "user", "custom", "hookMessage": // the last was custom's name in the second version
		p.content(fields["content"])
	case "assistant":
		p.role = core.RoleAssistant
		p.content(fields["content"])
	case "toolResult":
		p.role = core.RoleTool
		p.result(fields)
	case "bashExecution":
		if p.is(fields["excludeFromContext"]) {
			p.skip("command kept from the model", 1)
			return false
		}
		p.text(fields["command"])
		p.text(fields["output"])
	case "branchSummary", "compactionSummary":
		p.text(fields["summary"])
	default:
		p.role = 0
		p.content(fields["content"])
	}
	return true
}

// result reads a result of one or more blocks; one without any is an empty one.
func (p *pi) result(fields map[string]rawjson.Span) {
	p.content(fields["content"])
	id, tool, status := p.Str(fields["toolCallId"]), p.Str(fields["toolName"]), core.StatusUnknown
	if p.Kind(fields["isError"]) == rawjson.Bool {
		status = core.StatusOK
		if p.is(fields["isError"]) {
			status = core.StatusFailed
		}
	}
	results := 0
	for i := range p.parts {
		part := &p.parts[i]
		part.CallID = id
		if part.Kind == core.KindText || part.Kind == core.KindMedia {
			part.Kind, part.Tool, part.Status = core.KindToolResult, tool, status
			results++
		}
	}
	if results == 0 {
		p.parts = append(p.parts, core.Part{Kind: core.KindToolResult, CallID: id, Tool: tool, Status: status})
	}
}

// text reads a string; the empty one says nothing.
func (p *pi) text(at rawjson.Span) {
	if text := p.Str(at); text != "" {
		p.parts = append(p.parts, core.Part{Text: text})
	}
}

// content reads a string or blocks.
func (p *pi) content(at rawjson.Span) {
	switch p.Kind(at) {
	case rawjson.Absent, rawjson.Null:
	case rawjson.String:
		p.text(at)
	case rawjson.Array:
		for block := range rawjson.Elements(p.Text, at) {
			p.parts = append(p.parts, p.block(block))
		}
	default:
		p.parts = append(p.parts, p.block(at))
	}
}

func (p *pi) block(at rawjson.Span) core.Part {
	fields := p.Fields(at)
	switch kind := p.Str(fields["type"]); {
	case kind == "text" && p.Kind(fields["text"]) == rawjson.String:
		return core.Part{Text: p.Str(fields["text"])}
	case kind == "thinking" && p.role == core.RoleAssistant && p.Kind(fields["thinking"]) == rawjson.String:
		return core.Part{Kind: core.KindReasoning, Text: p.Str(fields["thinking"]), Signed: signs(p.Str(fields["thinkingSignature"]))}
	case kind == "image":
		if m := media.Of(p.Str(fields["mimeType"]), p.Str(fields["data"])); m != nil {
			return core.Part{Kind: core.KindMedia, Media: m}
		}
	case kind == "toolCall" && p.role == core.RoleAssistant:
		call := core.Part{
			Kind: core.KindToolCall, CallID: p.Str(fields["id"]), Tool: p.Str(fields["name"]),
			Signed: p.Str(fields["thoughtSignature"]) != "",
		}
		switch args := fields["arguments"]; p.Kind(args) {
		case rawjson.Absent, rawjson.Null:
		case rawjson.String:
			call.Text = p.Str(args)
		default:
			call.Text = args.Of(p.Text)
		}
		return call
	}
	return core.Part{Kind: core.KindOpaque, Text: at.Of(p.Text)}
}

// signs reports whether a signature is one. For providers that sign nothing, pi notes there
// which member of the message the reasoning came in.
func signs(signature string) bool {
	return signature != "" && !strings.HasPrefix(signature, "reasoning")
}
