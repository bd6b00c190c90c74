package budget_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// outcomes makes a history whose results succeeded where they did not fail, and in which
// calls have the same arguments if their ids begin with the same letter.
func outcomes(notation string) []core.Message {
	history := fill(coretest.Parse(notation), 50)
	for i := range history {
		for p := range history[i].Parts {
			switch part := &history[i].Parts[p]; part.Kind {
			case core.KindToolCall:
				part.Text = `{"command":"` + part.CallID[:1] + `"}`
			case core.KindToolResult:
				if part.Status == core.StatusUnknown {
					part.Status = core.StatusOK
				}
			}
		}
	}
	return history
}

func TestResolvedFailures(t *testing.T) {
	for _, test := range []struct{ name, history, want string }{
		{"the same call succeeded", "U A(a1) T(a1!) A(a2) T(a2) A U", "drop 1"},
		{"at last", "U A(a1) T(a1!) A(a2) T(a2!) A(b) T(b) A(a3) T(a3) A U", "drop 1, drop 3"},
		{"and the model has not read it", "U A(a1) T(a1!) A(a2) T(a2)", "drop 1"},
		{"another one succeeded", "U A(a) T(a!) A(b) T(b) A U", ""},
		{"it succeeded before", "U A(a1) T(a1) A(a2) T(a2!) A U", ""},
		{"it failed again later", "U A(a1) T(a1!) A(a2) T(a2) A(a3) T(a3!) A U", "drop 1"},
		{"asked before the failure was known", "U A(a1) A(a2) T(a1!) T(a2) A U", ""},
		{"side by side", "U A(a1,a2) T(a1!,a2) A U", ""},
		{"both failed, both resolved", "U A(a1,b1) T(a1!,b1!) A(a2) T(a2) A(b2) T(b2) A U", "drop 1"},
		{"one of two failed", "U A(a1,b1) T(a1!) T(b1) A(a2) T(a2) A U", "elide 2.0"},
		{"one of two resolved", "U A(a1,b1) T(a1!,b1!) A(b2) T(b2) A U", "elide 2.1"},
		{"one nobody answered", "U A(a1,b1) T(a1!) U A(a2) T(a2) A U", "elide 2.0"},
		{"several blocks", "U A(a1,b1) T(a1!,a1!) T(b1) A(a2) T(a2) A U", "elide 2.0, elide 2.1"},
		{"intermediate results", "U A(a1) T(a1~) T(a1!) A(a2) T(a2~) T(a2) A U", "drop 1"},
		{"text of its own", "U A(a1)=I_try T(a1!) A(a2) T(a2) A U", "elide 2.0"},
		{"what led to it goes too", "U ?A(a1) T(a1!) A(a2) T(a2) A U", "drop 1"},
		{"pins", "U A(a1) T(a1!)+ A(b1)+ T(b1!) A(a2,b2) T(a2,b2) A U", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, list(apply(t, outcomes(test.history), budget.ResolvedFailures())))
		})
	}
}

func TestResolvedFailuresTakesNothingOnTrust(t *testing.T) {
	const call, failure, retry, success = 1, 2, 3, 4
	for name, change := range map[string]func(h []core.Message){
		"the retry does not say":  func(h []core.Message) { h[success].Parts[0].Status = core.StatusUnknown },
		"the retry was denied":    func(h []core.Message) { h[success].Parts[0].Status = core.StatusDenied },
		"the failure is a denial": func(h []core.Message) { h[failure].Parts[0].Status = core.StatusDenied },
		"it does not say":         func(h []core.Message) { h[failure].Parts[0].Status = core.StatusUnknown },
		"other arguments":         func(h []core.Message) { h[retry].Parts[0].Text = `{"command":"a", "timeout":9}` },
		"another tool":            func(h []core.Message) { h[retry].Parts[0].Tool = "Shell" },
		"tools without a name":    func(h []core.Message) { h[call].Parts[0].Tool, h[retry].Parts[0].Tool = "", "" },
		"preservable":             func(h []core.Message) { h[failure].Policy = core.Preservable },
		"conditional":             func(h []core.Message) { h[call].Policy = core.Conditional },
		"blocks that disagree": func(h []core.Message) {
			h[success].Parts[0].Status = core.StatusFailed
			h[success].Parts = append(h[success].Parts, core.Part{Kind: core.KindToolResult, Status: core.StatusOK, CallID: "a2", Slot: 1})
		},
	} {
		history := outcomes("U A(a1) T(a1!) A(a2) T(a2) A U")
		change(history)
		assert.Empty(t, apply(t, history, budget.ResolvedFailures()), name)
	}
}

func TestResolvedFailuresKeepsWhatElseAnExchangeSays(t *testing.T) {
	for name, part := range map[string]core.Part{
		"media":  {Kind: core.KindMedia, Media: &core.Media{URL: "https://a.example/b.png"}, Slot: 9},
		"opaque": {Kind: core.KindOpaque, Text: "{}", Slot: 9},
	} {
		history := outcomes("U A(a1) T(a1!) A(a2) T(a2) A U")
		history[1].Parts = append([]core.Part{part}, history[1].Parts...)
		assert.Equal(t, "elide 2.0", list(apply(t, history, budget.ResolvedFailures())), name)
	}
}

func TestResolvedFailuresPointsToTheSuccess(t *testing.T) {
	history := outcomes("U A(a1,b1) T(a1!) T(b1) A(a2) T(a2) A(a3) T(a3) A U")
	edits := apply(t, history, budget.ResolvedFailures())
	require.Len(t, edits, 1)
	assert.Equal(t, 7, edits[0].By, "the newest")

	w := core.NewWindow(history, core.WithSizer(wordMeter))
	for _, gone := range []int{6, 4} {
		for edit := range budget.ByPolicy(budget.PolicyOptions{}).Edits(w) {
			if edit.Msg == gone {
				_, err := core.Apply(w, only(edit))
				require.NoError(t, err)
			}
		}
		by := 0
		for edit := range budget.ResolvedFailures().Edits(w) {
			by = edit.By
		}
		assert.Equal(t, map[int]int{6: 5, 4: 0}[gone], by, "what the view does not show resolves nothing")
	}
}

func TestResolvedFailuresSaysThatItWasAnError(t *testing.T) {
	history := outcomes("U A(a1)=I_try T(a1!) A(a2) T(a2) A U")
	view, err := core.Transform(budget.ResolvedFailures()).Transform(t.Context(), history)
	require.NoError(t, err)
	text := view[2].Parts[0].Text
	assert.True(t, strings.HasPrefix(text, "[trimkit: Read result removed: a later attempt succeeded;"), text)
	assert.Contains(t, text, "it was an error; see the later Read")
}

func TestFault_THINK_ASignatureOfThePresentTurnKeepsAFailure(t *testing.T) {
	assert.Equal(t, "elide 2.0", list(apply(t, outcomes("U ??A(a1) T(a1!) A(a2) T(a2)"), budget.ResolvedFailures())))
	assert.Equal(t, "drop 1", list(apply(t, outcomes("U ??A(a1) T(a1!) A(a2) T(a2) A U"), budget.ResolvedFailures())))
}
