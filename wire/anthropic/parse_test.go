package anthropic_test

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

const pngURI = "data:image/png;base64,iVBORw0KGgo="

// messageCases are messages and what becomes of them. Where want has no Src or Slot, it
// is what it is in most messages: 1 + the index of the message, or of the part.
var messageCases = []wiretest.ReadCase{
	{"user", `{"role":"user","content":"hi"}`, messages(core.RoleUser, text("hi"))},
	{"assistant", `{"content":"hi","role":"assistant","id":"msg_1","stop_reason":null}`, messages(core.RoleAssistant, text("hi"))},
	{"system between others", `{"role":"system","content":"be brief"}`, messages(core.RoleSystem, text("be brief"))},
	{"unknown role", `{"role":"developer","content":[{"type":"text","text":"a"},{"type":"tool_result","tool_use_id":"c"}]}`, messages(0, text("a"), opaque(`{"type":"tool_result","tool_use_id":"c"}`))},
	{"escapes", `{"r\u006fle":"us\u0065r","\u0063ontent":"a\"\\\n\u00e9\ud83d\ude00"}`, messages(core.RoleUser, text("a\"\\\né😀"))},
	{"a name twice", `{"role":"system","content":"a","content":"b","role":"user"}`, messages(core.RoleUser, text("b"))},
	{"content empty", `{"role":"user","content":""}`, messages(core.RoleUser, text(""))},
	{"content null", `{"role":"assistant","content":null}`, messages(core.RoleAssistant)},
	{"content missing", `{"role":"assistant"}`, messages(core.RoleAssistant)},
	{"content an empty array", `{"role":"user","content":[ ]}`, messages(core.RoleUser)},
	{
		"text blocks", `{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}, {"text":"","citations":null,"type":"text"}]}`,
		messages(core.RoleUser, text("a"), text("")),
	},
	{
		"thinking", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"thinking","thinking":"ha"},` +
			`{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"thinking","signature":"c2ln"},{"type":"redacted_thinking","data":"xyz"},{"type":"text","text":"a"}]}`,
		messages(core.RoleAssistant, reasoning("hm", true), reasoning("ha", false), reasoning("", true), reasoning("", true), reasoning("xyz", true), text("a")),
	},
	{
		"thinking of a user", `{"role":"user","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"c"}]}`,
		messages(core.RoleUser, opaque(`{"type":"thinking","thinking":"hm"}`), opaque(`{"type":"tool_use","id":"c"}`)),
	},
	{
		"calls", `{"role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"c1","name":"f","input":{"a" : 1.0}},` +
			`{"type":"tool_use","id":7,"name":null,"input":"{\"a\":"},{"type":"tool_use","input":null},{"type":"tool_use","input":[1]}]}`,
		messages(core.RoleAssistant, text("so"), call("c1", "f", `{"a" : 1.0}`), call("7", "", `{"a":`), call("", "", ""), call("", "", "[1]")),
	},

	{
		"images", `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},` +
			`{"type":"image","source":{"url":"https://a.example/b.png","type":"url"}},{"type":"image","source":{"type":"file","file_id":"file_1"}}]}`,
		messages(core.RoleUser, media(core.Media{MIME: "image/png", URL: pngURI}), media(core.Media{URL: "https://a.example/b.png"}), media(core.Media{URL: "file_1"})),
	},
	{
		"documents", `{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBE"},"title":"t"},` +
			`{"type":"document","source":{"type":"url","url":"https://a.example/b"}},{"type":"document","source":{"type":"file","file_id":"file_1"}},` +
			`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"abc"}},{"type":"document","source":{"type":"content","content":"def"}}]}`,
		messages(core.RoleUser, media(core.Media{MIME: "application/pdf", URL: "data:application/pdf;base64,JVBE"}),
			media(core.Media{MIME: "application/pdf", URL: "https://a.example/b"}), media(core.Media{MIME: "application/pdf", URL: "file_1"}), text("abc"), text("def")),
	},
	{
		"a document of blocks", `{"role":"user","content":[{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"},` +
			`{"type":"image","source":{"type":"file","file_id":"file_1"}},{"type":"document","source":{"type":"url","url":"u"}},7]}},{"type":"text","text":"b"}]}`,
		messages(core.RoleUser, text("a"), media(core.Media{URL: "file_1"}), opaque(`{"type":"document","source":{"type":"url","url":"u"}}`), opaque("7"), text("b")),
	},
	{
		"unknown blocks", `{"role":"user","content":[{"type":"container_upload", "file_id":"f"},{"text":"x"},"s",7,null,[],{"type":"text","text":null},{"type":"image"},` +
			`{"type":"image","source":{"type":"base64","data":"AA"}},{"type":"image","source":{"type":"base64","media_type":"a,b","data":"AA"}},{"type":"image","source":{"type":"url"}},` +
			`{"type":"document","source":{"type":"content","content":[ ]}},{"type":"document","source":{"type":"text","data":null}},{"type":"search_result","title":"t"}]}`,
		messages(core.RoleUser, opaque(`{"type":"container_upload", "file_id":"f"}`), opaque(`{"text":"x"}`), opaque(`"s"`), opaque(`7`), opaque(`null`), opaque(`[]`),
			opaque(`{"type":"text","text":null}`), opaque(`{"type":"image"}`), opaque(`{"type":"image","source":{"type":"base64","data":"AA"}}`),
			opaque(`{"type":"image","source":{"type":"base64","media_type":"a,b","data":"AA"}}`), opaque(`{"type":"image","source":{"type":"url"}}`),
			opaque(`{"type":"document","source":{"type":"content","content":[ ]}}`), opaque(`{"type":"document","source":{"type":"text","data":null}}`),
			opaque(`{"type":"search_result","title":"t"}`)),
	},
	{
		"unknown forms of a reply", `{"role":"assistant","content":[{"type":"thinking","thinking":1},{"type":"redacted_thinking"},{"type":"tool_result","tool_use_id":"c","content":"a"}]}`,
		messages(core.RoleAssistant, opaque(`{"type":"thinking","thinking":1}`), opaque(`{"type":"redacted_thinking"}`), opaque(`{"type":"tool_result","tool_use_id":"c","content":"a"}`)),
	},

	{
		"results", `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}},{"type":"tool_use","id":"c2","name":"g","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"two","is_error":true},{"type":"tool_result","tool_use_id":"c1","is_error":false}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c3","content":null,"is_error":"no"},{"type":"tool_result","content":[]},{"type":"tool_result","content":{"a":1}},{"type":"tool_result","content":7}]}`,
		[]core.Message{
			{Role: core.RoleAssistant, Parts: []core.Part{call("c1", "f", "{}"), call("c2", "g", "{}")}},
			{Role: core.RoleTool, Parts: []core.Part{result("c2", "g", "two", core.StatusFailed), result("c1", "f", "", core.StatusOK)}},
			{Role: core.RoleTool, Parts: []core.Part{result("c3", "", "", 0), result("", "", "", 0), result("", "", `{"a":1}`, 0), result("", "", "7", 0)}},
		},
	},
	{
		"result blocks", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":false,"content":[{"type":"text","text":"a"},` +
			`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},{"type":"search_result","title":"t"},{"type":"tool_reference","tool_name":"x"},` +
			`{"type":"document","source":{"type":"text","data":"d"}},{"type":"document","source":{"type":"content","content":[{"type":"text","text":"e"},{"type":"text"}]}}]}]}`,
		messages(core.RoleTool, result("c1", "", "a", core.StatusOK),
			core.Part{Kind: core.KindToolResult, CallID: "c1", Status: core.StatusOK, Media: &core.Media{MIME: "image/png", URL: pngURI}},
			result("c1", "", `{"type":"search_result","title":"t"}`, core.StatusOK), answered("c1", `{"type":"tool_reference","tool_name":"x"}`),
			result("c1", "", "d", core.StatusOK), result("c1", "", "e", core.StatusOK), answered("c1", `{"type":"text"}`)),
	},
	{
		"a result of unknown blocks", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"x"},{"type":"document","source":{"type":"content","content":[7]}}]}]}`,
		messages(core.RoleTool, answered("c1", `{"type":"x"}`), answered("c1", "7"), result("c1", "", "", 0)),
	},
	{
		"an id for another call", `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"1"}]}
{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"g","input":{}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"2"}]}`,
		[]core.Message{
			{Role: core.RoleAssistant, Parts: []core.Part{call("c", "f", "{}")}},
			{Role: core.RoleTool, Parts: []core.Part{result("c", "f", "1", 0)}},
			{Role: core.RoleAssistant, Parts: []core.Part{call("c", "g", "{}")}},
			{Role: core.RoleTool, Parts: []core.Part{result("c", "g", "2", 0)}},
		},
	},
	{
		"results, then text", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"},{"type":"text","text":"a"},{"type":"tool_result","tool_use_id":"d","content":"s"}]}`,
		[]core.Message{
			{Role: core.RoleTool, Parts: []core.Part{result("c", "", "r", 0), at(3, result("d", "", "s", 0))}},
			{Role: core.RoleUser, Src: 1, Parts: []core.Part{at(2, text("a"))}},
		},
	},
	{
		"text, then a result", `{"role":"user","content":[{"type":"container_upload"},{"type":"tool_result","content":[{"type":"x"}]},{"type":"text","text":"a"}]}`,
		[]core.Message{
			{Role: core.RoleUser, Parts: []core.Part{opaque(`{"type":"container_upload"}`), at(4, text("a"))}},
			{Role: core.RoleTool, Src: 1, Parts: []core.Part{at(2, opaque(`{"type":"x"}`)), at(3, result("", "", "", 0))}},
		},
	},
}

func messages(role core.Role, parts ...core.Part) []core.Message {
	return []core.Message{{Role: role, Parts: parts}}
}

func text(s string) core.Part      { return core.Part{Text: s} }
func opaque(json string) core.Part { return core.Part{Kind: core.KindOpaque, Text: json} }
func media(m core.Media) core.Part { return core.Part{Kind: core.KindMedia, Media: &m} }

func reasoning(s string, signed bool) core.Part {
	return core.Part{Kind: core.KindReasoning, Text: s, Signed: signed}
}

func call(id, tool, args string) core.Part {
	return core.Part{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: args}
}

func result(id, tool, content string, status core.Status) core.Part {
	return core.Part{Kind: core.KindToolResult, CallID: id, Tool: tool, Text: content, Status: status}
}

// answered is an unknown block of a result.
func answered(id, json string) core.Part {
	return core.Part{Kind: core.KindOpaque, CallID: id, Text: json}
}

func at(slot uint32, p core.Part) core.Part {
	p.Slot = slot
	return p
}

// numbered gives messages and parts their Src and Slot, where they have none.
func numbered(history []core.Message, first int32) []core.Message {
	history = deepCopy(history)
	for i := range history {
		m := &history[i]
		if m.Src == 0 {
			m.Src = int32(i) + 1
		}
		m.Src += first - 1
		if m.Reply != 0 {
			m.Reply += first - 1
		}
		for p := range m.Parts {
			if m.Parts[p].Slot == 0 {
				m.Parts[p].Slot = uint32(p) + 1
			}
		}
	}
	return history
}
