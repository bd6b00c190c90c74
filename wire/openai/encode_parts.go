package openai

import (
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// speech writes the members of a message that is not a tool's.
func (e *encoder) speech(role core.Role, parts []place) {
	var content, calls, audio []place
	says := e.says(parts)
	for _, at := range parts {
		switch p := e.at(at); {
		case p.Kind == core.KindToolCall:
			calls = append(calls, at)
		case isAudio(role, p):
			audio = append(audio, at)
		case p.Kind == core.KindText && p.Text == "" && says:
		default:
			content = append(content, at)
		}
	}
	if e.isAside(content) {
		e.write(`,"reasoning_content":`)
		e.quote(e.at(content[0]).Text)
		content = content[1:]
	}
	if len(content) > 0 || role != core.RoleAssistant {
		e.content(content)
	} else {
		e.write(`,"content":null`)
	}
	for _, at := range audio {
		e.write(`,"audio":`)
		e.opaque(e.at(at).Text)
	}
	e.calls(calls)
}

// isAside reports whether the first part is the only reasoning, and nothing but a text.
func (e *encoder) isAside(parts []place) bool {
	isReasoning := func(at place) bool { return e.at(at).Kind == core.KindReasoning }
	if len(parts) == 0 || !isReasoning(parts[0]) || slices.ContainsFunc(parts[1:], isReasoning) {
		return false
	}
	first := e.at(parts[0])
	return !first.Signed && first.Text != ""
}

// says reports whether any of the parts is more than an empty text.
func (e *encoder) says(parts []place) bool {
	return slices.ContainsFunc(parts, func(at place) bool {
		p := e.at(at)
		return p.Kind != core.KindText || p.Text != ""
	})
}

// content writes the content of a message.
func (e *encoder) content(parts []place) {
	e.write(`,"content":`)
	if len(parts) == 1 {
		if p := e.at(parts[0]); p.Media == nil && (p.Kind == core.KindText || p.Kind == core.KindToolResult) {
			e.quote(p.Text)
			return
		}
	}
	e.write("[")
	for _, at := range parts {
		e.next()
		e.block(e.at(at))
	}
	e.write("]")
}

// block writes a part as an element of a content array.
func (e *encoder) block(p *core.Part) {
	switch {
	case p.Media != nil:
		e.media(p.Media)
	case p.Signed:
		e.write(`{"type":"redacted_thinking","data":`)
		e.quote(p.Text)
		e.write("}")
	case p.Kind == core.KindReasoning:
		e.write(`{"type":"thinking","thinking":`)
		e.quote(p.Text)
		e.write("}")
	case p.Kind == core.KindOpaque:
		e.opaque(p.Text)
	default:
		e.write(newText(textBlock, p.Text))
	}
}

// opaque writes JSON as it is, on one line where lines matter.
func (e *encoder) opaque(json string) {
	if e.between == "\n" {
		json = strings.NewReplacer("\n", "", "\r", "").Replace(json)
	}
	e.write(strings.TrimSpace(json))
}

func (e *encoder) calls(calls []place) {
	if len(calls) == 0 {
		return
	}
	e.write(`,"tool_calls":[`)
	for _, at := range calls {
		p := e.at(at)
		e.tools[p.CallID] = p.Tool
		kind, text := "function", "arguments"
		if e.free[p.Tool] {
			kind, text = "custom", "input"
		}
		e.next()
		e.write(`{"id":`)
		e.quote(p.CallID)
		e.write(`,"type":"`, kind, `","`, kind, `":{"name":`)
		e.quote(p.Tool)
		e.write(`,"`, text, `":`)
		e.quote(p.Text)
		e.write("}}")
	}
	e.write("]")
}

// blocksOfResult returns how many of the parts, from the first on, are one message.
func (e *encoder) blocksOfResult(parts []place) int {
	id := e.at(parts[0]).CallID
	var result *core.Part
	for i, at := range parts {
		p := e.at(at)
		switch {
		case p.CallID != id:
			return i
		case p.Kind != core.KindToolResult:
		case result == nil:
			result = p
		case p.Status != result.Status || p.Tool != result.Tool:
			return i
		}
	}
	return len(parts)
}

// toolMessage writes a message of role tool.
func (e *encoder) toolMessage(parts []place) {
	first := slices.IndexFunc(parts, func(at place) bool { return e.at(at).Kind == core.KindToolResult })
	if first < 0 {
		for _, at := range parts {
			e.lose(at, "an opaque part without a result")
		}
		return
	}
	result := e.at(parts[first])
	e.begin("tool")
	if result.CallID != "" {
		e.write(`,"tool_call_id":`)
		e.quote(result.CallID)
	}
	if result.Tool != "" && (result.CallID == "" || result.Tool != e.tools[result.CallID]) {
		e.write(`,"name":`)
		e.quote(result.Tool)
	}
	switch result.Status {
	case core.StatusOK:
		e.write(`,"is_error":false`)
	case core.StatusFailed:
		e.write(`,"is_error":true`)
	}
	e.content(parts)
	e.write("}")
}

// mediaFault returns why the format has no place for the media of a part, or "".
func mediaFault(p *core.Part) string {
	m := p.Media
	switch {
	case m == nil && p.Kind == core.KindMedia, m != nil && media.URL(m) == "":
		return "a medium of which nothing is known"
	case m == nil:
		return ""
	case p.Kind != core.KindMedia && p.Kind != core.KindToolResult:
		return "media in a part of kind " + p.Kind.String()
	case p.Text != "":
		return "a text in the part of a medium"
	}
	kind, url := source(m)
	switch _, data, inside := media.Base64(m); {
	case kind == "input_audio" && (!inside || data == ""):
		return "a sound without data in base64"
	case kind == "file" && strings.Contains(url, "://") && !strings.HasPrefix(url, "data:"):
		return "a file behind an address"
	case kind != "image_url" && m.Detail != "" && m.Detail != "auto":
		return "the detail in which a medium that is no image is to be read"
	default:
		return ""
	}
}

// source returns the type of the block for media, and their address, which tells the type
// of such as are in it. What is of no known type is taken for an image, and what has no
// address but a name for a file that the provider keeps.
func source(m *core.Media) (block, url string) {
	mime, url := m.MIME, media.URL(m)
	inside := strings.HasPrefix(url, "data:")
	if at := media.At(url, ""); inside && mime == "" {
		mime = at.MIME
	} else if inside && mime != at.MIME {
		if _, data, ok := media.Base64(m); ok {
			url = "data:" + mime + ";base64," + data
		}
	}
	switch {
	case media.AudioFormat(mime) != "":
		return "input_audio", url
	case !inside && !strings.Contains(url, "://"):
		return "file", url
	case mime == "" || strings.HasPrefix(mime, "image/"):
		return "image_url", url
	default:
		return "file", url
	}
}

// media writes a block.
func (e *encoder) media(m *core.Media) {
	kind, url := source(m)
	e.write(`{"type":"`, kind, `","`, kind, `":{`)
	switch {
	case kind == "image_url":
		e.write(`"url":`)
		e.quote(url)
		if m.Detail != "" {
			e.write(`,"detail":`)
			e.quote(m.Detail)
		}
	case kind == "input_audio":
		mime, data, _ := media.Base64(m)
		e.write(`"data":`)
		e.quote(data)
		e.write(`,"format":`)
		e.quote(media.AudioFormat(mime))
	case strings.HasPrefix(url, "data:"):
		e.write(`"filename":"`, fileName(url), `","file_data":`)
		e.quote(url)
	default:
		e.write(`"file_id":`)
		e.quote(url)
	}
	e.write("}}")
}

// fileName returns a name for a file, since the API refuses data without one.
func fileName(url string) string {
	if strings.HasPrefix(url, "data:application/pdf") {
		return "file.pdf"
	}
	return "file"
}

// isAudio reports whether a part is what an assistant's message has as its audio: the id of
// a spoken answer.
func isAudio(role core.Role, p *core.Part) bool {
	if role != core.RoleAssistant || p.Kind != core.KindOpaque {
		return false
	}
	at, ok := value(p.Text)
	id := rawjson.Get(p.Text, at, "id")
	return ok && rawjson.TypeOf(p.Text, id) == rawjson.String && rawjson.Get(p.Text, at, "type") == (rawjson.Span{})
}

// isBlock reports whether the JSON of an opaque part is a block that Parse reads as one. A
// service may know it; what is known to be another API's is none.
func isBlock(text string) bool {
	at, ok := value(text)
	if !ok {
		return false
	}
	r := reader{text: text}
	kind := r.str(r.get(at, "type"))
	p, _, _ := r.block(at)
	return p.Kind == core.KindOpaque && kind != "" && !slices.Contains(foreign, kind) &&
		!slices.ContainsFunc(foreignEnds, func(end string) bool { return strings.HasSuffix(kind, end) })
}

// foreign and foreignEnds are the types, and how types end, of what Anthropic and OpenAI's
// Responses API run or keep themselves.
var (
	foreign = []string{
		"compaction", "compaction_summary", "compaction_trigger", "container_upload", "search_result",
		"mid_conv_system", "fallback", "mcp_list_tools", "tool_search_output", "item_reference",
		"configuration_update", "additional_tools",
	}
	foreignEnds = []string{"_call", "_tool_use", "_tool_result"}
)

// value returns the one JSON value that a text is; ok is false if it is none, or nested so
// deep that a request could not be read with it.
func value(json string) (at rawjson.Span, ok bool) {
	const around = 4 // a request's own levels
	if rawjson.Check([]byte(json)) != nil || rawjson.Check([]byte(strings.Repeat("[", around)+json+strings.Repeat("]", around))) != nil {
		return at, false
	}
	return rawjson.ValueAt(json, rawjson.Space(json, 0)), true
}
