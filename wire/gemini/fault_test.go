package gemini_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/gemini"
)

var long = strings.Repeat("long ", 100)

// collect runs an editor that proposes these edits, and returns the view.
func collect(t *testing.T, c *gemini.Conversation, edits ...core.Edit) []core.Message {
	t.Helper()
	view, refused := propose(t, c, edits...)
	require.Empty(t, refused)
	return view
}

func propose(t *testing.T, c *gemini.Conversation, edits ...core.Edit) ([]core.Message, []*core.LawError) {
	t.Helper()
	editor := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values(edits) })
	w := core.NewWindow(c.Messages(), core.WithProfile(core.Gemini))
	refused, err := core.Apply(w, editor)
	require.NoError(t, err)
	return w.View(), refused
}

func elide(msg, part int) core.Edit {
	return core.Edit{Op: core.Elide, Msg: msg, Part: part, By: -1, Reason: "old"}
}

func dropGroup(msg int) core.Edit {
	return core.Edit{Op: core.Drop, Msg: msg, Part: -1, By: -1, Reason: "old"}
}

func rules(c *gemini.Conversation) []string {
	var found []string
	for _, v := range core.Check(core.Gemini, c.Messages()) {
		found = append(found, v.Rule)
	}
	return found
}

func contents(list ...string) string { return "[" + strings.Join(list, ",\n") + "]" }
func user(text string) string        { return `{"role":"user","parts":[{"text":"` + text + `"}]}` }
func model(text string) string       { return `{"role":"model","parts":[{"text":"` + text + `"}]}` }

func calls(tools ...string) string {
	var list []string
	for _, tool := range tools {
		list = append(list, `{"functionCall":{"name":"`+tool+`"}}`)
	}
	return `{"role":"model","parts":[` + strings.Join(list, ",") + `]}`
}

func results(text string, tools ...string) string {
	var list []string
	for _, tool := range tools {
		list = append(list, `{"functionResponse":{"name":"`+tool+`","response":{"output":"`+text+`"}}}`)
	}
	return `{"role":"user","parts":[` + strings.Join(list, ", ") + `]}`
}

// orphaned is a history in which the calls of two results are missing.
var orphaned = contents(user("a"), results("left over", "f"), model("b"), user("b"), calls("g"), results("r", "g", "h"), user("c"))

func TestFault_Orphan_InTheInput(t *testing.T) {
	c := parse(t, orphaned)
	assert.Equal(t, []string{"orphan-result", "orphan-result"}, rules(c))
	view := collect(t, c, dropGroup(2))
	equalBytes(t, strings.Replace(orphaned, model("b")+",\n", "", 1), write(t, c, view))
}

// Results answer over two contents, with the user's words between them: one exchange.
func TestFault_Orphan_OverTwoContents(t *testing.T) {
	c := parse(t, contents(user("a"), calls("f", "f"), results("1", "f"), user("wait"), results("2", "f"), model("b"), user("c")))
	g := core.NewGroups(c.Messages())
	assert.Equal(t, []int{1, 2, 4}, g.List[g.Of[1]].Msgs)
	equalBytes(t, contents(user("a"), user("wait"), model("b"), user("c")), write(t, c, collect(t, c, dropGroup(4))))
}

func TestFault_Orphan_EmptyResultIsAResult(t *testing.T) {
	for _, response := range []string{``, `,"response":null`, `,"response":{}`, `,"response":{"result":""}`, `,"response":{},"parts":[{"x":1}]`, `,"response":{},"parts":[]`} {
		c := parse(t, contents(user("a"), calls("f"), `{"parts":[{"functionResponse":{"name":"f"`+response+`}}]}`, model("b")))
		assert.Empty(t, rules(c), response)
		assert.False(t, core.NewGroups(c.Messages()).List[1].Open, response)
	}
}

func TestFault_Parallel_AllOrNothing(t *testing.T) {
	tools := []string{"f", "g", "f", "h", "f", "g", "f", "h"}
	answered := slices.Clone(tools)
	slices.Reverse(answered)
	c := parse(t, contents(user("a"), calls(tools...), results("r", answered...), model("b"), user("c")))
	assert.Empty(t, rules(c))
	equalBytes(t, contents(user("a"), model("b"), user("c")), write(t, c, collect(t, c, dropGroup(2))))
}

func TestFault_Parallel_ThreeOfFour(t *testing.T) {
	c := parse(t, contents(user("a"), calls("f", "g", "f", "h"), results("r", "h", "f", "g"), user("b"), model("c"), user("d")))
	assert.Equal(t, []string{"unanswered-call"}, rules(c))
	assert.False(t, core.NewGroups(c.Messages()).List[1].Open, "the user went on: it is dead")
	equalBytes(t, contents(user("a"), user("b"), model("c"), user("d")), write(t, c, collect(t, c, dropGroup(1))))
}

// What a cut would leave before a call is kept apart from it, as the API demands.
func TestFault_FirstUser_CallsBehindTheModel(t *testing.T) {
	c := parse(t, contents(user("a"), model("b"), user("c"), calls("f"), results("r", "f"), model("d"), user("e")))
	assert.Empty(t, rules(c))
	view, _ := propose(t, c, dropGroup(2), elide(4, 0))
	got := parse(t, write(t, c, view))
	assert.Empty(t, rules(got))
}

func TestFault_Image_Elided(t *testing.T) {
	image := `{"inlineData":{"mimeType":"image/png","data":"` + strings.Repeat("A", 400) + `"}}`
	response := `{"functionResponse":{"name":"f","response":{"shot":{"$ref":"s"}},"parts":[` + strings.Replace(image, `"}}`, `","displayName":"s"}}`, 1) + `]}}`
	c := parse(t, contents(user("a"), `{"parts":[{"text":"see"}, `+image+`]}`, calls("f"), `{"role":"user","parts":[`+response+`]}`,
		calls("f"), `{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"ok"}}}, `+image+`]}`, model("b"), user("c")))
	assert.Equal(t, "image/png", c.Messages()[1].Parts[1].Media.MIME)
	assert.Equal(t, core.KindToolResult, c.Messages()[3].Parts[1].Kind)
	assert.Equal(t, core.KindToolResult, c.Messages()[5].Parts[1].Kind, "media beside a result is the result's")

	view := collect(t, c, elide(1, 1), elide(3, 1), elide(5, 1))
	got := write(t, c, view)
	assert.NotContains(t, got, "AAAAA")
	assert.Contains(t, got, `{"text":"see"}, {"text":"[trimkit: image/png removed: old;`)
	assert.Contains(t, got, `"displayName":"s"}}]}}`, "what the response refers to is still there")
	back := parse(t, got).Messages()
	for _, at := range [][2]int{{1, 1}, {3, 1}, {5, 1}} {
		was, is := view[at[0]].Parts[at[1]], back[at[0]].Parts[at[1]]
		assert.Equal(t, was.Text, is.Text)
		assert.Equal(t, was.Kind, is.Kind)
		assert.Nil(t, is.Media)
	}
}

func TestFault_Think_SignedStaysAsItCame(t *testing.T) {
	const signature = `"thoughtSignature":"c2\u006cn"`
	doc := contents(user("a"),
		`{"role":"model","parts":[{"text":"`+long+`","thought":true}, {"text":"hm","thought":true,`+signature+`},{"functionCall":{"name":"f"},`+signature+`}]}`,
		results(long, "f"),
		`{"role":"model","parts":[{"text":"`+long+`",`+signature+`}]}`, user("b"), model("c"), user("d"))
	c := parse(t, doc)

	_, refused := propose(t, c, elide(1, 1), core.Edit{Op: core.Shorten, Msg: 3, Part: 0, By: -1, Reason: "test", Text: "long"})
	require.Len(t, refused, 2)
	for _, law := range refused {
		assert.ErrorContains(t, law, "the provider signed it")
	}

	got := write(t, c, collect(t, c, elide(1, 0), elide(2, 0)))
	assert.Contains(t, got, `{"role":"model","parts":[{"text":"hm","thought":true,`+signature+`},{"functionCall":{"name":"f"},`+signature+`}]}`)
	assert.Contains(t, got, `{"text":"`+long+`",`+signature+`}`)

	got = write(t, c, collect(t, c, dropGroup(1), dropGroup(3)))
	equalBytes(t, contents(user("a"), user("b"), model("c"), user("d")), got)
}

func TestFault_Args_NotAnObject(t *testing.T) {
	for raw, want := range map[string]string{
		`"x"`:                 `"x"`,
		`[1.0]`:               `[1.0]`,
		`null`:                `{}`,
		`{"a":1e400,"a":"b"}`: `{"a":1e400,"a":"b"}`,
		`{"a" : "\ud83d"}`:    `{"a" : "\ud83d"}`,
	} {
		doc := contents(user("a"), `{"role":"model","parts":[{"text":"`+long+`","thought":true},{"functionCall":{"args":`+raw+`,"name":"f"}}]}`, results(long, "f"), model("b"), user("c"))
		c := parse(t, doc)
		assert.Equal(t, want, c.Messages()[1].Parts[1].Text)
		assert.Equal(t, !strings.HasPrefix(want, "{"), slices.Contains(rules(c), "bad-arguments"), raw)
		got := write(t, c, collect(t, c, elide(1, 0), elide(2, 0)))
		assert.Contains(t, got, `[{"functionCall":{"args":`+raw+`,"name":"f"}}]`, "arguments keep their bytes")
		assert.Contains(t, got, `"response":{"output":"`+core.MarkerPrefix)
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
		doc := contents(user(raw), `{"role":"model","parts":[{"text":"`+raw+`"},{"text":"`+raw+`"}]}`, results(raw, "f"))
		c := parse(t, doc)
		got := write(t, c, all(retext(1, 1, "cut"), retext(2, 0, "cut"))(slices.Clone(c.Messages())))
		assert.Equal(t, contents(user(raw), `{"role":"model","parts":[{"text":"`+raw+`"},{"text":"cut"}]}`, results("cut", "f")), got, name)
	}
}

func TestFault_HITL_OpenCallsWait(t *testing.T) {
	pending := `{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"` + long + `"},"willContinue":true}}]}`
	c := parse(t, contents(user("a"), model("b"), user("c"), calls("f", "g"), pending))
	g := core.NewGroups(c.Messages())
	assert.True(t, g.List[g.Of[3]].Open)
	_, refused := propose(t, c, dropGroup(3), elide(4, 0))
	assert.Len(t, refused, 2)

	late := parse(t, contents(user("a"), model("b"), user("c"), calls("f", "g"), pending, results("done", "f", "g"), model("d"), user("e")))
	g = core.NewGroups(late.Messages())
	assert.Equal(t, []int{3, 4, 5}, g.List[g.Of[3]].Msgs, "the later result still finds its call")
	assert.False(t, g.List[g.Of[3]].Open)
	assert.Empty(t, rules(late))
}
