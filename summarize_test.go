package trimkit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/summary"
)

// bareMeter has no token beside the messages.
var bareMeter = budget.NewMeter(budget.CounterFunc(func(text string) int { return (len(text) + 3) / 4 }),
	budget.WithOverhead(budget.Overhead{Message: 3, Role: 1, Name: 1, Call: 9, Result: 7}))

// answers are what a scripted model does, by name.
var answers = map[string]func(asked string) (string, error){
	"sums up":         func(asked string) (string, error) { return fmt.Sprintf("Goal: %d bytes were read.", len(asked)), nil },
	"fails":           func(string) (string, error) { return "", errors.New("503") },
	"says nothing":    func(string) (string, error) { return "", nil },
	"gives up":        func(string) (string, error) { return "", context.DeadlineExceeded },
	"is cut":          func(string) (string, error) { return "Goal", summary.ErrTruncated },
	"calls a tool":    func(string) (string, error) { return "", summary.ErrToolCall },
	"says too much":   func(asked string) (string, error) { return strings.Repeat(asked, 3), nil },
	"forges a marker": func(string) (string, error) { return "[trimkit: read result removed]", nil },
	"panics":          func(string) (string, error) { panic("a bug of the adapter") },
	"is moody": func(asked string) (string, error) {
		if len(asked)%3 == 0 {
			return "", nil
		}
		return "Goal: go on.", nil
	},
}

// enforcing assembles an enforcer of a case with a ladder that sums up.
func enforcing(c coretest.Case, ladder string, model summary.Summarizer, memo summary.Memo, opts ...budget.EnforcerOption) *budget.Enforcer {
	l, err := trimkit.Ladder(ladder, nil, trimkit.Summaries{Model: model, Memo: memo, MaxTokens: 24, Window: 3000, MiddleTurns: 3})
	if err != nil {
		panic(err)
	}
	e, err := budget.NewEnforcer(bareMeter, budget.Limits{Window: c.Limit}, append(opts, budget.WithEnforcerProfile(c.Profile), budget.WithLadder(l))...)
	if err != nil {
		panic(err)
	}
	return e
}

// points calls visit with each beginning of a history at which a model call is due.
func points(history []core.Message, visit func([]core.Message)) {
	for n := 1; n <= len(history); n++ {
		if role := history[n-1].Role; role == core.RoleUser || role == core.RoleTool {
			visit(history[:n:n])
		}
	}
}

// The laws hold given the same memo: what a model answered, whatever it did, while the
// conversation grew. Behind that, no model is there to ask.
func TestStrategiesThatSumUpKeepTheLaws(t *testing.T) {
	gone := summary.SummarizerFunc(func(context.Context, []core.Message) (string, error) { return "", context.DeadlineExceeded })
	for _, ladder := range []string{"summarize", "hybrid"} {
		for name, answer := range answers {
			t.Run(ladder+"/"+name, func(t *testing.T) {
				var memos sync.Map // case → its memo
				model := summary.SummarizerFunc(func(_ context.Context, h []core.Message) (string, error) { return answer(h[1].Parts[0].Text) })
				summed := 0
				kit := func(c coretest.Case, opts ...budget.EnforcerOption) *budget.Enforcer {
					kept, known := memos.LoadOrStore(coretest.Format(c.History)+fmt.Sprint(c.Limit, c.Profile), summary.NewMemory(1<<20))
					memo, _ := kept.(*summary.Memory)
					if !known {
						e := enforcing(c, ladder, model, memo, budget.WithNotice())
						points(c.History, func(h []core.Message) {
							view, _ := e.Transform(context.Background(), h)
							for i := range view {
								if view[i].Inserted() && view[i].Parts[0].Elided.Reason == summary.Reason {
									summed++
								}
							}
						})
					}
					return enforcing(c, ladder, gone, memo, append(opts, budget.WithNotice())...)
				}
				subject := coretest.Subject{
					Name: ladder, Sizer: bareMeter, Profiles: core.Profiles(), Bounded: true,
					New: func(c coretest.Case) core.Transformer { return kit(c) },
					Collections: func(ctx context.Context, c coretest.Case, history []core.Message) (int, error) {
						return collections(ctx, func(o budget.EnforcerOption) *budget.Enforcer { return kit(c, o) }, history), nil
					},
					Explain: func(ctx context.Context, c coretest.Case, history []core.Message) ([]core.Edit, error) {
						e := kit(c)
						_, _ = e.Transform(ctx, history)
						return e.Ledger(ctx, history)
					},
					Except: map[int]string{6: "its summaries are messages like others, and a second pass may drop them"},
				}
				coretest.Run(t, subject, coretest.Cases(30), coretest.From(coretest.Histories(coretest.Config{})))
				if name == "sums up" {
					assert.Greater(t, summed, 10)
				}
			})
		}
	}
}

// collections counts what is reported as the history grows. A view for one call alone counts as
// one of its own, since the next one need not continue it.
func collections(ctx context.Context, kit func(budget.EnforcerOption) *budget.Enforcer, history []core.Message) int {
	n, once := 0, 0
	e := kit(budget.WithOnReport(func(_ context.Context, r *budget.Report) {
		if r.Adopted {
			n++
		}
		if r.Once {
			once = 1_000_000
		}
	}))
	for i := range history {
		once = 0
		_, _ = e.Transform(ctx, history[:i+1])
	}
	return n + once*(1+len(history))
}

// dialogue is a conversation with questions, calls, and what they returned.
func dialogue(turns int) []core.Message {
	history := []core.Message{
		{Role: core.RoleSystem, Src: 1, Parts: []core.Part{{Text: "You are terse."}}},
		{Role: core.RoleUser, Src: 2, Parts: []core.Part{{Text: "The task: find the bug. Never touch the generated files."}}},
	}
	add := func(role core.Role, p core.Part) {
		history = append(history, core.Message{Role: role, Src: int32(len(history) + 1), Parts: []core.Part{p}})
	}
	for i := range turns {
		id := fmt.Sprint("c", i)
		add(core.RoleAssistant, core.Part{Kind: core.KindToolCall, CallID: id, Tool: "look", Text: fmt.Sprintf(`{"at":%d}`, i)})
		add(core.RoleTool, core.Part{Kind: core.KindToolResult, CallID: id, Tool: "look", Text: fmt.Sprintf("result %d %s", i, strings.Repeat("word ", 40))})
		add(core.RoleAssistant, core.Part{Text: fmt.Sprintf("Reply %d.", i)})
		add(core.RoleUser, core.Part{Text: fmt.Sprintf("And %d?", i)})
	}
	return history
}

// counting is a model that counts its calls and what it was asked.
type counting struct {
	calls, tokens atomic.Int64
	seen          sync.Map
	twice         atomic.Bool
}

func (c *counting) Summarize(_ context.Context, h []core.Message) (string, error) {
	asked := h[1].Parts[0].Text
	if _, again := c.seen.LoadOrStore(asked, true); again {
		c.twice.Store(true)
	}
	c.tokens.Add(int64(len(asked) / 4))
	return fmt.Sprintf("Goal: find the bug. Summary %d.", c.calls.Add(1)), nil
}

func TestReplayNeverAsks(t *testing.T) {
	history := dialogue(120)
	for _, ladder := range []string{"summarize", "hybrid"} {
		t.Run(ladder, func(t *testing.T) {
			memo, err := summary.OpenDirectory(t.TempDir())
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, memo.Close()) })
			model, c := &counting{}, coretest.Case{Limit: 2000, Profile: core.OpenAI}
			warm := enforcing(c, ladder, model, memo, budget.WithNotice())
			views := map[int][]core.Message{}
			points(history, func(h []core.Message) {
				_, _ = warm.Watch(t.Context(), h)
				_, err := warm.Ledger(t.Context(), h)
				require.NoError(t, err)
				view, err := warm.Transform(t.Context(), h)
				require.NoError(t, err)
				views[len(h)] = view
			})
			calls := model.calls.Load()
			require.Greater(t, calls, int64(3))
			points(history, func(h []core.Message) {
				if len(h)%7 == 0 || len(h) == len(history) {
					cold := enforcing(c, ladder, model, memo, budget.WithNotice())
					view, err := cold.Transform(t.Context(), h)
					require.NoError(t, err)
					require.Equal(t, views[len(h)], view, "%d messages", len(h))
					_, err = cold.Explain(t.Context(), h)
					require.NoError(t, err)
				}
			})
			assert.Equal(t, calls, model.calls.Load())
		})
	}
}

func TestFault_RACE_OneCallForEachInput(t *testing.T) {
	history := dialogue(80)
	model := &counting{}
	e := enforcing(coretest.Case{Limit: 2000, Profile: core.OpenAI}, "summarize", model, summary.NewMemory(1<<20))
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			points(history, func(h []core.Message) {
				if g%4 == 3 && len(h)%3 == 0 { // some are ahead of others
					return
				}
				_, err := e.Transform(context.Background(), h)
				assert.NoError(t, err)
			})
		})
	}
	wg.Wait()
	assert.False(t, model.twice.Load(), "one call for each input")
	assert.Positive(t, model.calls.Load())
}

// Whatever the strategy, and with notices on, the original request is there after 20
// collections, and so is every rule that the user gave.
func TestFault_CONSTRAINT_TheRequestOutlivesEveryStrategy(t *testing.T) {
	for _, ladder := range trimkit.LadderNames() {
		t.Run(ladder, func(t *testing.T) {
			collected := 0
			kit, err := trimkit.New(trimkit.Config{
				Window: 2000, Reserve: 100, Counter: words, Ladder: ladder, Notice: true,
				Summaries: trimkit.Summaries{Model: &counting{}, MaxTokens: 30},
				Options: []budget.EnforcerOption{budget.WithOnReport(func(_ context.Context, r *budget.Report) {
					if r.Adopted {
						collected++
					}
				})},
			})
			require.NoError(t, err)
			history := dialogue(400)
			points(history, func(h []core.Message) {
				view, err := kit.Transform(t.Context(), h)
				require.NoError(t, err)
				require.Equal(t, history[:2], view[:2], "system message and task")
				notices := 0
				for i := range view {
					if view[i].Inserted() && strings.Contains(view[i].Parts[0].Text, "removed so far") {
						notices++
						require.Equal(t, 2, i)
					}
				}
				require.LessOrEqual(t, notices, 1)
				require.Equal(t, collected > 0, notices == 1)
			})
			assert.GreaterOrEqual(t, collected, 20)
		})
	}
}

func TestFault_SUMFAIL_TheRungHasFailed(t *testing.T) {
	history := dialogue(80)
	var failed, causes int
	kit, err := trimkit.New(trimkit.Config{
		Window: 2000, Counter: words, Ladder: "summarize",
		Summaries: trimkit.Summaries{Model: summary.SummarizerFunc(func(context.Context, []core.Message) (string, error) { return "", nil }), MaxTokens: 30},
		Options: []budget.EnforcerOption{budget.WithOnReport(func(_ context.Context, r *budget.Report) {
			if r.Cause == "summary failed" {
				causes++
			}
			assert.True(t, r.Adopted, "what follows makes up for it")
		})},
	})
	require.NoError(t, err)
	points(history, func(h []core.Message) {
		view, err := kit.Transform(t.Context(), h)
		if err != nil {
			failed++
			var step *core.StepError
			require.ErrorAs(t, err, &step)
			assert.True(t, errors.Is(err, summary.ErrEmpty) || errors.Is(err, summary.ErrPaused))
		}
		require.NotEmpty(t, view)
	})
	assert.Positive(t, failed)
	assert.Equal(t, failed, causes)
}

// When the call ends while the model is asked, nothing is decided: the next one gets a summary.
func TestFault_SUMFAIL_CancelledDecidesNothing(t *testing.T) {
	history := dialogue(80)
	var cancel context.CancelFunc
	cancelled := 0
	model := summary.SummarizerFunc(func(ctx context.Context, _ []core.Message) (string, error) {
		if cancel != nil {
			cancel()
			return "", ctx.Err()
		}
		return "Goal: find the bug.", nil
	})
	e := enforcing(coretest.Case{Limit: 2000}, "summarize", model, summary.NewMemory(1<<20))
	points(history, func(h []core.Message) {
		var ctx context.Context
		ctx, cancel = context.WithCancel(t.Context())
		view, err := e.Transform(ctx, h)
		cancel()
		if err == nil {
			return
		}
		cancelled++
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, h, view)
		cancel = nil
		view, err = e.Transform(t.Context(), h)
		require.NoError(t, err)
		found := false
		for i := range view {
			found = found || view[i].Inserted() && strings.Contains(view[i].Parts[0].Text, "Goal: find the bug.")
		}
		require.True(t, found)
	})
	assert.Positive(t, cancelled)
}

func TestLadderThatNeedsAModel(t *testing.T) {
	for _, name := range trimkit.LadderNames() {
		_, err := trimkit.Ladder(name, nil, trimkit.Summaries{})
		var config *summary.ConfigError
		assert.Equal(t, trimkit.NeedsModel(name), errors.As(err, &config), name)
	}
	assert.True(t, trimkit.NeedsModel("hybrid"))
	assert.False(t, trimkit.NeedsModel("unknown"))
}
