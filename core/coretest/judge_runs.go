package coretest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trimkit/trimkit/core"
)

// pure is law 1.
func pure(t *trial) (put bool, err error) {
	if !intact(t.input, t.History) {
		return true, errors.New("the subject wrote into its caller's memory")
	}
	again, _ := t.New(t.Case).Transform(context.Background(), t.input)
	if !same(again, t.output) {
		return true, errors.New("another run on the same history gave another view")
	}
	var wg sync.WaitGroup
	var other atomic.Bool
	for range 4 {
		wg.Go(func() {
			defer func() {
				if recover() != nil {
					other.Store(true)
				}
			}()
			if view, _ := t.t.Transform(context.Background(), t.input); !same(view, t.output) {
				other.Store(true)
			}
		})
	}
	wg.Wait()
	if other.Load() {
		return true, errors.New("a run among others on the same history gave another view")
	}
	if !intact(t.input, t.History) {
		return true, errors.New("a later run wrote into its caller's memory")
	}
	return t.edited(), nil
}

// idempotent is law 6.
func idempotent(t *trial) (put bool, err error) {
	if !t.edited() {
		return false, nil
	}
	again, _ := t.New(t.Case).Transform(context.Background(), roomy(t.view))
	if len(again) > 0 && !same(again, t.view) {
		return true, fmt.Errorf("the view of the view is another one: %s", difference(t.view, again))
	}
	return true, nil
}

// mostPoints is the length of a history of which every decision point is judged: each takes
// runs of its own.
const mostPoints = 60

// stable is law 7.
func stable(t *trial) (put bool, err error) {
	if len(t.History) > mostPoints {
		return false, nil
	}
	ctx := context.Background()
	var last []core.Message
	collections, points := 0, 0
	for n := 1; n <= len(t.History); n++ {
		prefix := t.input[:n:n]
		if !decisionPoint(prefix) {
			continue
		}
		view, _ := t.t.Transform(ctx, prefix)
		count, err := t.Collections(ctx, t.Case, prefix)
		if err != nil {
			return true, fmt.Errorf("%d messages: counting the collections: %w", n, err)
		}
		if cold, _ := t.New(t.Case).Transform(ctx, prefix); !same(cold, view) {
			return true, fmt.Errorf("%d messages: one that had not seen the conversation grow has another view", n)
		}
		if count == collections && (len(view) < len(last) || !same(view[:len(last)], last)) {
			return true, fmt.Errorf("%d messages: the view does not continue the one before, and nothing was collected", n)
		}
		last, collections = view, count
		points++
	}
	return points > 1, nil
}

// decisionPoint reports whether no call waits at the end of a history.
func decisionPoint(history []core.Message) bool {
	for _, open := range newPairing(history).open {
		if open {
			return false
		}
	}
	return true
}

// quiet is law 8.
func quiet(t *trial) (put bool, err error) {
	if t.edited() || len(t.output) == 0 && len(t.History) > 0 {
		return false, nil
	}
	if !identical(t.output, t.input) {
		return true, errors.New("nothing was edited, and another slice came back")
	}
	if t.Quiet && t.err == nil && t.Seed%8 == 0 { // measuring takes a while
		allocations := testing.AllocsPerRun(5, func() { _, _ = t.t.Transform(context.Background(), t.input) })
		if allocations > 0 {
			return true, fmt.Errorf("nothing was edited, and it took %v allocations", allocations)
		}
	}
	return true, nil
}

// failSafe is law 11.
func failSafe(t *trial) (put bool, err error) {
	if len(t.History) == 0 {
		return false, nil
	}
	want := context.Canceled
	over, cancel := context.WithCancel(context.Background())
	if t.Seed%2 == 0 {
		cancel()
		want = context.DeadlineExceeded
		over, cancel = context.WithDeadline(context.Background(), time.Unix(1, 0))
	}
	cancel()
	output, err := t.t.Transform(over, t.input)
	if !errors.Is(err, want) {
		return true, fmt.Errorf("the context says %w, and the subject: %v", want, err) //nolint:errorlint // the subject's error is not ours to wrap
	}
	if err := t.survives(output); err != nil {
		return true, err
	}
	for calls := range int32(3) {
		output, err := t.t.Transform(newFading(calls), t.input)
		if !errors.Is(err, context.Canceled) {
			continue // it was done before, or failed in another way
		}
		if err := t.survives(output); err != nil {
			return true, fmt.Errorf("cancelled on the way: %w", err)
		}
	}
	return true, nil
}

// survives judges what came with the error of a context.
func (t *trial) survives(output []core.Message) error {
	if len(output) == 0 {
		return errors.New("the view was lost when the context ended")
	}
	now := *t
	now.judge(output)
	for _, check := range []func(*trial) (bool, error){honest, whole, shrinks, verbatim} {
		if _, err := check(&now); err != nil {
			return fmt.Errorf("when the context ended: %w", err)
		}
	}
	return nil
}

// fading is a context that ends after Err was asked a few times.
type fading struct {
	context.Context
	left atomic.Int32
	done chan struct{}
	once sync.Once
}

func newFading(calls int32) *fading {
	f := &fading{Context: context.Background(), done: make(chan struct{})}
	f.left.Store(calls)
	return f
}

func (f *fading) Err() error {
	if f.left.Add(-1) >= 0 {
		return nil
	}
	f.once.Do(func() { close(f.done) })
	return context.Canceled
}

func (f *fading) Done() <-chan struct{} { return f.done }

// bounded is law 12.
func bounded(t *trial) (put bool, err error) {
	if len(t.History) == 0 {
		for _, empty := range [][]core.Message{nil, {}} {
			if view, _ := t.t.Transform(context.Background(), empty); len(view) != 0 || (view == nil) != (empty == nil) {
				return true, fmt.Errorf("an empty history (nil: %t) came back with %d messages (nil: %t)", empty == nil, len(view), view == nil)
			}
		}
		return true, nil
	}
	if len(t.output) == 0 && (t.err == nil || t.Bounded) {
		return true, errors.New("an empty view of a history that is not empty")
	}
	if !t.Bounded {
		return t.edited(), nil
	}
	if now := t.tokens(t.view); now > t.Limit {
		if t.err == nil {
			return true, fmt.Errorf("the view has %d tokens, the limit is %d, and no error says so", now, t.Limit)
		}
		if t.aligned() && !t.bridged() {
			if m := t.droppable(); m >= 0 {
				return true, fmt.Errorf("the view has %d tokens, the limit is %d, and message %d could still go", now, t.Limit, m)
			}
		}
	}
	return t.tokens(t.History) > t.Limit, nil
}

// valid is law 13.
func valid(t *trial) (put bool, err error) {
	if t.bridged() || t.late() {
		return false, nil
	}
	profile := t.Profile
	if profile == nil {
		profile = &core.Profile{} // what no provider takes
	}
	type finding struct {
		rule string
		src  int32
	}
	count := func(messages []core.Message, visit func(finding, core.Violation)) {
		for _, v := range core.Check(profile, messages) {
			f := finding{v.Rule, messages[v.Message].Src}
			if v.Rule == "first-role" {
				f.src = 0 // there is one first message, and it may be another one
			}
			visit(f, v)
		}
	}
	known := make(map[finding]int)
	count(t.History, func(f finding, _ core.Violation) { known[f]++ })
	count(t.view, func(f finding, v core.Violation) {
		if known[f]--; known[f] < 0 && err == nil {
			err = fmt.Errorf("in the view, %s, for %s", v, profile.Name)
		}
	})
	return t.edited() || err != nil, err
}
