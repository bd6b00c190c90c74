package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
)

// playback plays a recorded conversation back, model call by model call.
type playback struct {
	source   *source
	meter    *budget.Meter
	marks    budget.Marks
	enforcer *budget.Enforcer
	trim     *budget.Trim // what decides afresh at every call
	save     func(index int, lines []byte) error

	reports  []*budget.Report // that no call has accounted for yet
	request  []byte           // the previous call's, as lines
	overhead int              // tokens of what stands beside the messages, the same in each call

	calls       []modelCall
	collections int
	forced      []forced
	over        []overBudget
	failures    []error

	appended, room           int // tokens of the history, and between the marks
	ours, everything, afresh traffic
}

// modelCall is what replay --json says of a call.
type modelCall struct {
	Index        int     `json:"index"`
	History      int     `json:"history"` // messages before the call
	RawTokens    int     `json:"raw_tokens"`
	SentTokens   int     `json:"sent_tokens"`
	Collected    bool    `json:"collected"`
	PrefixBytes  int     `json:"prefix_bytes"` // that the request begins with as the previous one does
	RequestBytes int     `json:"request_bytes"`
	Rungs        []freed `json:"rungs"` // that freed something, in their order

	triggers []string // of its collections
}

// freed is what a rung freed.
type freed struct {
	Rung   string `json:"rung"`
	Tokens int    `json:"tokens"`
}

// forced is a collection that did not wait for the trigger.
type forced struct {
	Call    int    `json:"call"`
	Trigger string `json:"trigger"`
	Cause   string `json:"cause,omitempty"` // why it did not free enough
}

// overBudget is a call that does not fit.
type overBudget struct {
	Call  int    `json:"call"`
	Error string `json:"error"`
}

// run makes every call.
func (p *playback) run() error {
	history, request := p.source.Messages(), p.source.Request()
	ctx := core.WithRequest(context.Background(), request)
	p.overhead = p.meter.Request(request)
	p.calls = []modelCall{}
	points := callPoints(history)
	if len(points) == 0 {
		return nil
	}
	p.begin(ctx, history)
	for index, n := range points {
		c := modelCall{Index: index, History: n, Rungs: []freed{}}
		c.RawTokens = p.send(&p.everything, history[:n])
		if err := p.call(ctx, &c, history[:n]); err != nil {
			return err
		}
		p.calls = append(p.calls, c)

		view, err := p.trim.Transform(ctx, history[:n])
		if _, err := p.triage(err); err != nil {
			return err
		}
		p.send(&p.afresh, view)
	}
	all := history[:points[len(points)-1]]
	p.appended = p.meter.History(all)
	_, trigger := p.enforcer.Watch(ctx, all)
	p.room = trigger * (p.marks.Trigger - p.marks.Target) / p.marks.Trigger
	return nil
}

// begin shows the enforcer the first message. From then on it reports every decision; those
// that it meets in a history that is all new it takes for reported before.
func (p *playback) begin(ctx context.Context, history []core.Message) {
	_, _ = p.enforcer.Transform(ctx, history[:1]) // what is wrong with it, the first call finds too
	p.reports = slices.DeleteFunc(p.reports, func(r *budget.Report) bool { return r.Once })
}

// call makes one call.
func (p *playback) call(ctx context.Context, c *modelCall, history []core.Message) error {
	view, err := p.enforcer.Transform(ctx, history)
	over, err := p.triage(err)
	if err != nil {
		return err
	}
	if over != nil {
		p.over = append(p.over, overBudget{c.Index, over.Error()})
	}
	c.SentTokens = p.send(&p.ours, view)
	p.account(c)

	lines, err := p.source.lines(view)
	if err != nil {
		return fmt.Errorf("write the view of call %d: %w", c.Index, err)
	}
	c.RequestBytes, c.PrefixBytes = len(lines), sharedBytes(p.request, lines)
	p.request = lines
	return p.save(c.Index, lines)
}

// triage keeps what broke down in an error whose view is good all the same, and returns that
// the view does not fit, or what else there is.
func (p *playback) triage(err error) (*budget.OverBudgetError, error) {
	var over *budget.OverBudgetError
	var step *core.StepError
	if errors.As(err, &step) {
		p.failures = append(p.failures, step)
	}
	if errors.As(err, &over) || step != nil {
		return over, nil
	}
	return nil, err
}

// account notes what was collected.
func (p *playback) account(c *modelCall) {
	for _, r := range p.reports {
		if !r.Adopted && !r.Once {
			continue
		}
		c.Collected = true
		c.triggers = append(c.triggers, string(r.Trigger))
		p.collections++
		if r.Trigger != budget.TriggerMark {
			p.forced = append(p.forced, forced{c.Index, string(r.Trigger), r.Cause})
		}
		for _, rung := range r.Rungs {
			c.free(rung)
		}
	}
	p.reports = nil
}

// free notes what a rung freed; one that is climbed twice is one.
func (c *modelCall) free(rung budget.Freed) {
	i := slices.IndexFunc(c.Rungs, func(f freed) bool { return f.Rung == rung.Rung })
	switch {
	case rung.Tokens == 0:
	case i < 0:
		c.Rungs = append(c.Rungs, freed(rung))
	default:
		c.Rungs[i].Tokens += rung.Tokens
	}
}

// traffic is what all calls together send.
type traffic struct {
	sent, served int            // tokens, and those of them that a prompt cache would have
	view         []core.Message // of the last call
}

// send adds a call, and returns its tokens. What stood in the same place in the previous one,
// with nothing new before it, is served by the cache.
func (p *playback) send(t *traffic, view []core.Message) int {
	sent, served := p.overhead, 0
	if t.view != nil {
		served = p.overhead
	}
	same := true
	for i := range view {
		tokens := p.meter.Message(&view[i])
		sent += tokens
		if same = same && i < len(t.view) && sameContent(&t.view[i], &view[i]); same {
			served += tokens
		}
	}
	t.view = view
	t.sent += sent
	t.served += served
	return sent
}

// sameContent reports whether a provider gets the same of two messages.
func sameContent(a, b *core.Message) bool {
	return a.Role == b.Role && a.Name == b.Name && slices.EqualFunc(a.Parts, b.Parts, func(a, b core.Part) bool {
		return a.Kind == b.Kind && a.Text == b.Text && a.CallID == b.CallID && a.Tool == b.Tool && sameMedia(a.Media, b.Media)
	})
}

func sameMedia(a, b *core.Media) bool {
	if a == b || a == nil || b == nil {
		return a == b
	}
	return a.MIME == b.MIME && a.URL == b.URL && a.Detail == b.Detail && bytes.Equal(a.Data, b.Data)
}

// lines returns a view as JSONL, a message a line, in the conversation's format or that of
// the log's provider.
func (s *source) lines(view []core.Message) (lines []byte, err error) {
	d := document{format: s.provider(), request: &core.Request{}}
	if c, ok := s.History.(shaped); ok {
		d.shape = c.Shape()
		d.data, err = c.Write(view)
	} else {
		d.shape = wire.ShapeRequest
		d.data, _, err = format.EncodeLossy(view, nil, d.format)
	}
	if err != nil {
		return nil, err
	}
	lines, _, err = reshape(d, true)
	return lines, err
}

// sharedBytes returns how many bytes two texts begin with together.
func sharedBytes(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
