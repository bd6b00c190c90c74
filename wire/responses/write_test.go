package responses_test

import (
	"strings"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

const (
	u = `{"role": "user", "content": "a"}`
	b = `{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"b","annotations":[]}],"x":1.50}`
	e = `{"type":"message","role":"user","content":[{"type":"input_text","text":"new"}]}`
)

var writeCases = []wiretest.WriteCase{
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

	{"without instructions at the end", `{"input":"a", "instructions":"old" }`, without(0, 0), `{"input":"a" }`},
	{"without any of several", `{"instructions":1,"input":"a","instructions":"old"}`, drop(0), `{"input":"a"}`},

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
		"what is no stream", `{"type":"shell_call_output","output":[ {"stdout":"x"},{"a":1}, {"stdout":"","stderr":""} ,{"b":1}]}`, all(retext(0, 0, "X"), without(0, 1, 2)),
		`{"type":"shell_call_output","output":[ {"stdout":"X"}, {"stdout":"","stderr":""}]}`,
	},
	{
		"all but what is no stream", `{"type":"shell_call_output","output":[{"a":1},{"stdout":"x"},{"b":1}]}`, all(retext(0, 1, "X"), without(0, 0, 2)),
		`{"type":"shell_call_output","output":[{"stdout":"X"}]}`,
	},
	{
		"unsigned reasoning", `{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}],"content":[{"text":"b"}]}`, all(retext(0, 0, "A"), retext(0, 1, "B")),
		`{"type":"reasoning","summary":[{"type":"summary_text","text":"A"}],"content":[{"text":"B"}]}`,
	},

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

func TestViewErrors(t *testing.T) {
	const doc = `{"instructions":"i","input":[{"role":"user","content":["a","b"]},
{"type":"reasoning","summary":[{"text":"hm"},{"text":7}],"encrypted_content":"x"},
{"type":"reasoning","summary":[{"text":7}]},
{"type":"function_call","call_id":"c","name":"f"},
{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"u"}]},
{"type":"computer_call_output","call_id":"c","output":{"image_url":"u"}},
{"type":"web_search_call"}]}`
	suite.ViewErrors(t, doc, []wiretest.ViewCase{
		{"instructions behind an item", wiretest.Swap(0, 1), 1, 0, -1, "twice or late"},
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
		{"an added name", insert(1, core.Message{Role: core.RoleUser, Name: "n"}), 1, -1, -1, "the format has no place for it"},
	})
}
