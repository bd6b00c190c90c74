package responses_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/responses"
)

// collect runs an editor that proposes these edits, and returns the view and what was
// refused.
func collect(t *testing.T, c *responses.Conversation, edits ...core.Edit) (view []core.Message, refused []*core.LawError) {
	t.Helper()
	editor := core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values(edits) })
	w := core.NewWindow(c.Messages(), core.WithProfile(core.Responses))
	refused, err := core.Apply(w, editor)
	require.NoError(t, err)
	return w.View(), refused
}

func dropAt(msg int) core.Edit {
	return core.Edit{Op: core.Drop, Msg: msg, Part: -1, By: -1, Reason: "old"}
}

func elideAt(msg, part int) core.Edit {
	return core.Edit{Op: core.Elide, Msg: msg, Part: part, By: -1, Reason: "old"}
}

func rules(history []core.Message) []string {
	var names []string
	for _, v := range core.Check(core.Responses, history) {
		names = append(names, v.Rule)
	}
	return names
}

// Items of a conversation for the tests of faults.
const (
	task   = `{"role":"user","content":"task"}`
	next   = `{"role":"user","content":"next"}`
	answer = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"done","annotations":[]}]}`
	sealed = `{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a\u003cb"}],"encrypted_content":"gAAAAxyz"}`
	call1  = `{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}","status":"completed"}`
	call2  = `{"type":"function_call","id":"fc_2","call_id":"c2","name":"f","arguments":"{}","status":"completed"}`
)

func out(id, text string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":"` + text + `"}`
}

func list(items ...string) string { return "[" + strings.Join(items, ",\n") + "]" }

func TestFault_Orphan_CallAndOutputLeaveTogether(t *testing.T) {
	c := parse(t, list(task, sealed, call1, next, out("c1", "r"), answer, next))
	for _, msg := range []int{1, 2, 4} {
		view, refused := collect(t, c, dropAt(msg))
		assert.Empty(t, refused)
		assert.Equal(t, list(task, next, answer, next), write(t, c, view), "by dropping message %d", msg)
	}
}

func TestFault_Orphan_InTheInput(t *testing.T) {
	doc := list(task, out("lost", "left over"), `{"type":"function_call_output","output":"without an id"}`, answer, next)
	c := parse(t, doc)
	assert.Equal(t, []string{"orphan-result", "orphan-result"}, rules(c.Messages()))
	view, _ := collect(t, c, dropAt(3))
	assert.Equal(t, strings.Replace(doc, answer+",\n", "", 1), write(t, c, view))
}

func TestFault_Orphan_EmptyOutputIsAResult(t *testing.T) {
	for _, output := range []string{``, `,"output":null`, `,"output":""`, `,"output":[]`, `,"output":[{"type":"x"}]`, `,"output":{}`} {
		c := parse(t, list(task, call1, `{"type":"function_call_output","call_id":"c1"`+output+`}`, answer))
		assert.Empty(t, rules(c.Messages()), output)
		assert.False(t, core.NewGroups(c.Messages()).List[1].Open, output)
	}
}

func TestFault_Orphan_CallIsWithTheProvider(t *testing.T) {
	for _, doc := range []string{
		`{"previous_response_id":"resp_1","input":` + list(out("c1", "r"), answer, next, answer, next) + `}`,
		list(`{"type":"item_reference","id":"fc_1"}`, out("c1", "r"), answer, next, answer, next),
	} {
		c := parse(t, doc)
		at := slices.IndexFunc(c.Messages(), func(m core.Message) bool { return m.Role == core.RoleTool })
		_, refused := collect(t, c, dropAt(at), elideAt(at, 0))
		assert.Len(t, refused, 2, "the output must be there for the call that nobody sees")
	}
}

func TestFault_Parallel_AllOrNothing(t *testing.T) {
	c := parse(t, list(task, call1, call2, out("c2", "two"), out("c1", "one"), answer, next))
	for msg := 1; msg <= 4; msg++ {
		view, _ := collect(t, c, dropAt(msg))
		assert.Equal(t, list(task, answer, next), write(t, c, view))
	}
}

func TestFault_Parallel_OneOfTwoAnswered(t *testing.T) {
	c := parse(t, list(task, call1, call2, out("c1", "one"), next, answer, next))
	assert.Equal(t, []string{"unanswered-call"}, rules(c.Messages()))
	view, _ := collect(t, c, dropAt(2))
	assert.Equal(t, list(task, next, answer, next), write(t, c, view))
}

func TestFault_Parallel_SameIDAgain(t *testing.T) {
	c := parse(t, list(task, call1, out("c1", "one"), answer, next, strings.Replace(call1, `"f"`, `"g"`, 1), out("c1", "two"), answer))
	assert.Equal(t, "f", c.Messages()[2].Parts[0].Tool)
	assert.Equal(t, "g", c.Messages()[6].Parts[0].Tool)
	view, _ := collect(t, c, dropAt(1))
	assert.Equal(t, list(task, answer, next, strings.Replace(call1, `"f"`, `"g"`, 1), out("c1", "two"), answer), write(t, c, view))
}

// The API asks for no first user message and no alternation, so nothing is put between.
func TestFault_FirstUser_NoNotices(t *testing.T) {
	c := parse(t, list(answer, task, answer, next))
	assert.Empty(t, rules(c.Messages()))
	view, _ := collect(t, c, dropAt(2))
	assert.Equal(t, list(answer, task, next), write(t, c, view))
	assert.Empty(t, rules(view))
}

func TestFault_Image_Elided(t *testing.T) {
	image := `{"type":"input_image","image_url":"data:image/png;base64,` + strings.Repeat("A", 400) + `","detail":"high"}`
	c := parse(t, list(task, `{"role":"user","content":[{"type":"input_text","text":"see"}, `+image+` ],"x":null}`, call1,
		`{"type":"function_call_output","call_id":"c1","output":[`+image+`,{"type":"input_text","text":"data:image/png;base64,AAAA"}]}`, answer, next))
	shown := c.Messages()[1].Parts[1].Media
	assert.Equal(t, "image/png", shown.MIME)
	assert.Equal(t, "high", shown.Detail)
	assert.Nil(t, c.Messages()[3].Parts[1].Media, "a data: URI in a text is text")

	view, refused := collect(t, c, elideAt(1, 1), elideAt(3, 0))
	assert.Empty(t, refused)
	got := write(t, c, view)
	assert.NotContains(t, got, "AAAAA")
	assert.Contains(t, got, `[{"type":"input_text","text":"see"}, {"type":"input_text","text":"[trimkit: image/png removed: old;`)
	assert.Contains(t, got, `"output":[{"type":"input_text","text":"[trimkit: image/png removed: old;`)
	back := parse(t, got).Messages()
	assert.Equal(t, view[1].Parts[1].Text, back[1].Parts[1].Text)
	assert.Equal(t, view[3].Parts[0].Text, back[3].Parts[0].Text)
}

// A screenshot costs what an image costs, and leaves with its call: the API takes no text
// in its place.
func TestFault_Image_Screenshot(t *testing.T) {
	meter := budget.NewMeter(words{})
	c := parse(t, list(task, `{"type":"computer_call","id":"cu","call_id":"c1","action":{"type":"screenshot"},"pending_safety_checks":[]}`,
		`{"type":"computer_call_output","call_id":"c1","output":{"type":"computer_screenshot","image_url":"https://a.example/b.png"}}`, answer, next))
	assert.Greater(t, meter.Part(&c.Messages()[2].Parts[0]), 80)
	_, refused := collect(t, c, elideAt(2, 0), elideAt(2, 1))
	assert.Len(t, refused, 2)
	view, _ := collect(t, c, dropAt(2))
	assert.Equal(t, list(task, answer, next), write(t, c, view))
}

// words is a counter that is cheap.
type words struct{}

func (words) Count(text string) int { return (len(text) + 3) / 4 }

func TestFault_Think_WholeOrGone(t *testing.T) {
	c := parse(t, list(task, sealed, call1, out("c1", "r"), sealed, answer, next))
	_, refused := collect(t, c, elideAt(1, 0), elideAt(1, 1), elideAt(4, 0))
	assert.Len(t, refused, 3, "nothing is taken out of signed reasoning")

	for _, msg := range []int{1, 2, 3} {
		view, _ := collect(t, c, dropAt(msg))
		assert.Equal(t, list(task, sealed, answer, next), write(t, c, view), "reasoning and call leave together")
		assert.Empty(t, rules(view))
	}
	view, _ := collect(t, c, dropAt(5))
	assert.Equal(t, list(task, sealed, call1, out("c1", "r"), next), write(t, c, view), "no reasoning is left alone")
}

func TestFault_Think_EncryptedIsNoText(t *testing.T) {
	data := "gAAAA" + strings.Repeat("Ab9_-", 800)
	item := strings.Replace(sealed, "gAAAAxyz", data, 1)
	parts := parse(t, list(item)).Messages()[0].Parts
	assert.Equal(t, "a<b", parts[0].Text)
	meter := budget.NewMeter(words{})
	assert.Equal(t, 1, meter.Part(&parts[0]))
	assert.Less(t, meter.Part(&parts[1]), len(data)/4, "it is not priced as words")
	assert.Positive(t, meter.Part(&parts[1]))
}

// Law 5: what a compaction stands for exists nowhere else.
func TestFault_Think_CompactionStays(t *testing.T) {
	compaction := `{"type":"compaction","id":"cmp_1","encrypted_content":"` + strings.Repeat("x", 300) + `"}`
	c := parse(t, list(compaction, sealed, answer, task, answer, next))
	_, refused := collect(t, c, dropAt(0))
	assert.Len(t, refused, 1)
	view, _ := collect(t, c, dropAt(1))
	assert.Equal(t, list(compaction, task, answer, next), write(t, c, view), "the reply behind it is not locked with it")
}

func TestFault_Args_NotJSON(t *testing.T) {
	for raw, want := range map[string]string{
		`"x"`:             `x`,
		`"{\"path\":\"a"`: `{"path":"a`,
		`""`:              ``,
		`{"path" : "a"}`:  `{"path" : "a"}`,
		`7e2`:             `7e2`,
		`"\ud83d"`:        "\ufffd",
	} {
		call := `{"type":"function_call","call_id":"c1","name":"f","arguments":` + raw + `}`
		c := parse(t, list(task, call, out("c1", strings.Repeat("long ", 100)), answer, next))
		assert.Equal(t, want, c.Messages()[1].Parts[0].Text)
		view, refused := collect(t, c, elideAt(2, 0))
		assert.Empty(t, refused)
		got := write(t, c, view)
		assert.Contains(t, got, call, "the call keeps its bytes")
		assert.Contains(t, got, `"output":"`+core.MarkerPrefix)
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
		doc := `{"instructions":"` + raw + `","input":[{"role":"user","content":"` + raw + `"},{"role":"assistant","content":["` + raw + `","` + raw + `"]}]}`
		c := parse(t, doc)
		last := len(c.Messages()) - 1
		at := strings.LastIndex(doc, `"`+raw+`"]`)
		got := write(t, c, retext(last, len(c.Messages()[last].Parts)-1, "cut")(slices.Clone(c.Messages())))
		assert.Equal(t, doc[:at]+`"cut"]}]}`, got, name)
	}
}

func TestFault_HITL_Waits(t *testing.T) {
	request := `{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s","name":"f","arguments":"{\"a\":1}"}`
	response := `{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":false,"reason":"not now"}`
	c := parse(t, list(task, answer, next, sealed, request))
	assert.True(t, core.NewGroups(c.Messages()).List[3].Open)
	_, refused := collect(t, c, dropAt(3))
	assert.Len(t, refused, 1, "a call that waits for a person stays")

	c = parse(t, list(task, sealed, request, next, response, answer, next))
	view, refused := collect(t, c, dropAt(4))
	assert.Empty(t, refused)
	assert.Equal(t, list(task, next, answer, next), write(t, c, view), "the later answer belongs to it")
	assert.Equal(t, core.StatusDenied, c.Messages()[4].Parts[0].Status)
}

func TestFault_HITL_IntermediateOutput(t *testing.T) {
	pending := `{"type":"function_call_output","call_id":"c1","output":"10 %","status":"in_progress"}`
	c := parse(t, list(task, call1, pending, answer))
	assert.True(t, core.NewGroups(c.Messages()).List[1].Open)
	c = parse(t, list(task, call1, pending, answer, out("c1", "all"), answer, next))
	view, _ := collect(t, c, dropAt(1))
	assert.Equal(t, list(task, answer, answer, next), write(t, c, view))
}
