package adaptertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// elements returns the messages of a request's body, as JSON each.
func elements(body []byte) (list []string) {
	var r struct{ Messages []json.RawMessage }
	if json.Unmarshal(body, &r) != nil {
		return nil
	}
	for _, m := range r.Messages {
		list = append(list, string(m))
	}
	return list
}

// What a transformer does wrong is told, and costs its edits and not the call.
func caseFailures(k *trial) {
	broken := errors.New("the transformer is broken")
	for name, t := range map[string]core.TransformFunc{
		"fails":  func(context.Context, []core.Message) ([]core.Message, error) { return nil, broken },
		"panics": func(context.Context, []core.Message) ([]core.Message, error) { panic(broken) },
		"orphans": func(_ context.Context, h []core.Message) ([]core.Message, error) {
			return append(h[:2:2], h[3:]...), nil
		},
		"empties":          func(context.Context, []core.Message) ([]core.Message, error) { return nil, nil },
		"no system prompt": func(_ context.Context, h []core.Message) ([]core.Message, error) { return h[1:], nil },
		"no task": func(_ context.Context, h []core.Message) ([]core.Message, error) {
			return append(h[:1:1], h[2:]...), nil
		},
		"reorders": func(_ context.Context, h []core.Message) ([]core.Message, error) { return append(h[4:5:5], h...), nil },
		"rewrites": func(_ context.Context, h []core.Message) ([]core.Message, error) {
			for i := range h {
				for p := range h[i].Parts {
					h[i].Parts[p].Text = "rewritten"
				}
			}
			return h, nil
		},
	} {
		history := coretest.Parse("S U A(c1) T(c1) A U")
		s, told := k.server(fine), atomic.Int32{}
		client := k.client(s, t, adapters.OnError(func(context.Context, error) { told.Add(1) }))
		_, err := client.Call(k.t.Context(), k.h.Native(history), nil)
		assert.NoError(k, err, name)
		k.identical(name, k.call(nil, k.h.Native(history)), s.Requests())
		assert.True(k, told.Load() == 1 || name == "empties", "%s: OnError was told %d times", name, told.Load())
	}
}

// large is a history that cannot be made to fit in tight tokens.
func large() []core.Message {
	history := coretest.Parse("S U A U")
	history[3].Parts[0].Text = strings.Repeat("a long question ", 500)
	return history
}

const tight = 1000

func caseOverBudget(k *trial) {
	s := k.server(fine)
	_, err := k.client(s, k.enforcer(tight)).Call(k.t.Context(), k.h.Native(large()), nil)
	var over *budget.OverBudgetError
	assert.ErrorAs(k, err, &over)
	assert.Empty(k, s.Requests(), "nothing is sent")
}

func caseSendAnyway(k *trial) {
	s, told := k.server(fine), atomic.Int32{}
	client := k.client(s, k.enforcer(tight), adapters.SendAnyway(), adapters.OnError(func(context.Context, error) { told.Add(1) }))
	history := large()
	history[2].Parts[0].Text = strings.Repeat("an old answer ", 100)
	_, err := client.Call(k.t.Context(), k.h.Native(history), nil)
	require.NoError(k, err)
	requests := s.Requests()
	require.Len(k, requests, 1)
	assert.NotContains(k, string(requests[0].Body), "an old answer", "the best view is sent")
	assert.Contains(k, string(requests[0].Body), "a long question")
	assert.EqualValues(k, 1, told.Load(), "times that OnError was told")
}

func caseCancelled(k *trial) {
	ctx, cancel := context.WithCancel(k.t.Context())
	cancel()
	s := k.server(fine)
	_, err := k.client(s, k.enforcer(1_000_000), adapters.SendAnyway()).Call(ctx, k.h.Native(large()), nil)
	require.Error(k, err)
	assert.Contains(k, err.Error(), context.Canceled.Error())
	assert.Empty(k, s.Requests())
}

func caseCancelledMeanwhile(k *trial) {
	ctx, cancel := context.WithTimeout(k.t.Context(), patience)
	defer cancel()
	s := k.server(func(r *Request) Answer {
		cancel()
		select {
		case <-r.Context().Done():
		case <-time.After(time.Second): // the adapter does not give up, and would wait forever
		}
		return Answer{Text: "too late"}
	})
	_, err := k.client(s, k.enforcer(1_000_000)).Call(ctx, k.h.Native(histories["a question"]), nil)
	assert.Error(k, err)
	assert.LessOrEqual(k, len(s.Requests()), 1)
}

// doubting returns a server that counts two fifths more than our meter.
func (k *trial) doubting(window int) *Server {
	meter := Meter()
	return k.server(fine, WithWindow(window), WithCount(func(r *Request) int { return meter.AsSent(r.History, r.Beside) * 7 / 5 }))
}

// growing is a history that fits in a window of wide tokens by our count, and not by the
// doubting server's.
func growing() []core.Message {
	history := coretest.Parse("S U A U A U A U A U")
	for i := 2; i < 9; i++ {
		history[i].Parts[0].Text = strings.Repeat("word ", 320) // 400 tokens
	}
	return history
}

const wide = 4200

// retry makes a call that is refused as too long, and judges the second attempt.
func (k *trial) retry(onChunk func(string)) {
	s := k.doubting(wide)
	reply, err := k.client(s, k.enforcer(wide)).Call(k.t.Context(), k.h.Native(growing()), onChunk)
	require.NoError(k, err)
	assert.Equal(k, "fine", reply.Text)
	requests := s.Requests()
	require.Len(k, requests, 2)
	assert.NotEmpty(k, requests[0].Refused)
	assert.Empty(k, requests[1].Refused)
	assert.Less(k, requests[1].Tokens, requests[0].Tokens)
}

func caseRetry(k *trial) { k.retry(nil) }

func caseRetryStreamed(k *trial) {
	var text strings.Builder
	k.retry(func(piece string) { text.WriteString(piece) })
	assert.Equal(k, "fine", text.String(), "what was streamed")
}

func caseRetryOnce(k *trial) {
	for name, c := range map[string]struct {
		t     core.Transformer
		calls int
	}{
		"one that can be calibrated": {k.enforcer(wide), 2},
		"one that cannot":            {core.Chain(), 1},
	} {
		s := k.server(fine, WithWindow(replyTokens+10))
		_, err := k.client(s, c.t).Call(k.t.Context(), k.h.Native(growing()), nil)
		require.Error(k, err, name)
		assert.True(k, adapters.ContextLimit(err), "%s: the error is the provider's: %v", name, err)
		assert.Len(k, s.Requests(), c.calls, name)
	}
}

// requests returns what the transformer is told beside the messages of some calls, made one
// after the other by one client.
func (k *trial) requests(setup Setup, calls ...[]core.Message) (told []core.Request, sent []*Request) {
	s := k.server(fine)
	setup.URL, setup.API, setup.MaxSteps = s.URL, k.api, 2
	setup.Transformer = core.TransformFunc(func(ctx context.Context, h []core.Message) ([]core.Message, error) {
		told = append(told, *core.RequestFrom(ctx))
		return h, nil
	})
	client := k.h.New(k.t, setup)
	for _, history := range calls {
		_, err := client.Call(k.t.Context(), k.h.Native(history), nil)
		require.NoError(k, err)
	}
	require.Len(k, told, len(calls))
	return told, s.Requests()
}

func caseSchemas(k *trial) {
	tool := Tool{
		Name: "look", Description: "Look into a file, wherever it is.", Schema: `{"type":"object","properties":{"input":{"type":"string"}}}`,
		Run: func(context.Context, string) (string, error) { return "", nil },
	}
	told, _ := k.requests(Setup{Tools: []Tool{tool}, MaxTokens: replyTokens}, histories["a question"])
	require.Len(k, told[0].Schemas, 1)
	assert.True(k, json.Valid([]byte(told[0].Schemas[0])), "a schema is JSON")
	for _, has := range []string{"look", "Look into a file, wherever it is.", `"input"`} {
		assert.Contains(k, told[0].Schemas[0], has)
	}
}

func caseReserve(k *trial) {
	told, sent := k.requests(Setup{MaxTokens: 321}, histories["a question"])
	assert.Equal(k, 321, told[0].Reserve)
	assert.Equal(k, 321, sent[0].MaxTokens)
}

func caseUsage(k *trial) {
	first, second := coretest.Parse("S U"), coretest.Parse("S U A=fine U=go_on")
	told, sent := k.requests(Setup{MaxTokens: replyTokens}, first, second)
	assert.Zero(k, told[0].Usage)
	assert.Equal(k, sent[0].Tokens, told[1].Usage, "the tokens that the provider counted for the first call")
}

// Conversations at work at the same time do not mix.
func caseConcurrent(k *trial) {
	s := k.server(func(r *Request) Answer { return Answer{Text: r.History[0].Parts[0].Text} }, WithWindow(loopWindow))
	client := k.client(s, k.enforcer(loopWindow))
	var wg sync.WaitGroup
	wrong := make(chan string, 1000)
	for worker := range 32 {
		wg.Go(func() {
			history := coretest.Parse(fmt.Sprintf("S=conversation_%d U", worker))
			for turn := range 6 {
				var chunks func(string)
				if k.h.Features.Has(Streams) && turn%2 == 1 {
					chunks = func(string) {}
				}
				reply, err := client.Call(k.t.Context(), k.h.Native(history), chunks)
				if err != nil || reply.Text != fmt.Sprintf("conversation %d", worker) {
					wrong <- fmt.Sprintf("conversation %d, turn %d: %q, %v", worker, turn, reply.Text, err)
				}
				more := coretest.Parse("A U")
				for i := range more {
					more[i].Src = int32(len(history)) + 1
					more[i].Parts[0].Text = strings.Repeat("word ", 800)
					history = append(history, more[i])
				}
			}
		})
	}
	wg.Wait()
	close(wrong)
	for w := range wrong {
		k.Errorf("%s", w)
	}
	for _, r := range s.Requests() {
		assert.Empty(k, r.Refused)
	}
}
