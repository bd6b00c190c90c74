package bpe

const (
	shortSlots  = 13          // of eight bytes, as a power of two
	middleSlots = 12          // of sixteen
	middle      = 15          // bytes of a piece that two numbers hold
	middleBits  = 8*short + 4 // of the second: up to seven bytes, their number plus one
	middleMask  = 1<<middleBits - 1
)

// cache knows how many tokens the pieces have that were counted last. A piece has one slot,
// and takes it from the one that was there, so that the cache stays as small as it is.
//
// In a slot stands the whole piece, not a hash of it, so that what is found is exact: up to
// seven bytes are their key, with the number of tokens above it; up to fifteen are the first
// eight bytes, and the others with their number plus one, so that a free slot is no piece.
type cache struct {
	short  [1 << shortSlots]uint64
	middle [1 << middleSlots][2]uint64
}

// count counts the pieces of text that begin at byte at and end at ends.
func (s *state) count(text string, at int, ends []int) int {
	tokens := 0
	for _, end := range ends {
		switch n := end - at; {
		case n <= short:
			key := keyAt(text, at, end)
			slot := &s.cache.short[key*mix>>(64-shortSlots)]
			if found := *slot; found&keyMask == key {
				tokens += int(found >> keyBits)
			} else {
				tokens += s.countShort(text[at:end], key, slot)
			}
		case n <= middle:
			first := load(text, at)
			key := load(text, end-loadBytes)>>(8*uint(16-n)) | uint64(n-short)<<(8*short)
			slot := &s.cache.middle[(first^key*mix2)*mix>>(64-middleSlots)]
			if slot[0] == first && slot[1]&middleMask == key {
				tokens += int(slot[1] >> middleBits)
			} else {
				tokens += s.countMiddle(text[at:end], first, key, slot)
			}
		default:
			tokens += s.countLong(text[at:end])
		}
		at = end
	}
	return tokens
}

func (s *state) countShort(piece string, key uint64, slot *uint64) int {
	n := 1
	if s.merger.vocabulary.words.byKey(key) == noToken {
		n = s.merger.piece(piece)
	}
	*slot = key | uint64(n)<<keyBits
	return n
}

func (s *state) countMiddle(piece string, first, key uint64, slot *[2]uint64) int {
	n := s.countLong(piece)
	*slot = [2]uint64{first, key | uint64(n)<<middleBits}
	return n
}

func (s *state) countLong(piece string) int {
	if s.merger.vocabulary.word(piece) != noToken {
		return 1
	}
	return s.merger.piece(piece)
}
