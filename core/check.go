package core

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Violation is something that a provider would reject.
type Violation struct {
	Rule    string `json:"rule"`    // its name, such as "orphan-result"
	Message int    `json:"message"` // index into the history
	Part    int    `json:"part"`    // index into the message's parts; -1: the whole message
	Detail  string `json:"detail"`  // what was found, without content
}

// String gives place, rule and finding.
func (v Violation) String() string {
	return fmt.Sprintf("message %d: %s: %s", v.Message, v.Rule, v.Detail)
}

// Check lists what the provider of the profile would reject in a history, in the order of
// its messages, in linear time. It changes nothing; what it finds in a raw history, the
// transforms leave as it is.
func Check(p *Profile, history []Message) []Violation {
	c := checker{
		profile: p, history: history, groups: NewGroups(history), previous: -1, replyAt: -1,
		ids: make(map[string]bool), results: make(map[[2]int]int),
	}
	for i := range history {
		c.turn(i)
		c.content(i)
		for part := range history[i].Parts {
			switch history[i].Parts[part].Kind {
			case KindToolCall:
				c.call(i, part)
			case KindToolResult:
				c.result(i, part)
			}
		}
		if history[i].Role != RoleTool {
			c.replyAt = i
		}
		if ClassOf(&history[i]) != ClassNone {
			c.previous = i
		}
	}
	return c.found
}

type checker struct {
	profile  *Profile
	history  []Message
	groups   *Groups
	ids      map[string]bool // call ids so far
	results  map[[2]int]int  // call → the message that answered it
	previous int             // the last message that takes part in turn-taking; -1
	replyAt  int             // the last message that was not a tool's; -1
	found    []Violation
}

func (c *checker) report(rule string, msg, part int, format string, args ...any) {
	c.found = append(c.found, Violation{rule, msg, part, fmt.Sprintf(format, args...)})
}

// turn checks where a message may stand.
func (c *checker) turn(i int) {
	m := &c.history[i]
	switch {
	case m.Role == 0 || m.Role > RoleTool:
		c.report("unknown-role", i, -1, "the role is none of system, user, assistant, tool")
	case m.Role == RoleSystem && c.previous >= 0 && c.profile.SystemFirst:
		c.report("system-position", i, -1, "a system message behind others")
	case m.Role == RoleSystem:
	case c.previous < 0:
		if c.profile.UserFirst && m.Role != RoleUser {
			c.report("first-role", i, -1, "the first message is the %s's, not the user's", m.Role)
		}
	case c.groups.Of[c.previous] != c.groups.Of[i] && c.profile.forbids(ClassOf(&c.history[c.previous]), ClassOf(m)):
		c.report("turn-order", i, -1, "%s message behind %s message", m.Role, c.history[c.previous].Role)
	}
}

// content checks that a message says something, and does not end on reasoning.
func (c *checker) content(i int) {
	m := &c.history[i]
	if c.profile.Conclusion && m.Role == RoleAssistant && onlyReasoning(m) && len(c.groups.List[c.groups.Of[i]].Msgs) == 1 {
		c.report("lone-reasoning", i, -1, "reasoning without what it led to")
	}
	last := m.Role == RoleAssistant && i == len(c.history)-1
	if c.profile.NotEmpty && !last && !slices.ContainsFunc(m.Parts, func(p Part) bool { return !blank(&p) }) {
		c.report("empty-content", i, -1, "a message without content")
	}
}

func (c *checker) call(i, p int) {
	part := &c.history[i].Parts[p]
	if c.profile.UniqueIDs && c.ids[part.CallID] {
		c.report("repeated-id", i, p, "another call has its id")
	}
	c.ids[part.CallID] = true
	if c.profile.ObjectArgs && !isObject(part.Text) {
		c.report("bad-arguments", i, p, "the arguments are no JSON object")
	}
	if c.profile.Answered && !c.groups.Answered(i, p) {
		c.report("unanswered-call", i, p, "no result answers it")
	}
}

func (c *checker) result(i, p int) {
	msg, part, ok := c.groups.CallOf(i, p)
	if !ok {
		c.report("orphan-result", i, p, "no call before it has its id")
		return
	}
	if c.profile.Adjacent && (c.replyAt < 0 || !sameReply(c.history, msg, c.replyAt)) {
		c.report("late-result", i, p, "it does not stand right behind its call")
	}
	first, seen := c.results[[2]int{msg, part}]
	if !seen {
		c.results[[2]int{msg, part}] = i
	} else if first != i && c.profile.OneResult {
		c.report("repeated-result", i, p, "message %d answered the call already", first)
	}
}

// blank reports whether a part is text that says nothing.
func blank(p *Part) bool { return p.Kind == KindText && strings.TrimSpace(p.Text) == "" }

func isObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text))
}
