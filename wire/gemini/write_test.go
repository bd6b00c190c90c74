package gemini_test

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
	u = `{"role": "user", "parts": [{"text": "a"}]}`
	b = `{"parts":[{"text":"b","n":1.50}],"role":"model"}`
	d = `{"role":"user","parts":[{"text":"d"} ]}`
	n = `{"role":"user","parts":[{"text":"new"}]}`
	s = `"systemInstruction":{"parts":[{"text":"s"}]}`

	fc    = `{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1}}}]}`
	mixed = `{"role":"user","parts":[{"text":"see"}, {"functionResponse":{"name":"f","response":{"result":"r"}}} ]}`
)

var writeCases = []struct {
	name string
	doc  string
	edit change
	want string
}{
	{"drop the first", "[ " + u + " ,\n" + b + ",\n  " + d + "\n]", drop(0), "[ " + b + ",\n  " + d + "\n]"},
	{"drop the middle", "[ " + u + " ,\n" + b + ",\n  " + d + "\n]", drop(1), "[ " + u + ",\n  " + d + "\n]"},
	{"drop all", "\n[ " + u + " ,\n" + b + "]\n", drop(0, 1), "\n[]\n"},
	{"drop in a request", `{"n":1,"contents":[` + u + "," + b + "] ,\n\"tools\":[]}\n", drop(0), `{"n":1,"contents":[` + b + "] ,\n\"tools\":[]}\n"},
	{"drop a line", u + "\r\n" + b + "\r\n\r\n" + d + "\r\n", drop(1), u + "\r\n\r\n" + d + "\r\n"},
	{"insert", "[\n  " + u + ",\n  " + b + "\n]", insert(1, note(core.RoleUser, "new")), "[\n  " + u + ",\n  " + n + ",\n  " + b + "\n]"},
	{"insert a reply", "[]", insert(0, note(core.RoleAssistant, "<\"\n\u2028\xff>")), "[{\"role\":\"model\",\"parts\":[{\"text\":\"<\\\"\\n\u2028\ufffd>\"}]}]"},
	{"insert several parts", "[]", insert(0, core.Message{Role: core.RoleUser, Parts: parts(text("a"), text("b"))}), `[{"role":"user","parts":[{"text":"a"},{"text":"b"}]}]`},
	{"insert an empty one", "[]", insert(0, core.Message{Role: core.RoleUser}), `[{"role":"user","parts":[]}]`},
	{"insert a line", u + "\n" + b + "\n", insert(1, note(core.RoleUser, "new")), u + "\n" + n + "\n" + b + "\n"},

	{"drop the system instruction, first", `{ ` + s + `, "contents":[` + u + `],"n":1}`, drop(0), `{ "contents":[` + u + `],"n":1}`},
	{"drop the system instruction, last", `{"contents":[` + u + `], ` + s + ` }`, drop(0), `{"contents":[` + u + `] }`},
	{"drop both of its names", `{"system_instruction":null,"contents":[` + u + `],` + s + `,"n":1}`, drop(0), `{"contents":[` + u + `],"n":1}`},
	{"drop it with all contents", `{"contents":[` + u + `],` + s + `}`, drop(0, 1), `{"contents":[]}`},
	{
		"a text of the system instruction, behind the contents", `{"contents":[` + u + `,` + b + `],` + s + `}`, all(drop(1), retext(0, 0, "short")),
		`{"contents":[` + b + `],"systemInstruction":{"parts":[{"text":"short"}]}}`,
	},
	{
		"a text of the system instruction, before them", `{` + s + `,"contents":[` + u + `]}`, all(retext(0, 0, "short"), insert(1, note(core.RoleUser, "new"))),
		`{"systemInstruction":{"parts":[{"text":"short"}]},"contents":[` + n + "," + u + `]}`,
	},

	{"a text", `[{"parts":[{"x":[ ], "text" : "a\u00e9" },{"text":"b"}],"n":1.0}]`, retext(0, 0, "<b>\té"), `[{"parts":[{"x":[ ], "text" : "<b>\té" },{"text":"b"}],"n":1.0}]`},
	{"the last of a name", `[{"parts":[{"text":"a","text":"b"}]}]`, retext(0, 0, "c"), `[{"parts":[{"text":"a","text":"c"}]}]`},
	{"strings", `[{"parts":["a", "b"]},{"parts":"c"},{"parts":{"text":"d"}}]`, all(retext(0, 1, "B"), retext(1, 0, "C"), retext(2, 0, "D")), `[{"parts":["a", "B"]},{"parts":"C"},{"parts":{"text":"D"}}]`},
	{"media", `[{"parts":[{"text":"a"},{"fileData":{"fileUri":"u"},"videoMetadata":{}} ]}]`, retext(0, 1, "gone"), `[{"parts":[{"text":"a"},{"text":"gone"} ]}]`},
	{"elided without another text", "[" + u + "]", part(0, 0, func(p *core.Part) { p.Elided = &core.Elision{} }), "[" + u + "]"},

	{"take out the first part", `[{"parts":[ {"text":"a"} , {"text":"b"}, "c" ]}]`, without(0, 0), `[{"parts":[ {"text":"b"}, "c" ]}]`},
	{"take out the last part", `[{"parts":[ {"text":"a"} , {"text":"b"} ]}]`, without(0, 1), `[{"parts":[ {"text":"a"} ]}]`},
	{"take out one and shorten others", `[{"parts":[{"text":"a"},{"text":"b"},"c"]}]`, all(retext(0, 0, "A"), retext(0, 2, "C"), without(0, 1)), `[{"parts":[{"text":"A"},"C"]}]`},
	{"take out all parts", `[{"parts":[{"text":"a"}, {"text":"b"}]},{"parts":"c"}]`, all(without(0, 0, 1), without(1, 0)), `[{"parts":[]},{"parts":[]}]`},
	{"a message of no parts", `[{"role":"model"},` + u + "]", drop(1), `[{"role":"model"}]`},
	{
		"reasoning that an edit elided", `{"role":"model","parts":[{"text":"hm","thought":true},{"text":"a"}]}`,
		part(0, 0, func(p *core.Part) { p.Text, p.Elided = "", &core.Elision{Op: core.Elide, By: -1} }),
		`{"role":"model","parts":[{"text":"a"}]}`,
	},

	{"drop the results of a mixed content", "[" + fc + "," + mixed + "]", drop(0, 1), `[{"role":"user","parts":[{"text":"see"} ]}]`},
	{"drop what the user says there", "[" + fc + "," + mixed + "]", drop(2), "[" + fc + `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"r"}}} ]}]`},
	{
		"edit both messages of a mixed content", "[" + fc + "," + mixed + "]", all(retext(1, 0, "R"), retext(2, 0, "SEE")),
		"[" + fc + `,{"role":"user","parts":[{"text":"SEE"}, {"functionResponse":{"name":"f","response":{"result":"R"}}} ]}]`,
	},
	{"edit one of them", "[" + fc + "," + mixed + "]", retext(2, 0, "SEE"), "[" + fc + "," + strings.Replace(mixed, "see", "SEE", 1) + "]"},
	{
		"insert between them", "[" + fc + "," + mixed + "]", insert(2, note(core.RoleUser, "new")),
		"[" + fc + `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"result":"r"}}} ]},` + n + `,{"role":"user","parts":[{"text":"see"} ]}]`,
	},
	{
		"edit the second content of two mixed ones", "[" + mixed + "," + mixed + "]", retext(2, 0, "R"),
		"[" + mixed + "," + strings.Replace(mixed, `"r"`, `"R"`, 1) + "]",
	},
}

// rewriteCases are functionResponses and what becomes of them when their parts get the text
// T, the first of them, or U, V.
var rewriteCases = []struct{ name, json, want string }{
	{"a string", `{"response":{ "output" : "r"},"name":"f"}`, `{"response":{ "output" : "T"},"name":"f"}`},
	{"an object", `{"name":"f","response":{"a":1, "b":"c"} }`, `{"name":"f","response":{"result":"T"} }`},
	{"an object with output", `{"response":{"a":1, "output":[]}}`, `{"response":{"output":"T"}}`},
	{"an object with an error", `{"response":{"a":1, "error":[]}}`, `{"response":{"error":"T"}}`},
	{"an object, more to come", `{"response":{"a":1, "output":2},"willContinue":true}`, `{"response":{"result":"T"},"willContinue":true}`},
	{"an empty object", `{"response":{}}`, `{"response":{"result":"T"}}`},
	{"an array", `{"response":["a"]}`, `{"response":{"result":"T"}}`},
	{"a number", `{"response":7}`, `{"response":{"result":"T"}}`},
	{"no object", `{"response":"r"}`, `{"response":"T"}`},
	{"null", `{"response": null}`, `{"response": {"result":"T"}}`},
	{"missing", `{"name":"f" }`, `{"name":"f","response":{"result":"T"} }`},
	{"all missing", `{ }`, `{"response":{"result":"T"}}`},
	{"blocks", `{"response":{"content":[{"type":"text","text":"a"}, {"text":"b","type":"text"}],"isError":true}}`, `{"response":{"content":[{"type":"text","text":"T"}, {"text":"U","type":"text"}],"isError":true}}`},
	{
		"media", `{"response":{"output":"r"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo=","displayName":"n\u0061me"}}, {"file_data":{"file_uri":"u"}}]}`,
		`{"response":{"output":"T"},"parts":[{"inlineData":{"mimeType":"text/plain","data":"VQ==","displayName":"n\u0061me"}}, {"inline_data":{"mime_type":"text/plain","data":"Vg=="}}]}`,
	},
	{
		"media before what is said", `{"parts":[{"fileData":{"fileUri":"u"}}],"response":{"output":"r"}}`,
		`{"parts":[{"inlineData":{"mimeType":"text/plain","data":"VQ=="}}],"response":{"output":"T"}}`,
	},
	{
		"plain text", `{"response":{},"parts":[{"inline_data":{"data":"YQ==", "mime_type":"text/plain"}}]}`,
		`{"response":{},"parts":[{"inline_data":{"data":"VA==", "mime_type":"text/plain"}}]}`,
	},
}

func TestRewriteResponses(t *testing.T) {
	const before, behind = `[{"role":"function","parts":[{"functionResponse":`, `}, {"functionResponse":{"response":{"output":"other"}}}]}]`
	for _, c := range rewriteCases {
		t.Run(c.name, func(t *testing.T) {
			conversation := parse(t, before+c.json+behind)
			view := deepCopy(conversation.Messages())
			for i := range len(view[0].Parts) - 1 {
				view = retext(0, i, string(rune('T'+i)))(view)
			}
			got := write(t, conversation, view)
			equalBytes(t, before+c.want+behind, got)
			back := parse(t, got).Messages()
			for i, p := range back[0].Parts {
				assert.Equal(t, view[0].Parts[i].Text, p.Text)
				assert.Equal(t, view[0].Parts[i].Status, p.Status)
				assert.Nil(t, p.Media)
			}
		})
	}
}

func TestWrite(t *testing.T) {
	for _, c := range writeCases {
		t.Run(c.name, func(t *testing.T) {
			conversation := parse(t, c.doc)
			before := deepCopy(conversation.Messages())
			view := c.edit(slices.Clone(conversation.Messages()))
			equalBytes(t, c.want, write(t, conversation, view))
			equalBytes(t, c.want, write(t, conversation, view))
			assert.Equal(t, before, conversation.Messages(), "Write changes nothing")
			parse(t, c.want)
		})
	}
}

func TestViewErrors(t *testing.T) {
	const doc = `{` + s + `,"contents":[{"parts":["a","b"]},
{"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"s"},{"x":1},{"functionCall":{"name":"f"}}]},
{"parts":[{"functionResponse":{"name":"f","response":{"output":"r"},"parts":[{"fileData":{"fileUri":"u"}},{"x":1}]}},{"text":"so"}]}]}`
	message := func(at int, change func(m *core.Message)) change {
		return func(view []core.Message) []core.Message { change(&view[at]); return view }
	}
	swap := func(view []core.Message) []core.Message { view[3], view[4] = view[4], view[3]; return view }
	for _, c := range []struct {
		name            string
		edit            change
		view, msg, part int
		want            string
	}{
		{"unknown message", message(1, func(m *core.Message) { m.Src = 9 }), 1, -1, -1, "unknown Src"},
		{"negative message", message(1, func(m *core.Message) { m.Src = -1 }), 1, -1, -1, "unknown Src"},
		{"a message twice", insert(0, core.Message{Src: 1, Role: core.RoleSystem}), 1, 0, -1, "twice or late"},
		{"the halves of a content in another order", swap, 4, 3, -1, "twice or late"},
		{"another role", message(1, func(m *core.Message) { m.Role = core.RoleTool }), 1, 1, -1, "expected the role user, found tool"},
		{"a name", message(1, func(m *core.Message) { m.Name = "x" }), 1, 1, -1, "expected the name as it was read"},
		{"unknown slot", part(1, 1, func(p *core.Part) { p.Slot = 3 }), 1, 1, 1, "unknown Slot"},
		{"the slot of the other half", part(4, 0, func(p *core.Part) { p.Slot = 1 }), 4, 4, 0, "unknown Slot"},
		{"another kind", part(1, 1, func(p *core.Part) { p.Kind = core.KindOpaque }), 1, 1, 1, "expected a part of kind text, found kind opaque"},
		{"another call id", part(3, 0, func(p *core.Part) { p.CallID = "d" }), 3, 3, 0, "call id, tool and status"},
		{"other arguments", part(2, 2, func(p *core.Part) { p.Text = "[]" }), 2, 2, 2, "expected the tool-call part as it was read"},
		{"another opaque part", part(3, 2, func(p *core.Part) { p.Text = "{}" }), 3, 3, 2, "expected the opaque part as it was read"},
		{"other signed reasoning", part(2, 0, func(p *core.Part) { p.Text = "ha" }), 2, 2, 0, "leave it whole, or take it out"},
		{"other media", part(3, 1, func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 3, 3, 1, "elide it, or leave it"},
		{"part of a result gone", without(3, 1), 3, 3, -1, "expected all parts of a result, or none"},
		{"the rest of a result gone", without(3, 0), 3, 3, -1, "elide or shorten a part instead"},
		{"an added result", insert(1, note(core.RoleTool, "r")), 1, -1, -1, "found role tool"},
		{"an added system message", insert(1, note(core.RoleSystem, "r")), 1, -1, -1, "an added message of role user or assistant, found role system"},
		{"an added named message", insert(1, core.Message{Role: core.RoleUser, Name: "x"}), 1, -1, -1, "contents have none"},
		{"an added call", insert(1, core.Message{Role: core.RoleAssistant, Parts: parts(text("a"), call("c", "f", ""))}), 1, -1, 1, "found a part of kind tool-call"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conversation := parse(t, doc)
			out, err := conversation.Write(c.edit(slices.Clone(conversation.Messages())))
			assert.Nil(t, out)
			var view *wire.ViewError
			require.ErrorAs(t, err, &view)
			assert.Equal(t, "gemini", view.Format)
			assert.Equal(t, [3]int{c.view, c.msg, c.part}, [3]int{view.View, view.Message, view.Part}, "place in the view, in the conversation, of the part")
			assert.ErrorContains(t, err, c.want)
		})
	}
}
