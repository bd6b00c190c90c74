package bpe

// splitCL100K splits by the pattern of cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func splitCL100K(text string, i int, ends []int) int {
	for n := range ends {
		if i >= len(text) {
			return n
		}
		i = pieceCL100K(text, i)
		ends[n] = i
	}
	return len(ends)
}

func pieceCL100K(text string, i int) int {
	first := byteClasses[text[i]]
	if first&wide != 0 {
		return wideCL100K(text, i)
	}
	if end := contraction(text, i); end > i {
		return end
	}
	word := i
	if first&letter == 0 {
		if first&(newline|number) != 0 {
			return rest(text, i, first, i+1, false)
		}
		word++
	}
	end := letters(text, word)
	if end < len(text) && byteClasses[text[end]]&wide != 0 {
		return wideCL100K(text, i)
	}
	if end > word {
		return end
	}
	return rest(text, i, first, i+1, false)
}

// wideCL100K finds a piece whatever its characters are; there is no contraction at i.
func wideCL100K(text string, i int) int {
	first, next := classAt(text, i)
	if first&letter != 0 {
		return run(text, next, letter)
	}
	if first&(newline|number) == 0 {
		if end := run(text, next, letter); end > next {
			return end
		}
	}
	return rest(text, i, first, next, false)
}
