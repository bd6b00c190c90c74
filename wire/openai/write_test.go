package openai_test

import (
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

const u = `{"role": "user", "content": "a"}`

var writeCases = []wiretest.WriteCase{
	{"insert a reply", "[]", insert(0, note(core.RoleAssistant, "<\"\n\u2028\xff>")), "[{\"role\":\"assistant\",\"content\":\"<\\\"\\n\u2028\ufffd>\"}]"},
	{
		"insert a named one of several parts", "[]", insert(0, core.Message{Role: core.RoleSystem, Name: "n", Parts: []core.Part{text("a"), text("b")}}),
		`[{"role":"system","name":"n","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`,
	},
	{"insert an empty one", "[]", insert(0, core.Message{Role: core.RoleUser}), `[{"role":"user","content":""}]`},

	{
		"a string", "[" + u + `,{ "role":"user" , "content" : "a\u00e9" , "n":1.0}]`, retext(1, 0, "<b>\té"),
		"[" + u + `,{ "role":"user" , "content" : "<b>\té" , "n":1.0}]`,
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
		"an image", `[{"role":"user","content":[{"type":"text","text":"see"}, ` + picture + ` ],"x":null},{"role":"tool","content":[` + picture + `]}]`,
		all(retext(0, 1, "gone"), retext(1, 0, "gone")),
		`[{"role":"user","content":[{"type":"text","text":"see"}, {"type":"text","text":"gone"} ],"x":null},{"role":"tool","content":[{"type":"text","text":"gone"}]}]`,
	},
	{
		"unsigned thinking", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},"a"],"reasoning":"r"}`,
		all(part(0, 0, func(p *core.Part) { p.Text = "m" }), part(0, 1, func(p *core.Part) { p.Text = "h" })),
		`{"role":"assistant","content":[{"type":"thinking","thinking":"h"},"a"],"reasoning":"m"}`,
	},

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

func TestViewErrors(t *testing.T) {
	const doc = `[{"role":"user","content":["a","b"]},
{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"thinking"},{"type":"x"}],"tool_calls":[{"id":"c","function":{"name":"f"}}]},
{"role":"tool","tool_call_id":"c","content":[{"type":"image_url","image_url":"u"}]},
{"role":"tool","tool_call_id":"c","content":[{"type":"x"}]}]`
	suite.ViewErrors(t, doc, []wiretest.ViewCase{
		{"another call id", part(2, 0, func(p *core.Part) { p.CallID = "d" }), 2, 2, 0, "call id, tool and status"},
		{"another tool", part(1, 3, func(p *core.Part) { p.Tool = "g" }), 1, 1, 3, "call id, tool and status"},
		{"other arguments", part(1, 3, func(p *core.Part) { p.Text = "{}" }), 1, 1, 3, "expected the tool-call part as it was read"},
		{"another opaque part", part(1, 2, func(p *core.Part) { p.Text = "{}" }), 1, 1, 2, "expected the opaque part as it was read"},
		{"other signed reasoning", part(1, 0, func(p *core.Part) { p.Text = "ha" }), 1, 1, 0, "leave it whole, or take it out"},
		{"a text where none is", part(1, 1, func(p *core.Part) { p.Text = "ha" }), 1, 1, 1, "expected the reasoning part as it was read"},
		{"a text for a missing result", part(3, 1, func(p *core.Part) { p.Text = "ha" }), 3, 3, 1, "expected the tool-result part as it was read"},
		{"another image", part(2, 0, func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 2, 2, 0, "elide it, or leave it"},
		{"a text beside an image", part(2, 0, func(p *core.Part) { p.Text = "v" }), 2, 2, 0, "expected the tool-result part as it was read"},
	})
}
