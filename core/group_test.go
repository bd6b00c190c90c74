package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
)

func TestGroups(t *testing.T) {
	for _, test := range []struct{ name, history, groups string }{
		{"one of each", "S U A A(c) T(c) A", "0 1 2 3,4 5"},
		{"TestFault_PARALLEL results in another order", "U A(a,b,c) T(c) T(a) T(b)", "0 1,2,3,4"},
		{"TestFault_PARALLEL results in one message", "U A(a,b) T(a,b) A", "0 1,2 3"},
		{"TestFault_ORPHAN a user note between", "U A(a,b) T(a) U T(b) A", "0 1,2,4 3 5"},
		{"TestFault_PARALLEL dead call", "U A(a,b,c) T(a) T(b) U A", "0 1,2,3 4 5"},
		{"TestFault_PARALLEL id used again", "U A(x) T(x) A(x) T(x)", "0 1,2 3,4"},
		{"id used again, the first dead", "U A(x) U A(x) T(x)", "0 1 2 3,4"},
		{"late result of the older of two", "U A(x) U A(x) T(x) T(x)", "0 1,5 2 3,4"},
		{"same id twice in a reply", "U A(x,x) T(x) T(x) A", "0 1,2,3 4"},
		{"a reply over several messages", "U A#1 A(a)#1 T(a) A(b)#1 T(b) A#2", "0 1,2,3,4,5 6"},
		{"neighbours without a reply number stay apart", "U A(a) A(b) T(a) T(b)", "0 1,3 2,4"},
		{"one tool message answers two replies", "U A(a) A(b) T(a,b)", "0 1,2,3"},
		{"TestFault_THINK reasoning alone goes with what follows", "U R A(a) T(a) R A U R", "0 1,2,3 4,5 6 7"},
		{"TestFault_ORPHAN lone results", "T(a) U T(b) A(c) T(c,d)", "0 1 2 3,4"},
		{"a second result for an answered call", "U A(a) T(a) U T(a)", "0 1,2,4 3"},
		{"TestFault_HITL pending, then final", "U A(a) T(a~) U A T(a)", "0 1,2,5 3 4"},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.groups, shape(core.NewGroups(parse(test.history))))
		})
	}
}

func TestGroupsSayWhatTheyAre(t *testing.T) {
	g := core.NewGroups(parse("S U A A(c) T(c) T(lone) U A(d)"))
	var kinds []string
	for _, group := range g.List {
		kinds = append(kinds, group.Kind.String())
	}
	assert.Equal(t, "system user reply exchange other user exchange", strings.Join(kinds, " "))
	assert.Equal(t, []int{0, 1, 1, 1, 1, 2, 2}, []int{g.List[0].Turn, g.List[1].Turn, g.List[2].Turn, g.List[3].Turn, g.List[4].Turn, g.List[5].Turn, g.List[6].Turn})
	assert.True(t, g.List[6].Open)
	assert.False(t, g.List[3].Open)
}

// Same id twice in one reply: results answer in the order of the calls, which is what
// tells the two files read apart.
func TestResultsOfOneReplyAnswerInOrder(t *testing.T) {
	g := core.NewGroups(parse("U A(x,x) T(x) T(x)"))
	for i, want := range []int{0, 1} {
		msg, part, ok := g.CallOf(2+i, 0)
		require.True(t, ok)
		assert.Equal(t, [2]int{1, want}, [2]int{msg, part})
	}
}

func TestBlocksOfOneResultAnswerOneCall(t *testing.T) {
	g := core.NewGroups(parse("U A(x) U A(x) T(x,x)"))
	for part := range 2 {
		msg, _, ok := g.CallOf(4, part)
		require.True(t, ok)
		assert.Equal(t, 3, msg)
	}
	assert.Equal(t, "0 1 2 3,4", shape(g), "the dead call of the same id is not theirs")
}

func TestFault_HITL_OpenAndDeadCalls(t *testing.T) {
	for _, test := range []struct {
		history string
		open    bool // the group of message 1
	}{
		{"U A(a,b) T(a)", true},
		{"U A(a,b) T(a) T(b)", false},
		{"U A(a,b) T(a) U", false},   // a user message closes what nobody answered
		{"U A(a) T(a~)", true},       // an intermediate result
		{"U A(a) T(a~) U A", true},   // waits for an approval while the user talks on
		{"U A(a) T(a~) T(a)", false}, // and has it
	} {
		g := core.NewGroups(parse(test.history))
		assert.Equal(t, test.open, g.List[g.Of[1]].Open, test.history)
	}
}

// A hostile history must not make pairing quadratic: the count of steps is bounded by a
// test on time growth elsewhere, here it only has to end soon.
func TestFault_SLOW_OneIDForEverything(t *testing.T) {
	const n = 200_000
	m := core.Message{Role: core.RoleAssistant}
	r := core.Message{Role: core.RoleTool}
	for range n {
		m.Parts = append(m.Parts, core.Part{Kind: core.KindToolCall, CallID: "x"})
		r.Parts = append(r.Parts, core.Part{Kind: core.KindToolResult, CallID: "x"})
	}
	g := core.NewGroups([]core.Message{m, r})
	msg, part, ok := g.CallOf(1, n-1)
	require.True(t, ok)
	assert.Equal(t, [2]int{0, n - 1}, [2]int{msg, part})
}
