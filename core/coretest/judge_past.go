package coretest

import "github.com/trimkit/trimkit/core"

// What a subject that decides once, and replays what it decided, owes to a history that it did
// not know to its end. It concerns malformed ones alone: where a result comes behind a later
// reply, or a reply goes on behind something else.

// decidedBefore reports whether such a subject may have decided about the group of a message
// when only a part of it was there, and nothing kept that: neither what it is nor, if so
// asked, that it was unread or open. What has gone then does not come back, and what follows
// of it leaves too.
func (t *trial) decidedBefore(m int, waiting bool) bool {
	if t.Collections == nil {
		return false
	}
	if !t.pairs.hard[m] && t.late() { // unread only behind a reply that is not there
		return true
	}
	for n := 1; n < len(t.History); n++ {
		then := newPairing(t.History[:n])
		for i := range n {
			if t.pairs.group[i] == t.pairs.group[m] && !then.hard[i] && !(waiting && then.waiting[i]) {
				return true
			}
		}
	}
	return false
}

// bridged reports whether a message made one group of two about which such a subject may have
// decided otherwise, such as one with late results for calls of several replies; or whether messages without
// parts cannot be told apart, so that nobody knows what was decided about which.
func (t *trial) bridged() bool {
	if t.Collections == nil {
		return false
	}
	type head struct {
		src  int32
		role core.Role
	}
	empty := make(map[head]bool)
	for m := range t.History {
		if h := (head{t.History[m].Src, t.History[m].Role}); len(t.History[m].Parts) == 0 {
			if empty[h] {
				return true
			}
			empty[h] = true
		}
		if t.joins(m) {
			return true
		}
	}
	return false
}

// joins reports whether a message belongs to several groups of those before it.
func (t *trial) joins(m int) bool {
	before := newPairing(t.History[:m])
	of := make(map[int]bool)
	for i := range t.History[m].Parts {
		if call, ok := t.pairs.answers[place{m, i}]; ok {
			of[before.group[call.msg]] = true
		}
	}
	for i := range m {
		reply := t.History[m].Role == core.RoleAssistant && t.History[i].Role == core.RoleAssistant
		if reply && (t.pairs.oneReply(i, m) || i == m-1 && thoughtsOnly(&t.History[i])) {
			of[before.group[i]] = true
		}
	}
	return len(of) > 1
}

// late reports whether something that such a subject dropped had a late result, behind another
// reply, or was a reply that went on behind something else. That left with it, and with that
// what may have stood between two neighbours.
func (t *trial) late() bool {
	if t.Collections == nil || !t.aligned() {
		return false
	}
	for m, first := range t.pairs.group {
		for i := first; i < m && t.shown[m] < 0; i++ {
			if t.pairs.group[i] != first && (t.History[m].Role == core.RoleAssistant || t.History[i].Role == core.RoleAssistant) {
				return true
			}
		}
	}
	return false
}

// keptByView reports whether a message is protected in the view of such a subject, which goes
// on from there: it may have dropped the reply behind it, or the user message.
func (t *trial) keptByView(m int) bool {
	if t.Collections == nil || t.shown[m] < 0 {
		return false
	}
	p := newPairing(t.view)
	return p.hard[t.shown[m]] || p.waiting[t.shown[m]]
}
