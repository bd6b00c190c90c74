package adapters

import (
	"hash/maphash"
	"sync"

	"github.com/trimkit/trimkit/core"
)

// usage remembers what providers counted for the last calls. Between a call and the next one
// of its conversation the history grows by the reply, so the next finds it by what stands
// before the last reply.
type usage struct {
	mu    sync.Mutex
	seed  maphash.Seed
	count map[uint64]int
	order []uint64 // a ring of the keys
	next  int
}

// maxUsage bounds the calls whose usage is remembered.
const maxUsage = 256

// note remembers what a call with this history used.
func (u *usage) note(conversation string, history []core.Message, tokens int) {
	if tokens <= 0 || len(history) == 0 {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.count == nil {
		u.seed, u.count = maphash.MakeSeed(), make(map[uint64]int)
	}
	key := u.key(conversation, history)
	if _, known := u.count[key]; !known {
		if len(u.order) < maxUsage {
			u.order = append(u.order, key)
		} else {
			delete(u.count, u.order[u.next])
			u.order[u.next] = key
			u.next = (u.next + 1) % maxUsage
		}
	}
	u.count[key] = tokens
}

// of returns what the call before this one used; 0: unknown.
func (u *usage) of(conversation string, history []core.Message) int {
	n := len(history)
	for n > 0 && history[n-1].Role != core.RoleAssistant {
		n--
	}
	for n > 0 && history[n-1].Role == core.RoleAssistant {
		n--
	}
	if n == 0 {
		return 0
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.count == nil {
		return 0
	}
	return u.count[u.key(conversation, history[:n])]
}

// key tells histories apart by their conversation, their length, and their first and last
// message.
func (u *usage) key(conversation string, history []core.Message) uint64 {
	var h maphash.Hash
	h.SetSeed(u.seed)
	h.WriteString(conversation)
	for _, m := range []*core.Message{&history[0], &history[len(history)-1]} {
		for i := range m.Parts {
			p := &m.Parts[i]
			h.WriteByte(byte(p.Kind))
			h.WriteString(p.CallID)
			h.WriteByte(0)
			h.WriteString(p.Text)
		}
		h.WriteByte(byte(m.Role))
	}
	maphash.WriteComparable(&h, len(history))
	return h.Sum64()
}
