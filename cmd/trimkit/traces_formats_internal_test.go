package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
)

// Every recorded conversation, converted to every format and trimmed there at every budget:
// what is written is read again, and its provider rejects nothing in it that was not in what
// was trimmed.
func TestTracesInEveryFormat(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	meter, err := newMeter(standardModel, standardModel)
	require.NoError(t, err)
	s := &formatSuite{meter: meter, sums: map[string]*formatSum{}}
	for _, target := range targetNames() {
		s.sums[target] = &formatSum{}
	}
	t.Run("files", func(t *testing.T) {
		for _, folder := range traceFolders {
			names, err := filepath.Glob(filepath.Join(dir, folder, "*.jsonl"))
			require.NoError(t, err)
			require.NotEmpty(t, names, "no recorded conversations in %s", folder)
			for _, name := range names {
				t.Run(folder+"/"+filepath.Base(name), func(t *testing.T) {
					t.Parallel()
					s.file(t, name)
				})
			}
		}
	})
	for _, target := range targetNames() {
		t.Logf("%s: %+v", target, *s.sums[target])
	}
}

type formatSuite struct {
	meter *budget.Meter
	mu    sync.Mutex
	sums  map[string]*formatSum
}

// formatSum counts views of a format.
type formatSum struct {
	views, clean   int // clean: nothing at all is rejected
	overBudget     int
	rejectedBefore int // views of what had something to reject before
}

func (s *formatSuite) file(t *testing.T, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	recorded, err := format.Parse(data, format.Auto)
	require.NoError(t, err)
	for _, target := range targetNames() {
		out, _, err := format.EncodeLossy(recorded.Messages(), recorded.Request(), target)
		require.NoError(t, err, target)
		h, err := format.Parse(out, target)
		require.NoError(t, err, target)
		c, ok := h.(wire.Conversation)
		require.True(t, ok, target)
		for _, percent := range percents {
			s.trim(t, c, target, percent)
		}
	}
}

func (s *formatSuite) trim(t *testing.T, c wire.Conversation, target string, percent int) {
	t.Helper()
	where := fmt.Sprintf("%s at %d %%", target, percent)
	profile := core.ProfileByName(target)
	limit := s.meter.AsSent(c.Messages(), c.Request()) * percent / 100
	trim, err := budget.NewTrim(s.meter, budget.Limits{Window: max(limit, 1)}, budget.WithProfile(profile))
	require.NoError(t, err)
	view, err := trim.Transform(core.WithRequest(context.Background(), c.Request()), c.Messages())
	var over *budget.OverBudgetError
	if errors.As(err, &over) {
		view = over.View
	} else {
		require.NoError(t, err, where)
	}
	out, err := c.Write(view)
	require.NoError(t, err, where)
	written, err := format.Parse(out, target)
	require.NoError(t, err, where)

	before, after := rejected(profile, c.Messages()), rejected(profile, written.Messages())
	nothingNew(t, before, after)
	nothingNew(t, byRule(before), byRule(after))
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := s.sums[target]
	sum.views++
	if len(after) == 0 {
		sum.clean++
	}
	if over != nil {
		sum.overBudget++
	}
	if len(before) > 0 {
		sum.rejectedBefore++
	}
}

// rejected counts what the provider would reject, under names that a message keeps when
// others leave: the rule, and what the part says. A first message of a wrong role is one of
// the conversation: when it leaves, the next may be as wrong.
func rejected(p *core.Profile, history []core.Message) map[string]int {
	names := map[string]int{}
	for _, v := range core.Check(p, history) {
		name := v.Rule
		if m := &history[v.Message]; v.Rule != "first-role" && v.Part >= 0 {
			part := m.Parts[v.Part]
			name += fmt.Sprintf(" of %s %s %s: %s", part.Kind, part.CallID, part.Tool, part.Text)
		} else if v.Rule != "first-role" {
			var texts []string
			for i := range m.Parts {
				texts = append(texts, m.Parts[i].Text)
			}
			name += fmt.Sprintf(" of %s: %s", m.Role, strings.Join(texts, "|"))
		}
		names[name]++
	}
	return names
}

// byRule adds up what was rejected, for messages whose name an edit has changed.
func byRule(names map[string]int) map[string]int {
	rules := map[string]int{}
	for name, n := range names {
		rule, _, _ := strings.Cut(name, " of ")
		rules[rule] += n
	}
	return rules
}
