package adaptertest_test

import (
	"encoding/json"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/core"
)

// answer is a reply of either API, whole or put together of events.
type answer struct {
	Choices []struct {
		Message, Delta struct {
			Content string
			Calls   []chatCall `json:"tool_calls"`
		}
	}
	Content []block
	Usage   struct {
		Prompt int `json:"prompt_tokens"`
		Input  int `json:"input_tokens"`
	}
}

type chatCall struct {
	ID       string
	Function struct{ Name, Arguments string }
}

type block struct {
	Type, Text, ID, Name string
	Input                json.RawMessage
}

func (a *answer) usage() int { return max(a.Usage.Prompt, a.Usage.Input) }

func (a *answer) reply() (r adaptertest.Reply) {
	call := func(id, tool, arguments string) {
		r.Calls = append(r.Calls, core.Part{Kind: core.KindToolCall, CallID: id, Tool: tool, Text: arguments})
	}
	for _, c := range a.Choices {
		r.Text += c.Message.Content
		for _, t := range c.Message.Calls {
			call(t.ID, t.Function.Name, t.Function.Arguments)
		}
	}
	for _, b := range a.Content {
		switch b.Type {
		case "text":
			r.Text += b.Text
		case "tool_use":
			call(b.ID, b.Name, string(b.Input))
		}
	}
	return r
}

// event takes in an event of a stream.
func (a *answer) event(data []byte, onChunk func(string)) error {
	var e struct {
		answer
		Message struct {
			Usage struct {
				Input int `json:"input_tokens"`
			}
		}
		Block *block `json:"content_block"`
		Delta struct {
			Text    string
			Partial string `json:"partial_json"`
		}
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	a.Usage.Prompt = max(a.Usage.Prompt, e.usage(), e.Message.Usage.Input)
	for _, c := range e.Choices {
		if len(a.Choices) == 0 {
			a.Choices = make([]struct {
				Message, Delta struct {
					Content string
					Calls   []chatCall `json:"tool_calls"`
				}
			}, 1)
		}
		m := &a.Choices[0].Message
		m.Content += c.Delta.Content
		m.Calls = append(m.Calls, c.Delta.Calls...)
		if c.Delta.Content != "" {
			onChunk(c.Delta.Content)
		}
	}
	if e.Block != nil {
		e.Block.Input = nil
		a.Content = append(a.Content, *e.Block)
	}
	if n := len(a.Content); n > 0 {
		a.Content[n-1].Text += e.Delta.Text
		a.Content[n-1].Input = append(a.Content[n-1].Input, e.Delta.Partial...)
		if e.Delta.Text != "" {
			onChunk(e.Delta.Text)
		}
	}
	return nil
}
