package diffs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/wire/format"
)

// TestProofTraces looks in every recorded session, at decision points, for what the
// lossless editors took away and nothing shows any more. It goes by the texts of lines
// alone and shares no code with the package.
func TestProofTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "coding", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	points := 3
	if os.Getenv("TRIMKIT_SOAK") != "" {
		points = 1 << 30
	}
	edits, lines, views := 0, 0, 0
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			h, err := format.Parse(data, format.Auto)
			require.NoError(t, err)
			history := h.Messages()
			ends := decisions(history)
			for i := range min(points, len(ends)) {
				n := ends[len(ends)-1-i*len(ends)/min(points, len(ends))]
				e, l := recordedPoint(t, history[:n])
				edits, lines, views = edits+e, lines+l, views+1
			}
		})
	}
	t.Logf("%d decision points, %d edits, %d lines of what went", views, edits, lines)
	assert.Greater(t, edits, 200)
	assert.Greater(t, lines, 5000)
}

// decisions returns the lengths of the prefixes that are sent to the model: those that end
// with a result or a user's message.
func decisions(history []core.Message) []int {
	var ends []int
	for i, m := range history {
		next := i+1 == len(history) || history[i+1].Role == core.RoleAssistant
		if next && (m.Role == core.RoleTool || m.Role == core.RoleUser) {
			ends = append(ends, i+1)
		}
	}
	return ends
}

func recordedPoint(t *testing.T, history []core.Message) (edits, lines int) {
	t.Helper()
	raw := placed(history)
	for i, p := range core.Profiles() {
		w := core.NewWindow(raw, core.WithProfile(p), core.WithSizer(coretest.Counter))
		for _, e := range lossless[:3+i%2] { // with Fold, and without
			_, err := core.Apply(w, e.make())
			require.NoError(t, err)
		}
		view := w.View()
		before := rulesBroken(p, raw)
		for rule, n := range rulesBroken(p, view) {
			assert.LessOrEqual(t, n, before[rule], "%s: %s at %d messages", p.Name, rule, len(raw))
		}
		if i > 1 {
			continue
		}
		r := &recorded{raw: raw, view: view, seen: look(view)}
		edits += len(w.Edits())
		assert.Empty(t, r.unread(), "unread, of %d messages", len(raw))
		for _, fault := range r.missing(&lines) {
			assert.Fail(t, fault, "of %d messages", len(raw))
		}
	}
	return edits, lines
}

// placed numbers the messages and parts by where they stand.
func placed(history []core.Message) []core.Message {
	list := slices.Clone(history)
	for i := range list {
		list[i].Src = int32(i + 1)
		list[i].Parts = slices.Clone(list[i].Parts)
		for j := range list[i].Parts {
			list[i].Parts[j].Slot = uint32(j)
		}
	}
	return list
}

func rulesBroken(p *core.Profile, history []core.Message) map[string]int {
	n := map[string]int{}
	for _, v := range core.Check(p, history) {
		n[v.Rule]++
	}
	return n
}

// recorded is a session, and what is left of it.
type recorded struct {
	raw, view []core.Message
	seen      *sights
}

// unread returns the places that went although the model had not read them.
func (r *recorded) unread() []diffs.Place {
	last := len(r.raw) - 1
	for last > 0 && r.raw[last].Role != core.RoleAssistant {
		last--
	}
	var list []diffs.Place
	for i := last; i < len(r.raw); i++ {
		for j := range r.raw[i].Parts {
			if at := (diffs.Place{Msg: i, Part: j}); !r.seen.places[at] {
				list = append(list, at)
			}
		}
	}
	return list
}

// piece is a call, and what it printed.
type piece struct {
	at, result diffs.Place
	tool, args string
	printed    string
	names      []string // of files, without folders
	failed     bool
	ranged     bool
}

var (
	fileName = regexp.MustCompile(`[\w.-]+\.\w+|[\w-]+/[\w.-]+`)
	lineMark = regexp.MustCompile(`^\s*\d+(?:→|\t|\||:)`)
	wentBad  = regexp.MustCompile(`(?i)error|not found|failed|could not|no (?:exact )?match|unable|invalid|denied|rejected|no such`)
	spoken   = regexp.MustCompile(`^[\[(]|^Successfully |^The file |^Done|^cd /`) // what is said about a file, and is not of it
	openFile = regexp.MustCompile(`(?:\[File:|\(Open file:) ([^\s)]+)`)
	oldText  = regexp.MustCompile(`"(?:old_string|oldText|old_str|search)":\s*"(?:[^"\\]|\\.)*",?`)
	rangeKey = regexp.MustCompile(`"(offset|limit|view_range|line_number|start_line|end_line|head|tail)"|sed -n|head |tail |grep`)
)

// pieces pairs calls with results by id, the nearest before.
func (r *recorded) pieces() []*piece {
	var list []*piece
	open := map[string]*piece{}
	for i := range r.raw {
		for j := range r.raw[i].Parts {
			p, at := &r.raw[i].Parts[j], diffs.Place{Msg: i, Part: j}
			switch p.Kind {
			case core.KindToolCall:
				c := &piece{at: at, tool: p.Tool, args: p.Text, ranged: rangeKey.MatchString(p.Text)}
				for _, name := range fileName.FindAllString(strings.Join(stringsOf(p.Text), "\n"), -1) {
					c.names = append(c.names, path.Base(name))
				}
				open[p.CallID] = c
				list = append(list, c)
			case core.KindToolResult:
				if c := open[p.CallID]; c != nil {
					c.result, c.printed = at, p.Text
					for _, m := range openFile.FindAllStringSubmatch(p.Text, -1) { // of tools that know what is open
						c.names = append(c.names, path.Base(m[1]))
					}
					c.failed = p.Status == core.StatusFailed || wentBad.MatchString(p.Text[:min(200, len(p.Text))])
				}
			default:
			}
		}
	}
	return list
}

// stringsOf returns all strings within arguments.
func stringsOf(args string) []string {
	var value any
	if json.Unmarshal([]byte(args), &value) != nil {
		return []string{args}
	}
	var list []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			list = append(list, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(value)
	return list
}

// contentLines are the lines of what a call printed, without numbers where it has any.
func contentLines(text string) []string {
	var list, marked []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := lineMark.FindString(line); m != "" {
			marked = append(marked, line[len(m):])
		}
		list = append(list, line)
	}
	if 2*len(marked) > len(list) {
		return marked
	}
	return list
}

// missing returns the lines of what went that nothing shows, and nothing says were replaced.
func (r *recorded) missing(lines *int) []string {
	var faults []string
	pieces := r.pieces()
	for i, c := range pieces {
		if c.result == (diffs.Place{}) || r.seen.places[c.result] || c.failed {
			continue
		}
		went := contentLines(c.printed)
		if !r.seen.places[c.at] {
			for _, s := range stringsOf(oldText.ReplaceAllString(c.args, "")) {
				went = append(went, contentLines(s)...)
			}
		}
		shown := r.shownLater(c, pieces[i+1:])
		for _, line := range went {
			text := strings.TrimSpace(line)
			if len(text) < 8 || spoken.MatchString(text) {
				continue
			}
			*lines++
			if shown != nil && !shown(text) {
				faults = append(faults, fmt.Sprintf("message %d (%s %.120s): %q", c.result.Msg, c.tool, c.args, text))
				break
			}
		}
	}
	return faults
}

// shownLater returns what tells whether a line of c is still there: nil if a later whole
// copy of the file is, so that what that has not is no more.
func (r *recorded) shownLater(c *piece, later []*piece) func(string) bool {
	var b strings.Builder
	for _, added := range r.seen.inserted {
		b.WriteString(added)
	}
	if len(r.seen.inserted) > 0 { // a diff of what earlier copies show
		for _, e := range r.pieces() {
			if r.seen.places[e.result] && slices.ContainsFunc(e.names, func(name string) bool { return slices.Contains(c.names, name) }) {
				b.WriteString(e.printed)
			}
		}
	}
	for _, l := range later {
		same := slices.ContainsFunc(l.names, func(name string) bool { return slices.Contains(c.names, name) })
		visible := l.result != (diffs.Place{}) && r.seen.places[l.result]
		if visible && l.tool == c.tool && l.args == c.args && l.printed == c.printed {
			return nil // the same again
		}
		if !same || l.failed {
			continue
		}
		if visible && !l.ranged && len(contentLines(l.printed)) > 3 && strings.Contains(strings.ToLower(l.tool), "read") {
			return nil
		}
		if r.seen.places[l.at] && slices.ContainsFunc([]string{"write", "create"}, func(s string) bool { return strings.Contains(strings.ToLower(l.tool+l.args), s) }) {
			return nil
		}
		if visible {
			b.WriteString(l.printed)
		}
		for _, s := range stringsOf(l.args) { // a change says what it replaced, even if it is itself gone
			b.WriteString("\n" + s)
		}
	}
	all := b.String()
	return func(line string) bool { return strings.Contains(all, line) }
}
