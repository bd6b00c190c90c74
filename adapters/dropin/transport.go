package dropin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/anthropic"
	"github.com/trimkit/trimkit/wire/gemini"
	"github.com/trimkit/trimkit/wire/openai"
	"github.com/trimkit/trimkit/wire/responses"
)

// Transport returns a [http.RoundTripper] that fits the messages of model calls and hands
// them to base; nil is [http.DefaultTransport]. It is safe for concurrent use.
//
// Its errors are those of base and of [adapters.Caller.Do]; a client wraps them in a
// [*url.Error], through which errors.As finds a [*budget.OverBudgetError]. What keeps it from
// understanding a body, it tells [adapters.OnError].
func Transport(base http.RoundTripper, t core.Transformer, opts ...adapters.Option) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return &transport{base, adapters.NewCaller(t, opts...)}
}

type transport struct {
	base   http.RoundTripper
	caller *adapters.Caller
}

// RoundTrip makes one HTTP request, or two where the first is refused for its length.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	parse := parser(request)
	if parse == nil {
		return t.base.RoundTrip(request)
	}
	body, err := io.ReadAll(request.Body)
	if closed := request.Body.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("trimkit: read the request's body: %w", err)
	}
	conversation, err := parse(body)
	if err != nil {
		t.caller.Report(request.Context(), fmt.Errorf("trimkit: the request to %s goes out as it is: %w", request.URL.Path, err))
		return t.base.RoundTrip(with(request, body))
	}
	return t.call(request, body, conversation)
}

// call sends what the transformer makes of a conversation.
func (t *transport) call(request *http.Request, body []byte, c wire.Conversation) (response *http.Response, err error) {
	beside := *c.Request()
	beside.Reserve = reserve(body)
	err = t.caller.Do(request.Context(), c.Messages(), beside, func(view []core.Message) (adapters.Sent, error) {
		out, err := c.Write(view)
		if err != nil {
			t.caller.Report(request.Context(), fmt.Errorf("trimkit: the request to %s goes out as it is: %w", request.URL.Path, err))
			out = body
		}
		if response != nil {
			_ = response.Body.Close() // of the request that was refused
		}
		if response, err = t.base.RoundTrip(with(request, out)); err != nil {
			return adapters.Sent{}, err
		}
		return adapters.Sent{}, refusal(response)
	})
	var refused *refusedError
	if errors.As(err, &refused) {
		return response, nil // the program gets the provider's own words
	}
	return response, err
}

// parser returns what reads the body of a request; nil: it is no model call.
func parser(r *http.Request) func([]byte) (wire.Conversation, error) {
	if r.Method != http.MethodPost || r.Body == nil || r.Header.Get("Content-Encoding") != "" {
		return nil
	}
	switch path := strings.TrimSuffix(r.URL.Path, "/"); {
	case strings.HasSuffix(path, "/chat/completions"):
		return func(b []byte) (wire.Conversation, error) { return openai.Parse(b) }
	case strings.HasSuffix(path, "/v1/messages"):
		return func(b []byte) (wire.Conversation, error) { return anthropic.Parse(b) }
	case strings.HasSuffix(path, "/responses"):
		return func(b []byte) (wire.Conversation, error) { return responses.Parse(b) }
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return func(b []byte) (wire.Conversation, error) { return gemini.Parse(b) }
	}
	return nil
}

// with returns a copy of the request that has another body.
func with(r *http.Request, body []byte) *http.Request {
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.ContentLength = int64(len(body))
	if r.Header.Get("Content-Length") != "" {
		r.Header.Set("Content-Length", fmt.Sprint(len(body)))
	}
	return r
}

// reserve returns the tokens that a request lets the reply have; 0: it does not say.
func reserve(body []byte) int {
	var r struct {
		Tokens     int `json:"max_tokens"`            // chat completions, messages
		Completion int `json:"max_completion_tokens"` // chat completions
		Output     int `json:"max_output_tokens"`     // responses
		Generation struct {
			Output int `json:"maxOutputTokens"`
		} `json:"generationConfig"` // Gemini
	}
	if json.Unmarshal(body, &r) != nil {
		return 0 // some other member is not as expected, which the provider will say
	}
	return max(r.Tokens, r.Completion, r.Output, r.Generation.Output, 0)
}

// refusedError is a response that refuses a request for its length.
type refusedError struct{ words string }

func (e *refusedError) Error() string { return e.words }

// maxRefusal bounds how much of a refusal is read.
const maxRefusal = 1 << 20

// refusal returns the error that a response with status 400 or 413 is, and leaves its body
// to be read again.
func refusal(r *http.Response) error {
	if r.StatusCode != http.StatusBadRequest && r.StatusCode != http.StatusRequestEntityTooLarge {
		return nil
	}
	words, err := io.ReadAll(io.LimitReader(r.Body, maxRefusal))
	rest := io.Reader(r.Body)
	if err != nil {
		rest = failing{err}
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(words), rest), r.Body}
	return &refusedError{string(words)}
}

// failing is a reader that failed before.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
