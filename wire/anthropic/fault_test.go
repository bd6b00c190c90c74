package anthropic_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

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
	assert.Equal(t, []string{"orphan-result"}, suite.Broken(c.Messages()))
	suite.Becomes(t, c, lines(asked, says(answers("lost", "left over"), plainHint), asked), wiretest.DropAt(3))
}

// What the user says beside results stays when the exchange leaves, and results stay when
// what is said leaves.
func TestFault_Orphan_HalvesOfAMessage(t *testing.T) {
	c := parse(t, lines(asked, asks("c"), says(answers("c", "r"), plainHint), said, asked, said))
	suite.Becomes(t, c, lines(asked, says(plainHint), said, asked, said), wiretest.DropAt(1))
	suite.Becomes(t, c, lines(asked, asks("c"), says(answers("c", "r")), said, asked, said), wiretest.DropAt(3))
}

func TestFault_Orphan_ServerToolsOverMessages(t *testing.T) {
	paused := `{"role":"assistant","content":[` + searchCall + `]}`
	resumed := `{"role":"assistant","content":[` + searchResult + `,{"type":"text","text":"found"}]}`
	c := parse(t, lines(asked, paused, resumed, asked, said))
	groups := core.NewGroups(c.Messages())
	assert.Equal(t, groups.Of[1], groups.Of[2], "one reply")
	suite.Becomes(t, c, lines(asked, asked, said), wiretest.DropAt(2))
}

func TestFault_Parallel_ThreeOfFour(t *testing.T) {
	doc := lines(asked, asks("c1", "c2", "c3", "c4"), says(answers("c3", "3"), answers("c1", "1"), answers("c4", "4"), plainHint), said, asked)
	c := parse(t, doc)
	assert.Equal(t, []string{"unanswered-call"}, suite.Broken(c.Messages()))
	groups := core.NewGroups(c.Messages())
	assert.Equal(t, []int{1, 2}, groups.List[groups.Of[1]].Msgs, "one exchange, without the hint")
	suite.Becomes(t, c, lines(asked, says(plainHint), said, asked), wiretest.DropAt(2))
}

func TestFault_Think_NeverLast(t *testing.T) {
	doc := lines(asked, `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}`, said, asked, said)
	c := parse(t, doc)
	assert.Empty(t, suite.Broken(c.Messages()), "the reply goes on")
	suite.Refused(t, c, wiretest.ElideAt(1, 0))
	suite.Becomes(t, c, lines(asked, asked, said), wiretest.DropAt(1))
}
