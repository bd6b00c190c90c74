package suite_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/cloudwego/eino-ext/components/model/claude"
	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/core"
)

// provider returns the framework's client of an API.
func provider(t *testing.T, s adaptertest.Setup) model.ToolCallingChatModel {
	t.Helper()
	if s.API == adaptertest.Messages {
		m, err := claude.NewChatModel(t.Context(), &claude.Config{
			BaseURL: &s.URL, APIKey: "key", Model: "claude-sonnet-4-0", MaxTokens: max(s.MaxTokens, 256),
		})
		require.NoError(t, err)
		return m
	}
	m, err := openai.NewChatModel(t.Context(), &openai.ChatModelConfig{BaseURL: s.URL + "/v1", APIKey: "key", Model: "gpt-4o"})
	require.NoError(t, err)
	return m
}

// callOptions are those of each call: the bound of the reply, where it has one.
func callOptions(s adaptertest.Setup) (opts []model.Option) {
	if s.MaxTokens > 0 {
		opts = append(opts, model.WithMaxTokens(s.MaxTokens))
	}
	return opts
}

// withTools binds the tools of a setup.
func withTools(t *testing.T, m model.ToolCallingChatModel, s adaptertest.Setup) model.ToolCallingChatModel {
	t.Helper()
	if len(s.Tools) == 0 {
		return m
	}
	bound, err := m.WithTools(infos(s))
	require.NoError(t, err)
	return bound
}

func infos(s adaptertest.Setup) (out []*schema.ToolInfo) {
	for _, each := range s.Tools {
		out = append(out, info(each))
	}
	return out
}

func info(t adaptertest.Tool) *schema.ToolInfo {
	var parameters jsonschema.Schema
	if err := json.Unmarshal([]byte(t.Schema), &parameters); err != nil {
		panic(err)
	}
	return &schema.ToolInfo{Name: t.Name, Desc: t.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&parameters)}
}

// runnable is a tool of the suite as one of the framework.
type runnable struct{ adaptertest.Tool }

func (r runnable) Info(context.Context) (*schema.ToolInfo, error) { return info(r.Tool), nil }

func (r runnable) InvokableRun(ctx context.Context, arguments string, _ ...tool.Option) (string, error) {
	return r.Run(ctx, arguments)
}

func tools(s adaptertest.Setup) (out []tool.BaseTool) {
	for _, each := range s.Tools {
		out = append(out, runnable{each})
	}
	return out
}

// reply is what the suite sees of a message.
func reply(m *schema.Message) adaptertest.Reply {
	out := adaptertest.Reply{Text: m.Content}
	for _, c := range m.ToolCalls {
		out.Calls = append(out.Calls, core.Part{Kind: core.KindToolCall, CallID: c.ID, Tool: c.Function.Name, Text: c.Function.Arguments})
	}
	return out
}

// read takes in a stream.
func read(stream *schema.StreamReader[*schema.Message], onChunk func(string)) (adaptertest.Reply, error) {
	defer stream.Close()
	var chunks []*schema.Message
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return adaptertest.Reply{}, err
		}
		if chunk.Content != "" {
			onChunk(chunk.Content)
		}
		chunks = append(chunks, chunk)
	}
	whole, err := schema.ConcatMessages(chunks)
	if err != nil {
		return adaptertest.Reply{}, err
	}
	return reply(whole), nil
}

// callsTools reads a whole stream for calls: some providers send text before them.
func callsTools(_ context.Context, stream *schema.StreamReader[*schema.Message]) (bool, error) {
	defer stream.Close()
	found := false
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return false, err
		}
		found = found || len(chunk.ToolCalls) > 0
	}
}
