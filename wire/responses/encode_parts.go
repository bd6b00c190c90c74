package responses

import (
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/media"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/tools"
)

// reasoning writes the reasoning from an index on. An item ends where the encrypted data
// stands, and where signed parts meet others.
func (e *encoder) reasoning(parts []core.Part, from int) {
	for from < len(parts) {
		to := endOfItem(parts, from)
		texts, last := to, &parts[to-1]
		if isSealed(last) {
			texts--
		} else if last.Signed {
			for i := from; i < to; i++ {
				e.lose(i, "a signature of another provider")
			}
		}
		e.next()
		e.write(`{"type":"reasoning","summary":[`)
		for i := from; i < texts; i++ {
			if texts-from == 1 && parts[i].Text == "" {
				break // what an item without a summary is read as
			}
			e.next()
			e.write(`{"type":"summary_text","text":`)
			e.quote(i, parts[i].Text)
			e.write("}")
		}
		e.write("]")
		if isSealed(last) {
			e.write(`,"encrypted_content":`)
			e.quote(to-1, last.Text)
		}
		e.write("}")
		from = to
	}
}

// endOfItem returns where the item of the reasoning that begins at from ends.
func endOfItem(parts []core.Part, from int) int {
	for i := from + 1; i < len(parts); i++ {
		if parts[i].Signed != parts[from].Signed || isSealed(&parts[i-1]) {
			return i
		}
	}
	return len(parts)
}

// isSealed reports whether a part is encrypted reasoning of OpenAI's. Its data is a Fernet
// token: base64 of a byte 0x80 and a time in eight bytes, of which the first are 0. Other
// providers' encrypted reasoning looks different, and is of no use to this one.
func isSealed(p *core.Part) bool {
	return p.Signed && strings.HasPrefix(p.Text, "gAAAA") && !strings.ContainsAny(p.Text, " \t\r\n")
}

// natives are the types of items that are Opaque, and whose they are.
var natives = map[string]core.Role{
	"web_search_call": core.RoleAssistant, "file_search_call": core.RoleAssistant,
	"code_interpreter_call": core.RoleAssistant, "image_generation_call": core.RoleAssistant,
	"mcp_call": core.RoleAssistant, "mcp_list_tools": core.RoleAssistant,
	"tool_search_call": core.RoleAssistant, "tool_search_output": core.RoleAssistant,
	"compaction": core.RoleAssistant, "compaction_summary": core.RoleAssistant,
	"item_reference": core.RoleAssistant, "compaction_trigger": core.RoleSystem,
	"configuration_update": core.RoleSystem, "additional_tools": core.RoleSystem,
}

// native writes an Opaque part that is an item of this API's, and reports whether it is.
func (e *encoder) native(role core.Role, p *core.Part) bool {
	if p.Kind != core.KindOpaque || !isObject(p.Text) {
		return false
	}
	at := rawjson.ValueAt(p.Text, rawjson.Space(p.Text, 0))
	kind := text(p.Text, rawjson.Get(p.Text, at, "type"))
	if natives[kind] != role {
		return false
	}
	// Another provider has items of this name, which are not encrypted.
	if strings.HasPrefix(kind, "compaction") && role == core.RoleAssistant &&
		text(p.Text, rawjson.Get(p.Text, at, "encrypted_content")) == "" {
		return false
	}
	e.next()
	e.write(at.Of(p.Text))
	return true
}

func isObject(json string) bool {
	return rawjson.Check([]byte(json)) == nil && json[rawjson.Space(json, 0)] == '{'
}

// media writes a content part.
func (e *encoder) media(i int, m *core.Media, sounds bool) {
	url := media.URL(m)
	inline := strings.HasPrefix(url, "data:")
	mime := m.MIME
	if known := media.At(url, ""); mime == "" && known != nil {
		mime = known.MIME
	}
	e.next()
	switch {
	case url == "":
		e.lose(i, "media that are nowhere")
		e.write("null")
	case strings.HasPrefix(mime, "audio/"):
		e.sound(i, m, sounds)
	case mime == "" || strings.HasPrefix(mime, "image/"):
		if mime != "" && !inline {
			e.lose(i, "the type of an image behind an address")
		}
		e.write(`{"type":"input_image","`, where("image_url", url), `":`)
		e.quote(i, url)
		e.detail(i, m)
	default:
		e.write(`{"type":"input_file"`)
		if name := fileName(mime, url); name != "" {
			e.write(`,"filename":"`, name, `"`)
		} else if fileType(url) != mime {
			e.lose(i, "the type of a file behind an address")
		}
		if inline {
			e.write(`,"file_data":`)
		} else {
			e.write(`,"`, where("file_url", url), `":`)
		}
		e.quote(i, url)
		e.detail(i, m)
	}
}

// sound writes a sound, which has to be here.
func (e *encoder) sound(i int, m *core.Media, allowed bool) {
	mime, data, ok := media.Base64(m)
	if !ok || !allowed || m.Detail != "" {
		e.lose(i, "a sound in a result, behind an address or with a detail")
	}
	e.write(`{"type":"input_audio","input_audio":{"data":`)
	e.quote(i, data)
	e.write(`,"format":`)
	e.quote(i, media.AudioFormat(mime))
	e.write("}}")
}

// detail writes the rest of a content part of media.
func (e *encoder) detail(i int, m *core.Media) {
	if m.Detail != "" {
		e.write(`,"detail":`)
		e.quote(i, m.Detail)
	}
	e.write("}")
}

// where returns the member for an address, which is another one for the id of a file that
// the provider keeps.
func where(member, url string) string {
	if strings.HasPrefix(url, "data:") || strings.Contains(url, "://") {
		return member
	}
	return "file_id"
}

// fileName returns a name that tells the type of a file, or "" where the address does it
// or nothing could. The API refuses data without a name.
func fileName(mime, url string) string {
	inline := strings.HasPrefix(url, "data:")
	switch {
	case mime == pdf && (inline || fileType(url) != pdf):
		return "file.pdf"
	case inline, mime == unknown && fileType(url) != unknown:
		return "file"
	default:
		return ""
	}
}

// schemas writes the definitions of tools.
func (e *encoder) schemas(schemas []string) {
	if len(schemas) == 0 {
		return
	}
	e.write(`,"tools":[`)
	for i, schema := range schemas {
		switch read := tools.Read(schema); {
		case rawjson.Check([]byte(schema)) != nil:
			e.lose(i, "a tool definition that is no JSON")
		case len(read) == 0 || isFlat(schema):
			e.next()
			e.write(strings.TrimSpace(schema))
		default:
			for _, tool := range read {
				e.next()
				e.tool(i, &tool)
			}
		}
	}
	e.write("]")
}

// isFlat reports whether a known definition is one of this API's.
func isFlat(schema string) bool {
	at := rawjson.ValueAt(schema, rawjson.Space(schema, 0))
	get := func(name string) string { return text(schema, rawjson.Get(schema, at, name)) }
	return get("type") != "" && get("name") != "" && rawjson.Get(schema, at, "input_schema") == (rawjson.Span{})
}

// tool writes a translated definition.
func (e *encoder) tool(i int, t *tools.Tool) {
	for _, member := range t.Extra {
		e.lose(i, `the member "`+member+`" of a tool definition`)
	}
	if t.Free {
		e.write(`{"type":"custom","name":`)
	} else {
		e.write(`{"type":"function","name":`)
	}
	e.quote(i, t.Name)
	if t.Description != "" {
		e.write(`,"description":`)
		e.quote(i, t.Description)
	}
	switch {
	case t.Free && t.Syntax != "":
		e.write(`,"format":{"type":"grammar","syntax":`)
		e.quote(i, t.Syntax)
		e.write(`,"definition":`)
		e.quote(i, t.Grammar)
		e.write("}}")
	case t.Free:
		e.write("}")
	default:
		parameters, strict := t.Parameters, t.Strict
		if parameters == "" {
			parameters = `{"type":"object","properties":{}}`
		}
		if strict == "" {
			strict = "false"
		}
		e.write(`,"parameters":`, parameters, `,"strict":`, strict, "}")
	}
}

// docs writes the JSON schema that the text must have. OpenAI's chat API has it without a
// type, other APIs without a name.
func (e *encoder) docs(docs []string) {
	written := false
	for i, doc := range docs {
		if written || !isObject(doc) {
			e.lose(i, "a document beside the messages")
			continue
		}
		at := rawjson.ValueAt(doc, rawjson.Space(doc, 0))
		kind := text(doc, rawjson.Get(doc, at, "type"))
		named := rawjson.TypeOf(doc, rawjson.Get(doc, at, "schema")) == rawjson.Object
		format := at.Of(doc)
		switch {
		case named && kind == "json_schema":
		case named && kind == "":
			format = `{"type":"json_schema",` + format[1:]
		case kind == "object":
			format = `{"type":"json_schema","name":"output","schema":` + format + `}`
		default:
			e.lose(i, "a document beside the messages")
			continue
		}
		e.write(`,"text":{"format":`, format, "}")
		written = true
	}
}
