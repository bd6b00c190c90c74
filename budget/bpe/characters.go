package bpe

import "unicode/utf8"

const (
	threeBytes = 0xe0 // the lowest first byte of a character of so many
	takenBack  = 4    // tokens that a character may change
)

// characters merges a piece a character at a time, which is the fastest way for scripts
// whose characters are tokens by themselves, as most of Chinese, Japanese and Korean are. It
// is false if a character changes more than a few tokens in front of it.
//
// After each character, tokens has those of the text up to it: a token is put behind them
// if it goes together with the last; if not, it takes that one in.
func (m *merger) characters(text string) bool {
	m.tokens, m.settled = m.tokens[:0], 0
	for at := 0; at < len(text); {
		end := at + 1
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		if !m.push(text, at, end) {
			return false
		}
		if len(m.tokens) >= 64*takenBack {
			m.settle(takenBack)
		}
		at = end
	}
	return true
}

// push puts the character from at to end behind the tokens of the text before it.
func (m *merger) push(text string, at, end int) bool {
	v := m.vocabulary
	m.merged += end - at
	m.stretch = m.stretch[:0]
	if rank := v.word(text[at:end]); rank != noToken {
		m.stretch = append(m.stretch, rank)
	} else {
		m.stretch = m.merge(m.stretch, text[at:end])
	}
	for range takenBack {
		last := len(m.tokens) - 1
		if last < 0 || v.together(m.tokens[last], m.stretch[0]) {
			m.tokens = append(m.tokens, m.stretch...)
			return true
		}
		before := m.tokens[last]
		m.tokens = m.tokens[:last]
		at -= v.length(before)
		joined := v.merges.of(before, m.stretch[0])
		switch {
		case joined != noToken && len(m.stretch) == 1:
			m.stretch[0] = joined
		case end-at > scanned:
			return false
		default:
			m.stretch = m.merge(m.stretch, text[at:end])
		}
	}
	return false
}
