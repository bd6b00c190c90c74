package responses_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

// Items of a conversation for the tests of faults.
const (
	task   = `{"role":"user","content":"task"}`
	next   = `{"role":"user","content":"next"}`
	answer = `{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"done","annotations":[]}]}`
	sealed = `{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a\u003cb"}],"encrypted_content":"gAAAAxyz"}`
	call1  = `{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}","status":"completed"}`
	call2  = `{"type":"function_call","id":"fc_2","call_id":"c2","name":"f","arguments":"{}","status":"completed"}`
)

func array(items ...string) string { return "[" + strings.Join(items, ",\n") + "]" }

func out(id, text string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":"` + text + `"}`
}

func TestFault_Orphan_CallIsWithTheProvider(t *testing.T) {
	for _, doc := range []string{
		`{"previous_response_id":"resp_1","input":` + array(out("c1", "r"), answer, next, answer, next) + `}`,
		array(`{"type":"item_reference","id":"fc_1"}`, out("c1", "r"), answer, next, answer, next),
	} {
		c := parse(t, doc)
		at := slices.IndexFunc(c.Messages(), func(m core.Message) bool { return m.Role == core.RoleTool })
		suite.Refused(t, c, wiretest.DropAt(at), wiretest.ElideAt(at, 0)) // the output must be there for the call that nobody sees
	}
}

func TestFault_Parallel_SameIDAgain(t *testing.T) {
	c := parse(t, array(task, call1, out("c1", "one"), answer, next, strings.Replace(call1, `"f"`, `"g"`, 1), out("c1", "two"), answer))
	assert.Equal(t, "f", c.Messages()[2].Parts[0].Tool)
	assert.Equal(t, "g", c.Messages()[6].Parts[0].Tool)
	suite.Becomes(t, c, array(task, answer, next, strings.Replace(call1, `"f"`, `"g"`, 1), out("c1", "two"), answer), wiretest.DropAt(1))
}

// The API asks for no first user message and no alternation, so nothing is put between.
func TestFault_FirstUser_NoNotices(t *testing.T) {
	c := parse(t, array(answer, task, answer, next))
	assert.Empty(t, suite.Broken(c.Messages()))
	suite.Becomes(t, c, array(answer, task, next), wiretest.DropAt(2))
}

// A screenshot costs what an image costs, and leaves with its call: the API takes no text
// in its place.
func TestFault_Image_Screenshot(t *testing.T) {
	c := parse(t, array(task, `{"type":"computer_call","id":"cu","call_id":"c1","action":{"type":"screenshot"},"pending_safety_checks":[]}`,
		`{"type":"computer_call_output","call_id":"c1","output":{"type":"computer_screenshot","image_url":"https://a.example/b.png"}}`, answer, next))
	assert.Greater(t, letters.Part(&c.Messages()[2].Parts[0]), 80)
	suite.Refused(t, c, wiretest.ElideAt(2, 0), wiretest.ElideAt(2, 1))
	suite.Becomes(t, c, array(task, answer, next), wiretest.DropAt(2))
}

func TestFault_Think_WholeOrGone(t *testing.T) {
	c := parse(t, array(task, sealed, call1, out("c1", "r"), sealed, answer, next))
	suite.Refused(t, c, wiretest.ElideAt(1, 0), wiretest.ElideAt(1, 1), wiretest.ElideAt(4, 0)) // nothing is taken out of signed reasoning

	for _, msg := range []int{1, 2, 3} {
		suite.Becomes(t, c, array(task, sealed, answer, next), wiretest.DropAt(msg)) // reasoning and call leave together
	}
	suite.Becomes(t, c, array(task, sealed, call1, out("c1", "r"), next), wiretest.DropAt(5)) // no reasoning is left alone
}

func TestFault_Think_EncryptedIsNoText(t *testing.T) {
	data := "gAAAA" + strings.Repeat("Ab9_-", 800)
	item := strings.Replace(sealed, "gAAAAxyz", data, 1)
	parts := parse(t, array(item)).Messages()[0].Parts
	assert.Equal(t, "a<b", parts[0].Text)
	assert.Equal(t, 1, letters.Part(&parts[0]))
	assert.Less(t, letters.Part(&parts[1]), len(data)/4, "it is not priced as words")
	assert.Positive(t, letters.Part(&parts[1]))
}

// Law 5: what a compaction stands for exists nowhere else.
func TestFault_Think_CompactionStays(t *testing.T) {
	compaction := `{"type":"compaction","id":"cmp_1","encrypted_content":"` + strings.Repeat("x", 300) + `"}`
	c := parse(t, array(compaction, sealed, answer, task, answer, next))
	suite.Refused(t, c, wiretest.DropAt(0))
	suite.Becomes(t, c, array(compaction, task, answer, next), wiretest.DropAt(1)) // the reply behind it is not locked with it
}

func TestFault_HITL_Waits(t *testing.T) {
	request := `{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s","name":"f","arguments":"{\"a\":1}"}`
	response := `{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":false,"reason":"not now"}`
	c := parse(t, array(task, answer, next, sealed, request))
	assert.True(t, core.NewGroups(c.Messages()).List[3].Open)
	suite.Refused(t, c, wiretest.DropAt(3)) // a call that waits for a person stays

	c = parse(t, array(task, sealed, request, next, response, answer, next))
	suite.Becomes(t, c, array(task, next, answer, next), wiretest.DropAt(4)) // the later answer belongs to it
	assert.Equal(t, core.StatusDenied, c.Messages()[4].Parts[0].Status)
}
