package adaptertest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/anthropic"
	"github.com/trimkit/trimkit/wire/openai"
)

// Server is a provider on this machine. It answers at .../chat/completions as OpenAI does and
// at .../messages as Anthropic does, as JSON or, where a request says stream, as events. It
// is safe for concurrent use.
type Server struct {
	URL string // http://127.0.0.1:port

	script Script
	window int
	count  func(*Request) int

	http       *httptest.Server
	mu         sync.Mutex
	requests   []*Request
	signatures map[string]string // of reasoning: what it signs
	reasons    map[string]string // id of a call: the signature of the reasoning it was made with
}

// Script answers the requests of a [Server] that are in order. It may be called by several
// goroutines at once.
type Script func(r *Request) Answer

// Answers is a script that gives one answer after the other, and fails where there is none
// left.
func Answers(list ...Answer) Script {
	var given atomic.Int64
	return func(*Request) Answer {
		if n := int(given.Add(1)); n <= len(list) {
			return list[n-1]
		}
		return Answer{Status: http.StatusInternalServerError, Text: fmt.Sprintf("the script has %d answers", len(list))}
	}
}

// Request is one that a [Server] got.
type Request struct {
	Index     int // among all, from 0
	API       API
	Body      []byte
	History   []core.Message // its messages
	Beside    *core.Request  // what stands beside them
	Stream    bool
	MaxTokens int    // bound of the reply; 0: none given
	Tokens    int    // of the prompt, as the server counts them
	Refused   string // why it was refused; empty: it was answered

	usage bool            // it asks for the usage at the end of the stream
	ctx   context.Context // of the connection
}

// Context returns a context that ends when the client has gone.
func (r *Request) Context() context.Context { return r.ctx }

// Answer is what a [Script] answers.
type Answer struct {
	Text      string
	Reasoning string      // comes signed; Anthropic's API only
	Calls     []core.Part // tool calls: CallID, Tool, and Text, the arguments; without a CallID one gets one
	Status    int         // other than 0: the request fails with this status, and Text as the error's message
}

// ServerOption configures a [Server].
type ServerOption func(*Server)

// WithWindow makes the server refuse a request whose prompt and bound of the reply have more
// tokens than this. The default is no limit.
func WithWindow(tokens int) ServerOption { return func(s *Server) { s.window = tokens } }

// WithCount sets how the server counts the tokens of a prompt. The default is [Meter]'s.
func WithCount(count func(*Request) int) ServerOption { return func(s *Server) { s.count = count } }

// Meter returns a meter that takes four bytes of text for a token, for tests which need
// nothing better and want it to be quick.
func Meter() *budget.Meter {
	return budget.NewMeter(budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }))
}

// NewServer starts a Server. Close it when it is no longer needed.
func NewServer(script Script, opts ...ServerOption) *Server {
	meter := Meter()
	s := &Server{
		script: script, signatures: make(map[string]string), reasons: make(map[string]string),
		count: func(r *Request) int { return meter.AsSent(r.History, r.Beside) },
	}
	for _, o := range opts {
		o(s)
	}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	return s
}

// Close stops the server, when the requests at work are answered.
func (s *Server) Close() { s.http.Close() }

// Requests returns the requests so far, in the order in which they came.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Reset forgets the requests so far.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

func (s *Server) serve(w http.ResponseWriter, in *http.Request) {
	api := ChatCompletions
	switch path := in.URL.Path; {
	case in.Method == http.MethodPost && strings.HasSuffix(path, "/chat/completions"):
	case in.Method == http.MethodPost && strings.HasSuffix(path, "/messages"):
		api = Messages
	default:
		http.NotFound(w, in)
		return
	}
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return // the client has gone
	}
	r, fault := s.read(api, body)
	r.ctx = in.Context()
	s.mu.Lock()
	if r.Index = len(s.requests); fault == nil {
		fault = s.judge(r)
	}
	if fault != nil {
		r.Refused = fault.message
	}
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if fault != nil {
		fault.write(w, api)
		return
	}
	a := s.script(r)
	if a.Status != 0 {
		failed(a.Status, a.Text).write(w, api)
		return
	}
	a.Calls = slices.Clone(a.Calls) // the script may give the same ones again
	for i := range a.Calls {
		c := &a.Calls[i]
		c.CallID = cmp.Or(c.CallID, fmt.Sprintf("call_%d_%d", r.Index, i))
		c.Text = cmp.Or(c.Text, "{}")
	}
	if api != Messages {
		a.Reasoning = ""
	}
	reply := &reply{Answer: a, request: r, signature: s.sign(a.Reasoning, a.Calls)}
	if api == Messages {
		reply.anthropic(w)
	} else {
		reply.openai(w)
	}
}

// read makes a Request of a body.
func (s *Server) read(api API, body []byte) (*Request, *refusal) {
	r := &Request{API: api, Body: body, Beside: &core.Request{}}
	var beside struct {
		Stream     bool `json:"stream"`
		MaxTokens  int  `json:"max_tokens"`
		Completion int  `json:"max_completion_tokens"`
		Options    struct {
			Usage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	if err := json.Unmarshal(body, &beside); err != nil {
		return r, invalid("We could not parse the JSON body of your request: %v", err)
	}
	r.Stream, r.usage, r.MaxTokens = beside.Stream, beside.Options.Usage, max(beside.MaxTokens, beside.Completion)
	var c wire.Conversation
	var err error
	if api == Messages {
		c, err = anthropic.Parse(body)
	} else {
		c, err = openai.Parse(body)
	}
	if err != nil {
		return r, invalid("%v", err)
	}
	r.History, r.Beside = c.Messages(), c.Request()
	r.Tokens = s.count(r)
	return r, nil
}
