package anthropic

import "github.com/trimkit/trimkit/core"

// replies finds out which messages are one reply. A tool that the provider runs may be
// called in one message and have its result in a later one: when the turn was paused, or
// while the program runs tools of its own that were called with it or by it.
type replies struct {
	began map[string]int32 // id of a provider's call → Src of the message that has it
	first map[int32]int32  // Src → a smaller one of the same reply
}

func newReplies() replies {
	return replies{began: map[string]int32{}, first: map[int32]int32{}}
}

// begins notes that the message has the provider's call of that id.
func (r *replies) begins(src int32, id string) {
	if id != "" {
		r.began[id] = src
	}
}

// continues notes that the message goes on with that call, if it is known.
func (r *replies) continues(src int32, id string) {
	began, ok := r.began[id]
	if !ok {
		return
	}
	if a, b := r.root(began), r.root(src); a != b {
		r.first[max(a, b)] = min(a, b)
	}
}

// root returns the first Src of a reply.
func (r *replies) root(src int32) int32 {
	for {
		next, ok := r.first[src]
		if !ok {
			return src
		}
		if further, ok := r.first[next]; ok {
			r.first[src] = further
		}
		src = next
	}
}

// number gives the messages of one reply its first Src as their Reply.
func (r *replies) number(history []core.Message) {
	if len(r.first) == 0 {
		return
	}
	several := map[int32]bool{}
	for src := range r.first {
		several[r.root(src)] = true
	}
	for i := range history {
		m := &history[i]
		if root := r.root(m.Src); m.Role == core.RoleAssistant && several[root] {
			m.Reply = root
		}
	}
}
