package dropin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/adapters/dropin"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// provider answers with the given statuses and bodies, then with 200, and keeps the bodies
// that it gets.
type provider struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
}

type answer struct {
	status int
	body   string
}

func newProvider(t *testing.T, answers ...answer) *provider {
	t.Helper()
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.EqualValues(t, len(body), r.ContentLength)
		p.mu.Lock()
		p.bodies = append(p.bodies, string(body))
		n := len(p.bodies)
		p.mu.Unlock()
		a := answer{http.StatusOK, "ok"}
		if n <= len(answers) {
			a = answers[n-1]
		}
		w.WriteHeader(a.status)
		fmt.Fprint(w, a.body)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) post(t *testing.T, client *http.Client, path, body string) (string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	response, err := client.Do(r)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return fmt.Sprint(response.StatusCode, " ", string(text)), nil
}

func enforcer(t *testing.T, window int) *budget.Enforcer {
	t.Helper()
	meter := budget.NewMeter(budget.CounterFunc(func(s string) int { return (len(s) + 3) / 4 }))
	kit, err := budget.NewEnforcer(meter, budget.Limits{Window: window})
	require.NoError(t, err)
	return kit
}

var long = strings.Repeat("An old story that nobody asks for any more. ", 60)

// requests are the same conversation, too long by its second and third message, in each API.
var requests = []struct{ path, body string }{
	{"/v1/chat/completions", `{"model":"m", "seed":1e0,"messages":[{"role":"user","content":"task"},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"` + long + `"},{"role":"assistant","content":"fine"},{"role":"user","content":"now?"}]}`},
	{"/v1/messages", `{"model":"m", "max_tokens":10,"messages":[{"role":"user","content":"task"},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"` + long + `"},{"role":"assistant","content":"fine"},{"role":"user","content":"now?"}]}`},
	{"/v1/responses", `{"model":"m", "input":[{"role":"user","content":"task"},{"role":"assistant","content":"` + long + `"},{"role":"user","content":"` + long + `"},{"role":"assistant","content":"fine"},{"role":"user","content":"now?"}]}`},
	{"/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"task"}]},{"role":"model","parts":[{"text":"` + long + `"}]},{"role":"user","parts":[{"text":"` + long + `"}]},{"role":"model","parts":[{"text":"fine"}]},{"role":"user","parts":[{"text":"now?"}]}]}`},
}

func TestTransport_EachAPI(t *testing.T) {
	for _, r := range requests {
		t.Run(r.path, func(t *testing.T) {
			p := newProvider(t)
			roomy := &http.Client{Transport: dropin.Transport(nil, enforcer(t, 1_000_000))}
			got, err := p.post(t, roomy, r.path, r.body)
			require.NoError(t, err)
			assert.Equal(t, "200 ok", got)

			tight := &http.Client{Transport: dropin.Transport(nil, enforcer(t, 800))}
			_, err = p.post(t, tight, r.path, r.body)
			require.NoError(t, err)

			require.Len(t, p.bodies, 2)
			assert.Equal(t, r.body, p.bodies[0], "without an edit byte for byte")
			assert.Less(t, len(p.bodies[1]), len(r.body)-len(long)+100)
			for _, stays := range []string{"task", "now?", `"model"`, `"seed":1e0`, `"max_tokens":10`} {
				assert.Equal(t, strings.Contains(r.body, stays), strings.Contains(p.bodies[1], stays), stays)
			}
		})
	}
}

func TestTransport_WhatIsNoModelCallGoesOutAsItIs(t *testing.T) {
	p := newProvider(t)
	var told []error
	client := &http.Client{Transport: dropin.Transport(nil, enforcer(t, 10), adapters.OnError(func(_ context.Context, err error) { told = append(told, err) }))}
	for _, r := range []struct{ path, body string }{
		{"/v1/embeddings", requests[0].body}, {"/v1/messages/count_tokens", requests[1].body}, {"/v1/threads/t/messages", `{"role":"user"}`},
	} {
		got, err := p.post(t, client, r.path, r.body)
		require.NoError(t, err)
		assert.Equal(t, "200 ok", got)
		assert.Equal(t, r.body, p.bodies[len(p.bodies)-1])
	}
	assert.Empty(t, told)

	_, err := p.post(t, client, "/v1/chat/completions", `{"messages": 7}`)
	require.NoError(t, err)
	assert.Equal(t, `{"messages": 7}`, p.bodies[len(p.bodies)-1])
	require.Len(t, told, 1)
	assert.ErrorContains(t, told[0], "goes out as it is")

	zipped, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/v1/chat/completions", bytes.NewReader([]byte{0x1f, 0x8b}))
	require.NoError(t, err)
	zipped.Header.Set("Content-Encoding", "gzip")
	response, err := client.Do(zipped)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, "\x1f\x8b", p.bodies[len(p.bodies)-1])
}

func TestTransport_OverBudget(t *testing.T) {
	p := newProvider(t)
	_, err := p.post(t, &http.Client{Transport: dropin.Transport(nil, enforcer(t, 10))}, requests[0].path, requests[0].body)
	var over *budget.OverBudgetError
	require.ErrorAs(t, err, &over)
	assert.Empty(t, p.bodies)

	_, err = p.post(t, &http.Client{Transport: dropin.Transport(nil, enforcer(t, 10), adapters.SendAnyway())}, requests[0].path, requests[0].body)
	require.NoError(t, err)
	require.Len(t, p.bodies, 1)
	assert.NotContains(t, p.bodies[0], long)
}

var refusal = answer{http.StatusBadRequest, `{"error":{"message":"This model's maximum context length is 4 tokens.","code":"context_length_exceeded"}}`}

func TestTransport_TriesOnceMore(t *testing.T) {
	p := newProvider(t, refusal)
	client := &http.Client{Transport: dropin.Transport(nil, enforcer(t, 1850))}
	got, err := p.post(t, client, requests[0].path, requests[0].body)
	require.NoError(t, err)
	assert.Equal(t, "200 ok", got)
	require.Len(t, p.bodies, 2)
	assert.Len(t, p.bodies[0], len(requests[0].body), "the first time as it is")
	assert.Less(t, len(p.bodies[1]), len(p.bodies[0]))
}

// Whoever called gets the provider's answer, to the last byte.
func TestTransport_RefusalsReachTheProgram(t *testing.T) {
	for name, c := range map[string]struct {
		answers []answer
		calls   int
	}{
		"for length, twice":      {[]answer{refusal, refusal}, 2},
		"for something else":     {[]answer{{http.StatusBadRequest, "no such model" + strings.Repeat(" ", 2<<20) + "end"}}, 1},
		"for something else 500": {[]answer{{http.StatusInternalServerError, "maximum context length"}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProvider(t, c.answers...)
			client := &http.Client{Transport: dropin.Transport(nil, enforcer(t, 1850))}
			got, err := p.post(t, client, requests[0].path, requests[0].body)
			require.NoError(t, err)
			last := c.answers[len(c.answers)-1]
			assert.Equal(t, fmt.Sprint(last.status, " ", last.body), got)
			assert.Len(t, p.bodies, c.calls)
		})
	}
}

func TestTransport_ReserveIsThatOfTheRequest(t *testing.T) {
	for member, want := range map[string]int{
		`"max_tokens":7`: 7, `"max_completion_tokens":8`: 8, `"max_output_tokens":9`: 9, `"generationConfig":{"maxOutputTokens":10}`: 10, `"max_tokens":"x"`: 0, `"n":1`: 0,
	} {
		var got core.Request
		record := core.TransformFunc(func(ctx context.Context, h []core.Message) ([]core.Message, error) {
			got = *core.RequestFrom(ctx)
			return h, nil
		})
		p := newProvider(t)
		_, err := p.post(t, &http.Client{Transport: dropin.Transport(nil, record)}, "/chat/completions",
			`{`+member+`,"tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"hi"}]}`)
		require.NoError(t, err)
		assert.Equal(t, want, got.Reserve, member)
		assert.Len(t, got.Schemas, 1)
	}
}

// failing is a body that cannot be read.
type failing struct{ closed bool }

var errRead = errors.New("read failed")

func (*failing) Read([]byte) (int, error) { return 0, errRead }
func (f *failing) Close() error           { f.closed = true; return nil }

func TestTransport_ABodyThatFails(t *testing.T) {
	body := &failing{}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/chat/completions", body)
	require.NoError(t, err)
	_, err = dropin.Transport(nil, nil).RoundTrip(r)
	require.ErrorIs(t, err, errRead)
	assert.True(t, body.closed)
}

func TestTransport_Concurrent(t *testing.T) {
	p := newProvider(t)
	client := &http.Client{Transport: dropin.Transport(nil, enforcer(t, 800))}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for _, r := range requests {
				_, err := p.post(t, client, r.path, r.body)
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, b := range p.bodies {
		seen[b] = true
	}
	assert.Len(t, seen, len(requests), "equal requests have equal views")
}
