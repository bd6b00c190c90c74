package format

import (
	"cmp"
	"errors"
	"slices"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// EncodeLossy writes a history in the format of that name in spite of what the format
// cannot hold, and returns that, in the order of the history, the request's last. Nothing
// is lost that is not listed, and if nothing is listed, data is what [Encode] gives.
//
// Of what is listed, it gives up as little as the format allows, which is the first of these
// that helps:
//
//   - the mark of a signature, its text being kept, unless that is sealed data; a media
//     detail or type; that a result was denied, which becomes failed, or is of any other
//     status; the tool's name of a result; bytes that are not UTF-8, for which U+FFFD stands;
//     that there is no name of a tool, which becomes unknown;
//   - that arguments are no JSON object: they become the member "input" of one; and a tool
//     whose input is text becomes one with that member;
//   - of a definition of a tool, all but name, description and schema;
//   - that a system message is one: where it may not stand, it becomes the user's;
//   - what a result holds, so that its call stays answered;
//   - the part, the name or the message, the definition or the document.
//
// A signature is valid with the provider that gave it and with no other, and a history does
// not hold it: it is always lost, and stays only where a conversation is written in the
// format that it was read in ([wire.Conversation]), or a log in that of its provider
// ([*sessionlog.Log], Native). Anthropic refuses reasoning without its signature, which is
// what this leaves for it: [Refused] finds it.
//
// Nothing of the caller's is changed. Time and memory are linear in history. The errors are
// those of [Encode], but a [*wire.EncodeError] only if the request as a whole is more than
// the format can hold.
func EncodeLossy(history []core.Message, r *core.Request, name string) (data []byte, losses []wire.Loss, err error) {
	f, ok := ByName(name)
	if !ok {
		return nil, nil, UnknownError(name)
	}
	if r == nil {
		r = &core.Request{}
	}
	l := newLossy(f, history, r)
	const rounds = 10 // a part has a fault for each of its fields at most
	for range rounds {
		data, err = f.Encode(l.history, &l.request)
		var lost *wire.EncodeError
		if !errors.As(err, &lost) {
			break
		}
		l.giveUp(lost.Losses)
	}
	slices.SortStableFunc(l.losses, func(a, b wire.Loss) int {
		if (a.Message < 0) != (b.Message < 0) {
			return cmp.Compare(b.Message, a.Message)
		}
		return cmp.Or(cmp.Compare(a.Message, b.Message), cmp.Compare(a.Part, b.Part))
	})
	return data, l.losses, err
}

// lossy is a history that loses what a format cannot hold.
type lossy struct {
	format  Format
	history []core.Message
	origin  []origin // of the messages
	request core.Request
	losses  []wire.Loss // with the indices of the history that was given
	noted   map[wire.Loss]bool
}

// origin says where a message, and each of its parts, was at first.
type origin struct {
	message int
	parts   []int
}

func newLossy(f Format, history []core.Message, r *core.Request) *lossy {
	l := &lossy{format: f, history: slices.Clone(history), origin: make([]origin, len(history)), request: *r, noted: map[wire.Loss]bool{}}
	for i := range history {
		parts := make([]int, len(history[i].Parts))
		for p := range parts {
			parts[p] = p
		}
		l.origin[i] = origin{i, parts}
	}
	return l
}

// giveUp notes losses and takes out of the history and the request what they are.
func (l *lossy) giveUp(losses []wire.Loss) {
	changed := make([]*remains, len(l.history))
	for _, loss := range losses {
		l.note(loss)
		if loss.Message < 0 {
			continue
		}
		left := changed[loss.Message]
		if left == nil {
			left = newRemains(l.format, l.history[loss.Message])
			changed[loss.Message] = left
		}
		if loss.Part < 0 {
			left.giveUp(loss.What)
		} else {
			left.giveUpOf(loss.Part, loss.What)
		}
	}
	var history []core.Message
	var origins []origin
	for i, left := range changed {
		m, from := l.history[i], l.origin[i]
		if left != nil && !left.keep(&m, &from) {
			continue
		}
		history, origins = append(history, m), append(origins, from)
	}
	l.history, l.origin = history, origins
	if slices.ContainsFunc(losses, func(loss wire.Loss) bool { return loss.Message < 0 }) {
		l.giveUpOfRequest()
	}
}

// note adds a loss. Whatever is lost of the request shows in the first round, since its
// parts do not depend on each other; the later ones have other indices.
func (l *lossy) note(loss wire.Loss) {
	if loss.Message >= 0 {
		from := l.origin[loss.Message]
		loss.Message = from.message
		if loss.Part >= 0 {
			loss.Part = from.parts[loss.Part]
		}
	}
	if !l.noted[loss] {
		l.losses, l.noted[loss] = append(l.losses, loss), true
	}
}
