package responses_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

func TestShapes(t *testing.T) {
	const m = `{"role":"user","content":"a"}`
	for doc, want := range map[string]struct {
		shape wire.Shape
		n     int
	}{
		`{"input":"a"}`:                           {wire.ShapeRequest, 1},
		`{"input":"a","instructions":"b"}`:        {wire.ShapeRequest, 2},
		`{"input":[],"instructions":""}`:          {wire.ShapeRequest, 0},
		`{"input":[],"instructions":null}`:        {wire.ShapeRequest, 0},
		`[{"id":"msg_1"}]`:                        {wire.ShapeArray, 1},
		`{"id":"msg_1"}`:                          {wire.ShapeLines, 1},
		`{"id":"r","input":[` + m + `]}`:          {wire.ShapeRequest, 1},
		"\xef\xbb\xbf" + m + "\n\n{\"id\":\"m\"}": {wire.ShapeLines, 2},
		"{\n\"type\":\"compaction\"\n}\n":         {wire.ShapeLines, 1},
		`{"type":"custom_tool_call","input":"not a request","name":"f","call_id":"c"}`: {wire.ShapeLines, 1},
	} {
		c := parse(t, doc)
		assert.Equal(t, want.shape, c.Shape(), doc)
		assert.Len(t, c.Messages(), want.n, doc)
	}
}

func TestInputString(t *testing.T) {
	c := parse(t, `{"input": "a\u00e9" ,"instructions":"be brief"}`)
	assert.Equal(t, []core.Message{
		{Role: core.RoleSystem, Src: 1, Parts: []core.Part{{Text: "be brief", Slot: 1}}},
		{Role: core.RoleUser, Src: 2, Parts: []core.Part{{Text: "aé", Slot: 1}}},
	}, c.Messages())
}

func TestRequest(t *testing.T) {
	c := parse(t, `{"tools":[ {"type":"function", "name":"f"} ,{"type":"web_search"}],"input":[],
"text":{"verbosity":"low","format":{"type":"json_schema", "name":"s","schema":{}}},"max_output_tokens":5}`)
	assert.Equal(t, &core.Request{
		Schemas: []string{`{"type":"function", "name":"f"}`, `{"type":"web_search"}`},
		Docs:    []string{`{"type":"json_schema", "name":"s","schema":{}}`},
	}, c.Request())
	assert.Same(t, c.Request(), c.Request())
	for _, doc := range []string{`[]`, `{"input":"","tools":null,"text":{"format":{"type":"text"}}}`, `{"type":"x","tools":[1]}`} {
		assert.Equal(t, &core.Request{}, parse(t, doc).Request(), doc)
	}
}

func TestPreviousResponse(t *testing.T) {
	for doc, want := range map[string]string{
		`{"input":"a"}`: "",
		`{"input":"a","previous_response_id":null}`:  "",
		`{"input":"a","previous_response_id":"r_1"}`: "r_1",
		`{"input":"a","conversation":"conv_1"}`:      "conv_1",
		`{"input":"a","conversation":{"id":"c_1"}}`:  "c_1",
		`[]`: "",
	} {
		assert.Equal(t, want, parse(t, doc).PreviousResponse(), doc)
	}

	const items = `"input":[{"type":"function_call_output","call_id":"c1","output":"there"},
{"type":"function_call","call_id":"c2","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c2","output":"here"}]}`
	c := parse(t, `{"previous_response_id":"r_1",`+items)
	assert.Equal(t, core.Locked, c.Messages()[0].Policy, "the provider has its call")
	assert.Zero(t, c.Messages()[2].Policy)
	assert.Zero(t, parse(t, "{"+items).Messages()[0].Policy, "nobody has its call")
}

// Which messages are one reply.
func TestReplies(t *testing.T) {
	const (
		user      = `{"role":"user","content":"u"}`
		system    = `{"role":"developer","content":"s"}`
		assistant = `{"role":"assistant","content":"a"}`
		reasoning = `{"type":"reasoning","id":"rs","summary":[]}`
		search    = `{"type":"web_search_call","id":"ws"}`
		compact   = `{"type":"compaction","encrypted_content":"x"}`
	)
	call := func(id string) string {
		return `{"type":"function_call","call_id":"` + id + `","name":"f","arguments":"{}"}`
	}
	out := func(id string) string { return `{"type":"function_call_output","call_id":"` + id + `","output":"r"}` }
	by := func(program, item string) string {
		return strings.Replace(item, `{`, `{"caller":{"type":"program","caller_id":"`+program+`"},`, 1)
	}
	for _, c := range []struct {
		name  string
		items []string
		want  []int32
	}{
		{"a run", []string{user, reasoning, search, assistant, call("1"), call("2"), out("2"), out("1"), assistant}, []int32{0, 1, 1, 1, 1, 1, 0, 0, 2}},
		{"a user's note", []string{assistant, user, assistant}, []int32{1, 0, 2}},
		{"a system's note", []string{assistant, system, assistant}, []int32{1, 0, 2}},
		{"call by call", []string{reasoning, call("1"), out("1"), call("2"), out("2")}, []int32{1, 1, 0, 2, 0}},
		{"a compaction", []string{assistant, compact, reasoning, assistant}, []int32{1, 0, 2, 2}},
		{
			"a program",
			[]string{
				reasoning, `{"type":"program","call_id":"p","code":"x"}`, by("p", call("1")), by("p", out("1")), by("p", call("2")), by("p", out("2")),
				`{"type":"program_output","call_id":"p","result":"r"}`, assistant,
			},
			[]int32{1, 1, 1, 0, 1, 0, 0, 2},
		},
		{"an unknown program", []string{by("p", call("1")), by("p", out("1")), by("p", call("2"))}, []int32{1, 0, 2}},
	} {
		var got []int32
		for _, m := range parse(t, "["+strings.Join(c.items, ",\n")+"]").Messages() {
			got = append(got, m.Reply)
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

func TestSyntaxErrors(t *testing.T) {
	const m = `{"role":"user","content":"a"}`
	suite.SyntaxErrors(t, []wiretest.SyntaxCase{
		{"no input", `{"model":"m"}`, 1, -1, 0, `expected an object with "input" (a request) or "type" or "role" or "id" (a message), found neither`},
		{"a response", `{"id":"resp_1","object":"response","output":[]}`, 1, 0, 0, `found an object of the API; this looks like a response: pass its "output"`},
		{"an empty id", `{"id":""}`, 1, 0, 0, "found none of them"},
		{"a request in a list", `[{"id":"r","input":[]}]`, 1, 0, 1, "read the lines one by one"},
		{"input an object", `{"input":{}}`, 1, -1, 9, `expected a string or an array as "input", found an object`},
		{"input null", `{"input":null}`, 1, -1, 9, `expected a string or an array as "input", found null`},
		{"instructions an array", `{"input":[],"instructions":[]}`, 1, -1, 27, `expected a string as "instructions", found an array`},
		{"tools no array", `{"input":[],"tools":{}}`, 1, -1, 20, `expected an array as "tools", found an object`},
		{"no type", "[" + m + `,{"content":"a"}]`, 1, 1, 31, `expected an item with "type", "role" or "id", found none of them`},
		{"type no string", `[{"type":7}]`, 1, 0, 9, `expected a string as "type", found a number`},
		{"no role", `[{"type":"message"}]`, 1, 0, 1, `expected a message with "role", found none`},
		{"role no string", `[{"role":7}]`, 1, 0, 9, `expected a string as "role", found a number`},
		{"content a number", `[{"role":"user","content":7}]`, 1, 0, 26, `expected a string, an array or null as "content", found a number`},
		{"content an object", `[{"role":"user","content":{}}]`, 1, 0, 26, `as "content", found an object`},
		{"output a number", `[{"type":"function_call_output","output":7}]`, 1, 0, 41, `as "output", found a number`},
		{"reason an object", `[{"type":"mcp_approval_response","reason":{}}]`, 1, 0, 42, `as "reason", found an object`},
		{"summary an object", `[{"type":"reasoning","summary":{}}]`, 1, 0, 31, `expected an array as "summary", found an object`},
		{"reasoning a number", `[{"type":"reasoning","content":7}]`, 1, 0, 31, `expected an array as "content", found a number`},
	})
}
