package anthropic

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// content writes the content of a message.
func (e *encoder) content(parts []place) {
	parts = e.withoutBlank(parts)
	if len(parts) == 1 && e.at(parts[0]).Kind == core.KindText {
		e.out = rawjson.AppendQuote(e.out, e.at(parts[0]).Text)
		return
	}
	e.out = append(e.out, '[')
	for i := 0; i < len(parts); {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		n := 1
		if e.history[parts[i].message].Role == core.RoleTool {
			n = e.blocksOfResult(parts[i:])
			e.result(parts[i : i+n])
		} else {
			e.block(parts[i])
		}
		i += n
	}
	e.out = append(e.out, ']')
}

// withoutBlank leaves blank texts out, unless there is nothing else but reasoning, or
// reasoning would be last.
func (e *encoder) withoutBlank(parts []place) []place {
	if !e.says(parts) {
		return parts
	}
	var kept []place
	for _, at := range parts {
		if !isBlank(e.at(at)) {
			kept = append(kept, at)
		}
	}
	if last := parts[len(parts)-1]; isBlank(e.at(last)) && e.at(kept[len(kept)-1]).Kind == core.KindReasoning {
		kept = append(kept, last)
	}
	return kept
}

// says reports whether any of the parts is more than reasoning or a blank text.
func (e *encoder) says(parts []place) bool {
	return slices.ContainsFunc(parts, func(at place) bool {
		return e.at(at).Kind != core.KindReasoning && !isBlank(e.at(at))
	})
}

// isBlank reports whether a part is a text of nothing but white space.
func isBlank(p *core.Part) bool {
	return p.Kind == core.KindText && p.Media == nil && strings.TrimSpace(p.Text) == ""
}

// blocksOfResult returns how many of the parts, from the first on, are one result.
func (e *encoder) blocksOfResult(parts []place) int {
	first, status, known := e.at(parts[0]), core.StatusUnknown, false
	for i, at := range parts {
		p := e.at(at)
		isResult := p.Kind == core.KindToolResult
		if e.history[at.message].Role != core.RoleTool || p.CallID != first.CallID || isResult && known && p.Status != status {
			return i
		}
		if isResult {
			status, known = p.Status, true
		}
	}
	return len(parts)
}

// result writes a tool_result of these parts.
func (e *encoder) result(parts []place) {
	e.out = append(e.out, `{"type":"tool_result","tool_use_id":`...)
	e.out = rawjson.AppendQuote(e.out, e.ids[e.at(parts[0]).CallID])
	status := core.StatusUnknown
	for _, at := range parts {
		if p := e.at(at); p.Kind == core.KindToolResult {
			status = p.Status
		}
	}
	e.out = append(e.out, `,"content":`...)
	if p := e.at(parts[0]); len(parts) == 1 && p.Kind == core.KindToolResult && p.Media == nil {
		e.out = rawjson.AppendQuote(e.out, p.Text)
	} else {
		e.out = append(e.out, '[')
		for i, at := range parts {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			e.block(at)
		}
		e.out = append(e.out, ']')
	}
	switch status {
	case core.StatusOK:
		e.out = append(e.out, `,"is_error":false`...)
	case core.StatusFailed:
		e.out = append(e.out, `,"is_error":true`...)
	}
	e.out = append(e.out, '}')
}

// block writes a block that is one part.
func (e *encoder) block(at place) {
	p := e.at(at)
	switch {
	case p.Kind == core.KindMedia || p.Media != nil:
		e.medium(p.Media)
	case p.Signed:
		e.out = rawjson.AppendQuote(append(e.out, `{"type":"redacted_thinking","data":`...), p.Text)
		e.out = append(e.out, '}')
	case p.Kind == core.KindReasoning:
		e.out = rawjson.AppendQuote(append(e.out, `{"type":"thinking","thinking":`...), p.Text)
		e.out = append(e.out, '}')
	case p.Kind == core.KindToolCall:
		e.out = rawjson.AppendQuote(append(e.out, `{"type":"tool_use","id":`...), e.ids[p.CallID])
		e.out = rawjson.AppendQuote(append(e.out, `,"name":`...), p.Tool)
		input := strings.TrimSpace(p.Text)
		if input == "" {
			input = "{}"
		}
		e.out = append(append(append(e.out, `,"input":`...), input...), '}')
	case p.Kind == core.KindOpaque:
		e.out = append(e.out, p.Text...)
	default:
		e.out = appendText(e.out, p.Text, "")
	}
}

// isRedacted reports whether a part is the data of a redacted_thinking block: base64 of
// some length, the first byte of which is always the same. OpenAI's has another.
func isRedacted(p *core.Part) bool {
	const least, begin = 32, "E"
	if p.Kind != core.KindReasoning || len(p.Text) < least || !strings.HasPrefix(p.Text, begin) {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(p.Text)
	return err == nil
}

// mediaFault returns why the format has no place for the media of a part, or "".
func mediaFault(p *core.Part) string {
	m := p.Media
	switch {
	case m == nil && p.Kind == core.KindMedia:
		return "a medium of which nothing is known"
	case m == nil:
		return ""
	case p.Kind != core.KindMedia && p.Kind != core.KindToolResult:
		return "media in a part of kind " + p.Kind.String()
	case p.Text != "":
		return "a text in the part of a medium"
	case m.Detail != "" && m.Detail != "auto":
		return "the detail in which an image is to be read"
	}
	switch kind, _, data, inside := source(m); {
	case kind == "":
		return "a medium that is neither an image nor a PDF"
	case inside && data == "" || !inside && (m.URL == "" || strings.HasPrefix(m.URL, "data:")):
		return "a medium without data in base64 and without an address"
	}
	return ""
}

// medium writes an image or a document.
func (e *encoder) medium(m *core.Media) {
	kind, mime, data, inside := source(m)
	e.out = append(append(append(e.out, `{"type":"`...), kind...), `","source":{"type":`...)
	switch {
	case inside:
		e.out = rawjson.AppendQuote(append(e.out, `"base64","media_type":`...), mime)
		e.out = rawjson.AppendQuote(append(e.out, `,"data":`...), data)
	case strings.Contains(m.URL, "://"):
		e.out = rawjson.AppendQuote(append(e.out, `"url","url":`...), m.URL)
	default:
		e.out = rawjson.AppendQuote(append(e.out, `"file","file_id":`...), m.URL)
	}
	e.out = append(e.out, `}}`...)
}

// source returns the type of the block for media, or "" if there is none, and what the
// block holds: inside is false if that is an address. What is behind an address and of no
// known type is taken for an image.
func source(m *core.Media) (block, mime, data string, inside bool) {
	mime, data, inside = media.Base64(m)
	if !inside {
		mime = m.MIME
	}
	switch {
	case strings.HasPrefix(mime, "image/") && !strings.ContainsAny(mime, ",;"), mime == "" && !inside:
		block = "image"
	case mime == "application/pdf":
		block = "document"
	}
	return block, mime, data, inside
}

// isKnown reports whether the JSON of an opaque part is a block of this format that a
// message of the role may have.
func isKnown(text string, role core.Role) bool {
	if rawjson.Check([]byte(text)) != nil {
		return false
	}
	at := rawjson.ValueAt(text, rawjson.Space(text, 0))
	kind := rawjson.Get(text, at, "type")
	if rawjson.TypeOf(text, kind) != rawjson.String {
		return false
	}
	name := rawjson.Unquote(kind.Of(text))
	if role == core.RoleTool {
		return name == "tool_reference"
	}
	switch name {
	case "compaction": // OpenAI has one too, without this member
		return rawjson.Get(text, at, "content") != rawjson.Span{}
	case "container_upload", "search_result", "mid_conv_system", "fallback":
		return true
	default:
		return strings.HasSuffix(name, "_tool_use") || strings.HasSuffix(name, "_tool_result")
	}
}
