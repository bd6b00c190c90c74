package sessionlog

import (
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/records"
)

// agentFormat is an agent's way to log.
type agentFormat struct {
	name string
	mark func(record) string // what shows that a record is from such a log; empty: nothing
	read func(*draft) ([]core.Message, error)
}

// agents lists them; a record is of the first one that it has a mark of.
var agents = []agentFormat{
	{"claude-code", claudeMark, readClaude},
	{"codex", codexMark, readCodex},
	{"pi", piMark, readPi},
	{"swe-agent", sweMark, readSWE},
	{"mini-swe-agent", miniMark, readMini},
	{"gemini-cli", geminiMark, readGemini},
}

// Detect returns the name of the agent whose log data is, and what shows it, in words. Both
// are empty if it is no log, or one of another agent. It looks at the records until one
// decides, and at a text that is one value not without checking all of it. It has no limits:
// call [wire.CheckLimits] before, where nobody vouches for data.
func Detect(data []byte) (agent, reason string) {
	const firstLook = 16 // records: nearly always enough, and quick in a long log
	for _, limit := range []int{firstLook, 0} {
		r, err := records.Read(packageName, data, limit)
		if err != nil {
			return "", ""
		}
		if a, reason := detect(r); a != nil {
			return a.name, reason
		}
		if len(r.Items) < limit {
			break
		}
	}
	return "", ""
}

func detect(r *records.Records) (*agentFormat, string) {
	for i, item := range r.Items {
		one := record{r, r.Fields(item)}
		for a := range agents {
			if mark := agents[a].mark(one); mark != "" {
				return &agents[a], "record " + strconv.Itoa(i) + " has " + mark
			}
		}
		if one.has("role") { // a message without an envelope: no log, or one that began with something else
			break
		}
	}
	return nil, ""
}

// record is one that detection looks at.
type record struct {
	*records.Records
	members map[string]rawjson.Span
}

func (r record) has(names ...string) bool {
	for _, name := range names {
		if _, ok := r.members[name]; !ok {
			return false
		}
	}
	return true
}

// object reports whether the record has an object of that name.
func (r record) object(name string) bool { return r.Kind(r.members[name]) == rawjson.Object }

// kind returns the record's type.
func (r record) kind() string { return r.Str(r.members["type"]) }

func claudeMark(r record) string {
	switch {
	case r.has("parentUuid"):
		return `"parentUuid"`
	case r.has("leafUuid", "type"):
		return `"leafUuid"`
	case r.has("session_id") && (r.object("message") || r.has("subtype")):
		return `"session_id" and is of type ` + r.kind()
	default:
		return ""
	}
}

func codexMark(r record) string {
	switch {
	case r.object("payload") && r.has("timestamp", "type"):
		return `a "payload" and is of type ` + r.kind()
	case r.has("record_type"):
		return `"record_type"`
	case r.has("id", "timestamp", "instructions") && !r.has("type"):
		return `"instructions" and a time`
	default:
		return ""
	}
}

func piMark(r record) string {
	switch {
	case r.kind() == "session" && r.has("id"):
		return "the type session"
	case r.kind() == "message" && r.object("message"):
		return `a "message" and is of type message`
	default:
		return ""
	}
}

func sweMark(r record) string {
	switch {
	case r.Kind(r.members["trajectory"]) == rawjson.Array:
		return `a "trajectory"`
	case r.first("history", "role", "message_type") || r.first("history", "role", "agent"):
		return `a "history" with message types or agents`
	default:
		return ""
	}
}

func miniMark(r record) string {
	info := r.members["info"]
	switch {
	case r.Kind(r.members["messages"]) != rawjson.Array:
		return ""
	case strings.HasPrefix(r.Str(r.members["trajectory_format"]), "mini-swe-agent"):
		return "a mini-swe-agent trajectory_format"
	case r.Get(info, "mini_version") != rawjson.Span{} || r.Get(info, "model_stats") != rawjson.Span{}:
		return "the info of a mini-swe-agent run"
	default:
		return ""
	}
}

func geminiMark(r record) string {
	switch {
	case r.has("sessionId", "projectHash"):
		return `"sessionId" and "projectHash"`
	case r.has("$set"), r.has("$rewindTo"):
		return `a "$" name`
	case r.first("history", "parts"):
		return `a "history" of contents`
	case r.has("parts"):
		return `"parts", as contents have`
	default:
		return ""
	}
}

// first reports whether the record has an array of that name whose first element has these
// members.
func (r record) first(name string, members ...string) bool {
	for element := range r.Elements(r.members[name]) {
		for _, member := range members {
			if r.Get(element, member) == (rawjson.Span{}) {
				return false
			}
		}
		return true
	}
	return false
}
