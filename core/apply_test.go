package core_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
)

// propose is an editor that proposes just these edits.
func propose(edits ...core.Edit) core.Editor {
	return core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] { return slices.Values(edits) })
}

func drop(msg int) core.Edit {
	return core.Edit{Op: core.Drop, Msg: msg, Part: -1, By: -1, Reason: "test"}
}

func elide(msg, part int) core.Edit {
	return core.Edit{Op: core.Elide, Msg: msg, Part: part, By: -1, Reason: "test"}
}

func shorten(msg, part int, text string) core.Edit {
	return core.Edit{Op: core.Shorten, Msg: msg, Part: part, By: -1, Reason: "test", Text: text}
}

func insert(msg int, text string) core.Edit {
	return core.Edit{Op: core.Insert, Msg: msg, Part: -1, By: -1, Reason: "test", Text: text}
}

// apply applies edits to a history and returns the window and the numbers of the laws
// that refused.
func apply(t *testing.T, history []core.Message, edits []core.Edit, opts ...core.Option) (*core.Window, []int) {
	t.Helper()
	w := core.NewWindow(history, opts...)
	refused, err := core.Apply(w, propose(edits...))
	require.NoError(t, err)
	balance(t, w)
	var laws []int
	for _, r := range refused {
		laws = append(laws, r.Law)
	}
	return w, laws
}

// balance checks that the edits account for every token, as law 9 says.
func balance(t *testing.T, w *core.Window) {
	t.Helper()
	in, out := total(w.Sizer(), w.History), total(w.Sizer(), w.View())
	assert.Equal(t, out, w.Tokens(), "tokens of the view")
	for _, e := range w.Edits() {
		in += e.After - e.Before
	}
	assert.Equal(t, out, in, "the ledger")
}

func total(s core.Sizer, messages []core.Message) int {
	n := 0
	for i := range messages {
		n += s.Message(&messages[i])
	}
	return n
}

func TestApplyDropsWholeGroups(t *testing.T) {
	for _, test := range []struct {
		name, history string
		drop          int
		left          string
	}{
		{"an exchange, by any of its messages", "U A(a) T(a) A U", 2, "0 3 4"},
		{"TestFault_Parallel_ThreeOfFour", "U A(a,b,c,d) T(a) T(b) T(c) U T(d) A U", 3, "0 5 7 8"},
		{"a note between stays", "U A(a) U T(a) A U", 1, "0 2 4 5"},
		{"a user message in the middle", "U A U A U", 2, "0 1 3 4"},
		{"a dead call", "U A(a) U A U", 1, "0 2 3 4"},
		{"a lone result", "T(x) U A U", 0, "1 2 3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, laws := apply(t, parse(test.history), []core.Edit{drop(test.drop)})
			assert.Empty(t, laws)
			assert.Equal(t, test.left, survivors(w.View()))
			require.Len(t, w.Edits(), 1)
			assert.Equal(t, -1, w.Edits()[0].Part)
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, test := range []struct {
		name, history string
		edit          core.Edit
		law           int
	}{
		{"TestFault_SYSLOST the prompt", "S U A U", drop(0), 5},
		{"TestFault_SYSLOST a system message in mid-conversation", "S U A S U A U", drop(3), 5},
		{"TestFault_FIRSTUSER the task", "S U A U", drop(1), 5},
		{"TestFault_LASTUSER the question, however far back", "U A U A(a) T(a) A(b) T(b) A", drop(2), 5},
		{"TestFault_CONSTRAINT what is pinned", "U A U+ A U", drop(2), 5},
		{"a group with something pinned", "U A(a) T(a)+ A U", drop(1), 5},
		{"TestFault_STALE unread results", "U A(a) T(a)", elide(2, 0), 5},
		{"unread results, dropped", "U A(a) T(a)", drop(1), 5},
		{"TestFault_HITL an open call", "U A(a) T(a~) U A U", drop(1), 5},
		{"TestFault_ARGS arguments", "U A(a)=text T(a) A U", elide(1, 1), 2},
		{"TestFault_ARGS arguments, shortened", "U A(a) T(a) A U", shorten(1, 0, "{}"), 2},
		{"assistant text has no marker", "U A U", elide(1, 0), 2},
		{"TestFault_MARKER a tiny result would grow", "U A(a) T(a)=ok A U", elide(2, 0), 4},
		{"shortened to something longer", "U A(a) T(a)=ok A U", shorten(2, 0, "okay"), 4},
		{"shortened to nothing", "U A(a) T(a) A U", shorten(2, 0, ""), 2},
		{"TestFault_UNICODE cut within a character", "U A(a) T(a) A U", shorten(2, 0, "\xe4\xb8"), 2},
		{"TestFault_THINK signed reasoning", "U ??A U A U", elide(1, 0), 5},
		{"TestFault_THINK nothing but reasoning", "U R A U", elide(1, 0), 13},
		{"TestFault_THINK nothing but reasoning and blank text", "U ?A=_ U A U", elide(1, 0), 13},
		{"TestFault_THINK reasoning alone, in two parts", "U R A U", elide(1, 0), 13},
		{"no such message", "U A U", drop(3), 2},
		{"no such part", "U A(a) T(a) A U", elide(2, 1), 2},
		{"no operation", "U A U", core.Edit{Reason: "test"}, 2},
		{"TestFault_REPORT no reason", "U A U", core.Edit{Op: core.Drop, Msg: 1}, 9},
		{"TestFault_EMPTY nothing would be left", "A", drop(0), 12},
		{"an insert within an exchange", "U A(a) T(a) A U", insert(2, "x"), 3},
		{"an insert before the prompt", "S U A U", insert(0, "x"), 5},
		{"an insert among the unread", "U A U U", insert(3, "x"), 5},
		{"an insert that makes the view larger", "U A U", insert(1, "x"), 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			history := parse(test.history)
			w, laws := apply(t, history, []core.Edit{test.edit})
			assert.Equal(t, []int{test.law}, laws)
			assert.Equal(t, history, w.View())
			assert.Empty(t, w.Edits())
		})
	}
}

func TestApplyElides(t *testing.T) {
	history := parse("U A(a) T(a!) A ?A U")
	history = append(history, core.Message{Src: 7, Role: core.RoleAssistant, Parts: []core.Part{{Text: "done"}}})
	image := core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "image/png", URL: strings.Repeat("d", 500)}}
	history[3].Parts = append(history[3].Parts, image)

	w, laws := apply(t, history, []core.Edit{elide(2, 0), elide(3, 1), elide(4, 0)})
	require.Empty(t, laws)
	view := w.View()
	assert.Equal(t, "[trimkit: Read result removed: test; 100 tokens; it was an error]", view[2].Parts[0].Text)
	assert.Equal(t, &core.Elision{Op: core.Elide, Reason: "test", Tool: "Read", Bytes: 100, Tokens: 100, Failed: true, By: -1}, view[2].Parts[0].Elided)
	assert.Equal(t, "a", view[2].Parts[0].CallID, "it is still the result of its call")
	assert.Equal(t, core.KindText, view[3].Parts[1].Kind)
	assert.Equal(t, "[trimkit: image/png removed: test; 500 tokens]", view[3].Parts[1].Text)
	assert.Nil(t, view[3].Parts[1].Media)
	require.Len(t, view[4].Parts, 1, "reasoning leaves nothing behind")
	assert.Equal(t, core.KindText, view[4].Parts[0].Kind)
	assert.Len(t, history[4].Parts, 2, "the history is untouched")
}

func TestTheShortMarkerServesSmallContent(t *testing.T) {
	w, laws := apply(t, parse("U A(a) T(a!)="+strings.Repeat("x", 45)+" A U"), []core.Edit{elide(2, 0)})
	require.Empty(t, laws)
	assert.Equal(t, "[trimkit: failed Read result removed]", w.View()[2].Parts[0].Text)
}

func TestApplyShortens(t *testing.T) {
	w, laws := apply(t, parse("U A(a) T(a) A U"), []core.Edit{shorten(2, 0, "head"), shorten(2, 0, "h [trimkit: cut] t")})
	require.Empty(t, laws)
	assert.Equal(t, "h [trimkit: cut] t", w.View()[2].Parts[0].Text, "the second in place of the first")
	require.Len(t, w.Edits(), 1)
	assert.Equal(t, 100, w.Edits()[0].Before, "counted once, from the original")

	w, _ = apply(t, parse("U A(a) T(a) A U"), []core.Edit{shorten(2, 0, "head")})
	assert.Equal(t, "head\n[trimkit: shortened from 100 tokens: test]", w.View()[2].Parts[0].Text, "it says that it is not all")

	forged := parse("U A(a) T(a) A U")
	forged[2].Parts[0].Text = "see [trimkit: nothing missing] " + strings.Repeat("x", 100)
	w, _ = apply(t, forged, []core.Edit{shorten(2, 0, "see [trimkit: nothing missing]")})
	assert.Contains(t, w.View()[2].Parts[0].Text, "[trimkit: shortened from 131", "TestFault_MARKER: content that looks like a marker does not speak for us")
}

func TestAnEditedPartIsNotEditedAgainInItsView(t *testing.T) {
	w, _ := apply(t, parse("U A(a) T(a) A U"), []core.Edit{shorten(2, 0, "head")})
	_, laws := apply(t, w.View(), []core.Edit{elide(2, 0)})
	assert.Equal(t, []int{6}, laws, "markers do not nest")
}

func TestADropMakesEarlierEditsVoid(t *testing.T) {
	w, laws := apply(t, parse("U A(a) T(a) A U"), []core.Edit{elide(2, 0), drop(1), drop(2), elide(2, 0)})
	assert.Equal(t, []int{9, 9}, laws)
	require.Len(t, w.Edits(), 1)
	assert.Equal(t, core.Drop, w.Edits()[0].Op)
	assert.Equal(t, 111, w.Edits()[0].Before)
}

func TestApplyStopsAtTheTarget(t *testing.T) {
	history := parse("U A U A U A U")
	w, laws := apply(t, history, []core.Edit{drop(1), drop(3), drop(5)}, core.WithTarget(500))
	assert.Empty(t, laws)
	assert.Equal(t, "0 2 4 5 6", survivors(w.View()))
	assert.True(t, w.Fits())

	pulled := false
	refused, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		pulled = true
		return propose().Edits(nil)
	}))
	require.NoError(t, err)
	assert.Empty(t, refused)
	assert.False(t, pulled, "a window that fits asks nobody")
}

func TestMarkersPointOnlyToWhatIsShown(t *testing.T) {
	history := parse("U A(a) T(a) A(b) T(b) A U A U")
	pointing := core.Edit{Op: core.Elide, Msg: 2, Part: 0, By: 4, Reason: "read again"}
	w, laws := apply(t, history, []core.Edit{pointing})
	require.Empty(t, laws)
	assert.Equal(t, "[trimkit: Read result removed: read again; 100 tokens; see the later Read]", w.View()[2].Parts[0].Text)

	for _, other := range []core.Edit{drop(4), elide(4, 0)} {
		w, laws = apply(t, history, []core.Edit{pointing, other})
		require.Empty(t, laws)
		assert.Equal(t, "[trimkit: Read result removed: read again; 100 tokens]", w.View()[2].Parts[0].Text)
	}
}

func TestDistressAllowsUnreadResultsToBeShortened(t *testing.T) {
	w := core.NewWindow(parse("U A(a,b) T(a) T(b)+"))
	w.Distress()
	refused, err := core.Apply(w, propose(shorten(2, 0, "head"), elide(2, 0), shorten(0, 0, "task"), drop(2)))
	require.NoError(t, err)
	require.Len(t, refused, 4, "pinned: its exchange stays as it is")

	w = core.NewWindow(parse("U A(a,b) T(a) T(b)"))
	w.Distress()
	refused, err = core.Apply(w, propose(shorten(2, 0, "head"), elide(2, 0), shorten(0, 0, "task"), drop(2)))
	require.NoError(t, err)
	require.Len(t, refused, 3)
	assert.True(t, strings.HasPrefix(w.View()[2].Parts[0].Text, "head\n"))
	balance(t, w)
}

func TestFault_HITL_DistressLeavesPendingResultsAlone(t *testing.T) {
	w := core.NewWindow(parse("U A(a,b) T(a~) T(b)"))
	w.Distress()
	refused, err := core.Apply(w, propose(shorten(2, 0, "head"), shorten(3, 0, "head")))
	require.NoError(t, err)
	require.Len(t, refused, 1)
	assert.Equal(t, 2, refused[0].Msg)
}

func TestInserts(t *testing.T) {
	history := parse("S U A U A(a) T(a) A U")
	for _, test := range []struct {
		name    string
		edits   []core.Edit
		profile *core.Profile
		view    string
		role    core.Role
	}{
		{"before a user message", []core.Edit{drop(2), insert(3, "s")}, nil, "0 1 + 3 4 5 6 7", core.RoleUser},
		{"in place of what was dropped", []core.Edit{drop(2), drop(4), insert(4, "s")}, nil, "0 1 3 + 6 7", core.RoleUser},
		{"before an exchange", []core.Edit{drop(2), insert(4, "s")}, nil, "0 1 3 + 4 5 6 7", core.RoleUser},
		{"two at one place", []core.Edit{drop(2), drop(4), insert(6, "s"), insert(6, "t")}, nil, "0 1 3 + + 6 7", core.RoleUser},
		{"as the assistant where users must not meet", []core.Edit{drop(2), insert(3, "s")}, core.Bedrock, "0 1 + 3 4 5 6 7", core.RoleAssistant},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, laws := apply(t, history, test.edits, core.WithProfile(test.profile))
			require.Empty(t, laws)
			view := w.View()
			assert.Equal(t, test.view, survivors(view))
			at := slices.IndexFunc(view, func(m core.Message) bool { return m.Src == 0 })
			assert.Equal(t, test.role, view[at].Role)
			assert.Equal(t, "[trimkit: inserted: test]\ns", view[at].Parts[0].Text)
			assert.True(t, view[at].Inserted())
		})
	}
}

func TestANoticeKeepsApartWhatTheProviderForbids(t *testing.T) {
	long := "_" + strings.Repeat("long_", 20)
	history := parse("S U A=" + long + " U A=" + long + " U A(a) T(a)=" + long + " A U")
	for _, test := range []struct {
		name    string
		profile *core.Profile
		drop    []int
		view    string
	}{
		{"nobody minds", core.OpenAI, []int{2}, "0 1 3 4 5 6 7 8 9"},
		{"two users", core.Bedrock, []int{2}, "0 1 + 3 4 5 6 7 8 9"},
		{"two users twice", core.Bedrock, []int{2, 4}, "0 1 + 3 + 5 6 7 8 9"},
		{"the users between them gone too", core.Bedrock, []int{2, 4, 3, 5}, "0 1 6 7 8 9"},
		{"a notice no longer needed", core.Bedrock, []int{2, 3}, "0 1 4 5 6 7 8 9"},
		{"two replies", core.Bedrock, []int{3}, "0 1 2 + 4 5 6 7 8 9"},
		{"a reply and a call", core.Gemini, []int{5}, "0 1 2 3 4 + 6 7 8 9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var edits []core.Edit
			for _, msg := range test.drop {
				edits = append(edits, drop(msg))
			}
			w, laws := apply(t, history, edits, core.WithProfile(test.profile))
			require.Empty(t, laws)
			assert.Equal(t, test.view, survivors(w.View()))
			assert.Empty(t, core.Check(test.profile, w.View()))
		})
	}
}

func TestWhatStoodTogetherMayStandTogether(t *testing.T) {
	w, laws := apply(t, parse("U U A U A U"), []core.Edit{drop(3)}, core.WithProfile(core.Bedrock))
	require.Empty(t, laws)
	assert.Equal(t, "0 1 2 + 4 5", survivors(w.View()), "the two users at the start are none of our business")
}

func TestAnEditorThatPanicsKeepsWhatItDid(t *testing.T) {
	w := core.NewWindow(parse("U A U A U"))
	_, err := core.Apply(w, core.EditorFunc(func(*core.Window) iter.Seq[core.Edit] {
		return func(yield func(core.Edit) bool) {
			yield(drop(1))
			panic("oh")
		}
	}))
	var p *core.PanicError
	require.ErrorAs(t, err, &p)
	assert.Equal(t, "oh", p.Value)
	assert.Equal(t, "0 2 3 4", survivors(w.View()))
}

func TestQuiet(t *testing.T) {
	history := parse("S U A U")
	view, err := core.Transform(propose()).Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Same(t, &history[0], &view[0])
}

func TestWindowTellsPolicyAndProtection(t *testing.T) {
	history := parse("S U A U A(a) T(a) A U A(b) T(b~)")
	history[6].Policy = core.Ephemeral
	w := core.NewWindow(history)
	for msg, want := range map[int]core.Policy{0: core.Locked, 1: core.Locked, 2: core.Partial, 3: core.Preservable, 4: core.Partial, 6: core.Ephemeral} {
		assert.Equal(t, want, w.Policy(msg), "message %d", msg)
	}
	assert.Equal(t, "system message", w.Protection(0).String())
	assert.Equal(t, "first user message", w.Protection(1).String())
	assert.Equal(t, "last user message", w.Protection(7).String())
	assert.Equal(t, "unread, open call", w.Protection(9).String())
	assert.Empty(t, w.Protection(2).String())
}

func TestBrokenInputIsNotBrokenFurther(t *testing.T) {
	image := parse("U U A U A")
	image[1].Parts[0].Media = &core.Media{URL: "data:,"}
	_, laws := apply(t, image, []core.Edit{shorten(1, 0, "short")})
	assert.Equal(t, []int{2}, laws, "text with media: shortening would lose the media")

	stranger := parse("U A(x) T(x) A U")
	stranger[1].Role = 9
	_, laws = apply(t, stranger, []core.Edit{insert(1, "s")})
	assert.Equal(t, []int{3}, laws, "it would land between the call and its result")

	w, laws := apply(t, parse("A#2 T(x) A(c)#1 A#2"), []core.Edit{drop(0)})
	assert.Equal(t, []int{5}, laws, "a result logged within the last reply is unread only while that is there")
	assert.Equal(t, core.Unread, w.Protection(0))
}

func TestResultsLoggedWithinTheLastReplyAreUnread(t *testing.T) {
	w := core.NewWindow(parse("U A(z) T(z) A#1 A(a)#1 T(a) A(b)#1 T(b)"))
	assert.True(t, w.Unread(5))
	assert.True(t, w.Unread(7))
	assert.False(t, w.Unread(2))
}
