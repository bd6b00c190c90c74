package budget

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/trimkit/trimkit/core"
)

// cache holds the folds of the conversations that were met last, the newest first.
type cache struct {
	mu    sync.Mutex
	limit int
	list  []*fold
}

// match is a fold that shares a beginning with a history.
type match struct {
	fold   *fold
	common int // messages that they share
	base   int // messages that need not be taken in again
}

// candidates are those of the newest folds that begin as a history does.
type candidates [8]match

// find returns what may be known of a history. It allocates nothing.
func (c *cache) find(key string, history []core.Message) (found candidates) {
	n := 0
	c.mu.Lock()
	for _, f := range c.list {
		if n < len(found) && f.key == key && f.begins(history) {
			found[n].fold = f
			n++
		}
	}
	c.mu.Unlock()
	for i := range n {
		m := &found[i]
		m.fold.mu.Lock() // it may be at work
		m.common = m.fold.common(0, history)
		if m.base = m.common; m.base < len(m.fold.seen) {
			m.base = 0
			if p := m.fold.back(m.common, m.fold.step); p >= 0 {
				m.base = m.fold.past[p].n
			}
		}
		m.fold.mu.Unlock()
	}
	return found
}

// longest returns the match that shares most; of equal ones the newest.
func (found *candidates) longest() (best match) {
	for _, m := range found {
		if m.common > best.common {
			best = m
		}
	}
	return best
}

// nearest returns the match of a step from which there is least to take in.
func (found *candidates) nearest(step Step) (best match) {
	for _, m := range found {
		if m.fold != nil && m.fold.step == step && (m.base > best.base || m.base == best.base && m.common > best.common) {
			best = m
		}
	}
	return best
}

// use puts a fold in front, and forgets the last one if there are too many.
func (c *cache) use(f *fold) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.list, f); i >= 0 {
		c.list = slices.Delete(c.list, i, i+1)
	} else if len(c.list) >= c.limit {
		c.list = c.list[:c.limit-1]
	}
	c.list = slices.Insert(c.list, 0, f)
}

// forget removes a fold.
func (c *cache) forget(f *fold) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(g *fold) bool { return f == g })
}

// look returns the fold of a history, which has taken all of it in, and is locked. If the last
// decision waits for rungs to be prepared, it is undecided; and if it was so before there was more
// of the history, nothing of that is taken in.
func (e *Enforcer) look(history []core.Message, r *core.Request) *fold {
	found := e.folds.find(r.Conversation, history)
	last := found.longest()
	step, before := e.step(r), state{}
	if last.fold != nil {
		step, before = last.fold.next(step, last.common, history, r)
	}
	stepped := last.fold != nil && last.fold.step != step
	from := found.nearest(step)
	if from.fold == nil || stepped && before.manual {
		from = last
	}
	f := from.fold
	if f == nil {
		f = e.newFold(r.Conversation, step, history)
	}
	f.mu.Lock()
	if n := f.common(from.common, history); n < len(f.seen) || f.step != step { // it has gone another way
		other := f
		f = other.fork(n, step, history)
		other.mu.Unlock()
		f.mu.Lock()
	}
	if f.undecided && len(f.seen) < len(history) {
		return f
	}
	defer f.abandon()
	f.extend(history)
	if stepped {
		f.stepped(&before)
	}
	e.folds.use(f)
	return f
}

// abandon, deferred, forgets a fold that a panic of a function of the program left half-way, and
// unlocks it.
func (f *fold) abandon() {
	if p := recover(); p != nil {
		f.e.folds.forget(f)
		f.mu.Unlock()
		panic(p)
	}
}

// next returns the step of a history's next request, when that has the given one, and the
// state of what it shares with the fold. Overhead that falls by little less than a step stays where it is, so that
// it does not wobble between two. A calibration stays, and rises when a reply has followed
// the last view and the provider counted more than the meter did.
func (f *fold) next(step Step, common int, history []core.Message, r *core.Request) (Step, state) {
	f.mu.Lock()
	defer f.mu.Unlock()
	sixteenth := max(f.e.limits.Window/16, 1)
	if step.Overhead == f.step.Overhead-1 && f.e.meter.Request(r) > step.Overhead*sixteenth-sixteenth/4 {
		step.Overhead++
	}
	step.Calibration = f.step.Calibration
	if r.Usage > 0 && f.sent > 0 && f.sentAt <= common && f.sentAt < len(history) && history[f.sentAt].Role == core.RoleAssistant {
		step.Calibration = max(step.Calibration, calibrationFor(r.Usage, f.sent))
	}
	if common == len(f.seen) {
		return step, f.now
	}
	if i := f.back(common, f.step); i >= 0 {
		return step, f.past[i]
	}
	return step, state{}
}

// newFold returns a fold for histories that begin as this one does.
func (e *Enforcer) newFold(key string, step Step, history []core.Message) *fold {
	f := &fold{e: e, key: key, step: step, levels: e.levels(step), open: make(map[string]int), first: make(map[int32]int), pairs: newPairs()}
	for _, m := range history[:min(len(history), 2)] {
		f.head = append(f.head, own(&m))
	}
	return f
}

// begins reports whether a history has the fold's first messages.
func (f *fold) begins(history []core.Message) bool {
	if len(history) < len(f.head) {
		return len(history) > 0 && equal(&f.head[0], &history[0])
	}
	for i := range f.head {
		if !equal(&f.head[i], &history[i]) {
			return false
		}
	}
	return true
}

// stepped reports that the view is another than the one that the history had at the step
// before.
func (f *fold) stepped(before *state) {
	if f.continues(before) {
		return
	}
	f.reports = append(f.reports, &Report{
		Trigger: TriggerStep, Step: f.step, Strategy: f.e.ladder.Name, Limit: f.e.limits.Window, Adopted: true,
		TokensBefore: before.tokens + f.fixed, TokensAfter: f.now.tokens + f.fixed,
	})
}

// continues reports whether the view begins with that of another state.
func (f *fold) continues(before *state) bool {
	now := f.now.index
	if f.now.view == nil || before.view == nil {
		return f.now.view == nil && before.view == nil
	}
	for i := range before.view {
		if i >= len(now) || now[i] != before.index[i] || !equal(&f.now.view[i], &before.view[i]) {
			return false
		}
	}
	return true
}

// own returns a copy of a message that the program's own changes do not reach; only the
// bytes of media are shared.
func own(m *core.Message) core.Message {
	c := *m
	c.Parts = slices.Clone(m.Parts)
	for i := range c.Parts {
		if p := &c.Parts[i]; p.Media != nil {
			media := *p.Media
			p.Media = &media
		}
	}
	if m.Meta != nil {
		meta := *m.Meta
		meta.Labels = maps.Clone(meta.Labels)
		c.Meta = &meta
	}
	return c
}

// equal reports whether two messages are the same. Strings that share their bytes compare
// by address, which is how a history that grew compares with what was seen.
func equal(a, b *core.Message) bool {
	if a.Role != b.Role || a.Policy != b.Policy || a.Src != b.Src || a.Reply != b.Reply || a.Name != b.Name ||
		len(a.Parts) != len(b.Parts) || !equalMeta(a.Meta, b.Meta) {
		return false
	}
	for i := range a.Parts {
		if !equalPart(&a.Parts[i], &b.Parts[i]) {
			return false
		}
	}
	return true
}

func equalPart(a, b *core.Part) bool {
	return a.Kind == b.Kind && a.Status == b.Status && a.Signed == b.Signed && a.Slot == b.Slot &&
		a.Text == b.Text && a.CallID == b.CallID && a.Tool == b.Tool && equalMedia(a.Media, b.Media) &&
		(a.Elided == b.Elided || a.Elided != nil && b.Elided != nil && *a.Elided == *b.Elided)
}

func equalMeta(a, b *core.Meta) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	if a.ID != b.ID || !a.Time.Equal(b.Time) || len(a.Labels) != len(b.Labels) {
		return false
	}
	for k, v := range a.Labels {
		if w, ok := b.Labels[k]; !ok || v != w {
			return false
		}
	}
	return true
}

func equalMedia(a, b *core.Media) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	return a.MIME == b.MIME && a.URL == b.URL && a.Detail == b.Detail && a.Width == b.Width && a.Height == b.Height && bytes.Equal(a.Data, b.Data)
}
