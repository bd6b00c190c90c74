package sessionlog

import (
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// calls returns the parts of a message's calls, and those of their results. A call that
// the content has already is not repeated.
func (g *geminiCLI) calls(message map[string]rawjson.Span) (calls, results []string) {
	there := g.callsIn(message["content"])
	for at := range g.Elements(message["toolCalls"]) {
		fields := g.Fields(at)
		id, name := fields["id"], fields["name"]
		g.statuses[g.Str(id)] = callStatus(g.Str(fields["status"]))
		switch {
		case there[callName{g.Str(id), ""}] > 0:
			there[callName{g.Str(id), ""}]--
		case there[callName{"", g.Str(name)}] > 0:
			there[callName{"", g.Str(name)}]--
		default:
			calls = append(calls, `{"functionCall":{`+g.members(fields, "id", "name", "args")+`}}`)
		}
		switch result := fields["result"]; g.Kind(result) {
		case rawjson.Absent, rawjson.Null:
		case rawjson.String:
			results = append(results, `{"functionResponse":{`+g.members(fields, "id", "name")+`,"response":{"output":`+result.Of(g.Text)+`}}}`)
		default:
			results = g.parts(results, result)
		}
	}
	return calls, results
}

// callName is how a call is known: by its id, or if it has none by its tool.
type callName struct{ id, tool string }

// callsIn counts the calls among the parts of a content.
func (g *geminiCLI) callsIn(content rawjson.Span) map[callName]int {
	calls := map[callName]int{}
	for part := range g.Elements(content) {
		call := g.Get(part, "functionCall")
		switch id := g.Str(g.Get(call, "id")); {
		case call == rawjson.Span{}:
		case id != "":
			calls[callName{id, ""}]++
		default:
			calls[callName{"", g.Str(g.Get(call, "name"))}]++
		}
	}
	return calls
}

// members returns those of the members that there are, as JSON.
func (g *geminiCLI) members(fields map[string]rawjson.Span, names ...string) string {
	list := ""
	for _, name := range names {
		if at, ok := fields[name]; ok {
			if list != "" {
				list += ","
			}
			list += `"` + name + `":` + at.Of(g.Text)
		}
	}
	return list
}

// callStatus returns what the status of a call says of its result. A cancelled one was
// refused by the user, or stopped.
func callStatus(status string) core.Status {
	switch status {
	case "success":
		return core.StatusOK
	case "error":
		return core.StatusFailed
	case "cancelled":
		return core.StatusDenied
	case "validating", "scheduled", "executing", "awaiting_approval":
		return core.StatusPending
	default:
		return core.StatusUnknown
	}
}
