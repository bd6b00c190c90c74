package archive

import (
	"context"
	"slices"
	"time"

	"github.com/trimkit/trimkit/core"
)

// Details is what a caller knows beside history, view and ledger. Every field may be zero.
type Details struct {
	Time  time.Time  // of the entries and the manifest
	Lease time.Time  // the conversation is kept until then, at least
	Sizer core.Sizer // tokens of what is dropped, message by message; without it, a group's are its first message's

	// Paths returns the files that a message of the history, or with a part that is not -1 a
	// part of it, is about; Native what the framework or provider has of it, in a form that the
	// caller can read again. What they return is not changed.
	Paths  func(msg, part int) []string
	Native func(msg, part int) []byte
}

// Saved is a view that can be restored.
type Saved struct {
	View     []core.Message // with receipts in Elided, where parts were edited; every other message is shared
	Manifest *Manifest
	Entries  int // that the view hides
	Bytes    int // of what they hold
}

// Save stores what a view hides and how the history is made of it, in one batch, before the
// view is used. history is the raw one, edits the complete ledger between it and the view:
// that of several collections is still one against the raw history. A view without edits has
// a manifest too, so that it restores to itself.
//
// Before anything is stored, the history is made again of the view and of what would be
// stored, and compared in every field: edits that do not account for a difference are a
// [*LedgerError]. What is stored already is not stored again. Neither history nor view is
// written to; of view, text stays as it is: a marker that shows its receipt is rendered with
// [Archive.Receipt] before.
//
// With an error nothing was stored, and the view should not be used where its receipts must
// hold. Time and memory are linear in history and view.
func (a *Archive) Save(ctx context.Context, conversation string, history, view []core.Message, edits []core.Edit, d Details) (*Saved, error) {
	if conversation == "" {
		return nil, ErrNoConversation
	}
	s := saving{archive: a, conversation: conversation, history: history, view: view, details: d}
	if err := s.plan(edits); err != nil {
		return nil, err
	}
	if err := a.put(ctx, conversation, s.entries, []*Manifest{s.manifest}, Batch{Now: d.Time, Lease: d.Lease}); err != nil {
		return nil, err
	}
	saved := &Saved{View: s.marked(), Manifest: s.manifest, Entries: len(s.entries)}
	for _, e := range s.entries {
		saved.Bytes += e.Bytes()
	}
	return saved, nil
}

// saving is one Save while it is planned.
type saving struct {
	archive      *Archive
	conversation string
	history      []core.Message
	view         []core.Message
	details      Details

	groups   *core.Groups
	at       []int               // history → its place in the view; -1: dropped
	parts    map[[2]int]core.Op  // edited parts
	shown    map[[2]int]int      // edited part → its place in the view's message; absent: vanished
	byPart   map[[2]int]*Removed // what the manifest says of it
	entries  []*Entry
	manifest *Manifest
}

func (s *saving) plan(edits []core.Edit) error {
	s.groups = core.NewGroups(s.history)
	s.parts, s.shown, s.byPart = map[[2]int]core.Op{}, map[[2]int]int{}, map[[2]int]*Removed{}
	var inserts []core.Edit
	dropped := map[int]bool{} // groups
	for _, e := range edits {
		if e.Msg < 0 || e.Msg >= len(s.history) && (e.Op != core.Insert || e.Msg > len(s.history)) {
			return &LedgerError{e.Msg, e.Part, "the history has no such message"}
		}
		switch e.Op {
		case core.Insert:
			inserts = append(inserts, e)
		case core.Elide, core.Shorten:
			if e.Part < 0 || e.Part >= len(s.history[e.Msg].Parts) {
				return &LedgerError{e.Msg, e.Part, "the message has no such part"}
			}
			if s.history[e.Msg].Parts[e.Part].Elided != nil {
				return &LedgerError{e.Msg, e.Part, "it is a marker in the history already, which is no original"}
			}
			if _, twice := s.parts[[2]int{e.Msg, e.Part}]; twice {
				return &LedgerError{e.Msg, e.Part, "it is edited twice"}
			}
			s.parts[[2]int{e.Msg, e.Part}] = e.Op
		case core.Drop:
			dropped[s.groups.Of[e.Msg]] = true
		default:
			return &LedgerError{e.Msg, e.Part, "an edit of unknown operation " + e.Op.String()}
		}
	}
	s.manifest = &Manifest{
		Conversation: s.conversation, View: HashOf(s.view), ViewMessages: len(s.view),
		History: HashOf(s.history), Messages: len(s.history), Time: s.details.Time,
	}
	if err := s.align(dropped, inserts); err != nil {
		if err = s.align(nil, inserts); err != nil {
			return err
		}
	}
	if err := s.remove(edits); err != nil {
		return err
	}
	return s.prove()
}

// align finds for every message of the history its place in the view. Those of some groups are
// taken for gone; without any, the view may show what joined a dropped group later.
func (s *saving) align(dropped map[int]bool, inserts []core.Edit) error {
	s.at, s.manifest.Inserted = make([]int, len(s.history)), nil
	clear(s.shown)
	v, pending := 0, map[string]int{}
	for i := range s.history {
		for len(inserts) > 0 && inserts[0].Msg <= i {
			pending[inserts[0].Text]++
			inserts = inserts[1:]
		}
		v = s.skipInserted(v, pending)
		s.at[i] = -1
		if v < len(s.view) && !dropped[s.groups.Of[i]] && s.matches(i, &s.view[v]) {
			s.at[i] = v
			v++
		}
	}
	for _, e := range inserts {
		pending[e.Text]++
	}
	if v = s.skipInserted(v, pending); v < len(s.view) {
		return &LedgerError{len(s.history), -1, "the view goes on behind what the edits leave of the history"}
	}
	return nil
}

func (s *saving) skipInserted(v int, pending map[string]int) int {
	for v < len(s.view) && s.view[v].Inserted() && pending[s.view[v].Parts[0].Text] > 0 {
		pending[s.view[v].Parts[0].Text]--
		s.manifest.Inserted = append(s.manifest.Inserted, v)
		v++
	}
	return v
}

// matches reports whether m is what the edits leave of message i, and notes where its edited
// parts stand.
func (s *saving) matches(i int, m *core.Message) bool {
	raw := &s.history[i]
	if !sameHead(raw, m) {
		return false
	}
	q := 0
	var shown [][2]int // part, place
	for p := range raw.Parts {
		_, edited := s.parts[[2]int{i, p}]
		switch {
		case edited && q < len(m.Parts) && m.Parts[q].Elided != nil && m.Parts[q].Slot == raw.Parts[p].Slot && m.Parts[q].CallID == raw.Parts[p].CallID:
			shown = append(shown, [2]int{p, q})
			q++
		case edited: // vanished
		case q < len(m.Parts) && samePart(&raw.Parts[p], &m.Parts[q]):
			q++
		default:
			return false
		}
	}
	if q < len(m.Parts) || q == 0 && len(raw.Parts) > 0 {
		return false
	}
	for _, x := range shown {
		s.shown[[2]int{i, x[0]}] = x[1]
	}
	return true
}

// remove makes entries of what the view does not show, and the manifest's edits.
func (s *saving) remove(edits []core.Edit) error {
	gone := map[int]bool{}
	for _, e := range edits {
		edit := Edit{Edit: e}
		switch {
		case e.Op == core.Drop:
			first := true
			for _, m := range s.groups.List[s.groups.Of[e.Msg]].Msgs {
				if s.at[m] >= 0 || gone[m] {
					continue // joined the group later, or is accounted for
				}
				gone[m] = true
				tokens := 0
				if s.details.Sizer != nil {
					tokens = s.details.Sizer.Message(&s.history[m])
				} else if first {
					tokens = e.Before
				}
				first = false
				r, err := s.entry(m, -1, e.Reason, tokens)
				if err != nil {
					return err
				}
				edit.Removed = append(edit.Removed, r)
			}
			if len(edit.Removed) == 0 {
				return &LedgerError{e.Msg, -1, "nothing is left of its group to drop"}
			}
		case e.Op != core.Insert && s.at[e.Msg] >= 0:
			r, err := s.entry(e.Msg, e.Part, e.Reason, e.Before)
			if err != nil {
				return err
			}
			_, shown := s.shown[[2]int{e.Msg, e.Part}]
			r.Vanished = !shown
			edit.Removed = append(edit.Removed, r)
			s.byPart[[2]int{e.Msg, e.Part}] = &r
		}
		s.manifest.Edits = append(s.manifest.Edits, edit)
	}
	for i, v := range s.at {
		if v < 0 && !gone[i] {
			return &LedgerError{i, -1, "the view does not show it as the edits leave it, and none of them drops it"}
		}
	}
	return nil
}

// entry makes the entry of a message or part and returns what the manifest says of it.
func (s *saving) entry(msg, part int, reason string, tokens int) (Removed, error) {
	m := &s.history[msg]
	e := &Entry{
		Conversation: s.conversation, Msg: msg, Part: part, Reason: reason, Tokens: tokens, Time: s.details.Time,
		Tool: s.tool(msg, part),
	}
	if s.details.Native != nil {
		e.Native = s.details.Native(msg, part)
	}
	if s.details.Paths != nil {
		e.Paths = s.details.Paths(msg, part)
	}
	if err := s.archive.take(e, m); err != nil {
		return Removed{}, err
	}
	e.Receipt = receiptOf(contentDigest(s.conversation, e.content()))
	s.entries = append(s.entries, e)
	return Removed{Msg: msg, Part: part, Receipt: e.Receipt}, nil
}

// tool names the tool of a part or, for a message, of the first part that has one. A result
// that does not say is looked up at its call.
func (s *saving) tool(msg, part int) string {
	for p := range s.history[msg].Parts {
		if part >= 0 && p != part {
			continue
		}
		if tool := s.history[msg].Parts[p].Tool; tool != "" {
			return tool
		}
		if m, c, ok := s.groups.CallOf(msg, p); ok {
			return s.history[m].Parts[c].Tool
		}
	}
	return ""
}

// prove makes the history again, as it will be restored, and compares.
func (s *saving) prove() error {
	entries := make(map[Receipt]*Entry, len(s.entries))
	redacted := false
	for _, e := range s.entries {
		entries[e.Receipt] = e
		redacted = redacted || e.Redacted
	}
	if err := s.manifest.check(); err != nil {
		return &LedgerError{len(s.history), -1, err.Error()}
	}
	back, err := rebuild(s.manifest, s.view, entries)
	if err != nil {
		return &LedgerError{len(s.history), -1, err.Error()}
	}
	if redacted {
		return nil
	}
	for i := range s.history {
		if !sameHead(&s.history[i], &back.History[i]) {
			return &LedgerError{i, -1, "it would come back with another head"}
		}
		if !slices.EqualFunc(s.history[i].Parts, back.History[i].Parts, func(x, y core.Part) bool { return samePart(&x, &y) }) {
			return &LedgerError{i, -1, "its parts would come back changed"}
		}
	}
	return nil
}

// marked returns the view with receipts where parts were edited.
func (s *saving) marked() []core.Message {
	if len(s.shown) == 0 {
		return s.view
	}
	view, copied := slices.Clone(s.view), map[int]bool{}
	for at, q := range s.shown {
		removed, v := s.byPart[at], s.at[at[0]]
		if removed == nil || v < 0 {
			continue
		}
		if !copied[v] {
			view[v].Parts, copied[v] = slices.Clone(view[v].Parts), true
		}
		elided := *view[v].Parts[q].Elided
		elided.Receipt = string(removed.Receipt)
		view[v].Parts[q].Elided = &elided
	}
	return view
}
