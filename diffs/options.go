package diffs

import "github.com/trimkit/trimkit/core"

// Option configures an editor of this package.
type Option func(*options)

type options struct {
	tools *Tools
	keep  int
}

// WithTools sets who knows what the tool calls do to files. The default is [DefaultTools].
// Editors that share it, and run on one window, share the work of reading the history.
func WithTools(t *Tools) Option { return func(o *options) { o.tools = t } }

// WithKeep sets how many of the newest groups an editor that loses something leaves alone.
// The default is 20; the others have no use for it.
func WithKeep(groups int) Option { return func(o *options) { o.keep = groups } }

func newOptions(opts []Option) options {
	o := options{tools: DefaultTools(), keep: 20}
	for _, set := range opts {
		set(&o)
	}
	return o
}

// of returns the calls of the window's raw history.
func (t *Tools) of(w *core.Window) []Call {
	calls, _ := w.Fact(factKey{t}, func() any { return t.calls(w.History, w.Groups, w.Gaps) }).([]Call)
	return calls
}

type factKey struct{ tools *Tools }
