package langchainkit_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/schema"

	"github.com/trimkit/trimkit/adapters/adaptertest"
	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
)

// contentsOf makes messages for a model of a history.
func contentsOf(history []core.Message) (messages []llms.MessageContent) {
	roles := map[core.Role]llms.ChatMessageType{
		core.RoleSystem: llms.ChatMessageTypeSystem, core.RoleUser: llms.ChatMessageTypeHuman,
		core.RoleAssistant: llms.ChatMessageTypeAI, core.RoleTool: llms.ChatMessageTypeTool,
	}
	for _, m := range history {
		var parts []llms.ContentPart
		for _, p := range m.Parts {
			switch {
			case p.Kind == core.KindToolCall:
				parts = append(parts, call(p.CallID, p.Tool, p.Text))
			case p.Kind == core.KindToolResult:
				parts = append(parts, llms.ToolCallResponse{ToolCallID: p.CallID, Name: p.Tool, Content: p.Text})
			case p.Media != nil && p.Media.URL != "":
				parts = append(parts, llms.ImageURLContent{URL: p.Media.URL, Detail: p.Media.Detail})
			case p.Media != nil:
				parts = append(parts, llms.BinaryContent{MIMEType: p.Media.MIME, Data: p.Media.Data})
			case p.Kind == core.KindText:
				parts = append(parts, llms.TextContent{Text: p.Text})
			}
		}
		messages = append(messages, llms.MessageContent{Role: roles[m.Role], Parts: parts})
	}
	return messages
}

// chatsOf makes messages of a store of a history.
func chatsOf(history []core.Message) (messages []llms.ChatMessage) {
	for _, m := range contentsOf(history) {
		var reply llms.AIChatMessage
		for _, part := range m.Parts {
			switch p := part.(type) {
			case llms.ToolCallResponse:
				messages = append(messages, llms.ToolChatMessage{ID: p.ToolCallID, Content: p.Content})
			case llms.ToolCall:
				reply.ToolCalls = append(reply.ToolCalls, p)
			case llms.TextContent:
				reply.Content += p.Text
			}
		}
		switch m.Role {
		case llms.ChatMessageTypeAI:
			messages = append(messages, reply)
		case llms.ChatMessageTypeHuman:
			messages = append(messages, llms.HumanChatMessage{Content: reply.Content})
		case llms.ChatMessageTypeSystem:
			messages = append(messages, llms.SystemChatMessage{Content: reply.Content})
		}
	}
	return messages
}

// asContents is what programs do with the messages of a memory.
func asContents(chats []llms.ChatMessage) (messages []llms.MessageContent) {
	for _, chat := range chats {
		m := llms.MessageContent{Role: chat.GetType()}
		if tool, ok := chat.(llms.ToolChatMessage); ok {
			m.Parts = []llms.ContentPart{llms.ToolCallResponse{ToolCallID: tool.ID, Content: tool.Content}}
		} else if chat.GetContent() != "" {
			m.Parts = []llms.ContentPart{llms.TextContent{Text: chat.GetContent()}}
		}
		if reply, ok := chat.(llms.AIChatMessage); ok {
			for _, c := range reply.ToolCalls {
				m.Parts = append(m.Parts, c)
			}
		}
		messages = append(messages, m)
	}
	return messages
}

// read returns what a memory shows of a store.
type read func(ctx context.Context, store schema.ChatMessageHistory, s adaptertest.Setup) ([]llms.ChatMessage, error)

// chatHarnesses drive the shapes that show a store's messages, each followed by a call.
func chatHarnesses() (harnesses []adaptertest.Harness) {
	loaded := func(variables map[string]any, err error) ([]llms.ChatMessage, error) {
		messages, _ := variables["history"].([]llms.ChatMessage)
		return messages, err
	}
	for name, shape := range map[string]read{
		"WrapHistory": func(ctx context.Context, store schema.ChatMessageHistory, s adaptertest.Setup) ([]llms.ChatMessage, error) {
			return langchainkit.WrapHistory(store, s.Transformer, s.Options...).Messages(ctx)
		},
		"WrapMemory": func(ctx context.Context, store schema.ChatMessageHistory, s adaptertest.Setup) ([]llms.ChatMessage, error) {
			buffer := memory.NewConversationBuffer(memory.WithChatHistory(store), memory.WithReturnMessages(true))
			return loaded(langchainkit.WrapMemory(buffer, s.Transformer, s.Options...).LoadMemoryVariables(ctx, nil))
		},
		"NewMemory": func(ctx context.Context, store schema.ChatMessageHistory, s adaptertest.Setup) ([]llms.ChatMessage, error) {
			messages, err := store.Messages(ctx)
			if err != nil {
				return nil, err
			}
			inputs := map[string]any{}
			question, asks := messages[len(messages)-1].(llms.HumanChatMessage)
			if asks {
				inputs["input"] = question.Content
				store = memory.NewChatMessageHistory(memory.WithPreviousMessages(messages[:len(messages)-1]))
			}
			buffer := []memory.ConversationBufferOption{memory.WithChatHistory(store), memory.WithReturnMessages(true)}
			shown, err := loaded(langchainkit.NewMemory(s.Transformer, buffer, s.Options...).LoadMemoryVariables(ctx, inputs))
			if err == nil && asks {
				shown = append(shown, question)
			}
			return shown, err
		},
	} {
		harnesses = append(harnesses, adaptertest.Harness{
			Name:      name,
			Features:  adaptertest.Streams | adaptertest.Errors | adaptertest.Concurrent,
			APIs:      []adaptertest.API{adaptertest.ChatCompletions, adaptertest.Messages},
			Native:    func(history []core.Message) any { return chatsOf(history) },
			Specimens: func() map[string]any { return nil },
			New: func(t *testing.T, s adaptertest.Setup) adaptertest.Client {
				t.Helper()
				return &chatClient{modelClient{realModel(t, s), s}, shape}
			},
		})
	}
	return harnesses
}

type chatClient struct {
	modelClient

	read read
}

func (c *chatClient) Call(ctx context.Context, messages any, onChunk func(string)) (adaptertest.Reply, error) {
	shown, ok := messages.([]llms.ChatMessage)
	if !ok {
		return adaptertest.Reply{}, errors.New("not this harness's messages")
	}
	if !c.setup.Bare {
		var err error
		if shown, err = c.read(ctx, memory.NewChatMessageHistory(memory.WithPreviousMessages(shown)), c.setup); err != nil {
			return adaptertest.Reply{}, err
		}
	}
	return c.generate(ctx, asContents(shown), onChunk)
}
