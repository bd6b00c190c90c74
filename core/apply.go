package core

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Apply pulls proposals from an editor and adopts them until the window has reached its
// target or the editor has no more. It is the only code that edits, and it keeps laws 2
// to 5, 9 and 13: a proposal that would break one is refused, whoever made it. Several
// editors can be applied to one window, one after the other. Edits that together do not
// shrink the history are undone.
//
// Apply returns the refused proposals; an editor that looks at the window makes none. An
// editor that panics ends there, with its adopted edits kept and a [*PanicError] as err.
func Apply(w *Window, e Editor) (refused []*LawError, err error) {
	if w.Fits() {
		return nil, nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError(p)
		}
		w.point()
		if w.edited() && (w.Tokens() >= w.raw || w.grown+w.chain.notices*len(gapNotice) > 0) {
			refused = append(refused, &LawError{4, w.Edits()[0].Msg, "the edits do not shrink the history"})
			w.reset()
		}
	}()
	for edit := range e.Edits(w) {
		if law := w.adopt(edit); law != nil {
			refused = append(refused, law)
		}
		if w.Fits() {
			break
		}
	}
	return refused, nil
}

// LawError is a proposal, or the result of a foreign [Transformer], that would break a law.
type LawError struct {
	Law    int    // its number in the list of laws
	Msg    int    // index into the history
	Detail string // what was found
}

// Error names message, law and finding.
func (e *LawError) Error() string {
	return fmt.Sprintf("core: message %d: %s (law %d)", e.Msg, e.Detail, e.Law)
}

func (w *Window) adopt(e Edit) *LawError {
	if e.Msg < 0 || e.Msg >= len(w.History) {
		return &LawError{2, e.Msg, fmt.Sprintf("%s: the history has %d messages", e.Op, len(w.History))}
	}
	if e.Reason == "" {
		return &LawError{9, e.Msg, e.Op.String() + ": an edit needs a reason"}
	}
	switch e.Op {
	case Drop:
		return w.drop(e)
	case Elide, Shorten:
		return w.edit(e)
	case Insert:
		return w.insert(e)
	default:
		return &LawError{2, e.Msg, "an edit of unknown operation " + e.Op.String()}
	}
}

// drop removes the group of the edit's message.
func (w *Window) drop(e Edit) *LawError {
	msgs := w.Groups.List[w.Groups.Of[e.Msg]].Msgs
	e.Msg, e.Part, e.Before, e.After = msgs[0], -1, 0, 0
	switch p := w.Protection(e.Msg); {
	case p != 0:
		return &LawError{5, e.Msg, "drop: protected: " + p.String()}
	case w.gone[e.Msg]:
		return &LawError{9, e.Msg, "drop: it is gone already"}
	case len(msgs) == w.visible:
		return &LawError{12, e.Msg, "drop: nothing would be left"}
	case w.chain.leads(e.Msg):
		return &LawError{13, e.Msg, "drop: the first message would not be the user's"}
	}
	for _, m := range msgs {
		for p := range w.History[m].Parts {
			w.grown -= w.Part(m, p).Bytes()
		}
		delete(w.changes, m)
		w.gone[m] = true
		w.chain.unlink(m)
		w.tokens -= w.size[m]
		e.Before += w.sizer.Message(&w.History[m])
	}
	w.visible -= len(msgs)
	w.drops[e.Msg] = e
	return nil
}

// edit puts a marker, or a shorter text, in a part's place.
func (w *Window) edit(e Edit) *LawError {
	if law := w.mayEdit(e); law != nil {
		return law
	}
	raw, now := &w.History[e.Msg].Parts[e.Part], w.Part(e.Msg, e.Part)
	e.Before = w.sizer.Part(raw)
	part := *raw
	part.Media = nil
	part.Elided = &Elision{
		Op: e.Op, Reason: e.Reason, Tool: raw.Tool, Bytes: raw.Bytes(), Tokens: e.Before,
		Failed: raw.Status == StatusFailed, By: e.By,
	}
	w.render(&part, raw, e.Text)
	e.After = w.sizer.Part(&part)
	before := w.sizer.Part(now)
	if e.Op == Elide && (e.After >= before || part.Bytes() >= now.Bytes()) {
		part.Text = shortMarker(part.Elided, what(raw))
		e.After = w.sizer.Part(&part)
	}
	if vanished(&part) {
		part.Text, e.After = "", 0
	}
	if e.After >= before || part.Bytes() >= now.Bytes() {
		return &LawError{4, e.Msg, fmt.Sprintf("%s: part %d would not shrink", e.Op, e.Part)}
	}
	w.put(e, part)
	return nil
}

// mayEdit refuses edits of what must stay whole.
func (w *Window) mayEdit(e Edit) *LawError {
	if e.Part < 0 || e.Part >= len(w.History[e.Msg].Parts) {
		return &LawError{2, e.Msg, fmt.Sprintf("%s: no part %d", e.Op, e.Part)}
	}
	raw, shorten := &w.History[e.Msg].Parts[e.Part], e.Op == Shorten
	protection := w.Protection(e.Msg)
	if w.distress && shorten && raw.Kind == KindToolResult && raw.Status != StatusPending {
		protection &^= Unread | Open
	}
	for _, rule := range []struct {
		broken bool
		law    int
		detail string
	}{
		{w.gone[e.Msg], 9, "its message is gone already"},
		{protection != 0, 5, "protected: " + protection.String()},
		{raw.Elided != nil, 6, "it is a marker or a shortened text already"},
		{raw.Signed, 5, "the provider signed it"},
		{shorten && (raw.Media != nil || raw.Kind != KindText && raw.Kind != KindToolResult), 2, "only text can be shortened"},
		{shorten && e.Text == "", 2, "shortened to nothing"},
		{shorten && !utf8.ValidString(e.Text) && utf8.ValidString(raw.Text), 2, "cut within a character"},
		{!shorten && raw.Kind == KindReasoning && !w.says(e.Msg), 13, "the message says nothing else"},
		{!shorten && raw.Kind != KindToolResult && raw.Kind != KindMedia && raw.Kind != KindReasoning, 2, "a marker cannot stand for it"},
	} {
		if rule.broken {
			return &LawError{rule.law, e.Msg, fmt.Sprintf("%s: part %d: %s", e.Op, e.Part, rule.detail)}
		}
	}
	return nil
}

// says reports whether a message has something beside reasoning and blank text.
func (w *Window) says(msg int) bool {
	return slices.ContainsFunc(w.History[msg].Parts, func(p Part) bool { return p.Kind != KindReasoning && !blank(&p) })
}

// render writes the text of an edited part.
func (w *Window) render(part, raw *Part, text string) {
	e := part.Elided
	switch {
	case e.Op == Shorten && markers(text) > markers(raw.Text):
		part.Text = text
	case e.Op == Shorten:
		part.Text = text + "\n" + notice(fmt.Sprintf("shortened from %d tokens", e.Tokens), e.Reason)
	default:
		part.Text = marker(e, what(raw), w.newer(e.By))
	}
	if raw.Kind == KindMedia {
		part.Kind = KindText
	}
}

// newer names what the view shows in message m, for a marker that points to it; it is
// empty unless m is there in full.
func (w *Window) newer(m int) string {
	if m < 0 || m >= len(w.History) || w.gone[m] {
		return ""
	}
	name := w.History[m].Role.String() + " message"
	for i := range w.History[m].Parts {
		p := w.Part(m, i)
		if p.Elided != nil {
			return ""
		}
		if p.Tool != "" && (p.Kind == KindToolCall || p.Kind == KindToolResult) {
			name = clean(p.Tool)
		}
	}
	return name
}

// put records an edited part, in place of an earlier edit of it if there was one.
func (w *Window) put(e Edit, part Part) {
	before := w.Part(e.Msg, e.Part)
	grown := e.After - w.sizer.Part(before)
	w.tokens += grown
	w.size[e.Msg] += grown
	w.grown += part.Bytes() - before.Bytes()
	if w.changes[e.Msg] == nil {
		w.changes[e.Msg] = make([]change, len(w.History[e.Msg].Parts))
	}
	w.changes[e.Msg][e.Part] = change{e, part}
}

// point renders the markers again that point to a message which the view no longer shows
// in full.
func (w *Window) point() {
	for _, changes := range w.changes {
		for _, c := range changes {
			if c.Op != Elide || c.By < 0 || w.newer(c.By) != "" {
				continue
			}
			bytes := c.part.Bytes()
			w.render(&c.part, &w.History[c.Msg].Parts[c.Part], "")
			if c.part.Bytes() < bytes { // else it is the short form, which has no pointer
				c.After = w.sizer.Part(&c.part)
				w.put(c.Edit, c.part)
			}
		}
	}
}

// insert adds a message before the edit's one.
func (w *Window) insert(e Edit) *LawError {
	e.Part, e.By, e.Before = -1, -1, 0
	node := int32(e.Msg)
	for node < w.chain.end && (w.gone[node] || w.chain.class[node] == ClassNone) {
		node++
	}
	if w.within(int(node)) {
		return &LawError{3, e.Msg, "insert: it would stand between a call and its result"}
	}
	if w.History[e.Msg].Role == RoleSystem || w.Unread(e.Msg) {
		return &LawError{5, e.Msg, "insert: only before a message that is read, and behind the system messages"}
	}
	if first, _, _ := strings.Cut(e.Text, "\n"); markers(first) == 0 || !strings.HasPrefix(first, MarkerPrefix) {
		e.Text = strings.TrimSuffix(notice("inserted", e.Reason)+"\n"+e.Text, "\n")
	}
	m := inserted(RoleUser, e.Text, e.Reason)
	if !w.chain.fits(node, ClassUser) {
		if !w.chain.fits(node, ClassReply) {
			return &LawError{13, e.Msg, "insert: no role fits between its neighbours"}
		}
		m.Role = RoleAssistant
	}
	e.After = w.sizer.Message(&m)
	w.chain.insert(node, ClassOf(&m))
	w.tokens += e.After
	w.grown += len(e.Text)
	w.inserts = append(w.inserts, insertion{e, m})
	return nil
}

// within reports whether the message stands inside a visible group of several messages,
// its first excepted, or behind a call that waits. A call or result of an unknown role
// takes no part in the chain, so nothing is inserted where one is still to come.
func (w *Window) within(msg int) bool {
	for i := msg; i < len(w.History); i++ {
		if g := w.Groups.List[w.Groups.Of[i]]; w.chain.class[i] == ClassNone && (g.Open || len(g.Msgs) > 1) {
			return true
		}
	}
	for i := range w.Groups.List {
		g := &w.Groups.List[i]
		if first := g.Msgs[0]; first < msg && !w.gone[first] && (g.Open || g.Msgs[len(g.Msgs)-1] >= msg) {
			return true
		}
	}
	return false
}
