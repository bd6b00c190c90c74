package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/wire/format"
)

// costsDoc is the page with the tables that the test here writes.
const costsDoc = "../../docs/costs.md"

// costWindows are the windows that conversations are played back through, and costTokens is how
// long one must be for that.
var costWindows = []int{16_000, 32_000, 64_000}

const costTokens = 20_000

// Every recorded conversation that is long enough, call by call, through windows of three
// sizes: a request that is sent fits, or the error names what takes the room; it begins with the
// previous one unless there was a collection, of which there are no more than their bound; and
// a process that knows nothing yet sends the same. What it costs are the tables in
// docs/costs.md.
func TestTracesCosts(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // most of what it makes is soon garbage
	meter, err := newMeter(standardModel, standardModel)
	require.NoError(t, err)
	s := &costSuite{meter: meter, tools: new(rooted).tools(), rows: map[costKey]*costRow{}}
	t.Run("files", func(t *testing.T) {
		for _, folder := range traceFolders {
			names, err := filepath.Glob(filepath.Join(dir, folder, "*.jsonl"))
			require.NoError(t, err)
			require.NotEmpty(t, names, "no recorded conversations in %s", folder)
			for _, name := range names {
				t.Run(folder+"/"+filepath.Base(name), func(t *testing.T) {
					t.Parallel()
					s.file(t, folder, name)
				})
			}
		}
	})
	if t.Failed() {
		return // an update must not bless what is wrong
	}
	coding := s.rows[costKey{"coding", 32_000}]
	require.NotNil(t, coding)
	assert.GreaterOrEqual(t, coding.cost.EveryCall, 3*coding.cost.Strategy, "trimming at every call costs three times as much")
	assert.Positive(t, s.cold, "the check of cold and warm is not idle")
	t.Logf("%d views of a cold enforcer\n%s\n%s", s.cold, s.table(), s.refusals())
	all := fmt.Sprintf("| %d | all | %d |", costWindows[0], s.sum(costWindows[0]).files)
	if !*update && !strings.Contains(pageRegion(t, costsDoc, "costs"), all) {
		t.Log("these are other conversations than those of the page: it is not compared")
		return
	}
	compareRegion(t, costsDoc, "costs", s.table())
	compareRegion(t, costsDoc, "refusals", s.refusals())
}

type costKey struct {
	folder string
	window int
}

// costRow sums up what files cost.
type costRow struct {
	files, calls, collections, forced, over int
	sent, served                            int
	cost                                    costs
}

func (r *costRow) add(o *costRow) {
	r.files += o.files
	r.calls += o.calls
	r.collections += o.collections
	r.forced += o.forced
	r.over += o.over
	r.sent += o.sent
	r.served += o.served
	r.cost.Strategy += o.cost.Strategy
	r.cost.Everything += o.cost.Everything
	r.cost.EveryCall += o.cost.EveryCall
}

// costSuite counts with one meter, so that a text is counted once for all runs.
type costSuite struct {
	meter *budget.Meter
	tools *diffs.Tools // of enforcers that know nothing yet

	mu      sync.Mutex
	rows    map[costKey]*costRow
	refused []refusal
	cold    int // views that were made again
}

// refusal is a conversation with calls that cannot fit.
type refusal struct {
	name         string
	window, over int
	calls        int
	largest      string // of what must stay
}

func (s *costSuite) file(t *testing.T, folder, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	f, _, err := format.Detect(data)
	require.NoError(t, err)
	h, err := f.Parse(data)
	require.NoError(t, err)
	if s.meter.AsSent(h.Messages(), h.Request()) <= costTokens {
		return
	}
	for _, window := range costWindows {
		t.Run(strconv.Itoa(window), func(t *testing.T) {
			t.Parallel()
			s.replay(t, costKey{folder, window}, strings.TrimSuffix(filepath.Base(name), ".jsonl"), &source{h, f})
		})
	}
}

// replay plays a conversation back, and checks what is sent.
func (s *costSuite) replay(t *testing.T, key costKey, name string, c *source) {
	t.Helper()
	r := &replayCommand{Window: key.window, Strategy: "default", Trigger: 80, Target: 60, Profile: followFormat} // as by default
	p, err := r.playback(&app{meter: func(_, _ string) (*budget.Meter, error) { return s.meter, nil }}, c)
	require.NoError(t, err)
	history, points, cold := c.Messages(), callPoints(c.Messages()), 0
	ctx := core.WithRequest(context.Background(), c.Request())
	p.save = func(index int, lines []byte) error {
		if index%10 != 9 {
			return nil
		}
		e, err := r.enforcer(s.meter, c.profile(r.Profile), s.tools, nil)
		require.NoError(t, err)
		view, _ := e.Transform(ctx, history[:points[index]])
		again, err := c.lines(view)
		require.NoError(t, err)
		require.Equal(t, string(lines), string(again), "window %d, call %d, cold and warm", key.window, index)
		cold++
		return nil
	}
	require.NoError(t, p.run())
	require.Empty(t, p.failures)
	total := p.totals(prices{1, 0.1, 1.25})
	fits(t, key.window, p.calls, total)
	assert.LessOrEqual(t, total.Collections, total.Bound, "window %d", key.window)

	s.mu.Lock()
	defer s.mu.Unlock()
	s.cold += cold
	if s.rows[key] == nil {
		s.rows[key] = &costRow{}
	}
	s.rows[key].add(&costRow{
		files: 1, calls: total.Calls, collections: total.Collections, forced: len(total.Forced), over: len(total.OverBudget),
		sent: p.ours.sent, served: p.ours.served, cost: total.Cost,
	})
	if over := total.OverBudget; len(over) > 0 {
		s.refused = append(s.refused, refusal{name, key.window, len(over), total.Calls, largest(t, over)})
	}
}

// fits checks that each request fits, and begins with the previous one.
func fits(t *testing.T, window int, calls []modelCall, total *totals) {
	t.Helper()
	for i := range calls {
		c := &calls[i]
		if !slices.ContainsFunc(total.OverBudget, func(o overBudget) bool { return o.Call == i }) {
			assert.LessOrEqual(t, c.SentTokens, window, "call %d", i)
		}
		if i > 0 && !c.Collected {
			assert.Equal(t, calls[i-1].RequestBytes, c.PrefixBytes, "window %d, call %d begins with the previous request", window, i)
		}
	}
}

// kept is how an error names a message that takes the room.
var kept = regexp.MustCompile(`message \d+ \(([^)]*)\) takes (\d+)`)

// largest checks that each error names what takes the room, and returns the largest.
func largest(t *testing.T, over []overBudget) string {
	t.Helper()
	most, what := 0, ""
	for _, o := range over {
		m := kept.FindStringSubmatch(o.Error)
		require.NotNil(t, m, "call %d: %s", o.Call, o.Error)
		tokens, err := strconv.Atoi(m[2])
		require.NoError(t, err)
		if tokens > most {
			most, what = tokens, fmt.Sprintf("%s: %d", m[1], tokens)
		}
	}
	return what
}

// sum returns the row of all folders.
func (s *costSuite) sum(window int) *costRow {
	sum := &costRow{}
	for _, folder := range traceFolders {
		if row := s.rows[costKey{folder, window}]; row != nil {
			sum.add(row)
		}
	}
	return sum
}

func (s *costSuite) table() string {
	var b strings.Builder
	b.WriteString("| window | folder | files | calls | collections | forced | cannot fit | cached | enforcer | everything | every call | every call / enforcer |\n")
	b.WriteString("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, window := range costWindows {
		for _, folder := range traceFolders {
			if row := s.rows[costKey{folder, window}]; row != nil {
				b.WriteString(row.markdown(window, folder))
			}
		}
		b.WriteString(s.sum(window).markdown(window, "all"))
	}
	return b.String()
}

func (r *costRow) markdown(window int, folder string) string {
	cells := []string{strconv.Itoa(window), folder}
	for _, n := range []int{r.files, r.calls, r.collections, r.forced, r.over} {
		cells = append(cells, strconv.Itoa(n))
	}
	cells = append(cells, share(r.served, r.sent))
	for _, cost := range []float64{r.cost.Strategy, r.cost.Everything, r.cost.EveryCall} {
		cells = append(cells, fmt.Sprintf("%.2f M", cost/1e6))
	}
	return markdownRow(append(cells, fmt.Sprintf("%.2f", r.cost.EveryCall/r.cost.Strategy)))
}

// refusals lists the conversations with calls that cannot fit.
func (s *costSuite) refusals() string {
	slices.SortFunc(s.refused, func(a, b refusal) int {
		return strings.Compare(fmt.Sprintf("%s %6d", a.name, a.window), fmt.Sprintf("%s %6d", b.name, b.window))
	})
	var b strings.Builder
	b.WriteString("| file | window | calls that cannot fit | of | the largest that must stay, in tokens |\n| --- | ---: | ---: | ---: | --- |\n")
	for _, r := range s.refused {
		b.WriteString(markdownRow([]string{r.name, strconv.Itoa(r.window), strconv.Itoa(r.over), strconv.Itoa(r.calls), r.largest}))
	}
	return b.String()
}
