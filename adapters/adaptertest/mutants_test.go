package adaptertest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/core"
)

// mutants are the reference adapter, each with a fault, and the cases that are there to find
// it, with semicolons between them.
var mutants = []struct {
	name   string
	finds  string // cases,
	broken func() faults
}{
	{"no adapter", "loop; edits; over budget; second attempt; schemas", func() faults { return faults{bare: true} }},
	{"the last message is lost", "identity; loop", func() faults {
		return faults{restore: func(_, sent []*note) []*note { return sent[:max(len(sent)-1, 1)] }}
	}},
	{"the newest message is sent twice", "identity; nothing to send", func() faults {
		return faults{restore: func(_, sent []*note) []*note { return append(sent[:len(sent):len(sent)], sent[len(sent)-1]) }}
	}},
	{"the program's messages are written to", "nothing is written to", func() faults {
		return faults{restore: func(given, sent []*note) []*note {
			for i := range given {
				if i < len(sent) && sent[i] != given[i] {
					*given[i] = *sent[i]
				}
			}
			return sent
		}}
	}},
	{"the program's slice is shortened in place", "nothing is written to", func() faults {
		return faults{restore: func(given, sent []*note) []*note {
			if len(sent) < len(given) {
				copy(given, sent)
				return given[:len(sent)]
			}
			return sent
		}}
	}},
	{"edits get lost on the way back", "edits; loop", func() faults {
		return faults{restore: func(given, _ []*note) []*note { return given }}
	}},
	{"an edited result loses its id", "edits", func() faults {
		return faults{restore: func(_, sent []*note) []*note { return marked(sent, func(p *core.Part) { p.CallID = "other" }) }}
	}},
	{"neighbours of an edited message are rewritten", "edits", func() faults {
		return faults{restore: func(_, sent []*note) []*note {
			out := marked(sent, func(*core.Part) {})
			if len(out) > 3 {
				out[1].Parts[0].Text = strings.ToUpper(out[1].Parts[0].Text)
			}
			return out
		}}
	}},
	{"calls and results are paired by position", "results in any order", func() faults {
		return faults{convert: func(history []core.Message) {
			n := 0
			for i := range history {
				for p := range history[i].Parts {
					if part := &history[i].Parts[p]; part.Kind == core.KindToolResult {
						part.CallID = []string{"c1", "c2", "c3"}[min(n, 2)] + "?"
						n++
					}
				}
			}
		}}
	}},
	{"images are texts", "images", func() faults {
		return faults{convert: func(history []core.Message) {
			for i := range history {
				for p := range history[i].Parts {
					if part := &history[i].Parts[p]; part.Media != nil {
						part.Kind, part.Text, part.Media = core.KindText, part.Media.URL, nil
					}
				}
			}
		}}
	}},
	{"pins are forgotten", "pins", func() faults {
		return faults{convert: func(history []core.Message) {
			for i := range history {
				history[i].Policy = core.PolicyDefault
			}
		}}
	}},
	{"schemas are forgotten", "schemas", func() faults {
		return faults{request: func(r *core.Request) { r.Schemas = nil }}
	}},
	{"the bound of the reply is forgotten", "reserve", func() faults {
		return faults{request: func(r *core.Request) { r.Reserve = 0 }}
	}},
	{"the usage is forgotten", "usage", func() faults {
		return faults{send: func(try func() (adapters.Sent, error)) (adapters.Sent, error) {
			s, err := try()
			s.Usage = 0
			return s, err
		}}
	}},
	{"it never tries again", "second attempt; second attempt, streamed", func() faults {
		return faults{send: func(try func() (adapters.Sent, error)) (adapters.Sent, error) {
			s, err := try()
			s.Delivered = true
			return s, err
		}}
	}},
	{"it tries the same once more", "second attempt; no third attempt", func() faults {
		return faults{send: func(try func() (adapters.Sent, error)) (adapters.Sent, error) {
			s, err := try()
			if err != nil {
				return try()
			}
			return s, err
		}}
	}},
	{"nobody is told what went wrong", "failing transformers; over budget, sent anyway", func() faults {
		return faults{options: []adapters.Option{adapters.OnError(nil)}}
	}},
	{"what the transformer does wrong fails the call", "failing transformers", func() faults { return faults{strict: true} }},
	{"of several results the last is lost", "loop, several calls at once; results in any order", func() faults {
		return faults{restore: func(_, sent []*note) []*note {
			var kept []*note
			for i, n := range sent {
				if i < 2 || n.Role != core.RoleTool || sent[i-1].Role != core.RoleTool || i+1 < len(sent) && sent[i+1].Role == core.RoleTool {
					kept = append(kept, n)
				}
			}
			return kept
		}}
	}},
	{"each request begins with its number", "loop, prefix; identity", func() faults {
		var calls atomic.Int32
		return faults{restore: func(_, sent []*note) []*note {
			return changed(sent, func(i int, p *core.Part) bool {
				if i == 0 {
					p.Text = fmt.Sprintf("%d: %s", calls.Add(1), p.Text)
				}
				return true
			})
		}}
	}},
	{"images are lost", "identity of specimens; images", func() faults {
		return faults{restore: func(_, sent []*note) []*note {
			return changed(sent, func(_ int, p *core.Part) bool { return p.Media == nil })
		}}
	}},
	{"with an edit all images are lost", "edits of specimens", func() faults {
		return faults{restore: func(given, sent []*note) []*note {
			if slices.Equal(given, sent) {
				return sent
			}
			return changed(sent, func(_ int, p *core.Part) bool { return p.Media == nil })
		}}
	}},
	{"a call that once was open is open for good", "interrupt and resume", func() faults {
		open := 0 // length of a history that ended with less results than calls
		return faults{restore: func(_, sent []*note) []*note {
			calls, results := 0, 0
			for _, n := range sent {
				for _, p := range n.Parts {
					switch p.Kind {
					case core.KindToolCall:
						calls++
					case core.KindToolResult:
						results++
					}
				}
			}
			if calls > results {
				open = len(sent)
			}
			if open > 0 {
				return sent[:open]
			}
			return sent
		}}
	}},
	{"a call over budget is made after all", "over budget", func() faults { return faults{anyway: true} }},
	{"the end of the context is ignored", "context ends before; context ends meanwhile", func() faults { return faults{ctx: true} }},
	{"nothing is streamed", "loop, streamed", func() faults {
		return faults{chunks: true}
	}},
	{"conversations share what is sent", "many at once", func() faults {
		var mu sync.Mutex
		var last []*note
		return faults{restore: func(_, sent []*note) []*note {
			mu.Lock()
			defer mu.Unlock()
			if last != nil && len(last) == len(sent) {
				return last
			}
			last = sent
			return sent
		}}
	}},
}

// changed returns copies of the messages: with the index of the message, keep may change a
// part, and says whether it stays.
func changed(sent []*note, keep func(i int, p *core.Part) bool) (out []*note) {
	for i, n := range sent {
		c := *n
		c.Parts = nil
		for _, p := range n.Parts {
			if keep(i, &p) {
				c.Parts = append(c.Parts, p)
			}
		}
		out = append(out, &c)
	}
	return out
}

// marked returns the messages, the parts with a marker changed.
func marked(sent []*note, change func(*core.Part)) []*note {
	return changed(sent, func(_ int, p *core.Part) bool {
		if strings.HasPrefix(p.Text, core.MarkerPrefix) {
			change(p)
		}
		return true
	})
}

// Whatever a case is there for, it finds.
func TestMutants_EveryCase(t *testing.T) {
	judged := map[string]bool{
		"loop, reasoning": true, // core's messages have no signatures to send; TestServer_Thinking has its rules
	}
	for _, m := range mutants {
		for name := range strings.SplitSeq(m.finds, "; ") {
			judged[name] = true
		}
	}
	for _, name := range adaptertest.Cases(^adaptertest.Feature(0)) {
		assert.True(t, judged[name], "no mutant is there for %q", name)
	}
}

// A case that no longer runs for a shape would not be missed otherwise.
func TestCases(t *testing.T) {
	const loops = adaptertest.Loops | adaptertest.EveryCall
	for features, want := range map[adaptertest.Feature]int{
		0:                                        9,
		adaptertest.Errors:                       12,
		adaptertest.Retries:                      10,
		adaptertest.Schemas:                      10,
		adaptertest.MaxTokens:                    10,
		adaptertest.Usage:                        10,
		adaptertest.Images:                       10,
		adaptertest.Marks:                        10,
		adaptertest.Concurrent:                   10,
		loops:                                    13,
		loops | adaptertest.Streams:              14,
		loops | adaptertest.Reasoning:            14,
		adaptertest.Retries | adaptertest.Errors: 14,
		adaptertest.Retries | adaptertest.Streams: 11,
		^adaptertest.Feature(0):                   27,
	} {
		assert.Len(t, adaptertest.Cases(features), want, "features %s", features)
	}
}

func TestMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			for _, api := range []adaptertest.API{adaptertest.ChatCompletions, adaptertest.Messages} {
				for name := range strings.SplitSeq(m.finds, "; ") {
					assert.NotEmpty(t, adaptertest.Judge(t, harness(m.broken()), api, name), "%s: %s", api, name)
				}
			}
		})
	}
}
