package core

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
)

// Guard returns a Transformer that runs t, which is not ours, and returns what t made of
// the history only if that keeps the laws: its own result is taken apart into edits, and
// [Apply] makes the view again from the untouched history. When t panics, reorders, adds
// without saying so, parts a call from its result, touches what is protected or lets the
// view grow, the history itself is returned, with a [*PanicError] or a [*LawError].
//
// t works on a copy that it may do with as it likes; in it Src is the index of the message
// plus one and Slot the index of the part, whatever they are in the history. An error of t
// that comes with messages stays with them if they pass.
//
// name becomes the reason of every edit; without one it is "foreign".
func Guard(name string, t Transformer, opts ...Option) Transformer {
	return TransformFunc(func(ctx context.Context, history []Message) ([]Message, error) {
		if err := ctx.Err(); err != nil || len(history) == 0 {
			return history, err
		}
		edits, failure := foreign(ctx, name, t, history)
		if len(edits) == 0 {
			return history, failure
		}
		w := NewWindow(history, opts...)
		w.target = 0 // all or nothing: its edits may depend on each other
		refused, err := Apply(w, edits)
		if len(refused) > 0 {
			return history, refused[0]
		}
		if err != nil {
			return history, err
		}
		return w.View(), failure
	})
}

// Foreign returns an Editor that proposes what t, which is not ours, makes of the raw
// history, so that it can be one among other editors. Its proposals pass through [Apply]
// like any others; if t fails, panics or breaks the shape, there are none. ctx is what t
// gets, so such an Editor belongs to one call.
func Foreign(ctx context.Context, name string, t Transformer) Editor {
	return EditorFunc(func(w *Window) iter.Seq[Edit] {
		edits, _ := foreign(ctx, name, t, w.History)
		return edits.Edits(w)
	})
}

// foreign runs t on a numbered copy and returns what it did as edits.
func foreign(ctx context.Context, name string, t Transformer, history []Message) (edits proposed, err error) {
	defer func() {
		if p := recover(); p != nil {
			edits, err = nil, newPanicError(p)
		}
	}()
	view, failure := t.Transform(ctx, numbered(history))
	if failure != nil && len(view) == 0 {
		return nil, failure
	}
	if edits, err = diff(numbered(history), view, cmp.Or(name, "foreign")); err != nil {
		return nil, err
	}
	return edits, failure
}

// numbered returns a deep copy of history in which Src and Slot say where everything is.
func numbered(history []Message) []Message {
	deep, parts := make([]Message, len(history)), make([]Part, 0, 2*len(history)) // what outgrows its slab goes on in a larger one
	for i, m := range history {
		m.Src = int32(i + 1)
		parts = append(parts, m.Parts...)
		m.Parts = parts[len(parts)-len(m.Parts) : len(parts) : len(parts)]
		for p := range m.Parts {
			part := &m.Parts[p]
			part.Slot = uint32(p)
			if part.Media != nil {
				media := *part.Media
				media.Data = append([]byte(nil), media.Data...)
				part.Media = &media
			}
			if part.Elided != nil {
				elided := *part.Elided
				part.Elided = &elided
			}
		}
		if m.Meta != nil {
			meta := *m.Meta
			meta.Labels = maps.Clone(meta.Labels)
			m.Meta = &meta
		}
		deep[i] = m
	}
	return deep
}

// proposed is a fixed list of proposals.
type proposed []Edit

// Edits yields the list.
func (p proposed) Edits(*Window) iter.Seq[Edit] { return slices.Values(p) }
