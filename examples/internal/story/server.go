package story

import (
	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// NewServer starts a provider on this machine that plays its part in the story. It refuses
// what real ones refuse, and whatever is larger than the window.
func NewServer(meter *budget.Meter) *adaptertest.Server {
	return adaptertest.NewServer(func(r *adaptertest.Request) adaptertest.Answer {
		text, call := Reply(r.History, r.Beside)
		if call == nil {
			return adaptertest.Answer{Text: text}
		}
		return adaptertest.Answer{Calls: []core.Part{*call}}
	}, adaptertest.WithWindow(Window), adaptertest.WithCount(func(r *adaptertest.Request) int { return meter.AsSent(r.History, r.Beside) }))
}
