package sessionlog

import (
	"slices"
	"strconv"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
)

// The format is described in pi's own documentation of its session files, and its session
// manager shows how a context is built of one.

// piEntry is what matters of an entry.
type piEntry struct {
	origin
	kind      string
	parent    string
	message   rawjson.Span // of an entry of type message
	whole     rawjson.Span
	firstKept string // of a compaction
}

// pi is a session of pi.
type pi struct {
	*draft
	entries []piEntry
	byID    map[string]int
	linked  bool      // entries have ids; the first version of the format had none
	role    core.Role // of the message at hand
	parts   []core.Part
}

func readPi(d *draft) ([]core.Message, error) {
	p := &pi{draft: d, entries: make([]piEntry, len(d.Items)), byID: map[string]int{}}
	for i, item := range d.Items {
		p.entries[i] = p.entry(i, item)
	}
	var messages []core.Message
	for _, i := range p.order() {
		m, ok, err := p.read(&p.entries[i])
		switch {
		case err != nil:
			return nil, err
		case !ok:
			continue
		case len(m.Parts) == 0:
			p.skip("empty message", 1)
			continue
		}
		m.Src = int32(len(messages)) + 1
		m.Meta = p.entries[i].meta()
		messages = append(messages, m)
	}
	return messages, nil
}

func (p *pi) entry(index int, item rawjson.Span) piEntry {
	e := piEntry{origin: origin{record: index, start: item.Start}, whole: item}
	for m := range rawjson.Members(p.Text, item) {
		switch m.Name {
		case "type":
			e.kind = p.Str(m.Value)
		case "id":
			e.id = p.Str(m.Value)
		case "parentId":
			e.parent = p.Str(m.Value)
		case "timestamp":
			e.time = p.time(m.Value)
		case "message":
			e.message = m.Value
		case "firstKeptEntryId":
			e.firstKept = p.Str(m.Value)
		case "firstKeptEntryIndex": // of the first version: the header counts
			e.firstKept = m.Value.Of(p.Text)
		}
	}
	switch {
	case e.kind == "session":
		p.session = e.id
		e.id = ""
	case e.id != "":
		p.byID[e.id] = index
		p.linked = true
	}
	return e
}

// order returns the indices of the entries that are the context, and counts the others.
func (p *pi) order() []int {
	path := p.path()
	on := make([]bool, len(p.entries))
	for _, i := range path {
		on[i] = true
	}
	for i := range p.entries {
		switch e := &p.entries[i]; {
		case e.kind == "session":
			p.skipType(e.kind)
		case !on[i] && p.linked && (e.id == "" || p.byID[e.id] != i):
			p.skip("recorded again", 1)
		case !on[i]:
			p.skip("another branch", 1)
		}
	}
	return p.afterCompaction(path)
}

// path returns the entries from the first to the last one of the log, by their parents.
func (p *pi) path() []int {
	var path []int
	if !p.linked {
		for i := range p.entries {
			if p.entries[i].kind != "session" {
				path = append(path, i)
			}
		}
		return path
	}
	seen := make([]bool, len(p.entries))
	at := len(p.entries) - 1
	for at >= 0 && (p.entries[at].kind == "session" || p.entries[at].id == "") {
		at--
	}
	for at >= 0 && !seen[at] {
		seen[at] = true
		path = append(path, at)
		parent, ok := p.byID[p.entries[at].parent]
		if !ok {
			break
		}
		at = parent
	}
	slices.Reverse(path)
	return path
}

// afterCompaction returns what the last compaction on a path leaves of it: the compaction,
// which is its summary, what it kept, and what came after.
func (p *pi) afterCompaction(path []int) []int {
	last := -1
	for n, i := range path {
		if p.entries[i].kind == "compaction" {
			last = n
		}
	}
	if last < 0 {
		return path
	}
	compaction := &p.entries[path[last]]
	kept := last
	for n, i := range path[:last] {
		name := p.entries[i].id
		if !p.linked {
			name = strconv.Itoa(i)
		}
		if name == compaction.firstKept {
			kept = n
			break
		}
	}
	order := append([]int{path[last]}, path[kept:last]...)
	for _, i := range path[:kept] {
		if p.entries[i].kind == "message" || p.entries[i].kind == "custom_message" {
			p.skip("before the compaction", 1)
		} else {
			p.skipType(p.entries[i].kind)
		}
	}
	order = slices.DeleteFunc(order, func(i int) bool { // an earlier summary is part of the last one
		earlier := p.entries[i].kind == "compaction" && i != path[last]
		if earlier {
			p.skip("before the compaction", 1)
		}
		return earlier
	})
	return append(order, path[last+1:]...)
}
