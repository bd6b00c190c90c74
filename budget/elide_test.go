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

// tool names the tool of every call and result of an id.
func tool(history []core.Message, id, name string) {
	for i := range history {
		for p := range history[i].Parts {
			if part := &history[i].Parts[p]; part.CallID == id {
				part.Tool = name
			}
		}
	}
}

func TestElideResults(t *testing.T) {
	for _, test := range []struct {
		name    string
		history string
		opts    []budget.ElideOption
		want    string
	}{
		{"oldest first, failed ones too", "S U A(a) T(a) A(b) T(b!) A U", nil, "elide 3.0, elide 5.0"},
		{"parallel calls as they were answered", "U A(a,b) T(b) T(a) A U", nil, "elide 2.0, elide 3.0"},
		{"several in a message", "U A(a,b) T(a,b) A U", nil, "elide 2.0, elide 2.1"},
		{"what is unread stays", "U A(a) T(a) A(b) T(b)", nil, "elide 2.0"},
		{"what is open stays", "U A(a,b) T(a)", nil, ""},
		{"pins", "U A(a) T(a)+ A(b)+ T(b) A U", nil, ""},
		{"a result that answers nothing", "U A T(x) A U", nil, "elide 2.0"},
		{"the newest stay", "U A(a) T(a) A(b,c) T(c) T(b) A(d) T(d) A U", []budget.ElideOption{budget.KeepNewest(2)}, "elide 2.0, elide 4.0"},
		{"unread ones are among the newest", "U A(a) T(a) A(b) T(b) A(c) T(c)", []budget.ElideOption{budget.KeepNewest(2)}, "elide 2.0"},
		{"blocks are one result", "U A(a) T(a) A(b) T(b,b) A U", []budget.ElideOption{budget.KeepNewest(1)}, "elide 2.0"},
		{"blocks go one by one", "U A(a) T(a,a) A(b) T(b) A U", []budget.ElideOption{budget.KeepNewest(1)}, "elide 2.0, elide 2.1"},
		{"more are kept than there are", "U A(a) T(a) A U", []budget.ElideOption{budget.KeepNewest(9)}, ""},
		{"some tools only", "U A(a) T(a) A(b) T(b) A(c) T(c) A U", []budget.ElideOption{budget.OnlyTools("b"), budget.OnlyTools("c")}, "elide 4.0, elide 6.0"},
		{"no tool", "U A(a) T(a) A U", []budget.ElideOption{budget.OnlyTools()}, ""},
		{"tools that stay", "U A(a) T(a) A(b) T(b) A(c) T(c) A U", []budget.ElideOption{budget.OnlyTools("a", "b"), budget.ExceptTools("b")}, "elide 2.0"},
		{"the newest of those tools", "U A(a) T(a) A(b) T(b) A U", []budget.ElideOption{budget.ExceptTools("b"), budget.KeepNewest(1)}, ""},
		{"enough to clear", "U A(a) T(a) A(b) T(b) A U", []budget.ElideOption{budget.ClearAtLeast(60)}, "elide 2.0, elide 4.0"},
		{"too little to clear", "U A(a) T(a) A(b) T(b) A U", []budget.ElideOption{budget.ClearAtLeast(80)}, ""},
		{"too little behind the newest", "U A(a) T(a) A(b) T(b) A U", []budget.ElideOption{budget.ClearAtLeast(60), budget.KeepNewest(1)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			history := fill(coretest.Parse(test.history), 50)
			for _, id := range []string{"a", "b", "c"} {
				tool(history, id, id)
			}
			assert.Equal(t, test.want, list(apply(t, history, budget.ElideResults(test.opts...))))
		})
	}
}

func TestElideResultsLeavesAlone(t *testing.T) {
	for name, change := range map[string]func(history []core.Message, result *core.Part){
		"signed": func(_ []core.Message, p *core.Part) { p.Signed = true },
		"elided": func(_ []core.Message, p *core.Part) { p.Elided = &core.Elision{Op: core.Elide, By: -1} },
		"small":  func(_ []core.Message, p *core.Part) { p.Text = "no matches found" },
		"empty":  func(_ []core.Message, p *core.Part) { p.Text = "" },
		"an address of media": func(_ []core.Message, p *core.Part) {
			p.Text, p.Media = "", &core.Media{URL: "https://a.example/b.png"}
		},
		"preservable":      func(h []core.Message, _ *core.Part) { h[2].Policy = core.Preservable },
		"of a preservable": func(h []core.Message, _ *core.Part) { h[1].Policy = core.Preservable },
		"conditional":      func(h []core.Message, _ *core.Part) { h[2].Policy = core.Conditional },
	} {
		history := fill(coretest.Parse("U A(a) T(a) A(b) T(b) A U"), 50)
		change(history, &history[2].Parts[0])
		assert.Equal(t, "elide 4.0", list(apply(t, history, budget.ElideResults())), name)
	}
}

func TestElideResultsCountsWhatIsThereInFull(t *testing.T) {
	history := fill(coretest.Parse("U A(a) T(a) A(b) T(b) A(c) T(c) A U"), 50)
	history[6].Parts[0].Elided = &core.Elision{Op: core.Elide, By: -1}
	assert.Equal(t, "elide 2.0", list(apply(t, history, budget.ElideResults(budget.KeepNewest(1)))))
}

func TestElideResultsStopsAtTheTarget(t *testing.T) {
	history := fill(coretest.Parse("U A(a) T(a) A(b) T(b) A(c) T(c) A U"), 50)
	assert.Equal(t, "elide 2.0", list(apply(t, history, budget.ElideResults(), 1)))
	assert.Equal(t, "elide 2.0, elide 4.0", list(apply(t, history, budget.ElideResults(), 60)))
}

func TestElideResultsTakesMedia(t *testing.T) {
	history := fill(coretest.Parse("U A(a) T(a,a) A U"), 50)
	history[2].Parts[1].Text = ""
	history[2].Parts[1].Media = &core.Media{MIME: "image/png", Data: make([]byte, 5000), Width: 1000, Height: 1000}
	assert.Equal(t, "elide 2.0, elide 2.1", list(apply(t, history, budget.ElideResults())))
}

func TestElideResultsKnowsTheToolByItsCall(t *testing.T) {
	history := fill(coretest.Parse("U A(a) T(a) A U"), 50)
	history[2].Parts[0].Tool = ""
	assert.Equal(t, "elide 2.0", list(apply(t, history, budget.ElideResults(budget.OnlyTools("Read")))))
	assert.Empty(t, apply(t, history, budget.ElideResults(budget.ExceptTools("Read"))))
}

func TestFault_MARKER_AnErrorSaysThatItWasOne(t *testing.T) {
	history := fill(coretest.Parse("U A(a) T(a!) A U"), 50)
	view, err := core.Transform(budget.ElideResults()).Transform(t.Context(), history)
	require.NoError(t, err)
	assert.Equal(t, "[trimkit: Read result removed: old, to make room; 250 tokens; it was an error]", view[2].Parts[0].Text)
}

// Whatever the size of a result and whatever its tool is called: what the editor proposes is
// adopted.
func TestFault_MARKER_TinyResultsStay(t *testing.T) {
	for _, name := range []string{"", "Read", "mcp__browser__take_screenshot", strings.Repeat("x", 200), "]\"<tool>`\\\x00\u200b"} {
		adopted := 0
		for n := range 70 {
			history := coretest.Parse("U A(a) T(a!) A U")
			history[2].Parts[0].Text = long(n)
			tool(history, "a", name)
			for _, sizer := range []core.Sizer{wordMeter, bytesMeter, core.Bytes} {
				w := core.NewWindow(history, core.WithSizer(sizer))
				refused, err := core.Apply(w, budget.ElideResults())
				require.NoError(t, err)
				assert.Empty(t, refused, "%q, %d words", name, n)
				adopted += len(w.Edits())
			}
		}
		assert.Positive(t, adopted, "%q", name)
	}
}

func TestFault_HITL_WhatWaitsOrWasRefusedStays(t *testing.T) {
	history := fill(coretest.Parse("U A(a) T(a) A(b) T(b~) T(b) A(c) T(c~) A U"), 50)
	history[2].Parts[0].Status = core.StatusDenied
	assert.Equal(t, "elide 5.0", list(apply(t, history, budget.ElideResults())), "denied, intermediate, final, pending")
	assert.Empty(t, apply(t, history, budget.ElideResults(budget.KeepNewest(1))), "what is intermediate is no result yet")
}
