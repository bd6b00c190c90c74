package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/wire/format"
)

// filesDoc is the page with the table that the tests here write.
const filesDoc = "../../docs/files.md"

// savingColumns are the columns of the table: what runs, on a view of its own. The first
// four lose nothing that the view shows.
var savingColumns = []struct{ name, steps string }{
	{"stale reads", "stale-reads"},
	{"outdated diffs", "outdated-diffs"},
	{"duplicates", "duplicates"},
	{"the three", "stale-reads,outdated-diffs,duplicates"},
	{"superseded", "superseded"},
	{"outdated reads", "outdated-reads"},
	{"fold", "fold"},
}

// lossless is how many columns lose nothing.
const lossless = 4

// Every step on files, alone, on every recorded coding session: nothing that is not read
// yet changes, no provider rejects anything new, and where a step loses nothing each line of
// a file that was known before stands in the view. What they save is the table in
// docs/files.md.
func TestTracesFiles(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	meter, err := newMeter(standardModel, standardModel)
	require.NoError(t, err)
	names, err := filepath.Glob(filepath.Join(dir, "coding", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, names, "no recorded conversations in %s", dir)
	s := &savingSuite{meter: meter, rows: make([]savingRow, len(names))}
	t.Run("files", func(t *testing.T) {
		for i, name := range names {
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				s.rows[i] = s.file(t, name)
			})
		}
	})
	if t.Failed() {
		return // an update must not bless what is wrong
	}
	table := savingTable(s.rows)
	t.Logf("in %d views, %d lines of files and %d lines that were removed were looked for\n%s", len(names)*len(savingColumns), s.known.Load(), s.gone.Load(), table)
	if !*update && strings.Count(pageRegion(t, filesDoc, "table"), "\n") != strings.Count(table, "\n") {
		t.Log("these are other conversations than those of the page: it is not compared")
		return
	}
	assert.Greater(t, s.known.Load(), int64(50_000), "the check is not idle")
	assert.Greater(t, s.gone.Load(), int64(10_000), "the check is not idle")
	assert.Greater(t, s.missed.Load(), int64(1_000), "the check finds what outdated reads lose")
	compareRegion(t, filesDoc, "table", table)
}

type savingSuite struct {
	meter *budget.Meter
	rows  []savingRow

	known, gone atomic.Int64 // lines that were looked for: of what is known of files, and of what was removed
	missed      atomic.Int64 // lines that a step which loses some lost
}

// savingRow is a line of the table, in tokens.
type savingRow struct {
	name  string
	total int
	saved [7]int // by column
}

func (s *savingSuite) file(t *testing.T, name string) savingRow {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	h, err := format.Parse(data, format.Auto)
	require.NoError(t, err)
	history := h.Messages()
	row := savingRow{name: strings.TrimSuffix(filepath.Base(name), ".jsonl"), total: s.meter.AsSent(history, h.Request())}
	before := diffs.State(history, new(rooted).files())
	for _, profile := range core.Profiles() {
		found := rejected(profile, history)
		for i, column := range savingColumns {
			view := s.view(t, history, column.steps, profile)
			left := rejected(profile, view)
			nothingNew(t, found, left)
			nothingNew(t, byRule(found), byRule(left))
			unreadStays(t, history, view)
			if profile != core.OpenAI {
				continue
			}
			row.saved[i] = row.total - s.meter.AsSent(view, h.Request())
			lost := s.lost(before, history, view)
			if i < lossless {
				assert.Empty(t, lost, "lines that %s lost", column.name)
			} else if column.steps == "outdated-reads" {
				s.missed.Add(int64(len(lost)))
			}
		}
	}
	return row
}

// view is what steps make of a history, without a budget.
func (s *savingSuite) view(t *testing.T, history []core.Message, list string, profile *core.Profile) []core.Message {
	t.Helper()
	p, err := parseSteps(steps, list, new(rooted).files())
	require.NoError(t, err)
	w := core.NewWindow(history, core.WithSizer(s.meter), core.WithProfile(profile))
	for _, e := range p.editors {
		refused, err := core.Apply(w, e)
		require.NoError(t, err, list)
		require.Empty(t, refused, list)
	}
	return w.View()
}

// unreadStays checks that what stands behind the last reply is the same, word for word.
func unreadStays(t *testing.T, history, view []core.Message) {
	t.Helper()
	for i := 1; i <= len(history) && history[len(history)-i].Role != core.RoleAssistant; i++ {
		require.LessOrEqual(t, i, len(view))
		require.Equal(t, history[len(history)-i], view[len(view)-i], "message %d from the end is unread", i)
	}
}

func savingTable(rows []savingRow) string {
	sum := savingRow{name: "all"}
	var b strings.Builder
	head, rule := []string{"file", "tokens"}, []string{"---", "---:"}
	for _, column := range savingColumns {
		head, rule = append(head, column.name), append(rule, "---:")
	}
	b.WriteString(markdownRow(head) + markdownRow(rule))
	for i := range rows {
		sum.total += rows[i].total
		for j, saved := range rows[i].saved {
			sum.saved[j] += saved
		}
		b.WriteString(rows[i].markdown())
	}
	b.WriteString(sum.markdown())
	return b.String()
}

func (r *savingRow) markdown() string {
	cells := []string{r.name, strconv.Itoa(r.total)}
	for _, saved := range r.saved {
		cell := "0"
		if saved != 0 {
			cell = fmt.Sprintf("%d (%.1f%%)", saved, 100*float64(saved)/float64(r.total))
		}
		cells = append(cells, cell)
	}
	return markdownRow(cells)
}

func markdownRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// The page lists the tools that are known.
func TestFilesPageListsTheTools(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| tools | what they do | how a result shows content |\n| --- | --- | --- |\n")
	for _, row := range diffs.DefaultTools().Rows() {
		names := "`" + strings.Join(row.Names, "` `") + "`"
		does := []string{string(row.Does)}
		for _, key := range slices.Sorted(maps.Keys(row.When)) {
			does = append(does, key+"="+row.When[key])
		}
		b.WriteString(markdownRow([]string{names, strings.Join(does, ", "), cmp.Or(string(row.Shows), "-")}))
	}
	compareRegion(t, filesDoc, "tools", b.String())
}

// pageLock is for tests that rewrite parts of one page.
var pageLock sync.Mutex

// pageRegion returns a part of a page: what stands between <!-- begin NAME --> and
// <!-- end NAME -->.
func pageRegion(t *testing.T, name, part string) string {
	t.Helper()
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), "<!-- begin "+part+" -->\n")
	require.True(t, ok, "%s has no %s", name, part)
	region, _, ok := strings.Cut(rest, "<!-- end "+part+" -->")
	require.True(t, ok, "%s has no end of %s", name, part)
	return region
}

// compareRegion compares a part of a page with what it should be, or with -update rewrites
// it.
func compareRegion(t *testing.T, name, part, want string) {
	t.Helper()
	pageLock.Lock()
	defer pageLock.Unlock()
	got := pageRegion(t, name, part)
	if !*update {
		assert.Equal(t, want, got, "%s is not what it was: run this test with -update, and look at the difference", name)
		return
	}
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	begin := "<!-- begin " + part + " -->\n"
	out := strings.Replace(string(page), begin+got, begin+want, 1)
	require.NoError(t, os.WriteFile(name, []byte(out), 0o644))
}
