package budget

import "unicode/utf8"

const (
	mergeAtOnce = 1 << 20 // bytes; what merging holds at a time is 20 times this
	longestPair = 256     // bytes; no token of the vocabularies is longer than 128
	noRank      = ^uint32(0)
)

// merge returns the number of tokens that byte pair encoding makes of one piece: of all
// neighbours whose join is a token, those with the lowest rank are joined, leftmost
// first, until there are none. A heap of the pairs makes that n log n where a search for
// the lowest each time is quadratic; the result is the same.
//
// A piece longer than a mebibyte is merged in slices of that size, to bound memory. At
// each cut the count may differ by a few tokens from that of the whole, in either
// direction.
func merge(ranks map[string]int, piece string) int {
	tokens := 0
	for len(piece) > mergeAtOnce {
		end := mergeAtOnce
		for !utf8.RuneStart(piece[end]) {
			end--
		}
		tokens += newMerger(ranks, piece[:end]).merge()
		piece = piece[end:]
	}
	return tokens + newMerger(ranks, piece).merge()
}

// merger is a list of tokens, linked by where they begin, and a heap of the pairs that
// can be joined. A pair in the heap is out of date when its rank is no longer that of the
// pair that begins there.
type merger struct {
	ranks      map[string]int
	piece      string
	prev, next []uint32 // by a token's first byte
	rank       []uint32 // of the pair that begins with this token; noRank: none
	heap       []uint64 // rank<<32 | first byte, a binary min-heap
}

func newMerger(ranks map[string]int, piece string) *merger {
	n := len(piece)
	m := &merger{
		ranks: ranks, piece: piece,
		prev: make([]uint32, n+1), next: make([]uint32, n+1),
		rank: make([]uint32, n+1), heap: make([]uint64, 0, n),
	}
	for i := range n {
		m.prev[i+1], m.next[i] = uint32(i), uint32(i+1)
	}
	m.rank[n] = noRank
	for i := range n {
		m.rank[i] = m.pair(uint32(i))
		if m.rank[i] != noRank {
			m.heap = append(m.heap, uint64(m.rank[i])<<32|uint64(i))
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m
}

// merge joins pairs until none is left, and returns the number of tokens.
func (m *merger) merge() int {
	tokens := len(m.piece)
	for len(m.heap) > 0 {
		rank, i := uint32(m.heap[0]>>32), uint32(m.heap[0])
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
		m.down(0)
		if m.rank[i] != rank {
			continue
		}
		joined := m.next[i]
		m.rank[joined] = noRank
		m.next[i] = m.next[joined]
		m.prev[m.next[i]] = i
		tokens--
		m.update(i)
		if i > 0 {
			m.update(m.prev[i])
		}
	}
	return tokens
}

// update ranks the pair that begins at i anew.
func (m *merger) update(i uint32) {
	m.rank[i] = m.pair(i)
	if m.rank[i] != noRank {
		m.heap = append(m.heap, uint64(m.rank[i])<<32|uint64(i))
		m.up(len(m.heap) - 1)
	}
}

func (m *merger) pair(i uint32) uint32 {
	second := m.next[i]
	if int(second) >= len(m.piece) {
		return noRank
	}
	end := m.next[second]
	if end-i > longestPair {
		return noRank
	}
	if rank, ok := m.ranks[m.piece[i:end]]; ok {
		return uint32(rank)
	}
	return noRank
}

func (m *merger) down(i int) {
	h := m.heap
	for {
		least := 2*i + 1
		if least >= len(h) {
			return
		}
		if right := least + 1; right < len(h) && h[right] < h[least] {
			least = right
		}
		if h[i] <= h[least] {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

func (m *merger) up(i int) {
	h := m.heap
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent] <= h[i] {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}
