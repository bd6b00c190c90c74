package responses_test

import (
	"slices"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

const dataURI = "data:image/png;base64,iVBORw0KGgo="

func text(s string) core.Part      { return core.Part{Text: s} }
func opaque(json string) core.Part { return core.Part{Kind: core.KindOpaque, Text: json} }
func media(m core.Media) core.Part { return core.Part{Kind: core.KindMedia, Media: &m} }

func thought(s string, signed bool) core.Part {
	return core.Part{Kind: core.KindReasoning, Text: s, Signed: signed}
}

func call(id, tool, args string) core.Part {
	return core.Part{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: args}
}

func result(id, tool, content string, status core.Status) core.Part {
	return core.Part{Kind: core.KindToolResult, CallID: id, Tool: tool, Text: content, Status: status}
}

func message(role core.Role, parts ...core.Part) []core.Message {
	return []core.Message{{Role: role, Parts: parts}}
}

func output(parts ...core.Part) []core.Message {
	return []core.Message{{Role: core.RoleAssistant, Reply: 1, Parts: parts}}
}

// exchange is a call and what answers it.
func exchange(call core.Part, results ...core.Part) []core.Message {
	return slices.Concat(output(call), message(core.RoleTool, results...))
}

// itemCases are items, a line each, and what becomes of them, Src and Slot excepted.
var itemCases = []wiretest.ReadCase{
	{"system", `{"role":"system","content":"be brief"}`, message(core.RoleSystem, text("be brief"))},
	{"developer", `{"type":"message","role":"developer","content":"be brief"}`, message(core.RoleSystem, text("be brief"))},
	{"user", `{"content":"hi","role":"user","name":"jo","type":"message"}`, message(core.RoleUser, text("hi"))},
	{"type null", `{"type":null,"role":"user","content":"hi"}`, message(core.RoleUser, text("hi"))},
	{"unknown role", `{"type":"message","role":"tool","content":"ok"}`, message(0, text("ok"))},
	{"escapes", `{"role":"user","content":"a\"\\\n\u00e9\ud83d\ude00"}`, message(core.RoleUser, text("a\"\\\né😀"))},
	{"escaped names", `{"r\u006fle":"us\u0065r","\u0063ontent":"ok"}`, message(core.RoleUser, text("ok"))},
	{"a name twice", `{"role":"system","content":"a","content":"b","role":"user"}`, message(core.RoleUser, text("b"))},
	{"content empty", `{"role":"user","content":""}`, message(core.RoleUser, text(""))},
	{"content null", `{"role":"user","content":null}`, message(core.RoleUser)},
	{"content missing", `{"role":"assistant"}`, output()},
	{"content an empty array", `{"role":"user","content":[]}`, message(core.RoleUser)},
	{
		"output message", `{"id":"msg_1","type":"message","status":"completed","role":"assistant","phase":"final_answer","content":` +
			`[{"type":"output_text","text":"a","annotations":[]},{"type":"refusal","refusal":"no"}]}`,
		output(text("a"), text("no")),
	},
	{
		"text parts", `{"role":"user","content":[{"type":"input_text","text":"a"},"b",{"text":"","type":"text"}]}`,
		message(core.RoleUser, text("a"), text("b"), text("")),
	},
	{
		"images", `{"role":"user","content":[{"type":"input_image","image_url":"` + dataURI + `","detail":"low"},{"type":"input_image","file_id":"file-1"},` +
			`{"type":"input_image","image_url":{"url":"https://a.example/b","detail":"high"}},{"type":"computer_screenshot","image_url":"https://a.example/c"}]}`,
		message(core.RoleUser,
			media(core.Media{MIME: "image/png", URL: dataURI, Detail: "low"}), media(core.Media{URL: "file-1"}),
			media(core.Media{URL: "https://a.example/b", Detail: "high"}), media(core.Media{URL: "https://a.example/c"})),
	},
	{
		"files", `{"role":"user","content":[{"type":"input_file","filename":"a.PDF","file_id":"file-1"},{"type":"input_file","file_url":"https://a.example/b.pdf"},` +
			`{"type":"input_file","file_url":"https://a.example/c","detail":"low"},{"type":"input_file","filename":"a.txt","file_data":"data:text/plain;base64,AA"},` +
			`{"type":"input_file","file_data":"AA"}]}`,
		message(core.RoleUser,
			media(core.Media{MIME: "application/pdf", URL: "file-1"}), media(core.Media{MIME: "application/pdf", URL: "https://a.example/b.pdf"}),
			media(core.Media{MIME: "application/octet-stream", URL: "https://a.example/c", Detail: "low"}),
			media(core.Media{MIME: "text/plain", URL: "data:text/plain;base64,AA"}),
			media(core.Media{MIME: "application/octet-stream", URL: "data:application/octet-stream;base64,AA"})),
	},
	{
		"sound", `{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}}]}`,
		message(core.RoleUser, media(core.Media{MIME: "audio/mpeg", URL: "data:audio/mpeg;base64,AAAA"})),
	},
	{
		"unknown parts", `{"role":"user","content":[{"type":"video", "v":1},{"text":"x"},7,null,[],{"type":"input_text","text":null},{"type":"input_text"},` +
			`{"type":"input_image"},{"type":"input_image","image_url":7},{"type":"input_audio"},{"type":"input_file"},{"type":"refusal"}]}`,
		message(core.RoleUser, opaque(`{"type":"video", "v":1}`), opaque(`{"text":"x"}`), opaque(`7`), opaque(`null`), opaque(`[]`),
			opaque(`{"type":"input_text","text":null}`), opaque(`{"type":"input_text"}`), opaque(`{"type":"input_image"}`),
			opaque(`{"type":"input_image","image_url":7}`), opaque(`{"type":"input_audio"}`), opaque(`{"type":"input_file"}`), opaque(`{"type":"refusal"}`)),
	},

	{
		"reasoning", `{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],"content":[{"type":"reasoning_text","text":"c"}]}`,
		output(thought("a", false), thought("b", false), thought("c", false)),
	},
	{
		"encrypted reasoning", `{"type":"reasoning","encrypted_content":"gAAAAxyz","id":"rs_1","summary":[{"type":"summary_text","text":"a"}],"status":null}`,
		output(thought("a", true), thought("gAAAAxyz", true)),
	},
	{"encrypted reasoning alone", `{"type":"reasoning","summary":[],"encrypted_content":"gAAAAxyz"}`, output(thought("gAAAAxyz", true))},
	{"reasoning kept by the provider", `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":null,"content":null}`, output(thought("", false))},
	{
		"reasoning of other forms", `{"type":"reasoning","summary":["a",{"text":7},8],"content":"b"}`,
		output(thought("a", false), thought(`{"text":7}`, false), thought("8", false), thought("b", false)),
	},

	{
		"function call", `{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{\"a\":1}","status":"completed"}
{"type":"function_call_output","id":"fco_1","call_id":"c1","output":"r","status":"completed"}`,
		exchange(call("c1", "f", `{"a":1}`), result("c1", "f", "r", 0)),
	},
	{
		"output with a name", `{"type":"function_call","call_id":"c1","name":"f","arguments":""}
{"type":"function_call_output","call_id":"c1","name":"g","output":""}`,
		exchange(call("c1", "f", ""), result("c1", "g", "", 0)),
	},
	{
		"output in parts", `{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"u"},{"type":"x"}]}`,
		message(core.RoleTool, result("c1", "", "a", 0), core.Part{Kind: core.KindToolResult, CallID: "c1", Media: &core.Media{URL: "u"}},
			core.Part{Kind: core.KindOpaque, CallID: "c1", Text: `{"type":"x"}`}),
	},
	{"output an empty array", `{"type":"function_call_output","call_id":"c1","output":[]}`, message(core.RoleTool, result("c1", "", "", 0))},
	{"output null", `{"type":"function_call_output","call_id":"c1","output":null}`, message(core.RoleTool, result("c1", "", "", 0))},
	{"output missing", `{"type":"function_call_output"}`, message(core.RoleTool, result("", "", "", 0))},
	{
		"output an object", `{"type":"function_call_output","call_id":"c1","output":{"x":1}}`,
		message(core.RoleTool, core.Part{Kind: core.KindOpaque, CallID: "c1", Text: `{"x":1}`}, result("c1", "", "", 0)),
	},
	{
		"output statuses", `{"type":"function_call_output","call_id":"c1","output":"a","status":"in_progress"}
{"type":"function_call_output","call_id":"c1","output":"a","status":"incomplete"}
{"type":"function_call_output","call_id":"c1","output":"a","status":"failed"}`,
		slices.Concat(message(core.RoleTool, result("c1", "", "a", core.StatusPending)), message(core.RoleTool, result("c1", "", "a", 0)),
			message(core.RoleTool, result("c1", "", "a", core.StatusFailed))),
	},
	{
		"arguments of other types", `{"type":"function_call","call_id":7,"name":"f","arguments":{"a" :1}}
{"type":"function_call","call_id":null,"name":null,"arguments":null}
{"type":"function_call"}`,
		[]core.Message{
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{call("7", "f", `{"a" :1}`)}},
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{call("", "", "")}},
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{call("", "", "")}},
		},
	},
	{
		"custom tool", `{"type":"custom_tool_call","call_id":"c1","name":"patch","input":"*** Begin","id":"ctc_1"}
{"type":"custom_tool_call_output","call_id":"c1","output":"done"}`,
		exchange(call("c1", "patch", "*** Begin"), result("c1", "patch", "done", 0)),
	},
	{
		"local shell", `{"type":"local_shell_call","id":"lsh_1","call_id":"c1","action":{"type":"exec","command":["ls"]},"status":"completed"}
{"type":"local_shell_call_output","id":"lsh_1","output":"a.go"}`,
		exchange(call("c1", "local_shell", `{"type":"exec","command":["ls"]}`), result("c1", "local_shell", "a.go", 0)),
	},
	{
		"local shell by the call's id", `{"type":"local_shell_call","call_id":"c1","action":{}}
{"type":"local_shell_call_output","id":"c1","output":""}`,
		exchange(call("c1", "local_shell", `{}`), result("c1", "local_shell", "", 0)),
	},
	{
		"shell", `{"type":"shell_call","call_id":"c1","action":{"commands":["a","b"]}}
{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"x","stderr":"","outcome":{"type":"exit","exit_code":0}},{"stdout":"y","stderr":"z","outcome":{"type":"exit","exit_code":0}}]}`,
		exchange(call("c1", "shell", `{"commands":["a","b"]}`), result("c1", "shell", "x", core.StatusOK), result("c1", "shell", "y", core.StatusOK), result("c1", "shell", "z", core.StatusOK)),
	},
	{
		"shell that says nothing", `{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"","stderr":"","outcome":{"type":"exit","exit_code":2}}]}`,
		message(core.RoleTool, result("c1", "", "", core.StatusFailed)),
	},
	{
		"shell that took too long", `{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"x","outcome":{"type":"timeout"}}]}
{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"x"}]}
{"type":"shell_call_output","call_id":"c1","output":"x"}`,
		slices.Concat(message(core.RoleTool, result("c1", "", "x", core.StatusFailed)), message(core.RoleTool, result("c1", "", "x", 0)), message(core.RoleTool, result("c1", "", "x", 0))),
	},
	{
		"patch", `{"type":"apply_patch_call","call_id":"c1","operation":{"type":"delete_file","path":"a"},"status":"completed"}
{"type":"apply_patch_call_output","call_id":"c1","status":"completed"}
{"type":"apply_patch_call_output","call_id":"c1","status":"failed","output":"no such file"}`,
		append(exchange(call("c1", "apply_patch", `{"type":"delete_file","path":"a"}`), result("c1", "apply_patch", "", core.StatusOK)),
			message(core.RoleTool, result("c1", "apply_patch", "no such file", core.StatusFailed))...),
	},
	{
		"computer", `{"type":"computer_call","id":"cu_1","call_id":"c1","action":{"type":"click"},"pending_safety_checks":[]}
{"type":"computer_call_output","call_id":"c1","output":{"type":"computer_screenshot","image_url":"` + dataURI + `"}}`,
		exchange(call("c1", "computer", `{"type":"click"}`),
			core.Part{
				Kind: core.KindOpaque, CallID: "c1", Text: `{"type":"computer_screenshot","image_url":"` + dataURI + `"}`,
				Media: &core.Media{MIME: "image/png", URL: dataURI},
			}, result("c1", "computer", "", 0)),
	},
	{
		"computer, several actions", `{"type":"computer_call","call_id":"c1","actions":[{"type":"click"}]}`,
		output(call("c1", "computer", `[{"type":"click"}]`)),
	},
	{
		"approval", `{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s","name":"f","arguments":"{}"}
{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}`,
		exchange(call("mcpr_1", "f", "{}"), result("mcpr_1", "f", "", core.StatusOK)),
	},
	{
		"approval denied", `{"type":"mcp_approval_response","id":"x","approval_request_id":"mcpr_1","approve":false,"reason":"too risky"}
{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":null}`,
		slices.Concat(message(core.RoleTool, result("mcpr_1", "", "too risky", core.StatusDenied)), message(core.RoleTool, result("mcpr_1", "", "", 0))),
	},
	{
		"other calls and outputs", `{"type":"tool_search_call","call_id":"c1","arguments":{}}
{"type":"tool_search_output","call_id":"c1","tools":[{}]}`,
		exchange(call("c1", "tool_search", `{"type":"tool_search_call","call_id":"c1","arguments":{}}`),
			core.Part{Kind: core.KindOpaque, CallID: "c1", Text: `{"type":"tool_search_output","call_id":"c1","tools":[{}]}`}, result("c1", "tool_search", "", 0)),
	},

	{
		"what the provider runs", `{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search"}}
{"type":"mcp_call","id":"mcp_1","name":"f","arguments":"{}","output":"r"}
{"type":"something_new"}`,
		[]core.Message{
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{opaque(`{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search"}}`)}},
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{opaque(`{"type":"mcp_call","id":"mcp_1","name":"f","arguments":"{}","output":"r"}`)}},
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{opaque(`{"type":"something_new"}`)}},
		},
	},
	{
		"generated image", `{"type":"image_generation_call","id":"ig_1","result":"AAAA","output_format":"webp"}`,
		output(core.Part{
			Kind: core.KindOpaque, Text: `{"type":"image_generation_call","id":"ig_1","result":"AAAA","output_format":"webp"}`,
			Media: &core.Media{MIME: "image/webp", URL: "data:image/webp;base64,AAAA"},
		}),
	},
	{
		"generated image that is not here", `{"type":"image_generation_call","id":"ig_1","result":null}`,
		output(opaque(`{"type":"image_generation_call","id":"ig_1","result":null}`)),
	},
	{
		"compaction", `{"type":"compaction","encrypted_content":"xyz"}
{"type":"compaction_summary","encrypted_content":"xyz"}`,
		[]core.Message{
			{Role: core.RoleAssistant, Policy: core.Locked, Parts: []core.Part{opaque(`{"type":"compaction","encrypted_content":"xyz"}`)}},
			{Role: core.RoleAssistant, Policy: core.Locked, Parts: []core.Part{opaque(`{"type":"compaction_summary","encrypted_content":"xyz"}`)}},
		},
	},
	{
		"references", `{"type":"item_reference","id":"rs_1"}
{"id":"msg_1"}
{"type":"function_call_output","call_id":"c1","output":"r"}`,
		[]core.Message{
			{Role: core.RoleAssistant, Policy: core.Locked, Reply: 1, Parts: []core.Part{opaque(`{"type":"item_reference","id":"rs_1"}`)}},
			{Role: core.RoleAssistant, Policy: core.Locked, Reply: 1, Parts: []core.Part{opaque(`{"id":"msg_1"}`)}},
			{Role: core.RoleTool, Policy: core.Locked, Parts: []core.Part{result("c1", "", "r", 0)}},
		},
	},
	{
		"what the program says of itself", `{"type":"configuration_update","reasoning":{"effort":"low"}}
{"type":"additional_tools","role":"developer","tools":[{}]}
{"type":"compaction_trigger"}`,
		slices.Concat(message(core.RoleSystem, opaque(`{"type":"configuration_update","reasoning":{"effort":"low"}}`)),
			message(core.RoleSystem, opaque(`{"type":"additional_tools","role":"developer","tools":[{}]}`)), message(core.RoleSystem, opaque(`{"type":"compaction_trigger"}`))),
	},
}
