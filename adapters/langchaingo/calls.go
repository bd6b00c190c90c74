package langchainkit

import (
	"slices"
	"strconv"
)

// calls are the calls of a history, for what messages leave out: the older function calls
// have no ids, and the tool messages of a store do not name the tool.
type calls struct {
	tools map[string]string // id → tool
	open  []openCall        // calls without an id that nothing answers yet
	given int               // ids that were invented
}

type openCall struct {
	msg      int
	id, tool string
}

// call returns the id of a call in a native message, which is invented if it has none.
func (c *calls) call(id, tool string, msg int) string {
	if id == "" {
		if n := len(c.open); n > 0 && c.open[n-1].msg != msg {
			c.open = c.open[:0] // whoever called the model again does not wait for them
		}
		c.given++
		id = "call without id " + strconv.Itoa(c.given)
		c.open = append(c.open, openCall{msg, id, tool})
	}
	if c.tools == nil {
		c.tools = make(map[string]string)
	}
	c.tools[id] = tool
	return id
}

// result returns the id of the call that a result answers, and its tool. Without an id it is
// the first open call of the tool.
func (c *calls) result(id, tool string) (callID, toolName string) {
	if id == "" {
		at := slices.IndexFunc(c.open, func(o openCall) bool { return tool == "" || o.tool == tool })
		if at < 0 {
			return "", tool
		}
		id = c.open[at].id
		c.open = slices.Delete(c.open, at, at+1)
	}
	if tool == "" {
		tool = c.tools[id]
	}
	return id, tool
}
