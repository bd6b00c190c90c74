package genkitkit_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/anthropic"
	"github.com/firebase/genkit/go/plugins/compat_oai"
	sdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/core"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

// client is one shape with one of Genkit's real clients.
type client struct {
	g     *genkit.Genkit
	model string
	setup adaptertest.Setup
	tools []ai.ToolRef
	with  []ai.ModelMiddleware
}

// harness returns the harness of a shape for one protocol.
func harness(shape string, protocol adaptertest.API, more adaptertest.Feature) adaptertest.Harness {
	return adaptertest.Harness{
		Name: shape + " " + string(protocol),
		Features: adaptertest.Streams | adaptertest.Loops | adaptertest.EveryCall | adaptertest.Errors | adaptertest.Retries | adaptertest.Schemas |
			adaptertest.MaxTokens | adaptertest.Usage | adaptertest.Images | adaptertest.Marks | adaptertest.Concurrent | more,
		APIs:      []adaptertest.API{protocol},
		Native:    func(history []core.Message) any { return nativeOf(history) },
		Specimens: func() map[string]any { return specimens(protocol) },
		New:       func(t *testing.T, s adaptertest.Setup) adaptertest.Client { t.Helper(); return newClient(t, shape, s) },
	}
}

// harnesses returns those of all shapes with each of Genkit's clients. OpenAI's writes
// reasoning into the text.
func harnesses() []adaptertest.Harness {
	var all []adaptertest.Harness
	for _, shape := range []string{"Middleware", "DefineModel", "Plugin"} {
		all = append(all, harness(shape, adaptertest.ChatCompletions, 0), harness(shape, adaptertest.Messages, adaptertest.Reasoning))
	}
	return all
}

func newClient(t *testing.T, shape string, s adaptertest.Setup) *client {
	t.Helper()
	c := &client{model: "openai/gpt-4o", setup: s, with: []ai.ModelMiddleware{sorted}}
	var plugin api.Plugin = &compat_oai.OpenAICompatible{ // what the plugin for OpenAI is, without its dozen models
		Provider: "openai", APIKey: "none", BaseURL: s.URL + "/v1/", Opts: []option.RequestOption{option.WithMaxRetries(0)},
	}
	if s.API == adaptertest.Messages {
		c.model, plugin = "anthropic/claude", &anthropic.Anthropic{APIKey: "none", BaseURL: s.URL}
	}
	if shape == "Plugin" && !s.Bare {
		plugin = genkitkit.Plugin(plugin, s.Transformer, s.Options...)
	}
	c.g = genkit.Init(t.Context(), genkit.WithPlugins(plugin))
	switch {
	case s.Bare:
	case shape == "Middleware":
		c.with = append(c.with, genkitkit.Middleware(s.Transformer, s.Options...))
	case shape == "DefineModel":
		m, err := genkitkit.DefineModel(c.g, "trimmed", ai.NewModelRef(c.model, nil), s.Transformer, s.Options...)
		require.NoError(t, err)
		c.model = m.Name()
	}
	for _, tool := range s.Tools {
		var schema map[string]any
		require.NoError(t, json.Unmarshal([]byte(tool.Schema), &schema))
		c.tools = append(c.tools, genkit.DefineTool(c.g, tool.Name, tool.Description, func(ctx *ai.ToolContext, in any) (string, error) {
			arguments, err := json.Marshal(in)
			if err != nil {
				return "", err
			}
			return tool.Run(ctx, string(arguments))
		}, ai.WithInputSchema(schema)))
	}
	return c
}

// sorted makes requests the same from call to call: Genkit takes tools out of a map.
func sorted(next ai.ModelFunc) ai.ModelFunc {
	return func(ctx context.Context, r *ai.ModelRequest, stream ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		slices.SortFunc(r.Tools, func(a, b *ai.ToolDefinition) int { return strings.Compare(a.Name, b.Name) })
		return next(ctx, r, stream)
	}
}

// Call makes one model call.
func (c *client) Call(ctx context.Context, messages any, onChunk func(string)) (adaptertest.Reply, error) {
	return c.generate(ctx, messages, onChunk, ai.WithReturnToolRequests(true))
}

// Loop runs Genkit's loop.
func (c *client) Loop(ctx context.Context, messages any, onChunk func(string)) (adaptertest.Reply, error) {
	return c.generate(ctx, messages, onChunk, ai.WithMaxTurns(c.setup.MaxSteps))
}

func (c *client) generate(ctx context.Context, messages any, onChunk func(string), opts ...ai.GenerateOption) (adaptertest.Reply, error) {
	native, ok := messages.([]*ai.Message)
	if !ok {
		return adaptertest.Reply{}, fmt.Errorf("not Genkit's messages: %T", messages)
	}
	opts = append(opts, ai.WithModelName(c.model), ai.WithMessages(native...), ai.WithMiddleware(c.with...))
	if config := c.config(onChunk != nil); config != nil {
		opts = append(opts, ai.WithConfig(config))
	}
	if len(c.tools) > 0 {
		opts = append(opts, ai.WithTools(c.tools...))
	}
	if onChunk != nil {
		opts = append(opts, ai.WithStreaming(func(_ context.Context, chunk *ai.ModelResponseChunk) error {
			if text := chunk.Text(); text != "" && chunk.Role == ai.RoleModel {
				onChunk(text)
			}
			return nil
		}))
	}
	response, err := genkit.Generate(ctx, c.g, opts...)
	if err != nil {
		return adaptertest.Reply{}, err
	}
	reply := adaptertest.Reply{Text: response.Text()}
	for _, r := range response.ToolRequests() {
		arguments, err := json.Marshal(r.Input)
		if err != nil {
			return adaptertest.Reply{}, err
		}
		reply.Calls = append(reply.Calls, core.Part{Kind: core.KindToolCall, Tool: r.Name, CallID: r.Ref, Text: string(arguments)})
	}
	return reply, nil
}

// config is the plugins' own. Anthropic's takes no request without a bound.
func (c *client) config(stream bool) any {
	if c.setup.API == adaptertest.Messages {
		bound := c.setup.MaxTokens
		if bound == 0 {
			bound = 64
		}
		return map[string]any{"max_tokens": bound}
	}
	if c.setup.MaxTokens == 0 && !stream {
		return nil
	}
	var p sdk.ChatCompletionNewParams
	if c.setup.MaxTokens > 0 {
		p.MaxTokens = sdk.Int(int64(c.setup.MaxTokens))
	}
	if stream {
		p.StreamOptions.IncludeUsage = sdk.Bool(true)
	}
	return &p
}

// nativeOf makes Genkit's messages of a history.
func nativeOf(history []core.Message) []*ai.Message {
	roles := map[core.Role]ai.Role{core.RoleSystem: ai.RoleSystem, core.RoleUser: ai.RoleUser, core.RoleAssistant: ai.RoleModel, core.RoleTool: ai.RoleTool}
	var native []*ai.Message
	for i := range history {
		m := &ai.Message{Role: roles[history[i].Role]}
		if p := history[i].Policy; p != core.PolicyDefault {
			m.Metadata = map[string]any{"trimkit.policy": p.String()}
		}
		for k := range history[i].Parts {
			m.Content = append(m.Content, nativePart(&history[i].Parts[k]))
		}
		native = append(native, m)
	}
	return native
}

func nativePart(p *core.Part) *ai.Part {
	switch p.Kind {
	case core.KindReasoning:
		if !p.Signed {
			return ai.NewReasoningPart(p.Text, nil)
		}
		return ai.NewReasoningPart(p.Text, []byte("signature"))
	case core.KindMedia:
		if url := p.Media.URL; url != "" {
			return ai.NewMediaPart(p.Media.MIME, url)
		}
		return ai.NewMediaPart(p.Media.MIME, "data:"+p.Media.MIME+";base64,"+base64.StdEncoding.EncodeToString(p.Media.Data))
	case core.KindToolCall:
		var input any
		if json.Unmarshal([]byte(p.Text), &input) != nil {
			input = p.Text
		}
		return request(p.Tool, p.CallID, input)
	case core.KindToolResult:
		return response(p.Tool, p.CallID, p.Text)
	default:
		return ai.NewTextPart(p.Text)
	}
}

// specimens are messages with what only Genkit's can have.
func specimens(protocol adaptertest.API) map[string]any {
	interrupted := request("f", "1", map[string]any{"a": []any{1, "two"}})
	interrupted.Metadata = map[string]any{"resolvedInterrupt": map[string]any{"why": "asks"}}
	pending := response("f", "1", map[string]any{"rows": []any{map[string]any{"n": 1}, long}})
	pending.Metadata = map[string]any{"source": "pending"}
	resumed := ai.NewMessage(ai.RoleTool, map[string]any{"resumed": true}, pending)
	ends := func(messages ...*ai.Message) []*ai.Message {
		all := []*ai.Message{ai.NewSystemMessage(ai.NewTextPart("be"), ai.NewTextPart("brief")), ai.NewUserTextMessage("task")}
		return append(append(all, messages...), ai.NewModelTextMessage("seen"), ai.NewUserTextMessage("question"))
	}
	all := map[string]any{
		"structured":    ends(ai.NewModelMessage(interrupted), resumed),
		"image":         ends(ai.NewModelTextMessage("which?"), ai.NewUserMessage(ai.NewTextPart("this"), ai.NewMediaPart("image/png", pixel))),
		"cache marker":  ends(ai.NewModelTextMessage("yes"), ai.NewUserTextMessage(long).WithCacheTTL(60)),
		"metadata":      ends(ai.NewModelTextMessage("yes"), ai.NewUserMessageWithMetadata(map[string]any{"mine": []string{"a"}}, ai.NewTextPart("b"))),
		"parallel":      ends(ai.NewModelMessage(request("f", "1", map[string]any{}), request("g", "2", map[string]any{"a": 1})), ai.NewMessage(ai.RoleTool, nil, response("g", "2", "b"), response("f", "1", "a"))),
		"purpose":       ends(ai.NewModelTextMessage("yes"), ai.NewUserMessage(ai.NewTextPart("b"), &ai.Part{Text: "as JSON", Metadata: map[string]any{"purpose": "output"}})),
		"response list": ends(ai.NewModelMessage(request("f", "1", map[string]any{})), ai.NewMessage(ai.RoleTool, nil, response("f", "1", []string{"a", "b"}))),
	}
	if protocol == adaptertest.Messages {
		all["thinking"] = ends(ai.NewModelMessage(ai.NewReasoningPart("hm", []byte("signature")), request("f", "1", map[string]any{})), ai.NewMessage(ai.RoleTool, nil, response("f", "1", "a")))
	} else {
		all["no refs"] = ends(ai.NewModelMessage(request("f", "", map[string]any{})), ai.NewMessage(ai.RoleTool, nil, response("f", "", "a")))
		all["custom"] = ends(ai.NewModelTextMessage("yes"), ai.NewUserMessage(ai.NewTextPart("b"), ai.NewCustomPart(map[string]any{"k": 1})))
	}
	return all
}
