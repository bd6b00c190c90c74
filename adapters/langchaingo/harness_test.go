package langchainkit_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
)

// modelHarness drives WrapModel. The framework has no loop that takes messages; the one here
// is what programs write around a model.
func modelHarness() adaptertest.Harness {
	return adaptertest.Harness{
		Name: "WrapModel",
		Features: adaptertest.Streams | adaptertest.Loops | adaptertest.EveryCall | adaptertest.Errors | adaptertest.Retries |
			adaptertest.Schemas | adaptertest.MaxTokens | adaptertest.Usage | adaptertest.Images | adaptertest.Concurrent,
		APIs:   []adaptertest.API{adaptertest.ChatCompletions, adaptertest.Messages},
		Native: func(history []core.Message) any { return contentsOf(history) },
		Specimens: func() map[string]any {
			return map[string]any{"cache marker": specimen(cachedPart), "image": specimen(imagePart)}
		},
		New: func(t *testing.T, s adaptertest.Setup) adaptertest.Client {
			t.Helper()
			inner := realModel(t, s)
			if s.Bare {
				return &modelClient{inner, s}
			}
			return &modelClient{langchainkit.WrapModel(inner, s.Transformer, s.Options...), s}
		},
	}
}

var (
	cachedPart = llms.WithCacheControl(llms.TextContent{Text: "the rules"}, &llms.CacheControl{Type: "ephemeral"})
	imagePart  = llms.BinaryContent{MIMEType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")}
)

func specimen(part llms.ContentPart) []llms.MessageContent {
	return []llms.MessageContent{
		text(llms.ChatMessageTypeSystem, "be brief"),
		message(llms.ChatMessageTypeHuman, llms.TextContent{Text: "look"}, part),
		calls(call("c1", "read", `{"n":1}`)), result("c1", "read", long("result")),
		ai("seen"), human("and now?"),
	}
}

// realModel returns the framework's own client.
func realModel(t *testing.T, s adaptertest.Setup) llms.Model {
	t.Helper()
	var model llms.Model
	var err error
	if s.API == adaptertest.Messages {
		model, err = anthropic.New(anthropic.WithBaseURL(s.URL+"/v1"), anthropic.WithToken("none"), anthropic.WithModel("claude-sonnet-4"))
	} else {
		model, err = openai.New(openai.WithBaseURL(s.URL+"/v1"), openai.WithToken("none"), openai.WithModel("gpt-4o"))
	}
	require.NoError(t, err)
	return &sender{model, s.API}
}

// sender is what a program needs between its messages and a client that cannot send them all.
type sender struct {
	llms.Model

	api adaptertest.API
}

func (s *sender) GenerateContent(ctx context.Context, messages []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	return s.Model.GenerateContent(ctx, sendable(s.api, messages), options...)
}

type modelClient struct {
	model llms.Model
	setup adaptertest.Setup
}

func (c *modelClient) Call(ctx context.Context, messages any, onChunk func(string)) (adaptertest.Reply, error) {
	native, ok := messages.([]llms.MessageContent)
	if !ok {
		return adaptertest.Reply{}, errors.New("not this harness's messages")
	}
	return c.generate(ctx, native, onChunk)
}

func (c *modelClient) generate(ctx context.Context, messages []llms.MessageContent, onChunk func(string)) (adaptertest.Reply, error) {
	var options []llms.CallOption
	if c.setup.MaxTokens > 0 {
		options = append(options, llms.WithMaxTokens(c.setup.MaxTokens))
	}
	if onChunk != nil {
		options = append(options, llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
			if len(chunk) > 0 && !json.Valid(chunk) { // calls are streamed as JSON
				onChunk(string(chunk))
			}
			return nil
		}))
	}
	var tools []llms.Tool
	for _, t := range c.setup.Tools {
		tools = append(tools, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: json.RawMessage(t.Schema),
		}})
	}
	if tools != nil {
		options = append(options, llms.WithTools(tools))
	}
	response, err := c.model.GenerateContent(ctx, messages, options...)
	if err != nil {
		return adaptertest.Reply{}, err
	}
	var reply adaptertest.Reply
	for _, choice := range response.Choices {
		reply.Text += choice.Content
		for _, tc := range choice.ToolCalls {
			reply.Calls = append(reply.Calls, core.Part{Kind: core.KindToolCall, CallID: tc.ID, Tool: tc.FunctionCall.Name, Text: tc.FunctionCall.Arguments})
		}
	}
	return reply, nil
}

func (c *modelClient) Loop(ctx context.Context, messages any, onChunk func(string)) (adaptertest.Reply, error) {
	native, ok := messages.([]llms.MessageContent)
	if !ok {
		return adaptertest.Reply{}, errors.New("not this harness's messages")
	}
	history := native[:len(native):len(native)]
	for range c.setup.MaxSteps {
		reply, err := c.generate(ctx, history, onChunk)
		if err != nil || len(reply.Calls) == 0 {
			return reply, err
		}
		turn := message(llms.ChatMessageTypeAI)
		if reply.Text != "" {
			turn.Parts = append(turn.Parts, llms.TextContent{Text: reply.Text})
		}
		for _, p := range reply.Calls {
			turn.Parts = append(turn.Parts, call(p.CallID, p.Tool, p.Text))
		}
		history = append(history, turn)
		for _, p := range reply.Calls {
			content, err := c.run(ctx, p)
			if err != nil {
				return adaptertest.Reply{}, err
			}
			history = append(history, result(p.CallID, p.Tool, content))
		}
	}
	return adaptertest.Reply{}, errors.New("no answer within the steps")
}

func (c *modelClient) run(ctx context.Context, p core.Part) (string, error) {
	for _, t := range c.setup.Tools {
		if t.Name == p.Tool {
			return t.Run(ctx, p.Text)
		}
	}
	return "", errors.New("no such tool: " + p.Tool)
}

// sendable returns messages as they must be for a client to send them. Anthropic's sends the
// first part of a model's message only, so each call has one of its own, with its result
// behind it, and no addresses of images; OpenAI's knows no cache markers and sends images by
// address.
func sendable(api adaptertest.API, messages []llms.MessageContent) (out []llms.MessageContent) {
	sent := make(map[int]bool) // results that stand behind their calls already
	for i, m := range messages {
		if sent[i] {
			continue
		}
		parts := make([]llms.ContentPart, 0, len(m.Parts))
		for _, p := range m.Parts {
			parts = append(parts, sendablePart(api, p))
		}
		if api != adaptertest.Messages || m.Role != llms.ChatMessageTypeAI {
			out = append(out, llms.MessageContent{Role: m.Role, Parts: parts})
			continue
		}
		for _, p := range parts {
			out = append(out, message(m.Role, p))
			if c, ok := p.(llms.ToolCall); ok {
				if at := resultOf(messages, i, c.ID); at > 0 {
					out, sent[at] = append(out, messages[at]), true
				}
			}
		}
	}
	return out
}

// resultOf returns where the result of a call is among those behind the message at i; 0:
// nowhere.
func resultOf(messages []llms.MessageContent, i int, id string) int {
	for at := i + 1; at < len(messages) && messages[at].Role == llms.ChatMessageTypeTool; at++ {
		if r, ok := messages[at].Parts[0].(llms.ToolCallResponse); ok && r.ToolCallID == id {
			return at
		}
	}
	return 0
}

func sendablePart(api adaptertest.API, part llms.ContentPart) llms.ContentPart {
	switch p := part.(type) {
	case llms.CachedContent:
		if api == adaptertest.ChatCompletions {
			return p.ContentPart
		}
	case llms.BinaryContent:
		if api == adaptertest.ChatCompletions {
			return llms.ImageURLContent{URL: p.String()}
		}
	case llms.ImageURLContent:
		if head, data, ok := strings.Cut(p.URL, ";base64,"); ok && api == adaptertest.Messages {
			if raw, err := base64.StdEncoding.DecodeString(data); err == nil {
				return llms.BinaryContent{MIMEType: strings.TrimPrefix(head, "data:"), Data: raw}
			}
		}
	}
	return part
}
