package langchainkit

import (
	"context"
	"maps"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// WrapMemory returns a memory whose variables of type []llms.ChatMessage are views of
// inner's, such as those of a memory.ConversationBuffer with ReturnMessages. A conversation
// that a memory has as one text cannot be taken apart again and stays as it is: use
// [NewMemory], or [WrapHistory] under that memory. Everything else is inner's own.
//
// Loading fails as [WrapHistory] does.
func WrapMemory(inner schema.Memory, t core.Transformer, opts ...adapters.Option) schema.Memory {
	return &wrappedMemory{Memory: inner, viewer: newViewer(t, opts)}
}

type wrappedMemory struct {
	schema.Memory
	viewer *viewer
}

func (m *wrappedMemory) LoadMemoryVariables(ctx context.Context, inputs map[string]any) (map[string]any, error) {
	variables, err := m.Memory.LoadMemoryVariables(ctx, inputs)
	if err != nil {
		return variables, err
	}
	variables = maps.Clone(variables) // it may be inner's own
	for key, value := range variables {
		if messages, ok := value.([]llms.ChatMessage); ok {
			if variables[key], err = m.viewer.view(ctx, messages); err != nil {
				return nil, err
			}
		}
	}
	return variables, nil
}

// Memory is the memory of a chain: a buffer that keeps the whole conversation and loads the
// view of it. See [NewMemory].
type Memory struct {
	*memory.ConversationBuffer // with the whole conversation in its ChatHistory

	viewer *viewer
}

var _ schema.Memory = (*Memory)(nil)

// NewMemory returns a memory that goes where a memory.ConversationTokenBuffer would. It
// decides before the call and not after it, with the question that is about to be asked
// counted; it leaves calls with their results, keeps system messages, counts as t counts, and
// destroys nothing: the store keeps every message.
//
// buffer are the framework's own options, such as memory.WithChatHistory and
// memory.WithReturnMessages. The question is the input that memory.WithInputKey names, or the
// only one; where there are several and none is named it is not counted.
//
// Loading fails as [WrapHistory] does. A Memory is safe for concurrent use if its store is.
func NewMemory(t core.Transformer, buffer []memory.ConversationBufferOption, opts ...adapters.Option) *Memory {
	return &Memory{ConversationBuffer: memory.NewConversationBuffer(buffer...), viewer: newViewer(t, opts)}
}

// LoadMemoryVariables returns the view of the conversation under the memory's key, as
// messages or as a text.
func (m *Memory) LoadMemoryVariables(ctx context.Context, inputs map[string]any) (map[string]any, error) {
	messages, err := m.ChatHistory.Messages(ctx)
	if err != nil {
		return nil, err
	}
	asked := messages
	if question, err := memory.GetInputValue(inputs, m.InputKey); err == nil {
		asked = append(messages[:len(messages):len(messages)], llms.HumanChatMessage{Content: question})
	}
	view, err := m.viewer.view(ctx, asked)
	if err != nil {
		return nil, err
	}
	if len(asked) > len(messages) { // the question is unread, so it is the last and whole
		view = view[: len(view)-1 : len(view)-1]
	}
	shown := *m.ConversationBuffer
	shown.ChatHistory = &fixed{messages: view}
	return shown.LoadMemoryVariables(ctx, inputs)
}

// fixed is a history of which nothing but its messages is asked.
type fixed struct {
	schema.ChatMessageHistory
	messages []llms.ChatMessage
}

func (f *fixed) Messages(context.Context) ([]llms.ChatMessage, error) { return f.messages, nil }
