package openai_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

const dataURI = "data:image/png;base64,iVBORw0KGgo="

// messageCases are messages and what becomes of them, Src and Slot excepted.
var messageCases = []wiretest.ReadCase{
	{"system", `{"role":"system","content":"be brief","name":"ops"}`, messages(core.RoleSystem, "ops", text("be brief"))},
	{"developer", `{"role":"developer","content":"be brief"}`, messages(core.RoleSystem, "", text("be brief"))},
	{"user", `{"content":"hi","role":"user","name":"jo"}`, messages(core.RoleUser, "jo", text("hi"))},
	{"assistant", `{"role":"assistant","content":"hi","name":"bot","x":[1e5]}`, messages(core.RoleAssistant, "bot", text("hi"))},
	{"unknown role", `{"role":"tool-response","content":"ok"}`, messages(0, "", text("ok"))},
	{"role in capitals", `{"role":"User","content":"ok"}`, messages(0, "", text("ok"))},
	{"name that is no string", `{"role":"user","content":"ok","name":null}`, messages(core.RoleUser, "", text("ok"))},
	{"escapes", `{"role":"user","content":"a\"\\\n\u00e9\ud83d\ude00"}`, messages(core.RoleUser, "", text("a\"\\\né😀"))},
	{"escaped names", `{"r\u006fle":"us\u0065r","\u0063ontent":"ok"}`, messages(core.RoleUser, "", text("ok"))},
	{"a name twice", `{"role":"system","content":"a","content":"b","role":"user"}`, messages(core.RoleUser, "", text("b"))},

	{"content empty", `{"role":"user","content":""}`, messages(core.RoleUser, "", text(""))},
	{"content empty, assistant", `{"role":"assistant","content":""}`, messages(core.RoleAssistant, "", text(""))},
	{"content null", `{"role":"assistant","content":null}`, messages(core.RoleAssistant, "")},
	{"content missing", `{"role":"assistant"}`, messages(core.RoleAssistant, "")},
	{"content an empty array", `{"role":"user","content":[]}`, messages(core.RoleUser, "")},
	{
		"text blocks", `{"role":"user","content":[{"type":"text","text":"a","cache_control":{}},"b",{"text":"","type":"text"}]}`,
		messages(core.RoleUser, "", text("a"), text("b"), text("")),
	},
	{
		"refusal", `{"role":"assistant","content":[{"type":"refusal","refusal":"no"}],"refusal":"never"}`,
		messages(core.RoleAssistant, "", text("no"), text("never")),
	},
	{
		"image object", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"` + dataURI + `","detail":"low"}}]}`,
		messages(core.RoleUser, "", media(core.Media{MIME: "image/png", URL: dataURI, Detail: "low"})),
	},
	{
		"image string", `{"role":"user","content":[{"type":"image_url","image_url":"https://a.example/b.png"}]}`,
		messages(core.RoleUser, "", media(core.Media{URL: "https://a.example/b.png"})),
	},
	{
		"sound", `{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}}]}`,
		messages(core.RoleUser, "", media(core.Media{MIME: "audio/mpeg", URL: "data:audio/mpeg;base64,AAAA"})),
	},
	{
		"files", `{"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,AA","filename":"a.pdf"}},` +
			`{"type":"file","file":{"file_data":"AA"}},{"type":"file","file":{"file_id":"file-1"}}]}`,
		messages(core.RoleUser, "",
			media(core.Media{MIME: "application/pdf", URL: "data:application/pdf;base64,AA"}),
			media(core.Media{MIME: "application/octet-stream", URL: "data:application/octet-stream;base64,AA"}),
			media(core.Media{URL: "file-1"})),
	},
	{
		"thinking", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"thinking","thinking":"ha"},` +
			`{"type":"thinking","signature":"s"},{"type":"redacted_thinking","data":"xyz"},{"type":"text","text":"a"}]}`,
		messages(core.RoleAssistant, "",
			core.Part{Kind: core.KindReasoning, Text: "hm", Signed: true},
			core.Part{Kind: core.KindReasoning, Text: "ha"},
			core.Part{Kind: core.KindReasoning, Signed: true},
			core.Part{Kind: core.KindReasoning, Text: "xyz", Signed: true},
			text("a")),
	},
	{
		"reasoning members", `{"role":"assistant","content":"a","reasoning":"r","reasoning_content":"rc"}`,
		messages(core.RoleAssistant, "",
			core.Part{Kind: core.KindReasoning, Text: "rc"}, core.Part{Kind: core.KindReasoning, Text: "r"}, text("a")),
	},
	{
		"reasoning alone", `{"role":"assistant","content":"","reasoning_content":"rc"}`,
		messages(core.RoleAssistant, "", core.Part{Kind: core.KindReasoning, Text: "rc"}),
	},
	{
		"reasoning empty, null or an object", `{"role":"assistant","content":"a","reasoning_content":"","reasoning":{"effort":1}}`,
		messages(core.RoleAssistant, "", text("a")),
	},
	{
		"audio", `{"role":"assistant","content":null,"audio":{"id":"audio_1"}}`,
		messages(core.RoleAssistant, "", opaque(`{"id":"audio_1"}`)),
	},
	{
		"unknown blocks", `{"role":"user","content":[{"type":"video", "v":1},{"text":"x"},7,null,[],{"type":"text","text":null},` +
			`{"type":"image_url","image_url":{}},{"type":"input_audio"},{"type":"file","file":{}},{"type":"thinking","thinking":1},{"type":"redacted_thinking"}]}`,
		messages(core.RoleUser, "", opaque(`{"type":"video", "v":1}`), opaque(`{"text":"x"}`), opaque(`7`), opaque(`null`), opaque(`[]`),
			opaque(`{"type":"text","text":null}`), opaque(`{"type":"image_url","image_url":{}}`), opaque(`{"type":"input_audio"}`),
			opaque(`{"type":"file","file":{}}`), opaque(`{"type":"thinking","thinking":1}`), opaque(`{"type":"redacted_thinking"}`)),
	},

	{
		"calls", `{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},` +
			`{"id":"c2","type":"custom","custom":{"name":"g","input":"free text"}}]}`,
		messages(core.RoleAssistant, "", call("c1", "f", `{"a":1}`), call("c2", "g", "free text")),
	},
	{
		"calls and text", `{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":""}}],"content":"so"}`,
		messages(core.RoleAssistant, "", text("so"), call("c1", "f", "")),
	},
	{"calls null", `{"role":"assistant","content":"a","tool_calls":null,"function_call":null}`, messages(core.RoleAssistant, "", text("a"))},
	{
		"ids", `{"role":"assistant","tool_calls":[{"id":null,"function":{"name":"f"}},{"id":7,"function":{"name":"f","arguments":null}}]}`,
		messages(core.RoleAssistant, "", call("", "f", ""), call("7", "f", "")),
	},
	{
		"calls of unknown form", `{"role":"assistant","tool_calls":[{"id":"c1","name":"f"},"x"]}`,
		messages(core.RoleAssistant, "", call("c1", "f", `{"id":"c1","name":"f"}`), call("", "", `"x"`)),
	},
	{"calls of a user", `{"role":"user","content":"a","tool_calls":7}`, messages(core.RoleUser, "", text("a"))},

	{
		"results", `{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f"}},{"id":"c2","function":{"name":"g"}}]}
{"role":"tool","tool_call_id":"c2","content":"two","is_error":true}
{"role":"tool","tool_call_id":"c1","content":"","name":"other","is_error":false}
{"role":"tool","tool_call_id":"c3","content":null,"is_error":"no"}
{"role":"tool"}`,
		[]core.Message{
			{Role: core.RoleAssistant, Parts: []core.Part{call("c1", "f", ""), call("c2", "g", "")}},
			{Role: core.RoleTool, Parts: []core.Part{result("c2", "g", "two", core.StatusFailed)}},
			{Role: core.RoleTool, Parts: []core.Part{result("c1", "other", "", core.StatusOK)}},
			{Role: core.RoleTool, Parts: []core.Part{result("c3", "", "", core.StatusUnknown)}},
			{Role: core.RoleTool, Parts: []core.Part{result("", "", "", core.StatusUnknown)}},
		},
	},
	{
		"an id for another call", `{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f"}}]}
{"role":"tool","tool_call_id":"c1","content":"1"}
{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"g"}}]}
{"role":"tool","tool_call_id":"c1","content":"2"}`,
		[]core.Message{
			{Role: core.RoleAssistant, Parts: []core.Part{call("c1", "f", "")}},
			{Role: core.RoleTool, Parts: []core.Part{result("c1", "f", "1", core.StatusUnknown)}},
			{Role: core.RoleAssistant, Parts: []core.Part{call("c1", "g", "")}},
			{Role: core.RoleTool, Parts: []core.Part{result("c1", "g", "2", core.StatusUnknown)}},
		},
	},
	{
		"result blocks", `{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}},` +
			`{"type":"thinking","thinking":"hm"},{"type":"x"}]}`,
		messages(core.RoleTool, "",
			result("c1", "", "a", core.StatusUnknown),
			core.Part{Kind: core.KindToolResult, CallID: "c1", Media: &core.Media{URL: "u"}},
			core.Part{Kind: core.KindReasoning, CallID: "c1", Text: "hm"},
			core.Part{Kind: core.KindOpaque, CallID: "c1", Text: `{"type":"x"}`}),
	},
	{"result an empty array", `{"role":"tool","tool_call_id":"c1","content":[]}`, messages(core.RoleTool, "", result("c1", "", "", 0))},
	{
		"result of unknown blocks", `{"role":"tool","tool_call_id":"c1","content":[{"type":"x"}]}`,
		messages(core.RoleTool, "", core.Part{Kind: core.KindOpaque, CallID: "c1", Text: `{"type":"x"}`}, result("c1", "", "", 0)),
	},
	{
		"function_call", `{"role":"user","content":"q"}
{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}
{"role":"function","name":"f","content":"r"}
{"role":"function","name":"f","content":"r"}
{"role":"function","name":"f","tool_call_id":"own","content":"r"}`,
		[]core.Message{
			{Role: core.RoleUser, Parts: []core.Part{text("q")}},
			{Role: core.RoleAssistant, Parts: []core.Part{call("function_call#1", "f", "{}")}},
			{Role: core.RoleTool, Parts: []core.Part{result("function_call#1", "f", "r", 0)}},
			{Role: core.RoleTool, Parts: []core.Part{result("", "f", "r", 0)}},
			{Role: core.RoleTool, Parts: []core.Part{result("own", "f", "r", 0)}},
		},
	},
}

func messages(role core.Role, name string, parts ...core.Part) []core.Message {
	return []core.Message{{Role: role, Name: name, Parts: parts}}
}

func text(s string) core.Part      { return core.Part{Text: s} }
func opaque(json string) core.Part { return core.Part{Kind: core.KindOpaque, Text: json} }
func media(m core.Media) core.Part { return core.Part{Kind: core.KindMedia, Media: &m} }
func call(id, tool, args string) core.Part {
	return core.Part{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: args}
}

func result(id, tool, content string, status core.Status) core.Part {
	return core.Part{Kind: core.KindToolResult, CallID: id, Tool: tool, Text: content, Status: status}
}

func TestShapes(t *testing.T) {
	const m = `{"role":"user","content":"a"}`
	for doc, want := range map[string]struct {
		shape wire.Shape
		n     int
	}{
		`{"role":"user","content":"a","messages":[` + m + `]}`: {wire.ShapeLines, 1},
		`{"role":"user","messages":[7]}` + "\n" + m:            {wire.ShapeLines, 2},
	} {
		c := parse(t, doc)
		assert.Equal(t, want.shape, c.Shape(), doc)
		assert.Len(t, c.Messages(), want.n, doc)
	}
}

func TestRequest(t *testing.T) {
	c := parse(t, `{"tools":[ {"type":"function", "function":{"name":"f"}} ,{"type":"custom"}],"messages":[],"functions":[{"name": "g"}],
"response_format":{"type":"json_schema","json_schema":{"name": "s"}},"max_tokens":5}`)
	assert.Equal(t, &core.Request{
		Schemas: []string{`{"type":"function", "function":{"name":"f"}}`, `{"type":"custom"}`, `{"name": "g"}`},
		Docs:    []string{`{"name": "s"}`},
	}, c.Request())
	before := c.Request()
	assert.Same(t, before, c.Request())

	for _, doc := range []string{`[]`, `{"messages":[],"tools":null,"response_format":{"type":"text"}}`, `{"role":"user","tools":[1]}`} {
		assert.Equal(t, &core.Request{}, parse(t, doc).Request(), doc)
	}
}

func TestSyntaxErrors(t *testing.T) {
	const m = `{"role":"user","content":"a"}`
	suite.SyntaxErrors(t, []wiretest.SyntaxCase{
		{"messages no array", `{"messages":{}}`, 1, -1, 12, `expected an array as "messages", found an object`},
		{"no role", "[" + m + `,{"content":"a"}]`, 1, 1, 31, `expected a message with "role", found none`},
		{"role no string", `[{"role":null}]`, 1, 0, 9, `expected a string as "role", found null`},
		{"content a number", `[{"role":"user","content":7}]`, 1, 0, 26, `as "content", found a number`},
		{"content an object", `[{"role":"tool","content":{}}]`, 1, 0, 26, `as "content", found an object`},
		{"content a boolean", `[{"role":"assistant","content":true}]`, 1, 0, 31, `as "content", found a boolean`},
		{"content of an unknown role", `[{"role":"x","content":true}]`, 1, 0, 23, `as "content"`},
		{"calls no array", `[{"role":"assistant","tool_calls":{}}]`, 1, 0, 34, `expected an array as "tool_calls", found an object`},
		{"function_call no object", `[{"role":"assistant","function_call":"f"}]`, 1, 0, 37, `expected an object as "function_call", found a string`},
		{"tools no array", `{"messages":[],"tools":{}}`, 1, -1, 23, `expected an array as "tools", found an object`},
		{"functions no array", `{"messages":[],"functions":"f"}`, 1, -1, 27, `expected an array as "functions", found a string`},
	})
}
