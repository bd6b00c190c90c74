package gemini_test

import (
	"encoding/base64"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

func messages(role core.Role, parts ...core.Part) []core.Message {
	return []core.Message{{Role: role, Parts: parts}}
}

func text(s string) core.Part      { return core.Part{Text: s} }
func thought(s string) core.Part   { return core.Part{Kind: core.KindReasoning, Text: s} }
func opaque(json string) core.Part { return core.Part{Kind: core.KindOpaque, Text: json} }

func call(id, tool, args string) core.Part {
	return core.Part{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: args}
}

func result(id, tool, content string, status core.Status) core.Part {
	return core.Part{Kind: core.KindToolResult, CallID: id, Tool: tool, Text: content, Status: status}
}

func media(mime, url, detail string) core.Part {
	return core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: mime, URL: url, Detail: detail}}
}

func signed(p core.Part) core.Part {
	p.Signed = true
	return p
}

// ofResult makes a part one of a result.
func ofResult(p core.Part, id, tool string, status core.Status) core.Part {
	p.CallID = id
	if p.Kind == core.KindMedia {
		p.Kind, p.Tool, p.Status = core.KindToolResult, tool, status
	}
	return p
}

const pngURI = "data:image/png;base64,iVBORw0KGgo="

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// contentCases are contents and what becomes of them, Src and Slot excepted.
var contentCases = []wiretest.ReadCase{
	{"user", `{"role":"user","parts":[{"text":"hi"}]}`, messages(core.RoleUser, text("hi"))},
	{"no role", `{"parts":[{"text":"hi"}]}`, messages(core.RoleUser, text("hi"))},
	{"role null or empty", `{"role":null,"parts":[{"text":"hi"}]}` + "\n" + `{"role":"","parts":[{"text":"hi"}]}`, []core.Message{
		{Role: core.RoleUser, Parts: []core.Part{text("hi")}}, {Role: core.RoleUser, Parts: []core.Part{text("hi")}},
	}},
	{"model", `{"parts":[{"text":"a"},{"text":""},{"text":"b","x":1e2}],"role":"model"}`, messages(core.RoleAssistant, text("a"), text(""), text("b"))},
	{"unknown role", `{"role":"system","parts":[{"text":"a"},{"functionCall":{}}]}`, messages(0, text("a"), opaque(`{"functionCall":{}}`))},
	{"role in capitals", `{"role":"USER","parts":[{"text":"a"}]}`, messages(0, text("a"))},
	{"a name twice", `{"role":"model","role":"user","parts":[{"text":"a"}],"parts":[{"text":"b","text":"c"}]}`, messages(core.RoleUser, text("c"))},
	{"escapes", `{"r\u006fle":"us\u0065r","parts":[{"te\u0078t":"a\"\\\n\u00e9\ud83d\ude00"}]}`, messages(core.RoleUser, text("a\"\\\né😀"))},
	{"parts missing, null or empty", `{"role":"user"}` + "\n" + `{"role":"model","parts":null}` + "\n" + `{"role":"tool","parts":[]}`, []core.Message{
		{Role: core.RoleUser}, {Role: core.RoleAssistant}, {Role: core.RoleTool},
	}},
	{"parts that are one", `{"role":"user","parts":{"text":"a"}}` + "\n" + `{"role":"user","parts":"b"}` + "\n" + `{"role":"user","parts":["c",{"text":"d"}]}`, []core.Message{
		{Role: core.RoleUser, Parts: []core.Part{text("a")}},
		{Role: core.RoleUser, Parts: []core.Part{text("b")}},
		{Role: core.RoleUser, Parts: []core.Part{text("c"), text("d")}},
	}},
	{
		"members that are null", `{"role":"model","parts":[{"text":"a","thought":null,"thought_signature":null,"function_call":null,"inline_data":null},` +
			`{"text":null,"function_call":{"id":null,"name":"f","args":null}}]}`,
		messages(core.RoleAssistant, text("a"), call("f#1", "f", "{}")),
	},

	{
		"thoughts", `{"role":"model","parts":[{"text":"hm","thought":true},{"text":"ha","thought":true,"thoughtSignature":"c2ln"},{"text":"a","thought":false}]}`,
		messages(core.RoleAssistant, thought("hm"), signed(thought("ha")), text("a")),
	},
	{"the user's thought", `{"role":"user","parts":[{"text":"hm","thought":true}]}`, messages(core.RoleUser, text("hm"))},
	{
		"signatures", `{"role":"model","parts":[{"text":"a","thoughtSignature":"c2ln"},{"functionCall":{"name":"f"},"thought_signature":"c2ln"},` +
			`{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="},"thoughtSignature":"c2ln"},{"text":"","thoughtSignature":"c2ln"},{"thoughtSignature":"c2ln"},` +
			`{"text":"b","thoughtSignature":""}]}`,
		messages(core.RoleAssistant, signed(text("a")), signed(call("f#1", "f", "{}")), signed(media("image/png", pngURI, "")),
			signed(text("")), signed(opaque(`{"thoughtSignature":"c2ln"}`)), text("b")),
	},

	{
		"media", `{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"inline_data":{"mime_type":"image/png","data":"iVBORw0KGgo="}},` +
			`{"fileData":{"mimeType":"video/mp4","fileUri":"https://a.example/b"},"videoMetadata":{"fps":1}},{"file_data":{"file_uri":"gs://a/b.png"}},` +
			`{"inlineData":{"data":"AA=="}},{"inlineData":{"mimeType":"text/plain","data":"YQ=="}}]}`,
		messages(core.RoleUser, media("image/png", pngURI, ""), media("image/png", pngURI, ""), media("video/mp4", "https://a.example/b", ""),
			media("", "gs://a/b.png", ""), media("", "data:;base64,AA==", ""), media("text/plain", "data:text/plain;base64,YQ==", "")),
	},
	{
		"resolutions", `{"role":"user","parts":[{"fileData":{"fileUri":"u"},"mediaResolution":{"level":"MEDIA_RESOLUTION_HIGH"}},` +
			`{"file_data":{"file_uri":"u"},"media_resolution":{"level":"MEDIA_RESOLUTION_UNSPECIFIED"}},{"fileData":{"fileUri":"u"},"mediaResolution":{"level":"other"}},` +
			`{"fileData":{"fileUri":"u"},"mediaResolution":7}]}`,
		messages(core.RoleUser, media("", "u", "high"), media("", "u", ""), media("", "u", "other"), media("", "u", "")),
	},

	{
		"code that ran at Google", `{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"code_execution_result":{"outcome":"OUTCOME_OK", "output":"1"}},` +
			`{"toolCall":{},"thoughtSignature":"s"}]}`,
		messages(core.RoleAssistant, opaque(`{"executableCode":{"language":"PYTHON","code":"1"}}`),
			opaque(`{"code_execution_result":{"outcome":"OUTCOME_OK", "output":"1"}}`), signed(opaque(`{"toolCall":{},"thoughtSignature":"s"}`))),
	},
	{
		"parts of unknown form", `{"role":"model","parts":[{},{"video":1},7,null,[],{"text":7},{"functionCall":"f"},{"inlineData":{}},{"fileData":{}},{"inlineData":"x"},` +
			`{"text":"a","functionCall":{"name":"f"}},{"functionCall":{},"inlineData":{"data":"AA"}},{"functionResponse":{"name":"f"}}]}`,
		messages(core.RoleAssistant, opaque(`{}`), opaque(`{"video":1}`), opaque(`7`), opaque(`null`), opaque(`[]`), opaque(`{"text":7}`), opaque(`{"functionCall":"f"}`),
			opaque(`{"inlineData":{}}`), opaque(`{"fileData":{}}`), opaque(`{"inlineData":"x"}`), opaque(`{"text":"a","functionCall":{"name":"f"}}`),
			opaque(`{"functionCall":{},"inlineData":{"data":"AA"}}`), opaque(`{"functionResponse":{"name":"f"}}`)),
	},
	{"an empty text beside what the part holds", `{"role":"model","parts":[{"text":"","functionCall":{"name":"f"}}]}`, messages(core.RoleAssistant, call("f#1", "f", "{}"))},
	{"a user's call", `{"role":"user","parts":[{"functionCall":{"name":"f"}}]}`, messages(core.RoleUser, opaque(`{"functionCall":{"name":"f"}}`))},

	{
		"calls", `{"role":"model","parts":[{"text":"so"},{"functionCall":{"name":"f","args":{"a" : 1.0},"id":"c1"}},{"function_call":{"name":"g"}},{"functionCall":{"id":7,"args":"x"}}]}`,
		messages(core.RoleAssistant, text("so"), call("c1", "f", `{"a" : 1.0}`), call("g#1", "g", "{}"), call("7", "", `"x"`)),
	},

	{
		"a mixed content", `{"role":"model","parts":[{"functionCall":{"name":"f"}}]}` + "\n" +
			`{"role":"user","parts":[{"text":"look"},{"functionResponse":{"name":"f","response":{"result":"r"}}},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]}`,
		[]core.Message{
			{Role: core.RoleAssistant, Src: 1, Parts: []core.Part{call("f#1", "f", "{}")}},
			{Role: core.RoleTool, Src: 2, Parts: []core.Part{slot(2, result("f#1", "f", "r", 0))}},
			{Role: core.RoleUser, Src: 2, Parts: []core.Part{slot(1, text("look")), slot(3, media("image/png", pngURI, ""))}},
		},
	},
	{
		"the older role", `{"role":"function","parts":[{"functionResponse":{"name":"f","response":{"result":"r"}}},{"text":"a"},"b"]}` + "\n" +
			`{"role":"tool","parts":[{"fileData":{"fileUri":"u"}}]}`,
		[]core.Message{
			{Role: core.RoleTool, Parts: []core.Part{result("", "f", "r", 0), opaque(`{"text":"a"}`), opaque(`"b"`)}},
			{Role: core.RoleTool, Parts: []core.Part{opaque(`{"fileData":{"fileUri":"u"}}`)}},
		},
	},
	{
		"media beside results", `{"role":"user","parts":[{"fileData":{"fileUri":"u"}},{"functionResponse":{"id":"c1","name":"f","response":{"output":"r"}}},` +
			`{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"functionResponse":{"id":"c2","name":"g","response":{"error":"e"}}},` +
			`{"inlineData":{"mimeType":"text/plain","data":"` + base64Of("é") + `"}},{"x":1}]}`,
		messages(core.RoleTool, ofResult(media("", "u", ""), "c1", "f", core.StatusOK), result("c1", "f", "r", core.StatusOK),
			ofResult(media("image/png", pngURI, ""), "c1", "f", core.StatusOK), result("c2", "g", "e", core.StatusFailed),
			result("c2", "g", "é", core.StatusFailed), ofResult(opaque(`{"x":1}`), "c2", "", 0)),
	},
}

func slot(n uint32, p core.Part) core.Part {
	p.Slot = n
	return p
}
