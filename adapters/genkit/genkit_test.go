package genkitkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
)

// forget drops the oldest exchange as soon as there are two.
var forget = core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) {
	if len(h) < 7 {
		return h, nil
	}
	return slices.Concat(h[:2], h[len(h)-4:]), nil
})

// TestLoop: each turn of the tool loop is trimmed, the history stays whole, and nobody's
// messages are written to; streaming or not, with a model that has a system role or not.
func TestLoop(t *testing.T) {
	for _, shape := range shapes {
		for i := range 4 {
			stream, system := i&1 != 0, i&2 != 0
			t.Run(fmt.Sprintf("%s, stream %v, system role %v", shape, stream, system), func(t *testing.T) { testLoop(t, shape, stream, system) })
		}
	}
}

func testLoop(t *testing.T, shape string, stream, system bool) {
	t.Helper()
	var r recorder
	var contents [][]*ai.Part
	for range 4 {
		contents = append(contents, []*ai.Part{request("echo", "", map[string]any{"Text": "x"}), request("echo", "", map[string]any{"Text": "y"})})
	}
	does := *supports
	does.SystemRole = system
	both := core.Chain(&r, forget)
	g, opts := through(t, shape, &provider{&r, append(contents, []*ai.Part{ai.NewTextPart("done")}), &does}, both)
	tool := genkit.DefineTool(g, "echo", "says it again", func(_ *ai.ToolContext, in struct{ Text string }) (string, error) { return in.Text, nil })
	messages := []*ai.Message{ai.NewSystemTextMessage("be brief"), ai.NewUserTextMessage("task")}
	var chunks int
	if stream {
		opts = append(opts, ai.WithStreaming(func(context.Context, *ai.ModelResponseChunk) error { chunks++; return nil }))
	}
	opts = append(opts, ai.WithMessages(messages...), ai.WithTools(tool), ai.WithDocs(ai.DocumentFromText("a document", nil)))
	response, err := genkit.Generate(t.Context(), g, opts...)
	require.NoError(t, err)

	assert.Equal(t, "done", response.Text())
	assert.Len(t, response.History(), 11, "two, four exchanges of two, and the answer")
	assert.Len(t, messages[1].Content, 1, "the document is not written into the caller's message")
	require.Len(t, r.histories, 5)
	for i, h := range r.histories {
		assert.Len(t, h, 2+2*i)
		assert.Equal(t, core.RoleSystem, h[0].Role, "the system message is still one at turn %d", i)
		assert.Len(t, r.requests[i].Schemas, 1)
		assert.Equal(t, []string{"- [0]: a document\n"}, r.requests[i].Docs)
	}
	for i, sent := range r.sent {
		beside := 0
		if !system {
			beside = 1 // an acknowledgement
		}
		assert.Len(t, sent.Messages, min(2+2*i, 6)+beside)
	}
	if stream {
		assert.Positive(t, chunks)
	}
	assert.Equal(t, stream, chunks > 0)
}

// TestParallel: responses come in the order in which the tools end, and find their requests.
func TestParallel(t *testing.T) {
	var r recorder
	g := start(t, &r, []*ai.Part{request("wait", "", map[string]any{"First": true}), request("wait", "", map[string]any{"First": false})}, []*ai.Part{ai.NewTextPart("done")})
	second := make(chan struct{})
	tool := genkit.DefineTool(g, "wait", "waits", func(_ *ai.ToolContext, in struct{ First bool }) (string, error) {
		if in.First {
			<-second
			return "first", nil
		}
		defer close(second)
		return "second", nil
	})
	_, err := genkit.Generate(t.Context(), g, ai.WithModelName("test/model"), ai.WithMiddleware(genkitkit.Middleware(&r)), ai.WithPrompt("go"), ai.WithTools(tool))
	require.NoError(t, err)
	calls, results := r.histories[1][1], r.histories[1][2]
	for _, result := range results.Parts {
		i := slices.IndexFunc(calls.Parts, func(p core.Part) bool { return p.CallID == result.CallID })
		require.GreaterOrEqual(t, i, 0)
		assert.Equal(t, map[int]string{0: "first", 1: "second"}[i], result.Text)
	}
	assert.Empty(t, core.Check(core.OpenAI, r.histories[1]))
}

// TestInterrupt: an interrupted turn is an open call, and a whole exchange once it is resumed;
// what Genkit noted on the requests stays.
func TestInterrupt(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			var r recorder
			asks := [][]*ai.Part{{request("ask", "1", map[string]any{}), request("echo", "2", map[string]any{})}, {ai.NewTextPart("done")}}
			g, opts := through(t, shape, &provider{&r, asks, supports}, &r)
			ask := genkit.DefineTool(g, "ask", "asks", func(c *ai.ToolContext, _ struct{}) (string, error) {
				return "", c.Interrupt(&ai.InterruptOptions{Metadata: map[string]any{"why": "asks"}})
			})
			echo := genkit.DefineTool(g, "echo", "echoes", func(*ai.ToolContext, struct{}) (string, error) { return "pending", nil })
			opts = append(opts, ai.WithTools(ask, echo))
			response, err := genkit.Generate(t.Context(), g, append(opts, ai.WithPrompt("task"))...)
			require.NoError(t, err)
			require.Len(t, response.Interrupts(), 1)
			history := response.History()
			require.Len(t, history, 2)
			assert.Equal(t, "pending", history[1].Content[1].Metadata["pendingOutput"])

			answer, err := ask.RespondWith(response.Interrupts()[0], "yes")
			require.NoError(t, err)
			_, err = genkit.Generate(t.Context(), g, append(opts, ai.WithMessages(history...), ai.WithToolResponses(answer))...)
			require.NoError(t, err)
			resumed := r.histories[1]
			require.Len(t, resumed, 3)
			assert.Empty(t, core.Check(core.OpenAI, resumed))
			sent := r.last()
			assert.Equal(t, map[string]any{"resolvedInterrupt": map[string]any{"why": "asks"}}, sent[1].Content[0].Metadata)
			assert.Equal(t, true, sent[2].Metadata["resumed"])
		})
	}
}

// TestOverBudget: the error can be matched through whatever Genkit wraps around it, and the
// model is not called.
func TestOverBudget(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			var r recorder
			g, opts := through(t, shape, &provider{&r, nil, supports}, enforcer(t, 200))
			opts = append(opts, ai.WithPrompt(long))
			flow := genkit.DefineFlow(g, "flow", func(ctx context.Context, _ string) (string, error) { return genkit.GenerateText(ctx, g, opts...) })
			var over *budget.OverBudgetError
			_, err := genkit.Generate(t.Context(), g, opts...)
			require.ErrorAs(t, err, &over)
			_, err = flow.Run(t.Context(), "")
			require.ErrorAs(t, err, &over)
			for _, err := range genkit.GenerateStream(t.Context(), g, opts...) {
				require.ErrorAs(t, err, &over)
			}
			assert.Empty(t, r.sent)

			g, opts = through(t, shape, &provider{&r, nil, supports}, enforcer(t, 200), adapters.SendAnyway())
			_, err = genkit.Generate(t.Context(), g, append(opts, ai.WithPrompt(long))...)
			require.NoError(t, err)
			assert.Len(t, r.sent, 1)
		})
	}
}

// TestPrompts: the plugin covers prompts and what the developer UI runs. Middleware given to
// a definition is not run by Genkit, and one given to Execute is.
func TestPrompts(t *testing.T) {
	var r recorder
	g, _ := through(t, "Plugin", &provider{&r, nil, supports}, &r)
	prompt := genkit.DefinePrompt(g, "p", ai.WithModelName("test/model"), ai.WithPrompt("hello"))
	_, err := prompt.Execute(t.Context())
	require.NoError(t, err)
	assert.Len(t, r.histories, 1)
	_, err = genkit.GenerateWithRequest(t.Context(), g, &ai.GenerateActionOptions{Model: "test/model", Messages: []*ai.Message{ai.NewUserTextMessage("a")}}, nil, nil)
	require.NoError(t, err)
	assert.Len(t, r.histories, 2)
	model, ok := genkit.LookupModel(g, "test/model").(interface {
		RunJSON(context.Context, json.RawMessage, func(context.Context, json.RawMessage) error) (json.RawMessage, error)
	})
	require.True(t, ok)
	_, err = model.RunJSON(t.Context(), json.RawMessage(`{"messages":[{"role":"user","content":[{"text":"a"}],"metadata":{"trimkit.policy":"locked"}}]}`), nil)
	require.NoError(t, err)
	require.Len(t, r.histories, 3)
	assert.Equal(t, core.Locked, r.histories[2][0].Policy)

	var bare recorder
	g = start(t, &bare)
	prompt = genkit.DefinePrompt(g, "p", ai.WithModelName("test/model"), ai.WithPrompt("hello"), ai.WithMiddleware(genkitkit.Middleware(&bare)))
	_, err = prompt.Execute(t.Context())
	require.NoError(t, err)
	assert.Empty(t, bare.histories, "if this fails, Genkit has learned it, and doc.go can say so")
	_, err = prompt.Execute(t.Context(), ai.WithMiddleware(genkitkit.Middleware(&bare)))
	require.NoError(t, err)
	assert.Len(t, bare.histories, 1)
}

// TestDescription: a model with a transformer in front of it says of itself what it did before.
func TestDescription(t *testing.T) {
	var r recorder
	p := &provider{&r, nil, supports}
	bare, covered := p.Init(t.Context()), genkitkit.Plugin(p, &r).Init(t.Context())
	require.Len(t, covered, len(bare))
	for i := range bare {
		assert.Equal(t, bare[i].Desc(), covered[i].Desc())
	}
	dynamic, ok := genkitkit.Plugin(p, &r).(api.DynamicPlugin)
	require.True(t, ok)
	assert.Equal(t, "test", dynamic.Name())
	assert.Equal(t, p.ListActions(t.Context()), dynamic.ListActions(t.Context()))
	assert.Nil(t, dynamic.ResolveAction(api.ActionTypeTool, "x"))
	_, ok = genkitkit.Plugin(&static{p}, &r).(api.DynamicPlugin)
	assert.False(t, ok)
}

// TestDefineModel_errors: what is wrong is said at the definition.
func TestDefineModel_errors(t *testing.T) {
	var r recorder
	g := start(t, &r)
	for name, of := range map[string]ai.ModelArg{
		"":           ai.NewModelRef("test/model", nil),
		"test/model": ai.NewModelRef("test/model", nil),
		"new":        ai.NewModelRef("test/none", nil),
		"none":       nil,
	} {
		_, err := genkitkit.DefineModel(g, name, of, &r)
		assert.ErrorContains(t, err, "genkitkit: define", name)
	}
}

// TestDefineModel_config: the reference's configuration is for calls that have none.
func TestDefineModel_config(t *testing.T) {
	var r recorder
	g := start(t, &r)
	m, err := genkitkit.DefineModel(g, "mine", ai.NewModelRef("test/model", map[string]any{"maxOutputTokens": 9}), &r)
	require.NoError(t, err)
	for _, opts := range [][]ai.GenerateOption{nil, {ai.WithConfig(map[string]any{"maxOutputTokens": 5})}} {
		_, err = genkit.Generate(t.Context(), g, append(opts, ai.WithModel(m), ai.WithPrompt("a"))...)
		require.NoError(t, err)
	}
	assert.Equal(t, 9, r.requests[0].Reserve)
	assert.Equal(t, 5, r.requests[1].Reserve)
}

// TestErrors: a model's error comes out as it is, and a model without an answer does no harm.
func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	mw := genkitkit.Middleware(nil)
	_, err := mw(func(context.Context, *ai.ModelRequest, ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		return nil, broken
	})(t.Context(), &ai.ModelRequest{}, nil)
	require.ErrorIs(t, err, broken)
	nothing := func(context.Context, *ai.ModelRequest, ai.ModelStreamCallback) (*ai.ModelResponse, error) {
		return nil, nil
	}
	for _, r := range []*ai.ModelRequest{nil, {}} {
		response, err := mw(nothing)(t.Context(), r, nil)
		require.NoError(t, err)
		assert.Nil(t, response)
	}
}

// TestTwice: where two shapes meet, the inner one trims what the outer one made of it.
func TestTwice(t *testing.T) {
	var r recorder
	kit := enforcer(t, 1_500)
	g, opts := through(t, "Plugin", &provider{&r, nil, supports}, kit)
	messages := loop(response("f", "1", long))
	for range 20 {
		all := append(opts, ai.WithMessages(messages...), ai.WithMiddleware(genkitkit.Middleware(kit)))
		response, err := genkit.Generate(t.Context(), g, all...)
		require.NoError(t, err)
		messages = append(response.History(), ai.NewUserTextMessage(long[:100]))
	}
	assert.Len(t, messages, 6+2*20)
	assert.Less(t, len(r.last()), len(messages)-1)
}
