package wiretest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// array returns an array of messages.
func array(messages ...string) string { return "[" + strings.Join(messages, ",\n") + "]" }

// checkShapes reads documents of few messages in every shape that they may have.
func (h *Harness[C]) checkShapes() error {
	m := h.Plain[0]
	for _, row := range []struct {
		doc   string
		shape wire.Shape
		n     int
	}{
		{"[]", wire.ShapeArray, 0},
		{" \n[ ]\n", wire.ShapeArray, 0},
		{"[" + m + "]", wire.ShapeArray, 1},
		{h.request("[]"), wire.ShapeRequest, 0},
		{h.request("[" + m + "]"), wire.ShapeRequest, 1},
		{m, wire.ShapeLines, 1},
		{m + "\n", wire.ShapeLines, 1},
		{m + "\n" + m, wire.ShapeLines, 2},
		{m + "\r\n" + m + "\r\n", wire.ShapeLines, 2},
		{"\n \t\n" + m + " \n\n\r\n" + m + "\n\n", wire.ShapeLines, 2},
		{byteOrderMark + "[" + m + "]", wire.ShapeArray, 1},
		{byteOrderMark + m + "\n" + m, wire.ShapeLines, 2},
		{"{\n" + m[1:len(m)-1] + "\n}\n", wire.ShapeLines, 1},
	} {
		c, err := h.read(row.doc)
		if err != nil {
			return err
		}
		if c.Shape() != row.shape || len(c.Messages()) != row.n {
			return fmt.Errorf("%q: expected %d messages of %s, found %d of %s", row.doc, row.n, row.shape, len(c.Messages()), c.Shape())
		}
	}
	return nil
}

func (h *Harness[C]) request(list string) string { return `{"` + h.List + `":` + list + `}` }

// prompted returns a request with a prompt, if the format has any.
func (h *Harness[C]) prompted(raw, list string) string {
	if h.Prompt == nil {
		return h.request(list)
	}
	return "{" + h.Prompt(raw) + "," + h.request(list)[1:]
}

// checkCopies clears what was read and what was written.
func (h *Harness[C]) checkCopies() error {
	doc := "[" + h.Dialect.user("hello") + "]"
	data := []byte(doc)
	c, err := h.Parse(data)
	if err != nil {
		return err
	}
	clear(data)
	out, err := c.Write(c.Messages())
	if err != nil {
		return err
	}
	clear(out)
	if text := c.Messages()[0].Parts[0].Text; text != "hello" {
		return fmt.Errorf("the text shares memory with the input: %q", text)
	}
	return h.roundTrip(c, doc)
}

// brokenDocuments are the faults that a document of any format may have.
func (h *Harness[C]) brokenDocuments() []SyntaxCase {
	const m = `{"role":"user","parts":[],"content":"a"}` // a message in all formats
	n := int64(len(m))
	list := `"` + h.List + `":[`
	return []SyntaxCase{
		{"nothing", "", 1, -1, 0, "found an empty file"},
		{"spaces", " \n\n", 3, -1, 3, "found an empty file"},
		{"only a mark", byteOrderMark, 1, -1, 3, "found an empty file"},
		{"a string", `"hi"`, 1, -1, 0, `found the byte '"'; the file must be JSON in UTF-8`},
		{"UTF-16", "\xff\xfe[\x00", 1, -1, 0, "found the byte 0xff"},
		{"array cut off", "[" + m + ",\n{", 2, -1, n + 4, "found the end of the file; the file seems to be cut off"},
		{"array with more behind", "[]\n[]", 2, -1, 3, "expected JSON, found invalid character '['"},
		{"trailing comma", "[" + m + ",]", 1, -1, n + 2, "expected JSON"},
		{"too deep", strings.Repeat("[", 100_000), 1, -1, 10_000, "exceeded max depth"},
		{"request cut off", "{\n" + list + "\n" + m, 3, -1, int64(len(list)) + n + 3, "found the end of the file"},
		{"line cut off", m + "\n{\"role\":\"us\n" + m, 2, 1, n + 12, "found the end of the line"},
		{"line cut off behind a value", m + "\n{\"role\":\"user\"\n" + m, 2, 1, n + 15, "found the end of the line; the line is cut off"},
		{"first line cut off", "{\"role\":\"user\",\n" + m + "\n", 1, 0, 15, "found the end of the line"},
		{"last line cut off", m + "\n{\"role\":", 2, 1, n + 9, "found the end of the file"},
		{"two messages on a line", m + m, 1, -1, n, "expected JSON"},
		{"a line that is no object", m + "\n[]\n", 2, 1, n + 1, "expected a message object, found an array"},
		{"a message that is no object", "[" + m + ",\n 7]", 2, 1, n + 4, "expected a message object, found a number"},
		{"neither request nor message", `{"model":"m"}`, 1, -1, 0, `expected an object with "` + h.List + `" (a request) or "`},
		{"a list that is none", h.request("7"), 1, -1, int64(len(h.List)) + 4, `an array as "` + h.List + `", found a number`},
		{"conversations", h.request("[]") + "\n" + h.request("[]"), 1, 0, 0, "read the lines one by one"},
	}
}

// commonWrites are changes that do not depend on what messages say.
func (h *Harness[C]) commonWrites() []WriteCase {
	u, b, d := h.Plain[0], h.Plain[1], h.Plain[2]
	e, added := h.Dialect.added("new"), func(at int) Change { return Insert(at, Note(core.RoleUser, "new")) }
	three := "[ " + u + " ,\n" + b + ",\n  " + d + "\n]"
	request := func(list string) string { return `{"n":1e0,"` + h.List + `":` + list + " ,\n\"tools\":[]}\n" }
	rows := []WriteCase{
		{"drop the first", three, Drop(0), "[ " + b + ",\n  " + d + "\n]"},
		{"drop the middle", three, Drop(1), "[ " + u + ",\n  " + d + "\n]"},
		{"drop the last", three, Drop(2), "[ " + u + " ,\n" + b + "\n]"},
		{"drop all but one", three, Drop(0, 2), "[ " + b + "\n]"},
		{"drop all", "\n[ " + u + " ,\n" + b + "]\n", Drop(0, 1), "\n[]\n"},
		{"drop in a request", request("[" + u + "," + b + "]"), Drop(0), request("[" + b + "]")},
		{"drop all in a request", request("[" + u + "]"), Drop(0), request("[]")},
		{"drop the first line", u + "\n" + b + "\n\n" + d + "\n", Drop(0), b + "\n\n" + d + "\n"},
		{"drop a middle line", u + "\r\n" + b + "\r\n\r\n" + d + "\r\n", Drop(1), u + "\r\n\r\n" + d + "\r\n"},
		{"drop the last line", u + "\n" + b + "\n" + d, Drop(2), u + "\n" + b},
		{"drop all lines", u + "\n" + b + "\n", Drop(0, 1), "\n"},

		{"insert into an array", "[\n  " + u + ",\n  " + b + "\n]", added(1), "[\n  " + u + ",\n  " + e + ",\n  " + b + "\n]"},
		{"insert first", "[" + u + ", " + b + "]", added(0), "[" + e + ", " + u + ", " + b + "]"},
		{"insert last", "[" + u + ", " + b + "]", added(2), "[" + u + ", " + b + ", " + e + "]"},
		{"insert beside one", "[\n" + u + "]", added(1), "[\n" + u + ",\n" + e + "]"},
		{"insert into nothing", "[ ]", added(0), "[ " + e + "]"},
		{"insert two into nothing", h.request("[]"), All(added(0), added(0)), h.request("[" + e + "," + e + "]")},
		{"insert for a dropped one", "[" + u + ", " + b + "]", All(Drop(0), added(0)), "[" + e + ", " + b + "]"},
		{"insert alone", "[" + u + ", " + b + "]", All(Drop(0, 1), added(0)), "[" + e + "]"},
		{"insert a line", u + "\n" + b + "\n", added(1), u + "\n" + e + "\n" + b + "\n"},
		{"insert a first line", u + "\r\n\r\n" + b, added(0), e + "\r\n" + u + "\r\n\r\n" + b},
		{"insert a last line", u + "\n" + b, added(2), u + "\n" + b + "\n" + e},
		{"insert beside one line", u, added(1), u + "\n" + e},
		{"insert beside a message over lines", "{\r\n " + u[1:len(u)-1] + "\n}\n", added(1), "{ " + u[1:] + "\n" + e + "\n"},
		{"insert odd bytes", "[]", Insert(0, Note(core.RoleUser, "<\"\n\u2028\xff>")), "[" + h.Dialect.added("<\\\"\\n\u2028\ufffd>") + "]"},

		{"another policy", "[" + u + "]", Message(0, func(m *core.Message) { m.Policy = core.Locked }), "[" + u + "]"},
		{"elided without another text", "[" + u + "]", Part(0, 0, func(p *core.Part) { p.Elided = &core.Elision{} }), "[" + u + "]"},
		{"a text", array(u, h.Dialect.texts(`\u00e9`, "b"), d), Retext(1, 0, "<b>\té\u2028"), array(u, h.Dialect.texts("<b>\\té\u2028", "b"), d)},
		{"without a text", array(u, h.Dialect.texts("a", "b", "c")), All(Retext(1, 2, "C"), Without(1, 0, 1)), array(u, h.Dialect.texts("C"))},
		{"the same media in another struct", "[" + h.Dialect.picture("iVBORw0KGgo=") + "]", func(view []core.Message) []core.Message {
			at := slices.IndexFunc(view[0].Parts, func(p core.Part) bool { return p.Media != nil })
			return Part(0, at, func(p *core.Part) { m := *p.Media; p.Media = &m })(view)
		}, "[" + h.Dialect.picture("iVBORw0KGgo=") + "]"},
	}
	if h.Prompt == nil {
		return rows
	}
	prompt, list := h.Prompt("be brief"), `"`+h.List+`":`
	return append(rows, []WriteCase{
		{"drop behind the prompt", "{" + prompt + ", " + list + "[" + u + "," + b + "]}", Drop(1), "{" + prompt + ", " + list + "[" + b + "]}"},
		{"drop all but the prompt", "{" + prompt + ", " + list + "[" + u + "]}", Drop(1), "{" + prompt + ", " + list + "[]}"},
		{"insert behind the prompt", "{" + list + "[" + u + "]," + prompt + "}", added(1), "{" + list + "[" + e + "," + u + "]," + prompt + "}"},
		{"another prompt, first", h.prompted(`\u00e9`, "["+u+","+b+"]"), All(Drop(1), Retext(0, 0, "é\n")), h.prompted(`é\n`, "["+b+"]")},
		{"another prompt, last", "{" + list + "[" + u + "], " + prompt + " }", All(added(1), Retext(0, 0, "new")), "{" + list + "[" + e + "," + u + "], " + h.Prompt("new") + " }"},
		{"without the prompt, first", "{ " + prompt + ", " + list + "[" + u + `],"n":1}`, Drop(0), "{ " + list + "[" + u + `],"n":1}`},
		{"without the prompt in the middle", `{"n":1,` + prompt + "," + list + "[" + u + "]}", Drop(0), `{"n":1,` + list + "[" + u + "]}"},
		{"without the prompt, last", "{" + list + "[" + u + "] , " + prompt + " }", Drop(0), "{" + list + "[" + u + "] }"},
		{"without the prompt and all others", "{" + list + "[" + u + "]," + prompt + "}", Drop(0, 1), "{" + list + "[]}"},
	}...)
}

// plainDocument is what foreignViews are made of: the second message has two parts.
func (h *Harness[C]) plainDocument() string {
	return array(h.Plain[0], h.Dialect.texts("a", "b"), h.Plain[1], h.Dialect.picture("iVBORw0KGgo="))
}

func (h *Harness[C]) foreignViews() []ViewCase {
	part := func(change func(p *core.Part)) Change { return Part(1, 1, change) }
	added := func(role core.Role, p core.Part) Change {
		return Insert(1, core.Message{Role: role, Parts: []core.Part{{Text: "a"}, p}})
	}
	return []ViewCase{
		{"unknown message", Message(1, func(m *core.Message) { m.Src = 99 }), 1, -1, -1, "unknown Src"},
		{"negative message", Message(1, func(m *core.Message) { m.Src = -1 }), 1, -1, -1, "unknown Src"},
		{"a message twice", Insert(0, core.Message{Src: 1, Role: core.RoleUser}), 1, 0, -1, "twice or late"},
		{"messages in another order", Swap(0, 1), 1, 0, -1, "twice or late"},
		{"another role", Message(1, func(m *core.Message) { m.Role = core.RoleTool }), 1, 1, -1, "expected the role user, found tool"},
		{"another name", Message(1, func(m *core.Message) { m.Name = "x" }), 1, 1, -1, "expected the name as it was read"},
		{"no slot", part(func(p *core.Part) { p.Slot = 0 }), 1, 1, 1, "unknown Slot"},
		{"unknown slot", part(func(p *core.Part) { p.Slot = 3 }), 1, 1, 1, "unknown Slot"},
		{"a huge slot", part(func(p *core.Part) { p.Slot = 1<<32 - 1 }), 1, 1, 1, "unknown Slot"},
		{"a slot twice", part(func(p *core.Part) { p.Slot = 1 }), 1, 1, 1, "twice or late"},
		{"another kind", part(func(p *core.Part) { p.Kind = core.KindOpaque }), 1, 1, 1, "expected a part of kind text, found kind opaque"},
		{"another call id", part(func(p *core.Part) { p.CallID = "d" }), 1, 1, 1, "call id, tool and status"},
		{"another tool", part(func(p *core.Part) { p.Tool = "g" }), 1, 1, 1, "call id, tool and status"},
		{"another status", part(func(p *core.Part) { p.Status = core.StatusOK }), 1, 1, 1, "call id, tool and status"},
		{"an image from nowhere", part(func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 1, 1, 1, "elide it, or leave it"},
		{"another image", Part(3, 1, func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 3, 3, 1, "elide it, or leave it"},
		{"a text beside an image", Part(3, 1, func(p *core.Part) { p.Text = "v" }), 3, 3, 1, "expected the media part as it was read"},
		{"an added result", Insert(1, Note(core.RoleTool, "r")), 1, -1, -1, "found role tool"},
		{"an added message without role", Insert(1, Note(0, "r")), 1, -1, -1, "found role none"},
		{"an added call", added(core.RoleAssistant, core.Part{Kind: core.KindToolCall, CallID: "c", Tool: "f"}), 1, -1, 1, "found a part of kind tool-call"},
		{"an added image", added(core.RoleUser, core.Part{Media: &core.Media{}}), 1, -1, 1, "text in an added message"},
	}
}
