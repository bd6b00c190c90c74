package responses_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
	"github.com/trimkit/trimkit/wire/responses"
)

var encodeCases = []wiretest.EncodeCase{
	{"nothing", nil, nil, `{"input":[]}`},
	{
		"messages", slices.Concat(message(core.RoleSystem, text("s")), message(core.RoleUser, text("a"), text("")), message(core.RoleAssistant, text("<b>\n"))), nil,
		`{"input":[{"type":"message","role":"system","content":[{"type":"input_text","text":"s"}]},` +
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":""}]},` +
			`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"<b>\n"}]}]}`,
	},
	{
		"messages without parts", slices.Concat(message(core.RoleUser), message(core.RoleAssistant)), nil,
		`{"input":[{"type":"message","role":"user","content":[]},{"type":"message","role":"assistant","content":[]}]}`,
	},
	{
		"a reply", message(core.RoleAssistant, thought("t", false), thought("u", false), text("a"), text("b"), call("c1", "f", `{"x":1}`), call("c2", "f", "cut"), text("c")), nil,
		`{"input":[{"type":"reasoning","summary":[{"type":"summary_text","text":"t"},{"type":"summary_text","text":"u"}]},` +
			`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]},` +
			`{"type":"function_call","call_id":"c1","name":"f","arguments":"{\"x\":1}"},{"type":"function_call","call_id":"c2","name":"f","arguments":"cut"},` +
			`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"c"}]}]}`,
	},
	{
		"encrypted reasoning", message(core.RoleAssistant, thought("t", true), thought("gAAAA1", true), thought("gAAAA2", true), thought("u", false)), nil,
		`{"input":[{"type":"reasoning","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":"gAAAA1"},` +
			`{"type":"reasoning","summary":[],"encrypted_content":"gAAAA2"},{"type":"reasoning","summary":[{"type":"summary_text","text":"u"}]}]}`,
	},
	{"empty reasoning", message(core.RoleAssistant, thought("", false)), nil, `{"input":[{"type":"reasoning","summary":[]}]}`},
	{
		"results", slices.Concat(
			message(core.RoleAssistant, call("c1", "f", ""), call("c2", "g", "")),
			message(core.RoleTool, result("c2", "g", "two", 0), result("c1", "other", "", core.StatusPending), result("c3", "h", "three", 0)),
			message(core.RoleTool, result("c1", "f", "a", 0), result("c1", "f", "b", 0)),
		), nil,
		`{"input":[{"type":"function_call","call_id":"c1","name":"f","arguments":""},{"type":"function_call","call_id":"c2","name":"g","arguments":""},` +
			`{"type":"function_call_output","call_id":"c2","output":"two"},{"type":"function_call_output","call_id":"c1","name":"other","status":"in_progress","output":""},` +
			`{"type":"function_call_output","call_id":"c3","name":"h","output":"three"},` +
			`{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]}]}`,
	},
	{
		"custom tools", slices.Concat(message(core.RoleAssistant, call("c1", "patch", "*** Begin")), message(core.RoleTool, result("c1", "patch", "done", 0))),
		&core.Request{Schemas: []string{`{"type":"custom","name":"patch"}`}},
		`{"input":[{"type":"custom_tool_call","call_id":"c1","name":"patch","input":"*** Begin"},{"type":"custom_tool_call_output","call_id":"c1","output":"done"}],` +
			`"tools":[{"type":"custom","name":"patch"}]}`,
	},
	{
		"media", message(core.RoleUser,
			media(core.Media{MIME: "image/png", URL: dataURI, Detail: "low"}), media(core.Media{MIME: "image/gif", Data: []byte("abc")}), media(core.Media{URL: "https://a.example/b"}),
			media(core.Media{URL: "file-1"}), media(core.Media{MIME: "audio/mpeg", URL: "data:audio/mpeg;base64,AAAA"}), media(core.Media{MIME: "application/pdf", Data: []byte("abc")}),
			media(core.Media{MIME: "text/plain", URL: "data:text/plain,hi", Detail: "high"}), media(core.Media{MIME: "application/pdf", URL: "https://a.example/b.pdf"}),
			media(core.Media{MIME: "application/pdf", URL: "file-2"}), media(core.Media{MIME: "application/octet-stream", URL: "https://a.example/c.pdf"})), nil,
		`{"input":[{"type":"message","role":"user","content":[{"type":"input_image","image_url":"` + dataURI + `","detail":"low"},{"type":"input_image","image_url":"data:image/gif;base64,YWJj"},` +
			`{"type":"input_image","image_url":"https://a.example/b"},{"type":"input_image","file_id":"file-1"},{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}},` +
			`{"type":"input_file","filename":"file.pdf","file_data":"data:application/pdf;base64,YWJj"},{"type":"input_file","filename":"file","file_data":"data:text/plain,hi","detail":"high"},` +
			`{"type":"input_file","file_url":"https://a.example/b.pdf"},{"type":"input_file","filename":"file.pdf","file_id":"file-2"},` +
			`{"type":"input_file","filename":"file","file_url":"https://a.example/c.pdf"}]}]}`,
	},
	{
		"media in results", message(core.RoleTool, result("c1", "", "see", 0), core.Part{Kind: core.KindToolResult, CallID: "c1", Media: &core.Media{URL: "https://a.example/b"}}), nil,
		`{"input":[{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"https://a.example/b"}]}]}`,
	},
	{
		"items of its own", slices.Concat(message(core.RoleAssistant, opaque(` {"type":"web_search_call","id":"ws_1"}`), text("a"), opaque(`{"type":"compaction","encrypted_content":"x"}`)),
			message(core.RoleSystem, opaque(`{"type":"compaction_trigger"}`))), nil,
		`{"input":[{"type":"web_search_call","id":"ws_1"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]},` +
			`{"type":"compaction","encrypted_content":"x"},{"type":"compaction_trigger"}]}`,
	},
	{
		"an edited history", slices.Concat([]core.Message{note(core.RoleUser, "[trimkit: inserted]")},
			message(core.RoleTool, core.Part{Kind: core.KindToolResult, CallID: "c", Text: "[trimkit: gone]", Elided: &core.Elision{}})), nil,
		`{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"[trimkit: inserted]"}]},{"type":"function_call_output","call_id":"c","output":"[trimkit: gone]"}]}`,
	},
	{
		"tools", nil, &core.Request{Schemas: []string{
			"{\"type\": \"function\",\n\"name\":\"own\"}", `{"type":"web_search"}`,
			`{"type":"function","function":{"name":"chat","description":"d\"","parameters":{"type": "object"},"strict":true}}`,
			`{"type":"custom","custom":{"name":"free","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"start: \"a\""}}}}`,
			`{"name":"claude","input_schema":{"x":1},"cache_control":{}}`,
			`{"functionDeclarations":[{"name":"gem1","parameters":{"type":"OBJECT","properties":{"type":{"type":"STRING"}}}},{"name":"gem2"}]}`,
		}},
		`{"input":[],"tools":[{"type": "function",` + "\n" + `"name":"own"},{"type":"web_search"},` +
			`{"type":"function","name":"chat","description":"d\"","parameters":{"type": "object"},"strict":true},` +
			`{"type":"custom","name":"free","format":{"type":"grammar","syntax":"lark","definition":"start: \"a\""}},` +
			`{"type":"function","name":"claude","parameters":{"x":1},"strict":false},` +
			`{"type":"function","name":"gem1","parameters":{"type":"object","properties":{"type":{"type":"string"}}},"strict":false},` +
			`{"type":"function","name":"gem2","parameters":{"type":"object","properties":{}},"strict":false}]}`,
	},
	{
		"a schema of the text", nil, &core.Request{Docs: []string{`{"name":"s","schema":{"type":"object"}}`}},
		`{"input":[],"text":{"format":{"type":"json_schema","name":"s","schema":{"type":"object"}}}}`,
	},
	{
		"a schema of its own", nil, &core.Request{Docs: []string{` {"schema":{}, "type":"json_schema"}`}},
		`{"input":[],"text":{"format":{"schema":{}, "type":"json_schema"}}}`,
	},
	{
		"a bare schema", nil, &core.Request{Docs: []string{`{"type":"object"}`}},
		`{"input":[],"text":{"format":{"type":"json_schema","name":"output","schema":{"type":"object"}}}}`,
	},
}

// What was read as items is written as items that say the same.
func TestEncodeItems(t *testing.T) {
	held := 0
	for _, c := range itemCases {
		lines := parse(t, c.JSON)
		if suite.Encodes(t, lines.Messages(), lines.Request()) {
			held++
		}
	}
	assert.GreaterOrEqual(t, held, 34, "of %d", len(itemCases))
}

// said is what a part says, and who says it.
type said struct {
	role core.Role
	part core.Part
}

// essence returns what a history says: its parts in their order, whatever messages they are
// in, without what only its own format has.
func essence(history []core.Message) []said {
	tools := map[string]string{}
	var all []said
	for i := range history {
		m := &history[i]
		for _, p := range m.Parts {
			p.Slot, p.Elided = 0, nil
			if p.Media != nil {
				shown := core.Media{MIME: p.Media.MIME, URL: p.Media.URL, Detail: p.Media.Detail}
				if len(p.Media.Data) > 0 {
					shown.URL = "data of " + shown.MIME
				} else if strings.HasSuffix(shown.URL, ";base64,YWJj") {
					shown.URL = "data of " + shown.MIME
				}
				p.Media = &shown
			}
			if p.Kind == core.KindOpaque {
				p.Text = strings.TrimSpace(p.Text)
			}
			if p.Kind == core.KindToolCall {
				tools[p.CallID] = p.Tool
			}
			if p.Kind == core.KindToolResult && p.Tool == "" {
				p.Tool = tools[p.CallID]
			}
			all = append(all, said{m.Role, p})
		}
	}
	return all
}

func TestEncodeErrors(t *testing.T) {
	signed := text("a")
	signed.Signed = true
	both := core.Part{Kind: core.KindToolResult, CallID: "c", Text: "x", Media: &core.Media{URL: "https://a.example/b"}}
	sound := &core.Media{MIME: "audio/wav", URL: "data:audio/wav;base64,AAAA"}
	for _, c := range []struct {
		name    string
		history []core.Message
		part    int
		want    string
	}{
		{"a name", []core.Message{{Role: core.RoleUser, Name: "jo"}}, -1, "an author's name"},
		{"no role", message(0, text("a")), -1, "a role that is none of system, user, assistant and tool"},
		{"a call of the user's", message(core.RoleUser, text("a"), call("c", "f", "")), 1, "a part of kind tool-call in a message of role user"},
		{"reasoning of the system's", message(core.RoleSystem, thought("a", false)), 0, "a part of kind reasoning in a message of role system"},
		{"a result of the assistant's", message(core.RoleAssistant, result("c", "f", "", 0)), 0, "a part of kind tool-result in a message of role assistant"},
		{"media of the assistant's", message(core.RoleAssistant, media(core.Media{URL: "u"})), 0, "a part of kind media in a message of role assistant"},
		{"text in a result", message(core.RoleTool, result("c", "", "", 0), text("a")), 1, "a part of kind text in a result"},
		{"no result", message(core.RoleTool), -1, "a tool message without a result"},
		{"a signed text", message(core.RoleAssistant, signed), 0, "a signature of a part of kind text"},
		{"a foreign signature", message(core.RoleAssistant, thought("a", true)), 0, "a signature of another provider"},
		{"a success", message(core.RoleTool, result("c", "", "", core.StatusOK)), 0, "the status ok"},
		{"an error", message(core.RoleTool, result("c", "", "", core.StatusFailed)), 0, "the status failed"},
		{"two statuses", message(core.RoleTool, result("c", "", "", 0), result("c", "", "", core.StatusPending)), 1, "another tool or status than the blocks before it have"},
		{"text beside media", message(core.RoleTool, both), 0, "a text beside media in one part"},
		{"a sound in a result", message(core.RoleTool, core.Part{Kind: core.KindToolResult, Media: sound}), 0, "a sound in a result, behind an address or with a detail"},
		{"a sound elsewhere", message(core.RoleUser, media(core.Media{MIME: "audio/wav", URL: "https://a.example/b"})), 0, "a sound in a result, behind an address or with a detail"},
		{"an image's type", message(core.RoleUser, media(core.Media{MIME: "image/png", URL: "https://a.example/b"})), 0, "the type of an image behind an address"},
		{"a file's type", message(core.RoleUser, media(core.Media{MIME: "text/plain", URL: "https://a.example/b"})), 0, "the type of a file behind an address"},
		{"no media", message(core.RoleUser, media(core.Media{})), 0, "media that are nowhere"},
		{"bytes", message(core.RoleUser, text("a\xff")), 0, "a text that is not UTF-8"},
		{"a foreign block", message(core.RoleUser, opaque(`{"type":"web_search_call"}`)), 0, "a part of kind opaque in a message of role user"},
		{"a foreign compaction", message(core.RoleAssistant, opaque(`{"type":"compaction","content":"x"}`)), 0, "a part of kind opaque in a message of role assistant"},
		{"no JSON", message(core.RoleAssistant, opaque(`x`)), 0, "a part of kind opaque in a message of role assistant"},
	} {
		out, err := responses.Encode(slices.Concat(message(core.RoleUser, text("q")), c.history), nil)
		assert.Nil(t, out, c.name)
		var lost *wire.EncodeError
		require.ErrorAs(t, err, &lost, c.name)
		assert.Equal(t, []wire.Loss{{Message: 1, Part: c.part, What: c.want}}, lost.Losses, c.name)
	}
}

// Every loss is listed, those of the request last.
func TestEncodeErrorsOfRequest(t *testing.T) {
	_, err := responses.Encode([]core.Message{{Role: core.RoleUser, Name: "jo"}}, &core.Request{
		Schemas: []string{`{`, `{"name":"f","input_schema":{},"input_examples":[]}`},
		Docs:    []string{"a text", `{"schema":{}}`, `{"schema":{}}`, `{"x":1}`},
	})
	var lost *wire.EncodeError
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, []wire.Loss{
		{Message: 0, Part: -1, What: "an author's name"},
		{Message: -1, Part: 0, What: "a tool definition that is no JSON"},
		{Message: -1, Part: 1, What: `the member "input_examples" of a tool definition`},
		{Message: -1, Part: 0, What: "a document beside the messages"},
		{Message: -1, Part: 2, What: "a document beside the messages"},
		{Message: -1, Part: 3, What: "a document beside the messages"},
	}, lost.Losses)
	assert.EqualError(t, err, `responses: encode: the format cannot hold it: message 0: an author's name; request, part 0: a tool definition that is no JSON; `+
		`request, part 1: the member "input_examples" of a tool definition; request, part 0: a document beside the messages; request, part 2: a document beside the messages; and 1 more`)
}
