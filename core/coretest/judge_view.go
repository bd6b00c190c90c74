package coretest

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
)

// honest is law 2.
func honest(t *trial) (put bool, err error) {
	if t.failed != nil {
		return true, t.failed
	}
	for v := range t.view {
		m := &t.view[v]
		if t.origin[v] < 0 {
			if err := honestInsert(m); err != nil {
				return true, fmt.Errorf("message %d of the view: %w", v, err)
			}
			continue
		}
		raw := &t.History[t.origin[v]]
		if !sameHead(raw, m) {
			return true, fmt.Errorf("message %d: its name, policy, reply or metadata changed", t.origin[v])
		}
		kept := make([]bool, len(raw.Parts))
		for p := range m.Parts {
			kept[t.parts[v][p]] = true
			if err := t.honestPart(t.before(v, p), &m.Parts[p]); err != nil {
				return true, fmt.Errorf("message %d, part %d: %w", t.origin[v], t.parts[v][p], err)
			}
		}
		for p := range raw.Parts {
			if !kept[p] && raw.Parts[p].Kind != core.KindReasoning {
				return true, fmt.Errorf("message %d, part %d: a %s part left without its group", t.origin[v], p, raw.Parts[p].Kind)
			}
		}
	}
	return t.edited(), nil
}

func honestInsert(m *core.Message) error {
	part := &m.Parts[0]
	line, _, _ := strings.Cut(part.Text, "\n")
	switch {
	case part.Elided.Op != core.Insert:
		return errors.New("an inserted message that is marked otherwise")
	case m.Role != core.RoleUser && m.Role != core.RoleAssistant:
		return fmt.Errorf("an inserted message of role %s", m.Role)
	case part.Kind != core.KindText || part.Media != nil:
		return fmt.Errorf("an inserted message with a %s part", part.Kind)
	case !strings.HasPrefix(line, core.MarkerPrefix) || !strings.Contains(line, "]"):
		return fmt.Errorf("an inserted message that does not say so: %.40q", part.Text)
	}
	return nil
}

// honestPart judges a part against the one that it was.
func (t *trial) honestPart(raw, part *core.Part) error {
	e := part.Elided
	switch {
	case samePart(raw, part):
		return nil
	case e == nil || sameElision(raw.Elided, e):
		return errors.New("it changed and does not say so")
	case raw.Elided != nil:
		return errors.New("a marker that was edited again")
	case part.CallID != raw.CallID || part.Tool != raw.Tool || part.Status != raw.Status || part.Signed != raw.Signed:
		return errors.New("more than its content changed")
	case e.Bytes != partBytes(raw) || e.Tokens != t.sizer().Part(raw) || e.Failed != (raw.Status == core.StatusFailed):
		return fmt.Errorf("the record says %d bytes, %d tokens, failed: %t", e.Bytes, e.Tokens, e.Failed)
	case utf8.ValidString(raw.Text) && !utf8.ValidString(part.Text):
		return errors.New("a character was cut in two")
	}
	switch e.Op {
	case core.Elide:
		return honestMarker(raw, part)
	case core.Shorten:
		return honestShort(raw, part)
	default:
		return fmt.Errorf("a part marked by operation %s", e.Op)
	}
}

func honestMarker(raw, part *core.Part) error {
	kind := raw.Kind
	if kind == core.KindMedia {
		kind = core.KindText
	}
	switch {
	case raw.Kind != core.KindToolResult && raw.Kind != core.KindMedia:
		return fmt.Errorf("a marker in place of a %s part", raw.Kind)
	case part.Kind != kind || part.Media != nil:
		return fmt.Errorf("a marker in a %s part", part.Kind)
	case !strings.HasPrefix(part.Text, core.MarkerPrefix) || strings.IndexByte(part.Text, ']') != len(part.Text)-1:
		return fmt.Errorf("no marker: %.60q", part.Text)
	case strings.ContainsAny(part.Text, "\n\r\"\\`<>") || strings.Contains(part.Text[1:], "["):
		return fmt.Errorf("a marker that does not survive its surroundings: %.60q", part.Text)
	}
	return nil
}

func honestShort(raw, part *core.Part) error {
	switch {
	case raw.Kind != core.KindText && raw.Kind != core.KindToolResult || part.Kind != raw.Kind:
		return fmt.Errorf("a %s part was shortened", raw.Kind)
	case !sameMedia(raw.Media, part.Media):
		return errors.New("its media changed")
	case !saysSo(raw.Text, part.Text):
		return errors.New("its text does not say that it was shortened")
	}
	return nil
}

// saysSo reports whether text has a notice that the raw text does not have.
func saysSo(raw, text string) bool {
	for {
		i := strings.Index(text, core.MarkerPrefix)
		if i < 0 {
			return false
		}
		text = text[i:]
		end := strings.IndexByte(text, ']')
		if end < 0 {
			return false
		}
		if !strings.Contains(raw, text[:end+1]) {
			return true
		}
		text = text[1:]
	}
}

// whole is law 3.
func whole(t *trial) (put bool, err error) {
	if !t.aligned() || t.bridged() {
		return false, nil
	}
	for m, first := range t.pairs.group {
		if (t.shown[m] < 0) != (t.shown[first] < 0) {
			return true, fmt.Errorf("messages %d and %d belong together, and one is gone", first, m)
		}
	}
	visible := make(map[place]bool)
	for v := range t.view {
		for p := range t.view[v].Parts {
			visible[t.raw(place{v, p})] = true
		}
	}
	for result, call := range t.pairs.answers {
		if visible[result] != visible[call] {
			return true, fmt.Errorf("the call at %v and its result at %v parted", call, result)
		}
	}
	after := newPairing(t.view)
	for result, call := range after.answers {
		raw, known := t.pairs.answers[t.raw(result)]
		now := t.raw(call)
		// Calls of one reply under one id are as good as each other.
		if !known || !t.pairs.oneReply(raw.msg, now.msg) {
			return true, fmt.Errorf("the result at %v answered the call at %v (%t), and now that at %v", t.raw(result), raw, known, now)
		}
	}
	waits := make(map[int]int) // group → open calls that the view has more than the history
	for call, open := range t.pairs.open {
		if open {
			waits[t.pairs.group[call.msg]]--
		}
	}
	for call, open := range after.open {
		if open {
			waits[t.pairs.group[t.raw(call).msg]]++
		}
	}
	for first, n := range waits {
		if n != 0 && t.shown[first] >= 0 {
			return true, fmt.Errorf("the calls of message %d: %+d are open", first, n)
		}
	}
	return t.edited() && len(t.pairs.calls) > 0, t.openAtEnd()
}

// raw returns where in the history a part of the view stood.
func (t *trial) raw(at place) place {
	if t.origin[at.msg] < 0 {
		return place{-1, at.msg}
	}
	return place{t.origin[at.msg], t.parts[at.msg][at.part]}
}

// openAtEnd finds what was inserted behind an open call that ends the history.
func (t *trial) openAtEnd() error {
	for call, open := range t.pairs.open {
		if !open || t.repliesAfter(call.msg) || t.late() {
			continue
		}
		for v := t.shown[call.msg] + 1; v < len(t.view); v++ {
			if t.origin[v] < 0 {
				return fmt.Errorf("message %d of the view was inserted behind the open call at %v", v, call)
			}
		}
	}
	return nil
}

// repliesAfter reports whether a reply of another group stands behind a message.
func (t *trial) repliesAfter(msg int) bool {
	for m := msg + 1; m < len(t.History); m++ {
		if t.History[m].Role == core.RoleAssistant && t.pairs.group[m] != t.pairs.group[msg] {
			return true
		}
	}
	return false
}

// shrinks is law 4.
func shrinks(t *trial) (put bool, err error) {
	if !t.aligned() || !t.edited() {
		return false, nil
	}
	if raw, now := messageBytes(t.History), messageBytes(t.view); now > raw {
		return true, fmt.Errorf("the history has %d bytes, the view %d", raw, now)
	}
	if raw, now := t.tokens(t.History), t.tokens(t.view); now >= raw {
		return true, fmt.Errorf("the history has %d tokens, the view %d", raw, now)
	}
	for v := range t.view {
		for p := range t.view[v].Parts {
			part := &t.view[v].Parts[p]
			if t.origin[v] < 0 || samePart(t.before(v, p), part) {
				continue
			}
			raw := t.before(v, p)
			if b, a := partBytes(raw), partBytes(part); a >= b {
				return true, fmt.Errorf("message %d, part %d: %d bytes became %d", t.origin[v], t.parts[v][p], b, a)
			}
			if b, a := t.sizer().Part(raw), t.sizer().Part(part); a >= b {
				return true, fmt.Errorf("message %d, part %d: %d tokens became %d", t.origin[v], t.parts[v][p], b, a)
			}
		}
	}
	return true, nil
}

func partBytes(p *core.Part) int {
	n := len(p.Text)
	if p.Kind == core.KindToolCall {
		n += len(p.Tool)
	}
	if p.Media != nil {
		n += len(p.Media.URL) + len(p.Media.Data)
	}
	return n
}

func messageBytes(messages []core.Message) int {
	n := 0
	for i := range messages {
		for p := range messages[i].Parts {
			n += partBytes(&messages[i].Parts[p])
		}
	}
	return n
}

// verbatim is law 5.
func verbatim(t *trial) (put bool, err error) {
	if !t.aligned() || t.bridged() {
		return false, nil
	}
	for m := range t.History {
		kept := t.pairs.hard[m] || t.pairs.waiting[m]
		put = put || kept
		v := t.shown[m]
		if v < 0 {
			if kept && !t.decidedBefore(m, true) {
				return true, fmt.Errorf("message %d: it is protected, and gone", m)
			}
			continue
		}
		if err := t.verbatimMessage(m, v, kept); err != nil {
			return true, err
		}
	}
	return put && t.edited(), nil
}

// verbatimMessage judges message m of the history, which stands at v in the view.
func (t *trial) verbatimMessage(m, v int, kept bool) error {
	now := make(map[int]*core.Part)
	for p := range t.view[v].Parts {
		now[t.parts[v][p]] = &t.view[v].Parts[p]
	}
	for p := range t.History[m].Parts {
		raw, part := &t.History[m].Parts[p], now[p]
		switch {
		case part != nil && samePart(raw, part):
		case raw.Signed:
			return fmt.Errorf("message %d, part %d: it is signed, and was edited", m, p)
		case kept && part == nil && !t.decidedBefore(m, true):
			return fmt.Errorf("message %d, part %d: it is protected, and gone", m, p)
		case kept && part != nil && !t.lastResort(m, raw, part) && !t.decidedBefore(m, true):
			return fmt.Errorf("message %d, part %d: it is protected, and was edited", m, p)
		}
	}
	return nil
}

// lastResort reports whether an edit of something protected is the one that law 12 allows:
// in distress a result may be shortened whose group only waits to be read or answered. A
// subject that decides once and replays may have been in distress before the history grew.
func (t *trial) lastResort(m int, raw, part *core.Part) bool {
	return t.Bounded && (!t.pairs.hard[m] || t.decidedBefore(m, false)) && raw.Kind == core.KindToolResult &&
		part.Elided != nil && part.Elided.Op == core.Shorten && (t.Collections != nil || t.droppable() < 0)
}

// droppable returns the first message of a group in the view that could still go, or -1.
// A group can go if nothing protects it, something else would be left, and it is larger
// than the notice that might have to take its place. A user message in front of all others
// need not go where the provider wants one there.
func (t *trial) droppable() int {
	var gap []core.Message
	if t.Profile != nil && len(t.Profile.Never) > 0 {
		line := core.MarkerPrefix + strings.Repeat("-", 40)
		gap = []core.Message{{Role: core.RoleAssistant, Parts: []core.Part{{Text: line}}}}
	}
	groups := make(map[int][]core.Message) // first message → what the view shows
	for m, first := range t.pairs.group {
		if v := t.shown[m]; v >= 0 {
			groups[first] = append(groups[first], t.view[v])
		}
	}
	for m := range t.History {
		shown := groups[m]
		leads := t.Profile != nil && t.Profile.UserFirst && m == t.leader()
		if len(shown) > 0 && len(groups) > 1 && !leads && !t.keptByView(m) && !t.pairs.hard[m] && !t.pairs.waiting[m] &&
			t.tokens(shown) > t.tokens(gap) && messageBytes(shown) >= messageBytes(gap) {
			return m
		}
	}
	return -1
}

// leader returns the user message in front of all turns of the view, or -1.
func (t *trial) leader() int {
	for v := range t.view {
		switch t.view[v].Role {
		case core.RoleUser:
			return t.origin[v]
		case core.RoleAssistant, core.RoleTool:
			return -1
		}
	}
	return -1
}
