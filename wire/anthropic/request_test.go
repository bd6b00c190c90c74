package anthropic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

const (
	searchCall   = `{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"q"}}`
	searchResult = `{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"u"}]}`
)

// serverCases are messages with what the provider itself puts there.
var serverCases = []wiretest.ReadCase{
	{
		"a server's tool", `{"role":"assistant","content":[` + searchCall + `,` + searchResult + `,{"type":"text","text":"a","citations":[{"type":"x"}]}]}`,
		messages(core.RoleAssistant, opaque(searchCall), opaque(searchResult), text("a")),
	},
	{
		"a paused turn", `{"role":"user","content":"q"}
{"role":"assistant","content":[` + searchCall + `]}
{"role":"assistant","content":[` + searchResult + `]}
{"role":"assistant","content":[{"type":"mcp_tool_use","id":"s1"},{"type":"mcp_tool_result"},{"type":"mcp_tool_result","tool_use_id":"s1"}]}`,
		[]core.Message{
			{Role: core.RoleUser, Parts: []core.Part{text("q")}},
			{Role: core.RoleAssistant, Reply: 2, Parts: []core.Part{opaque(searchCall)}},
			{Role: core.RoleAssistant, Reply: 2, Parts: []core.Part{opaque(searchResult)}},
			{Role: core.RoleAssistant, Parts: []core.Part{opaque(`{"type":"mcp_tool_use","id":"s1"}`), opaque(`{"type":"mcp_tool_result"}`), opaque(`{"type":"mcp_tool_result","tool_use_id":"s1"}`)}},
		},
	},
	{
		"calls by server code", `{"role":"assistant","content":[{"type":"server_tool_use","id":"s1"},{"type":"server_tool_use","id":"s2"},{"type":"tool_use","id":"c1","name":"f","input":{},"caller":{"tool_id":"s1"}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"}]}
{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"f","input":{},"caller":{"tool_id":"s1"}},{"type":"server_tool_use","id":"s3"}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"2"}]}
{"role":"assistant","content":[{"type":"code_execution_tool_result","tool_use_id":"s3"},{"type":"code_execution_tool_result","tool_use_id":"s2"}]}`,
		[]core.Message{
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{opaque(`{"type":"server_tool_use","id":"s1"}`), opaque(`{"type":"server_tool_use","id":"s2"}`), call("c1", "f", "{}")}},
			{Role: core.RoleTool, Parts: []core.Part{result("c1", "f", "1", 0)}},
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{call("c2", "f", "{}"), opaque(`{"type":"server_tool_use","id":"s3"}`)}},
			{Role: core.RoleTool, Parts: []core.Part{result("c2", "f", "2", 0)}},
			{Role: core.RoleAssistant, Reply: 1, Parts: []core.Part{opaque(`{"type":"code_execution_tool_result","tool_use_id":"s3"}`), opaque(`{"type":"code_execution_tool_result","tool_use_id":"s2"}`)}},
		},
	},
	{
		"a result before its call", `{"role":"assistant","content":[` + searchResult + `]}
{"role":"assistant","content":[` + searchCall + `]}
{"role":"user","content":[` + searchResult + `]}`,
		[]core.Message{
			{Role: core.RoleAssistant, Parts: []core.Part{opaque(searchResult)}},
			{Role: core.RoleAssistant, Parts: []core.Part{opaque(searchCall)}},
			{Role: core.RoleUser, Parts: []core.Part{opaque(searchResult)}},
		},
	},
	{
		"compaction", `{"role":"assistant","content":[{"type":"compaction","content":"so far"},{"type":"text","text":"a"}]}`,
		[]core.Message{{Role: core.RoleAssistant, Policy: core.Locked, Parts: []core.Part{opaque(`{"type":"compaction","content":"so far"}`), text("a")}}},
	},
	{
		"a system message in a user's", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"},{"type":"mid_conv_system","content":[]}]}`,
		[]core.Message{
			{Role: core.RoleTool, Parts: []core.Part{result("c", "", "r", 0)}},
			{Role: core.RoleUser, Src: 1, Policy: core.Locked, Parts: []core.Part{at(2, opaque(`{"type":"mid_conv_system","content":[]}`))}},
		},
	},
}

func TestSystem(t *testing.T) {
	for prompt, want := range map[string][]core.Part{
		`"be brief"`: {text("be brief")},
		`" "`:        {text(" ")},
		`[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":""},{"type":"x"}]`: {text("a"), text(""), opaque(`{"type":"x"}`)},
		`""`: nil, `null`: nil, `[ ]`: nil,
	} {
		c := parse(t, `{"messages":[{"role":"user","content":"a"}],"system" : `+prompt+`}`)
		user := messages(core.RoleUser, text("a"))
		if want == nil {
			assert.Equal(t, numbered(user, 1), c.Messages(), prompt)
			continue
		}
		assert.Equal(t, append(numbered(messages(core.RoleSystem, want...), 1), numbered(user, 2)...), c.Messages(), prompt)
	}
	c := parse(t, `{"system":"a","messages":[]}`)
	assert.Equal(t, numbered(messages(core.RoleSystem, text("a")), 1), c.Messages())
	c = parse(t, `{"system":"a","messages":[],"system":"b"}`)
	assert.Equal(t, numbered(messages(core.RoleSystem, text("b")), 1), c.Messages(), "the last of a name counts")
	c = parse(t, `{"role":"user","content":"a","system":"b"}`)
	assert.Len(t, c.Messages(), 1, "a message has no prompt")
}

func TestRequest(t *testing.T) {
	c := parse(t, `{"tools":[ {"name":"f", "input_schema":{"type":"object"}} ,{"type":"web_search_20250305","name":"web_search"}],"messages":[],
"output_config":{"format":{"type":"json_schema","schema":{"type": "object"}}},"max_tokens":5}`)
	assert.Equal(t, &core.Request{
		Schemas: []string{`{"name":"f", "input_schema":{"type":"object"}}`, `{"type":"web_search_20250305","name":"web_search"}`},
		Docs:    []string{`{"type": "object"}`},
	}, c.Request())
	assert.Same(t, c.Request(), c.Request())

	c = parse(t, `{"messages":[],"tools":null,"output_format":{"type":"json_schema","schema":{}}}`)
	assert.Equal(t, &core.Request{Docs: []string{"{}"}}, c.Request())
	for _, doc := range []string{`[]`, `{"messages":[],"output_config":{"effort":"low"}}`, `{"role":"user","tools":[1]}`} {
		assert.Equal(t, &core.Request{}, parse(t, doc).Request(), doc)
	}
}

func TestSyntaxErrors(t *testing.T) {
	const m = `{"role":"user","content":"a"}`
	suite.SyntaxErrors(t, []wiretest.SyntaxCase{
		{"messages no array", `{"messages":"a"}`, 1, -1, 12, `expected an array as "messages", found a string`},
		{"no role", "[" + m + `,{"content":"a"}]`, 1, 1, 31, `expected a message with "role", found none`},
		{"role no string", `[{"role":null}]`, 1, 0, 9, `expected a string as "role", found null`},
		{"content a number", "{\"system\":\"s\",\n\"messages\":[" + m + `,{"role":"user","content":7}]}`, 2, 1, 82, `as "content", found a number`},
		{"content an object", `[{"role":"assistant","content":{}}]`, 1, 0, 31, `as "content", found an object`},
		{"content a boolean", `[{"role":"x","content":true}]`, 1, 0, 23, `as "content", found a boolean`},
		{"system an object", `{"messages":[],"system":{}}`, 1, -1, 24, `expected a string or an array as "system", found an object`},
		{"tools no array", `{"messages":[],"tools":{}}`, 1, -1, 23, `expected an array as "tools", found an object`},
	})
}
