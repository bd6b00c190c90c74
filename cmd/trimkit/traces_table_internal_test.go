package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// traceFolders are the kinds of recorded conversations.
var traceFolders = []string{"coding", "support", "research", "malformed"}

type traceKey struct {
	folder  string
	percent int
}

// traceRow sums up what became of files.
type traceRow struct {
	files, overBudget                  int
	messages, messagesKept             int
	tokens, tokensKept                 int
	drops, shortened, elided, inserted int
}

func (r *traceRow) add(o traceRow) {
	r.files += o.files
	r.overBudget += o.overBudget
	r.messages += o.messages
	r.messagesKept += o.messagesKept
	r.tokens += o.tokens
	r.tokensKept += o.tokensKept
	r.drops += o.drops
	r.shortened += o.shortened
	r.elided += o.elided
	r.inserted += o.inserted
}

// traceTable is filled by tests that run at the same time.
type traceTable struct {
	mu   sync.Mutex
	rows map[traceKey]*traceRow
}

func (t *traceTable) add(key traceKey, row traceRow) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows[key] == nil {
		t.rows[key] = &traceRow{}
	}
	t.rows[key].add(row)
}

// sum returns the row of all folders.
func (t *traceTable) sum(percent int) *traceRow {
	sum := &traceRow{}
	for _, folder := range traceFolders {
		if row := t.rows[traceKey{folder, percent}]; row != nil {
			sum.add(*row)
		}
	}
	return sum
}

func (t *traceTable) markdown() string {
	var b strings.Builder
	b.WriteString("| folder | budget | files | fitted | exit 4 | messages kept | tokens kept | drop | shorten | elide | insert |\n")
	b.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	row := func(folder string, percent int, r *traceRow) {
		fmt.Fprintf(&b, "| %s | %d %% | %d | %d | %d | %s | %s | %d | %d | %d | %d |\n", folder, percent, r.files, r.files-r.overBudget, r.overBudget,
			share(r.messagesKept, r.messages), share(r.tokensKept, r.tokens), r.drops, r.shortened, r.elided, r.inserted)
	}
	for _, folder := range traceFolders {
		for _, percent := range percents {
			if r := t.rows[traceKey{folder, percent}]; r != nil {
				row(folder, percent, r)
			}
		}
	}
	for _, percent := range percents {
		row("all", percent, t.sum(percent))
	}
	return b.String()
}

func readReport(t *testing.T, name string) *report {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	var r report
	require.NoError(t, json.Unmarshal(data, &r))
	return &r
}

// balanced checks that the edits account for every token between two counts.
func balanced(t *testing.T, r *report, before, after int) {
	t.Helper()
	assert.Equal(t, before, r.TokensBefore, "tokens before")
	assert.Equal(t, after, r.TokensAfter, "tokens after")
	saved := 0
	for _, e := range r.Edits {
		saved += e.TokensBefore - e.TokensAfter
		assert.NotEmpty(t, e.Reason)
		assert.Equal(t, e.Op == "drop", len(e.Messages) > 0, "a drop has messages, and nothing else has")
	}
	assert.Equal(t, before-after, saved, "the edits' tokens")
}

func edits(r *report, op string) int {
	n := 0
	for _, e := range r.Edits {
		if e.Op == op {
			n++
		}
	}
	return n
}

// addsUp checks that parts and overhead are the total, whichever way they are counted.
func addsUp(t *testing.T, n *counts) {
	t.Helper()
	roles, kinds, messages := 0, 0, 0
	for _, c := range n.ByRole {
		roles += c.Tokens
		messages += c.Messages
	}
	for _, c := range n.ByKind {
		kinds += c.Tokens
	}
	assert.Equal(t, n.Tokens, roles+n.Overhead.Tokens, "roles and overhead")
	assert.Equal(t, n.Tokens, kinds+n.Overhead.Tokens, "kinds and overhead")
	assert.Equal(t, n.Messages, messages)
	assert.Equal(t, n.Overhead.Tokens, n.Overhead.Framing+n.Overhead.Schemas+n.Overhead.Documents+n.Overhead.Reply, "overhead")
}
