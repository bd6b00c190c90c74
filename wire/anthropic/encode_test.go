package anthropic_test

import (
	"encoding/base64"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

func message(role core.Role, parts ...core.Part) core.Message {
	return core.Message{Role: role, Parts: parts}
}

const sealed = "EmwKAhgBEgzAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

var encodeCases = []wiretest.EncodeCase{
	{"nothing", nil, nil, `{"messages":[]}`},
	{
		"a prompt",
		[]core.Message{message(core.RoleSystem, text("a\n")), message(core.RoleSystem, text(""), text("b")), message(core.RoleUser, text("hi")), message(core.RoleSystem, text("c"))},
		nil,
		`{"system":[{"type":"text","text":"a\n"},{"type":"text","text":"b"}],"messages":[{"role":"user","content":"hi"},{"role":"system","content":"c"}]}`,
	},
	{"a blank prompt", []core.Message{message(core.RoleSystem, text(" ")), message(core.RoleSystem)}, nil, `{"messages":[]}`},
	{
		"what says nothing",
		[]core.Message{message(core.RoleUser), message(core.RoleUser, text("")), message(core.RoleAssistant, text(""), text(" "))},
		nil,
		`{"messages":[{"role":"user","content":[]},{"role":"user","content":""},{"role":"assistant","content":[{"type":"text","text":""},{"type":"text","text":" "}]}]}`,
	},
	{
		"a reply",
		[]core.Message{message(core.RoleAssistant, reasoning("hm", false), text("\n"), call("c1", "f", " {\"a\" : 1e400}\n"), call("c2", "g", ""))},
		nil,
		`{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"c1","name":"f","input":{"a" : 1e400}},{"type":"tool_use","id":"c2","name":"g","input":{}}]}]}`,
	},
	{
		"reasoning and what it led to",
		[]core.Message{
			message(core.RoleAssistant, reasoning("hm", false)), message(core.RoleAssistant, reasoning("ha", false)),
			message(core.RoleAssistant, text("a")), message(core.RoleAssistant, text("b")), message(core.RoleAssistant, reasoning("hu", false)),
		},
		nil,
		`{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"thinking","thinking":"ha"},{"type":"text","text":"a"}]},` +
			`{"role":"assistant","content":"b"},{"role":"assistant","content":[{"type":"thinking","thinking":"hu"}]}]}`,
	},
	{
		"redacted reasoning",
		[]core.Message{message(core.RoleAssistant, reasoning(sealed, true), text("a"))},
		nil,
		`{"messages":[{"role":"assistant","content":[{"type":"redacted_thinking","data":"` + sealed + `"},{"type":"text","text":"a"}]}]}`,
	},
	{
		"results and what follows",
		[]core.Message{
			message(core.RoleAssistant, call("c1", "f", "{}"), call("c2", "f", "{}")),
			message(core.RoleTool, result("c2", "f", "", core.StatusFailed)),
			message(core.RoleTool, result("c1", "f", "one", core.StatusOK), result("c1", "", "more", core.StatusOK), result("c1", "f", "two", 0)),
			message(core.RoleUser, text("and"), text("")), message(core.RoleUser, text("now")),
			message(core.RoleTool, result("c3", "", "late", 0)), message(core.RoleUser, text(" ")),
		},
		nil,
		`{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}},{"type":"tool_use","id":"c2","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"","is_error":true},` +
			`{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"one"},{"type":"text","text":"more"}],"is_error":false},{"type":"tool_result","tool_use_id":"c1","content":"two"},{"type":"text","text":"and"}]},` +
			`{"role":"user","content":"now"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c3","content":"late"}]},{"role":"user","content":" "}]}`,
	},
	{
		"blocks of a result",
		[]core.Message{message(core.RoleTool, result("c", "", "a", 0), core.Part{Kind: core.KindToolResult, CallID: "c", Media: &core.Media{URL: pngURI}},
			answered("c", `{"type":"tool_reference","tool_name":"x"}`), result("d", "", " ", 0))},
		nil,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"a"},` +
			`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},{"type":"tool_reference","tool_name":"x"}]},{"type":"tool_result","tool_use_id":"d","content":" "}]}]}`,
	},
	{
		"media",
		[]core.Message{message(core.RoleUser, media(core.Media{MIME: "image/gif", Data: []byte("GIF")}), media(core.Media{URL: "https://a.example/b", Detail: "auto"}), media(core.Media{URL: "file_1", MIME: "image/webp"}),
			media(core.Media{MIME: "application/pdf", URL: "data:application/pdf;base64,JVBE"}), media(core.Media{MIME: "application/pdf", URL: "https://a.example/b"}))},
		nil,
		`{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lG"}},{"type":"image","source":{"type":"url","url":"https://a.example/b"}},` +
			`{"type":"image","source":{"type":"file","file_id":"file_1"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBE"}},` +
			`{"type":"document","source":{"type":"url","url":"https://a.example/b"}}]}]}`,
	},
	{
		"blocks of the provider",
		[]core.Message{message(core.RoleAssistant, opaque(searchCall), opaque(searchResult), opaque(`{"type":"compaction","content":null}`)), message(core.RoleUser, opaque(`{"type":"container_upload"}`))},
		nil,
		`{"messages":[{"role":"assistant","content":[` + searchCall + `,` + searchResult + `,{"type":"compaction","content":null}]},{"role":"user","content":[{"type":"container_upload"}]}]}`,
	},
	{
		"ids",
		[]core.Message{message(core.RoleAssistant, call("f:0", "f", "{}"), call("f#0", "f", "{}"), call("f_0", "f", "{}"), call("", "f", "{}"), call("f:0", "f", "{}")), message(core.RoleTool, result("f:0", "f", "r", 0))},
		nil,
		`{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"f_0_1","name":"f","input":{}},{"type":"tool_use","id":"f_0_2","name":"f","input":{}},{"type":"tool_use","id":"f_0","name":"f","input":{}},` +
			`{"type":"tool_use","id":"call","name":"f","input":{}},{"type":"tool_use","id":"f_0_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"f_0_1","content":"r"}]}]}`,
	},
	{
		"tools", nil, &core.Request{Schemas: []string{
			`{"type":"function","function":{"name":"a","description":"d","parameters":{"type":"object"},"strict":true}}`, `{"type":"function","name":"b","parameters":null}`,
			`{"functionDeclarations":[{"name":"c","parameters":{"type":"OBJECT"}},{"name":"d"}]}`, `{"name":"e", "input_schema":{},"input_examples":[]}`, `{"type":"web_search_20250305","name":"web_search"}`,
		}},
		`{"messages":[],"tools":[{"name":"a","description":"d","input_schema":{"type":"object"},"strict":true},{"name":"b","input_schema":{"type":"object","properties":{}}},` +
			`{"name":"c","input_schema":{"type":"object"}},{"name":"d","input_schema":{"type":"object","properties":{}}},{"name":"e", "input_schema":{},"input_examples":[]},{"type":"web_search_20250305","name":"web_search"}]}`,
	},
	{
		"a schema of the output", nil, &core.Request{Docs: []string{`{"name":"n","schema":{"type":"object"},"strict":true}`}},
		`{"messages":[],"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}`,
	},
	{
		"a bare schema of the output", nil, &core.Request{Docs: []string{` {"type":"object"}`}, Reserve: 5},
		`{"messages":[],"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}`,
	},
}

func TestEncodeErrors(t *testing.T) {
	history := []core.Message{
		message(core.RoleSystem, text("s"), media(core.Media{URL: "u"})),
		{Role: core.RoleUser, Name: "jo", Parts: []core.Part{text("\xff"), reasoning("hm", false), call("c", "f", "{}"), {Media: &core.Media{}}}},
		message(0, text("a")),
		message(core.RoleAssistant, reasoning("hm", true), call("c", "f", "x"), call("d", "f", `"x"`), call("e", "f", `{"a":`), opaque("no JSON"), opaque(`{"type":"compaction"}`), result("c", "f", "", 0), media(core.Media{URL: "u"})),
		message(core.RoleTool, result("c", "f", "", core.StatusDenied), result("d", "f", "", core.StatusPending), result("e", "g", "", 0), opaque(`{"type":"container_upload"}`), text("a")),
		message(core.RoleTool),
		message(core.RoleUser, core.Part{Kind: core.KindMedia}, media(core.Media{MIME: "audio/mpeg", URL: "data:audio/mpeg;base64,AA"}), media(core.Media{URL: "u", Detail: "high"}),
			media(core.Media{MIME: "image/png", URL: "data:image/png,AA"}), core.Part{Kind: core.KindMedia, Text: "a", Media: &core.Media{URL: "u"}}, opaque(`{"type":7}`)),
	}
	request := &core.Request{
		Schemas: []string{`{`, `{"type":"custom","name":"f"}`, `{"type":"function","function":{"name":"f","x":1}}`},
		Docs:    []string{"a text", `{"type":"object"}`},
	}
	assert.Equal(t, []string{
		"message 0, part 1: media in a message of role system",
		"message 1: an author's name",
		"message 1, part 0: bytes that are not UTF-8",
		"message 1, part 1: reasoning in a message of role user",
		"message 1, part 2: tool-call in a message of role user",
		"message 1, part 3: media in a part of kind text",
		"message 2: a message of unknown role",
		"message 3, part 0: a signature, which a history does not hold",
		"message 3, part 1: arguments that are no JSON object",
		"message 3, part 2: arguments that are no JSON object",
		"message 3, part 3: arguments that are no JSON object",
		"message 3, part 4: an opaque part of another format",
		"message 3, part 5: an opaque part of another format",
		"message 3, part 6: tool-result in a message of role assistant",
		"message 3, part 7: media in a message of role assistant",
		"message 4, part 0: a result that is denied",
		"message 4, part 1: a result that is pending",
		"message 4, part 2: a result with a tool that is not its call's",
		"message 4, part 3: an opaque part of another format",
		"message 4, part 4: text in a message of role tool",
		"message 5: a tool message without a result",
		"message 6, part 0: a medium of which nothing is known",
		"message 6, part 1: a medium that is neither an image nor a PDF",
		"message 6, part 2: the detail in which an image is to be read",
		"message 6, part 3: a medium without data in base64 and without an address",
		"message 6, part 4: a text in the part of a medium",
		"message 6, part 5: an opaque part of another format",
		"request, part 0: a tool that is no JSON",
		"request, part 1: a tool whose input is not JSON",
		`request, part 2: a tool's member "x"`,
		"request, part 0: a document that is not the output's only JSON schema",
		"request, part 1: a document that is not the output's only JSON schema",
	}, suite.Losses(t, history, request))
}

// spoken is what matters of a part, wherever it is.
type spoken struct {
	Role   core.Role
	Kind   core.Kind
	Status core.Status
	Signed bool
	Text   string
	Call   string
	Media  string
}

// flat returns all that is said in a history: what Encode must keep, without the borders
// between messages, which may move, and blank texts, which may go.
func flat(history []core.Message) []spoken {
	ids := map[string]int{}
	list := []spoken{}
	for _, m := range history {
		for _, p := range m.Parts {
			s := spoken{Role: m.Role, Kind: p.Kind, Signed: p.Signed, Text: p.Text}
			if p.Kind == core.KindToolCall {
				if s.Text = strings.TrimSpace(p.Text); s.Text == "" {
					s.Text = "{}"
				}
			}
			if p.Kind == core.KindToolCall || p.Kind == core.KindToolResult {
				if _, seen := ids[p.CallID]; !seen {
					ids[p.CallID] = len(ids)
				}
				s.Call = strconv.Itoa(ids[p.CallID])
			}
			if p.Kind == core.KindToolResult {
				s.Status = p.Status
			}
			if p.Kind == core.KindText && strings.TrimSpace(s.Text) == "" {
				continue
			}
			if p.Media != nil {
				s.Media = p.Media.URL
				if p.Media.Data != nil {
					s.Media = "data:" + p.Media.MIME + ";base64," + base64.StdEncoding.EncodeToString(p.Media.Data)
				}
			}
			list = append(list, s)
		}
	}
	return list
}
