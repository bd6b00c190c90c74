package core

// GroupKind says what a group is.
type GroupKind uint8

// The kinds of groups.
const (
	GroupSystem   GroupKind = 1 + iota // one system message
	GroupUser                          // one user message
	GroupReply                         // a model reply without calls
	GroupExchange                      // a reply with calls, and all results that answer them
	GroupOther                         // what only broken or foreign input has: a result that answers no call, an unknown role
)

// String returns the kind's name.
func (k GroupKind) String() string {
	return name([]string{"none", "system", "user", "reply", "exchange", "other"}, int(k))
}

// Group is the smallest thing that is removed whole.
type Group struct {
	Kind GroupKind
	Open bool // a call still waits for its result, or has only intermediate ones
	Turn int  // number of user messages up to and including it; 0 before the first
	Msgs []int
}

// Groups is a history cut into groups. A message belongs to exactly one.
//
// Calls and results are paired by id, never by adjacency: a result answers the nearest
// preceding call of its id that is still unanswered (within one reply, the first such
// call), so repeated ids, results in another order, results spread over messages and
// notes in between all come out right. A second result for an answered call joins the
// exchange of that call. Messages that share a Reply are one reply; a message that is
// reasoning alone belongs to the reply right behind it, since neither is valid without
// the other.
type Groups struct {
	List []Group // ordered by first message
	Of   []int   // message → index into List

	first    []int32 // message → index of its first part in answered
	calls    []call
	answered []int32 // part → index into calls of the call it is or answers; -1
	lastUser int     // index of the last user message; -1
}

// call is one ToolCall part while results are matched to calls.
type call struct {
	msg, part int32
	next      int32 // the next call of the same id in the same reply; -1
	final     bool  // has a result that is not pending
	pending   bool  // has a pending result
}

// waiting is the unanswered calls that one reply made under one id, in their order.
type waiting struct {
	head, tail int32 // indices into calls
	older      int32 // the same of an earlier reply; -1
}

// NewGroups cuts history into groups, in time linear in its parts. It keeps no reference
// to history.
func NewGroups(history []Message) *Groups {
	g := &Groups{Of: make([]int, len(history)), first: make([]int32, len(history)+1), lastUser: -1}
	for i := range history {
		g.first[i+1] = g.first[i] + int32(len(history[i].Parts))
		if isUser(&history[i]) {
			g.lastUser = i
		}
	}
	sets := newSets(len(history))
	g.pair(history, sets)
	joinReplies(history, sets)
	g.list(history, sets)
	return g
}

// CallOf returns the message and part of the call that a result answers.
func (g *Groups) CallOf(msg, part int) (callMsg, callPart int, ok bool) {
	c := g.answered[int(g.first[msg])+part]
	if c < 0 {
		return 0, 0, false
	}
	return int(g.calls[c].msg), int(g.calls[c].part), true
}

// Answered reports whether the call at (msg, part) has a result.
func (g *Groups) Answered(msg, part int) bool {
	c := g.answered[int(g.first[msg])+part]
	return c >= 0 && (g.calls[c].final || g.calls[c].pending)
}

// waits reports whether a call is open: nothing final answers it, and either a pending
// result does or no user message came after it.
func (g *Groups) waits(c *call) bool {
	return !c.final && (c.pending || int(c.msg) > g.lastUser)
}

// matcher pairs results with calls, by id: a stack of replies, a queue in each.
type matcher struct {
	*Groups
	history []Message
	queues  []waiting
	newest  map[string]int32 // id → the newest of its queues that is not empty
	last    map[string]int32 // id → the call answered last
}

// pair matches results to calls and puts what belongs together into one set.
func (g *Groups) pair(history []Message, sets sets) {
	g.answered = make([]int32, g.first[len(history)])
	m := matcher{Groups: g, history: history, newest: make(map[string]int32), last: make(map[string]int32)}
	for i := range history {
		for p := range history[i].Parts {
			at := int(g.first[i]) + p
			g.answered[at] = -1
			switch history[i].Parts[p].Kind {
			case KindToolCall:
				g.answered[at] = m.call(i, p)
			case KindToolResult:
				c := m.result(i, p)
				g.answered[at] = c
				if c >= 0 {
					sets.join(int(g.calls[c].msg), i)
				}
			}
		}
	}
}

// call adds the call at (msg, p) to those that wait.
func (m *matcher) call(msg, p int) int32 {
	id := m.history[msg].Parts[p].CallID
	c := int32(len(m.calls))
	m.calls = append(m.calls, call{msg: int32(msg), part: int32(p), next: -1})
	q, ok := m.newest[id]
	if ok && sameReply(m.history, int(m.calls[m.queues[q].tail].msg), msg) {
		m.calls[m.queues[q].tail].next = c
		m.queues[q].tail = c
		return c
	}
	if !ok {
		q = -1
	}
	m.newest[id] = int32(len(m.queues))
	m.queues = append(m.queues, waiting{head: c, tail: c, older: q})
	return c
}

// result returns the call that the result at (msg, p) answers, or -1, and takes it off
// those that wait.
func (m *matcher) result(msg, p int) int32 {
	part := &m.history[msg].Parts[p]
	prev, repeated := m.last[part.CallID]
	q, ok := m.newest[part.CallID]
	if !ok {
		if repeated {
			return prev
		}
		return -1
	}
	c := m.queues[q].head
	// Blocks of one result: the message goes on with the call that its last block
	// answered, unless the same reply made another call of this id.
	if repeated && p > 0 && m.answered[int(m.first[msg])+p-1] == prev && !sameReply(m.history, int(m.calls[prev].msg), int(m.calls[c].msg)) {
		return prev
	}
	if part.Status == StatusPending {
		m.calls[c].pending = true
		return c
	}
	m.calls[c].final = true
	m.last[part.CallID] = c
	switch next, older := m.calls[c].next, m.queues[q].older; {
	case next >= 0:
		m.queues[q].head = next
	case older >= 0:
		m.newest[part.CallID] = older
	default:
		delete(m.newest, part.CallID)
	}
	return c
}

func sameReply(history []Message, a, b int) bool {
	return a == b || history[a].Reply != 0 && history[a].Reply == history[b].Reply
}

// joinReplies joins the messages of one reply, and reasoning with what it led to.
func joinReplies(history []Message, sets sets) {
	replies := make(map[int32]int)
	for i := range history {
		m := &history[i]
		if m.Role != RoleAssistant {
			continue
		}
		if m.Reply != 0 {
			if first, ok := replies[m.Reply]; ok {
				sets.join(first, i)
			} else {
				replies[m.Reply] = i
			}
		}
		if i+1 < len(history) && history[i+1].Role == RoleAssistant && onlyReasoning(m) {
			sets.join(i, i+1)
		}
	}
}

func onlyReasoning(m *Message) bool {
	for i := range m.Parts {
		if m.Parts[i].Kind != KindReasoning {
			return false
		}
	}
	return len(m.Parts) > 0
}

// list makes the groups out of the sets.
func (g *Groups) list(history []Message, sets sets) {
	count := make([]int, len(history)) // root → messages of its set
	for i := range history {
		count[sets.root(i)]++
	}
	room := make([]int, 0, len(history))
	of := make([]int, len(history)) // root → 1 + its group
	turn := 0
	for i := range history {
		m := &history[i]
		if isUser(m) {
			turn++
		}
		root := sets.root(i)
		if of[root] == 0 {
			n := len(room)
			room = room[:n+count[root]]
			g.List = append(g.List, Group{Kind: kindOf(m), Turn: turn, Msgs: room[n:n:len(room)]})
			of[root] = len(g.List)
		}
		g.Of[i] = of[root] - 1
		group := &g.List[g.Of[i]]
		group.Msgs = append(group.Msgs, i)
	}
	for i := range g.calls {
		c := &g.calls[i]
		group := &g.List[g.Of[c.msg]]
		group.Kind = GroupExchange
		group.Open = group.Open || g.waits(c)
	}
}

// kindOf returns what a group with this message and without calls is.
func kindOf(m *Message) GroupKind {
	if m.Role >= RoleTool {
		return GroupOther
	}
	return [...]GroupKind{GroupOther, GroupSystem, GroupUser, GroupReply}[m.Role]
}

// isUser reports whether m is the user's own message, and not one that an edit inserted.
func isUser(m *Message) bool { return m.Role == RoleUser && !m.Inserted() }

// sets is a union-find over message indices; the root of a set is its smallest member.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s sets) root(i int) int {
	for int(s[i]) != i {
		s[i] = s[s[i]]
		i = int(s[i])
	}
	return i
}

func (s sets) join(a, b int) {
	a, b = s.root(a), s.root(b)
	s[max(a, b)] = int32(min(a, b))
}
