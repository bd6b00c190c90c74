package openai_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/wire/internal/wiretest"
)

// orphaned is a history in which a result's call is missing.
const orphaned = `{"role":"user","content":"a"}
{"role":"tool","tool_call_id":"lost","content":"left over"}
{"role":"tool","content":"without an id"}
{"role":"function","name":"f","content":"left over"}
{"role":"assistant","content":"b"}
{"role":"user","content":"c"}
`

func TestFault_Orphan_WithoutAnID(t *testing.T) {
	c := parse(t, orphaned)
	assert.Contains(t, suite.Broken(c.Messages()), "orphan-result")
	suite.Becomes(t, c, strings.ReplaceAll(orphaned, `{"role":"assistant","content":"b"}`+"\n", ""), wiretest.DropAt(4))
}
