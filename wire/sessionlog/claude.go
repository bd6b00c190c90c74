package sessionlog

import (
	"cmp"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/anthropic"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// What is known of Claude Code's records is how Anthropic's Agent SDK for Python reads them
// back (its session reader builds the same chain), and what programs around it report of
// logs that they saw. The format is its own and documented nowhere.

// claudeRecord is what matters of a record.
type claudeRecord struct {
	origin
	kind     string // its type
	role     string // of the message that it is; empty: it is none
	uuid     string
	parent   string
	content  rawjson.Span // of its message
	reply    string       // what the records of one answer share; of no other answer the same
	aside    bool         // of another conversation than the session's own
	meta     bool         // hidden by the interface
	failure  bool         // an error that took the place of an answer, and is no message
	results  bool         // a user's that is results and nothing else
	boundary bool         // a compaction, behind which the conversation begins anew
	metadata rawjson.Span // of that
}

// claude is a session of Claude Code.
type claude struct {
	*draft
	records []claudeRecord
	byUUID  map[string]int // the last one of a uuid
	chained bool           // the records say what is before them
}

func readClaude(d *draft) ([]core.Message, error) {
	c := &claude{draft: d, records: make([]claudeRecord, len(d.Items)), byUUID: map[string]int{}}
	for i, item := range d.Items {
		c.records[i] = c.record(i, item)
		if r := &c.records[i]; r.uuid != "" {
			c.byUUID[r.uuid] = i
		}
	}
	c.write(c.order())
	return finish(d, "anthropic", anthropic.Parse)
}

// record reads a record.
func (c *claude) record(index int, item rawjson.Span) claudeRecord {
	fields := c.Fields(item)
	r := claudeRecord{
		kind:     c.Str(fields["type"]),
		uuid:     c.Str(fields["uuid"]),
		parent:   c.Str(fields["parentUuid"]),
		aside:    c.is(fields["isSidechain"]) || c.Str(fields["parent_tool_use_id"]) != "" || c.Str(fields["teamName"]) != "",
		meta:     c.is(fields["isMeta"]),
		failure:  c.is(fields["isApiErrorMessage"]),
		boundary: c.Str(fields["subtype"]) == "compact_boundary",
		metadata: fields["compactMetadata"],
	}
	r.origin = origin{record: index, start: item.Start, id: r.uuid, time: c.time(fields["timestamp"])}
	c.session = cmp.Or(c.Str(fields["sessionId"]), c.Str(fields["session_id"]), c.session)
	if _, ok := fields["parentUuid"]; ok {
		c.chained = true
	}
	attachment := fields["attachment"]
	switch {
	case r.failure:
	case r.kind == "user" || r.kind == "assistant":
		r.role = r.kind
		message := c.Fields(fields["message"])
		r.content = message["content"]
		r.results = r.role == "user" && c.onlyResults(r.content)
		r.reply = r.uuid // alone, unless it has an id
		if id := c.Str(message["id"]); id != "" {
			r.reply = id + " " + c.Str(fields["requestId"])
		}
	case r.kind == "system" && c.Str(fields["subtype"]) == "local_command": // what a command of the interface printed
		r.role, r.content = "user", fields["content"]
	case r.kind == "attachment" && c.Str(c.Get(attachment, "type")) == "queued_command": // said while a tool ran
		r.role, r.content = "user", c.Get(attachment, "prompt")
	}
	return r
}

func (c *claude) onlyResults(content rawjson.Span) bool {
	n := 0
	for block := range c.Elements(content) {
		if c.Str(c.Get(block, "type")) != "tool_result" {
			return false
		}
		n++
	}
	return n > 0
}

// claudeMessage is a message as it was sent: one record, or the pieces of one answer.
type claudeMessage struct {
	*claudeRecord
	contents []rawjson.Span
}

// write drafts the messages that the records are, in this order. An answer ends where
// another begins or the user says something; results of its calls do not end it.
func (c *claude) write(order []int) {
	var messages []claudeMessage
	answer := -1 // the one that may go on
	for _, i := range order {
		r := &c.records[i]
		switch {
		case r.role == "assistant" && answer >= 0 && r.reply != "" && messages[answer].reply == r.reply:
			messages[answer].contents = append(messages[answer].contents, r.content)
			continue
		case r.role == "assistant":
			answer = len(messages)
		case !r.results:
			answer = -1
		}
		messages = append(messages, claudeMessage{r, []rawjson.Span{r.content}})
	}
	for i := range messages {
		m := &messages[i]
		c.add(m.origin, `{"role":"`, m.role, `","content":`, c.join(m.contents), `}`)
	}
}

// join returns contents as one.
func (c *claude) join(contents []rawjson.Span) string {
	if len(contents) == 1 {
		if contents[0] == (rawjson.Span{}) {
			return "null"
		}
		return contents[0].Of(c.Text)
	}
	var blocks []string
	for _, content := range contents {
		switch c.Kind(content) {
		case rawjson.Absent, rawjson.Null:
		case rawjson.String:
			blocks = append(blocks, `{"type":"text","text":`+content.Of(c.Text)+`}`)
		case rawjson.Array:
			for block := range rawjson.Elements(c.Text, content) {
				blocks = append(blocks, block.Of(c.Text))
			}
		default:
			blocks = append(blocks, content.Of(c.Text))
		}
	}
	return "[" + strings.Join(blocks, ",") + "]"
}
