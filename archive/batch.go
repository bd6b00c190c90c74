package archive

import (
	"cmp"
	"slices"
	"sort"
)

// What the stores of this package share.

// fresh returns the records of a batch that are to be stored, each once, given what is stored.
// It fails for a record that no store takes, for a collision, and for a need that is not met.
func (b *Batch) fresh(stored func(id string) (Digest, bool, error)) ([]Record, error) {
	var fresh []Record
	own := make(map[string]Digest, len(b.Records))
	for i := range b.Records {
		r := &b.Records[i]
		if err := r.Check(); err != nil {
			return nil, err
		}
		d, ok := own[r.ID]
		if !ok {
			var err error
			if d, ok, err = stored(r.ID); err != nil {
				return nil, err
			}
			if !ok {
				fresh, d = append(fresh, *r), r.Digest
			}
			own[r.ID] = d
		}
		if d != r.Digest {
			return nil, &CollisionError{r.ID}
		}
	}
	for _, n := range b.Needs {
		switch d, ok, err := stored(n.ID); {
		case err != nil:
			return nil, err
		case !ok:
			return nil, &NotFoundError{n.ID}
		case d != n.Digest:
			return nil, &CollisionError{n.ID}
		}
	}
	return fresh, nil
}

func compareHeads(a, b Head) int {
	return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
}

// listed returns a page of sorted heads.
func listed(order []Head, after Cursor, limit int) []Head {
	from := sort.Search(len(order), func(i int) bool { return after.Before(&order[i]) })
	return slices.Clone(order[from : from+min(max(limit, 0), len(order)-from)])
}

// add counts a record.
func (i *Info) add(h *Head) {
	i.Records++
	i.Bytes += h.Size
	if t := timeOf(h.Time); t.After(i.Newest) {
		i.Newest = t
	}
}
