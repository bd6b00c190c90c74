package core

// Window is a history under collection: what an [Editor] looks at, and what [Apply]
// changes. It is for one goroutine. It shares the history and never writes to it.
type Window struct {
	History []Message // the raw history: read only
	Groups  *Groups
	Gaps    []int // messages before which others were left out that the history once had; nil for a whole one

	config
	protection []Protection // by group
	lastReply  int

	distress    bool
	raw, tokens int    // of the history, and of the view without the notices between messages
	grown       int    // bytes of the view minus those of the history, without those notices
	size        []int  // tokens of each message as it stands; of a dropped one, what it had
	gone        []bool // dropped messages
	visible     int    // messages of the history that the view shows

	drops     map[int]Edit     // by first message of the group
	changes   map[int][]change // message → what happened to each of its parts
	inserts   []insertion      // node len(History)+1+i of the chain
	chain     chain
	gapTokens int // what a notice between two messages costs

	facts map[any]any
}

// change is an edited part; Op 0: the part is as it was.
type change struct {
	Edit
	part Part
}

// insertion is an inserted message.
type insertion struct {
	Edit
	message Message
}

// Option configures a [Window], and what makes windows: [Transform], [Guard].
type Option func(*config)

type config struct {
	sizer   Sizer
	profile *Profile
	target  int
}

// WithSizer sets what a part and a message cost. The default is [Bytes].
func WithSizer(s Sizer) Option { return func(c *config) { c.sizer = s } }

// WithProfile sets the provider whose neighbour rules the view must keep, so that an edit
// brings no two messages together that the provider refuses: where one would, a one-line
// notice stands between them. The default keeps none.
func WithProfile(p *Profile) Option { return func(c *config) { c.profile = p } }

// WithTarget stops a collection at a view of so many tokens. The default, 0, takes every
// proposal.
func WithTarget(tokens int) Option { return func(c *config) { c.target = tokens } }

// NewWindow returns a window on history in which nothing is edited yet. It costs time
// linear in the history, and asks the Sizer once for every message.
func NewWindow(history []Message, opts ...Option) *Window {
	w := &Window{History: history, Groups: NewGroups(history), config: config{sizer: Bytes}, facts: make(map[any]any)}
	for _, o := range opts {
		o(&w.config)
	}
	w.protection, w.lastReply = protect(history, w.Groups)
	gap := inserted(RoleAssistant, gapNotice, "")
	w.gapTokens = w.sizer.Message(&gap)
	w.reset()
	return w
}

// reset forgets every edit.
func (w *Window) reset() {
	n := len(w.History)
	w.size, w.gone, w.visible, w.raw, w.grown = make([]int, n), make([]bool, n), n, 0, 0
	for i := range w.History {
		w.size[i] = w.sizer.Message(&w.History[i])
		w.raw += w.size[i]
	}
	w.tokens = w.raw
	w.drops, w.changes, w.inserts = make(map[int]Edit), make(map[int][]change), nil
	w.chain = newChain(w.History, w.Groups, w.profile)
}

// Tokens returns the size of the view as it stands.
func (w *Window) Tokens() int { return w.tokens + w.chain.notices*w.gapTokens }

// Target returns the size at which the collection stops; 0: none.
func (w *Window) Target() int { return w.target }

// Fits reports whether there is a target and the view has reached it.
func (w *Window) Fits() bool { return w.target > 0 && w.Tokens() <= w.target }

// Sizer returns what counts tokens here.
func (w *Window) Sizer() Sizer { return w.sizer }

// Visible reports whether the view shows the message.
func (w *Window) Visible(msg int) bool { return !w.gone[msg] }

// Size returns the tokens of a message as it stands; of a dropped one, what it had.
func (w *Window) Size(msg int) int { return w.size[msg] }

// Part returns a part as it stands: the raw one, or what an edit made of it. It is
// shared; read only.
func (w *Window) Part(msg, part int) *Part {
	if changes := w.changes[msg]; changes != nil && changes[part].Op != 0 {
		return &changes[part].part
	}
	return &w.History[msg].Parts[part]
}

// Protection returns why the group of the message stays as it is; 0: it may go.
func (w *Window) Protection(msg int) Protection { return w.protection[w.Groups.Of[msg]] }

// Unread reports whether the model has not seen the message yet: it stands behind the
// last reply, or is a result of that reply.
func (w *Window) Unread(msg int) bool { return unread(w.History, w.lastReply, msg) }

// Policy returns the policy of the message's group: the strictest of its messages'.
func (w *Window) Policy(msg int) Policy {
	if w.Protection(msg) != 0 {
		return Locked
	}
	strictest := Ephemeral
	for _, m := range w.Groups.List[w.Groups.Of[msg]].Msgs {
		strictest = max(strictest, policyOf(&w.History[m]))
	}
	return strictest
}

// Distress allows the last resort from here on: the results of an exchange that is unread
// or open may be shortened, if nobody pinned it; pending ones may not. It is for a view
// that does not fit its hard limit although every other means was tried.
func (w *Window) Distress() { w.distress = true }

// Fact returns what find returned for the key the first time. Editors that need to know the
// same of the raw history, such as what its tool calls did, share the work in this way. The
// key is of a type that only its owner can make, and comparable.
func (w *Window) Fact(key any, find func() any) any {
	fact, known := w.facts[key]
	if !known {
		fact = find()
		w.facts[key] = fact
	}
	return fact
}

// Edits returns the edits that make the view out of the history, in the order of its
// messages. An edit that a later one made void is left out, so that no token is counted
// twice: the tokens of the history minus those of the view are the sum of Before minus
// After.
func (w *Window) Edits() []Edit {
	var edits []Edit
	w.each(func(node int32) {
		if w.noticeBefore(node) {
			edits = append(edits, Edit{Op: Insert, Msg: w.anchor(node), Part: -1, By: -1, Text: gapNotice, Reason: gapReason, After: w.gapTokens})
		}
		if node > w.chain.end {
			edits = append(edits, w.inserts[node-w.chain.end-1].Edit)
			return
		}
		if drop, ok := w.drops[int(node)]; ok {
			edits = append(edits, drop)
		}
		for _, c := range w.changes[int(node)] {
			if c.Op != 0 {
				edits = append(edits, c.Edit)
			}
		}
	})
	return edits
}

// View returns the history after the edits: the very slice when there are none, else a
// new one that shares every message without edits.
func (w *Window) View() []Message {
	if !w.edited() {
		return w.History
	}
	view := make([]Message, 0, w.visible+len(w.inserts)+w.chain.notices)
	w.each(func(node int32) {
		if w.noticeBefore(node) {
			role := RoleUser
			if w.chain.class[node] == ClassUser {
				role = RoleAssistant
			}
			view = append(view, inserted(role, gapNotice, gapReason))
		}
		if node > w.chain.end {
			view = append(view, w.inserts[node-w.chain.end-1].message)
		} else if !w.gone[node] {
			view = append(view, w.message(int(node)))
		}
	})
	return view
}

func (w *Window) edited() bool { return len(w.drops)+len(w.changes)+len(w.inserts) > 0 }

// each calls visit with every message of the history, visible or not, and with every
// inserted one, in order, as nodes of the chain.
func (w *Window) each(visit func(node int32)) {
	for i := range int32(len(w.History) + 1) {
		if i == w.chain.end || !w.gone[i] && w.chain.class[i] != ClassNone {
			for _, node := range w.chain.insertsBefore(i) {
				visit(node)
			}
		}
		if i < w.chain.end {
			visit(i)
		}
	}
}

// noticeBefore reports whether the view has a notice right before the node.
func (w *Window) noticeBefore(node int32) bool {
	return w.chain.notices > 0 && w.chain.class[node] != ClassNone && (node > w.chain.end || !w.gone[node]) &&
		w.chain.apart(w.chain.prev[node], node) == 1
}

// anchor returns the message of the history that the node is or stands before.
func (w *Window) anchor(node int32) int {
	for node > w.chain.end {
		node = w.chain.next[node]
	}
	return int(node)
}

// message returns a message as it stands. A reasoning part that was taken out leaves
// nothing behind: a model must not read words of its own that it never wrote.
func (w *Window) message(i int) Message {
	m := w.History[i]
	if w.changes[i] == nil {
		return m
	}
	m.Parts = make([]Part, 0, len(m.Parts))
	for p := range w.History[i].Parts {
		if part := w.Part(i, p); w.changes[i][p].Op == 0 || !vanished(part) {
			m.Parts = append(m.Parts, *part)
		}
	}
	return m
}

func vanished(p *Part) bool { return p.Kind == KindReasoning && p.Elided != nil }

func inserted(role Role, text, reason string) Message {
	return Message{Role: role, Parts: []Part{{Text: text, Elided: &Elision{Op: Insert, Reason: reason, By: -1}}}}
}
