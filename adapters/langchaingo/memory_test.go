package langchainkit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/schema"

	"github.com/trimkit/trimkit/adapters"
	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
)

// chats returns messages of every kind that a store can have, new ones each time.
func chats() []llms.ChatMessage {
	return []llms.ChatMessage{
		llms.SystemChatMessage{Content: "be brief"},
		llms.HumanChatMessage{Content: "the task"},
		nil,
		llms.AIChatMessage{Content: "reading", ReasoningContent: long("thinking"), ToolCalls: []llms.ToolCall{call("c1", "read", "{}"), call("c2", "look", "bare")}},
		llms.ToolChatMessage{ID: "c2", Content: long("second")},
		llms.ToolChatMessage{ID: "c1", Content: long("first")},
		&llms.AIChatMessage{FunctionCall: &llms.FunctionCall{Name: "older", Arguments: "{}"}},
		llms.FunctionChatMessage{Name: "older", Content: long("function")},
		(*llms.HumanChatMessage)(nil),
		llms.GenericChatMessage{Role: "critic", Name: "Ann", Content: long("generic")},
		&llms.HumanChatMessage{Content: long("by pointer")},
		llms.AIChatMessage{},
		strange{},
		llms.HumanChatMessage{Content: "the last question"},
		llms.AIChatMessage{Content: "the last answer"},
	}
}

// strange is a message that the framework does not have.
type strange struct{}

func (strange) GetType() llms.ChatMessageType { return llms.ChatMessageTypeHuman }
func (strange) GetContent() string            { return "strange" }

// stored returns a store with messages.
func stored(t *testing.T, messages []llms.ChatMessage) *memory.ChatMessageHistory {
	t.Helper()
	store := memory.NewChatMessageHistory()
	require.NoError(t, store.SetMessages(t.Context(), messages))
	return store
}

func viewOf(t *testing.T, transformer core.Transformer, messages []llms.ChatMessage) []llms.ChatMessage {
	t.Helper()
	view, err := langchainkit.WrapHistory(stored(t, messages), transformer).Messages(t.Context())
	require.NoError(t, err)
	return view
}

func TestWrapHistory_EveryKindOfMessage(t *testing.T) {
	var s seen
	messages := chats()
	view := viewOf(t, &s, messages)
	assert.Same(t, &messages[0], &view[0])
	history := s.histories[0]
	require.Len(t, history, 13, "nil messages are none")

	assert.Equal(t, []core.Part{
		{Kind: core.KindReasoning, Text: long("thinking")},
		{Text: "reading", Slot: 1},
		{Kind: core.KindToolCall, Slot: 2, CallID: "c1", Tool: "read", Text: "{}"},
		{Kind: core.KindToolCall, Slot: 3, CallID: "c2", Tool: "look", Text: "bare"},
	}, history[2].Parts)
	assert.Equal(t, "look", history[3].Parts[0].Tool)
	assert.Equal(t, "Ann", history[7].Name)
	assert.Equal(t, core.RoleUser, history[7].Role)
	assert.Equal(t, []core.Part{{}}, history[9].Parts)
	assert.Equal(t, core.KindOpaque, history[10].Parts[0].Kind)
	groups := core.NewGroups(history)
	assert.Equal(t, []int{2, 3, 4}, groups.List[2].Msgs)
	assert.Equal(t, []int{5, 6}, groups.List[3].Msgs, "a function call has no id")
}

func TestWrapHistory_Edits(t *testing.T) {
	messages := chats()
	view := viewOf(t, smallest, messages)
	require.Len(t, view, 13)
	assert.Equal(t, chats(), messages, "the store's own values")

	reply, ok := view[2].(llms.AIChatMessage)
	require.True(t, ok)
	assert.Empty(t, reply.ReasoningContent)
	assert.Equal(t, "reading", reply.Content)
	assert.Equal(t, []llms.ToolCall{call("c1", "read", "{}"), call("c2", "look", "bare")}, reply.ToolCalls)
	for at, prefix := range map[int]string{3: core.MarkerPrefix, 4: core.MarkerPrefix, 6: core.MarkerPrefix, 7: "short", 8: "short"} {
		assert.True(t, strings.HasPrefix(view[at].GetContent(), prefix), "message %d: %s", at, view[at].GetContent())
	}
	assert.Equal(t, llms.ToolChatMessage{ID: "c2", Content: view[3].GetContent()}, view[3])
	assert.Equal(t, llms.FunctionChatMessage{Name: "older", Content: view[6].GetContent()}, view[6])
	assert.Equal(t, llms.GenericChatMessage{Role: "critic", Name: "Ann", Content: view[7].GetContent()}, view[7])
	assert.Same(t, messages[6], view[5], "the same pointer where nothing was edited")

	view = viewOf(t, without(2), messages) // the exchange
	assert.Equal(t, append([]llms.ChatMessage{messages[0], messages[1], messages[6], messages[7]}, messages[9:]...), view)
}

func TestWrapHistory_InsertedMessages(t *testing.T) {
	messages := []llms.ChatMessage{
		llms.HumanChatMessage{Content: "task"},
		llms.AIChatMessage{Content: long("old")},
		llms.HumanChatMessage{Content: "more"},
		llms.AIChatMessage{Content: "newer"},
		llms.HumanChatMessage{Content: "last"},
		llms.AIChatMessage{Content: "end"},
	}
	view := viewOf(t, editing(func(_ *core.Window, msg, _ int) (core.Edit, bool) {
		return core.Edit{Op: []core.Op{0, core.Drop, core.Insert, 0, 0, 0}[msg], Text: "said"}, msg == 1 || msg == 2
	}), messages)
	require.Len(t, view, 6)
	assert.Equal(t, llms.HumanChatMessage{Content: "[trimkit: inserted: test]\nsaid"}, view[1])
}

// chatter returns a stored conversation of so many messages, with calls.
func chatter(n int) []llms.ChatMessage {
	messages := []llms.ChatMessage{llms.SystemChatMessage{Content: "be brief"}}
	for i := 0; len(messages) < n; i++ {
		id := fmt.Sprint("c", i)
		messages = append(messages, llms.HumanChatMessage{Content: fmt.Sprint("question ", i)},
			llms.AIChatMessage{ToolCalls: []llms.ToolCall{call(id, "read", "{}")}},
			llms.ToolChatMessage{ID: id, Content: long(id)}, llms.AIChatMessage{Content: fmt.Sprint("answer ", i)})
	}
	return messages
}

func TestWrapHistory_TheStoreKeepsEverything(t *testing.T) {
	messages := chatter(81)
	store := stored(t, messages)
	view := langchainkit.WrapHistory(store, trim(t, 600))
	shown, err := view.Messages(t.Context())
	require.NoError(t, err)
	assert.Less(t, len(shown), 40)
	assert.Equal(t, messages[0], shown[0])
	require.NoError(t, view.AddUserMessage(t.Context(), "new"))
	require.NoError(t, view.AddAIMessage(t.Context(), "reply"))
	kept, err := store.Messages(t.Context())
	require.NoError(t, err)
	assert.Len(t, kept, 83)
	assert.Equal(t, messages, kept[:81])

	// What is appended to a view must not write to the store's slice.
	room := slices.Grow(slices.Clone(messages), 10)
	whole, err := langchainkit.WrapHistory(stored(t, room), nil).Messages(t.Context())
	require.NoError(t, err)
	_ = append(whole, llms.HumanChatMessage{Content: "stray"})
	assert.Nil(t, room[:82][81])
}

// broken is a store that fails.
type broken struct{ schema.ChatMessageHistory }

var errStore = errors.New("the store is down")

func (broken) Messages(context.Context) ([]llms.ChatMessage, error) { return nil, errStore }

func TestMemories_Errors(t *testing.T) {
	_, err := langchainkit.WrapHistory(broken{}, nil).Messages(t.Context())
	require.ErrorIs(t, err, errStore)
	buffer := []memory.ConversationBufferOption{memory.WithChatHistory(broken{}), memory.WithReturnMessages(true)}
	_, err = langchainkit.NewMemory(nil, buffer).LoadMemoryVariables(t.Context(), nil)
	require.ErrorIs(t, err, errStore)
	_, err = langchainkit.WrapMemory(memory.NewConversationBuffer(buffer...), nil).LoadMemoryVariables(t.Context(), nil)
	require.ErrorIs(t, err, errStore)

	full := []memory.ConversationBufferOption{memory.WithChatHistory(stored(t, []llms.ChatMessage{llms.HumanChatMessage{Content: long("task")}})), memory.WithReturnMessages(true)}
	_, err = langchainkit.NewMemory(trim(t, 30), full).LoadMemoryVariables(t.Context(), nil)
	overBudget(t, err)
	_, err = langchainkit.WrapMemory(memory.NewConversationBuffer(full...), trim(t, 30)).LoadMemoryVariables(t.Context(), nil)
	overBudget(t, err)
	_, err = langchainkit.WrapMemory(memory.NewConversationBuffer(full...), trim(t, 30), adapters.SendAnyway()).LoadMemoryVariables(t.Context(), nil)
	require.NoError(t, err)
}

func TestWrapMemory_OnlyMessages(t *testing.T) {
	messages := chatter(81)
	for _, asMessages := range []bool{true, false} {
		inner := memory.NewConversationBuffer(memory.WithChatHistory(stored(t, messages)), memory.WithReturnMessages(asMessages))
		whole, err := inner.LoadMemoryVariables(t.Context(), nil)
		require.NoError(t, err)
		wrapped := langchainkit.WrapMemory(inner, trim(t, 600))
		loaded, err := wrapped.LoadMemoryVariables(t.Context(), nil)
		require.NoError(t, err)
		assert.Equal(t, inner.MemoryVariables(t.Context()), wrapped.MemoryVariables(t.Context()))
		if !asMessages {
			assert.Equal(t, whole, loaded)
			continue
		}
		shown, ok := loaded["history"].([]llms.ChatMessage)
		require.True(t, ok)
		assert.Less(t, len(shown), 40)
	}
}

func TestPolicies_Message(t *testing.T) {
	messages := chatter(81)
	pinned := langchainkit.Policies{Transformer: trim(t, 600), Message: func(i int, m llms.ChatMessage) core.Policy {
		if i == 8 && m.GetType() == llms.ChatMessageTypeAI {
			return core.Locked
		}
		return core.PolicyDefault
	}}
	assert.NotContains(t, viewOf(t, trim(t, 600), messages), messages[8])
	assert.Contains(t, viewOf(t, pinned, messages), messages[8])
}

func TestNewMemory_DecidesBeforeTheCallWithTheQuestion(t *testing.T) {
	messages := chatter(41)
	var s seen
	mem := langchainkit.NewMemory(&s, []memory.ConversationBufferOption{
		memory.WithChatHistory(stored(t, messages)), memory.WithReturnMessages(true), memory.WithInputKey("input"), memory.WithMemoryKey("chat"),
	})
	loaded, err := mem.LoadMemoryVariables(t.Context(), map[string]any{"input": "the question", "other": "x"})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"chat": messages}, loaded)
	asked := s.histories[0]
	require.Len(t, asked, 42)
	assert.Equal(t, "the question", asked[41].Parts[0].Text)

	loaded, err = mem.LoadMemoryVariables(t.Context(), map[string]any{"a": "one", "b": "two"})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"chat": messages}, loaded, "an unknown question is not counted")
	assert.Len(t, s.histories[1], 41)

	// A longer question leaves less room for what was said.
	mem = langchainkit.NewMemory(trim(t, 900), []memory.ConversationBufferOption{memory.WithChatHistory(mem.ChatHistory), memory.WithReturnMessages(true)})
	var shown []int
	for _, question := range []string{"short", strings.Repeat(long("long"), 4)} {
		loaded, err := mem.LoadMemoryVariables(t.Context(), map[string]any{"input": question})
		require.NoError(t, err)
		view, ok := loaded["history"].([]llms.ChatMessage)
		require.True(t, ok)
		shown = append(shown, len(view))
		assert.NotContains(t, view, llms.HumanChatMessage{Content: question})
	}
	assert.Less(t, shown[1], shown[0])
}

// Beside it, what the framework's own does with one answer that is larger than its limit.
func TestNewMemory_NothingIsDestroyed(t *testing.T) {
	remember := func(m schema.Memory) {
		for i := range 6 {
			answer := fmt.Sprint("answer ", i)
			if i == 5 {
				answer = strings.Repeat(long("huge"), 20)
			}
			require.NoError(t, m.SaveContext(t.Context(), map[string]any{"input": fmt.Sprint("question ", i)}, map[string]any{"text": answer}))
		}
	}
	ours := langchainkit.NewMemory(trim(t, 400), nil)
	remember(ours)
	kept, err := ours.ChatHistory.Messages(t.Context())
	require.NoError(t, err)
	assert.Len(t, kept, 12)
	loaded, err := ours.LoadMemoryVariables(t.Context(), map[string]any{"input": "next"})
	require.NoError(t, err)
	view, ok := loaded["history"].(string)
	require.True(t, ok)
	assert.True(t, strings.HasPrefix(view, "Human: question 0\n"), view)
	assert.NotContains(t, view, "huge")
	assert.NotContains(t, view, "next")

	theirs := memory.NewConversationTokenBuffer(&stub{}, 300)
	remember(theirs)
	left, err := theirs.ChatHistory.Messages(t.Context())
	require.NoError(t, err)
	assert.Empty(t, left, "the framework's own memory has changed: is this one still needed?")
}

func TestNewMemory_InAChain(t *testing.T) {
	var inner stub
	mem := langchainkit.NewMemory(enforcer(t, 1500), nil)
	chain := chains.NewConversation(langchainkit.WrapModel(&inner, trim(t, 2000)), mem)
	for i := range 40 {
		_, err := chains.Run(t.Context(), chain, fmt.Sprintf("question %d %s", i, long("q")))
		require.NoError(t, err)
	}
	for _, sent := range inner.calls {
		require.Len(t, sent, 1)
	}
	kept, err := mem.ChatHistory.Messages(t.Context())
	require.NoError(t, err)
	assert.Len(t, kept, 80)
	require.NoError(t, mem.Clear(t.Context()))
}

func TestMemories_ConcurrentUse(t *testing.T) {
	store := stored(t, chats()[:12])
	transformer := enforcer(t, 500)
	history := langchainkit.WrapHistory(store, transformer)
	mem := langchainkit.NewMemory(transformer, []memory.ConversationBufferOption{memory.WithChatHistory(store), memory.WithReturnMessages(true)})
	var wait sync.WaitGroup
	for range 32 {
		wait.Go(func() {
			for range 20 {
				_, err := history.Messages(t.Context())
				assert.NoError(t, err)
				_, err = mem.LoadMemoryVariables(t.Context(), map[string]any{"input": "q"})
				assert.NoError(t, err)
			}
		})
	}
	wait.Wait()
}
