package budget

import (
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

// find returns the fold that shares the longest beginning with a history, and its length; of
// equal ones the newest. With a step, only folds of that count. It allocates nothing.
func (c *cache) find(key string, history []core.Message, step *Step) (best *fold, n int) {
	var candidates [8]*fold
	found := 0
	c.mu.Lock()
	for _, f := range c.list {
		if f.key == key && (step == nil || f.step == *step) && f.begins(history) {
			if candidates[found] = f; found == len(candidates)-1 {
				break
			}
			found++
		}
	}
	c.mu.Unlock()
	for _, f := range candidates {
		if f == nil {
			break
		}
		f.mu.Lock() // it may be at work
		common := f.common(history)
		f.mu.Unlock()
		if common > n {
			best, n = f, common
		}
	}
	return best, n
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

// take returns the fold of a history, which has taken all of it in, and is locked.
func (e *Enforcer) take(history []core.Message, r *core.Request) *fold {
	step := e.step(r)
	f, n := e.folds.find(r.Conversation, history, nil)
	var before state
	stepped := false
	if f != nil {
		f.mu.Lock()
		step.Calibration = f.step.Calibration
		if r.Usage > 0 && f.sent > 0 && n == len(f.seen) {
			step.Calibration = max(step.Calibration, calibrationFor(r.Usage, f.sent))
		}
		before, stepped = f.now, f.step != step
		f.mu.Unlock()
	}
	if stepped {
		f, n = e.folds.find(r.Conversation, history, &step)
	}
	if f == nil {
		f = e.newFold(r.Conversation, step, history)
	}
	f.mu.Lock()
	if f.common(history) < len(f.seen) { // it has gone another way
		other := f
		f = other.fork(n, history)
		other.mu.Unlock()
		f.mu.Lock()
	}
	f.extend(history)
	if stepped {
		f.stepped(&before)
	}
	e.folds.use(f)
	return f
}

// newFold returns a fold for histories that begin as this one does.
func (e *Enforcer) newFold(key string, step Step, history []core.Message) *fold {
	f := &fold{e: e, key: key, step: step, levels: e.levels(step), open: make(map[string]int), late: make(map[string]int)}
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
	if f.now.edited == 0 && before.edited == 0 {
		return
	}
	f.reports = append(f.reports, &Report{
		Trigger: TriggerStep, Step: f.step, Strategy: f.e.ladder.Name, Limit: f.e.limits.Window, Adopted: true,
		TokensBefore: before.tokens + f.fixed, TokensAfter: f.now.tokens + f.fixed,
	})
}

// own returns a copy of a message that the program's own changes do not reach.
func own(m *core.Message) core.Message {
	c := *m
	c.Parts = slices.Clone(m.Parts)
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
	return a.MIME == b.MIME && a.URL == b.URL && a.Detail == b.Detail && a.Width == b.Width && a.Height == b.Height && slices.Equal(a.Data, b.Data)
}
