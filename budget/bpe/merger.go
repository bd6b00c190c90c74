package bpe

// merger merges pieces, one at a time, in memory that it keeps. It is not safe for
// concurrent use.
type merger struct {
	vocabulary *vocabulary
	parts      parts
	heap       heap
	stretch    []uint32 // the tokens of the stretch merged last
	tokens     []uint32 // those of the piece so far
	all        bool     // tokens has them all; else only the last, which may still change
	settled    int      // the number of those that it does not have
	merged     int      // bytes, some of them again: what all pieces took, for the tests
}

// piece merges a piece and returns how many tokens it has. They are what merging it all at
// once would give, and with all set they are in m.tokens until the next call.
//
// A piece of more than 64 bytes is merged a stretch at a time, so that the time is
// proportional to its length. That relies on a property of byte pair encoding: tokens are
// those of a text if and only if any two neighbours are those of the text that the two make
// up. So what follows a stretch may change its last tokens. These are taken back, and the
// next stretch begins with their text; if its first token and the one in front go together,
// then so does all. Where none is found that does, as inside a token as long as the
// stretch, the piece is begun anew with longer ones.
func (m *merger) piece(text string) int {
	if len(text) <= scanned && text[0] < threeBytes && !m.all {
		m.merged += len(text)
		return m.vocabulary.merges.scan(&m.parts, text)
	}
	if text[0] >= threeBytes && m.characters(text) {
		return m.settled + len(m.tokens)
	}
	size := scanned
	for !m.stretches(text, size) {
		size *= 4
	}
	return m.settled + len(m.tokens)
}

// settle forgets all tokens but the last n, if they are only counted.
func (m *merger) settle(n int) {
	if from := len(m.tokens) - n; from > 0 && !m.all {
		m.settled += from
		m.tokens = append(m.tokens[:0], m.tokens[from:]...)
	}
}

// stretches merges a piece in stretches of at most size bytes, and is false if that does
// not do.
func (m *merger) stretches(text string, size int) bool {
	m.stretch = m.merge(m.stretch, text[:min(size, len(text))])
	m.tokens, m.settled = append(m.tokens[:0], m.stretch...), 0
	for at := 0; at+size < len(text); {
		at = m.resume(text, at, size)
		if at == 0 {
			return false
		}
		m.settle(1)
		m.tokens = append(m.tokens, m.stretch...)
	}
	return true
}

// resume takes back the last tokens of the stretch that begins at byte at, merges the next,
// which begins where they did, and returns that place. It is 0 if no place in the second
// half of the stretch has a token in front that goes with one behind.
func (m *merger) resume(text string, at, size int) int {
	next := at + size
	for back := 1; ; back *= 2 {
		for range back {
			last := len(m.tokens) - 1
			next -= m.vocabulary.length(m.tokens[last])
			if next < at+size/2 {
				return 0
			}
			m.tokens = m.tokens[:last]
		}
		m.stretch = m.merge(m.stretch, text[next:min(next+size, len(text))])
		if m.vocabulary.together(m.tokens[len(m.tokens)-1], m.stretch[0]) {
			return next
		}
	}
}

// merge puts the tokens of a stretch in place of those that are given.
func (m *merger) merge(tokens []uint32, stretch string) []uint32 {
	m.merged += len(stretch)
	if len(stretch) > scanned {
		return m.heap.merge(m.vocabulary.merges, tokens[:0], stretch)
	}
	n := m.vocabulary.merges.scan(&m.parts, stretch)
	return append(tokens[:0], m.parts.tokens[:n]...)
}
