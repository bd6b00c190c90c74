package adaptertest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// A loop of so many model calls, each but the last with a tool call whose result has so many
// bytes, in a window that its history passes three times over.
const (
	loopCalls  = 41
	loopResult = 1600
	loopWindow = 5200
)

// loop is a tool loop with a server.
type loop struct {
	k        *trial
	server   *Server
	parallel int // calls in a reply
	reason   bool
	chunks   func(string)
	ran      atomic.Int32 // tool calls
	reports  []*budget.Report
	mu       sync.Mutex
}

func newLoop(k *trial, parallel int) *loop {
	l := &loop{k: k, parallel: parallel}
	l.server = k.server(l.answer, WithWindow(loopWindow))
	return l
}

// answer asks for another look until there were enough. It goes by the results that there
// were in all, which a view does not tell.
func (l *loop) answer(*Request) Answer {
	step := int(l.ran.Load()) / l.parallel
	if step == loopCalls-1 {
		return Answer{Text: "It is in the last file."}
	}
	a := Answer{Text: fmt.Sprintf("Step %d.", step)}
	if l.reason && l.k.api == Messages {
		a.Reasoning = fmt.Sprintf("I have to look into file %d.", step)
	}
	for i := range l.parallel {
		a.Calls = append(a.Calls, core.Part{
			CallID: fmt.Sprintf("call_%d_%d", step, i), Tool: "look", Text: fmt.Sprintf(`{"input":"file %d %d"}`, step, i),
		})
	}
	return a
}

func (l *loop) tool() Tool {
	return Tool{
		Name: "look", Description: "Look into a file.",
		Schema: `{"type":"object","properties":{"input":{"type":"string","description":"which file"}},"required":["input"]}`,
		Run: func(_ context.Context, arguments string) (string, error) {
			n := l.ran.Add(1)
			text := fmt.Sprintf("File %d, asked for by %s: ", n, arguments)
			return text + strings.Repeat("x ", (loopResult-len(text))/2), nil
		},
	}
}

// run runs the loop, without the adapter if there is no transformer.
func (l *loop) run(t core.Transformer, opts ...adapters.Option) (Reply, error) {
	client := l.k.h.New(l.k.t, Setup{
		URL: l.server.URL, API: l.k.api, Bare: t == nil, Transformer: t, Options: opts, Tools: []Tool{l.tool()},
		MaxTokens: replyTokens, MaxSteps: 2 * loopCalls,
	})
	ctx, cancel := context.WithTimeout(l.k.t.Context(), patience)
	defer cancel()
	l.ran.Store(0)
	l.server.Reset()
	return client.Loop(ctx, l.k.h.Native(coretest.Parse("S U=In_which_file_is_it?")), l.chunks)
}

// enforcer is one of the loop's window, whose reports are kept.
func (l *loop) enforcer() *budget.Enforcer {
	return l.k.enforcer(loopWindow, budget.WithOnReport(func(_ context.Context, r *budget.Report) {
		l.mu.Lock()
		l.reports = append(l.reports, r)
		l.mu.Unlock()
	}))
}

// judge runs the loop with the adapter, and judges it.
func (l *loop) judge() {
	reply, err := l.run(l.enforcer())
	require.NoError(l.k, err)
	assert.Equal(l.k, "It is in the last file.", reply.Text)
	assert.EqualValues(l.k, l.parallel*(loopCalls-1), l.ran.Load(), "tool calls")
	requests := l.server.Requests()
	assert.Len(l.k, requests, loopCalls, "requests, none of them a second attempt")
	for _, r := range requests {
		assert.Empty(l.k, r.Refused, "request %d", r.Index)
		assert.Contains(l.k, string(r.Body), "In which file is it?", "the question, in request %d", r.Index)
	}
	assert.NotEmpty(l.k, l.reports, "collections")
}

func caseLoop(k *trial) {
	l := newLoop(k, 1)
	_, err := l.run(nil)
	require.Error(k, err, "without the adapter the window is passed")
	requests := l.server.Requests()
	assert.NotEmpty(k, requests[len(requests)-1].Refused)
	l.judge()
}

func caseLoopStreamed(k *trial) {
	l := newLoop(k, 1)
	var text strings.Builder
	l.chunks = func(piece string) { text.WriteString(piece) }
	l.judge()
	assert.Contains(k, text.String(), "It is in the last file.", "what was streamed")
	for _, r := range l.server.Requests() {
		assert.True(k, r.Stream, "request %d asks for a stream", r.Index)
	}
}

func caseLoopParallel(k *trial) {
	l := newLoop(k, 3)
	l.judge()
}

// Between two collections a request goes on from the one before it, byte for byte.
func caseLoopPrefix(k *trial) {
	l := newLoop(k, 1)
	l.judge()
	requests, broken := l.server.Requests(), 0
	for i := 1; i < len(requests); i++ {
		if !continues(requests[i-1], requests[i]) {
			broken++
		}
	}
	assert.LessOrEqual(k, broken, len(l.reports), "requests that do not go on from the one before, of %d; collections", len(requests))
}

// continues reports whether a request begins with all messages of another.
func continues(a, b *Request) bool {
	if len(b.History) < len(a.History) {
		return false
	}
	for i := range a.History {
		if !sameMessage(&a.History[i], &b.History[i]) {
			return false
		}
	}
	return true
}

func sameMessage(a, b *core.Message) bool {
	if a.Role != b.Role || len(a.Parts) != len(b.Parts) {
		return false
	}
	for i := range a.Parts {
		p, q := &a.Parts[i], &b.Parts[i]
		if p.Kind != q.Kind || p.Text != q.Text || p.CallID != q.CallID || p.Tool != q.Tool || (p.Media == nil) != (q.Media == nil) ||
			p.Media != nil && (p.Media.URL != q.Media.URL || !bytes.Equal(p.Media.Data, q.Media.Data)) {
			return false
		}
	}
	return true
}

// The server refuses signed reasoning that is not as it was.
func caseLoopReasoning(k *trial) {
	l := newLoop(k, 1)
	l.reason = true
	l.judge()
}
