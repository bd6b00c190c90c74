package budget

import (
	"context"
	"unsafe"

	"github.com/trimkit/trimkit/core"
)

// Collected counts the collections behind the view of a history. A view that was cut for one
// call only counts as one of its own, since the next one need not continue it.
func Collected(ctx context.Context, e *Enforcer, history []core.Message) int {
	f := e.look(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	if f.now.tokens > f.hard || f.heavier() {
		return f.now.edited + 1_000_000 + len(history)
	}
	return f.now.edited
}

// Levels returns the marks of a history's step, in tokens of messages.
func Levels(ctx context.Context, e *Enforcer, history []core.Message) (hard, trigger, target, gain int) {
	f := e.look(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	return f.hard, f.trigger, f.target, f.gain
}

// StepOf returns the step of a history.
func StepOf(ctx context.Context, e *Enforcer, history []core.Message) Step {
	f := e.look(history, core.RequestFrom(ctx))
	defer f.mu.Unlock()
	return f.step
}

// Held returns how many folds an Enforcer remembers, and about how many bytes of messages.
func Held(e *Enforcer) (folds int, bytes uintptr) {
	for _, f := range e.folds.list {
		bytes += uintptr(cap(f.seen)+cap(f.now.view)) * unsafe.Sizeof(core.Message{})
		for _, p := range f.past {
			bytes += uintptr(cap(p.view)) * unsafe.Sizeof(core.Message{})
		}
	}
	return len(e.folds.list), bytes
}
