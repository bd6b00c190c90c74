package anthropic_test

import (
	"fmt"
	"strings"
	"testing"
)

// What could cost more than linear time, at sizes where that would not end.
func TestParseHostile(t *testing.T) {
	const n = 1 << 18
	suite.Hostile(t, map[string]string{
		"blocks":         `{"role":"user","content":[{}` + strings.Repeat(`,{}`, n/8) + `]}`,
		"results":        says(answers("c", "r") + strings.Repeat(`,{"type":"tool_result","content":[{"type":"text","text":"a"},7]}`, n/16)),
		"result blocks":  `{"role":"user","content":[{"type":"tool_result","content":[7` + strings.Repeat(`,{"type":"document","source":{"type":"content","content":[7]}}`, n/16) + `]}]}`,
		"members":        `{"role":"user","content":[{"type":"text"` + strings.Repeat(`,"text":"a"`, n/8) + `}]}`,
		"depth":          `{"role":"user","content":[` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `]}`,
		"documents":      `{"role":"user","content":[` + strings.Repeat(`{"type":"document","source":{"type":"content","content":[`, 2000) + strings.Repeat(`]}}`, 2000) + `]}`,
		"paused turns":   chained(n / 32),
		"an open mix":    strings.Repeat(says(answers("c", "r"), plainHint)+"\n", n/32),
		"one long input": `{"role":"assistant","content":[{"type":"tool_use","input":{"a":"` + strings.Repeat("x", 16*n) + `"}}]}`,
	})
}

// chained is n messages, each with the result of the server's call in the one before.
func chained(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"x_tool_result","tool_use_id":"s%d"},{"type":"server_tool_use","id":"s%d"}]}`+"\n", i, i+1)
	}
	return b.String()
}
