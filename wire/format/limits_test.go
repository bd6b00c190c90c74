package format_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/anthropic"
	"github.com/trimkit/trimkit/wire/format"
	"github.com/trimkit/trimkit/wire/gemini"
	"github.com/trimkit/trimkit/wire/openai"
	"github.com/trimkit/trimkit/wire/responses"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

// bombs have for each format, in %, a place for any value.
var bombs = map[string]string{
	"openai":         `[{"role":"user","content":[{"type":"text","text":"a"},%]}]`,
	"anthropic":      `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[%]}]}]}`,
	"responses":      `{"input":[{"type":"reasoning","summary":[],"content":[%]}]}`,
	"gemini":         `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":%}}}]}]}`,
	"claude-code":    `{"parentUuid":null,"uuid":"a","sessionId":"s","type":"user","message":{"role":"user","content":[%]}}`,
	"codex":          `{"timestamp":"2025-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[%]}}`,
	"pi":             `{"type":"session","id":"s"}` + "\n" + `{"type":"message","id":"a","message":{"role":"user","content":[%]}}`,
	"swe-agent":      `{"trajectory":[],"history":[{"role":"user","message_type":"observation","content":[%]}]}`,
	"mini-swe-agent": `{"info":{"mini_version":"1"},"messages":[{"role":"user","content":[%]}]}`,
	"gemini-cli":     `{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"user","content":[%]}]}`,
}

// What is beyond a limit is a LimitError in every format, whoever asks, and what is within
// all of them reads as it does without limits.
func TestLimits(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, f := range format.All() {
		t.Run(f.Name, func(t *testing.T) {
			frame, ok := bombs[f.Name]
			require.True(t, ok, "no bomb of this format")
			small := strings.ReplaceAll(frame, "%", `{}`)
			want, err := f.Parse([]byte(small))
			require.NoError(t, err)
			limits := wire.Limits{MaxBytes: int64(len(small)), MaxDepth: 10, MaxValues: 30}
			got, err := f.Parse([]byte(small), wire.WithLimits(limits))
			require.NoError(t, err)
			assert.Equal(t, want.Messages(), got.Messages())

			limits.MaxBytes = -1
			for limit, value := range map[string]string{
				"MaxDepth":  nested(10),
				"MaxValues": `{}` + strings.Repeat(`,{}`, 30),
			} {
				data := []byte(strings.ReplaceAll(strings.ReplaceAll(frame, ":%", ":[%]"), "%", value))
				exceeds(t, f.Name, limit, data, limits)
				_, err := f.Parse(data)
				require.NoError(t, err, "%s: the defaults have room for it", limit)
			}
			exceeds(t, f.Name, "MaxBytes", []byte(small), wire.Limits{MaxBytes: int64(len(small)) - 1})
		})
	}
}

// exceeds checks that all ways to read data end at that limit.
func exceeds(t *testing.T, name, limit string, data []byte, limits wire.Limits) {
	t.Helper()
	option := wire.WithLimits(limits)
	parses := map[string]func() error{
		"Detect":     func() error { _, _, err := format.Detect(data, option); return err },
		"Parse auto": func() error { _, err := format.Parse(data, format.Auto, option); return err },
		"Parse":      func() error { _, err := format.Parse(data, name, option); return err },
		"sessionlog": func() error { _, err := sessionlog.Parse(data, option); return err },
	}
	switch name {
	case "openai":
		parses["package"] = func() error { _, err := openai.Parse(data, option); return err }
	case "anthropic":
		parses["package"] = func() error { _, err := anthropic.Parse(data, option); return err }
	case "responses":
		parses["package"] = func() error { _, err := responses.Parse(data, option); return err }
	case "gemini":
		parses["package"] = func() error { _, err := gemini.Parse(data, option); return err }
	}
	for way, parse := range parses {
		var over *wire.LimitError
		require.ErrorAs(t, parse(), &over, way)
		assert.Equal(t, limit, over.Limit, way)
	}
}

// A log that was cut off in many lines has no depth beyond that of a line, and what is made
// of a log has none of its limits.
func TestLimitsOfLogs(t *testing.T) {
	line := strings.ReplaceAll(bombs["claude-code"], "%", `{"type":"text","text":"a"}`)
	log := line + strings.Repeat("\n"+line[:len(line)-8], 100)
	l, err := sessionlog.Parse([]byte(log), wire.WithLimits(wire.Limits{MaxBytes: int64(len(log)), MaxDepth: 5}))
	require.NoError(t, err)
	assert.Len(t, l.Messages(), 1)
	assert.Equal(t, []sessionlog.Omission{{Reason: "not a JSON object", Count: 100}}, l.Skipped())
}

func TestEmptyFile(t *testing.T) {
	for _, data := range []string{"", " \n", "\ufeff"} {
		for name, err := range map[string]error{
			"detect": func() error { _, _, err := format.Detect([]byte(data)); return err }(),
			"openai": func() error { _, err := openai.Parse([]byte(data)); return err }(),
		} {
			assert.ErrorContains(t, err, "found an empty file; write [] for a conversation without messages", "%s: %q", name, data)
		}
	}
}
