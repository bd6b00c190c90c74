package budget

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// WithNotice puts a message into views that says how much has been removed in all: messages,
// results and tokens. It stands behind the first user message, never in front of all others, and
// is no turn. A collection replaces it; between two of them it stays as it is. Where nothing can
// stand there for the provider's rules, or it would cost as much as the collection freed, it is left
// out. What is done for one call alone is not in it.
func WithNotice() EnforcerOption { return func(e *Enforcer) { e.notice = true } }

const noticeReason = "what was removed so far"

// noticeOf returns the notice for a state, if there is anything to say: what was shortened says so
// itself.
func (f *fold) noticeOf(s *state) (m core.Message, ok bool) {
	results, tokens := 0, s.raw
	for i, raw := range s.index {
		if raw < 0 {
			continue
		}
		m := &s.view[i]
		tokens -= f.e.meter.Message(m)
		for p := range m.Parts {
			if e := m.Parts[p].Elided; m.Parts[p].Kind == core.KindToolResult && e != nil && e.Op == core.Elide {
				results++
			}
		}
	}
	return notice(s.gone, results, tokens), s.gone+results > 0
}

func notice(messages, results, tokens int) core.Message {
	text := fmt.Sprintf("%sremoved so far to make room: %d messages, %d tool results of others, %d tokens in all]", core.MarkerPrefix, messages, results, tokens)
	return core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: text, Elided: &core.Elision{Op: core.Insert, Reason: noticeReason, By: -1}}}}
}

func isNotice(m *core.Message) bool {
	return m.Inserted() && m.Parts[0].Elided.Op == core.Insert && m.Parts[0].Elided.Reason == noticeReason
}

// noticed returns where the view has its notice; -1: it has none.
func (s *state) noticed() int {
	for i := range s.view {
		if s.index[i] < 0 && isNotice(&s.view[i]) {
			return i
		}
	}
	return -1
}

// hush takes the notice out of the view, for a collection that will leave another one.
func (f *fold) hush() {
	s := &f.now
	at := s.noticed()
	if at < 0 {
		return
	}
	s.tokens -= f.e.meter.Message(&s.view[at])
	s.view, s.index = slices.Delete(slices.Clone(s.view), at, at+1), slices.Delete(slices.Clone(s.index), at, at+1)
	f.measure()
}

// announce puts the notice into a view that a collection has left, and into its report. before is
// what the view was.
func (f *fold) announce(before *state, r *Report) {
	s := &f.now
	old := before.noticed()
	if old >= 0 {
		next := len(f.seen)
		for _, raw := range before.index[old:] {
			if raw >= 0 {
				next = int(raw)
				break
			}
		}
		r.Edits = append(r.Edits, core.Edit{
			Op: core.Drop, Msg: next, Part: -1, By: -1, Reason: noticeReason, Before: f.e.meter.Message(&before.view[old]),
		})
	}
	m, ok := f.noticeOf(s)
	at, role := f.noticePlace()
	m.Role = role
	tokens, bytes := f.e.meter.Message(&m), len(m.Parts[0].Text)
	if old < 0 && before.tokens-s.tokens < 2*tokens {
		ok = false // the first must be worth its place
	}
	if ok && at > 0 && s.tokens+tokens < before.tokens && s.tokens+tokens <= f.hard && s.bytes+bytes < before.bytes &&
		!f.e.marks.exceeded(s.bytes+bytes, s.media) {
		r.Edits = append(r.Edits, core.Edit{
			Op: core.Insert, Msg: f.raw(at), Part: -1, By: -1, Reason: noticeReason, Text: m.Parts[0].Text, After: tokens,
		})
		s.view, s.index = slices.Insert(slices.Clip(s.view), at, m), slices.Insert(slices.Clip(s.index), at, int32(-1))
		s.tokens, s.bytes = s.tokens+tokens, s.bytes+bytes
		r.TokensAfter += tokens
	}
	slices.SortStableFunc(r.Edits, func(a, b core.Edit) int { return cmp.Compare(a.Msg, b.Msg) })
}

// noticePlace returns before which message of the view a notice may stand, and as whose: behind
// the task, before the last reply, within no exchange, and beside nothing that the provider
// refuses beside it. 0: there is no such place.
func (f *fold) noticePlace() (at int, role core.Role) {
	view := f.now.view
	last, task := len(view)-1, slices.IndexFunc(view, func(m core.Message) bool { return m.Role == core.RoleUser && !m.Inserted() })
	for last >= 0 && (view[last].Role != core.RoleAssistant || view[last].Inserted()) {
		last--
	}
	groups := core.NewGroups(view)
	end := 0 // of the groups that began before
	for at := 1; at <= last; at++ {
		msgs := groups.List[groups.Of[at-1]].Msgs
		if end = max(end, msgs[len(msgs)-1]); at <= task || end >= at || core.ClassOf(&view[at]) == core.ClassNone {
			continue
		}
		for _, role := range []core.Role{core.RoleUser, core.RoleAssistant} {
			if f.e.mayStand(&core.Message{Role: role}, view, at) {
				return at, role
			}
		}
	}
	return 0, core.RoleUser
}

// mayStand reports whether the provider takes a message before message at.
func (e *Enforcer) mayStand(m *core.Message, view []core.Message, at int) bool {
	if e.profile == nil {
		return true
	}
	before, class := core.ClassNone, core.ClassOf(m)
	for i := at - 1; i >= 0 && before == core.ClassNone; i-- {
		before = core.ClassOf(&view[i])
	}
	if before == core.ClassNone && e.profile.UserFirst && class != core.ClassUser {
		return false
	}
	return !slices.Contains(e.profile.Never, core.Neighbours{Before: before, After: class}) &&
		!slices.Contains(e.profile.Never, core.Neighbours{Before: class, After: core.ClassOf(&view[at])})
}
