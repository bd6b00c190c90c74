package gemini_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/wire/gemini"
)

func encode(t *testing.T, history []core.Message, r *core.Request) string {
	t.Helper()
	out, err := gemini.Encode(history, r)
	require.NoError(t, err)
	return string(out)
}

// said is a part with its speaker, as Encode and Parse have to keep it.
type said struct {
	role core.Role
	part core.Part
}

// flat returns what a history says, without what Encode says that it does not keep.
func flat(history []core.Message) []said {
	groups := core.NewGroups(history)
	var all []said
	for i := range history {
		for k, p := range history[i].Parts {
			p.Slot, p.Elided = 0, nil
			if p.Kind != core.KindToolResult {
				p.Status = 0
			}
			if p.Kind != core.KindToolResult && p.Kind != core.KindToolCall {
				p.CallID, p.Tool = "", ""
			}
			if strings.Contains(p.CallID, "#") {
				p.CallID = "" // it had none
			}
			switch p.Kind {
			case core.KindToolCall:
				if p.Text = strings.TrimSpace(p.Text); p.Text == "" {
					p.Text = "{}"
				}
			case core.KindToolResult:
				if m, c, ok := groups.CallOf(i, k); ok && p.Tool == "" {
					p.Tool = history[m].Parts[c].Tool
				}
			}
			if p.Media != nil {
				m := *p.Media
				if m.Data != nil {
					m.URL, m.Data = "data:"+m.MIME+";base64,"+base64.StdEncoding.EncodeToString(m.Data), nil
				}
				if m.Detail == "auto" {
					m.Detail = ""
				}
				m.Width, m.Height = 0, 0
				p.Media = &m
				if data, ok := strings.CutPrefix(m.URL, "data:text/plain;base64,"); ok && p.Kind == core.KindToolResult {
					if text, err := base64.StdEncoding.DecodeString(data); err == nil {
						p.Text, p.Media = string(text), nil
					}
				}
			}
			all = append(all, said{history[i].Role, p})
		}
	}
	return all
}

// keeps checks that a history comes back from its encoding.
func keeps(t *testing.T, history []core.Message) *gemini.Conversation {
	t.Helper()
	c := parse(t, encode(t, history, nil))
	assert.Equal(t, flat(history), flat(c.Messages()))
	return c
}

func message(role core.Role, p ...core.Part) core.Message { return core.Message{Role: role, Parts: p} }

func reply(n int32, p ...core.Part) core.Message {
	return core.Message{Role: core.RoleAssistant, Reply: n, Parts: p}
}

var encodeCases = []struct {
	name    string
	history []core.Message
	want    string // the contents, or the whole request
}{
	{"nothing", nil, ""},
	{
		"a conversation",
		[]core.Message{message(core.RoleUser, text("a")), message(core.RoleAssistant, thought("hm"), text("b\n<é>")), message(core.RoleUser, text(""), text("c"))},
		`{"role":"user","parts":[{"text":"a"}]}|{"role":"model","parts":[{"text":"hm","thought":true},{"text":"b\n<é>"}]}|{"role":"user","parts":[{"text":""},{"text":"c"}]}`,
	},
	{
		"system messages",
		[]core.Message{message(core.RoleSystem, text("a")), message(core.RoleSystem, text("b"), text("c")), message(core.RoleUser, text("d"))},
		`{"systemInstruction":{"parts":[{"text":"a"},{"text":"b"},{"text":"c"}]},|"contents":[|{"role":"user","parts":[{"text":"d"}]}|]}|`,
	},
	{"a system message without parts", []core.Message{message(core.RoleSystem), message(core.RoleUser, text("d"))}, `{"role":"user","parts":[{"text":"d"}]}`},
	{
		"calls and results",
		[]core.Message{
			message(core.RoleAssistant, text("so"), call("c1", "f", ` {"a" : 1}`+"\n"), call("c2", "g", "")),
			message(core.RoleTool, result("c2", "", "r2", core.StatusOK)), message(core.RoleTool, result("c1", "f", "r1", 0)),
		},
		`{"role":"model","parts":[{"text":"so"},{"functionCall":{"id":"c1","name":"f","args":{"a" : 1}}},{"functionCall":{"id":"c2","name":"g"}}]}|` +
			`{"role":"user","parts":[{"functionResponse":{"id":"c2","name":"g","response":{"output":"r2"}}},{"functionResponse":{"id":"c1","name":"f","response":{"result":"r1"}}}]}`,
	},
	{
		"statuses",
		[]core.Message{message(core.RoleTool, result("1", "f", "a", core.StatusFailed), result("2", "f", "a", core.StatusPending))},
		`{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"error":"a"}}},{"functionResponse":{"id":"2","name":"f","willContinue":true,"response":{"result":"a"}}}]}`,
	},
	{
		"a result of several texts",
		[]core.Message{message(core.RoleTool, result("1", "f", "a", core.StatusFailed), result("1", "f", "b", core.StatusFailed)), message(core.RoleTool, result("1", "f", "c", 0), result("1", "f", "d", 0))},
		`{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"isError":true}}},` +
			`{"functionResponse":{"id":"1","name":"f","response":{"content":[{"type":"text","text":"c"},{"type":"text","text":"d"}]}}}]}`,
	},
	{
		"a result with media",
		[]core.Message{message(core.RoleTool, result("1", "f", "a", core.StatusOK), ofResult(media("image/png", pngURI, "auto"), "1", "f", core.StatusOK), result("1", "f", "é", core.StatusOK))},
		`{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"output":"a"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},` +
			`{"inlineData":{"mimeType":"text/plain","data":"w6k="}}]}}]}`,
	},
	{
		"results of media only",
		[]core.Message{message(core.RoleTool, ofResult(media("", "u", ""), "1", "f", 0), ofResult(media("", "u", ""), "2", "f", core.StatusOK), ofResult(media("", "u", ""), "3", "f", core.StatusFailed))},
		`{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{},"parts":[{"fileData":{"fileUri":"u"}}]}},` +
			`{"functionResponse":{"id":"2","name":"f","response":{"isError":false},"parts":[{"fileData":{"fileUri":"u"}}]}},` +
			`{"functionResponse":{"id":"3","name":"f","response":{"isError":true},"parts":[{"fileData":{"fileUri":"u"}}]}}]}`,
	},
	{
		"an id for two calls of a reply",
		[]core.Message{message(core.RoleAssistant, call("c", "f", "{}"), call("c", "f", "{}")), message(core.RoleTool, result("c", "f", "a", 0), result("c", "f", "b", 0))},
		`{"role":"model","parts":[{"functionCall":{"id":"c","name":"f","args":{}}},{"functionCall":{"id":"c","name":"f","args":{}}}]}|` +
			`{"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":{"result":"a"}}},{"functionResponse":{"id":"c","name":"f","response":{"result":"b"}}}]}`,
	},
	{
		"media",
		[]core.Message{message(core.RoleUser, media("image/png", pngURI, "ultra_high"), media("video/mp4", "gs://a", "low"), core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "image/gif", Data: []byte("GIF"), Width: 1}})},
		`{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="},"mediaResolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}},` +
			`{"fileData":{"mimeType":"video/mp4","fileUri":"gs://a"},"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}},{"inlineData":{"mimeType":"image/gif","data":"R0lG"}}]}`,
	},
	{
		"code that ran at Google",
		[]core.Message{message(core.RoleAssistant, opaque(`{"executableCode": {}}`), signed(opaque(`{"thought_signature":"s","tool_call":{}}`)))},
		`{"role":"model","parts":[{"executableCode": {}},{"thought_signature":"s","tool_call":{}}]}`,
	},
	{
		"assistant messages that stay apart",
		[]core.Message{reply(0, text("a")), reply(0, text("b")), reply(1, text("c")), reply(2, text("d"))},
		`{"role":"model","parts":[{"text":"a"}]}|{"role":"model","parts":[{"text":"b"}]}|{"role":"model","parts":[{"text":"c"}]}|{"role":"model","parts":[{"text":"d"}]}`,
	},
	{
		"a run of assistant messages before calls",
		[]core.Message{reply(0, text("a")), reply(0, text("b")), reply(0, call("1", "f", "{}"))},
		`{"role":"model","parts":[{"text":"a"},{"text":"b"},{"functionCall":{"id":"1","name":"f","args":{}}}]}`,
	},
	{
		"assistant messages that become one",
		[]core.Message{reply(1, text("a")), reply(1, text("b")), reply(2, call("1", "f", "{}")), reply(0, call("2", "f", "{}")), reply(0, text("c"))},
		`{"role":"model","parts":[{"text":"a"},{"text":"b"},{"functionCall":{"id":"1","name":"f","args":{}}},{"functionCall":{"id":"2","name":"f","args":{}}},{"text":"c"}]}`,
	},
	{"users stay apart", []core.Message{message(core.RoleUser, text("a")), message(core.RoleUser)}, `{"role":"user","parts":[{"text":"a"}]}|{"role":"user","parts":[]}`},
}

func TestEncode(t *testing.T) {
	for _, c := range encodeCases {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if !strings.HasPrefix(want, `{"systemInstruction"`) {
				want = `{"contents":[|` + strings.ReplaceAll(want, "}|{", "},|{") + "|]}|"
			}
			want = strings.Replace(want, "[||]", "[|]", 1)
			equalBytes(t, strings.ReplaceAll(want, "|", "\n"), encode(t, c.history, nil))
			keeps(t, c.history)
		})
	}
}

// What Gemini says itself comes back byte for byte where it is written in the same form.
func TestEncodeOwn(t *testing.T) {
	for _, c := range contentCases {
		history := parse(t, "["+strings.ReplaceAll(c.JSON, "\n", ",")+"]").Messages()
		if _, err := gemini.Encode(history, nil); err == nil {
			keeps(t, history)
		}
	}
}

func TestEncodeRequest(t *testing.T) {
	const parameters = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
	for _, c := range []struct {
		name          string
		schemas, docs []string
		want          string // behind the contents
	}{
		{"OpenAI chat", []string{` {"type":"function","function":{"name":"f","description":"d\n","parameters":` + parameters + `,"strict":false}}`}, nil, `"tools":[{"functionDeclarations":[{"name":"f","description":"d\n","parametersJsonSchema":` + parameters + `}]}]`},
		{"OpenAI Responses", []string{`{"type":"function","name":"f","parameters":` + parameters + `}`}, nil, `"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":` + parameters + `}]}]`},
		{"Anthropic", []string{`{"name":"f","input_schema":` + parameters + `,"cache_control":{}}`}, nil, `"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":` + parameters + `}]}]`},
		{"Gemini's own", []string{`{"name": "f", "parameters":{"type":"OBJECT"}, "response":{}}`, `{"name":"g"}`}, nil, `"tools":[{"functionDeclarations":[{"name": "f", "parameters":{"type":"OBJECT"}, "response":{}},|{"name":"g"}]}]`},
		{"what is no function", []string{`{"googleSearch":{}}`, `{"name":"g"}`, `{"type":"web_search"}`}, nil, `"tools":[{"functionDeclarations":[{"name":"g"}]},|{"googleSearch":{}},|{"type":"web_search"}]`},
		{"a schema of the reply", nil, []string{parameters}, `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":` + parameters + `}`},
		{"a named one", nil, []string{`{"name":"s","schema":` + parameters + `}`}, `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":` + parameters + `}`},
		{"one in Gemini's dialect", nil, []string{`{"type":"OBJECT"}`}, `"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := encode(t, nil, &core.Request{Schemas: c.schemas, Docs: c.docs, Reserve: 7})
			equalBytes(t, strings.ReplaceAll(`{"contents":[|],|`+c.want+"}|", "|", "\n"), out)
			again := encode(t, nil, parse(t, out).Request())
			equalBytes(t, out, again)
		})
	}
}

func TestEncodeLosses(t *testing.T) {
	image := &core.Media{URL: pngURI}
	history := []core.Message{
		{Role: core.RoleSystem, Name: "ops", Parts: parts(media("", "u", ""), signed(text("a")))},
		{Role: core.RoleUser, Name: "jo", Parts: parts(text("\xff"), result("c", "f", "r", 0), thought("a"), opaque(`{"type":"x"}`), core.Part{Media: image})},
		{Role: core.RoleUser, Parts: parts(media("", "", ""), media("", "data:,a", ""), media("", "data:;base64,AA==", ""), media("", "u", "original"), core.Part{Kind: core.KindMedia}, core.Part{Kind: core.KindMedia, Text: "t", Media: image})},
		{Role: core.RoleAssistant, Parts: parts(signed(thought("a")), call("c", "", "{}"), call("c", "f", "[]"), call("c", "f", `{"a`), signed(call("c", "f", "")), call("c", "f", "{\"a\":\"\xff\"}"))},
		{Role: core.RoleTool, Parts: parts(result("x", "", "r", 0), result("c", "f", "r", core.StatusDenied), text("a"), ofResult(media("", "u", "low"), "c", "f", 0), signed(result("c", "g", "r", 0)), core.Part{Kind: core.KindToolResult, Tool: "h", Text: "t", Media: image})},
		{Role: core.RoleTool},
		{Role: core.RoleSystem, Parts: parts(text("late"))},
		{Parts: parts(text("late"))},
	}
	r := &core.Request{
		Schemas: []string{"f", "[]", `{"type":"custom","name":"f"}`, `{"type":"function","name":"f","strict":true,"parameters":{}}`, `{"name":"f","input_schema":{},"input_examples":[]}`},
		Docs:    []string{"a text", `{"type":"object"}`, `{"type":"object"}`, `{"a":1}`},
	}
	assert.Equal(t, []string{
		"message 0: an author's name",
		"message 0, part 0: a part of kind media in a message of role system",
		"message 0, part 1: a signature",
		"message 1: an author's name",
		"message 1, part 0: text that is not UTF-8",
		"message 1, part 1: a part of kind tool-result in a message of role user",
		"message 1, part 2: a part of kind reasoning in a message of role user",
		"message 1, part 3: a part of a form that is not Gemini's",
		"message 1, part 4: media in a part of kind text",
		"message 2, part 0: media without content",
		"message 2, part 1: a data: URI that is not base64",
		"message 2, part 2: media of unknown type",
		"message 2, part 3: the detail of media",
		"message 2, part 4: media without content",
		"message 2, part 5: text and media in one part",
		"message 3, part 0: a signature",
		"message 3, part 1: a call without a tool's name",
		"message 3, part 2: arguments that are no JSON object",
		"message 3, part 3: arguments that are no JSON object",
		"message 3, part 4: a signature",
		"message 3, part 5: text that is not UTF-8",
		"message 4, part 0: a result without a tool's name",
		"message 4, part 1: a result of status denied",
		"message 4, part 2: a part of kind text in a message of role tool",
		"message 4, part 3: the detail of media",
		"message 4, part 4: a signature",
		"message 4, part 5: text and media in one part",
		"message 5: a tool message without a result",
		"message 6: a system message behind others",
		"message 7: a message of unknown role",
		"request, part 0: a tool definition that is no JSON object",
		"request, part 1: a tool definition that is no JSON object",
		"request, part 2: a tool whose input is text",
		"request, part 3: arguments that strictly follow the schema",
		"request, part 4: a tool's input_examples",
		"request, part 0: a document beside the messages",
		"request, part 2: a document beside the messages",
		"request, part 3: a document beside the messages",
	}, suite.Losses(t, history, r))
}

func TestEncodeTooDeep(t *testing.T) {
	deep := `{"a":` + strings.Repeat("[", 9_997) + strings.Repeat("]", 9_997) + "}"
	_, err := gemini.Encode([]core.Message{message(core.RoleAssistant, call("c", "f", deep))}, nil)
	assert.EqualError(t, err, "gemini: encode: the format cannot hold it: request: JSON that is nested too deep")
}

// TestEncodeGenerated: without what the error lists, a history can be held, and comes back.
func TestEncodeGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		history, _, err := suite.Holdable(rapid.OneOf(coretest.Histories(coretest.Config{}), coretest.Malformed(coretest.Config{})).Draw(t, "history"))
		require.NoError(t, err)
		require.True(t, suite.Encodes(t, history, nil))
	})
}
