package summary

import (
	"errors"
	"strings"
)

// What makes an answer no summary. The first two are for a [Summarizer] to return.
var (
	ErrTruncated  = errors.New("the answer was cut for its length")
	ErrToolCall   = errors.New("the model called a tool")
	ErrFailed     = errors.New("the model failed")
	ErrEmpty      = errors.New("the answer says nothing")
	ErrTooLong    = errors.New("the answer has more tokens than a summary may have")
	ErrNotShorter = errors.New("the answer is no shorter than what it sums up")
	ErrForged     = errors.New("the answer looks like a marker of trimkit")
	ErrConstraint = errors.New("the answer lacks a constraint that must survive")
)

// What keeps a model from being asked. None of them is memoised.
var (
	ErrPaused = errors.New("summary: not asked, since the last calls failed one after the other")
	ErrNoRoom = errors.New("summary: not asked, since the model's window has no room for what there is to say")
)

// verdicts are the refusals as a [Memo] has them.
var verdicts = []struct {
	name string
	err  error
}{
	{"truncated", ErrTruncated},
	{"tool call", ErrToolCall},
	{"failed", ErrFailed},
	{"empty", ErrEmpty},
	{"too long", ErrTooLong},
	{"not shorter", ErrNotShorter},
	{"forged", ErrForged},
	{"constraint", ErrConstraint},
}

// RefusedError is an answer that was refused, or a call that failed.
type RefusedError struct {
	Reason error // one of those of this package, from [ErrTruncated] to [ErrConstraint]
	Err    error // what the [Summarizer] returned, if that was the reason and is not from the Memo
	Known  bool  // it is from the [Memo]: nobody was asked
}

// Error names the reason, and what the Summarizer returned.
func (e *RefusedError) Error() string {
	text := "summary: refused: " + e.Reason.Error()
	if e.Err != nil && !errors.Is(e.Reason, e.Err) {
		text += ": " + e.Err.Error()
	}
	if e.Known {
		text += ", as it did before"
	}
	return text
}

// Unwrap returns the reason and what the Summarizer returned.
func (e *RefusedError) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// ConfigError lists everything wrong with what [New] was given.
type ConfigError struct{ Faults []string }

// Error lists them.
func (e *ConfigError) Error() string { return "summary: " + strings.Join(e.Faults, "; ") }

// MemoError is a memo that could not be opened or written.
type MemoError struct {
	Verb string // what was being done
	Err  error
}

// Error names verb and failure.
func (e *MemoError) Error() string { return "summary: memo: " + e.Verb + ": " + e.Err.Error() }

// Unwrap returns the failure.
func (e *MemoError) Unwrap() error { return e.Err }
