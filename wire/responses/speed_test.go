package responses_test

import (
	"strings"
	"testing"
)

// What could cost more than linear time, at sizes where that would not end.
func TestHostile(t *testing.T) {
	const n = 1 << 17
	user := `{"role":"user","content":"a"}`
	suite.Hostile(t, map[string]string{
		"deep items":        "[" + user + strings.Repeat(`,{"type":"x","y":`+strings.Repeat("[", 900)+strings.Repeat("]", 900)+`}`, 300) + "]",
		"items":             "[" + user + strings.Repeat(`,{"type":"function_call","call_id":"c"}`, n/8) + "]",
		"many members":      "[" + `{"role":"user"` + strings.Repeat(`,"a":1`, n/8) + "}" + strings.Repeat(","+user, n/8) + "]",
		"chunks":            `{"type":"shell_call_output","output":[{"stdout":"a"}` + strings.Repeat(`,{"stdout":"a","outcome":{"exit_code":0}}`, n/16) + `]}`,
		"summaries":         `{"type":"reasoning","summary":["a"` + strings.Repeat(`,{"text":"a"}`, n/16) + `]}`,
		"instructions":      `{"input":[]` + strings.Repeat(`,"instructions":"a"`, n/16) + `}`,
		"one string":        `{"input":"` + strings.Repeat("x", 16*n) + `"}`,
		"a huge generation": `{"type":"image_generation_call","result":"` + strings.Repeat("AAAA", n) + `"}`,
	})
}
