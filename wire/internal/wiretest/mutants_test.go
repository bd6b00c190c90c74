package wiretest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/wiretest"
	"github.com/trimkit/trimkit/wire/openai"
)

// conversation is one of a format that can be broken.
type conversation struct {
	*openai.Conversation
	write    func(c *openai.Conversation, view []core.Message) ([]byte, error)
	messages func(c *openai.Conversation) []core.Message
}

func (c *conversation) Write(view []core.Message) ([]byte, error) {
	return c.write(c.Conversation, view)
}

func (c *conversation) Messages() []core.Message { return c.messages(c.Conversation) }

type harness = wiretest.Harness[*conversation]

// healthy is a format, as small as the suite takes it.
func healthy() *harness {
	const user = `{"role":"user","content":"$"}`
	letters := budget.NewMeter(budget.CounterFunc(wiretest.Letters))
	h := &harness{
		Name: "openai", Profile: core.OpenAI, Encode: openai.Encode, List: "messages", Allocs: 9, Stable: true,
		Plain: [3]string{`{"role": "user", "content": "a"}`, `{"role":"assistant","content":"b"}`, `{"role":"user","content":"d" }`},
		Dialect: wiretest.Dialect{
			User: user, Reply: `{"role":"assistant","content":"$"}`, Added: user,
			Texts: `{"role":"user","content":[$]}`, Text: `{"type":"text","text":"$"}`,
			Calls: `{"role":"assistant","tool_calls":[$]}`, Call: `{"id":"$id","function":{"name":"f","arguments":"{}"}}`,
			Result:  `{"role":"tool","tool_call_id":"$id","content":"$"}`,
			Empty:   []string{`{"role":"tool","tool_call_id":"$id"}`},
			Picture: `{"role":"user","content":["see",{"type":"image_url","image_url":"data:image/png;base64,$"}]}`,
		},
		Flat: func(history []core.Message) any {
			var texts []string
			for i := range history {
				for _, p := range history[i].Parts {
					texts = append(texts, p.Text)
				}
			}
			return texts
		},
		Settle: func(m *core.Message) bool {
			wiretest.WithoutBlanks(m, core.KindText, core.KindToolResult)
			for i := range m.Parts {
				m.Parts[i].CallID, m.Parts[i].Tool = "", ""
			}
			return true
		},
		Trim: func(window int) (core.Transformer, error) {
			return budget.NewTrim(letters, budget.Limits{Window: window}, budget.WithProfile(core.OpenAI))
		},
		Tokens: letters.AsSent,
	}
	h.Lines = append(h.Plain[:], `{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"c","content":"r"}`)
	h.Session = func(exchanges int) []byte {
		exchange := strings.Replace(h.Lines[3]+"\n", `"r"`, `"`+wiretest.Code+`"`, 1)
		return []byte(strings.Repeat(exchange, exchanges))
	}
	h.Parse = func(data []byte, opts ...wire.ParseOption) (*conversation, error) {
		c, err := openai.Parse(data, opts...)
		if err != nil {
			return nil, err
		}
		return &conversation{c, (*openai.Conversation).Write, (*openai.Conversation).Messages}, nil
	}
	return h
}

func TestHealthy(t *testing.T) { assert.Empty(t, healthy().Failing("")) }

// written breaks what is written of a view.
func written(broken func(out []byte, view []core.Message) []byte) func(h *harness) {
	return read(func(c *conversation, _ []byte) {
		c.write = func(whole *openai.Conversation, view []core.Message) ([]byte, error) {
			out, err := whole.Write(view)
			if err != nil {
				return nil, err
			}
			return broken(out, view), nil
		}
	})
}

// read breaks a conversation that was read.
func read(broken func(c *conversation, data []byte)) func(h *harness) {
	return func(h *harness) {
		whole := h.Parse
		h.Parse = func(data []byte, opts ...wire.ParseOption) (*conversation, error) {
			c, err := whole(data, opts...)
			if err == nil {
				broken(c, data)
			}
			return c, err
		}
	}
}

// refused breaks the error for what cannot be read.
func refused(broken func(err error) error) func(h *harness) {
	return func(h *harness) {
		whole := h.Parse
		h.Parse = func(data []byte, opts ...wire.ParseOption) (*conversation, error) {
			c, err := whole(data, opts...)
			if err != nil {
				err = broken(err)
			}
			return c, err
		}
	}
}

// wasted keeps what an allocation of the test makes.
var wasted []byte

// mutants are formats that are broken, and the rule that each of them breaks.
var mutants = map[string]struct {
	rule   string
	broken func(h *harness)
}{
	"leaves spaces out": {"a document of any shape is read, and comes back byte for byte", written(func(out []byte, _ []core.Message) []byte {
		var b bytes.Buffer
		if json.Compact(&b, out) != nil {
			return out
		}
		return b.Bytes()
	})},
	"makes its messages anew": {"a document of any shape is read, and comes back byte for byte", read(func(c *conversation, _ []byte) {
		c.messages = func(c *openai.Conversation) []core.Message { return wiretest.Copy(c.Messages()) }
	})},
	"keeps its input": {"a conversation shares no memory with what was read or written", read(func(c *conversation, data []byte) {
		c.write = func(*openai.Conversation, []core.Message) ([]byte, error) { return bytes.Clone(data), nil }
	})},
	"hands out its output": {"a conversation shares no memory with what was read or written", read(func(c *conversation, data []byte) {
		own := bytes.Clone(data)
		c.write = func(*openai.Conversation, []core.Message) ([]byte, error) { return own, nil }
	})},
	"has errors of no type": {"broken input is a typed error that says where", refused(func(err error) error { return errors.New(err.Error()) })},
	"says another line": {"broken input is a typed error that says where", refused(func(err error) error {
		var syntax *wire.SyntaxError
		if errors.As(err, &syntax) {
			syntax.Line++
		}
		return err
	})},
	"knows no limits": {"input beyond a limit is a typed error", func(h *harness) {
		whole := h.Parse
		h.Parse = func(data []byte, _ ...wire.ParseOption) (*conversation, error) { return whole(data) }
	}},
	"writes an escape anew": {"an edit leaves every other byte", written(func(out []byte, _ []core.Message) []byte {
		return bytes.ReplaceAll(out, []byte(`\u00e9`), []byte("é"))
	})},
	"writes what is not its own": {"a view of another conversation is a typed error that says where", read(func(c *conversation, data []byte) {
		data = bytes.Clone(data)
		c.write = func(c *openai.Conversation, view []core.Message) ([]byte, error) {
			if out, err := c.Write(view); err == nil {
				return out, nil
			}
			return data, nil
		}
	})},
	"forgets edits": {"what is written says what the view says, and breaks no new rule", read(func(c *conversation, _ []byte) {
		c.write = func(c *openai.Conversation, _ []core.Message) ([]byte, error) { return c.Write(c.Messages()) }
	})},
	"parts a call from its result": {"what is written says what the view says, and breaks no new rule", written(func(out []byte, view []core.Message) []byte {
		if len(view) > 0 && len(view[0].Parts) > 0 && view[0].Parts[0].Elided != nil {
			return bytes.Replace(out, []byte(`"tool_calls"`), []byte(`"x"`), 1)
		}
		return out
	})},
	"changes the view": {"what is written says what the view says, and breaks no new rule", written(func(out []byte, view []core.Message) []byte {
		for i := range view {
			view[i].Policy = core.Locked
		}
		return out
	})},
	"loses what it encodes": {"what is written says what the view says, and breaks no new rule", func(h *harness) {
		h.Encode = func(history []core.Message, r *core.Request) ([]byte, error) {
			return openai.Encode(history[:len(history)/2], r)
		}
	}},
	"refuses what is deep": {"hostile input takes linear time", func(h *harness) {
		whole := h.Parse
		h.Parse = func(data []byte, _ ...wire.ParseOption) (*conversation, error) {
			return whole(data, wire.WithLimits(wire.Limits{MaxDepth: 100}))
		}
	}},
	"wastes memory": {"a longer session takes no more for each exchange", read(func(_ *conversation, data []byte) {
		wasted = make([]byte, len(data)*len(data)/(1<<16))
	})},
	"copies media": {"media are not copied more than they must be", read(func(_ *conversation, data []byte) {
		wasted = bytes.Repeat(data, 2)
	})},
	"pairs by place": {"Parallel_ByIDNotByPlace", read(func(c *conversation, _ []byte) {
		history := wiretest.Copy(c.Messages())
		c.messages = func(*openai.Conversation) []core.Message { return history }
		for i := range history {
			for k := range history[i].Parts {
				history[i].Parts[k].CallID = ""
			}
		}
	})},
}

func TestMutants(t *testing.T) {
	for name, m := range mutants {
		t.Run(name, func(t *testing.T) {
			h := healthy()
			m.broken(h)
			assert.Equal(t, []string{m.rule}, h.Failing(m.rule))
		})
	}
}
