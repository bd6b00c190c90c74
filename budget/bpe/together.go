package bpe

// together is whether two tokens, next to each other, are the tokens of the text that they
// make up, which is so if no merge joins a part of one with a part of the other.
//
// Merges are made in the order of their ranks, since a token's rank is above those of its
// halves. So this goes back in time: from the two tokens, always the one that was made last
// is taken apart, and the halves at the border are looked at, until two bytes are left. What
// two of them make would have been made if its rank is below that of what was made of each
// instead. Of equal ranks the leftmost is made first.
func (v *vocabulary) together(left, right uint32) bool {
	madeLeft, madeRight := uint32(noToken), uint32(noToken) // of the two at hand
	for {
		if token := v.merges.of(left, right); token < madeLeft && token <= madeRight && token != noToken {
			return false
		}
		switch {
		case max(left, right) < byteTokens:
			return true
		case right >= left:
			madeRight = right
			right = v.halves[right].left
		default:
			madeLeft = left
			left = v.halves[left].right
		}
	}
}
