package langchainkit_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"

	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
)

// maker makes native values out of bytes; where they run out it makes the simplest.
type maker struct{ data []byte }

func (m *maker) below(n int) int {
	if len(m.data) == 0 {
		return 0
	}
	b := int(m.data[0])
	m.data = m.data[1:]
	return b % n
}

func (m *maker) id() string   { return []string{"a", "b", "", "c"}[m.below(4)] }
func (m *maker) tool() string { return []string{"read", "", "look"}[m.below(3)] }
func (m *maker) text() string {
	return []string{"word", "", long("text"), "\xff{[trimkit: x]"}[m.below(4)]
}

func (m *maker) part() llms.ContentPart {
	switch m.below(9) {
	case 1:
		return llms.ImageURLContent{URL: m.text(), Detail: "low"}
	case 2:
		return llms.BinaryContent{MIMEType: "image/png", Data: []byte(m.text())}
	case 3:
		return call(m.id(), m.tool(), m.text())
	case 4:
		return llms.ToolCall{ID: m.id()}
	case 5:
		return llms.ToolCallResponse{ToolCallID: m.id(), Name: m.tool(), Content: m.text()}
	case 6:
		return llms.CachedContent{ContentPart: m.part(), CacheControl: []*llms.CacheControl{nil, {Type: "ephemeral"}}[m.below(2)]}
	case 7:
		return nil
	case 8:
		return foreign{Note: m.text()}
	default:
		return llms.TextContent{Text: m.text()}
	}
}

func (m *maker) contents() (messages []llms.MessageContent) {
	roles := []llms.ChatMessageType{
		llms.ChatMessageTypeHuman, llms.ChatMessageTypeAI, llms.ChatMessageTypeTool, llms.ChatMessageTypeSystem,
		llms.ChatMessageTypeGeneric, llms.ChatMessageTypeFunction, "other",
	}
	for len(m.data) > 0 && len(messages) < 64 {
		message := llms.MessageContent{Role: roles[m.below(len(roles))]}
		for range m.below(4) {
			message.Parts = append(message.Parts, m.part())
		}
		messages = append(messages, message)
	}
	return messages
}

func (m *maker) chats() (messages []llms.ChatMessage) {
	for len(m.data) > 0 && len(messages) < 64 {
		messages = append(messages, m.chat())
	}
	return messages
}

func (m *maker) chat() llms.ChatMessage {
	switch m.below(9) {
	case 1:
		reply := llms.AIChatMessage{Content: m.text(), ReasoningContent: m.text()}
		for range m.below(3) {
			reply.ToolCalls = append(reply.ToolCalls, call(m.id(), m.tool(), m.text()))
		}
		if m.below(3) == 1 {
			reply.FunctionCall = &llms.FunctionCall{Name: m.tool(), Arguments: m.text()}
		}
		return []llms.ChatMessage{reply, &reply}[m.below(2)]
	case 2:
		return llms.ToolChatMessage{ID: m.id(), Content: m.text()}
	case 3:
		return llms.FunctionChatMessage{Name: m.tool(), Content: m.text()}
	case 4:
		return llms.SystemChatMessage{Content: m.text()}
	case 5:
		return llms.GenericChatMessage{Role: "x", Name: m.tool(), Content: m.text()}
	case 6:
		return (*llms.ToolChatMessage)(nil)
	case 7:
		return nil
	case 8:
		return strange{}
	default:
		return llms.HumanChatMessage{Content: m.text()}
	}
}

func (m *maker) steps() (steps []schema.AgentStep) {
	for len(m.data) > 0 && len(steps) < 64 {
		input := m.text()
		steps = append(steps, schema.AgentStep{
			Action:      schema.AgentAction{Tool: m.tool(), ToolInput: input, Log: []string{"log " + input, "", input + "\n", m.text()}[m.below(4)]},
			Observation: m.text(),
		})
	}
	return steps
}

// random is an editor that proposes anything, the same for a seed.
func random(seed uint64) core.Transformer {
	return core.TransformFunc(func(ctx context.Context, history []core.Message) ([]core.Message, error) {
		dice := rand.New(rand.NewPCG(seed, 0))
		return editing(func(*core.Window, int, int) (core.Edit, bool) {
			return core.Edit{Op: core.Op(dice.IntN(5)), Text: []string{"short", "", "a"}[dice.IntN(3)]}, dice.IntN(3) > 0
		}).Transform(ctx, history)
	})
}

// fuzzed is what a shape did with native values of which make makes equal ones each time.
func fuzzed[M any](t *testing.T, seed uint64, made func() []M, sent func(core.Transformer, []M) []M) {
	t.Helper()
	native := made()
	if len(native) == 0 {
		return
	}
	same := sent(&seen{}, native)
	require.Len(t, same, len(native))
	assert.Same(t, &native[0], &same[0], "without an edit they are the same")
	edited := sent(random(seed), native)
	assert.True(t, reflect.DeepEqual(made(), native), "nothing is written to the program's values")
	assert.NotEmpty(t, edited)
	assert.LessOrEqual(t, len(edited), 2*len(native)+1)
}

func FuzzShapes(f *testing.F) {
	for seed := range uint64(16) {
		dice := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 8<<(seed/2))
		for i := range data {
			data[i] = byte(dice.Uint32())
		}
		f.Add(seed, data)
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		fuzzed(t, seed, func() []llms.MessageContent { return (&maker{data}).contents() }, func(tr core.Transformer, native []llms.MessageContent) []llms.MessageContent {
			sent := sentBy(t, tr, native)
			for i := range sent {
				if len(sent[i].Parts) == 0 {
					assert.Contains(t, native, sent[i], "a message was emptied")
				}
			}
			return sent
		})
		fuzzed(t, seed, func() []llms.ChatMessage { return (&maker{data}).chats() }, func(tr core.Transformer, native []llms.ChatMessage) []llms.ChatMessage {
			return viewOf(t, tr, native)
		})
		fuzzed(t, seed, func() []schema.AgentStep { return (&maker{data}).steps() }, func(tr core.Transformer, native []schema.AgentStep) []schema.AgentStep {
			inner := &scripted{}
			require.NoError(t, plan(t, inner, tr, native))
			if len(inner.steps[0]) == 0 { // every step may go, the question stays
				return native[:1]
			}
			return inner.steps[0]
		})
		_, err := langchainkit.NewMemory(random(seed), nil).LoadMemoryVariables(t.Context(), map[string]any{"q": "x"})
		require.NoError(t, err)
	})
}
