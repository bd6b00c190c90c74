package core

// chain links the messages of the view that take part in turn-taking: node i is message
// i of the history, node len(history) is both ends, nodes behind that are inserted
// messages. Removing a message tells at once which two it brings together, and whether
// a notice must keep them apart.
type chain struct {
	profile    *Profile
	groups     []int // message → group
	next, prev []int32
	born       []int32 // prev as it was in the history
	class      []Class
	end        int32
	notices    int // how many the view needs
}

func newChain(history []Message, groups *Groups, profile *Profile) chain {
	n := int32(len(history))
	c := chain{
		profile: profile, groups: groups.Of, end: n,
		next: make([]int32, n+1), prev: make([]int32, n+1), class: make([]Class, n+1),
	}
	last := n
	for i := range n {
		c.class[i] = ClassOf(&history[i])
		if c.class[i] != ClassNone {
			c.next[last], c.prev[i] = i, last
			last = i
		}
	}
	c.next[last], c.prev[n] = n, last
	c.born = append([]int32(nil), c.prev...)
	return c
}

// apart returns 1 if nodes a and b, now neighbours, need a notice between them. What
// stood together in the history may go on standing together, and so may one reply.
func (c *chain) apart(a, b int32) int {
	switch {
	case a == c.end || b == c.end || c.born[b] == a || !c.profile.forbids(c.class[a], c.class[b]):
		return 0
	case a < c.end && b < c.end && c.groups[a] == c.groups[b]:
		return 0
	default:
		return 1
	}
}

// unlink takes message i out.
func (c *chain) unlink(i int) {
	if c.class[i] == ClassNone {
		return
	}
	a, b := c.prev[i], c.next[i]
	c.next[a], c.prev[b] = b, a
	c.notices += c.apart(a, b) - c.apart(a, int32(i)) - c.apart(int32(i), b)
}

// insert puts a new node before message b, or the first visible one behind it.
func (c *chain) insert(b int32, class Class) {
	node, a := int32(len(c.next)), c.prev[b]
	c.next, c.prev = append(c.next, b), append(c.prev, a)
	c.class, c.born = append(c.class, class), append(c.born, -1)
	c.next[a], c.prev[b] = node, node
	c.notices += c.apart(a, node) + c.apart(node, b) - c.apart(a, b)
}

// leads reports whether, for a provider that wants a user message first, message i is one
// and what would take its place is not.
func (c *chain) leads(i int) bool {
	first := c.next[c.end]
	return c.profile != nil && c.profile.UserFirst && first == int32(i) && c.class[i] == ClassUser &&
		c.class[c.next[i]] != ClassUser && c.next[i] != c.end
}

// fits reports whether a message of the class may stand before node b.
func (c *chain) fits(b int32, class Class) bool {
	if c.prev[b] == c.end && class != ClassUser && c.profile != nil && c.profile.UserFirst {
		return false
	}
	return !c.profile.forbids(c.class[c.prev[b]], class) && !c.profile.forbids(class, c.class[b])
}

// insertsBefore returns the inserted nodes right before node b, in order.
func (c *chain) insertsBefore(b int32) []int32 {
	var nodes []int32
	first := c.prev[b]
	for first > c.end {
		first = c.prev[first]
	}
	for node := c.next[first]; node > c.end; node = c.next[node] {
		nodes = append(nodes, node)
	}
	return nodes
}
