package bpe

// splitO200K splits by the pattern of o200k_base:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func splitO200K(text string, i int, ends []int) int {
	for n := range ends {
		if i >= len(text) {
			return n
		}
		i = pieceO200K(text, i)
		ends[n] = i
	}
	return len(ends)
}

func pieceO200K(text string, i int) int {
	first := byteClasses[text[i]]
	word := i
	if first&letter == 0 {
		if first&(newline|number) != 0 {
			return rest(text, i, first, i+1, true)
		}
		if first&wide != 0 {
			return wideO200K(text, i)
		}
		word++
	}
	end := lowers(text, word)
	if end == word {
		end = lowers(text, uppers(text, word))
	}
	if end < len(text) {
		switch next := text[end]; {
		case byteClasses[next]&wide != 0:
			return wideO200K(text, i)
		case end == word:
			return rest(text, i, first, i+1, true)
		case next == '\'':
			return contraction(text, end)
		}
	} else if end == word {
		return rest(text, i, first, i+1, true)
	}
	return end
}

// wideO200K finds a piece whatever its characters are.
func wideO200K(text string, i int) int {
	first, next := classAt(text, i)
	end := i
	switch {
	case first&letter != 0:
		end = wideWord(text, i)
	case first&(newline|number) == 0:
		// The character before a word belongs to it, whatever it is.
		if end = headsTails(text, next); end > next {
			break
		}
		if first&tail != 0 { // a mark is a word of its own
			end = next
			break
		}
		if end = run(text, next, head); end == next {
			end = i
		}
	}
	if end == i {
		return rest(text, i, first, next, true)
	}
	return contraction(text, end)
}

// wideWord returns the end of the word at i, which begins with a letter.
func wideWord(text string, i int) int {
	if end := headsTails(text, i); end > i {
		return end
	}
	return run(text, i, head)
}

// headsTails matches head* tail+ as a backtracking matcher does: the heads take all they
// can and give back until the tails have one. Without a match it returns i.
func headsTails(text string, i int) int {
	last := i // behind the last character that could be either
	for i < len(text) {
		c, next := classAt(text, i)
		if c&head == 0 {
			if c&tail != 0 {
				return run(text, next, tail)
			}
			break
		}
		if c&tail != 0 {
			last = next
		}
		i = next
	}
	return last
}
