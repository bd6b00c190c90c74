package bpe

import (
	"fmt"
	"strings"
)

// Encode returns the tokens of a text, by their ranks: as many as Count says, and those
// that the official tokenizer gives for ordinary text.
func (c *Counter) Encode(text string) []int {
	text = valid(text)
	s := c.take()
	s.merger.all = true
	tokens := make([]int, 0, len(text)/4+1)
	for at := 0; at < len(text); {
		for _, end := range s.ends[:c.split(text, at, s.ends[:])] {
			tokens = s.merger.append(tokens, text[at:end])
			at = end
		}
	}
	s.merger.all = false
	c.put(s)
	return tokens
}

// append appends the tokens of a piece.
func (m *merger) append(tokens []int, piece string) []int {
	if rank := m.vocabulary.word(piece); rank != noToken {
		return append(tokens, int(rank))
	}
	m.piece(piece)
	for _, rank := range m.tokens {
		tokens = append(tokens, int(rank))
	}
	return tokens
}

// Decode returns the text of tokens. Of valid UTF-8, it is what was encoded; a text that
// was cut between tokens may end within a character. A number that is no token is an error.
func (c *Counter) Decode(tokens []int) (string, error) {
	var b strings.Builder
	for i, rank := range tokens {
		if rank < 0 || rank >= len(c.vocabulary.ends) {
			return "", fmt.Errorf("bpe: decode tokens: number %d is %d, tokens are below %d", i, rank, len(c.vocabulary.ends))
		}
		b.WriteString(c.vocabulary.token(uint32(rank)))
	}
	return b.String(), nil
}
