package openai_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// A change turns a history into a view, on a copy.
type change func(view []core.Message) []core.Message

// drop removes messages by index.
func drop(gone ...int) change {
	return func(view []core.Message) []core.Message {
		var kept []core.Message
		for i := range view {
			if !slices.Contains(gone, i) {
				kept = append(kept, view[i])
			}
		}
		return kept
	}
}

// part changes a part.
func part(msg, part int, change func(p *core.Part)) change {
	return func(view []core.Message) []core.Message {
		view[msg].Parts = slices.Clone(view[msg].Parts)
		change(&view[msg].Parts[part])
		return view
	}
}

// retext gives a part another text; what held media becomes text, as an edit does it.
func retext(msg, at int, text string) change {
	return part(msg, at, func(p *core.Part) {
		p.Text, p.Media = text, nil
		if p.Kind == core.KindMedia {
			p.Kind = core.KindText
		}
		p.Elided = &core.Elision{Op: core.Elide, By: -1}
	})
}

// without takes parts out of a message.
func without(msg int, gone ...int) change {
	return func(view []core.Message) []core.Message {
		var kept []core.Part
		for i, p := range view[msg].Parts {
			if !slices.Contains(gone, i) {
				kept = append(kept, p)
			}
		}
		view[msg].Parts = kept
		return view
	}
}

// insert adds a message before the one of that index.
func insert(at int, m core.Message) change {
	return func(view []core.Message) []core.Message { return slices.Insert(view, at, m) }
}

func note(role core.Role, text string) core.Message {
	return core.Message{Role: role, Parts: []core.Part{{Text: text, Elided: &core.Elision{Op: core.Insert, By: -1}}}}
}

func all(changes ...change) change {
	return func(view []core.Message) []core.Message {
		for _, c := range changes {
			view = c(view)
		}
		return view
	}
}

const (
	u = `{"role": "user", "content": "a"}`
	b = `{"role":"assistant","content":"b","x":1.50}`
	d = `{"role":"user","content":"d" }`
	e = `{"role":"user","content":"new"}`
)

var writeCases = []struct {
	name string
	doc  string
	edit change
	want string
}{
	{"drop the first", "[ " + u + " ,\n" + b + ",\n  " + d + "\n]", drop(0), "[ " + b + ",\n  " + d + "\n]"},
	{"drop the middle", "[ " + u + " ,\n" + b + ",\n  " + d + "\n]", drop(1), "[ " + u + ",\n  " + d + "\n]"},
	{"drop the last", "[ " + u + " ,\n" + b + ",\n  " + d + "\n]", drop(2), "[ " + u + " ,\n" + b + "\n]"},
	{"drop all but one", "[ " + u + " ,\n" + b + ",\n  " + d + "\n]", drop(0, 2), "[ " + b + "\n]"},
	{"drop all", "\n[ " + u + " ,\n" + b + "]\n", drop(0, 1), "\n[]\n"},
	{"drop in a request", `{"n":1,"messages":[` + u + "," + b + "] ,\n\"tools\":[]}\n", drop(0), `{"n":1,"messages":[` + b + "] ,\n\"tools\":[]}\n"},
	{"drop all in a request", `{"messages":[` + u + `],"n":1e0}`, drop(0), `{"messages":[],"n":1e0}`},
	{"drop the first line", u + "\n" + b + "\n\n" + d + "\n", drop(0), b + "\n\n" + d + "\n"},
	{"drop a middle line", u + "\r\n" + b + "\r\n\r\n" + d + "\r\n", drop(1), u + "\r\n\r\n" + d + "\r\n"},
	{"drop the last line", u + "\n" + b + "\n" + d, drop(2), u + "\n" + b},
	{"drop all lines", u + "\n" + b + "\n", drop(0, 1), "\n"},

	{"insert into an array", "[\n  " + u + ",\n  " + b + "\n]", insert(1, note(core.RoleUser, "new")), "[\n  " + u + ",\n  " + e + ",\n  " + b + "\n]"},
	{"insert first", "[" + u + ", " + b + "]", insert(0, note(core.RoleUser, "new")), "[" + e + ", " + u + ", " + b + "]"},
	{"insert last", "[" + u + ", " + b + "]", insert(2, note(core.RoleUser, "new")), "[" + u + ", " + b + ", " + e + "]"},
	{"insert beside one", "[\n" + u + "]", insert(1, note(core.RoleUser, "new")), "[\n" + u + ",\n" + e + "]"},
	{"insert into nothing", "[ ]", insert(0, note(core.RoleUser, "new")), "[ " + e + "]"},
	{
		"insert two into nothing", `{"messages":[]}`, all(insert(0, note(core.RoleUser, "new")), insert(0, note(core.RoleUser, "new"))),
		`{"messages":[` + e + "," + e + "]}",
	},
	{"insert for a dropped one", "[" + u + ", " + b + "]", all(drop(0), insert(0, note(core.RoleUser, "new"))), "[" + e + ", " + b + "]"},
	{"insert alone", "[" + u + ", " + b + "]", all(drop(0, 1), insert(0, note(core.RoleUser, "new"))), "[" + e + "]"},
	{"insert a line", u + "\n" + b + "\n", insert(1, note(core.RoleUser, "new")), u + "\n" + e + "\n" + b + "\n"},
	{"insert a first line", u + "\r\n\r\n" + b, insert(0, note(core.RoleUser, "new")), e + "\r\n" + u + "\r\n\r\n" + b},
	{"insert a last line", u + "\n" + b, insert(2, note(core.RoleUser, "new")), u + "\n" + b + "\n" + e},
	{"insert beside one line", u, insert(1, note(core.RoleUser, "new")), u + "\n" + e},
	{
		"insert beside a message over lines", "{\r\n \"role\":\"user\"\n}\n", insert(1, note(core.RoleUser, "new")),
		`{ "role":"user"}` + "\n" + e + "\n",
	},
	{"insert a reply", "[]", insert(0, note(core.RoleAssistant, "<\"\n\u2028\xff>")), "[{\"role\":\"assistant\",\"content\":\"<\\\"\\n\u2028\ufffd>\"}]"},
	{
		"insert a named one of several parts", "[]", insert(0, core.Message{Role: core.RoleSystem, Name: "n", Parts: []core.Part{text("a"), text("b")}}),
		`[{"role":"system","name":"n","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`,
	},
	{"insert an empty one", "[]", insert(0, core.Message{Role: core.RoleUser}), `[{"role":"user","content":""}]`},

	{
		"a string", "[" + u + `,{ "role":"user" , "content" : "a\u00e9" , "n":1.0},` + d + "]", retext(1, 0, "<b>\té"),
		"[" + u + `,{ "role":"user" , "content" : "<b>\té" , "n":1.0},` + d + "]",
	},
	{"the last of a name", `[{"role":"user","content":"a","content":"b"}]`, retext(0, 0, "c"), `[{"role":"user","content":"a","content":"c"}]`},
	{"an empty string", `{"role":"user","content":""}`, retext(0, 0, "c"), `{"role":"user","content":"c"}`},
	{
		"blocks", `[{"role":"user","content":[{"type":"text","text":"a"}, "b" ,{"text":"c","type":"text"}]}]`, all(retext(0, 1, "B"), retext(0, 2, "C")),
		`[{"role":"user","content":[{"type":"text","text":"a"}, "B" ,{"text":"C","type":"text"}]}]`,
	},
	{
		"a refusal", `[{"role":"assistant","content":[{"type":"refusal","refusal":"no"}],"refusal":"never"}]`, all(retext(0, 0, "n"), retext(0, 1, "-")),
		`[{"role":"assistant","content":[{"type":"refusal","refusal":"n"}],"refusal":"-"}]`,
	},
	{"a result", `{"role":"tool","content":"long","tool_call_id":"c"}`, retext(0, 0, "s"), `{"role":"tool","content":"s","tool_call_id":"c"}`},
	{"a result that is null", `{"role":"tool","content":null}`, retext(0, 0, "s"), `{"role":"tool","content":"s"}`},
	{"a result that is an empty array", `{"role":"tool","content":[ ]}`, retext(0, 0, "s"), `{"role":"tool","content":"s"}`},
	{"a result that is missing", `{"role":"tool" }`, retext(0, 0, "s"), `{"role":"tool","content":"s" }`},
	{"a legacy result", `{"role":"function","name":"f","content":"long"}`, retext(0, 0, "s"), `{"role":"function","name":"f","content":"s"}`},
	{
		"unsigned thinking", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},"a"],"reasoning":"r"}`,
		all(part(0, 0, func(p *core.Part) { p.Text = "m" }), part(0, 1, func(p *core.Part) { p.Text = "h" })),
		`{"role":"assistant","content":[{"type":"thinking","thinking":"h"},"a"],"reasoning":"m"}`,
	},
	{"elided without another text", "[" + u + "]", part(0, 0, func(p *core.Part) { p.Elided = &core.Elision{} }), "[" + u + "]"},
	{"another policy", "[" + u + "]", func(v []core.Message) []core.Message { v[0].Policy = core.Locked; return v }, "[" + u + "]"},

	{
		"take out a block", `[{"role":"assistant","content":[ {"type":"thinking","thinking":"hm"} , {"type":"text","text":"a"}, "b" ]}]`, without(0, 0),
		`[{"role":"assistant","content":[ {"type":"text","text":"a"}, "b" ]}]`,
	},
	{
		"take out the last block", `[{"role":"assistant","content":[ {"type":"text","text":"a"} , {"type":"text","text":"b"} ]}]`, without(0, 1),
		`[{"role":"assistant","content":[ {"type":"text","text":"a"} ]}]`,
	},
	{
		"take out one and shorten one", `[{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},"a","b"]}]`, all(retext(0, 1, "A"), without(0, 0, 2)),
		`[{"role":"assistant","content":["A"]}]`,
	},
	{
		"take out all blocks", `[{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}],"tool_calls":[{"id":"c","function":{"name":"f"}}]}]`, without(0, 0),
		`[{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"f"}}]}]`,
	},
	{"take out a string", `[{"role":"assistant","content":"a","refusal":"b"}]`, without(0, 0), `[{"role":"assistant","content":"","refusal":"b"}]`},
	{"take out nothing", `[{"role":"assistant","content":""}]`, without(0, 0), `[{"role":"assistant","content":""}]`},
	{"take out a missing result", `[{"role":"tool","content":[{"type":"x"}]}]`, without(0, 1), `[{"role":"tool","content":[{"type":"x"}]}]`},
	{
		"take out a member", `{"role":"assistant", "reasoning_content":"r" , "content":"a"}`, without(0, 0),
		`{"role":"assistant" , "content":"a"}`,
	},
	{
		"take out the first and last members", `{"reasoning_content":"r","role":"assistant","content":"a","reasoning":"s" }`, without(0, 0, 1),
		`{"role":"assistant","content":"a" }`,
	},
	{
		"take out a member of several of its name", `{"reasoning":"r","role":"assistant","reasoning":"s","content":"a"}`, without(0, 0),
		`{"role":"assistant","content":"a"}`,
	},
	{
		"take out a member and shorten the next", `{"role":"assistant","reasoning":"r","content":"a"}`, all(retext(0, 1, "b"), without(0, 0)),
		`{"role":"assistant","content":"b"}`,
	},
	{
		"take out a call", `{"role":"assistant","tool_calls":[{"id":"c"},{"id":"d"} ],"audio":{}}`, without(0, 1),
		`{"role":"assistant","tool_calls":[{"id":"d"} ],"audio":{}}`,
	},
	{
		"take out all calls", `{"role":"assistant","tool_calls":[{"id":"c"}],"function_call":{"name":"f"},"content":"a"}`, without(0, 1, 2),
		`{"role":"assistant","content":"a"}`,
	},
	{
		"reasoning that an edit elided", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},"a"]}`,
		part(0, 0, func(p *core.Part) { p.Text, p.Elided = "", &core.Elision{Op: core.Elide, By: -1} }),
		`{"role":"assistant","content":["a"]}`,
	},
}

func TestWrite(t *testing.T) {
	for _, c := range writeCases {
		t.Run(c.name, func(t *testing.T) {
			conversation := parse(t, c.doc)
			before := deepCopy(conversation.Messages())
			view := c.edit(slices.Clone(conversation.Messages()))
			assert.Equal(t, c.want, write(t, conversation, view))
			assert.Equal(t, c.want, write(t, conversation, view), "a second time")
			assert.Equal(t, before, conversation.Messages(), "Write changes nothing")
			if strings.TrimSpace(c.want) != "" {
				parse(t, c.want)
			}
		})
	}
}

func deepCopy(history []core.Message) []core.Message {
	history = slices.Clone(history)
	for i := range history {
		history[i].Parts = slices.Clone(history[i].Parts)
	}
	return history
}

func TestViewErrors(t *testing.T) {
	const doc = `[{"role":"user","content":["a","b"]},
{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"thinking"},{"type":"x"}],"tool_calls":[{"id":"c","function":{"name":"f"}}]},
{"role":"tool","tool_call_id":"c","content":[{"type":"image_url","image_url":"u"}]},
{"role":"tool","tool_call_id":"c","content":[{"type":"x"}]}]`
	message := func(at int, change func(m *core.Message)) change {
		return func(view []core.Message) []core.Message { change(&view[at]); return view }
	}
	swap := func(view []core.Message) []core.Message {
		return []core.Message{view[1], view[0]}
	}
	for _, c := range []struct {
		name            string
		edit            change
		view, msg, part int
		want            string
	}{
		{"unknown message", message(1, func(m *core.Message) { m.Src = 9 }), 1, -1, -1, "unknown Src"},
		{"negative message", message(1, func(m *core.Message) { m.Src = -1 }), 1, -1, -1, "unknown Src"},
		{"a message twice", insert(0, core.Message{Src: 1, Role: core.RoleUser}), 1, 0, -1, "twice or late"},
		{"messages in another order", swap, 1, 0, -1, "twice or late"},
		{"another role", message(0, func(m *core.Message) { m.Role = core.RoleTool }), 0, 0, -1, "expected the role user, found tool"},
		{"another name", message(0, func(m *core.Message) { m.Name = "x" }), 0, 0, -1, "expected the name as it was read"},
		{"no slot", part(0, 1, func(p *core.Part) { p.Slot = 0 }), 0, 0, 1, "unknown Slot"},
		{"unknown slot", part(0, 1, func(p *core.Part) { p.Slot = 3 }), 0, 0, 1, "unknown Slot"},
		{"a huge slot", part(0, 1, func(p *core.Part) { p.Slot = 1<<32 - 1 }), 0, 0, 1, "unknown Slot"},
		{"a slot twice", part(0, 1, func(p *core.Part) { p.Slot = 1 }), 0, 0, 1, "twice or late"},
		{"another kind", part(0, 1, func(p *core.Part) { p.Kind = core.KindOpaque }), 0, 0, 1, "expected a part of kind text, found kind opaque"},
		{"another call id", part(2, 0, func(p *core.Part) { p.CallID = "d" }), 2, 2, 0, "call id, tool and status"},
		{"another tool", part(1, 3, func(p *core.Part) { p.Tool = "g" }), 1, 1, 3, "call id, tool and status"},
		{"another status", part(2, 0, func(p *core.Part) { p.Status = core.StatusOK }), 2, 2, 0, "call id, tool and status"},
		{"other arguments", part(1, 3, func(p *core.Part) { p.Text = "{}" }), 1, 1, 3, "expected the tool-call part as it was read"},
		{"another opaque part", part(1, 2, func(p *core.Part) { p.Text = "{}" }), 1, 1, 2, "expected the opaque part as it was read"},
		{"other signed reasoning", part(1, 0, func(p *core.Part) { p.Text = "ha" }), 1, 1, 0, "leave it whole, or take it out"},
		{"a text where none is", part(1, 1, func(p *core.Part) { p.Text = "ha" }), 1, 1, 1, "expected the reasoning part as it was read"},
		{"a text for a missing result", part(3, 1, func(p *core.Part) { p.Text = "ha" }), 3, 3, 1, "expected the tool-result part as it was read"},
		{"another image", part(2, 0, func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 2, 2, 0, "elide it, or leave it"},
		{"an image from nowhere", part(0, 0, func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 0, 0, 0, "elide it, or leave it"},
		{"a text beside an image", part(2, 0, func(p *core.Part) { p.Text = "v" }), 2, 2, 0, "expected the tool-result part as it was read"},
		{"an added result", insert(1, note(core.RoleTool, "r")), 1, -1, -1, "an added message of role system, user or assistant, found role tool"},
		{"an added message without role", insert(1, note(0, "r")), 1, -1, -1, "found role none"},
		{"an added call", insert(1, core.Message{Role: core.RoleAssistant, Parts: []core.Part{text("a"), call("c", "f", "")}}), 1, -1, 1, "found a part of kind tool-call"},
		{"an added image", insert(1, core.Message{Role: core.RoleUser, Parts: []core.Part{{Media: &core.Media{}}}}), 1, -1, 0, "text in an added message"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conversation := parse(t, doc)
			out, err := conversation.Write(c.edit(slices.Clone(conversation.Messages())))
			assert.Nil(t, out)
			var view *wire.ViewError
			require.ErrorAs(t, err, &view)
			assert.Equal(t, "openai", view.Format)
			assert.Equal(t, [3]int{c.view, c.msg, c.part}, [3]int{view.View, view.Message, view.Part}, "place in the view, in the document, of the part")
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// The same media in another struct is no change.
func TestWriteCopiedMedia(t *testing.T) {
	c := parse(t, `[{"role":"user","content":[{"type":"image_url","image_url":"u"},"a"]}]`)
	view := all(part(0, 0, func(p *core.Part) { m := *p.Media; p.Media = &m }), retext(0, 1, "b"))(slices.Clone(c.Messages()))
	equalBytes(t, `[{"role":"user","content":[{"type":"image_url","image_url":"u"},"b"]}]`, write(t, c, view))
}
