package sessionlog

import (
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/responses"
)

// The rollout format is that of Codex's own source (protocol, rollout recorder, and the
// code that rebuilds a history from a rollout), which is public.

// codex is a rollout while it is played again.
type codex struct {
	*draft
	items    []codexItem
	users    []int                  // indices of the items that are messages of the user's role
	turns    []int                  // of those, the ones that a turn begins with
	kept     int                    // so many items are what a compaction left: there is nothing to leave out
	told     bool                   // the log tells the user's own messages from the program's
	expected bool                   // the next message of the user's role is his own
	statuses map[string]core.Status // call id → how it went
}

// codexItem is an item of the conversation.
type codexItem struct {
	origin
	json    string
	role    string       // of a message
	content rawjson.Span // of a message
	turn    bool         // a turn begins with it
	heard   bool         // it was compared with what the user said
}

func readCodex(d *draft) ([]core.Message, error) {
	c := &codex{draft: d, statuses: map[string]core.Status{}}
	for i, item := range d.Items {
		c.record(i, item)
	}
	for i := range c.items {
		c.add(c.items[i].origin, c.items[i].json)
	}
	messages, err := finish(d, "responses", responses.Parse)
	for i := range messages {
		if m := &messages[i]; m.Role == core.RoleTool {
			c.settle(m)
		}
	}
	return messages, err
}

// record plays a record.
func (c *codex) record(index int, item rawjson.Span) {
	from := origin{record: index, start: item.Start}
	kind, payload := "", rawjson.Span{}
	for m := range rawjson.Members(c.Text, item) {
		switch m.Name {
		case "type":
			kind = c.Str(m.Value)
		case "payload":
			payload = m.Value
		case "timestamp":
			from.time = c.time(m.Value)
		}
	}
	switch {
	case payload == rawjson.Span{}:
		c.bare(from, kind, item)
	case kind == "session_meta":
		c.header(from, payload)
	case kind == "response_item":
		c.item(from, payload)
	case kind == "compacted":
		c.compacted(from, payload)
	case kind == "event_msg":
		c.event(payload)
	default:
		c.skipType(kind)
	}
}

// bare plays a record of the older format, in which items stand by themselves, behind a
// header without type.
func (c *codex) bare(from origin, kind string, item rawjson.Span) {
	switch {
	case c.Get(item, "record_type") != rawjson.Span{}:
		c.skipType(c.Str(c.Get(item, "record_type")))
	case kind == "":
		c.named(item)
		c.skip("header", 1)
	default:
		c.item(from, item)
	}
}

// named takes the id of the session from its first header; a fork has those of its parents
// behind it.
func (c *codex) named(header rawjson.Span) bool {
	if c.session != "" {
		return false
	}
	c.session = c.Str(c.Get(header, "id"))
	return true
}

func (c *codex) header(from origin, payload rawjson.Span) {
	if c.named(payload) {
		text := c.Get(c.Get(payload, "base_instructions"), "text")
		if c.Str(text) != "" {
			c.push(codexItem{origin: from, json: textItem("system", text.Of(c.Text)), role: "system"})
			return
		}
	}
	c.skipType("session_meta")
}

// textItem returns a message with a text, given as JSON.
func textItem(role, text string) string {
	return `{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":` + text + `}]}`
}

func (c *codex) item(from origin, item rawjson.Span) {
	if kind := c.Str(c.Get(item, "type")); kind == "ghost_snapshot" { // Codex's own, for undo
		c.skipType(kind)
		return
	}
	from.id = c.Str(c.Get(item, "id"))
	c.push(codexItem{origin: from, json: item.Of(c.Text), role: c.Str(c.Get(item, "role")), content: c.Get(item, "content")})
}

// push adds an item that the log has here.
func (c *codex) push(item codexItem) {
	if item.role == "user" && (c.expected || !c.told) {
		item.turn, item.heard, c.expected = true, true, false
	}
	c.place(item)
}

func (c *codex) place(item codexItem) {
	if item.role == "user" {
		c.users = append(c.users, len(c.items))
	}
	if item.turn {
		c.turns = append(c.turns, len(c.items))
	}
	c.items = append(c.items, item)
}

// cut removes the items from an index on.
func (c *codex) cut(to int) {
	c.items, c.kept = c.items[:to], min(c.kept, to)
	c.users, c.turns = below(c.users, to), below(c.turns, to)
}

// below returns the indices that are less than a limit; they are in ascending order.
func below(indices []int, limit int) []int {
	for len(indices) > 0 && indices[len(indices)-1] >= limit {
		indices = indices[:len(indices)-1]
	}
	return indices
}

// compacted replaces what is before it. In early versions it has no replacement: Codex
// went on with what the user had said, and the summary as one more message of his.
func (c *codex) compacted(from origin, payload rawjson.Span) {
	before := len(c.items)
	if list := c.Get(payload, "replacement_history"); c.Kind(list) == rawjson.Array {
		c.cut(0)
		for item := range rawjson.Elements(c.Text, list) {
			c.item(from, item)
		}
		c.skip("before the compaction", before)
		return
	}
	again := append([]codexItem(nil), c.items[c.kept:]...)
	c.cut(c.kept)
	for _, item := range again {
		if item.role != "" && item.role != "assistant" {
			c.place(item)
		}
	}
	c.kept = len(c.items)
	c.skip("before the compaction", before-len(c.items))
	if summary := c.Get(payload, "message"); c.Kind(summary) == rawjson.String {
		c.push(codexItem{origin: from, json: textItem("user", summary.Of(c.Text)), role: "user"})
	}
}

// event plays an event. Most of them show an item to the user that has a record of its own.
func (c *codex) event(payload rawjson.Span) {
	fields := c.Fields(payload)
	callID := c.Str(fields["call_id"])
	switch c.Str(fields["type"]) {
	case "user_message":
		c.beginTurn(c.Str(fields["message"]))
	case "thread_rolled_back":
		if n, err := strconv.Atoi(fields["num_turns"].Of(c.Text)); err == nil && n > 0 && len(c.turns) > 0 {
			to := c.turns[max(len(c.turns)-n, 0)]
			c.skip("rolled back", len(c.items)-to)
			c.cut(to)
		}
	case "exec_command_end":
		c.statuses[callID] = succeeded(c.Text, fields["exit_code"])
	case "patch_apply_end":
		c.statuses[callID] = succeeded(c.Text, fields["success"])
	}
	c.skipType("event_msg")
}

// beginTurn notes which item is what the user said: the last of his role, if it says that,
// else the next. The others are the environment and the like, which the program says in his
// name.
func (c *codex) beginTurn(said string) {
	if !c.told { // so far each of them counted
		c.told, c.turns = true, nil
		for _, i := range c.users {
			c.items[i].turn, c.items[i].heard = false, false
		}
	}
	c.expected = true
	if len(c.users) == 0 {
		return
	}
	last := c.users[len(c.users)-1]
	item := &c.items[last]
	if item.heard {
		return
	}
	item.heard = true
	if c.says(item, said) {
		item.turn, c.expected = true, false
		c.turns = append(c.turns, last)
	}
}

// says reports whether a message says that; what has no words has pictures.
func (c *codex) says(item *codexItem, text string) bool {
	for part := range c.Elements(item.content) {
		if c.Str(c.Get(part, "text")) == text {
			return true
		}
	}
	return text == ""
}

// settle gives results the status that an event has of their call, or else the exit code
// that is in the result: early versions gave the model an object with output and metadata.
func (c *codex) settle(m *core.Message) {
	settle(m, func(callID string) core.Status { return c.statuses[callID] })
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Status != core.StatusUnknown || !strings.HasPrefix(p.Text, "{") || rawjson.Check([]byte(p.Text)) != nil {
			continue
		}
		whole := rawjson.ValueAt(p.Text, 0)
		if rawjson.Get(p.Text, whole, "output") != (rawjson.Span{}) {
			p.Status = succeeded(p.Text, rawjson.Get(p.Text, rawjson.Get(p.Text, whole, "metadata"), "exit_code"))
		}
	}
}
