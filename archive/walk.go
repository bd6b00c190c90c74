package archive

import (
	"context"
	"errors"
)

// scopes calls visit with every conversation of the store.
func (a *Archive) scopes(ctx context.Context, visit func(Info) error) error {
	c, ok := a.store.(Catalog)
	if !ok {
		return &InvalidError{"the store cannot tell which conversations it holds: it is no Catalog"}
	}
	var after Scope
	for {
		list, err := c.Scopes(ctx, after, listChunk)
		if err != nil {
			return err
		}
		for _, i := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := visit(i); err != nil {
				return err
			}
			after = i.Scope
		}
		if len(list) < listChunk {
			return nil
		}
	}
}

// heads calls visit with the heads of a scope, a bounded number at a time.
func (a *Archive) heads(ctx context.Context, scope Scope, visit func([]Head) error) error {
	var after Cursor
	for {
		list, err := a.store.List(ctx, scope, after, listChunk)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			if err := visit(list); err != nil {
				return err
			}
			last := &list[len(list)-1]
			after = Cursor{last.Order, last.ID}
		}
		if len(list) < listChunk {
			return nil
		}
	}
}

// damage reports whether an error is of one record, and others may still be well.
func damage(err error) bool {
	var corrupt *CorruptError
	var foreign *ForeignError
	var key *KeyError
	return errors.As(err, &corrupt) || errors.As(err, &foreign) || errors.As(err, &key)
}
