package sessionlog_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/wire/sessionlog"
)

// chain is a session of Claude Code with n exchanges of about 300 bytes.
func chain(n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `{"uuid":"r0","parentUuid":null,"type":"user","message":{"role":"user","content":"go"}}`+"\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `{"uuid":"a%d","parentUuid":"r%d","type":"assistant","timestamp":"2026-01-01T00:00:00Z","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{}}]}}`+"\n", i, i-1, i, i)
		fmt.Fprintf(&b, `{"uuid":"r%d","parentUuid":"a%d","type":"user","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"ok"}]}}`+"\n", i, i, i)
	}
	return []byte(b.String())
}

// What could cost more than linear time, at sizes where that would not end.
func TestHostile(t *testing.T) {
	const n = 30_000
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			line := strings.ReplaceAll(format, "<i>", strconv.Itoa(i))
			b.WriteString(strings.ReplaceAll(line, "<i-1>", strconv.Itoa(i-1)) + "\n")
		}
		return b.String()
	}
	user := func(uuid, parent string) string {
		return `{"uuid":"` + uuid + `","parentUuid":"` + parent + `","type":"user","message":{"role":"user","content":"a"}}`
	}
	item := rollout(says("user", "a"))
	for name, log := range map[string]string{
		"claude: one long chain":             string(chain(50_000)),
		"claude: one long cycle":             user("0", fmt.Sprint(n-1)) + "\n" + repeat(n, user("<i>", "<i-1>")),
		"claude: children of one":            repeat(n, user("<i>", "x")),
		"claude: one uuid":                   repeat(n, user("a", "a")),
		"claude: one answer":                 repeat(n, `{"uuid":"<i>","parentUuid":"<i-1>","type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"<i>","input":{}}]}}`),
		"claude: side tracks":                repeat(n, `{"uuid":"<i>","parentUuid":"x","type":"assistant","message":{"id":"m","content":"a"}}`),
		"claude: compactions":                repeat(n/2, `{"uuid":"b<i>","parentUuid":"b<i-1>","type":"system","subtype":"compact_boundary","compactMetadata":{"preservedSegment":{"headUuid":"b0","anchorUuid":"b0","tailUuid":"b<i-1>"}}}`+"\n"+user("u<i>", "b<i>")),
		"claude: distinct types":             repeat(n, `{"uuid":"<i>","parentUuid":null,"type":"t<i>"}`),
		"codex: items":                       repeat(n, strings.TrimSpace(item)),
		"codex: rolled back":                 strings.Repeat(item+rollout(`event_msg {"type":"thread_rolled_back","num_turns":1}`), n/2),
		"codex: rolled back, without turns":  rollout(`event_msg {"type":"user_message","message":"x"}`) + strings.Repeat(rollout(says("assistant", "a")), n/2) + strings.Repeat(rollout(`event_msg {"type":"thread_rolled_back","num_turns":1}`), n/2),
		"codex: compactions without history": strings.Repeat(item+rollout(`compacted {"message":"s"}`), n/2),
		"codex: one message and many events": rollout(says("user", strings.Repeat("a", n))) + strings.Repeat(rollout(`event_msg {"type":"user_message","message":"b"}`), n/4),
		"pi: one long chain":                 repeat(n, `{"type":"message","id":"<i>","parentId":"<i-1>","message":{"role":"user","content":"a"}}`),
		"pi: one long cycle":                 repeat(n, `{"type":"message","id":"<i>","parentId":"<i-1>","message":{"role":"user","content":"a"}}`) + `{"type":"message","id":"-1","parentId":"9","message":{}}`,
		"pi: compactions":                    `{"type":"session","id":"s"}` + "\n" + repeat(n, `{"type":"compaction","id":"<i>","parentId":"<i-1>","summary":"s","firstKeptEntryId":"0"}`),
		"gemini: one message":                gemini(repeat(n, `{"id":"1","type":"user","content":"a"}`)),
		"gemini: rewound":                    gemini(repeat(n/2, `{"id":"<i>","type":"user","content":"a"}`+"\n"+`{"$rewindTo":"<i>"}`)),
		"gemini: nested":                     gemini(`{"id":"1","type":"user","content":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`),
		"gemini: calls":                      gemini(`{"id":"1","type":"gemini","toolCalls":[` + strings.TrimSuffix(strings.Repeat(`{"id":"c","name":"f","args":{}},`, n/2), ",") + `]}`),
		"swe: entries":                       `{"trajectory":[],"history":[` + strings.TrimSuffix(strings.Repeat(`{"role":"user","content":"a"},`, n), ",") + `]}`,
		"broken lines":                       user("a", "") + "\n" + strings.Repeat("{\n", n),
		"blank lines":                        user("a", "") + strings.Repeat("\n", n) + user("b", "a"),
		"one line":                           user("a", "") + "\n" + `{"uuid":"b","parentUuid":"a","type":"user","message":{"role":"user","content":"` + strings.Repeat("x", 100*n) + `"}}`,
		"depth":                              `{"uuid":"b","parentUuid":"a","type":"user","message":{"role":"user","content":[{"type":"x","y":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			l, err := sessionlog.Parse([]byte(log))
			require.NoError(t, err)
			wellFormed(t, l)
		})
	}
}

// Nesting that JSON libraries refuse is an error or an unreadable line, and no stack overflow.
func TestTooDeep(t *testing.T) {
	deep := strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000)
	_, err := sessionlog.Parse([]byte(`{"trajectory":` + deep + `}`))
	require.Error(t, err)
	l, err := sessionlog.Parse([]byte(claude("a< hi") + `{"parentUuid":"a","x":` + deep + `}`))
	require.NoError(t, err)
	assert.Equal(t, "not a JSON object 1", omissions(l))
	_, err = sessionlog.Parse([]byte(gemini(`{"id":"1","type":"gemini","toolCalls":[{"name":"f","args":{"a":` + deep[1_000_000-9_995:1_000_000+9_995] + `}}]}`)))
	assert.ErrorContains(t, err, "max depth", "the provider's own shape is nested deeper")
}

func TestParseAllocations(t *testing.T) {
	log := chain(1000)
	got := testing.AllocsPerRun(5, func() {
		if _, err := sessionlog.Parse(log); err != nil {
			t.Error(err)
		}
	})
	assert.Less(t, got, 1000.0*25, "for an exchange, which is two records")
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		log := chain(n / 2)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := sessionlog.Parse(log); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
