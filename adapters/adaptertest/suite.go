package adaptertest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// Run drives an adapter through every case, with each API that the framework has a client
// for. A case that needs what the shape cannot do is a skipped subtest, which names it.
// Whoever runs the suite should do so with the race detector too.
func Run(t *testing.T, h Harness) {
	t.Helper()
	if h.Name == "" || len(h.APIs) == 0 || h.Native == nil || h.Specimens == nil || h.New == nil {
		t.Fatalf("a harness that judges nothing: %+v", h)
	}
	for _, api := range h.APIs {
		for _, c := range cases {
			t.Run(fmt.Sprintf("%s/%s/%s", h.Name, api, c.name), func(t *testing.T) {
				if missing := c.needs &^ h.Features; missing != 0 {
					t.Skip("not judged: the shape has not " + missing.String())
				}
				defer func() {
					if t.Skipped() {
						t.Error("a case that the shape can do was skipped")
					}
				}()
				for _, failure := range judge(t, h, api, c) {
					t.Error(failure)
				}
			})
		}
	}
}

// A testCase judges one promise of adapters.
type testCase struct {
	name  string
	needs Feature
	run   func(*trial)
}

var cases = []testCase{
	{"loop", Loops | EveryCall, caseLoop},
	{"loop, streamed", Loops | EveryCall | Streams, caseLoopStreamed},
	{"loop, several calls at once", Loops | EveryCall, caseLoopParallel},
	{"loop, prefix", Loops | EveryCall, caseLoopPrefix},
	{"loop, reasoning", Loops | EveryCall | Reasoning, caseLoopReasoning},
	{"identity", 0, caseIdentity},
	{"nothing to send", EveryCall, caseNothing},
	{"identity of specimens", 0, caseSpecimens},
	{"edits", 0, caseEdits},
	{"edits of specimens", 0, caseSpecimenEdits},
	{"results in any order", 0, caseOrder},
	{"interrupt and resume", 0, caseInterrupt},
	{"nothing is written to", 0, caseUntouched},
	{"failing transformers", 0, caseFailures},
	{"over budget", Errors, caseOverBudget},
	{"over budget, sent anyway", 0, caseSendAnyway},
	{"context ends before", Errors, caseCancelled},
	{"context ends meanwhile", Errors, caseCancelledMeanwhile},
	{"second attempt", Retries, caseRetry},
	{"second attempt, streamed", Retries | Streams, caseRetryStreamed},
	{"no third attempt", Retries | Errors, caseRetryOnce},
	{"schemas", Schemas, caseSchemas},
	{"reserve", MaxTokens, caseReserve},
	{"usage", Usage, caseUsage},
	{"images", Images, caseImages},
	{"pins", Marks, casePins},
	{"many at once", Concurrent, caseConcurrent},
}

var featureNames = []string{
	"Streams", "Loops", "EveryCall", "Errors", "Retries", "Schemas", "MaxTokens", "Usage", "Images", "Reasoning", "Marks", "Concurrent",
}

// String lists the features.
func (f Feature) String() string {
	var names []string
	for i, name := range featureNames {
		if f.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// trial is one case with one harness. It collects what it finds, so that the suite can be
// judged as well as adapters; require's functions end it.
type trial struct {
	t        *testing.T
	h        *Harness
	api      API
	failures []string
}

// stopped is what ends a trial.
type stopped struct{}

// judge runs a case and returns what is wrong.
func judge(t *testing.T, h Harness, api API, c testCase) (failures []string) {
	t.Helper()
	k := &trial{t: t, h: &h, api: api}
	defer func() {
		failures = k.failures
		if p := recover(); p != nil {
			if _, ok := p.(stopped); !ok {
				failures = append(failures, fmt.Sprintf("panic: %v", p))
			}
		}
	}()
	c.run(k)
	return k.failures
}

// Errorf notes a failure. With FailNow it makes a trial a TestingT of testify's.
func (k *trial) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(text) > maxFailure {
		text = text[:maxFailure] + "..."
	}
	k.failures = append(k.failures, text)
}

// maxFailure bounds a failure's text: requests are long.
const maxFailure = 4000

// FailNow ends the trial.
func (k *trial) FailNow() { panic(stopped{}) }

// The bounds of a case.
const (
	replyTokens = 200 // that a reply may have
	patience    = 30 * time.Second
)

// server returns a server that is closed at the end of the test.
func (k *trial) server(script Script, opts ...ServerOption) *Server {
	s := NewServer(script, opts...)
	k.t.Cleanup(s.Close)
	return s
}

// fine is a script that always gives the same answer.
func fine(*Request) Answer { return Answer{Text: "fine"} }

// client returns a client of the adapter.
func (k *trial) client(s *Server, t core.Transformer, opts ...adapters.Option) Client {
	return k.h.New(k.t, Setup{
		URL: s.URL, API: k.api, Transformer: t, Options: opts, Bare: t == nil, MaxTokens: replyTokens, MaxSteps: 2 * loopCalls,
	})
}

// enforcer returns a transformer that enforces a window, in the tokens of [Meter].
func (k *trial) enforcer(window int, opts ...budget.EnforcerOption) *budget.Enforcer {
	profile := core.OpenAI
	if k.api == Messages {
		profile = core.Anthropic
	}
	e, err := budget.NewEnforcer(Meter(), budget.Limits{Window: window}, append(opts, budget.WithEnforcerProfile(profile))...)
	if err != nil {
		panic(err)
	}
	return e
}
