package format_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

const (
	user = `{"role":"user","content":"hi"}`
	said = `{"role":"assistant","content":"hello"}`
)

var detectCases = []struct{ name, format, reason, data string }{
	{"plain", "openai", "the messages are plain", `[` + user + `,` + said + `]`},
	{"plain lines", "openai", "the messages are plain", user + "\n\n" + said},
	{"one message", "openai", "the messages are plain", user},
	{"no messages", "openai", "the messages are plain", ` [ ] `},
	{"plain request", "openai", "the messages are plain", `{"model":"m","messages":[` + user + `],"system":null}`},
	{"role tool", "openai", "message 1 has role tool", `[` + user + `,{"role":"tool","tool_call_id":"a","content":"ok"}]`},
	{"calls", "openai", `message 0 has "tool_calls" or "function_call"`, `[{"role":"assistant","content":[{"type":"thinking","thinking":"h"}],"tool_calls":[]}]`},
	{"no calls", "openai", "the messages are plain", `[{"role":"assistant","content":"a","tool_calls":null}]`},
	{"thinking before calls", "openai", `message 1 has "tool_calls" or "function_call"`, `[{"role":"assistant","content":[{"type":"thinking","thinking":"h"}]},{"role":"assistant","function_call":{"name":"f"}}]`},
	{"picture", "openai", "message 0 has a part of type image_url", `[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}}]}]`},
	{"developer", "openai", `message 0 has "reasoning_content" or role developer`, `[{"role":"developer","content":"a"},` + user + `]`},
	{"tool of openai", "openai", `a tool has "function"`, `{"messages":[` + user + `],"tools":[{"type":"function","function":{"name":"f"}}]}`},
	{"lines behind many plain ones", "openai", "message 100 has role tool", strings.Repeat(user+"\n", 100) + `{"role":"tool","content":"ok"}`},

	{"system", "anthropic", `it has "system"`, `{"system":"be brief","messages":[` + user + `]}`},
	{"tool of anthropic", "anthropic", `a tool has "input_schema"`, `{"messages":[` + user + `],"tools":[{"name":"f","input_schema":{}}]}`},
	{"version", "anthropic", `it has "anthropic_version"`, `{"anthropic_version":"bedrock-2023-05-31","messages":[` + user + `]}`},
	{"tool use", "anthropic", "message 1 has a block of type tool_use", `[` + user + `,{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"f","input":{}}]}]`},
	{"tool result in lines", "anthropic", "message 1 has a block of type tool_result", user + "\n" + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}`},
	{"thinking", "anthropic", "message 0 has a block of type thinking", `[{"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"},{"type":"text","text":"a"}]}]`},
	{"image with a source", "anthropic", "message 0 has an image with a source", `[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"u"}}]}]`},
	{"a reply as it came", "anthropic", "message 1 has a block of type tool_use", `[` + user + `,{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t"}]}]`},

	{"input", "responses", `it has "input"`, `{"model":"m","input":[` + user + `]}`},
	{"input text", "responses", `it has "input"`, `{"model":"m","input":"hi"}`},
	{"call item", "responses", "message 1 is an item of type function_call", `[` + user + `,{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]`},
	{"reasoning item", "responses", "message 0 is an item of type reasoning", `{"type":"reasoning","summary":[]}` + "\n" + user},
	{"search item", "responses", "message 0 is an item of type web_search_call", `[{"type":"web_search_call","id":"w"}]`},
	{"input text part", "responses", "message 0 has a part of type input_text", `[{"role":"user","content":[{"type":"input_text","text":"a"}]}]`},
	{"typed messages", "responses", "message 0 has type message", `[{"type":"message","role":"user","content":"a"}]`},

	{"contents", "gemini", `it has "contents"`, `{"contents":[{"role":"user","parts":[{"text":"a"}]}]}`},
	{"parts", "gemini", `message 0 has "parts"`, `[{"role":"user","parts":[{"text":"a"}]}]`},
	{"one content", "gemini", `message 0 has "parts"`, `{"parts":[{"text":"a"}]}`},
	{"role model", "gemini", "message 1 has role model", `[{"role":"user"},{"role":"model"}]`},

	{"claude-code", "claude-code", `record 0 has "parentUuid"`, `{"parentUuid":null,"type":"user","message":` + user + `}`},
	{"stream-json in an array", "claude-code", `record 0 has "session_id" and is of type system`, `[{"type":"system","subtype":"init","session_id":"s"}]`},
	{"codex", "codex", `record 0 has a "payload" and is of type response_item`, `{"timestamp":"t","type":"response_item","payload":{"type":"message"}}`},
	{"pi", "pi", "record 0 has the type session", `{"type":"session","id":"s"}`},
	{"swe-agent", "swe-agent", `record 0 has a "history" with message types or agents`, `{"history":[{"role":"user","message_type":"observation","content":"a"}]}`},
	{"mini-swe-agent", "mini-swe-agent", "record 0 has the info of a mini-swe-agent run", `{"info":{"model_stats":{}},"messages":[` + user + `]}`},
	{"gemini-cli", "gemini-cli", `record 0 has "sessionId" and "projectHash"`, `{"sessionId":"s","projectHash":"p","messages":[]}`},
	{"checkpoint", "gemini-cli", `record 0 has a "history" of contents`, `{"history":[{"role":"user","parts":[]}]}`},
	{"a log behind broken lines", "pi", `record 0 has a "message" and is of type message`, "{\"type\":\"ses\n" + `{"type":"message","id":"a","message":` + user + `}`},
}

func TestDetect(t *testing.T) {
	for _, c := range detectCases {
		t.Run(c.name, func(t *testing.T) {
			f, reason, err := format.Detect([]byte(c.data))
			require.NoError(t, err)
			assert.Equal(t, c.format, f.Name)
			assert.Equal(t, c.reason, reason)
			h, err := format.Parse([]byte(c.data), format.Auto)
			if err == nil {
				_, writes := h.(wire.Conversation)
				assert.Equal(t, f.Writes, writes)
			} else {
				var syntax *wire.SyntaxError
				require.ErrorAs(t, err, &syntax)
				assert.Nil(t, h)
			}
		})
	}
}

func TestDetectErrors(t *testing.T) {
	for data, want := range map[string]string{
		"":                    "format: parse: line 1, byte 0: expected JSON or JSONL, found an empty file; write [] for a conversation without messages",
		" \n ":                "format: parse: line 2, byte 3: expected JSON or JSONL, found an empty file; write [] for a conversation without messages",
		"hello":               "format: parse: line 1, byte 0: expected JSON or JSONL, found invalid character 'h' looking for beginning of value",
		"7":                   "format: parse: line 1, byte 0: expected JSON or JSONL, found a number",
		"[{},\n{]":            "format: parse: line 2, byte 6: expected JSON or JSONL, found invalid character ']' looking for beginning of object key string",
		`{"role":"us`:         "format: parse: line 1, byte 11: expected JSON or JSONL, found unexpected end of JSON input",
		"\n{\"events\":[{}]}": "format: parse: line 2, byte 1: expected a conversation, or the log of an agent, found an object without \"messages\", \"contents\" or \"input\"; pass the part of the file that holds the messages",
	} {
		_, _, err := format.Detect([]byte(data))
		var syntax *wire.SyntaxError
		require.ErrorAs(t, err, &syntax, data)
		assert.Equal(t, want, err.Error())
		_, err = format.Parse([]byte(data), "")
		assert.EqualError(t, err, want)
	}
}

// The samples of the logs, each of which says in its name what it is.
func TestSessionLogs(t *testing.T) {
	files, err := filepath.Glob("../sessionlog/testdata/*.json*")
	require.NoError(t, err)
	agents := map[string]string{"claude": "claude-code", "swe": "swe-agent", "mini": "mini-swe-agent", "gemini": "gemini-cli"}
	seen := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, ".want") {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		want, _, _ := strings.Cut(filepath.Base(file), "-")
		if agent, ok := agents[want]; ok {
			want = agent
		}
		if filepath.Base(file) == "gemini-contents.json" { // which can be written
			want = "gemini"
		}
		f, reason, err := format.Detect(data)
		require.NoError(t, err)
		assert.Equal(t, want, f.Name, "%s: %s", file, reason)
		seen[f.Name] = true
		h, err := format.Parse(data, format.Auto)
		require.NoError(t, err)
		assert.NotEmpty(t, h.Messages())
	}
	for _, agent := range sessionlog.Agents() {
		assert.True(t, seen[agent], agent)
	}
}

func TestTable(t *testing.T) {
	all := format.All()
	var logs []string
	for i, f := range all {
		same, ok := format.ByName(f.Name)
		assert.True(t, ok)
		assert.Equal(t, f.Description, same.Description)
		assert.NotEmpty(t, f.Description)
		assert.True(t, f.Writes || i > 0 && !all[len(all)-1].Writes)
		if !f.Writes {
			logs = append(logs, f.Name)
		}
		if _, err := f.Parse([]byte("no JSON")); assert.Error(t, err) {
			var syntax *wire.SyntaxError
			assert.ErrorAs(t, err, &syntax)
		}
	}
	assert.Equal(t, sessionlog.Agents(), logs, "every agent's logs are a format")
	assert.True(t, slices.IsSortedFunc(all, func(a, b format.Format) int {
		switch {
		case a.Writes == b.Writes:
			return 0
		case a.Writes:
			return -1
		default:
			return 1
		}
	}))
	all[0] = format.Format{}
	assert.Equal(t, "openai", format.All()[0].Name, "the list is a copy")
}

func TestParseByName(t *testing.T) {
	data := []byte(`[` + user + `]`)
	for _, name := range []string{"openai", "anthropic", "responses"} { // whoever asks for one gets it
		h, err := format.Parse(data, name)
		require.NoError(t, err)
		assert.Len(t, h.Messages(), 1)
		assert.NotNil(t, h.Request())
	}
	_, err := format.Parse(data, "anthropics")
	assert.Equal(t, format.UnknownError("anthropics"), err)
	assert.ErrorContains(t, err, `no format "anthropics"; there are openai, anthropic, responses, gemini, claude-code`)
}
