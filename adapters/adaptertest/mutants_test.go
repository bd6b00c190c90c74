package adaptertest_test

import (
	"strings"
	"sync"
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
	{"the newest message is sent twice", "identity", func() faults {
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
			if len(out) > 1 && out[1] == sent[1] && len(sent) > 3 {
				changed := *out[1]
				changed.Parts = []core.Part{{Text: strings.ToUpper(changed.Parts[0].Text)}}
				out[1] = &changed
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
	{"it never tries again", "second attempt", func() faults {
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
	{"a call over budget is made after all", "over budget", func() faults { return faults{anyway: true} }},
	{"the end of the context is ignored", "context ends before", func() faults { return faults{ctx: true} }},
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

// marked returns the messages, those with a marker changed.
func marked(sent []*note, change func(*core.Part)) []*note {
	out := append([]*note(nil), sent...)
	for i, n := range out {
		for p := range n.Parts {
			if strings.HasPrefix(n.Parts[p].Text, core.MarkerPrefix) {
				changed := *n
				changed.Parts = append([]core.Part(nil), n.Parts...)
				change(&changed.Parts[p])
				out[i] = &changed
			}
		}
	}
	return out
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
