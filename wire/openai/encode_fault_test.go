package openai_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/openai"
)

// encoded writes a history and reads it again.
func encoded(t *testing.T, history ...core.Message) []core.Message {
	t.Helper()
	require.True(t, checkEncode(t, history, nil))
	out, err := openai.Encode(history, nil)
	require.NoError(t, err)
	return parse(t, string(out)).Messages()
}

func TestFault_Parallel_CallsOfSeveralMessages(t *testing.T) {
	history := encoded(t, message(core.RoleUser, text("q")),
		reply(1, text("so"), call("a", "f", "{}")), reply(1, call("b", "f", "{}")), reply(1, call("c", "f", "{}")),
		message(core.RoleTool, result("c", "f", "3", 0), result("a", "f", "1", 0)), message(core.RoleTool, result("b", "f", "2", 0)))
	assert.Empty(t, core.Check(core.OpenAI, history))
	assert.Len(t, history[1].Parts, 4, "one reply is one message")
}

func TestFault_Think_StaysWithItsCall(t *testing.T) {
	history := encoded(t, message(core.RoleUser, text("q")), reply(7, reasoning("hm", false)), reply(7, call("c", "f", "{}")), message(core.RoleTool, result("c", "f", "r", 0)))
	assert.Equal(t, []core.Kind{core.KindReasoning, core.KindToolCall}, []core.Kind{history[1].Parts[0].Kind, history[1].Parts[1].Kind})
	for _, m := range history {
		for _, p := range m.Parts {
			assert.False(t, p.Signed, "no signature comes from nowhere")
		}
	}
}

func TestFault_Args_CarriedByEncode(t *testing.T) {
	for _, args := range []string{"x", `{"a":`, "", "null", `"{}"`, "{\"a\":\"\u2028\\u0000\"}"} {
		history := encoded(t, message(core.RoleAssistant, call("c", "f", args)))
		assert.Equal(t, args, history[0].Parts[0].Text)
	}
}

func TestFault_Image_InAResult(t *testing.T) {
	history := encoded(t, message(core.RoleAssistant, call("c", "f", "{}")), message(core.RoleTool, result("c", "f", "a", core.StatusOK),
		core.Part{Kind: core.KindToolResult, CallID: "c", Tool: "f", Status: core.StatusOK, Media: &core.Media{MIME: "image/png", Data: []byte("\x89PNG")}}))
	assert.Equal(t, "data:image/png;base64,iVBORw==", history[1].Parts[1].Media.URL)
	assert.Equal(t, core.StatusOK, history[1].Parts[1].Status)
}

func TestFault_HITL_OpenCallStaysOpen(t *testing.T) {
	history := encoded(t, message(core.RoleUser, text("q")), message(core.RoleAssistant, call("c", "f", "{}")))
	groups := core.NewGroups(history)
	assert.True(t, groups.List[groups.Of[1]].Open)
	_, err := openai.Encode([]core.Message{message(core.RoleTool, result("c", "f", "wait", core.StatusPending))}, nil)
	assert.ErrorContains(t, err, "pending", "an interim result does not pass as the final one")
}
