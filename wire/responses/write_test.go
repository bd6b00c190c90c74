package responses_test

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
	b = `{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"b","annotations":[]}],"x":1.50}`
	d = `{"role":"user","content":"d" }`
	e = `{"type":"message","role":"user","content":[{"type":"input_text","text":"new"}]}`
)

var writeCases = []struct {
	name string
	doc  string
	edit change
	want string
}{
	{"drop the first", "[ " + u + " ,\n" + b + ",\n  " + d + "\n]", drop(0), "[ " + b + ",\n  " + d + "\n]"},
	{"drop all", "\n[ " + u + " ,\n" + b + "]\n", drop(0, 1), "\n[]\n"},
	{"drop a line", u + "\r\n" + b + "\r\n\r\n" + d + "\r\n", drop(1), u + "\r\n\r\n" + d + "\r\n"},
	{"drop in a request", `{"n":1,"input":[` + u + "," + b + "] ,\n\"tools\":[]}\n", drop(0), `{"n":1,"input":[` + b + "] ,\n\"tools\":[]}\n"},
	{"insert", "[\n  " + u + ",\n  " + b + "\n]", insert(1, note(core.RoleUser, "new")), "[\n  " + u + ",\n  " + e + ",\n  " + b + "\n]"},
	{
		"insert a reply of two parts", "[]", insert(0, core.Message{Role: core.RoleAssistant, Parts: []core.Part{text("<\"\xff"), text("b")}}),
		`[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"<\"` + "\ufffd" + `"},{"type":"output_text","text":"b"}]}]`,
	},
	{"insert an empty one", "[]", insert(0, core.Message{Role: core.RoleSystem}), `[{"type":"message","role":"system","content":[]}]`},

	{"new text of an input string", `{"input": "a" ,"n":1}`, retext(0, 0, "b\n"), `{"input": "b\n" ,"n":1}`},
	{"drop an input string", `{"input": "a" ,"n":1}`, drop(0), `{"input": [] ,"n":1}`},
	{
		"insert before an input string", `{"n":1,"input": "a\u00e9" }`, insert(0, note(core.RoleUser, "new")),
		`{"n":1,"input": [` + e + `,{"type":"message","role":"user","content":"a\u00e9"}] }`,
	},
	{
		"insert behind an edited input string", `{"input":"a"}`, all(insert(1, note(core.RoleUser, "new")), retext(0, 0, "b")),
		`{"input":[{"type":"message","role":"user","content":"b"},` + e + `]}`,
	},
	{"insert in the place of an input string", `{"input":"a"}`, all(drop(0), insert(0, note(core.RoleUser, "new"))), `{"input":[` + e + `]}`},

	{
		"new instructions", `{"model":"m", "instructions" : "old" ,"input":[` + u + `]}`, retext(0, 0, "new"),
		`{"model":"m", "instructions" : "new" ,"input":[` + u + `]}`,
	},
	{
		"new instructions behind the input", `{"input":[` + u + "," + b + `], "instructions":"old"}`, all(retext(0, 0, "new"), drop(1)),
		`{"input":[` + b + `], "instructions":"new"}`,
	},
	{"without instructions", `{"instructions":"old", "input":[` + u + `],"n":1}`, drop(0), `{"input":[` + u + `],"n":1}`},
	{"without instructions in the middle", `{"n":1,"instructions":"old","input":"a"}`, drop(0), `{"n":1,"input":"a"}`},
	{"without instructions at the end", `{"input":"a", "instructions":"old" }`, without(0, 0), `{"input":"a" }`},
	{"without any of several", `{"instructions":1,"input":"a","instructions":"old"}`, drop(0), `{"input":"a"}`},
	{"without all", `{"instructions":"old", "input":[` + u + `]}`, drop(0, 1), `{"input":[]}`},

	{"a string", "[" + u + `,{ "role":"user" , "content" : "a\u00e9" , "n":1.0}]`, retext(1, 0, "<b>\té"), "[" + u + `,{ "role":"user" , "content" : "<b>\té" , "n":1.0}]`},
	{"the last of a name", `[{"role":"user","content":"a","content":"b"}]`, retext(0, 0, "c"), `[{"role":"user","content":"a","content":"c"}]`},
	{
		"content parts", `[{"role":"user","content":[{"type":"input_text","text":"a"}, "b" ,{"text":"c","type":"text"}]}]`, all(retext(0, 1, "B"), retext(0, 2, "C")),
		`[{"role":"user","content":[{"type":"input_text","text":"a"}, "B" ,{"text":"C","type":"text"}]}]`,
	},
	{"an output part", "[" + b + "]", retext(0, 0, "B"), "[" + strings.Replace(b, `"text":"b"`, `"text":"B"`, 1) + "]"},
	{
		"media of the assistant", `[{"role":"assistant","content":[{"type":"input_image","image_url":"u"}]}]`, retext(0, 0, "gone"),
		`[{"role":"assistant","content":[{"type":"output_text","text":"gone"}]}]`,
	},
	{
		"an output", `{"type":"function_call_output","id":"fco_1","output":"long","call_id":"c","status":"completed"}`, retext(0, 0, "s"),
		`{"type":"function_call_output","id":"fco_1","output":"s","call_id":"c","status":"completed"}`,
	},
	{"an output that is null", `{"type":"function_call_output","output":null}`, retext(0, 0, "s"), `{"type":"function_call_output","output":"s"}`},
	{"an output that is missing", `{"type":"apply_patch_call_output","status":"failed" }`, retext(0, 0, "s"), `{"type":"apply_patch_call_output","status":"failed","output":"s" }`},
	{
		"an output's image", `{"type":"function_call_output","output":["a", {"type":"input_image","image_url":"u"} ]}`, retext(0, 1, "gone"),
		`{"type":"function_call_output","output":["a", {"type":"input_text","text":"gone"} ]}`,
	},
	{
		"a shell's streams", `{"type":"shell_call_output","output":[{"stdout":"x","stderr":"y","outcome":{}},{"stdout":"z"}]}`, all(retext(0, 2, "Z"), without(0, 1)),
		`{"type":"shell_call_output","output":[{"stdout":"x","stderr":"","outcome":{}},{"stdout":"Z"}]}`,
	},
	{
		"unsigned reasoning", `{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}],"content":[{"text":"b"}]}`, all(retext(0, 0, "A"), retext(0, 1, "B")),
		`{"type":"reasoning","summary":[{"type":"summary_text","text":"A"}],"content":[{"text":"B"}]}`,
	},
	{"another policy", "[" + u + "]", func(v []core.Message) []core.Message { v[0].Policy = core.Locked; return v }, "[" + u + "]"},

	{
		"take out content parts", `[{"role":"assistant","content":[ "x" , {"type":"output_text","text":"a"}, "b" ]}]`, without(0, 0, 2),
		`[{"role":"assistant","content":[ {"type":"output_text","text":"a"} ]}]`,
	},
	{"take out all content", "[" + u + `,{"role":"user","content":["x"]}]`, without(1, 0), "[" + u + "]"},
	{"take out a call", u + "\n" + `{"type":"function_call"}`, without(1, 0), u},
	{
		"take out a summary", `{"type":"reasoning","summary":[{"text":"a"}],"content":[{"text":"b"},{"text":"c"}]}`, without(0, 0, 1),
		`{"type":"reasoning","summary":[],"content":[{"text":"c"}]}`,
	},
	{
		"reasoning that an edit elided", "[" + u + `,{"type":"reasoning","summary":["a"],"encrypted_content":"x"}]`,
		all(part(1, 0, func(p *core.Part) { p.Text, p.Elided = "", &core.Elision{} }), part(1, 1, func(p *core.Part) { p.Text, p.Elided = "", &core.Elision{} })),
		"[" + u + "]",
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
			parse(t, c.want)
		})
	}
}

func TestViewErrors(t *testing.T) {
	const doc = `{"instructions":"i","input":[{"role":"user","content":["a","b"]},
{"type":"reasoning","summary":[{"text":"hm"},{"text":7}],"encrypted_content":"x"},
{"type":"reasoning","summary":[{"text":7}]},
{"type":"function_call","call_id":"c","name":"f"},
{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"u"}]},
{"type":"computer_call_output","call_id":"c","output":{"image_url":"u"}},
{"type":"web_search_call"}]}`
	message := func(at int, change func(m *core.Message)) change {
		return func(view []core.Message) []core.Message { change(&view[at]); return view }
	}
	swap := func(view []core.Message) []core.Message { return []core.Message{view[1], view[0]} }
	for _, c := range []struct {
		name            string
		edit            change
		view, msg, part int
		want            string
	}{
		{"unknown message", message(1, func(m *core.Message) { m.Src = 99 }), 1, -1, -1, "unknown Src"},
		{"a message twice", insert(0, core.Message{Src: 1, Role: core.RoleSystem}), 1, 0, -1, "twice or late"},
		{"instructions behind an item", swap, 1, 0, -1, "twice or late"},
		{"another role", message(1, func(m *core.Message) { m.Role = core.RoleTool }), 1, 1, -1, "expected the role user, found tool"},
		{"another name", message(1, func(m *core.Message) { m.Name = "x" }), 1, 1, -1, "expected the name as it was read"},
		{"unknown slot", part(1, 1, func(p *core.Part) { p.Slot = 3 }), 1, 1, 1, "unknown Slot"},
		{"another call id", part(5, 0, func(p *core.Part) { p.CallID = "d" }), 5, 5, 0, "call id, tool and status"},
		{"other arguments", part(4, 0, func(p *core.Part) { p.Text = "{}" }), 4, 4, 0, "expected the tool-call part as it was read"},
		{"another opaque part", part(7, 0, func(p *core.Part) { p.Text = "{}" }), 7, 7, 0, "expected the opaque part as it was read"},
		{"another summary under a signature", part(2, 0, func(p *core.Part) { p.Text = "ha" }), 2, 2, 0, "leave it whole, or take it out"},
		{"other encrypted reasoning", part(2, 2, func(p *core.Part) { p.Text = "y" }), 2, 2, 2, "leave it whole, or take it out"},
		{"reasoning of unknown form", part(3, 0, func(p *core.Part) { p.Text = "8" }), 3, 3, 0, "expected the reasoning part as it was read"},
		{"a text beside a screenshot", part(6, 1, func(p *core.Part) { p.Text = "ha" }), 6, 6, 1, "expected the tool-result part as it was read"},
		{"a result without its screenshot", without(6, 0), 6, 6, -1, "they stay or leave together"},
		{"encrypted reasoning without its summary", without(2, 0), 2, 2, -1, "they stay or leave together"},
		{"a summary without its encrypted reasoning", without(2, 2), 2, 2, -1, "they stay or leave together"},
		{"another image", part(5, 0, func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 5, 5, 0, "elide it, or leave it"},
		{"an added result", insert(1, note(core.RoleTool, "r")), 1, -1, -1, "an added message of role system, user or assistant, found role tool"},
		{"an added call", insert(1, core.Message{Role: core.RoleAssistant, Parts: []core.Part{text("a"), call("c", "f", "")}}), 1, -1, 1, "found a part of kind tool-call"},
		{"an added name", insert(1, core.Message{Role: core.RoleUser, Name: "n"}), 1, -1, -1, "the format has no place for it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conversation := parse(t, doc)
			out, err := conversation.Write(c.edit(slices.Clone(conversation.Messages())))
			assert.Nil(t, out)
			var view *wire.ViewError
			require.ErrorAs(t, err, &view)
			assert.Equal(t, "responses", view.Format)
			assert.Equal(t, [3]int{c.view, c.msg, c.part}, [3]int{view.View, view.Message, view.Part}, "place in the view, in the document, of the part")
			assert.ErrorContains(t, err, c.want)
		})
	}
}
