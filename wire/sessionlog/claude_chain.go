package sessionlog

import (
	"slices"

	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// order returns the indices of the records that are the conversation, and counts the
// others.
func (c *claude) order() []int {
	order := c.inFileOrder()
	if leaf := c.leaf(); c.chained && leaf >= 0 {
		order = slices.DeleteFunc(c.rejoin(c.path(leaf)), func(i int) bool {
			return c.records[i].aside != c.records[leaf].aside
		})
	}
	c.count(order)
	return slices.DeleteFunc(order, func(i int) bool { return c.records[i].role == "" })
}

// inFileOrder is for what has no parents: everything that is not from a subagent.
func (c *claude) inFileOrder() []int {
	var order []int
	for i := range c.records {
		if r := &c.records[i]; r.role != "" && !r.aside {
			order = append(order, i)
		}
	}
	return order
}

// leaf returns the newest message, or -1. One that the interface hides may hang off an
// older message, and a subagent's is another conversation; these count only where there
// are no others.
func (c *claude) leaf() int {
	for _, eligible := range []func(*claudeRecord) bool{
		func(r *claudeRecord) bool { return !r.aside && !r.meta },
		func(r *claudeRecord) bool { return !r.aside },
		func(*claudeRecord) bool { return true },
	} {
		for i := range slices.Backward(c.records) {
			if r := &c.records[i]; r.role != "" && eligible(r) {
				return i
			}
		}
	}
	return -1
}

// path returns the records from the first ancestor to the leaf.
func (c *claude) path(leaf int) []int {
	kept := c.kept(leaf)
	seen := make([]bool, len(c.records))
	var path []int
	for i := leaf; i >= 0 && !seen[i]; i = kept.parent(c, i) {
		seen[i] = true
		path = append(path, i)
	}
	slices.Reverse(path)
	return path
}

// segment is what a compaction kept as it was: messages that go on behind the anchor, which
// is the summary or the boundary. They stay in the log where they were, with the parents
// that they had, and whatever has the anchor as parent is behind the last of them.
type segment struct {
	anchor  string
	tail    int
	parents map[int]int
}

// kept returns what the last compaction before the leaf kept.
func (c *claude) kept(leaf int) segment {
	for i := range slices.Backward(c.records[:leaf]) {
		if metadata := c.records[i].metadata; metadata != (rawjson.Span{}) {
			segment := c.Get(metadata, "preservedSegment")
			list := c.listed(c.Get(metadata, "preservedMessages"))
			if len(list) == 0 {
				list = c.between(c.Str(c.Get(segment, "headUuid")), c.Str(c.Get(segment, "tailUuid")))
			}
			return c.segment(c.Str(c.Get(segment, "anchorUuid")), list)
		}
	}
	return segment{}
}

// listed returns the records that newer versions list.
func (c *claude) listed(preserved rawjson.Span) []int {
	var list []int
	for uuid := range c.Elements(c.Get(preserved, "uuids")) {
		if i, ok := c.byUUID[c.Str(uuid)]; ok {
			list = append(list, i)
		}
	}
	return list
}

// between returns the records from head to tail, or none if tail does not lead to head.
func (c *claude) between(head, tail string) []int {
	var list []int
	seen := map[int]bool{}
	for i, ok := c.byUUID[tail]; ok && !seen[i]; i, ok = c.byUUID[c.records[i].parent] {
		seen[i] = true
		list = append(list, i)
		if c.records[i].uuid == head {
			slices.Reverse(list)
			return list
		}
	}
	return nil
}

func (c *claude) segment(anchor string, list []int) segment {
	at, ok := c.byUUID[anchor]
	if !ok || len(list) == 0 {
		return segment{}
	}
	s := segment{anchor, list[len(list)-1], map[int]int{}}
	for _, i := range list {
		s.parents[i] = at
		at = i
	}
	return s
}

// parent returns the record before another, or -1.
func (s segment) parent(c *claude, i int) int {
	if parent, ok := s.parents[i]; ok {
		return parent
	}
	name := c.records[i].parent
	if s.anchor != "" && name == s.anchor {
		return s.tail
	}
	if parent, ok := c.byUUID[name]; ok {
		return parent
	}
	return -1
}

// rejoin adds to a path what a walk along single parents misses. Claude Code writes an
// answer as a record for each block, each result has the record of its own call as parent,
// and what follows has one of the results: the other calls and results are on side tracks,
// which come back behind the last record of the answer that the path has.
func (c *claude) rejoin(path []int) []int {
	on := make([]bool, len(c.records))
	last := map[string]int{} // an answer → its last record on the path
	for _, i := range path {
		on[i] = true
		if r := &c.records[i]; r.role == "assistant" && r.reply != "" {
			last[r.reply] = i
		}
	}
	tracks := map[int][]int{}
	for i := range c.records {
		r := &c.records[i]
		if on[i] || r.role == "" || r.uuid == "" || c.byUUID[r.uuid] != i {
			continue
		}
		answer := r.reply
		if r.role == "user" {
			answer = ""
			if parent, ok := c.byUUID[r.parent]; ok && r.results && c.records[parent].role == "assistant" {
				answer = c.records[parent].reply
			}
		}
		if end, ok := last[answer]; ok && answer != "" && c.records[end].aside == r.aside {
			tracks[end] = append(tracks[end], i)
		}
	}
	if len(tracks) == 0 {
		return path
	}
	whole := make([]int, 0, len(path)+len(tracks))
	for _, i := range path {
		whole = append(append(whole, i), tracks[i]...)
	}
	return whole
}

// count notes which records are not in the conversation, and why.
func (c *claude) count(order []int) {
	in := make([]bool, len(c.records))
	for _, i := range order {
		in[i] = true
	}
	compacted := -1 // everything before it is in a summary
	if len(order) > 0 && c.records[order[0]].boundary {
		compacted = order[0]
	}
	for i := range c.records {
		r := &c.records[i]
		switch {
		case r.failure:
			c.skip("API error", 1)
		case r.role == "":
			c.skipType(r.kind)
		case in[i]:
		case r.aside:
			c.skip("sidechain", 1)
		case r.uuid != "" && c.byUUID[r.uuid] != i:
			c.skip("recorded again", 1)
		case i < compacted:
			c.skip("before the compaction", 1)
		default:
			c.skip("another branch", 1)
		}
	}
}
