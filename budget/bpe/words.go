package bpe

const (
	short     = 7              // bytes of a piece that is its own key
	keyBits   = 8*short + 3    // of such a key: the bytes and their number
	keyMask   = 1<<keyBits - 1 // what is above a key is free for its user
	longBits  = 64 - rankBits  // of a longer token's hash that stand beside its rank
	longMask  = 1<<longBits - 1
	loadBytes = 8
)

// words finds the token that a whole piece is. A piece of up to seven bytes is one number
// with its length and needs no comparing; of a longer one the hash leads to the token.
type words struct {
	keys      []uint64
	ranks     []uint32 // of the token with the key in the same slot
	keyShift  uint8
	long      []uint64 // the hash without its highest bits, and the rank
	longShift uint8
}

func newWords(v *vocabulary) words {
	n := 0
	for rank := range uint32(len(v.ends)) {
		if from, to := v.span(rank); to-from <= short {
			n++
		}
	}
	var w words
	w.keys, w.keyShift = table(n)
	w.ranks = make([]uint32, len(w.keys))
	w.long, w.longShift = table(len(v.ends) - n)
	for rank := range uint32(len(v.ends)) {
		from, to := v.span(rank)
		if to-from <= short {
			key := keyAt(v.bytes, int(from), int(to))
			slot := key * mix >> w.keyShift
			for w.keys[slot] != 0 {
				slot = (slot + 1) & uint64(len(w.keys)-1)
			}
			w.keys[slot], w.ranks[slot] = key, rank
			continue
		}
		hash := hashOf(v.bytes[from:to])
		slot := hash >> w.longShift
		for w.long[slot] != 0 {
			slot = (slot + 1) & uint64(len(w.long)-1)
		}
		w.long[slot] = hash<<rankBits | uint64(rank)
	}
	return w
}

// keyAt returns the key of the one to seven bytes from i to end. Two pieces have the same
// key if and only if they are the same.
func keyAt(text string, i, end int) uint64 {
	n := end - i
	if i+loadBytes <= len(text) {
		return load(text, i)&(1<<(8*uint(n)&63)-1) | uint64(n)<<(8*short)
	}
	key := uint64(n) << (8 * short)
	for j := range n {
		key |= uint64(text[i+j]) << (8 * j)
	}
	return key
}

// hashOf hashes eight bytes or more.
func hashOf(piece string) uint64 {
	hash := uint64(len(piece)) * mix2
	for i := 0; i+loadBytes < len(piece); i += loadBytes {
		hash = (hash ^ load(piece, i)) * mix
		hash ^= hash >> 29
	}
	hash = (hash ^ load(piece, len(piece)-loadBytes)) * mix
	hash ^= hash >> 32
	return hash * mix2
}

// byKey returns the rank of the token with a key, or noToken.
func (w *words) byKey(key uint64) uint32 {
	slot := key * mix >> w.keyShift
	for {
		switch w.keys[slot] {
		case key:
			return w.ranks[slot]
		case 0:
			return noToken
		}
		slot = (slot + 1) & uint64(len(w.keys)-1)
	}
}

// word returns the rank of the token that a piece is, or noToken.
func (v *vocabulary) word(piece string) uint32 {
	if len(piece) <= short {
		return v.words.byKey(keyAt(piece, 0, len(piece)))
	}
	if len(piece) > longest {
		return noToken
	}
	hash := hashOf(piece)
	slot := hash >> v.words.longShift
	for {
		found := v.words.long[slot]
		if found == 0 {
			return noToken
		}
		if found>>rankBits == hash&longMask {
			if rank := uint32(found & rankMask); v.token(rank) == piece {
				return rank
			}
		}
		slot = (slot + 1) & uint64(len(v.words.long)-1)
	}
}
