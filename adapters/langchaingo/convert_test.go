package langchainkit_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"

	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
)

// historyOf returns the history that a transformer gets of some messages.
func historyOf(t *testing.T, messages []llms.MessageContent) []core.Message {
	t.Helper()
	var s seen
	_, err := langchainkit.WrapModel(&stub{}, &s).GenerateContent(t.Context(), messages)
	require.NoError(t, err)
	require.Len(t, s.histories, 1)
	return s.histories[0]
}

// sentBy returns what a model is sent of some messages under a transformer.
func sentBy(t *testing.T, transformer core.Transformer, messages []llms.MessageContent) []llms.MessageContent {
	t.Helper()
	var inner stub
	_, err := langchainkit.WrapModel(&inner, transformer).GenerateContent(t.Context(), messages)
	require.NoError(t, err)
	require.Len(t, inner.calls, 1)
	return inner.calls[0]
}

func TestConvert_EveryKindOfPart(t *testing.T) {
	history := historyOf(t, everything())
	require.Len(t, history, 10)
	roles := make([]core.Role, 0, len(history))
	for _, m := range history {
		roles = append(roles, m.Role)
	}
	assert.Equal(t, []core.Role{
		core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleTool, core.RoleTool, core.RoleUser,
		core.RoleAssistant, core.RoleUser, core.RoleAssistant, core.RoleUser,
	}, roles)

	assert.Equal(t, core.Part{Kind: core.KindToolCall, CallID: "c1", Tool: "read", Text: `{"path":"a"}`}, history[2].Parts[0])
	assert.Equal(t, core.Part{Kind: core.KindToolCall, Slot: 1, CallID: "c2", Tool: "look", Text: "not JSON"}, history[2].Parts[1])
	assert.Equal(t, core.Part{Kind: core.KindToolResult, CallID: "c1", Tool: "read", Text: long("first")}, history[3].Parts[0])
	parts := history[5].Parts
	require.Len(t, parts, 4)
	assert.Equal(t, &core.Media{URL: "https://example.com/" + long("address"), Detail: "low"}, parts[1].Media)
	assert.Equal(t, core.KindMedia, parts[1].Kind)
	assert.Equal(t, &core.Media{MIME: "image/png", Data: make([]byte, 4000)}, parts[2].Media)
	assert.Empty(t, parts[1].Text+parts[2].Text)
	assert.Equal(t, core.Part{Slot: 3, Text: long("no marker")}, parts[3])
	for i := range history {
		assert.Zero(t, history[i].Policy)
	}
}

func TestConvert_WithoutAnEditTheVerySliceIsSent(t *testing.T) {
	messages := everything()
	for name, transformer := range map[string]core.Transformer{
		"none": nil, "guarded": &seen{}, "Trim": trim(t, 1_000_000), "Enforcer": enforcer(t, 1_000_000),
	} {
		sent := sentBy(t, transformer, messages)
		assert.Same(t, &messages[0], &sent[0], name)
		assert.Len(t, sent, len(messages), name)
	}
}

func TestConvert_EditsOfEveryKind(t *testing.T) {
	messages := everything()
	sent := sentBy(t, smallest, messages)
	require.Len(t, sent, len(messages))
	assert.Equal(t, everything(), messages, "the program's own values")

	assert.Equal(t, messages[2], sent[2], "calls are as they were")
	first, ok := sent[3].Parts[0].(llms.ToolCallResponse)
	require.True(t, ok)
	assert.Contains(t, first.Content, core.MarkerPrefix)
	assert.Equal(t, "c1", first.ToolCallID)
	assert.Equal(t, "read", first.Name)
	require.Len(t, sent[5].Parts, 4)
	for i, part := range sent[5].Parts {
		if cached, ok := part.(llms.CachedContent); ok {
			assert.Equal(t, 3, i)
			part = cached.ContentPart
		}
		edited, ok := part.(llms.TextContent)
		require.True(t, ok, "part %d is a %T", i, part)
		assert.Contains(t, edited.Text, core.MarkerPrefix)
	}
	for _, same := range []int{0, 1, 8, 9} {
		assert.Same(t, &messages[same].Parts[0], &sent[same].Parts[0])
	}
}

// What leaves leaves whole, and nothing that stays is merged, split or emptied: the OpenAI
// client refuses two results in a message, Anthropic's sends the first part of a reply only.
func TestConvert_DroppedExchange(t *testing.T) {
	messages := everything()
	sent := sentBy(t, without(2), messages)
	assert.Equal(t, append(messages[:2:2], messages[5:]...), sent)
}

func TestConvert_InsertedMessages(t *testing.T) {
	messages := []llms.MessageContent{human(long("task")), ai(long("old")), human(long("more")), ai(long("newer")), human("now")}
	inserts := editing(func(_ *core.Window, msg, _ int) (core.Edit, bool) {
		switch msg {
		case 1:
			return core.Edit{Op: core.Drop}, true
		case 2:
			return core.Edit{Op: core.Insert, Text: "what was said"}, true
		default:
			return core.Edit{}, false
		}
	})
	sent := sentBy(t, inserts, messages)
	require.Len(t, sent, 5)
	assert.Equal(t, llms.ChatMessageTypeHuman, sent[1].Role)
	assert.Equal(t, []llms.ContentPart{llms.TextContent{Text: "[trimkit: inserted: test]\nwhat was said"}}, sent[1].Parts)
}

// A message that mixes what several say is a message for each, and whole again behind.
func TestConvert_MixedMessage(t *testing.T) {
	mixed := func() []llms.MessageContent {
		return []llms.MessageContent{
			human("task"),
			calls(llms.TextContent{Text: "both"}, call("c1", "read", "{}")),
			message(llms.ChatMessageTypeHuman, llms.ToolCallResponse{ToolCallID: "c1", Content: long("result")}, llms.TextContent{Text: long("and a word")}),
			calls(call("c2", "read", "{}"), llms.ToolCallResponse{ToolCallID: "c2", Content: "r"}, call("c3", "read", "{}"), llms.ToolCallResponse{ToolCallID: "c3", Content: "r"}),
			human("now"),
		}
	}
	history := historyOf(t, mixed())
	require.Len(t, history, 9)
	assert.Equal(t, core.RoleTool, history[2].Role)
	assert.Equal(t, "read", history[2].Parts[0].Tool)
	assert.Equal(t, core.RoleUser, history[3].Role)
	assert.Equal(t, history[4].Reply, history[6].Reply, "calls of one message are one reply")
	assert.NotZero(t, history[4].Reply)
	assert.Equal(t, []int{4, 5, 6, 7}, core.NewGroups(history).List[3].Msgs)

	messages := mixed()
	assert.Same(t, &messages[0], &sentBy(t, &seen{}, messages)[0])
	sent := sentBy(t, without(1), messages)
	require.Len(t, sent, 4)
	assert.Equal(t, messages[2].Parts[1:], sent[1].Parts, "the person's word stays")
	sent = sentBy(t, smallest, messages)
	require.Len(t, sent[2].Parts, 2)

	// A message that is inserted in its middle parts it.
	sent = sentBy(t, editing(func(_ *core.Window, msg, part int) (core.Edit, bool) {
		switch {
		case msg == 2:
			return core.Edit{Op: core.Elide}, true
		case msg == 3:
			return core.Edit{Op: core.Insert, Text: "note"}, part == 0
		default:
			return core.Edit{}, false
		}
	}), messages)
	require.Len(t, sent, 7)
	assert.Len(t, sent[2].Parts, 1)
	assert.Equal(t, messages[2].Parts[1:], sent[4].Parts)
	assert.Equal(t, mixed(), messages)
}

// Anthropic's client takes one call in a message, so programs take parallel ones apart.
func TestConvert_ParallelCallsInMessagesOfTheirOwn(t *testing.T) {
	messages := []llms.MessageContent{
		human("task"),
		ai("two at once"), calls(call("c1", "read", "{}")), calls(call("c2", "read", "{}")), result("c1", "read", "1"), result("c2", "read", "2"),
		calls(call("c3", "read", "{}")), result("c3", "read", "3"),
		ai("done"), human("now"),
	}
	groups := core.NewGroups(historyOf(t, messages))
	assert.Equal(t, []int{2, 3, 4, 5}, groups.List[2].Msgs)
	assert.Equal(t, []int{6, 7}, groups.List[3].Msgs)
	assert.Equal(t, append(messages[:2:2], messages[6:]...), sentBy(t, without(2), messages))
}

// foreign is a part that the framework does not have.
type foreign struct {
	llms.ContentPart

	Note string
}

func TestConvert_UnknownParts(t *testing.T) {
	messages := []llms.MessageContent{
		human("task"),
		message(llms.ChatMessageTypeHuman, foreign{Note: "a note"}, nil, &llms.TextContent{Text: "by pointer"}, llms.CachedContent{}),
		message("unheard of", llms.TextContent{Text: "who?"}),
		{Role: llms.ChatMessageTypeAI},
		human("now"),
	}
	history := historyOf(t, messages)
	require.Len(t, history, 5)
	parts := history[1].Parts
	require.Len(t, parts, 4)
	assert.Equal(t, core.KindOpaque, parts[0].Kind)
	assert.Contains(t, parts[0].Text, "a note")
	assert.Equal(t, core.KindOpaque, parts[1].Kind)
	assert.Contains(t, parts[2].Text, "by pointer")
	assert.Equal(t, core.KindOpaque, parts[3].Kind)
	assert.Zero(t, history[2].Role)
	assert.Empty(t, history[3].Parts)
}

func TestConvert_CallsWithoutIDs(t *testing.T) {
	function := func(name, content string) llms.MessageContent {
		return message(llms.ChatMessageTypeFunction, llms.ToolCallResponse{Name: name, Content: content})
	}
	history := historyOf(t, []llms.MessageContent{
		human("task"),
		calls(call("", "a", "{}"), call("", "b", "{}"), call("", "b", "{}")),
		function("b", "first b"), result("", "", "a"), function("b", "second b"),
		calls(call("", "a", "{}")), // never answered
		human("again"),
		calls(call("", "a", "{}")), function("a", "a"), function("c", "nobody asked"),
		calls(message("", llms.ToolCall{ID: "x"}).Parts...), result("x", "", "of nothing"),
	})
	groups := core.NewGroups(history)
	pairs := map[int][2]int{}
	for m := range history {
		for p := range history[m].Parts {
			if history[m].Parts[p].Kind != core.KindToolResult {
				continue
			}
			if callMsg, callPart, ok := groups.CallOf(m, p); ok {
				pairs[m] = [2]int{callMsg, callPart}
			}
		}
	}
	assert.Equal(t, map[int][2]int{2: {1, 1}, 3: {1, 0}, 4: {1, 2}, 8: {7, 0}, 11: {10, 0}}, pairs)
	assert.Equal(t, "a", history[3].Parts[0].Tool, "the tool is known from the call")
}

func TestCachedContent_PinsItsPrefix(t *testing.T) {
	marked := func(at int) []llms.MessageContent {
		messages := everything()
		messages[at].Parts[0] = llms.WithCacheControl(messages[at].Parts[0], &llms.CacheControl{Type: "ephemeral"})
		return messages
	}
	history := historyOf(t, marked(3))
	for i := range history {
		assert.Equal(t, i <= 3, history[i].Policy == core.Locked, "message %d", i)
	}
	messages := marked(3)
	sent := sentBy(t, smallest, messages)
	for i := range 5 { // the second result belongs to the pinned exchange
		assert.Equal(t, messages[i], sent[i])
	}
	assert.NotEqual(t, messages[5], sent[5])

	// One on the newest message pins everything, and the error says so.
	_, err := langchainkit.WrapModel(&stub{}, trim(t, 200)).GenerateContent(t.Context(), marked(9))
	require.ErrorContains(t, err, "pinned")
}
