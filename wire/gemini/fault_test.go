package gemini_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

var long = strings.Repeat("long ", 100)

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
	assert.Equal(t, []string{"orphan-result", "orphan-result"}, suite.Broken(c.Messages()))
	suite.Becomes(t, c, strings.Replace(orphaned, model("b")+",\n", "", 1), wiretest.DropAt(2))
}

func TestFault_Parallel_AllOrNothing(t *testing.T) {
	tools := []string{"f", "g", "f", "h", "f", "g", "f", "h"}
	answered := slices.Clone(tools)
	slices.Reverse(answered)
	c := parse(t, contents(user("a"), calls(tools...), results("r", answered...), model("b"), user("c")))
	assert.Empty(t, suite.Broken(c.Messages()))
	suite.Becomes(t, c, contents(user("a"), model("b"), user("c")), wiretest.DropAt(2))
}

func TestFault_Parallel_ThreeOfFour(t *testing.T) {
	c := parse(t, contents(user("a"), calls("f", "g", "f", "h"), results("r", "h", "f", "g"), user("b"), model("c"), user("d")))
	assert.Equal(t, []string{"unanswered-call"}, suite.Broken(c.Messages()))
	assert.False(t, core.NewGroups(c.Messages()).List[1].Open, "the user went on: it is dead")
	suite.Becomes(t, c, contents(user("a"), user("b"), model("c"), user("d")), wiretest.DropAt(1))
}

func TestFault_Image_Elided(t *testing.T) {
	image := `{"inlineData":{"mimeType":"image/png","data":"` + strings.Repeat("A", 400) + `"}}`
	response := `{"functionResponse":{"name":"f","response":{"shot":{"$ref":"s"}},"parts":[` + strings.Replace(image, `"}}`, `","displayName":"s"}}`, 1) + `]}}`
	c := parse(t, contents(user("a"), `{"parts":[{"text":"see"}, `+image+`]}`, calls("f"), `{"role":"user","parts":[`+response+`]}`,
		calls("f"), `{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"ok"}}}, `+image+`]}`, model("b"), user("c")))
	assert.Equal(t, "image/png", c.Messages()[1].Parts[1].Media.MIME)
	assert.Equal(t, core.KindToolResult, c.Messages()[3].Parts[1].Kind)
	assert.Equal(t, core.KindToolResult, c.Messages()[5].Parts[1].Kind, "media beside a result is the result's")

	_, got := suite.Collect(t, c, wiretest.ElideAt(1, 1), wiretest.ElideAt(3, 1), wiretest.ElideAt(5, 1))
	assert.NotContains(t, got, "AAAAA")
	assert.Contains(t, got, `{"text":"see"}, {"text":"[trimkit: image/png removed: old;`)
	assert.Contains(t, got, `"displayName":"s"}}]}}`, "what the response refers to is still there")
}

func TestFault_Think_SignedStaysAsItCame(t *testing.T) {
	const signature = `"thoughtSignature":"c2\u006cn"`
	doc := contents(user("a"),
		`{"role":"model","parts":[{"text":"`+long+`","thought":true}, {"text":"hm","thought":true,`+signature+`},{"functionCall":{"name":"f"},`+signature+`}]}`,
		results(long, "f"),
		`{"role":"model","parts":[{"text":"`+long+`",`+signature+`}]}`, user("b"), model("c"), user("d"))
	c := parse(t, doc)

	_, refused, err := suite.Propose(c.Messages(), wiretest.ElideAt(1, 1), core.Edit{Op: core.Shorten, Msg: 3, Part: 0, By: -1, Reason: "test", Text: "long"})
	require.NoError(t, err)
	require.Len(t, refused, 2)
	for _, law := range refused {
		assert.ErrorContains(t, law, "the provider signed it")
	}

	_, got := suite.Collect(t, c, wiretest.ElideAt(1, 0), wiretest.ElideAt(2, 0))
	assert.Contains(t, got, `{"role":"model","parts":[{"text":"hm","thought":true,`+signature+`},{"functionCall":{"name":"f"},`+signature+`}]}`)
	assert.Contains(t, got, `{"text":"`+long+`",`+signature+`}`)

	suite.Becomes(t, c, contents(user("a"), user("b"), model("c"), user("d")), wiretest.DropAt(1), wiretest.DropAt(3))
}

func TestFault_HITL_OpenCallsWait(t *testing.T) {
	pending := `{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"` + long + `"},"willContinue":true}}]}`
	c := parse(t, contents(user("a"), model("b"), user("c"), calls("f", "g"), pending))
	g := core.NewGroups(c.Messages())
	assert.True(t, g.List[g.Of[3]].Open)
	suite.Refused(t, c, wiretest.DropAt(3), wiretest.ElideAt(4, 0))

	late := parse(t, contents(user("a"), model("b"), user("c"), calls("f", "g"), pending, results("done", "f", "g"), model("d"), user("e")))
	g = core.NewGroups(late.Messages())
	assert.Equal(t, []int{3, 4, 5}, g.List[g.Of[3]].Msgs, "the later result still finds its call")
	assert.False(t, g.List[g.Of[3]].Open)
	assert.Empty(t, suite.Broken(late.Messages()))
}
