package openai_test

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/openai"
)

// collect runs an editor that proposes these edits, and returns the view.
func collect(t *testing.T, c *openai.Conversation, edits ...core.Edit) []core.Message {
	t.Helper()
	editor := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values(edits) })
	w := core.NewWindow(c.Messages())
	refused, err := core.Apply(w, editor)
	require.NoError(t, err)
	require.Empty(t, refused)
	return w.View()
}

// orphaned is a history in which a result's call is missing.
const orphaned = `{"role":"user","content":"a"}
{"role":"tool","tool_call_id":"lost","content":"left over"}
{"role":"tool","content":"without an id"}
{"role":"function","name":"f","content":"left over"}
{"role":"assistant","content":"b"}
{"role":"user","content":"c"}
`

func TestFault_Orphan_InTheInput(t *testing.T) {
	c := parse(t, orphaned)
	var rules []string
	for _, v := range core.Check(core.OpenAI, c.Messages()) {
		rules = append(rules, v.Rule)
	}
	assert.Contains(t, rules, "orphan-result")
	view := collect(t, c, core.Edit{Op: core.Drop, Msg: 4, Part: -1, By: -1, Reason: "test"})
	equalBytes(t, strings.ReplaceAll(orphaned, `{"role":"assistant","content":"b"}`+"\n", ""), write(t, c, view))
}

func TestFault_Orphan_EmptyResultIsAResult(t *testing.T) {
	for _, content := range []string{``, `,"content":null`, `,"content":""`, `,"content":[]`, `,"content":[{"type":"tool_reference"}]`} {
		c := parse(t, `{"role":"user","content":"a"}
{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"c"`+content+`}
{"role":"assistant","content":"b"}`)
		assert.Empty(t, core.Check(core.OpenAI, c.Messages()), content)
		assert.False(t, core.NewGroups(c.Messages()).List[1].Open, content)
	}
}

func TestFault_Args_NotJSON(t *testing.T) {
	for raw, want := range map[string]string{
		`"x"`:             `x`,
		`"{\"path\":\"a"`: `{"path":"a`,
		`""`:              ``,
		`{"path" : "a"}`:  `{"path" : "a"}`,
		`[1.0]`:           `[1.0]`,
		`7e2`:             `7e2`,
		`"\ud83d"`:        "\ufffd",
	} {
		doc := `[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning":"r","tool_calls":[{"id":"c","function":{"name":"f","arguments":` +
			raw + `}}]},{"role":"tool","tool_call_id":"c","content":"` + strings.Repeat("long ", 100) + `"},{"role":"assistant","content":"e"},{"role":"user","content":"d"}]`
		c := parse(t, doc)
		assert.Equal(t, want, c.Messages()[1].Parts[2].Text)
		view := collect(t, c,
			core.Edit{Op: core.Elide, Msg: 1, Part: 0, By: -1, Reason: "old"},
			core.Edit{Op: core.Elide, Msg: 2, Part: 0, By: -1, Reason: "old"})
		got := write(t, c, view)
		assert.Contains(t, got, `"arguments":`+raw+`}`, "arguments keep their bytes")
		assert.NotContains(t, got, "reasoning")
		assert.Contains(t, got, `"content":"`+core.MarkerPrefix)
	}
}

func TestFault_Unicode_KeptAsItIs(t *testing.T) {
	for name, raw := range map[string]string{
		"surrogate pair":  `\ud83d\ude00`,
		"lone surrogates": `\ud83d and \ude00`,
		"combining marks": "e\u0301 \\u0065\\u0301",
		"emoji sequence":  "👩‍👩‍👧 \\ud83d\\udc69\\u200d",
		"invalid UTF-8":   "a\xff\xc3b\\n\xed\xa0\x80",
		"separators":      "\u2028\u2029\\u2028",
		"NUL":             `\u0000`,
	} {
		doc := `[{"role":"user","content":"` + raw + `"},{"role":"assistant","content":[{"type":"text","text":"` + raw + `"},{"type":"text","text":"` + raw + `"}]}]`
		c := parse(t, doc)
		assert.Equal(t, doc, write(t, c, c.Messages()), name)
		assert.Equal(t, strings.Replace(doc, raw+`"}]`, `cut"}]`, 1), write(t, c, retext(1, 1, "cut")(slices.Clone(c.Messages()))), name)
	}
}

func TestFault_Unicode_Decoded(t *testing.T) {
	c := parse(t, "{\"role\":\"user\",\"content\":\"\\ud83d\\ude00 \\ud83d \xff \\t\"}")
	assert.Equal(t, "😀 \ufffd \xff \t", c.Messages()[0].Parts[0].Text)
	view := retext(0, 0, c.Messages()[0].Parts[0].Text+"!")(slices.Clone(c.Messages()))
	equalBytes(t, "{\"role\":\"user\",\"content\":\"😀 \ufffd \ufffd \\t!\"}", write(t, c, view))
}

func TestFault_Image_Elided(t *testing.T) {
	image := `{"type":"image_url","image_url":{"url":"data:image/png;base64,` + strings.Repeat("A", 400) + `","detail":"high"}}`
	c := parse(t, `[{"role":"user","content":"a"},
{"role":"user","content":[{"type":"text","text":"see"}, `+image+` ],"x":null},
{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"c","content":[`+image+`,{"type":"text","text":"data:image/png;base64,AAAA"}]},
{"role":"assistant","content":"b"},{"role":"user","content":"d"}]`)
	shown := c.Messages()[1].Parts[1].Media
	assert.Equal(t, "image/png", shown.MIME)
	assert.Equal(t, "high", shown.Detail)
	assert.Nil(t, c.Messages()[3].Parts[1].Media, "a data: URI in a text is text")

	view := collect(t, c,
		core.Edit{Op: core.Elide, Msg: 1, Part: 1, By: -1, Reason: "old"},
		core.Edit{Op: core.Elide, Msg: 3, Part: 0, By: -1, Reason: "old"})
	got := write(t, c, view)
	assert.NotContains(t, got, "AAAAA")
	assert.Contains(t, got, `[{"type":"text","text":"see"}, {"type":"text","text":"[trimkit: image/png removed: old;`)
	assert.Contains(t, got, `"content":[{"type":"text","text":"[trimkit: image/png removed: old;`)
	back := parse(t, got).Messages()
	assert.Equal(t, view[1].Parts[1].Text, back[1].Parts[1].Text)
	assert.Equal(t, view[3].Parts[0].Text, back[3].Parts[0].Text)
	assert.Equal(t, core.KindToolResult, back[3].Parts[0].Kind)
}

func TestFault_Think_WholeOrGone(t *testing.T) {
	const thinking = `{"type":"thinking","thinking":"a\u003cb","signature":"sig=="}`
	doc := `[{"role":"user","content":"a"},
{"role":"assistant","content":[` + thinking + `,{"type":"redacted_thinking","data":"xx"}, {"type":"text","text":"b"}]},
{"role":"assistant","reasoning_content":"hm, hm","content":"c"},{"role":"user","content":"d"}]`
	c := parse(t, doc)
	for i, signed := range []bool{true, true, false} {
		assert.Equal(t, signed, c.Messages()[1].Parts[i].Signed)
	}

	got := write(t, c, retext(1, 2, "B")(slices.Clone(c.Messages())))
	assert.Contains(t, got, thinking, "the signed bytes stay beside an edited text")

	got = write(t, c, all(without(1, 0, 1), without(2, 0))(slices.Clone(c.Messages())))
	equalBytes(t, `[{"role":"user","content":"a"},
{"role":"assistant","content":[{"type":"text","text":"b"}]},
{"role":"assistant","content":"c"},{"role":"user","content":"d"}]`, got)

	view := collect(t, c, core.Edit{Op: core.Elide, Msg: 2, Part: 0, By: -1, Reason: "old"})
	assert.Equal(t, strings.Replace(doc, `"reasoning_content":"hm, hm",`, "", 1), write(t, c, view))
	assert.True(t, json.Valid([]byte(got)))
}
