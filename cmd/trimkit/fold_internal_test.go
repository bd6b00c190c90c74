package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// listed returns n lines, each with a reason from the list in turn.
func listed(n int, reasons ...string) []line {
	lines := make([]line, n)
	for i := range lines {
		lines[i] = line{messages: []int{i}, noun: "reply", op: "drop", why: reasons[i%len(reasons)], before: 10}
	}
	return lines
}

func TestFold(t *testing.T) {
	t.Parallel()
	short := listed(mostLines, "old")
	assert.Equal(t, short, fold(short), "as many as a person reads")

	runs := fold(listed(mostLines+1, "old"))
	assert.Len(t, runs, 1)
	assert.Equal(t, "0-40", span(runs[0].messages))
	assert.Equal(t, "41 replies", runs[0].what())
	assert.Equal(t, 410, runs[0].before)

	many := fold(listed(100, "old", "stale"))
	assert.Len(t, many, mostLines+1)
	middle := many[mostLines/2]
	assert.Equal(t, "20-79", span(middle.messages))
	assert.Equal(t, "60 replies", middle.what())
	assert.Contains(t, middle.why, "--all")
	assert.Equal(t, 600, middle.before)
	assert.Equal(t, "99", span(many[mostLines].messages))
}

func TestExplainFoldsUnlessAll(t *testing.T) {
	t.Parallel()
	in := strings.Repeat(`{"role":"user","content":"one of many questions"}`+"\n"+`{"role":"assistant","content":"one of many answers"}`+"\n", 60)
	p := newProgram(t)
	_, short, _ := p.run(in, "explain", "--budget", "100")
	assert.Regexp(t, `1\.\.119 +60 replies, 48 user messages +drop +864 +0 +oldest first`, short)
	assert.Less(t, strings.Count(short, "\n"), 20)
	_, long, _ := p.run(in, "explain", "--budget", "100", "--all")
	assert.Greater(t, strings.Count(long, "\n"), 100)
}

func TestSpan(t *testing.T) {
	t.Parallel()
	for want, messages := range map[string][]int{
		"":        nil,
		"7":       {7},
		"3-5":     {5, 3, 4},
		"1,3-4,9": {1, 3, 4, 9},
		"1..9":    {1, 3, 5, 9},
	} {
		assert.Equal(t, want, span(messages))
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	tab := table{align: "lrl"}
	tab.row("name", "tokens", "why")
	tab.row("größer", "7", "")
	assert.Equal(t, "name    tokens  why\ngrößer       7\n", tab.String())
	assert.Equal(t, "a?b", toolName("a\x1bb"))
	assert.Equal(t, strings.Repeat("x", 37)+"...", toolName(strings.Repeat("x", 99)))
	assert.Equal(t, "12.5%", share(1, 8))
	assert.Equal(t, "0.0%", share(0, 0))
}
