package bpe

// IsWord is whether a character is a letter, a number or a mark by this package's tables.
func IsWord(r rune) bool { return classOf(r)&(letter|number|head|tail) != 0 }

// Merged returns how many bytes the pieces of a text take to be merged, some of them more
// than once.
func Merged(c *Counter, text string) int {
	s := &state{merger: merger{vocabulary: c.vocabulary}}
	for at := 0; at < len(text); {
		n := c.split(text, at, s.ends[:])
		s.count(text, at, s.ends[:n])
		at = s.ends[n-1]
	}
	return s.merger.merged
}

// AtOnce returns the number of tokens of a text that is taken for one piece, merged by the
// heap alone; and as Count merges pieces.
func AtOnce(c *Counter, text string) (atOnce, asCounted int) {
	m := merger{vocabulary: c.vocabulary}
	return len(m.heap.merge(c.vocabulary.merges, nil, text)), m.piece(text)
}

// Together is whether two tokens go together, as the merger decides it, and as merging
// the text that they make up does.
func Together(c *Counter, left, right uint32) (decided, merged bool) {
	v := c.vocabulary
	m := merger{vocabulary: v}
	tokens := m.merge(nil, v.token(left)+v.token(right))
	return v.together(left, right), len(tokens) == 2 && tokens[0] == left
}

// Tokens returns how many tokens there are.
func Tokens(c *Counter) int { return len(c.vocabulary.ends) }
