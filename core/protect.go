package core

import "strings"

// Protection says which rules keep a group as it is; several can hold at once. A group
// is protected when any of its messages is.
type Protection uint8

// The reasons for which content stays verbatim.
const (
	Pinned   Protection = 1 << iota // a message with Policy Locked
	System                          // a system message
	Task                            // the first user message
	Question                        // the last user message, however far back
	Unread                          // after the last reply: the model has not seen it
	Open                            // a call that still waits for its result
)

// String names the reasons, joined by commas; it is empty for no protection.
func (p Protection) String() string {
	var names []string
	for i, name := range []string{"pinned", "system message", "first user message", "last user message", "unread", "open call"} {
		if p&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// protect returns the protection of every group, and the index of the first message of
// the last reply; the unread messages are those after it that are not the assistant's.
func protect(history []Message, groups *Groups) ([]Protection, int) {
	byGroup := make([]Protection, len(groups.List))
	lastReply, end := lastReplyOf(history)
	task := false
	for i := range history {
		m := &history[i]
		p := &byGroup[groups.Of[i]]
		if m.Policy == Locked {
			*p |= Pinned
		}
		if m.Role == RoleSystem {
			*p |= System
		}
		if isUser(m) && !task {
			*p |= Task
			task = true
		}
		if i == groups.lastUser {
			*p |= Question
		}
		if unread(history, lastReply, i) {
			*p |= Unread
			if i < end { // logged within the reply, and unread only as long as that is there
				byGroup[groups.Of[lastReply]] |= Unread
			}
		}
	}
	for i := range groups.List {
		if groups.List[i].Open {
			byGroup[i] |= Open
		}
	}
	return byGroup, lastReply
}

// lastReplyOf returns the first and the last message of the last reply, or -1. A result
// logged between the two is as unread as one behind them.
func lastReplyOf(history []Message) (first, last int) {
	last = len(history) - 1
	for last >= 0 && (history[last].Role != RoleAssistant || history[last].Inserted()) {
		last--
	}
	for first = 0; first < last; first++ {
		if history[first].Role == RoleAssistant && sameReply(history, first, last) {
			break
		}
	}
	return min(first, last), last
}

func unread(history []Message, lastReply, msg int) bool {
	return msg > lastReply && history[msg].Role != RoleAssistant
}

// policyOf returns the policy of message i: its own, or the one that its role gives it.
func policyOf(m *Message) Policy {
	switch {
	case m.Policy != PolicyDefault:
		return m.Policy
	case m.Role == RoleSystem:
		return Locked
	case m.Role == RoleUser && !m.Inserted():
		return Preservable
	default:
		return Partial
	}
}
