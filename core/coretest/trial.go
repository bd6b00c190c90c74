package coretest

import (
	"context"
	"fmt"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// trial is one run of a subject on one case, and what the laws need to judge it.
type trial struct {
	*Subject
	Case
	input  []core.Message // what the subject got; its content must stay that of History
	t      core.Transformer
	output []core.Message // what it returned
	err    error
	view   []core.Message // what the caller sends: output, or the history where there is none
	*alignment
	pairs *pairing // of the history
}

// newTrial runs the subject on a case. It fails if the subject panics.
func newTrial(s *Subject, c Case) (t *trial, err error) {
	defer recoverTo(&err)
	t = &trial{Subject: s, Case: c, t: s.New(c), input: roomy(c.History)}
	t.output, t.err = t.t.Transform(context.Background(), t.input)
	t.pairs = newPairing(c.History)
	t.judge(t.output)
	return t, nil
}

// judge sets the view that the laws are about.
func (t *trial) judge(output []core.Message) {
	t.view = output
	if len(output) == 0 {
		t.view = t.input
	}
	t.alignment = align(t.input, t.view)
}

// edited reports whether the view says something else than the history.
func (t *trial) edited() bool { return !same(t.view, t.History) }

func recoverTo(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v", p)
	}
}

// sentinel stands behind the end of the slices that a subject gets: one that appends to
// them writes into memory of its caller.
var sentinel = core.Message{Name: "sentinel", Parts: []core.Part{{Text: "sentinel"}}}

// roomy returns a deep copy of history with room behind every slice.
func roomy(history []core.Message) []core.Message {
	deep := deepCopy(history)
	for i := range deep {
		if n := len(deep[i].Parts); n > 0 {
			deep[i].Parts = append(slices.Grow(deep[i].Parts, 1), sentinel.Parts[0])[:n]
		}
	}
	if len(deep) == 0 {
		return deep
	}
	return append(slices.Grow(deep, 1), sentinel)[:len(deep)]
}

// intact reports whether a slice of roomy still has the content of history.
func intact(input, history []core.Message) bool {
	if !same(input, history) {
		return false
	}
	if len(input) > 0 && input[:len(input)+1][len(input)].Name != sentinel.Name {
		return false
	}
	for i := range input {
		if n := len(input[i].Parts); n > 0 && input[i].Parts[:n+1][n].Text != sentinel.Parts[0].Text {
			return false
		}
	}
	return true
}

// alignment says where each message and part of a view comes from.
type alignment struct {
	origin []int   // message of the view → message of the history; -1: inserted
	parts  [][]int // message of the view → part → part in the history
	shown  []int   // message of the history → message of the view; -1: gone
	failed error   // the view is not the history in its order; then there is nothing else here
}

// aligned reports whether the view is the history in its order, so that what it says of
// where things come from can be used.
func (a *alignment) aligned() bool { return a.failed == nil }

// align finds the messages of a view in the history, by Src and Role, and their parts, by
// Slot.
func align(history, view []core.Message) *alignment {
	a := &alignment{shown: make([]int, len(history))}
	for i := range a.shown {
		a.shown[i] = -1
	}
	next := 0
	for v := range view {
		at, parts := -1, []int(nil)
		for i := next; i < len(history) && at < 0; i++ {
			if found, ok := alignParts(&history[i], &view[v]); ok {
				at, parts = i, found
			}
		}
		switch {
		case at >= 0:
			a.shown[at], next = v, at+1
		case added(&view[v]):
			parts = []int{-1}
		default:
			return &alignment{failed: fmt.Errorf("message %d of the view is not one of the history, or not in its order, nor does it say that it was inserted", v)}
		}
		a.origin, a.parts = append(a.origin, at), append(a.parts, parts)
	}
	return a
}

// alignParts finds the parts of m in raw, if m can be what is left of it.
func alignParts(raw, m *core.Message) (parts []int, ok bool) {
	if m.Src != raw.Src || m.Role != raw.Role || (len(m.Parts) == 0) != (len(raw.Parts) == 0) {
		return nil, false
	}
	next := 0
	for p := range m.Parts {
		for next < len(raw.Parts) && raw.Parts[next].Slot != m.Parts[p].Slot {
			next++
		}
		if next == len(raw.Parts) {
			return nil, false
		}
		parts = append(parts, next)
		next++
	}
	return parts, true
}

// before returns the part of the history that a part of the view was.
func (t *trial) before(v, part int) *core.Part {
	return &t.History[t.origin[v]].Parts[t.parts[v][part]]
}
