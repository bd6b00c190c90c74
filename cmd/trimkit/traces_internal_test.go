package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// percents are the budgets, in percent of a file's tokens.
var percents = []int{25, 50, 75}

// mostOverBudget pins how many files cannot be made to fit, by percent, with the reason
// proved for each.
var mostOverBudget = map[int]int{25: 15, 50: 8, 75: 4}

// Every recorded conversation at every budget: the view fits, or what is left is only
// what law 5 protects; nothing is new that a provider would reject; and the view is a
// subsequence of the input but for marked edits.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	s := &traceSuite{table: traceTable{rows: map[traceKey]*traceRow{}}}
	meter, err := newMeter(standardModel, standardModel)
	require.NoError(t, err)
	s.meter = meter

	files := 0
	t.Run("files", func(t *testing.T) {
		for _, folder := range traceFolders {
			names, err := filepath.Glob(filepath.Join(dir, folder, "*.jsonl"))
			require.NoError(t, err)
			for _, name := range names {
				files++
				t.Run(folder+"/"+filepath.Base(name), func(t *testing.T) {
					t.Parallel()
					s.file(t, folder, name)
				})
			}
		}
	})
	require.Positive(t, files, "no recorded conversations in %s", dir)
	t.Logf("\n%s", s.table.markdown())
	if name := os.Getenv("TRIMKIT_TABLE"); name != "" {
		require.NoError(t, os.WriteFile(name, []byte(s.table.markdown()), 0o644))
	}
	for percent, most := range mostOverBudget {
		assert.LessOrEqual(t, s.table.sum(percent).overBudget, most, "files that do not fit at %d %%", percent)
	}
}

// traceSuite counts with one meter, so that a text is counted once for all runs.
type traceSuite struct {
	meter *budget.Meter
	table traceTable
}

// run is the program, in this process.
func (s *traceSuite) run(stdin []byte, args ...string) (code int, stdout, stderr []byte) {
	var out, errs bytes.Buffer
	a := &app{stdin: bytes.NewReader(stdin), stdout: &out, stderr: &errs, steps: steps}
	a.meter = func(_, _ string) (*budget.Meter, error) { return s.meter, nil }
	code = a.run(args)
	return code, out.Bytes(), errs.Bytes()
}

func (s *traceSuite) file(t *testing.T, folder, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	f := &traceFile{folder: folder, data: data, naive: newNaive(t, data), total: s.count(t, data).Tokens, found: map[string]map[string]int{}}
	require.False(t, edited(string(data)), "what shows an edit must not be there before")
	for _, p := range core.Profiles() {
		f.found[p.Name] = s.violations(t, p.Name, data, f.naive)
	}
	for _, percent := range percents {
		for _, profile := range core.Profiles() {
			t.Run(fmt.Sprintf("%d/%s", percent, profile.Name), func(t *testing.T) { s.trim(t, f, percent, profile) })
		}
	}
}

// traceFile is a recorded conversation, and what is known of it.
type traceFile struct {
	folder string
	data   []byte
	naive  *naive
	total  int                       // tokens
	found  map[string]map[string]int // profile → violations
}

// trim checks one run of trim. The table is made from those for the default profile.
func (s *traceSuite) trim(t *testing.T, f *traceFile, percent int, profile *core.Profile) {
	t.Helper()
	limit := f.total * percent / 100
	reportFile := filepath.Join(t.TempDir(), "report.json")
	code, out, errs := s.run(f.data, "trim", "--budget", strconv.Itoa(limit), "--profile", profile.Name, "--report", reportFile)
	require.Contains(t, []int{exitDone, exitOverBudget}, code, "%s", errs)
	view, tokens := newNaive(t, out), s.count(t, out).Tokens
	if code == exitOverBudget {
		assert.Greater(t, tokens, limit, "exit code 4 although it fits")
		assert.Contains(t, string(errs), "cannot fit: ")
		s.nothingToGive(t, f.naive, view)
	} else {
		assert.LessOrEqual(t, tokens, limit)
	}
	subsequence(t, f.naive, view)
	protectedStays(t, f.naive, view)
	nothingNew(t, f.found[profile.Name], s.violations(t, profile.Name, out, view))
	report := readReport(t, reportFile)
	balanced(t, report, f.total, tokens)
	if profile != core.OpenAI {
		return
	}
	for _, other := range core.Profiles()[1:] { // what they would say, but for what may stand beside what
		nothingNew(t, f.found[other.Name], without(s.violations(t, other.Name, out, view), "turn-order"))
	}
	s.table.add(traceKey{f.folder, percent}, traceRow{
		files: 1, overBudget: code / exitOverBudget,
		messages: len(f.naive.lines), messagesKept: len(view.lines), tokens: f.total, tokensKept: tokens,
		drops: edits(report, "drop"), shortened: edits(report, "shorten"), elided: edits(report, "elide"), inserted: edits(report, "insert"),
	})
}

func (s *traceSuite) count(t *testing.T, data []byte) *counts {
	t.Helper()
	code, out, errs := s.run(data, "count", "--json")
	require.Equal(t, exitDone, code, "%s", errs)
	var n counts
	require.NoError(t, json.Unmarshal(out, &n))
	addsUp(t, &n)
	return &n
}

// mostTokens is what the last resort leaves of a result at most, with the mark that
// something is missing.
const mostTokens = 80

// nothingToGive checks that a view that does not fit has nothing that could go: only
// protected messages, with results cut to the minimum where law 12 allows it.
func (s *traceSuite) nothingToGive(t *testing.T, in, view *naive) {
	t.Helper()
	left := map[string]int{}
	for i, line := range in.lines {
		if in.protected[i] {
			left[line]++
		}
	}
	for i, line := range view.lines {
		if view.last[i] {
			for _, b := range view.messages[i].blocks() {
				assert.LessOrEqual(t, s.meter.Count(b.Text), mostTokens, "message %d of the view is a result that could be shorter", i)
			}
		}
		if edited(line) { // a shortened result, or the notice that two protected messages need between them
			continue
		}
		left[line]--
		assert.GreaterOrEqual(t, left[line], 0, "message %d of the view is not protected and stays:\n%.300s", i, line)
	}
}

// subsequence checks that the view's lines are the input's, in their order, but for those
// that say that they are not: results with other content, and notices.
func subsequence(t *testing.T, in, view *naive) {
	t.Helper()
	at := 0
	for i, line := range view.lines {
		if edited(line) && !view.messages[i].result() {
			continue
		}
		for at < len(in.lines) && in.lines[at] != line && !(edited(line) && in.messages[at].sameResult(&view.messages[i])) {
			at++
		}
		if !assert.Less(t, at, len(in.lines), "line %d of the view is not of the input, or not in its order:\n%.300s", i+1, line) {
			return
		}
		at++
	}
}

// protectedStays checks that the view has what law 5 protects, word for word, but for
// results that law 12 let be shortened, which are there all the same, with some of their
// content.
func protectedStays(t *testing.T, in, view *naive) {
	t.Helper()
	has, shortened := map[string]int{}, map[string]int{}
	for i, line := range view.lines {
		has[line]++
		if edited(line) && !view.messages[i].marker() {
			shortened[view.messages[i].ToolCallID]++
		}
	}
	for i, line := range in.lines {
		if !in.protected[i] {
			continue
		}
		if has[line]--; has[line] < 0 {
			id := in.messages[i].ToolCallID
			assert.True(t, in.last[i] && shortened[id] > 0, "message %d is protected and missing:\n%.300s", i, line)
			shortened[id]--
		}
	}
}

func edited(line string) bool { return strings.Contains(line, core.MarkerPrefix) }

// violations returns what check finds, under names that a message keeps when others
// leave: the rule, and the message itself.
func (s *traceSuite) violations(t *testing.T, profile string, data []byte, n *naive) map[string]int {
	t.Helper()
	code, out, errs := s.run(data, "check", "--json", "--profile", profile)
	require.Contains(t, []int{exitDone, exitFound}, code, "%s", errs)
	var found struct{ Violations []core.Violation }
	require.NoError(t, json.Unmarshal(out, &found))
	assert.Equal(t, code == exitFound, len(found.Violations) > 0)
	names := map[string]int{}
	for _, v := range found.Violations {
		m := &n.messages[v.Message]
		if v.Rule == "first-role" { // one of the conversation: when a wrong first message leaves, the next may be as wrong
			names[v.Rule]++
			continue
		}
		names[fmt.Sprintf("%s of part %d of %s", v.Rule, v.Part, n.lines[v.Message])]++
		if m.ToolCallID != "" { // the name of a shortened result
			names[fmt.Sprintf("%s of result %s", v.Rule, m.ToolCallID)]++
		}
	}
	return names
}

func without(violations map[string]int, rule string) map[string]int {
	for name := range violations {
		if strings.HasPrefix(name, rule+" ") {
			delete(violations, name)
		}
	}
	return violations
}

func nothingNew(t *testing.T, before, after map[string]int) {
	t.Helper()
	for name, n := range after {
		if edited(name) { // it has another name, too
			continue
		}
		assert.LessOrEqual(t, n, before[name], "a violation that the input had not: %.400s", name)
	}
}
