package summary

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/trimkit/trimkit/core"
)

// flight is a question on its way.
type flight struct {
	done  chan struct{}
	entry Entry
	err   error
}

// flights lets each question be asked once at a time.
type flights struct {
	mu  sync.Mutex
	all map[Key]*flight
}

// enter returns the flight of a question, and whether the caller is the one to ask.
func (f *flights) enter(k Key) (*flight, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if there := f.all[k]; there != nil {
		return there, false
	}
	if f.all == nil {
		f.all = make(map[Key]*flight)
	}
	f.all[k] = &flight{done: make(chan struct{})}
	return f.all[k], true
}

func (f *flights) leave(k Key, done *flight) {
	f.mu.Lock()
	delete(f.all, k)
	f.mu.Unlock()
	close(done.done)
}

// ask returns what the memo has, or asks the model. Who waits for another's answer shares it,
// but not that the other gave up.
func (s *Summary) ask(ctx context.Context, r *request) (Entry, error) {
	for {
		f, first := s.flights.enter(r.key)
		if first {
			return s.fly(ctx, r, f)
		}
		select {
		case <-ctx.Done():
			return Entry{}, ctx.Err()
		case <-f.done:
		}
		if err := ctx.Err(); err != nil {
			return Entry{}, err
		}
		if !ended(f.err) {
			return f.entry, f.err
		}
	}
}

// fly asks on behalf of everybody who waits.
func (s *Summary) fly(ctx context.Context, r *request, f *flight) (Entry, error) {
	f.err = context.Canceled // unless it comes back, from a memo of the program too
	defer s.flights.leave(r.key, f)
	f.entry, f.err = s.lead(ctx, r)
	return f.entry, f.err
}

func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// lead asks the model if the memo does not know, and remembers the answer or its refusal.
func (s *Summary) lead(ctx context.Context, r *request) (Entry, error) {
	if e, ok := s.memo.Get(r.key); ok {
		return e, e.err()
	}
	if !s.breaker.lets() {
		return Entry{}, ErrPaused
	}
	text, err := s.call(ctx, r.history)
	if stop := ctx.Err(); stop != nil && err != nil {
		s.breaker.gaveUp()
		return Entry{}, stop
	}
	if ended(err) { // by a limit of the model's own: another time it may be faster
		s.breaker.note(false)
		return Entry{}, fmt.Errorf("summary: %w", err)
	}
	refused := s.judge(r, &text, err)
	s.breaker.note(refused == nil)
	if refused != nil {
		return Entry{}, errors.Join(refused, s.memo.Put(r.key, Entry{Refused: named(refused.Reason)}))
	}
	e := Entry{Text: text}
	if len(r.required) > 0 {
		if err := s.memo.Put(carriedKey(text), Entry{Carried: r.required}); err != nil {
			return Entry{}, err
		}
	}
	if err := s.memo.Put(r.key, e); err != nil {
		return Entry{}, err
	}
	if kept, ok := s.memo.Get(r.key); ok { // another process may have been first
		return kept, kept.err()
	}
	return e, nil
}

// call calls the model, whose panics are failures.
func (s *Summary) call(ctx context.Context, history []core.Message) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the Summarizer panicked: %v", p)
		}
	}()
	return s.model.Summarize(ctx, history)
}

// judge says why an answer is refused; nil: it is a summary. It takes off what surrounds it.
func (s *Summary) judge(r *request, text *string, err error) *RefusedError {
	*text = strings.TrimSpace(strings.ToValidUTF8(*text, "\uFFFD"))
	tokens := r.count(*text)
	switch {
	case errors.Is(err, ErrTruncated):
		return &RefusedError{Reason: ErrTruncated, Err: err}
	case errors.Is(err, ErrToolCall):
		return &RefusedError{Reason: ErrToolCall, Err: err}
	case err != nil:
		return &RefusedError{Reason: ErrFailed, Err: err}
	case *text == "":
		return &RefusedError{Reason: ErrEmpty}
	case strings.Contains(strings.ToLower(*text), strings.TrimSpace(core.MarkerPrefix)):
		return &RefusedError{Reason: ErrForged}
	case tokens > s.most:
		return &RefusedError{Reason: ErrTooLong}
	case tokens >= r.tokens || len(*text)+len(firstLine) >= r.bytes:
		return &RefusedError{Reason: ErrNotShorter}
	}
	said := plain(*text)
	for _, line := range r.required {
		if !strings.Contains(said, plain(line)) {
			return &RefusedError{Reason: ErrConstraint}
		}
	}
	return nil
}

// plain makes every white space one blank.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }

func named(reason error) string {
	for _, v := range verdicts {
		if errors.Is(reason, v.err) {
			return v.name
		}
	}
	return "failed"
}

// breaker leaves a model alone that failed several times in a row.
type breaker struct {
	limit int
	pause time.Duration

	mu     sync.Mutex
	failed int
	until  time.Time
}

// lets reports whether the model may be asked. After a pause one call may, and the others when
// it came back.
func (b *breaker) lets() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < b.limit {
		return true
	}
	if now := time.Now(); !now.Before(b.until) {
		b.until = now.Add(b.pause)
		return true
	}
	return false
}

// note notes how a call went.
func (b *breaker) note(well bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if well {
		b.failed = 0
		return
	}
	if b.failed++; b.failed >= b.limit {
		b.until = time.Now().Add(b.pause)
	}
}

// gaveUp notes that a call was broken off, which says nothing: the next one may be asked.
func (b *breaker) gaveUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed >= b.limit {
		b.until = time.Time{}
	}
}
