package core

import (
	"bytes"
	"fmt"
	"slices"
)

// Diff returns the edits that make view out of history, as somebody else's code made it.
// Messages are recognised by Src and Role, parts by Slot, so in history no two messages
// may share a Src and a Role, none may have Src 0, and no two parts of a message may
// share a Slot. A message of the view without Src was inserted. Part of a group missing,
// another order, or a message or part that changed in another way than by getting shorter
// or leaving, is a [*LawError].
//
// The edits come in the order in which [Apply] can adopt them; whether they keep the other
// laws is for Apply to say.
func Diff(history, view []Message) ([]Edit, error) { return diff(history, view, "transformed") }

func diff(history, view []Message, reason string) ([]Edit, error) {
	index := make(map[[2]int32]int, len(history)) // by Src and Role
	for i, m := range history {
		at := [2]int32{m.Src, int32(m.Role)}
		if _, taken := index[at]; taken || m.Src == 0 {
			return nil, &LawError{2, i, fmt.Sprintf("src %d and role %s do not tell it from the others", m.Src, m.Role)}
		}
		index[at] = i
	}
	var edits, inserts []Edit
	kept, next := make([]bool, len(history)), 0
	for v := range view {
		m := &view[v]
		if m.Src == 0 {
			e := Edit{Op: Insert, Msg: next, Part: -1, By: -1, Reason: reason}
			if len(m.Parts) > 0 {
				e.Text = m.Parts[0].Text
			}
			inserts = append(inserts, e)
			continue
		}
		i, ok := index[[2]int32{m.Src, int32(m.Role)}]
		if !ok || i < next {
			return nil, &LawError{2, i, fmt.Sprintf("message %d of the view is not one of the history, or not in its order", v)}
		}
		changed, err := diffParts(i, &history[i], m, reason)
		if err != nil {
			return nil, err
		}
		edits = append(edits, changed...)
		kept[i], next = true, i+1
	}
	if !slices.Contains(kept, false) {
		return append(edits, inserts...), nil
	}
	drops, err := diffGroups(history, kept, reason)
	return append(append(edits, drops...), inserts...), err
}

// diffGroups returns a Drop for every group of which no message was kept.
func diffGroups(history []Message, kept []bool, reason string) ([]Edit, error) {
	var drops []Edit
	for _, g := range NewGroups(history).List {
		n := 0
		for _, m := range g.Msgs {
			if kept[m] {
				n++
			}
		}
		if n == 0 {
			drops = append(drops, Edit{Op: Drop, Msg: g.Msgs[0], Part: -1, By: -1, Reason: reason})
		} else if n < len(g.Msgs) {
			return nil, &LawError{3, g.Msgs[0], fmt.Sprintf("%d of the %d messages of its %s are left", n, len(g.Msgs), g.Kind)}
		}
	}
	return drops, nil
}

// diffParts compares message i of the history with m, what the view has of it.
func diffParts(i int, raw, m *Message, reason string) ([]Edit, error) {
	if m.Name != raw.Name || m.Reply != raw.Reply {
		return nil, &LawError{2, i, "its name or reply changed"}
	}
	var edits []Edit
	v := 0
	for p := range raw.Parts {
		e := Edit{Op: Elide, Msg: i, Part: p, Reason: reason, By: -1}
		if v < len(m.Parts) && m.Parts[v].Slot == raw.Parts[p].Slot {
			part := &m.Parts[v]
			v++
			var err error
			if e.Op, err = compare(i, &raw.Parts[p], part); err != nil {
				return nil, err
			}
			if e.Op == Shorten {
				e.Text = part.Text
			}
			if e.Op == Elide && part.Elided != nil && part.Elided.Reason != "" {
				e.Reason, e.By = part.Elided.Reason, part.Elided.By
			}
		}
		if e.Op != 0 {
			edits = append(edits, e)
		}
	}
	if v < len(m.Parts) {
		return nil, &LawError{2, i, fmt.Sprintf("slot %d of the view is not one of its parts, or not in its order", m.Parts[v].Slot)}
	}
	return edits, nil
}

// compare tells which edit turns a raw part into what the view has; 0: none.
func compare(msg int, raw, part *Part) (Op, error) {
	sameMedia := raw.Media == part.Media ||
		raw.Media != nil && part.Media != nil && raw.Media.URL == part.Media.URL && bytes.Equal(raw.Media.Data, part.Media.Data)
	kind := raw.Kind
	if raw.Kind == KindMedia && part.Media == nil {
		kind = KindText
	}
	switch {
	case part.Kind != kind || part.CallID != raw.CallID || part.Tool != raw.Tool || part.Status != raw.Status:
		return 0, &LawError{2, msg, fmt.Sprintf("slot %d became another part", part.Slot)}
	case !sameMedia, part.Elided != nil && raw.Elided == nil && part.Elided.Op == Elide:
		return Elide, nil
	case part.Text == raw.Text:
		return 0, nil
	default:
		return Shorten, nil
	}
}
