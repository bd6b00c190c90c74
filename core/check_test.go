package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
)

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, history string
		found         map[string]string // profile → message:rule …; "*" for those not named
	}{
		{"nothing wrong", "S U A(a) T(a) A U", map[string]string{"*": ""}},
		{"TestFault_ORPHAN", "U A(a) T(a) T(x) A", map[string]string{"*": "3:orphan-result"}},
		{"TestFault_PARALLEL one of two unanswered", "U A(a,b) T(a) U", map[string]string{"*": "1:unanswered-call"}},
		{"TestFault_HITL still open", "U A(a)", map[string]string{"*": "1:unanswered-call"}},
		{"TestFault_ORPHAN a note between", "U A(a) U T(a) A", map[string]string{"*": "3:late-result", "responses": ""}},
		{"a split reply", "U A(a)#1 T(a) A(b)#1 T(b) A", map[string]string{"*": ""}},
		{"TestFault_FIRSTUSER assistant first", "S A U A", map[string]string{"*": "1:first-role", "openai": "", "responses": ""}},
		{"two users", "U U A", map[string]string{"*": "", "bedrock": "1:turn-order"}},
		{"two replies", "U A A U", map[string]string{"*": "", "bedrock": "2:turn-order"}},
		{"a call behind a reply", "U A A(a) T(a) A", map[string]string{"*": "", "bedrock": "2:turn-order", "gemini": "2:turn-order"}},
		{"a note behind the results", "U A(a,b) T(b) T(a) U A", map[string]string{"*": ""}},
		{"calls right behind results", "U A(a) T(a) A(b) T(b) A", map[string]string{"*": ""}},
		{"TestFault_SYSLOST in mid-conversation", "S U A S U A", map[string]string{"*": "3:system-position", "openai": "", "responses": ""}},
		{"an id used again", "U A(a) T(a) A(a) T(a) A", map[string]string{"*": "", "anthropic": "3:repeated-id", "bedrock": "3:repeated-id", "responses": "3:repeated-id"}},
		{"a second result", "U A(a) T(a) T(a) A", map[string]string{"*": "", "anthropic": "3:repeated-result", "bedrock": "3:repeated-result"}},
		{"a result of two blocks", "U A(a) T(a,a) A", map[string]string{"*": ""}},
		{"TestFault_EMPTY no content", "U A= U A=", map[string]string{"*": "1:empty-content", "openai": "", "responses": ""}},
		{"TestFault_THINK nothing but reasoning", "U R U A", map[string]string{"*": "1:lone-reasoning", "openai": "", "gemini": ""}},
		{"TestFault_THINK reasoning and its reply", "U R A(a) T(a) A", map[string]string{"*": ""}},
	} {
		for _, p := range core.Profiles() {
			t.Run(test.name+"/"+p.Name, func(t *testing.T) {
				want, named := test.found[p.Name]
				if !named {
					want = test.found["*"]
				}
				var found []string
				for _, v := range core.Check(p, parse(test.history)) {
					found = append(found, strings.TrimPrefix(strings.SplitN(v.String(), ": ", 3)[0], "message ")+":"+v.Rule)
				}
				assert.Equal(t, want, strings.Join(found, " "))
			})
		}
	}
}

func TestCheckArguments(t *testing.T) {
	for _, test := range []struct {
		arguments string
		bad       bool
	}{
		{`{}`, false}, {` {"a": [1]} `, false}, {`x`, true}, {`{"a":`, true}, {`[1]`, true}, {``, true},
	} {
		history := parse("U A(a) T(a) A")
		history[1].Parts[0].Text = test.arguments
		assert.Equal(t, test.bad, len(core.Check(core.Anthropic, history)) == 1, "%q", test.arguments)
		assert.Empty(t, core.Check(core.OpenAI, history), "TestFault_ARGS: OpenAI takes any string")
	}
}

func TestCheckRoles(t *testing.T) {
	found := core.Check(core.OpenAI, []core.Message{{}, {Role: 9}})
	require.Len(t, found, 2)
	assert.Equal(t, "unknown-role", found[0].Rule)
}

func TestProfileByName(t *testing.T) {
	for _, p := range core.Profiles() {
		assert.Same(t, p, core.ProfileByName(p.Name))
	}
	assert.Nil(t, core.ProfileByName("nobody"))
}
