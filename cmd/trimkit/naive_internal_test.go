package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// naive is a recorded conversation, a message a line, as the laws see it. It is written
// from the text of the laws alone, and in quadratic time: what the kit does is checked
// against it, so it shares no code with the kit.
type naive struct {
	lines     []string
	messages  []naiveMessage
	group     []int  // message → the first message of its group
	waits     []bool // messages with a call that is open
	protected []bool
	last      []bool // results that are protected only as long as there is another way
}

type naiveMessage struct {
	Role         string                 `json:"role"`
	Content      json.RawMessage        `json:"content"`
	Reasoning    string                 `json:"reasoning_content"`
	ToolCallID   string                 `json:"tool_call_id"`
	Name         string                 `json:"name"`
	FunctionCall *struct{ Name string } `json:"function_call"`
	ToolCalls    []struct {
		ID string `json:"id"`
	} `json:"tool_calls"`
}

func newNaive(t *testing.T, data []byte) *naive {
	t.Helper()
	n := &naive{}
	for line := range strings.Lines(string(data)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var m naiveMessage
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		n.lines = append(n.lines, strings.TrimRight(line, "\r\n"))
		n.messages = append(n.messages, m)
	}
	n.groupUp()
	n.protect()
	return n
}

// naiveCall is a tool call or, with a name, a function_call of old.
type naiveCall struct {
	message  int
	id, name string
	answered bool
}

// groupUp puts replies and their results together, and reasoning and what it led to.
func (n *naive) groupUp() {
	n.group = make([]int, len(n.messages))
	var calls []*naiveCall
	for i := range n.messages {
		m := &n.messages[i]
		n.group[i] = i
		for _, c := range m.ToolCalls {
			calls = append(calls, &naiveCall{message: i, id: c.ID})
		}
		if m.FunctionCall != nil {
			calls = append(calls, &naiveCall{message: i, name: m.FunctionCall.Name})
		}
		if c := answers(m, calls); c != nil {
			c.answered = true
			n.join(i, c.message)
		}
		if i > 0 && m.Role == "assistant" && n.messages[i-1].Role == "assistant" && onlyThinks(&n.messages[i-1]) {
			n.join(i, i-1)
		}
	}
	n.waits = make([]bool, len(n.messages))
	for _, c := range calls {
		n.waits[c.message] = n.waits[c.message] || !c.answered && c.message > n.newest("user")
	}
}

// answers returns the call that a message is the result of: of those that wait the
// nearest, in that message the first; else the nearest that had an answer already.
func answers(m *naiveMessage, calls []*naiveCall) *naiveCall {
	var found *naiveCall
	for _, waiting := range []bool{true, false} {
		for _, c := range calls {
			match := m.Role == "tool" && c.name == "" && c.id == m.ToolCallID ||
				m.Role == "function" && c.name != "" && c.name == m.Name
			if match && c.answered != waiting && (found == nil || found.message < c.message) {
				found = c
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

func (n *naive) join(a, b int) {
	from, to := max(n.group[a], n.group[b]), min(n.group[a], n.group[b])
	for i := range n.group {
		if n.group[i] == from {
			n.group[i] = to
		}
	}
}

// protect marks every message of a group in which law 5 protects one, and the results
// that law 12 gives up after all: in exchanges that wait, or are not read to their end.
func (n *naive) protect() {
	whole, exchange := make([]bool, len(n.messages)), make([]bool, len(n.messages))
	for i := range n.messages {
		role, group := n.messages[i].Role, n.group[i]
		unread := i > n.newest("assistant")
		if role == "system" || role == "developer" || i == n.oldest("user") || i == n.newest("user") || unread || n.waits[i] {
			whole[group] = true
		}
		exchange[group] = exchange[group] || unread || n.waits[i]
	}
	n.protected, n.last = make([]bool, len(n.messages)), make([]bool, len(n.messages))
	for i, group := range n.group {
		n.protected[i] = whole[group]
		n.last[i] = exchange[group] && n.messages[i].result()
	}
}

func (n *naive) oldest(role string) int {
	for i := range n.messages {
		if n.messages[i].Role == role {
			return i
		}
	}
	return -1
}

func (n *naive) newest(role string) int {
	for i := len(n.messages) - 1; i >= 0; i-- {
		if n.messages[i].Role == role {
			return i
		}
	}
	return -1
}

type naiveBlock struct{ Type, Text string }

// blocks are the pieces of a content.
func (m *naiveMessage) blocks() []naiveBlock {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return []naiveBlock{{"text", text}}
	}
	var blocks []naiveBlock
	_ = json.Unmarshal(m.Content, &blocks) // null, or no content at all
	return blocks
}

func (m *naiveMessage) result() bool { return m.Role == "tool" || m.Role == "function" }

// sameResult reports whether both are the result of the same call, whatever they say.
func (m *naiveMessage) sameResult(o *naiveMessage) bool {
	return m.result() && m.Role == o.Role && m.ToolCallID == o.ToolCallID && m.Name == o.Name
}

// marker reports whether a message says nothing but what it said before.
func (m *naiveMessage) marker() bool {
	for _, b := range m.blocks() {
		if !strings.HasPrefix(b.Text, "[trimkit: ") || !strings.HasSuffix(b.Text, "]") || strings.Contains(b.Text, "\n") {
			return false
		}
	}
	return true
}

func onlyThinks(m *naiveMessage) bool {
	if len(m.ToolCalls) > 0 || m.FunctionCall != nil {
		return false
	}
	thinks := m.Reasoning != ""
	for _, b := range m.blocks() {
		switch {
		case b.Type == "thinking" || b.Type == "redacted_thinking":
			thinks = true
		case b.Type != "text" || b.Text != "":
			return false
		}
	}
	return thinks
}
