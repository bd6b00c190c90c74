package sessions_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/examples/sessions"
)

type message struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	ToolCallID string `json:"tool_call_id"`
	IsError    bool   `json:"is_error"`
}

// parse reads one message a line.
func parse(t *testing.T, data []byte) []message {
	t.Helper()
	var all []message
	for line := range bytes.Lines(data) {
		var m message
		require.NoError(t, json.Unmarshal(line, &m), "line %d", len(all)+1)
		all = append(all, m)
	}
	return all
}

// facts are what the tests below ask about a conversation.
type facts struct {
	users, errors int
	widest        int            // calls in one reply
	reordered     bool           // results of one reply that do not stand in the order of its calls
	reads         map[string]int // by path
}

// check asserts that each call has one result, after it and before the next reply.
func check(t *testing.T, all []message) facts {
	t.Helper()
	f := facts{reads: map[string]int{}}
	seen := map[string]bool{}
	var open []string
	for i, m := range all {
		switch m.Role {
		case "system":
			assert.Zero(t, i, "message %d: the system message is not first", i)
		case "user", "assistant":
			assert.Empty(t, open, "message %d: calls without a result", i)
			open = nil
			if m.Role == "user" {
				f.users++
			}
		case "tool":
			require.Contains(t, open, m.ToolCallID, "message %d answers no open call", i)
			f.reordered = f.reordered || open[0] != m.ToolCallID
			open = slices.DeleteFunc(open, func(id string) bool { return id == m.ToolCallID })
			if m.IsError {
				f.errors++
			}
		default:
			assert.Fail(t, "unknown role", "message %d: %q", i, m.Role)
		}
		for _, c := range m.ToolCalls {
			assert.False(t, seen[c.ID], "message %d: id %s was used before", i, c.ID)
			seen[c.ID] = true
			open = append(open, c.ID)
			var args map[string]any
			assert.NoError(t, json.Unmarshal([]byte(c.Function.Arguments), &args), "message %d: arguments", i)
			if path, ok := args["path"].(string); ok && c.Function.Name == "read_file" {
				f.reads[path]++
			}
		}
		f.widest = max(f.widest, len(m.ToolCalls))
	}
	assert.Empty(t, open, "calls without a result at the end")
	return f
}

func TestCodingAgent(t *testing.T) {
	all := parse(t, sessions.CodingAgent)
	assert.GreaterOrEqual(t, len(all), 60)
	f := check(t, all)
	assert.Equal(t, "system", all[0].Role)
	assert.Equal(t, "assistant", all[len(all)-1].Role, "the session ends with an answer")
	assert.Equal(t, 3, f.users)
	assert.GreaterOrEqual(t, f.errors, 3, "failed and refused calls")
	assert.GreaterOrEqual(t, f.widest, 4, "parallel calls")
	assert.True(t, f.reordered, "results in another order than their calls")
	assert.GreaterOrEqual(t, f.reads["internal/limit/limiter.go"], 3, "reads of one file")
}

func TestRequest(t *testing.T) {
	data, err := os.ReadFile("request.json")
	require.NoError(t, err)
	var r struct {
		Model    string
		Messages []message
		Tools    []struct {
			Function struct{ Name string }
		}
	}
	require.NoError(t, json.Unmarshal(data, &r))
	f := check(t, r.Messages)
	assert.NotEmpty(t, r.Model)
	assert.GreaterOrEqual(t, len(r.Messages), 12)
	assert.GreaterOrEqual(t, f.widest, 3)
	assert.True(t, f.reordered)
	declared := map[string]bool{}
	for _, tool := range r.Tools {
		declared[tool.Function.Name] = true
	}
	for i, m := range r.Messages {
		for _, c := range m.ToolCalls {
			assert.True(t, declared[c.Function.Name], "message %d calls %s, which is not among the tools", i, c.Function.Name)
		}
	}
	assert.Equal(t, "user", r.Messages[len(r.Messages)-1].Role, "the request is about to be sent")
}
