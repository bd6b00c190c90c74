package rawjson

// Patch puts New in the place of a piece.
type Patch struct {
	Span
	New string
}

// AppendPatched appends the piece of text at s with the patches made, which lie in s, in
// ascending order, and do not overlap.
func AppendPatched(dst []byte, text string, s Span, patches []Patch) []byte {
	at := s.Start
	for _, p := range patches {
		dst = append(dst, text[at:p.Start]...)
		dst = append(dst, p.New...)
		at = p.End
	}
	return append(dst, text[at:s.End]...)
}

// Cuts returns the pieces to take out of a list, so that the items that gone names leave
// it and the others stay apart by one comma and keep the spaces before them. Items are the
// elements of an array or the whole members of an object, all of them; at least one must
// stay.
func Cuts(items []Span, gone func(i int) bool) []Patch {
	var cuts []Patch
	stays := false // one of the items so far
	for i := range items {
		switch {
		case !gone(i):
			stays = true
		case stays:
			cuts = append(cuts, Patch{Span: Span{items[i-1].End, items[i].End}})
		case i+1 < len(items):
			cuts = append(cuts, Patch{Span: Span{items[i].Start, items[i+1].Start}})
		}
	}
	return cuts
}
