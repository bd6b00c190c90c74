package core_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
)

type transform = func(ctx context.Context, history []core.Message) ([]core.Message, error)

func without(history []core.Message, drop ...int) []core.Message {
	var kept []core.Message
	for i := range history {
		if !slices.Contains(drop, i) {
			kept = append(kept, history[i])
		}
	}
	return kept
}

func TestGuardCatchesAStranger(t *testing.T) {
	const conversation = "S U ?A(a,b) T(a) T(b) A U A(c) T(c) A U"
	for _, test := range []struct {
		name string
		law  int
		f    transform
	}{
		{"TestFault_ORPHAN drops a result", 3, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			return without(h, 3), nil
		}},
		{"drops a call", 3, func(_ context.Context, h []core.Message) ([]core.Message, error) { return without(h, 2), nil }},
		{"TestFault_RACE mutates", 2, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			h[2].Parts[1].Text = `{"n":2}`
			return h, nil
		}},
		{"reorders", 2, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			h[5], h[6] = h[6], h[5]
			return h, nil
		}},
		{"doubles", 2, func(_ context.Context, h []core.Message) ([]core.Message, error) { return append(h, h[10]), nil }},
		{"invents", 2, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			return append(h, core.Message{Src: 77, Role: core.RoleUser}), nil
		}},
		{"renames a call", 2, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			h[3].Parts[0].CallID = "z"
			return h, nil
		}},
		{"adds a part", 2, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			h[5].Parts = append(h[5].Parts, core.Part{Text: "more", Slot: 9})
			return h, nil
		}},
		{"TestFault_FIRSTUSER drops the task", 5, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			return without(h, 1), nil
		}},
		{"edits the question", 5, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			h[10].Parts[0].Text = "short"
			return h, nil
		}},
		{"grows", 4, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			h[5].Parts[0].Text += " and more"
			return h, nil
		}},
		{"only adds", 4, func(_ context.Context, h []core.Message) ([]core.Message, error) {
			return slices.Insert(h, 6, core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: "summary"}}}), nil
		}},
		{"TestFault_EMPTY returns nothing", 5, func(context.Context, []core.Message) ([]core.Message, error) { return nil, nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			history, pristine := parse(conversation), parse(conversation)
			view, err := core.Guard("stranger", core.TransformFunc(test.f)).Transform(t.Context(), history)
			var law *core.LawError
			require.ErrorAs(t, err, &law)
			assert.Equal(t, test.law, law.Law, law.Error())
			assert.Same(t, &history[0], &view[0], "the history stands")
			assert.Equal(t, pristine, history, "and is untouched")
		})
	}
}

func TestGuardCatchesAPanic(t *testing.T) {
	history := parse("U A U")
	cause := errors.New("deep")
	view, err := core.Guard("stranger", core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) {
		h[0].Parts[0].Text = "gone"
		panic(cause)
	})).Transform(t.Context(), history)
	var p *core.PanicError
	require.ErrorAs(t, err, &p)
	require.ErrorIs(t, err, cause)
	assert.NotEmpty(t, p.Stack)
	assert.Equal(t, parse("U A U"), view)
}

func TestGuardLetsLawfulWorkPass(t *testing.T) {
	history := parse("S U ?A(a) T(a) A U A(c) T(c) A U")
	for i := range history {
		history[i].Src = 0 // not numbered: a program without a framework need not
	}
	guarded := core.Guard("stranger", core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) {
		h[2].Parts = h[2].Parts[1:]                                                 // reasoning taken out
		h[3].Parts[0].Text = "[old tool result content cleared]"                    // a placeholder of its own
		h[7].Parts[0].Elided = &core.Elision{Op: core.Elide, By: 8, Reason: "seen"} // one of ours
		summary := core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: "so far"}}}
		return slices.Insert(without(h, 4), 4, summary), nil
	}))
	view, err := guarded.Transform(t.Context(), history)
	require.NoError(t, err)
	require.Len(t, view, 10)
	assert.Equal(t, core.KindToolCall, view[2].Parts[0].Kind)
	assert.Equal(t, "[old tool result content cleared]\n[trimkit: shortened from 100 tokens: stranger]", view[3].Parts[0].Text)
	assert.Equal(t, "[trimkit: inserted: stranger]\nso far", view[4].Parts[0].Text)
	assert.Equal(t, "[trimkit: Read result removed: seen; 100 tokens; see the later assistant message]", view[7].Parts[0].Text)
	assert.Same(t, &history[9].Parts[0], &view[9].Parts[0], "the rest is shared with the history")
}

func TestGuardPassesErrorsThrough(t *testing.T) {
	history := parse("U A U A U")
	failure := errors.New("over budget")
	best := core.Guard("stranger", core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) {
		return without(h, 1), failure
	}))
	view, err := best.Transform(t.Context(), history)
	require.ErrorIs(t, err, failure)
	assert.Equal(t, "0 2 3 4", survivors(view))

	none := core.Guard("stranger", core.TransformFunc(func(context.Context, []core.Message) ([]core.Message, error) { return nil, failure }))
	view, err = none.Transform(t.Context(), history)
	require.ErrorIs(t, err, failure)
	assert.Len(t, view, 5)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = best.Transform(ctx, history)
	require.ErrorIs(t, err, context.Canceled)
}

func TestForeignIsOneEditorAmongOthers(t *testing.T) {
	history := parse("U A U A U A U")
	stranger := core.TransformFunc(func(_ context.Context, h []core.Message) ([]core.Message, error) {
		return without(h, 1, 2, 3), nil
	})
	view, err := core.Transform(core.Foreign(t.Context(), "stranger", stranger), core.WithTarget(600)).Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, "0 2 3 4 5 6", survivors(view), "it is asked for no more than is needed")

	broken := core.TransformFunc(func(context.Context, []core.Message) ([]core.Message, error) { panic("oh") })
	view, err = core.Transform(core.Foreign(t.Context(), "stranger", broken)).Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Len(t, view, 7)
}

func TestDiffNeedsAWayToTellMessagesApart(t *testing.T) {
	for name, mangle := range map[string]func(h []core.Message){
		"no src":    func(h []core.Message) { h[1].Src = 0 },
		"one twice": func(h []core.Message) { h[2].Src = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			history := parse("U A U")
			mangle(history)
			_, err := core.Diff(history, history)
			var law *core.LawError
			require.ErrorAs(t, err, &law)
		})
	}
	history := parse("T(a) U A")
	history[1].Src = 1 // tool results and text of one native message
	edits, err := core.Diff(history, history[1:])
	require.NoError(t, err)
	assert.Equal(t, []core.Edit{{Op: core.Drop, Msg: 0, Part: -1, By: -1, Reason: "transformed"}}, edits)
}

// Diff is the inverse of Apply.
func TestDiffFindsWhatApplyDid(t *testing.T) {
	history := parse("S U ?A(a) T(a) A(b) T(b) A U A U")
	edits := []core.Edit{elide(2, 0), elide(3, 0), shorten(5, 0, "b [trimkit: x]"), drop(6), insert(7, "s")}
	w, laws := apply(t, history, edits)
	require.Empty(t, laws)
	found, err := core.Diff(history, w.View())
	require.NoError(t, err)
	again, laws := apply(t, history, found)
	require.Empty(t, laws)
	assert.Equal(t, survivors(w.View()), survivors(again.View()))
	assert.Equal(t, w.Tokens(), again.Tokens())
}
