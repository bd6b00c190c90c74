package bpe

const scanned = 64 // bytes of a stretch that scan merges: what six bits can say

// parts are the tokens that a stretch of text is so far, and beside each what it makes with
// the one behind it. A stretch of n bytes begins as n tokens.
type parts struct {
	tokens [scanned]uint32
	makes  [scanned]uint32
}

// scan merges up to 64 bytes: it joins the two neighbours that make the token of the lowest
// rank, leftmost first, until no two make one. It returns how many tokens are left. For so
// few it is faster to look at all of them each time than to keep them in order.
func (m *merges) scan(p *parts, text string) int {
	n := len(text)
	tokens, makes := p.tokens[:n], p.makes[:n]
	for i := range n - 1 {
		tokens[i] = m.bytes[text[i]]
		makes[i] = m.two[int(text[i])<<8|int(text[i+1])]
	}
	tokens[n-1], makes[n-1] = m.bytes[text[n-1]], noToken
	for {
		best := uint32(noToken) << 6
		for i, token := range makes {
			best = min(best, token<<6|uint32(i))
		}
		if best >= noToken<<6 {
			return len(tokens)
		}
		i := int(best & 63)
		tokens[i] = best >> 6
		tokens = append(tokens[:i+1], tokens[i+2:]...)
		makes = append(makes[:i], makes[i+1:]...)
		makes[i] = noToken
		if i+1 < len(tokens) {
			makes[i] = m.of(tokens[i], tokens[i+1])
		}
		if i > 0 {
			makes[i-1] = m.of(tokens[i-1], tokens[i])
		}
	}
}
