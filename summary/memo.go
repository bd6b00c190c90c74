package summary

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// Key names what a model was asked, by its content.
type Key [sha256.Size]byte

// Entry is what came of it. It is read only.
type Entry struct {
	Text    string   `json:"text,omitempty"`    // the summary; empty for a refused one
	Refused string   `json:"refused,omitempty"` // why there is none, as a name without content
	Carried []string `json:"carried,omitempty"` // of a summary's own key: the constraints that it has
}

// err returns why there is no summary.
func (e Entry) err() error {
	if e.Refused == "" {
		return nil
	}
	for _, v := range verdicts {
		if v.name == e.Refused {
			return &RefusedError{Reason: v.err, Known: true}
		}
	}
	return &RefusedError{Reason: ErrFailed, Known: true}
}

// Memo remembers what models answered, and refusals too. The first entry of a key stays: Put
// of another one changes nothing and is no error. Entries depend on nothing but their key's
// content, so one Memo may serve any number of conversations; they hold their content. A
// Memo is safe for concurrent use, and Get is fast: it is called while a view is decided.
type Memo interface {
	Get(Key) (Entry, bool)
	Put(Key, Entry) error
}

// Memory is a [Memo] in memory, within a bound: what was used least recently is forgotten
// first. What a Memory forgets, a conversation that is taken in anew has lost.
type Memory struct {
	mu    sync.Mutex
	limit int
	used  int
	order list.List // of *remembered, the newest in front
	known map[Key]*list.Element
}

type remembered struct {
	key   Key
	entry Entry
}

// size is what an entry takes, with its bookkeeping, in bytes.
func (r *remembered) size() int {
	n := len(r.entry.Text) + 256
	for _, line := range r.entry.Carried {
		n += len(line) + 16
	}
	return n
}

// NewMemory returns a Memory of so many bytes: a summary of 500 tokens takes about 2,500. An
// entry that is larger than that is not kept.
func NewMemory(bytes int) *Memory {
	return &Memory{limit: bytes, known: make(map[Key]*list.Element)}
}

// Get implements [Memo].
func (m *Memory) Get(k Key) (Entry, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.known[k]
	if !ok {
		return Entry{}, false
	}
	m.order.MoveToFront(at)
	r, ok := at.Value.(*remembered)
	return r.entry, ok
}

// Put implements [Memo].
func (m *Memory) Put(k Key, e Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &remembered{k, e}
	if m.known[k] != nil || r.size() > m.limit {
		return nil
	}
	m.known[k] = m.order.PushFront(r)
	m.used += r.size()
	for m.used > m.limit {
		oldest, _ := m.order.Remove(m.order.Back()).(*remembered)
		delete(m.known, oldest.key)
		m.used -= oldest.size()
	}
	return nil
}
