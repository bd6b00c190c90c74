package bpe

// heap merges a stretch of any length: it keeps the neighbours that make a token in order,
// so that the time is n log n.
type heap struct {
	tokens     []uint32 // by a token's first byte
	prev, next []uint32 // where the neighbours of the token begin that begins here
	makes      []uint32 // the token that it makes with the next one, or noToken
	order      []uint64 // what is made, and by the token at which byte: a binary heap
}

// merge appends the tokens of a stretch.
func (h *heap) merge(m *merges, tokens []uint32, stretch string) []uint32 {
	h.begin(m, stretch)
	for len(h.order) > 0 {
		token, i := uint32(h.order[0]>>32), uint32(h.order[0])
		h.pop()
		if h.makes[i] != token {
			continue // something has joined one of the two with another
		}
		joined := h.next[i]
		h.makes[joined] = noToken
		h.tokens[i] = token
		h.next[i] = h.next[joined]
		h.prev[h.next[i]] = i
		h.update(m, i)
		if i > 0 {
			h.update(m, h.prev[i])
		}
	}
	for i := 0; i < len(stretch); i = int(h.next[i]) {
		tokens = append(tokens, h.tokens[i])
	}
	return tokens
}

// size returns how long the longest stretch was.
func (h *heap) size() int { return len(h.tokens) }

// begin makes a token of every byte.
func (h *heap) begin(m *merges, stretch string) {
	n := len(stretch)
	if len(h.tokens) <= n {
		h.tokens, h.makes = make([]uint32, n+1), make([]uint32, n+1)
		h.prev, h.next = make([]uint32, n+1), make([]uint32, n+1)
	}
	h.order = h.order[:0]
	for i := range n {
		h.tokens[i] = m.bytes[stretch[i]]
		h.next[i], h.prev[i+1] = uint32(i+1), uint32(i)
		h.makes[i] = noToken
		if i+1 < n {
			h.makes[i] = m.two[int(stretch[i])<<8|int(stretch[i+1])]
			if h.makes[i] != noToken {
				h.order = append(h.order, uint64(h.makes[i])<<32|uint64(i))
			}
		}
	}
	h.tokens[n], h.makes[n], h.next[n] = noToken, noToken, uint32(n)
	for i := len(h.order)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

// update looks anew at what the token at i makes with the next.
func (h *heap) update(m *merges, i uint32) {
	h.makes[i] = noToken
	if right := h.tokens[h.next[i]]; right != noToken {
		h.makes[i] = m.of(h.tokens[i], right)
	}
	if h.makes[i] != noToken {
		h.order = append(h.order, uint64(h.makes[i])<<32|uint64(i))
		h.up(len(h.order) - 1)
	}
}

func (h *heap) pop() {
	last := len(h.order) - 1
	h.order[0] = h.order[last]
	h.order = h.order[:last]
	h.down(0)
}

func (h *heap) down(i int) {
	order := h.order
	for {
		least := 2*i + 1
		if least >= len(order) {
			return
		}
		if right := least + 1; right < len(order) && order[right] < order[least] {
			least = right
		}
		if order[i] <= order[least] {
			return
		}
		order[i], order[least] = order[least], order[i]
		i = least
	}
}

func (h *heap) up(i int) {
	order := h.order
	for i > 0 {
		parent := (i - 1) / 2
		if order[parent] <= order[i] {
			return
		}
		order[i], order[parent] = order[parent], order[i]
		i = parent
	}
}
