package core

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// Transformer makes the view that a model call sends out of a history.
//
// The history is never changed, and what is returned shares everything unedited with it;
// both stay read only. Without an edit the history itself is returned. An empty history
// returns itself. A Transformer is safe for concurrent use and keeps nothing of one
// conversation for another.
//
// With an error, the returned messages are still the best valid view there is, so that
// the caller can choose between sending them and giving up; nil means that there is
// none, and the history stands. A context's error is passed through unwrapped or wrapped.
type Transformer interface {
	Transform(ctx context.Context, history []Message) ([]Message, error)
}

// TransformFunc is a function that is a Transformer.
type TransformFunc func(ctx context.Context, history []Message) ([]Message, error)

// Transform calls f.
func (f TransformFunc) Transform(ctx context.Context, history []Message) ([]Message, error) {
	return f(ctx, history)
}

// Transform returns the Transformer that applies an editor to each history afresh, until
// the target is reached if there is one. It is no context management by itself: a
// decision that a longer history changes is changed, and with it what a prompt cache
// holds of the view.
//
// It fails if the editor panics, with [*PanicError] and the view as far as it got.
// Refused proposals are not errors.
func Transform(e Editor, opts ...Option) Transformer {
	return TransformFunc(func(ctx context.Context, history []Message) ([]Message, error) {
		if err := ctx.Err(); err != nil || len(history) == 0 {
			return history, err
		}
		w := NewWindow(history, opts...)
		_, err := Apply(w, e)
		return w.View(), err
	})
}

// Chain returns the Transformer that runs the steps one after the other, each on what
// the one before it returned. A step that fails without a view is skipped, one that
// fails with a view hands that on; the chain then returns the last view together with
// every failure, each wrapped in a [*StepError]. When the context ends, the chain stops.
//
// Steps see only what the steps before them left. Where they should know the raw
// history, and stop as soon as a budget is met, give them to a budget as editors instead.
func Chain(steps ...Transformer) Transformer {
	return TransformFunc(func(ctx context.Context, history []Message) ([]Message, error) {
		view, failures := history, []error(nil)
		for i, step := range steps {
			if err := ctx.Err(); err != nil {
				return view, errors.Join(append(failures, err)...)
			}
			next, err := step.Transform(ctx, view)
			if err != nil {
				failures = append(failures, &StepError{Step: i, Err: err})
			}
			if err == nil || len(next) > 0 {
				view = next
			}
		}
		return view, errors.Join(failures...)
	})
}

// StepError says which step of a [Chain] failed.
type StepError struct {
	Step int // its index
	Err  error
}

// Error names the step and its failure.
func (e *StepError) Error() string { return fmt.Sprintf("core: step %d: %v", e.Step, e.Err) }

// Unwrap returns the step's failure.
func (e *StepError) Unwrap() error { return e.Err }

// PanicError is a panic of an editor or a transformer, caught.
type PanicError struct {
	Value any    // what was passed to panic
	Stack []byte // where
}

// Error gives the value without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("core: panic: %v", e.Value) }

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

func newPanicError(value any) *PanicError { return &PanicError{Value: value, Stack: debug.Stack()} }
