package bpe

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

const (
	rankBits   = 18 // of a token
	rankMask   = 1<<rankBits - 1
	noToken    = 1 << rankBits // higher than any rank
	byteTokens = 256
	longest    = 128 // bytes of a token
)

// errPacked is what a vocabulary gives that the generator did not write.
var errPacked = errors.New("the packed vocabulary is damaged")

// vocabulary has the tokens of an encoding, which are known by their ranks. It is
// immutable once built.
type vocabulary struct {
	bytes  string   // of all tokens, one behind the other
	ends   []uint32 // by rank: where the token ends in bytes
	halves []half   // by rank: the tokens that it is merged of
	words  words
	merges *merges
}

// half is what a token is merged of. One of a single byte has none.
type half struct{ left, right uint32 }

// unpack reads what the generator's pack wrote, and builds the tables.
func unpack(packed string) (*vocabulary, error) {
	const header = 4 + byteTokens
	if len(packed) < header {
		return nil, errPacked
	}
	n := int(binary.LittleEndian.Uint32([]byte(packed[:4])))
	width := bits.Len(uint(n - 1))
	if n <= byteTokens || width > rankBits || len(packed) != header+2*width*(n-byteTokens)/8+1 {
		return nil, errPacked
	}
	parts := bitReader{packed: packed[header:], width: width}
	all := append(make([]byte, 0, 8*n), packed[4:header]...)
	v := &vocabulary{ends: make([]uint32, n), halves: make([]half, n), merges: newMerges(packed[4:header], n)}
	for rank := range uint32(byteTokens) {
		v.ends[rank] = rank + 1
	}
	for rank := uint32(byteTokens); rank < uint32(n); rank++ {
		left, right := parts.next(), parts.next()
		if max(left, right) >= rank {
			return nil, errPacked
		}
		for _, part := range [...]uint32{left, right} {
			from, to := v.span(part)
			all = append(all, all[from:to]...)
		}
		v.ends[rank] = uint32(len(all))
		if from, to := v.span(rank); to-from > longest {
			return nil, errPacked
		}
		v.halves[rank] = half{left, right}
		v.merges.add(left, right, rank, all)
	}
	v.bytes = string(all)
	v.words = newWords(v)
	return v, nil
}

// span returns where a token stands in bytes.
func (v *vocabulary) span(rank uint32) (from, to uint32) {
	if rank > 0 {
		from = v.ends[rank-1]
	}
	return from, v.ends[rank]
}

// token returns a token's bytes.
func (v *vocabulary) token(rank uint32) string {
	from, to := v.span(rank)
	return v.bytes[from:to]
}

// bitReader reads numbers of a width, the lowest bits first.
type bitReader struct {
	packed string
	width  int
	buffer uint64
	held   int
}

func (r *bitReader) next() uint32 {
	for r.held < r.width {
		r.buffer |= uint64(r.packed[0]) << r.held
		r.packed = r.packed[1:]
		r.held += 8
	}
	n := uint32(r.buffer & (1<<r.width - 1))
	r.buffer >>= r.width
	r.held -= r.width
	return n
}

// table returns an open-addressed table for n keys, which leaves a quarter of it free or
// more: a key stands in the slot of its hash's highest bits or in one of those behind.
// What is searched for comes from texts, but what stands in the tables does not, so that no
// text can make a search long.
func table(n int) (slots []uint64, shift uint8) {
	size := bits.Len(uint(n + n/3))
	return make([]uint64, 1<<size), uint8(64 - size)
}

// Odd numbers without a pattern: a product with one moves what distinguishes keys into its
// highest bits.
const (
	mix  = 0x9e3779b97f4a7c15
	mix2 = 0xd6e8feb86659fd93
)

// length returns how many bytes a token has.
func (v *vocabulary) length(rank uint32) int {
	from, to := v.span(rank)
	return int(to - from)
}
