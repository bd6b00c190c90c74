package adapters

import (
	"fmt"

	"github.com/trimkit/trimkit/core"
)

// Native says how a framework's messages, of type M, are made of what a view has.
type Native[M any] struct {
	// Edit returns a copy of a message with what is left of it: pieces are the messages of
	// the view that share its Src, which is one for most frameworks. Parts that are gone are
	// missing, parts with Elided have another text. It must not write to the message.
	Edit func(native M, pieces []core.Message) (M, error)

	// Insert returns a message for one that an edit added.
	Insert func(added *core.Message) (M, error)
}

// Restore turns a view back into the framework's messages. history is what was made of
// native: in it a message's Src is 1 + the index of the native one that it came from, and
// those of one Src are neighbours. Without an edit native itself is returned, and every
// message of the view without an edit is native's own value. An inserted message that stands
// between the pieces of a native one parts it in two.
func Restore[M any](n Native[M], native []M, history, view []core.Message) ([]M, error) {
	if len(view) == len(history) && (len(view) == 0 || &view[0] == &history[0]) {
		return native, nil
	}
	out := make([]M, 0, len(view))
	at := 0 // in history
	for i := 0; i < len(view); {
		src := view[i].Src
		if src == 0 {
			m, err := n.Insert(&view[i])
			if err != nil {
				return nil, fmt.Errorf("trimkit: the notice before message %d: %w", at, err)
			}
			out, i = append(out, m), i+1
			continue
		}
		end := i + 1
		for end < len(view) && view[end].Src == src {
			end++
		}
		for at < len(history) && history[at].Src != src {
			at++
		}
		whole := at
		for whole < len(history) && history[whole].Src == src {
			whole++
		}
		if at == whole || int(src) > len(native) {
			return nil, fmt.Errorf("trimkit: message %d of the view has Src %d, which the history has not, or not behind the one before it", i, src)
		}
		m := native[src-1]
		if !same(history[at:whole], view[i:end]) {
			var err error
			if m, err = n.Edit(m, view[i:end]); err != nil {
				return nil, fmt.Errorf("trimkit: message %d of the framework's: %w", src-1, err)
			}
		}
		out, i = append(out, m), end // at stays: behind an inserted message, more of this one may follow
	}
	return out, nil
}

// same reports whether nothing of some messages was edited.
func same(history, view []core.Message) bool {
	if len(history) != len(view) {
		return false
	}
	for i := range history {
		a, b := history[i].Parts, view[i].Parts
		if history[i].Role != view[i].Role || len(a) != len(b) {
			return false
		}
		for p := range a {
			if a[p].Slot != b[p].Slot || b[p].Elided != nil || a[p].Text != b[p].Text {
				return false
			}
		}
	}
	return true
}
