package main

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// pack writes a vocabulary as package bpe reads it:
//
//	number of tokens, as four bytes
//	the 256 tokens of one byte, by rank
//	each further token by rank: the two tokens that it is merged of
//
// All numbers are little-endian, and each of the two has as many bits as the highest rank.
// Merging the bytes of a token by the vocabulary itself always ends with the same two, and
// in no text do any other two make this token: package bpe relies on it. A vocabulary with
// a token that merging cannot make is refused.
func pack(tokens []string) ([]byte, error) {
	ranks := make(map[string]int, len(tokens))
	for rank, token := range tokens {
		ranks[token] = rank
	}
	width := bits.Len(uint(len(tokens) - 1))
	packed := binary.LittleEndian.AppendUint32(nil, uint32(len(tokens)))
	for _, token := range tokens[:256] {
		if len(token) != 1 {
			return nil, fmt.Errorf("token %q stands among those of one byte", token)
		}
		packed = append(packed, token...)
	}
	var buffer uint64
	var held int
	put := func(rank int) {
		buffer |= uint64(rank) << held
		for held += width; held >= 8; held -= 8 {
			packed = append(packed, byte(buffer))
			buffer >>= 8
		}
	}
	for rank, token := range tokens[256:] {
		parts := lastTwo(token, ranks)
		if len(parts) != 2 {
			return nil, fmt.Errorf("token %q: merging ends with %q", token, parts)
		}
		left, right := ranks[parts[0]], ranks[parts[1]]
		if max(left, right) >= 256+rank {
			return nil, fmt.Errorf("token %q comes before its parts", token)
		}
		put(left)
		put(right)
	}
	return append(packed, byte(buffer)), nil
}

// lastTwo merges the bytes of a token until two parts are left, or no two can be joined.
func lastTwo(token string, ranks map[string]int) []string {
	cuts := make([]int, len(token)+1) // where the parts begin, and the end
	for i := range cuts {
		cuts[i] = i
	}
	for len(cuts) > 3 {
		best, at := len(ranks), -1
		for i := range len(cuts) - 2 {
			if rank, ok := ranks[token[cuts[i]:cuts[i+2]]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			break
		}
		cuts = slices.Delete(cuts, at+1, at+2)
	}
	parts := make([]string, len(cuts)-1)
	for i := range parts {
		parts[i] = token[cuts[i]:cuts[i+1]]
	}
	return parts
}
