package bpe

const (
	bitShift = 64 - 21      // of a pair's hash, to the number of its bit in merges.may
	mayShift = bitShift + 6 // to that of the word with the bit
)

// merges knows what two neighbouring tokens make. A token can be written in two halves in
// many ways, but byte pair encoding only ever meets one of them: as long as no merge has
// crossed its ends, its bytes are merged in the order in which they would be by themselves,
// and the last two parts are those that the vocabulary was packed with.
type merges struct {
	slots []uint64 // the two tokens and what they make, rankBits each
	shift uint8
	// may has a bit for some of a pair's hash: unset, they make nothing. It is small enough
	// for a processor's nearer caches, where slots is not.
	may [1 << (64 - mayShift)]uint64

	bytes [byteTokens]uint32              // the tokens of single bytes
	two   [byteTokens * byteTokens]uint32 // what two bytes make, or noToken
}

// newMerges returns what will be filled by add. It knows the tokens of single bytes, which
// are given by rank.
func newMerges(bytes string, tokens int) *merges {
	m := new(merges)
	m.slots, m.shift = table(tokens)
	for rank := range uint32(byteTokens) {
		m.bytes[bytes[rank]] = rank
	}
	for i := range m.two {
		m.two[i] = noToken
	}
	return m
}

func (m *merges) add(left, right, token uint32, all []byte) {
	pair := uint64(left)<<rankBits | uint64(right)
	hash := pair * mix
	m.may[hash>>mayShift] |= 1 << (hash >> bitShift & 63)
	slot := hash >> m.shift
	for m.slots[slot] != 0 {
		slot = (slot + 1) & uint64(len(m.slots)-1)
	}
	m.slots[slot] = pair<<rankBits | uint64(token)
	if max(left, right) < byteTokens {
		m.two[int(all[left])<<8|int(all[right])] = token
	}
}

// of returns what two neighbours make, or noToken.
func (m *merges) of(left, right uint32) uint32 {
	pair := uint64(left)<<rankBits | uint64(right)
	hash := pair * mix
	if m.may[hash>>mayShift]>>(hash>>bitShift&63)&1 == 0 {
		return noToken
	}
	for slot := hash >> m.shift; ; {
		found := m.slots[slot]
		switch {
		case found == 0:
			return noToken
		case found>>rankBits == pair:
			return uint32(found & rankMask)
		}
		slot = (slot + 1) & uint64(len(m.slots)-1)
	}
}
