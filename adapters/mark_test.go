package adapters_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

func TestMark(t *testing.T) {
	m := core.Message{Src: 8}
	require.NoError(t, adapters.Mark(&m, map[string]any{"purpose": 3, "trimkitten": true}))
	assert.Nil(t, m.Meta)

	require.NoError(t, adapters.Mark(&m, map[string]any{adapters.PolicyKey: "locked"}))
	assert.Equal(t, core.Locked, m.Policy)
	assert.Nil(t, m.Meta)

	require.NoError(t, adapters.Mark(&m, map[string]any{
		adapters.IDKey: "m7", adapters.TimeKey: "2026-01-02T03:04:05Z",
		adapters.LabelPrefix + "importance": "task", adapters.LabelPrefix + "tag": "x",
	}))
	assert.Equal(t, &core.Meta{
		ID: "m7", Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Labels: map[string]string{"importance": "task", "tag": "x"},
	}, m.Meta)
}

// Where a program keeps views, what an edit added comes back.
func TestMark_Inserted(t *testing.T) {
	m := core.Message{Role: core.RoleUser, Src: 8, Parts: []core.Part{{Text: "[trimkit: notice]"}}}
	require.NoError(t, adapters.Mark(&m, map[string]any{adapters.InsertedKey: "notice"}))
	assert.True(t, m.Inserted())
	assert.Equal(t, "notice", m.Parts[0].Elided.Reason)

	calls := core.Message{Role: core.RoleAssistant, Src: 8, Parts: []core.Part{{Kind: core.KindToolCall}}}
	require.NoError(t, adapters.Mark(&calls, map[string]any{adapters.InsertedKey: "notice"}))
	assert.False(t, calls.Inserted())
}

// A pin with a typing error is not taken for none.
func TestMark_Errors(t *testing.T) {
	for key, value := range map[string]any{
		adapters.PolicyKey: "lokced", adapters.IDKey: 7, adapters.TimeKey: "yesterday", "trimkit.polcy": "locked",
	} {
		err := adapters.Mark(&core.Message{Src: 8}, map[string]any{key: value})
		var mark *adapters.MarkError
		require.ErrorAs(t, err, &mark, key)
		assert.Equal(t, 7, mark.Message)
		assert.Equal(t, value, mark.Value)
		assert.ErrorContains(t, err, key)
	}
}

func TestContextLimit(t *testing.T) {
	for _, text := range []string{
		"API returned unexpected status code: 400: This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens.",
		`error, status code: 400, message: {"code":"context_length_exceeded"}`,
		"Your input exceeds the context window of this model.",
		"prompt is too long: 209353 tokens > 199999 maximum",
		"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
		"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
		"ValidationException: Input is too long for requested model.",
	} {
		assert.True(t, adapters.ContextLimit(errors.New(text)), text)
	}
	for _, text := range []string{
		"429 Too Many Requests", "Rate limit reached for tokens per min (TPM): Limit 30000, Used 29000", "context deadline exceeded",
		"max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
	} {
		assert.False(t, adapters.ContextLimit(errors.New(text)), text)
	}
	assert.False(t, adapters.ContextLimit(nil))
}

func TestTruncated(t *testing.T) {
	for _, reason := range []string{"length", "max_tokens", "MAX_TOKENS", "FinishReasonMaxTokens", "max_output_tokens"} {
		assert.True(t, adapters.Truncated(reason), reason)
	}
	for _, reason := range []string{"", "stop", "end_turn", "tool_calls", "STOP", "content_filter"} {
		assert.False(t, adapters.Truncated(reason), reason)
	}
}

func TestWithMark(t *testing.T) {
	given := map[string]any{"trace": 1}
	assert.Equal(t, map[string]any{"trace": 1, adapters.IDKey: "m7"}, adapters.WithMark(given, adapters.IDKey, "m7"))
	assert.Equal(t, map[string]any{"trace": 1}, given, "the framework's own map is not written to")
	assert.Equal(t, map[string]any{adapters.PolicyKey: "locked"}, adapters.WithMark(nil, adapters.PolicyKey, "locked"))
}
