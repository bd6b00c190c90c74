package adaptertest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/anthropic"
	"github.com/trimkit/trimkit/wire/openai"
)

// note is a message of the smallest framework that there is.
type note struct {
	core.Message
	Metadata map[string]any
}

// faults are what can be broken in the reference adapter; the zero value is none.
type faults struct {
	convert func([]core.Message)              // what becomes of the history
	restore func(given, sent []*note) []*note // what becomes of what is sent
	request func(*core.Request)               // what the transformer is told
	send    func(try func() (adapters.Sent, error)) (adapters.Sent, error)
	options []adapters.Option // behind those that were asked for
	strict  bool              // asks the transformer itself, without a Caller
	anyway  bool              // sends the history where the budget is not met
	ctx     bool              // forgets the context
	chunks  bool              // streams nothing
	bare    bool              // no adapter at all
}

// client is an adapter of that framework, as small as the suite takes it.
type client struct {
	setup  adaptertest.Setup
	caller *adapters.Caller
	faults faults
}

func (c *client) Call(ctx context.Context, messages any, onChunk func(string)) (reply adaptertest.Reply, err error) {
	given, ok := messages.([]*note)
	if !ok {
		return reply, errors.New("not this harness's messages")
	}
	if c.faults.ctx {
		ctx = context.WithoutCancel(ctx)
	}
	request := core.Request{Reserve: c.setup.MaxTokens, Schemas: c.schemas()}
	if c.faults.request != nil {
		c.faults.request(&request)
	}
	if c.setup.Bare || c.faults.bare {
		reply, _, err = c.post(ctx, given, onChunk)
		return reply, err
	}
	history, err := convert(given)
	if err != nil {
		return reply, err
	}
	if c.faults.convert != nil {
		c.faults.convert(history)
	}
	if c.faults.strict {
		if _, err := c.setup.Transformer.Transform(ctx, history); err != nil {
			return reply, err
		}
	}
	err = c.caller.Do(ctx, history, request, func(view []core.Message) (adapters.Sent, error) {
		sent, err := adapters.Restore(restoring, given, history, view)
		if err != nil {
			return adapters.Sent{}, err
		}
		if c.faults.restore != nil {
			sent = c.faults.restore(given, sent)
		}
		try := func() (s adapters.Sent, err error) {
			delivered, chunks := false, onChunk
			if c.faults.chunks {
				chunks = nil
			}
			reply, s.Usage, err = c.post(ctx, sent, watched(chunks, &delivered))
			s.Delivered = delivered
			return s, err
		}
		if c.faults.send != nil {
			return c.faults.send(try)
		}
		return try()
	})
	if err != nil && c.faults.anyway {
		reply, _, err = c.post(ctx, given, onChunk)
	}
	return reply, err
}

func watched(onChunk func(string), delivered *bool) func(string) {
	if onChunk == nil {
		return nil
	}
	return func(piece string) {
		*delivered = true
		onChunk(piece)
	}
}

func (c *client) Loop(ctx context.Context, messages any, onChunk func(string)) (adaptertest.Reply, error) {
	given, _ := messages.([]*note)
	for range c.setup.MaxSteps {
		reply, err := c.Call(ctx, given, onChunk)
		if err != nil || len(reply.Calls) == 0 {
			return reply, err
		}
		said := &note{Message: core.Message{Role: core.RoleAssistant}}
		if reply.Text != "" {
			said.Parts = append(said.Parts, core.Part{Text: reply.Text})
		}
		said.Parts = append(said.Parts, reply.Calls...)
		given = append(given, said)
		for _, call := range reply.Calls {
			result, err := c.setup.Tools[0].Run(ctx, call.Text)
			if err != nil {
				return reply, err
			}
			given = append(given, &note{Message: core.Message{Role: core.RoleTool, Parts: []core.Part{
				{Kind: core.KindToolResult, CallID: call.CallID, Tool: call.Tool, Text: result},
			}}})
		}
	}
	return adaptertest.Reply{}, errors.New("too many steps")
}

func convert(given []*note) ([]core.Message, error) {
	history := make([]core.Message, len(given))
	for i, n := range given {
		history[i] = n.Message
		history[i].Src = int32(i) + 1
		history[i].Parts = append([]core.Part(nil), n.Parts...)
		for p := range history[i].Parts {
			history[i].Parts[p].Slot = uint32(p)
		}
		if err := adapters.Mark(&history[i], n.Metadata); err != nil {
			return nil, err
		}
	}
	return history, nil
}

var restoring = adapters.Native[*note]{
	Edit: func(n *note, pieces []core.Message) (*note, error) {
		return &note{pieces[0], n.Metadata}, nil
	},
	Insert: func(m *core.Message) (*note, error) { return &note{Message: *m}, nil },
}

func (c *client) schemas() (list []string) {
	for _, t := range c.setup.Tools {
		text, err := json.Marshal(c.schema(t))
		if err != nil {
			panic(err)
		}
		list = append(list, string(text))
	}
	return list
}

func (c *client) schema(t adaptertest.Tool) any {
	if c.setup.API == adaptertest.Messages {
		return map[string]any{"name": t.Name, "description": t.Description, "input_schema": json.RawMessage(t.Schema)}
	}
	return map[string]any{"type": "function", "function": map[string]any{
		"name": t.Name, "description": t.Description, "parameters": json.RawMessage(t.Schema),
	}}
}

// post sends messages, and reads the reply.
func (c *client) post(ctx context.Context, messages []*note, onChunk func(string)) (reply adaptertest.Reply, usage int, err error) {
	var flat []core.Message
	for _, n := range messages {
		flat = append(flat, n.Message)
	}
	path, encode := "/v1/chat/completions", openai.Encode
	if c.setup.API == adaptertest.Messages {
		path, encode = "/v1/messages", anthropic.Encode
	}
	body, err := encode(flat, &core.Request{Schemas: c.schemas()})
	if err != nil {
		return reply, 0, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return reply, 0, err
	}
	members["max_tokens"] = json.RawMessage(fmt.Sprint(max(c.setup.MaxTokens, 1)))
	if onChunk != nil {
		members["stream"], members["stream_options"] = json.RawMessage("true"), json.RawMessage(`{"include_usage":true}`)
	}
	if body, err = json.Marshal(members); err != nil {
		return reply, 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.setup.URL+path, bytes.NewReader(body))
	if err != nil {
		return reply, 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return reply, 0, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		words, _ := io.ReadAll(response.Body)
		return reply, 0, fmt.Errorf("status %d: %s", response.StatusCode, words)
	}
	var all answer
	if onChunk == nil {
		err = json.NewDecoder(response.Body).Decode(&all)
		return all.reply(), all.usage(), err
	}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		if err := all.event([]byte(data), onChunk); err != nil {
			return reply, 0, err
		}
	}
	return all.reply(), all.usage(), nil
}

// harness drives the reference adapter, with a fault or none.
func harness(f faults) adaptertest.Harness {
	native := func(history []core.Message) any {
		var list []*note
		for i := range history {
			n := &note{Message: history[i]}
			n.Src = 0
			n.Parts = append([]core.Part(nil), history[i].Parts...)
			if n.Policy != core.PolicyDefault {
				n.Metadata = map[string]any{adapters.PolicyKey: n.Policy.String()}
				n.Policy = core.PolicyDefault
			}
			list = append(list, n)
		}
		return list
	}
	return adaptertest.Harness{
		Name: "reference", APIs: []adaptertest.API{adaptertest.ChatCompletions, adaptertest.Messages},
		Features: adaptertest.Streams | adaptertest.Loops | adaptertest.EveryCall | adaptertest.Errors | adaptertest.Retries | adaptertest.Schemas |
			adaptertest.MaxTokens | adaptertest.Usage | adaptertest.Images | adaptertest.Marks | adaptertest.Concurrent,
		Native: native, Specimens: specimens,
		New: func(_ *testing.T, s adaptertest.Setup) adaptertest.Client {
			return &client{setup: s, caller: adapters.NewCaller(s.Transformer, append(s.Options[:len(s.Options):len(s.Options)], f.options...)...), faults: f}
		},
	}
}

// specimens are what the framework can hold beside core: metadata, whatever it says.
func specimens() map[string]any {
	image := &core.Media{MIME: "image/png", URL: "data:image/png;base64,iVBORw0KGgo="}
	said := func(role core.Role, parts ...core.Part) *note {
		return &note{Message: core.Message{Role: role, Parts: parts}, Metadata: map[string]any{"trace": []int{1}}}
	}
	long := strings.Repeat("a long result ", 100)
	return map[string]any{
		"metadata": []*note{said(core.RoleUser, core.Part{Text: "hi"})},
		"an image": []*note{
			said(core.RoleUser, core.Part{Text: "what is it?"}, core.Part{Kind: core.KindMedia, Media: image}),
			said(core.RoleAssistant, core.Part{Kind: core.KindToolCall, CallID: "c1", Tool: "look", Text: `{"n":1}`}),
			said(core.RoleTool, core.Part{Kind: core.KindToolResult, CallID: "c1", Tool: "look", Text: long}),
			said(core.RoleAssistant, core.Part{Text: "a dot"}),
			said(core.RoleUser, core.Part{Text: "why?"}),
		},
	}
}

func TestReference(t *testing.T) { adaptertest.Run(t, harness(faults{})) }
