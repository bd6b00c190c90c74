package summary

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/trimkit/trimkit/core"
)

// Summary is a rung that sums up: an editor, and what has to be done before it. It is safe
// for concurrent use, and serves any number of conversations.
//
// It replaces exchanges and replies, oldest first, and no more of them than it takes to reach
// the window's target; without a target all. Left alone are what is protected or Locked,
// Preservable or Conditional, open calls, and what is beyond its reach, see [WithReach]. The
// text stands where the first of them stood, as a message that says that it was inserted. It
// is never taken for the task or for anything else that the user said. A later summary takes
// the text of the one before in and its place.
type Summary struct {
	model       Summarizer
	memo        Memo
	most        int // tokens of a summary
	window      int // tokens of a request and its answer
	middle      int // turns; 0: any number
	prompt      string
	constraints func(*core.Message) []string
	reach       func(*core.Window, int) bool

	flights flights
	breaker breaker
}

// Option configures a [Summary].
type Option func(*Summary)

// WithMaxTokens sets what a summary may have, by the window's sizer; the default is 500. A
// longer answer is refused.
func WithMaxTokens(n int) Option { return func(s *Summary) { s.most = n } }

// WithWindow sets the tokens that a request to the model may have together with its answer,
// by the sizer of the window that is summed up; the default is 16,000. What does not fit one
// request goes into several, one after the other, each with the summary of what was before.
func WithWindow(n int) Option { return func(s *Summary) { s.window = n } }

// WithMiddle makes the [Summary] a hybrid: of what is within its reach, only the newest turns,
// so many, are summed up. What is older is dropped, before anything is summed up.
func WithMiddle(turns int) Option { return func(s *Summary) { s.middle = turns } }

// WithPrompt replaces the instructions of [DefaultPrompt]. How long the summary may be is
// added to them.
func WithPrompt(text string) Option { return func(s *Summary) { s.prompt = text } }

// WithConstraints sets a function that finds the lines of a message that must survive, word
// for word. It is asked about messages of the user and pinned ones, never about what a tool
// or the model said. A summary that lacks a line which the model was shown, or which the
// summary before had, is refused. It must be pure and safe for concurrent use.
func WithConstraints(find func(*core.Message) []string) Option {
	return func(s *Summary) { s.constraints = find }
}

// WithReach sets a function that says which messages of a window may be replaced, as far as
// the [Summary] is concerned: an enforcer has a tail that stays, and more. The default is all.
func WithReach(may func(w *core.Window, msg int) bool) Option {
	return func(s *Summary) { s.reach = may }
}

// WithBreaker sets after how many failures in a row the model is left alone, and for how
// long; the default is 3, and a minute. Then one call is tried.
func WithBreaker(failures int, pause time.Duration) Option {
	return func(s *Summary) { s.breaker.limit, s.breaker.pause = failures, pause }
}

// New returns a Summary that asks the model, and remembers in the memo. Its error is a
// [*ConfigError].
func New(model Summarizer, memo Memo, opts ...Option) (*Summary, error) {
	s := &Summary{
		model: model, memo: memo, most: 500, window: 16_000, prompt: DefaultPrompt,
		reach: func(*core.Window, int) bool { return true }, breaker: breaker{limit: 3, pause: time.Minute},
	}
	for _, o := range opts {
		o(s)
	}
	var faults []string
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	check(model != nil, "no Summarizer: give the one of your adapter")
	check(memo != nil, "no Memo: NewMemory is the simplest")
	check(s.most > 0, "a summary of %d tokens: it must have more than 0, 500 is the default", s.most)
	check(s.window >= 4*s.most, "a window of %d tokens for summaries of %d: it must have four times as many", s.window, s.most)
	check(s.middle >= 0, "a middle of %d turns: it must not be negative, 0 is for all", s.middle)
	check(strings.TrimSpace(s.prompt) != "", "an empty prompt: leave it out for the default")
	check(s.reach != nil, "no function for the reach: leave it out for everything")
	check(s.breaker.limit > 0 && s.breaker.pause > 0, "a breaker of %d failures and %s: both must be above 0", s.breaker.limit, s.breaker.pause)
	if len(faults) > 0 {
		return nil, &ConfigError{faults}
	}
	return s, nil
}

// Edits implements [core.Editor]: it proposes what the memo has a summary for, and in a hybrid
// to drop what is older.
func (s *Summary) Edits(w *core.Window) iter.Seq[core.Edit] {
	return func(yield func(core.Edit) bool) {
		p := s.plan(w)
		if !drop(p.older, reasonOlder, yield) || len(p.groups) == 0 {
			return
		}
		text, err := s.fold(p, s.recall)
		if err != nil || text == "" || !s.insert(w, &p, text, yield) {
			return
		}
		_ = drop(p.previous, reasonFolded, yield) && drop(p.groups, reasonFolded, yield)
	}
}

// Prepare asks the model for the summary that [Summary.Edits] will look for in this window,
// unless the memo has it. Whoever asks for the same at the same time waits for the one answer.
// It may take as long as the model does, so nothing should be locked meanwhile.
//
// Its errors are that of the context, a [*RefusedError], [ErrPaused] and [ErrNoRoom], and that
// of the memo. With none of them anything is proposed.
func (s *Summary) Prepare(ctx context.Context, w *core.Window) error {
	if err := ctx.Err(); err != nil || w.Fits() {
		return err
	}
	p := s.plan(w)
	if len(p.groups) == 0 {
		return nil
	}
	_, err := s.fold(p, func(r *request) (Entry, error) { return s.ask(ctx, r) })
	return err
}

// errUnknown: the memo has nothing.
var errUnknown = errors.New("summary: not in the memo")

func (s *Summary) recall(r *request) (Entry, error) {
	e, ok := s.memo.Get(r.key)
	if !ok {
		return e, errUnknown
	}
	return e, e.err()
}

// insertAttempts bounds the places that are tried for a summary. Where calls and results of
// several exchanges are mixed, the first may be refused.
const insertAttempts = 16

// insert proposes the summary where the first message stood that it replaces, or the next one
// before which core lets it stand, and reports whether it stands. It comes before the edits
// that it stands for: these may be cut short when the target is reached, and it must not.
func (s *Summary) insert(w *core.Window, p *plan, text string, yield func(core.Edit) bool) bool {
	places := append(p.previous[:len(p.previous):len(p.previous)], p.groups...)
	for _, at := range places[:min(len(places), insertAttempts)] {
		before := w.Tokens()
		if !yield(core.Edit{Op: core.Insert, Msg: at, Part: -1, By: -1, Text: text, Reason: Reason}) {
			return false
		}
		if w.Tokens() != before {
			return true
		}
	}
	return false
}

func drop(msgs []int, reason string, yield func(core.Edit) bool) bool {
	for _, m := range msgs {
		if !yield(core.Edit{Op: core.Drop, Msg: m, Part: -1, By: -1, Reason: reason}) {
			return false
		}
	}
	return true
}
