package config_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/config"
)

// conversation is the history of the tests below.
const conversation = `[
	{"role": "system", "content": "be brief"},
	{"role": "user", "content": "go"},
	{"role": "user", "content": "a longer wish, of 32 bytes or so"},
	{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\": \"/repo/docs/rules/a.md\"}"}}]},
	{"role": "tool", "tool_call_id": "a", "content": "text"},
	{"role": "assistant", "content": "yes", "labels": {"tags": "plan, decision", "kind": "x"}},
	{"role": "user", "content": "then"},
	{"role": "assistant", "content": null, "tool_calls": [{"id": "b", "type": "function", "function": {"name": "mcp__ci__run_tests", "arguments": "{}"}}]},
	{"role": "tool", "tool_call_id": "b", "content": "text"},
	{"role": "assistant", "content": "no"},
	{"role": "user", "content": "last"}
]`

// policyOf returns which of the candidates a message has under rules.
func policyOf(t *testing.T, rules string, message int) string {
	t.Helper()
	for _, p := range []string{"ephemeral", "partial", "conditional", "preservable", "locked"} {
		c := parse(t, fmt.Sprintf(`{"rules": %s, "tests": [{"window": 2000, "history": %s, "expect": {"policies": {"%d": "%s"}}}]}`, rules, conversation, message, p))
		results, err := c.RunTests(t.Context(), program())
		require.NoError(t, err)
		require.Len(t, results, 1)
		if results[0].Failures == nil {
			return p
		}
	}
	return ""
}

// A condition: a message that meets it, and one that does not.
func TestRulesMatch(t *testing.T) {
	for match, test := range map[string]struct {
		meets, not int
	}{
		`"tool": "read_file"`:                          {4, 8},
		`"tool": "*run_tests"`:                         {7, 4},
		`"tool": ["x", "mcp__*"]`:                      {8, 4},
		`"tool": "run_tests"`:                          {-1, 8},
		`"path": "docs/rules/*.md"`:                    {3, 8},
		`"path": "rules/**"`:                           {4, 8},
		`"path": "docs/**/a.md"`:                       {4, 8},
		`"path": ["/repo/docs/rules/a.md"]`:            {4, 8},
		`"path": "docs/*"`:                             {-1, 4},
		`"path": "/docs/**"`:                           {-1, 4},
		`"role": "tool"`:                               {4, 5},
		`"role": "assistant"`:                          {5, 6},
		`"min_age_turns": 2`:                           {5, 9},
		`"min_age_turns": 1`:                           {9, 10},
		`"min_bytes": 32`:                              {2, 6},
		`"label": {"kind": "x"}`:                       {5, 9},
		`"label": {"kind": "*"}`:                       {5, 9},
		`"label": {"kind": "y"}`:                       {-1, 5},
		`"label": {"tags": "decision"}`:                {5, 9},
		`"label": {"tags": "decision", "kind": "y"}`:   {-1, 5},
		`"role": "assistant", "min_age_turns": 2`:      {5, 2},
		`"tool": "read_file", "path": "docs/rules/**"`: {3, 8},
	} {
		t.Run(match, func(t *testing.T) {
			rules := `[{"match": {` + match + `}, "policy": "conditional"}]`
			if test.meets >= 0 {
				assert.Equal(t, "conditional", policyOf(t, rules, test.meets))
			}
			assert.NotEqual(t, "conditional", policyOf(t, rules, test.not))
		})
	}
}

func TestTheFirstRuleCounts(t *testing.T) {
	rules := `[{"match": {"tool": "read_file"}, "policy": "ephemeral"}, {"match": {"role": "tool"}, "policy": "preservable", "reason": "all others"}]`
	assert.Equal(t, "ephemeral", policyOf(t, rules, 4))
	assert.Equal(t, "ephemeral", policyOf(t, rules, 3), "the call goes with its result")
	assert.Equal(t, "preservable", policyOf(t, rules, 8))
	assert.Equal(t, "preservable", policyOf(t, rules, 7))
	assert.Equal(t, "partial", policyOf(t, rules, 9))
}

// Rules loosen nothing that is protected.
func TestRulesAndProtection(t *testing.T) {
	rules := `[{"match": {"min_bytes": 1}, "policy": "ephemeral"}]`
	assert.Equal(t, "locked", policyOf(t, rules, 0))
	assert.Equal(t, "locked", policyOf(t, rules, 1))
	assert.Equal(t, "ephemeral", policyOf(t, rules, 2))
	assert.Equal(t, "locked", policyOf(t, rules, 10))
}

// Labels of package retention count without a rule.
func TestRetentionCounts(t *testing.T) {
	file := `{"tests": [{"window": 2000, "history": [
		{"role": "user", "content": "go"},
		{"role": "assistant", "content": "the plan", "labels": {"retain-until": "task"}},
		{"role": "assistant", "content": "a note", "id": "n", "time": "2026-01-31T12:00:00Z", "labels": {"importance": "debug"}},
		{"role": "user", "content": "%s"%s},
		{"role": "user", "content": "well?"}
	], "expect": {"policies": {"1": "%s", "2": "ephemeral"}}}]}`
	for _, file := range []string{fmt.Sprintf(file, "go on", "", "locked"), fmt.Sprintf(file, "done", `, "labels": {"ends": "task"}`, "ephemeral")} {
		results, err := parse(t, file).RunTests(t.Context(), program())
		require.NoError(t, err)
		assert.Empty(t, results[0].Failures)
	}
}

// A file's tests: what they see of a view, and what they say when it is another.
func TestTests(t *testing.T) {
	file := `{
"rules": [{"match": {"tool": "Look"}, "policy": "%s"}],
"tests": [{
	"name": "looks go",
	"window": 235,
	"history": [
		{"role": "user", "content": "one"},
		{"role": "assistant", "content": "` + fmt.Sprintf("%0300d", 0) + `"},
		{"role": "user", "content": "two"},
		{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "Look", "arguments": "{}"}}]},
		{"role": "tool", "tool_call_id": "a", "content": "` + fmt.Sprintf("%0160d", 0) + `"},
		{"role": "assistant", "content": "yes"},
		{"role": "user", "content": "` + fmt.Sprintf("%0120d", 0) + `"}
	],
	"expect": {"kept": [0, 2, 6], "gone": [1], "shortened": [4], "policies": {"3": "locked"}}
}]}`
	c := parse(t, fmt.Sprintf(file, "partial"))
	p := program()
	p.Marks.TailShare = -1
	results, err := c.RunTests(t.Context(), p)
	require.NoError(t, err)
	require.Len(t, results, 1)
	assert.Equal(t, config.TestResult{Name: "looks go", Line: 3, Failures: []string{"message 3 is partial, want locked"}}, results[0])
}

func TestTestsThatCannotFit(t *testing.T) {
	c := parse(t, `{"tests": [{"window": 40, "history": [{"role": "user", "content": "`+fmt.Sprintf("%0400d", 0)+`"}], "expect": {"kept": [0]}}]}`)
	results, err := c.RunTests(t.Context(), program())
	require.NoError(t, err)
	require.Len(t, results[0].Failures, 1)
	assert.Contains(t, results[0].Failures[0], "tokens must stay")
}
