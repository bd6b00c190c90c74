package budget

import (
	"strings"
	"sync"
)

// memo remembers counts by content. It has two generations: what is looked up moves to
// the young one, and when that is full it becomes the old one, whose texts are forgotten.
// Forgetting costs a new count, and changes none.
type memo struct {
	mu         sync.RWMutex
	young, old map[string]remembered
	bytes      int // of the young generation
	limit      int
}

// remembered has the text again, as the memo's own copy, so that moving it to the other
// generation copies nothing.
type remembered struct {
	text   string
	tokens int
}

// entryBytes is what an entry takes beside its text, in the fullest and the emptiest map,
// about. It bounds the number of entries.
const entryBytes = 100

// get returns the count of text, if it is remembered. It allocates nothing, but for
// growing a map after generations have changed.
func (m *memo) get(text string) (int, bool) {
	m.mu.RLock()
	r, ok := m.young[text]
	if ok {
		m.mu.RUnlock()
		return r.tokens, true
	}
	r, ok = m.old[text]
	m.mu.RUnlock()
	if ok {
		m.put(r)
	}
	return r.tokens, ok
}

// add remembers a count. The text is copied: it may be a small part of something large,
// such as a request's body, that must not be kept for its sake.
func (m *memo) add(text string, tokens int) {
	if len(text)+entryBytes <= m.limit {
		m.put(remembered{strings.Clone(text), tokens})
	}
}

func (m *memo) put(r remembered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.young[r.text]; ok {
		return
	}
	size := len(r.text) + entryBytes
	if m.young == nil || m.bytes+size > m.limit {
		m.old, m.young, m.bytes = m.young, make(map[string]remembered), 0
	}
	m.young[r.text] = r
	m.bytes += size
}
