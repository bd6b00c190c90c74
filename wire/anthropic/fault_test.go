package anthropic_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/anthropic"
)

// collect runs an editor that proposes these edits, and returns the view.
func collect(t *testing.T, c *anthropic.Conversation, edits ...core.Edit) []core.Message {
	t.Helper()
	editor := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values(edits) })
	w := core.NewWindow(c.Messages(), core.WithProfile(core.Anthropic))
	refused, err := core.Apply(w, editor)
	require.NoError(t, err)
	require.Empty(t, refused)
	return w.View()
}

func elide(msg, part int) core.Edit {
	return core.Edit{Op: core.Elide, Msg: msg, Part: part, By: -1, Reason: "old"}
}

func dropped(msg int) core.Edit {
	return core.Edit{Op: core.Drop, Msg: msg, Part: -1, By: -1, Reason: "old"}
}

// rules returns the names of the rules that a history breaks.
func rules(history []core.Message) []string {
	var names []string
	for _, v := range core.Check(core.Anthropic, history) {
		names = append(names, v.Rule)
	}
	return names
}

// asks is an assistant message with calls of these ids.
func asks(ids ...string) string {
	blocks := make([]string, len(ids))
	for i, id := range ids {
		blocks[i] = `{"type":"tool_use","id":"` + id + `","name":"f","input":{}}`
	}
	return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
}

// answers is a result, without its message.
func answers(id, content string) string {
	return `{"type":"tool_result","tool_use_id":"` + id + `","content":"` + content + `"}`
}

const (
	said  = `{"role":"assistant","content":"said"}`
	asked = `{"role":"user","content":"asked"}`
)

func says(blocks ...string) string {
	return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
}

func lines(messages ...string) string { return strings.Join(messages, "\n") }

const plainHint = `{"type":"text","text":"and be quick"}`

func TestFault_Orphan_InTheInput(t *testing.T) {
	doc := lines(asked, says(answers("lost", "left over"), plainHint), said, asked)
	c := parse(t, doc)
	assert.Equal(t, []string{"orphan-result"}, rules(c.Messages()))
	view := collect(t, c, dropped(3))
	equalBytes(t, lines(asked, says(answers("lost", "left over"), plainHint), asked), write(t, c, view))
	assert.Equal(t, []string{"orphan-result"}, rules(parse(t, write(t, c, view)).Messages()))
}

func TestFault_Orphan_EmptyResultIsAResult(t *testing.T) {
	for _, content := range []string{``, `,"content":null`, `,"content":""`, `,"content":[]`, `,"content":[{"type":"tool_reference"}]`} {
		c := parse(t, lines(asked, asks("c"), says(`{"type":"tool_result","tool_use_id":"c"`+content+`}`), said))
		assert.Empty(t, core.Check(core.Anthropic, c.Messages()), content)
		assert.False(t, core.NewGroups(c.Messages()).List[1].Open, content)
	}
}

// What the user says beside results stays when the exchange leaves, and results stay when
// what is said leaves.
func TestFault_Orphan_HalvesOfAMessage(t *testing.T) {
	c := parse(t, lines(asked, asks("c"), says(answers("c", "r"), plainHint), said, asked, said))
	equalBytes(t, lines(asked, says(plainHint), said, asked, said), write(t, c, collect(t, c, dropped(1))))
	equalBytes(t, lines(asked, asks("c"), says(answers("c", "r")), said, asked, said), write(t, c, collect(t, c, dropped(3))))
}

func TestFault_Orphan_ServerToolsOverMessages(t *testing.T) {
	paused := `{"role":"assistant","content":[` + searchCall + `]}`
	resumed := `{"role":"assistant","content":[` + searchResult + `,{"type":"text","text":"found"}]}`
	c := parse(t, lines(asked, paused, resumed, asked, said))
	groups := core.NewGroups(c.Messages())
	assert.Equal(t, groups.Of[1], groups.Of[2], "one reply")
	equalBytes(t, lines(asked, asked, said), write(t, c, collect(t, c, dropped(2))))
}

func TestFault_Parallel_ThreeOfFour(t *testing.T) {
	doc := lines(asked, asks("c1", "c2", "c3", "c4"), says(answers("c3", "3"), answers("c1", "1"), answers("c4", "4"), plainHint), said, asked)
	c := parse(t, doc)
	assert.Equal(t, []string{"unanswered-call"}, rules(c.Messages()))
	groups := core.NewGroups(c.Messages())
	assert.Equal(t, []int{1, 2}, groups.List[groups.Of[1]].Msgs, "one exchange, without the hint")
	equalBytes(t, lines(asked, says(plainHint), said, asked), write(t, c, collect(t, c, dropped(2))))
}

func TestFault_Parallel_ResultsOverMessages(t *testing.T) {
	c := parse(t, lines(asked, asks("c1", "c2"), says(answers("c2", "2")), says(answers("c1", "1")), said, asked))
	assert.Empty(t, rules(c.Messages()))
	equalBytes(t, lines(asked, said, asked), write(t, c, collect(t, c, dropped(1))))
}

func TestFault_FirstUser_StaysFirst(t *testing.T) {
	doc := `{"system":"s","messages":[` + asked + `,` + asks("c") + `,` + says(answers("c", "r")) + `,` + said + `,` + asked + `]}`
	c := parse(t, doc)
	view := collect(t, c, dropped(4), dropped(2))
	out := write(t, c, view)
	equalBytes(t, `{"system":"s","messages":[`+asked+`,`+asked+`]}`, out)
	assert.Empty(t, rules(parse(t, out).Messages()))
}

func TestFault_Image_Elided(t *testing.T) {
	big := strings.ReplaceAll(image, "iVBORw0KGgo=", strings.Repeat("A", 400))
	c := parse(t, lines(asked, says(`{"type":"text","text":"see"}`, big), asks("c"),
		says(`{"type":"tool_result","tool_use_id":"c","content":[`+big+`,{"type":"text","text":"data:image/png;base64,AAAA"}],"cache_control":{"ttl":"1h"}}`), said, asked))
	shown := c.Messages()[1].Parts[1].Media
	assert.Equal(t, "image/png", shown.MIME)
	assert.Equal(t, "data:image/png;base64,"+strings.Repeat("A", 400), shown.URL)
	assert.Nil(t, c.Messages()[3].Parts[1].Media, "a data: URI in a text is text")

	view := collect(t, c, elide(1, 1), elide(3, 0))
	got := write(t, c, view)
	assert.NotContains(t, got, "AAAAA")
	const mark = ` tokens]","cache_control":{"type":"ephemeral"}}`
	assert.Contains(t, got, `{"type":"text","text":"see"},{"type":"text","text":"[trimkit: image/png removed: old;`)
	assert.Equal(t, 2, strings.Count(got, mark), "the cache marks stay")
	assert.Contains(t, got, `"content":[{"type":"text","text":"[trimkit: image/png removed: old;`)
	assert.Contains(t, got, `"cache_control":{"ttl":"1h"}}`)
	back := parse(t, got).Messages()
	assert.Equal(t, view[1].Parts[1].Text, back[1].Parts[1].Text)
	assert.Equal(t, core.KindToolResult, back[3].Parts[0].Kind)
}

func TestFault_Think_WholeOrGone(t *testing.T) {
	const thinking = `{"type":"thinking","thinking":"a\u003cb","signature":"sig=="}`
	doc := lines(asked, `{"role":"assistant","content":[`+thinking+`, {"type":"redacted_thinking","data":"xx"} , {"type":"thinking","thinking":"hm, hm"},{"type":"text","text":"b"}]}`, asked, said)
	c := parse(t, doc)
	for i, signed := range []bool{true, true, false} {
		assert.Equal(t, signed, c.Messages()[1].Parts[i].Signed)
	}
	assert.Contains(t, write(t, c, retext(1, 3, "B")(slices.Clone(c.Messages()))), thinking, "the signed bytes stay beside an edited text")

	got := write(t, c, collect(t, c, elide(1, 2)))
	equalBytes(t, strings.Replace(doc, ` , {"type":"thinking","thinking":"hm, hm"}`, "", 1), got)
	assert.Empty(t, rules(parse(t, got).Messages()))

	w := core.NewWindow(c.Messages(), core.WithProfile(core.Anthropic))
	refused, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values([]core.Edit{elide(1, 0), elide(1, 1)}) }))
	require.NoError(t, err)
	assert.Len(t, refused, 2, "the provider signed it")
}

func TestFault_Think_NeverLast(t *testing.T) {
	doc := lines(asked, `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}`, said, asked, said)
	c := parse(t, doc)
	assert.Empty(t, rules(c.Messages()), "the reply goes on")
	w := core.NewWindow(c.Messages(), core.WithProfile(core.Anthropic))
	refused, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values([]core.Edit{elide(1, 0)}) }))
	require.NoError(t, err)
	assert.Len(t, refused, 1)
	equalBytes(t, lines(asked, asked, said), write(t, c, collect(t, c, dropped(1))))
}

func TestFault_Args_KeptAsTheyAre(t *testing.T) {
	for raw, want := range map[string]string{
		`{"path" : "a", "n":1e400 ,"path":2}`: `{"path" : "a", "n":1e400 ,"path":2}`,
		`"x"`:                                 `x`,
		`"{\"path\":\"a"`:                     `{"path":"a`,
		`""`:                                  ``,
		`null`:                                ``,
		`[1.0]`:                               `[1.0]`,
		`7e2`:                                 `7e2`,
		"{\"a\":\"\\ud83d \xff\"}":            "{\"a\":\"\\ud83d \xff\"}",
	} {
		doc := lines(asked, `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"c","name":"f","input":`+raw+`}]}`,
			says(answers("c", strings.Repeat("long ", 100))), said, asked)
		c := parse(t, doc)
		assert.Equal(t, want, c.Messages()[1].Parts[1].Text)
		got := write(t, c, collect(t, c, elide(1, 0), elide(2, 0)))
		assert.Contains(t, got, `[{"type":"tool_use","id":"c","name":"f","input":`+raw+`}]`, "arguments keep their bytes")
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
		doc := `{"system":"` + raw + `","messages":[` + says(answers("c", raw), `{"type":"text","text":"`+raw+`"}`) + `]}`
		c := parse(t, doc)
		got := write(t, c, retext(2, 0, "cut")(slices.Clone(c.Messages())))
		equalBytes(t, `{"system":"`+raw+`","messages":[`+says(answers("c", raw), `{"type":"text","text":"cut"}`)+`]}`, got)
		assert.Equal(t, c.Messages()[0].Parts[0].Text, c.Messages()[1].Parts[0].Text, name)
	}
}

// A call that a person has not yet approved has no result: it stays open, whatever else is
// said, and its later result pairs with it.
func TestFault_Hitl_OpenCall(t *testing.T) {
	open := lines(asked, said, asked, asks("c1", "c2"), says(answers("c1", strings.Repeat("partial ", 50))))
	c := parse(t, open)
	w := core.NewWindow(c.Messages())
	assert.NotZero(t, w.Protection(3)&core.Open)
	refused, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values([]core.Edit{dropped(3), elide(4, 0)}) }))
	require.NoError(t, err)
	assert.Len(t, refused, 2)

	c = parse(t, open+"\n"+says(answers("c2", "late"), plainHint)+"\n"+said)
	groups := core.NewGroups(c.Messages())
	assert.Equal(t, []int{3, 4, 5}, groups.List[groups.Of[3]].Msgs)
	assert.False(t, groups.List[groups.Of[3]].Open)
	assert.Empty(t, rules(c.Messages()))
}
