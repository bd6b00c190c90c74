package diffs_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/diffs"
)

// maker makes an editor.
type maker struct {
	name  string
	make  func(...diffs.Option) core.Editor
	loose bool // it lets steps go that led to what is
}

// lossless are the editors after which nothing is lost.
var lossless = []maker{
	{"StaleReads", diffs.StaleReads, false},
	{"OutdatedDiffs", diffs.OutdatedDiffs, false},
	{"Duplicates", diffs.Duplicates, false},
	{"Fold", diffs.Fold, true},
}

// sequences returns how many conversations are judged: TRIMKIT_SOAK, or else so many.
func sequences(otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv("TRIMKIT_SOAK")); err == nil {
		return n
	}
	return otherwise
}

// evidence counts what the proof looked at.
type evidence struct {
	sync.Mutex
	edits  map[string]int // by editor
	views  int            // that differ from the history
	looked int            // texts of lines
	known  int            // lines that a state claims to know
	whole  int            // files that it claims to know whole
	states int            // that say something that is not so
	faults int
}

// TestProof lets agents work on a naive model of files, and looks after every chain of the
// lossless editors for each line that the conversation showed.
func TestProof(t *testing.T) {
	n := sequences(proofs)
	sum := &evidence{edits: map[string]int{}}
	const shards = 4
	t.Run("sequences", func(t *testing.T) {
		for shard := range shards {
			t.Run(strconv.Itoa(shard), func(t *testing.T) {
				t.Parallel()
				for seed := shard; seed < n; seed += shards {
					prove(t, uint64(seed), sum)
				}
			})
		}
	})
	t.Logf("%d conversations: %d views, %d texts of lines, edits %v; states: %d lines, %d whole files, %d wrong",
		n, sum.views, sum.looked, sum.edits, sum.known, sum.whole, sum.states)
	assert.LessOrEqual(t, sum.states, mostStates(n))
	assert.Greater(t, sum.views, 3*n)
	assert.Greater(t, sum.looked, 100*n)
	assert.Greater(t, sum.known, 5*n)
	assert.Greater(t, sum.whole, n/4)
	assert.Greater(t, sum.edits["StaleReads"], n/2)
	assert.Greater(t, sum.edits["OutdatedDiffs"], n/2)
	assert.Greater(t, sum.edits["Duplicates"], n/40)
	assert.Greater(t, sum.edits["Fold"], n/40)
}

// mostStates is in how many of so many conversations a state may say what is not so.
func mostStates(n int) int {
	if exactStates {
		return 0
	}
	return n / 50
}

// mostFaults is how many are reported in full.
const mostFaults = 5

func prove(t *testing.T, seed uint64, sum *evidence) {
	t.Helper()
	a := newAgent(seed)
	if a.again && !reusedPaths {
		return
	}
	own := evidence{edits: map[string]int{}}
	for _, v := range a.views(t, seed, own.edits) {
		if len(v.messages) > 0 && &v.messages[0] != &a.messages[0] {
			own.views++
		}
		if fault := a.gone(v.messages, &own.looked, v.loose); fault != "" {
			if own.faults++; sum.faults < mostFaults {
				small, fault := smaller(t, seed, v.name)
				t.Errorf("seed %d, %s: %s\n%s", seed, v.name, fault, small)
			}
		}
	}
	if fault := a.misjudged(&own); fault != "" {
		if own.states++; exactStates && sum.faults < mostFaults {
			own.faults++
			small, fault := smaller(t, seed, "State")
			t.Errorf("seed %d, State: %s\n%s", seed, fault, small)
		}
	}
	sum.Lock()
	defer sum.Unlock()
	for name, n := range own.edits {
		sum.edits[name] += n
	}
	sum.views += own.views
	sum.looked += own.looked
	sum.known += own.known
	sum.whole += own.whole
	sum.states += own.states
	if sum.faults += own.faults; own.faults > 0 {
		t.Fail()
	}
}

// proofView is what one way to apply editors left.
type proofView struct {
	name     string
	messages []core.Message
	loose    bool
}

// views applies the editors: each alone, several in one window, several one after the
// other, and once more to what these left.
func (a *agent) views(t *testing.T, seed uint64, edits map[string]int) []proofView {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	var list []proofView
	for _, e := range lossless {
		w := core.NewWindow(a.messages)
		a.apply(w, e)
		edits[e.name] += len(w.Edits())
		list = append(list, proofView{e.name, w.View(), e.loose})
	}
	profiles := core.Profiles()
	opts := []core.Option{core.WithSizer(coretest.Counter), core.WithProfile(profiles[r.IntN(len(profiles))])}
	if r.IntN(3) == 0 {
		opts = append(opts, core.WithTarget(core.NewWindow(a.messages, opts...).Tokens()*(50+r.IntN(50))/100))
	}
	chosen := someEditors(r)
	list = append(list, proofView{"together " + editorNames(chosen), a.together(a.messages, chosen, opts), loose(chosen)})
	once := list[len(list)-1].messages
	list = append(list, proofView{"together twice " + editorNames(chosen), a.together(once, chosen, opts), loose(chosen)})
	chosen = someEditors(r)
	list = append(list, proofView{"chain " + editorNames(chosen), a.chain(t, a.messages, chosen, opts), loose(chosen)})
	once = list[len(list)-1].messages
	again := someEditors(r)
	return append(list, proofView{"chain " + editorNames(chosen) + ", then " + editorNames(again), a.chain(t, once, again, opts), loose(chosen) || loose(again)})
}

// someEditors are at least two editors, in any order.
func someEditors(r *rand.Rand) []maker {
	var list []maker
	for _, i := range r.Perm(len(lossless))[:2+r.IntN(len(lossless)-1)] {
		list = append(list, lossless[i])
	}
	return list
}

func editorNames(list []maker) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(" " + e.name)
	}
	return b.String()[1:]
}

func loose(list []maker) bool {
	return slices.ContainsFunc(list, func(e maker) bool { return e.loose })
}

func (a *agent) apply(w *core.Window, e maker) {
	if _, err := core.Apply(w, e.make(diffs.WithTools(a.tools))); err != nil {
		panic(err) // the editor's own
	}
}

func (a *agent) together(history []core.Message, chosen []maker, opts []core.Option) []core.Message {
	w := core.NewWindow(history, opts...)
	for _, e := range chosen {
		a.apply(w, e)
	}
	return w.View()
}

func (a *agent) chain(t *testing.T, history []core.Message, chosen []maker, opts []core.Option) []core.Message {
	t.Helper()
	var steps []core.Transformer
	for _, e := range chosen {
		steps = append(steps, core.Transform(e.make(diffs.WithTools(a.tools)), opts...))
	}
	messages, err := core.Chain(steps...).Transform(t.Context(), history)
	require.NoError(t, err)
	return messages
}

// misjudged returns what [diffs.State] says that is not so.
func (a *agent) misjudged(sum *evidence) string {
	for _, s := range diffs.State(a.messages, diffs.WithTools(a.tools)) {
		path := strings.TrimPrefix(s.Path, proofRoot+"/")
		f := a.world.files[path]
		if !s.Certain || len(s.Known) == 0 {
			continue
		}
		if f == nil {
			return fmt.Sprintf("%s is not there: %+v", path, s.Known)
		}
		for _, lines := range s.Known {
			text, ok := s.Text(lines)
			if !ok || lines.Last > len(f.real) || text != strings.Join(f.real[lines.First-1:lines.Last], "\n") {
				return fmt.Sprintf("lines %v of %s (of %d) are not %q (%v)", lines, path, len(f.real), text, ok)
			}
			sum.known += lines.Last - lines.First + 1
		}
		if s.Complete {
			sum.whole++
			if s.Content() != strings.Join(f.real, "\n") || s.Lines != len(f.real) {
				return fmt.Sprintf("%s is not %q, and has %d lines", path, s.Content(), len(f.real))
			}
		}
	}
	return ""
}

// smaller leaves out steps of a conversation as long as the fault stays.
func smaller(t *testing.T, seed uint64, name string) (*agent, string) {
	t.Helper()
	try := func(skipped []int) (*agent, string) {
		a, looked := newAgent(seed, skipped...), 0
		if a.again && !reusedPaths {
			return a, ""
		}
		if name == "State" {
			return a, a.misjudged(&evidence{})
		}
		for _, v := range a.views(t, seed, map[string]int{}) {
			if v.name != name {
				continue
			}
			if fault := a.gone(v.messages, &looked, v.loose); fault != "" {
				return a, fault
			}
		}
		return a, ""
	}
	var skipped []int
	for range 2 {
		for step := range 30 {
			if _, fault := try(append(slices.Clone(skipped), step)); fault != "" {
				skipped = append(skipped, step)
			}
		}
	}
	return try(skipped)
}

// String writes the conversation, for a report.
func (a *agent) String() string {
	var b strings.Builder
	for i, m := range a.messages {
		for j, p := range m.Parts {
			fmt.Fprintf(&b, "%d.%d %s %s %s %s: %.900q\n", i, j, m.Role, p.Kind, p.Status, p.Tool, p.Text)
		}
	}
	return b.String()
}

// A conversation is the same each time, or no seed would say anything.
func TestProofRepeats(t *testing.T) {
	for seed := range uint64(20) {
		require.Equal(t, newAgent(seed).messages, newAgent(seed).messages)
	}
}
