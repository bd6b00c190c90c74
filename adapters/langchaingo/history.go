package langchainkit

import (
	"context"
	"slices"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// WrapHistory returns a history whose Messages are the view of the store's; everything else
// is the store's own, which keeps every message.
//
// Put it under memory.ConversationBuffer only: memory.ConversationWindowBuffer and
// memory.ConversationTokenBuffer read the messages, cut them and write the rest back with
// SetMessages, and what they write would be the view. The history ends before the question
// that is about to be asked, so that is not counted; [NewMemory] counts it.
//
// Messages fails, with an error that errors.As finds a *budget.OverBudgetError in, if what
// must stay does not fit, unless [adapters.SendAnyway].
func WrapHistory(inner schema.ChatMessageHistory, t core.Transformer, opts ...adapters.Option) schema.ChatMessageHistory {
	return &history{ChatMessageHistory: inner, viewer: newViewer(t, opts)}
}

type history struct {
	schema.ChatMessageHistory
	viewer *viewer
}

func (h *history) Messages(ctx context.Context) ([]llms.ChatMessage, error) {
	messages, err := h.ChatMessageHistory.Messages(ctx)
	if err != nil {
		return messages, err
	}
	return h.viewer.view(ctx, messages)
}

// viewer makes views of stored messages.
type viewer struct {
	caller *adapters.Caller
	policy func(int, llms.ChatMessage) core.Policy
}

func newViewer(t core.Transformer, opts []adapters.Option) *viewer {
	t, policies := parted(t)
	return &viewer{adapters.NewCaller(t, opts...), policies.Message}
}

// view returns what a call sends of some messages. Stores hand out their own slice, so what
// is appended to a view must not end up in it.
func (v *viewer) view(ctx context.Context, messages []llms.ChatMessage) ([]llms.ChatMessage, error) {
	history := fromChat(messages)
	mark(history, messages, v.policy)
	view, err := v.caller.View(ctx, history, core.Request{})
	if err != nil {
		return nil, err
	}
	kept, err := adapters.Restore(chatMessages, messages, history, view)
	return slices.Clip(kept), err
}
