package anthropic_test

import (
	"strings"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

const (
	u     = `{"role": "user", "content": "a"}`
	e     = `{"role":"user","content":"new"}`
	image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="},"cache_control" : {"type":"ephemeral"}}`

	// A user message that mixes results and other content, and its halves.
	result1 = `{"type":"tool_result","tool_use_id":"c1","content":"r1" }`
	result2 = `{"tool_use_id":"c2","type":"tool_result","content":[ {"type":"text","text":"r2"} , ` + image + `],"cache_control":{"type":"ephemeral"}}`
	hint    = `{"type":"text","text":"hint","cache_control":{"type":"ephemeral"}}`
	mixed   = `{"role":"user","content":[` + result1 + ` , ` + hint + `, ` + result2 + "],\n\"id\":1}"
)

var writeCases = []wiretest.WriteCase{
	{"insert a system message", "[]", insert(0, note(core.RoleSystem, "<\"\n\xff>")), "[{\"role\":\"system\",\"content\":\"<\\\"\\n\ufffd>\"}]"},
	{
		"insert one of several parts", "[]", insert(0, core.Message{Role: core.RoleUser, Parts: []core.Part{text("a"), text("b")}}),
		`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`,
	},
	{"insert an empty one", "[]", insert(0, core.Message{Role: core.RoleUser}), `[{"role":"user","content":""}]`},

	{"a prompt", `{"system" : "s\u00e9" ,"messages":[]}`, retext(0, 0, "t"), `{"system" : "t" ,"messages":[]}`},
	{
		"a prompt of blocks", `{"messages":[` + u + `], "system":[{"type":"text","text":"s"}, {"text":"t","type":"text"} ]}`, all(retext(0, 1, "T"), without(0, 0), retext(1, 0, "A")),
		`{"messages":[{"role": "user", "content": "A"}], "system":[{"text":"T","type":"text"} ]}`,
	},
	{"without the prompts around", `{"system":"s","n":1,"messages":[` + u + `],"system":"t"}`, drop(0, 1), `{"n":1,"messages":[]}`},

	{"a string", `[{ "role":"user" , "content" : "a\u00e9" , "n":1.0}]`, retext(0, 0, "<b>\té"), `[{ "role":"user" , "content" : "<b>\té" , "n":1.0}]`},
	{"take out a string", `[{"role":"assistant","content":"a"}]`, without(0, 0), `[{"role":"assistant","content":""}]`},
	{"take out nothing", `[{"role":"assistant","content":""}]`, without(0, 0), `[{"role":"assistant","content":""}]`},
	{
		"blocks", `[{"role":"user","content":[{"text":"a","type":"text","text":"b"}, {"type":"document","title":"t","source":{"type":"text","data":"d"}}]}]`, all(retext(0, 0, "B"), retext(0, 1, "D")),
		`[{"role":"user","content":[{"text":"a","type":"text","text":"B"}, {"type":"document","title":"t","source":{"type":"text","data":"D"}}]}]`,
	},
	{
		"thinking", `[{"role":"assistant","content":[ {"type":"thinking","thinking":"hm","signature":"s"} , {"type":"thinking","thinking":"ha"},{"type":"text","text":"a"} ]}]`,
		all(part(0, 1, func(p *core.Part) { p.Text = "h" }), without(0, 0)),
		`[{"role":"assistant","content":[ {"type":"thinking","thinking":"h"},{"type":"text","text":"a"} ]}]`,
	},
	{
		"thinking that an edit elided", `[{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"c","name":"f","input":{}}]}]`,
		part(0, 0, func(p *core.Part) { p.Text, p.Elided = "", &core.Elision{Op: core.Elide, By: -1} }),
		`[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}]`,
	},
	{"take out all blocks", `[{"role":"assistant","content":[ {"type":"text","text":"a"} , 7 ]}]`, without(0, 0, 1), `[{"role":"assistant","content":[]}]`},
	{"an image", `[{"role":"user","content":[` + image + `,7]}]`, retext(0, 0, "m"), `[{"role":"user","content":[{"type":"text","text":"m","cache_control":{"type":"ephemeral"}},7]}]`},
	{
		"an image without a mark", `[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"u"}}]}]`, retext(0, 0, "m"),
		`[{"role":"user","content":[{"type":"text","text":"m"}]}]`,
	},
	{
		"a document of blocks", `[{"role":"user","content":[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"}, ` + image + `,7]}},{"type":"text","text":"b"}]}]`,
		all(retext(0, 1, "m"), without(0, 0, 2)),
		`[{"role":"user","content":[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"m","cache_control":{"type":"ephemeral"}}]}},{"type":"text","text":"b"}]}]`,
	},
	{
		"all of a document of blocks", `[{"role":"user","content":[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"},7]}},{"type":"text","text":"b"}]}]`,
		without(0, 0, 1), `[{"role":"user","content":[{"type":"text","text":"b"}]}]`,
	},

	{"a result", `{"role":"user","content":[{"type":"tool_result","content":"long","is_error":true}]}`, retext(0, 0, "s"), `{"role":"user","content":[{"type":"tool_result","content":"s","is_error":true}]}`},
	{"a result that is null", `{"role":"user","content":[{"content":null,"type":"tool_result"}]}`, retext(0, 0, "s"), `{"role":"user","content":[{"content":"s","type":"tool_result"}]}`},
	{"a result that is empty", `{"role":"user","content":[{"content":[ ],"type":"tool_result"}]}`, retext(0, 0, "s"), `{"role":"user","content":[{"content":"s","type":"tool_result"}]}`},
	{"a result that is an object", `{"role":"user","content":[{"type":"tool_result","content":{"a":1}}]}`, retext(0, 0, "s"), `{"role":"user","content":[{"type":"tool_result","content":"s"}]}`},
	{"a result that is missing", `{"role":"user","content":[{"type":"tool_result" }]}`, retext(0, 0, "s"), `{"role":"user","content":[{"type":"tool_result","content":"s" }]}`},
	{
		"result blocks", `{"role":"user","content":[{"type":"tool_result","content":[{"type":"search_result","title":"t"}, {"type":"document","source":{"type":"content","content":[` + image + `]}}]}]}`,
		all(retext(0, 0, "s"), retext(0, 1, "m")),
		`{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"s"}, {"type":"document","source":{"type":"content","content":[{"type":"text","text":"m","cache_control":{"type":"ephemeral"}}]}}]}]}`,
	},
	{"the unknown blocks of a result", `{"role":"user","content":[{"type":"tool_result","content":[ 7 , 8]}]}`, without(0, 0, 1), `{"role":"user","content":[{"type":"tool_result","content":[]}]}`},
	{"a result with its unknown blocks", `{"role":"user","content":[{"type":"tool_result","content":[7]},{"type":"text","text":"a"}]}`, drop(0), `{"role":"user","content":[{"type":"text","text":"a"}]}`},

	{"both halves", mixed, func(v []core.Message) []core.Message { return v }, mixed},
	{"the results of a mixed message", mixed, drop(1), `{"role":"user","content":[` + result1 + `, ` + result2 + "],\n\"id\":1}"},
	{"the rest of a mixed message", mixed, drop(0), `{"role":"user","content":[` + hint + "],\n\"id\":1}"},
	{
		"edits in both halves", mixed, all(retext(0, 2, "m"), without(0, 0, 1), retext(1, 0, "h")),
		`{"role":"user","content":[` + strings.Replace(hint, "hint", "h", 1) + `, {"tool_use_id":"c2","type":"tool_result","content":[ {"type":"text","text":"m","cache_control":{"type":"ephemeral"}}],"cache_control":{"type":"ephemeral"}}` + "],\n\"id\":1}",
	},
	{
		"a message between the halves", "[" + mixed + "]", insert(1, note(core.RoleUser, "new")),
		`[{"role":"user","content":[` + result1 + `, ` + result2 + "],\n\"id\":1}," + e + `,{"role":"user","content":[` + hint + "],\n\"id\":1}]",
	},
	{
		"a line between the halves", mixed, insert(1, note(core.RoleUser, "new")),
		`{"role":"user","content":[` + result1 + `, ` + result2 + "],\"id\":1}\n" + e + "\n" + `{"role":"user","content":[` + hint + "],\"id\":1}",
	},
	{"a half of which nothing is left", mixed, all(without(1, 0), drop(0)), "{\"role\":\"user\",\"content\":[],\n\"id\":1}"},
}

func TestViewErrors(t *testing.T) {
	const doc = `{"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"x"}]},
{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"thinking"},{"type":"tool_use","id":"c","name":"f","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[` + image + `]},{"type":"tool_result","tool_use_id":"c","content":[7]},{"type":"text","text":"b"}]}]}`
	suite.ViewErrors(t, doc, []wiretest.ViewCase{
		{"halves in another order", wiretest.Swap(3, 4), 4, 3, -1, "twice or late"},
		{"a half without the other's role", wiretest.Message(3, func(m *core.Message) { m.Role = core.RoleAssistant }), 3, 3, -1, "expected the role tool, found assistant"},
		{"a message before the prompt", insert(0, note(core.RoleUser, "n")), 1, 0, -1, "expected the system prompt before all other messages"},
		{"the other half's slot", part(4, 0, func(p *core.Part) { p.Slot = 1 }), 4, 4, 0, "unknown Slot"},
		{"another call id", part(3, 0, func(p *core.Part) { p.CallID = "d" }), 3, 3, 0, "call id, tool and status"},
		{"another status", part(3, 0, func(p *core.Part) { p.Status = core.StatusOK }), 3, 3, 0, "call id, tool and status"},
		{"other arguments", part(2, 2, func(p *core.Part) { p.Text = "{ }" }), 2, 2, 2, "expected the tool-call part as it was read"},
		{"another opaque part", part(1, 1, func(p *core.Part) { p.Text = "{}" }), 1, 1, 1, "expected the opaque part as it was read"},
		{"other signed reasoning", part(2, 0, func(p *core.Part) { p.Text = "ha" }), 2, 2, 0, "leave it whole, or take it out"},
		{"a text where none is", part(2, 1, func(p *core.Part) { p.Text = "ha" }), 2, 2, 1, "expected the reasoning part as it was read"},
		{"a text for a result of unknown blocks", part(3, 2, func(p *core.Part) { p.Text = "ha" }), 3, 3, 2, "expected the tool-result part as it was read"},
		{"another image", part(3, 0, func(p *core.Part) { p.Media = &core.Media{URL: "v"} }), 3, 3, 0, "elide it, or leave it"},
		{"an added name", insert(1, core.Message{Role: core.RoleUser, Name: "x"}), 1, -1, -1, "expected an added message without a name"},
	})
}
