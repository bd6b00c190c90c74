package sessionlog_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

var update = flag.Bool("update", false, "rewrite the .want files of the samples")

// samples returns the logs in testdata: name → content.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.json*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	logs := map[string][]byte{}
	for _, file := range files {
		if strings.HasSuffix(file, ".want") {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		logs[filepath.Base(file)] = data
	}
	return logs
}

// TestSamples compares each sample with its .want file. That says, in this order: the agent
// and what shows it; the session; a line for each message (see line); what was left out.
func TestSamples(t *testing.T) {
	for name, data := range samples(t) {
		t.Run(name, func(t *testing.T) {
			l, err := sessionlog.Parse(data)
			require.NoError(t, err)
			wellFormed(t, l)
			valid(t, l)

			agent, reason := sessionlog.Detect(data)
			assert.Equal(t, l.Agent(), agent)
			text := []string{agent + ": " + reason, "session " + l.Request().Conversation, ""}
			text = append(append(text, lines(l)...), "")
			for _, o := range l.Skipped() {
				text = append(text, fmt.Sprintf("skipped %d: %s", o.Count, o.Reason))
			}
			got := strings.Join(text, "\n") + "\n"

			want := filepath.Join("testdata", name+".want")
			if *update {
				require.NoError(t, os.WriteFile(want, []byte(got), 0o644))
			}
			expected, err := os.ReadFile(want)
			require.NoError(t, err)
			assert.Equal(t, string(expected), got)
		})
	}
}

func lines(l *sessionlog.Log) []string {
	var all []string
	for i := range l.Messages() {
		all = append(all, line(&l.Messages()[i]))
	}
	return all
}

// line writes a message as "Src role part | part @id time".
func line(m *core.Message) string {
	var parts []string
	for i := range m.Parts {
		parts = append(parts, part(&m.Parts[i]))
	}
	words := []string{strconv.Itoa(int(m.Src)), m.Role.String()}
	if m.Reply != 0 {
		words = append(words, fmt.Sprintf("reply=%d", m.Reply))
	}
	if m.Policy != core.PolicyDefault {
		words = append(words, m.Policy.String())
	}
	words = append(words, strings.Join(parts, " | "))
	if m.Meta != nil && m.Meta.ID != "" {
		words = append(words, "@"+m.Meta.ID)
	}
	if m.Meta != nil && !m.Meta.Time.IsZero() {
		words = append(words, m.Meta.Time.Format(time.TimeOnly+".000"))
	}
	return strings.Join(words, " ")
}

// part writes a part: its kind (signed reasoning has a star), ids and status, what it says.
func part(p *core.Part) string {
	words := []string{p.Kind.String()}
	if p.Signed {
		words[0] += "*"
	}
	if p.Kind == core.KindToolCall || p.Kind == core.KindToolResult {
		words = append(words, cmp.Or(p.CallID, "-"), cmp.Or(p.Tool, "-"))
	}
	if p.Kind == core.KindToolResult && p.Status != core.StatusUnknown {
		words = append(words, p.Status.String())
	}
	if p.Media != nil {
		return strings.Join(append(words, "<"+cmp.Or(p.Media.MIME, p.Media.URL)+">"), " ")
	}
	return strings.Join(append(words, strconv.Quote(p.Text)), " ")
}

// wellFormed checks what holds for every log, however broken.
func wellFormed(t *testing.T, l *sessionlog.Log) {
	t.Helper()
	type origin struct {
		src  int32
		role core.Role
	}
	seen, previous := map[origin]bool{}, int32(1)
	for i := range l.Messages() {
		m := &l.Messages()[i]
		at := origin{m.Src, m.Role}
		if m.Role > core.RoleTool || len(m.Parts) == 0 || m.Src < previous || seen[at] {
			require.Fail(t, "a message of a known role, with parts, in order, alone of its Src and role", "message %d: %+v", i, *m)
		}
		seen[at], previous = true, m.Src
		slots := map[uint32]bool{}
		for k := range m.Parts {
			p := &m.Parts[k]
			if p.Slot == 0 || slots[p.Slot] || p.Kind == core.KindToolResult && m.Role != core.RoleTool || p.Kind == core.KindToolCall && m.Role != core.RoleAssistant {
				require.Fail(t, "a part of its role, with a slot of its own", "message %d, part %d: %+v", i, k, *p)
			}
			slots[p.Slot] = true
		}
	}
	_, err := core.Diff(l.Messages(), l.Messages())
	require.NoError(t, err)
	for _, o := range l.Skipped() {
		if o.Count <= 0 || o.Reason == "" {
			require.Fail(t, "a reason and a count", "%+v", o)
		}
	}
	require.NotNil(t, l.Request())
}

// valid checks that OpenAI would take the history of a sample, but for calls that wait.
func valid(t *testing.T, l *sessionlog.Log) {
	t.Helper()
	groups := core.NewGroups(l.Messages())
	for _, v := range core.Check(core.OpenAI, l.Messages()) {
		if v.Rule == "unanswered-call" && groups.List[groups.Of[v.Message]].Open {
			continue
		}
		assert.Fail(t, "the sample is well formed", v.String())
	}
}
