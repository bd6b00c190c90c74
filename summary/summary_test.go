package summary_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/summary"
)

// script is a model that answers as it is told, and remembers what it was asked.
type script struct {
	mu     sync.Mutex
	asked  []string // user messages
	answer func(ctx context.Context, n int, asked string) (string, error)
}

func (s *script) Summarize(ctx context.Context, history []core.Message) (string, error) {
	s.mu.Lock()
	asked := history[1].Parts[0].Text
	s.asked = append(s.asked, asked)
	n := len(s.asked)
	s.mu.Unlock()
	if s.answer == nil {
		return fmt.Sprintf("Goal: as before. Summary number %d.", n), nil
	}
	return s.answer(ctx, n, asked)
}

// says is a model that always says the same.
func says(text string, err error) *script {
	return &script{answer: func(context.Context, int, string) (string, error) { return text, err }}
}

// session is a conversation of turns, each with a call, a result of about so many tokens, and
// a reply.
func session(turns, tokens int) []core.Message {
	history := []core.Message{{Role: core.RoleSystem, Src: 1, Parts: []core.Part{{Text: "You are terse."}}}}
	add := func(role core.Role, p core.Part) {
		history = append(history, core.Message{Role: role, Src: int32(len(history) + 1), Parts: []core.Part{p}})
	}
	for i := range turns {
		id := fmt.Sprint("c", i)
		add(core.RoleUser, core.Part{Text: fmt.Sprintf("Question %d: what is in file%d.go?", i, i)})
		add(core.RoleAssistant, core.Part{Kind: core.KindToolCall, CallID: id, Tool: "read", Text: fmt.Sprintf(`{"path":"file%d.go"}`, i)})
		add(core.RoleTool, core.Part{Kind: core.KindToolResult, CallID: id, Tool: "read", Text: fmt.Sprintf("result %d %s", i, strings.Repeat("word ", tokens*4/5))})
		add(core.RoleAssistant, core.Part{Text: fmt.Sprintf("Reply %d: it has words.", i)})
	}
	add(core.RoleUser, core.Part{Text: "And now?"})
	return history
}

// newSummary returns a Summary of at most 60 tokens.
func newSummary(t testing.TB, model summary.Summarizer, memo summary.Memo, opts ...summary.Option) *summary.Summary {
	t.Helper()
	s, err := summary.New(model, memo, append([]summary.Option{summary.WithMaxTokens(60), summary.WithWindow(4000)}, opts...)...)
	require.NoError(t, err)
	return s
}

func window(history []core.Message, target int) *core.Window {
	return core.NewWindow(history, core.WithSizer(coretest.Counter), core.WithTarget(target))
}

// collect prepares and applies, and returns the view.
func collect(t testing.TB, s *summary.Summary, history []core.Message, target int) ([]core.Message, error) {
	t.Helper()
	err := s.Prepare(context.Background(), window(history, target))
	w := window(history, target)
	refused, broken := core.Apply(w, s)
	require.NoError(t, broken)
	require.Empty(t, refused)
	return w.View(), err
}

// texts joins what messages say.
func texts(messages []core.Message) string {
	var b strings.Builder
	for i := range messages {
		for _, p := range messages[i].Parts {
			b.WriteString(p.Text + "\n")
		}
	}
	return b.String()
}

func tokens(messages []core.Message) int { return window(messages, 0).Tokens() }

func inserted(view []core.Message) (found []int) {
	for i := range view {
		if view[i].Inserted() {
			found = append(found, i)
		}
	}
	return found
}

func TestSummaryReplacesWhatIsOldest(t *testing.T) {
	model, history := &script{}, session(10, 100)
	s := newSummary(t, model, summary.NewMemory(1<<20))
	target := tokens(history) * 6 / 10
	view, err := collect(t, s, history, target)
	require.NoError(t, err)

	require.Len(t, model.asked, 1)
	assert.LessOrEqual(t, tokens(view), target)
	at := inserted(view)
	require.Len(t, at, 1)
	assert.Equal(t, "[trimkit: inserted: summary of earlier messages]\nGoal: as before. Summary number 1.", view[at[0]].Parts[0].Text)
	assert.Equal(t, 2, at[0], "behind the first question, where the first of them stood")
	said := texts(view)
	for i := range 10 {
		assert.Contains(t, said, fmt.Sprintf("Question %d:", i), "the user's words stay")
	}
	assert.NotContains(t, said, "result 0 ")
	assert.Contains(t, said, "result 9 ")

	asked := model.asked[0]
	assert.Contains(t, asked, "result 0 ")
	assert.Contains(t, asked, "Question 1:", "what the user said is context")
	assert.NotContains(t, asked, "result 9 ")
	for i := range 10 { // what is gone was shown, and what was shown is gone, but for what a shorter summary spared
		gone := !strings.Contains(said, fmt.Sprintf("result %d ", i))
		assert.False(t, gone && !strings.Contains(asked, fmt.Sprintf("result %d ", i)), "result %d was not shown", i)
	}
}

func TestSummaryFoldsTheOneBefore(t *testing.T) {
	model, all := &script{}, session(16, 100)
	history := all[:42]
	s := newSummary(t, model, summary.NewMemory(1<<20))
	view, err := collect(t, s, history, tokens(history)*6/10)
	require.NoError(t, err)
	view = append(view[:len(view):len(view)], all[42:]...)
	again, err := collect(t, s, view, tokens(view)*5/10)
	require.NoError(t, err)

	require.Len(t, model.asked, 2)
	assert.Contains(t, model.asked[1], "Summary number 1.")
	assert.NotContains(t, model.asked[1], "result 0 ", "it was folded before")
	at := inserted(again)
	require.Len(t, at, 1, "one takes the place of the other")
	assert.Contains(t, again[at[0]].Parts[0].Text, "Summary number 2.")
	assert.Equal(t, 2, at[0])
}

// Edits is a function of window and memo: it never asks, and without the memo it proposes
// nothing.
func TestEditsNeverAsk(t *testing.T) {
	model, history := &script{}, session(10, 100)
	memo := summary.NewMemory(1 << 20)
	s := newSummary(t, model, memo)
	target := tokens(history) / 2
	w := window(history, target)
	_, err := core.Apply(w, s)
	require.NoError(t, err)
	assert.Empty(t, model.asked)
	assert.Equal(t, history, w.View())

	view, err := collect(t, s, history, target)
	require.NoError(t, err)
	assert.Len(t, model.asked, 1)
	other := newSummary(t, says("another answer", nil), memo)
	same, err := collect(t, other, history, target)
	require.NoError(t, err)
	assert.Equal(t, view, same, "another process with the same memo")
	different := newSummary(t, model, memo, summary.WithPrompt("Be brief."))
	w = window(history, target)
	_, err = core.Apply(w, different)
	require.NoError(t, err)
	assert.Equal(t, history, w.View(), "another prompt is another question")
}

func TestSummaryKeepsAway(t *testing.T) {
	history := session(10, 100)
	history[3].Policy = core.Locked      // the result of the first call
	history[8].Policy = core.Preservable // the reply of the second turn
	target := tokens(history) / 2
	s := newSummary(t, &script{}, summary.NewMemory(1<<20), summary.WithReach(func(_ *core.Window, msg int) bool { return msg < 20 }))
	view, err := collect(t, s, history, target)
	require.NoError(t, err)
	said := texts(view)
	assert.Contains(t, said, "result 0 ")
	assert.Contains(t, said, "Reply 1:")
	assert.NotContains(t, said, "result 4 ")
	assert.Contains(t, said, "result 5 ", "beyond its reach")
}

func TestHybrid(t *testing.T) {
	model, history := &script{}, session(20, 100)
	s := newSummary(t, model, summary.NewMemory(1<<20), summary.WithMiddle(6),
		summary.WithReach(func(_ *core.Window, msg int) bool { return msg < 1+15*4 }))
	view, err := collect(t, s, history, tokens(history)*3/10)
	require.NoError(t, err)
	said := texts(view)
	require.Len(t, model.asked, 1)
	assert.NotContains(t, model.asked[0], "result 8 ", "older than the middle: dropped without a summary")
	assert.Contains(t, model.asked[0], "result 9 ")
	assert.NotContains(t, said, "result 8 ")
	assert.Contains(t, said, "result 15 ", "recent ones stay")
	assert.Contains(t, said, "Question 2:")
	require.Len(t, inserted(view), 1)

	model.asked = nil
	view, err = collect(t, s, history, tokens(history)*8/10)
	require.NoError(t, err)
	assert.Empty(t, model.asked, "what is older was enough")
	assert.Empty(t, inserted(view))
	assert.LessOrEqual(t, tokens(view), tokens(history)*8/10)
}

func TestNewRefuses(t *testing.T) {
	_, err := summary.New(nil, nil, summary.WithMaxTokens(-1), summary.WithPrompt(" "), summary.WithMiddle(-1), summary.WithReach(nil), summary.WithBreaker(0, 0))
	var config *summary.ConfigError
	require.ErrorAs(t, err, &config)
	assert.Len(t, config.Faults, 7, "%v", err)
	_, err = summary.New(&script{}, summary.NewMemory(1), summary.WithWindow(100))
	require.ErrorAs(t, err, &config)
}
