package sessionlog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

func parse(t *testing.T, log string) *sessionlog.Log {
	t.Helper()
	l, err := sessionlog.Parse([]byte(log))
	require.NoError(t, err)
	wellFormed(t, l)
	return l
}

func omissions(l *sessionlog.Log) string {
	var all []string
	for _, o := range l.Skipped() {
		all = append(all, fmt.Sprintf("%s %d", o.Reason, o.Count))
	}
	return strings.Join(all, ", ")
}

// rollout writes a Codex rollout: an argument is a type and a payload.
func rollout(records ...string) string {
	var b strings.Builder
	for _, record := range records {
		kind, payload, _ := strings.Cut(record, " ")
		fmt.Fprintf(&b, `{"timestamp":"2026-01-01T00:00:00Z","type":%q,"payload":%s}`+"\n", kind, payload)
	}
	return b.String()
}

func says(role, text string) string {
	return fmt.Sprintf(`response_item {"type":"message","role":%q,"content":[{"type":"input_text","text":%q}]}`, role, text)
}

const (
	turn     = `event_msg {"type":"user_message","message":%q}`
	rollback = `event_msg {"type":"thread_rolled_back","num_turns":%s}`
)

// otherCases are rules of the other agents that the samples do not show.
var otherCases = []struct{ name, log, want, skipped string }{
	{"codex: rolled back more turns than there are", rollout(says("user", "a"), says("assistant", "b"), fmt.Sprintf(rollback, "9")), "", "rolled back 2, type event_msg 1"},
	{"codex: rolled back none", rollout(says("user", "a"), fmt.Sprintf(rollback, "0"), fmt.Sprintf(rollback, "-1"), fmt.Sprintf(rollback, `"x"`)), "a", "type event_msg 3"},
	{"codex: a turn begins with what the user said", rollout(says("user", "env"), says("user", "a"), fmt.Sprintf(turn, "a"), says("assistant", "b"), fmt.Sprintf(rollback, "1")), "env", "rolled back 2, type event_msg 2"},
	{"codex: a turn of pictures only", rollout(says("user", "env"), says("user", "<image>"), fmt.Sprintf(turn, ""), fmt.Sprintf(rollback, "1")), "env", "type event_msg 2, rolled back 1"},
	{"codex: an unknown record", rollout(says("user", "a"), `novelty {"x":1}`), "a", "type novelty 1"},
	{"codex: an unknown item", rollout(says("user", "a"), `response_item {"type":"novelty","x":1}`), `a / {"type":"novelty","x":1}`, ""},
	{"codex: two compactions", rollout(says("user", "a"), says("assistant", "b"), `compacted {"message":"s1"}`, says("assistant", "c"), `compacted {"message":"s2"}`), "a / s1 / s2", "before the compaction 2"},
	{"codex: a compaction to nothing", rollout(says("user", "a"), `compacted {"replacement_history":[]}`), "", "before the compaction 1"},

	{"pi: the newest branch", pi("a< user one", "b<a assistant two", "c<b user old", "d<b user new"), "one / two / new", "another branch 1, type session 1"},
	{"pi: a cycle", pi("a<b user one", "b<a assistant two"), "one / two", "type session 1"},
	{"pi: the parent is missing", pi("b<a user one"), "one", "type session 1"},
	{"pi: recorded again", pi("a< user one", "a< user one", "b<a assistant two"), "one / two", "recorded again 1, type session 1"},
	{"pi: an unknown role", pi("a< user one", "b<a narrator once"), "one / once", "type session 1"},
	{"pi: a compaction whose first kept entry is lost", pi("a< user one", "b<a compaction sum", "c<b user two"), "sum / two", "before the compaction 1, type session 1"},
	{"pi: content of other forms", `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":7},{"type":"image"},"x"]}}` + "\n" +
		`{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":{"a":1}}}`, `{"type":"text","text":7}+{"type":"image"}+"x" / {"a":1}`, ""},
	{"pi: arguments of other forms", `{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"1","arguments":"{bro"},{"type":"toolCall","id":"2"}]}}`, "!1+!2", ""},

	{"gemini-cli: an update replaces the messages", gemini(`{"id":"1","type":"user","content":"a"}`, `{"$set":{"messages":[{"id":"2","type":"user","content":"b"}]}}`, `{"id":"3","type":"gemini","content":"c"}`), "b / c", "metadata 1, recorded again 1"},
	{"gemini-cli: rewound to an unknown message", gemini(`{"id":"1","type":"user","content":"a"}`, `{"$rewindTo":"x"}`, `{"id":"2","type":"user","content":"b"}`), "b", "metadata 2, rewound 1"},
	{"gemini-cli: a call that the content has, too", gemini(`{"id":"1","type":"gemini","content":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"id":"y","name":"f"}}],` +
		`"toolCalls":[{"id":"y","name":"f","args":{}},{"id":"z","name":"f","args":{}},{"id":"w","name":"f","args":{}}]}`), "!f#1+!y+!w", "metadata 1"},
	{
		"gemini-cli: results of other forms", gemini(`{"id":"1","type":"gemini","toolCalls":[{"id":"a","name":"f","result":"text"},{"id":"b","name":"f","result":{"functionResponse":{"id":"b","name":"f","response":{"k":1,"l":2}}}},{"id":"c","name":"f","result":null}]}`),
		`!a+!b+!c / =a text+=b {"k":1,"l":2}`, "metadata 1",
	},
	{"gemini-cli: an unknown type", gemini(`{"id":"1","type":"oracle","content":"a"}`), "", "metadata 1, type oracle 1"},

	{"swe-agent: nothing", `{"trajectory":[]}`, "", ""},
	{"swe-agent: thinking beside blocks", `{"trajectory":[],"history":[{"role":"assistant","content":[{"type":"text","text":"a"}],"thinking_blocks":[{"type":"thinking","thinking":"h"}]}]}`, "h+a", ""},
	{"mini-swe-agent: nothing", `{"trajectory_format":"mini-swe-agent-1","messages":[]}`, "", ""},
}

func pi(entries ...string) string {
	b := &strings.Builder{}
	b.WriteString(`{"type":"session","version":3,"id":"s"}` + "\n")
	for _, entry := range entries {
		words := strings.SplitN(entry, " ", 3)
		id, parent, _ := strings.Cut(words[0], "<")
		if words[1] == "compaction" {
			fmt.Fprintf(b, `{"type":"compaction","id":%q,"parentId":%q,"summary":%q,"firstKeptEntryId":"lost"}`+"\n", id, parent, words[2])
			continue
		}
		fmt.Fprintf(b, `{"type":"message","id":%q,"parentId":%q,"message":{"role":%q,"content":%q}}`+"\n", id, parent, words[1], words[2])
	}
	return b.String()
}

func gemini(records ...string) string {
	return `{"sessionId":"s","projectHash":"p"}` + "\n" + strings.Join(records, "\n")
}

func TestOtherAgents(t *testing.T) {
	for _, c := range otherCases {
		t.Run(c.name, func(t *testing.T) {
			l := parse(t, c.log)
			assert.Equal(t, strings.Split(c.name, ":")[0], l.Agent())
			assert.Equal(t, c.want, said(l.Messages()))
			assert.Equal(t, c.skipped, omissions(l))
		})
	}
}

func TestErrors(t *testing.T) {
	for log, want := range map[string]string{
		"":                "sessionlog: parse: line 1, byte 0: expected JSON or JSONL, found an empty file",
		"{\"a\":1}\n[":    "sessionlog: parse: line 1, byte 0: expected the log of claude-code, codex, pi, swe-agent, mini-swe-agent, gemini-cli, found none of these; conversations that are no logs have formats of their own",
		`{"role":"user"}`: "sessionlog: parse: line 1, byte 0: expected the log of claude-code, codex, pi, swe-agent, mini-swe-agent, gemini-cli, found none of these; conversations that are no logs have formats of their own",
		claude("a< hi") + `{"parentUuid":"a","uuid":"b","type":"user","message":{"content":7}}`:                              "claude-code: parse: message 1 (line 2, byte 84): expected a string, an array or null as \"content\", found a number",
		rollout(says("user", "a")) + rollout(`response_item {"type":"message","role":7}`):                                    "codex: parse: message 1 (line 2, byte 148): expected a string as \"role\", found a number",
		"\n" + `{"type":"message","id":"a","message":{"role":"user"}}` + "\n" + `{"type":"message","id":"b","parentId":"a"}`: "pi: parse: message 1 (line 3, byte 55): expected an object as \"message\", found nothing",
		`{"trajectory":[],"history":[{"role":"user"},{"content":"a"}]}`:                                                      "swe-agent: parse: message 1 (line 1, byte 44): expected a message with \"role\", found none; every message needs one, such as \"user\"",
		"{\"trajectory_format\":\"mini-swe-agent-1\",\"messages\":[\n7]}":                                                    "mini-swe-agent: parse: message 0 (line 2, byte 53): expected a message object, found a number",
		`{"history":[{"parts":[]},{"parts":7}]}`:                                                                             "gemini-cli: parse: message 0 (line 1, byte 0): expected an array as \"parts\", found a number",
	} {
		_, err := sessionlog.Parse([]byte(log))
		var syntax *wire.SyntaxError
		if assert.ErrorAs(t, err, &syntax, log) {
			assert.Equal(t, want, err.Error())
		}
	}
}

func TestParseAs(t *testing.T) {
	l, err := sessionlog.ParseAs("claude-code", []byte(`{"type":"user","message":{"role":"user","content":"hi"}}`))
	require.NoError(t, err)
	assert.Equal(t, "hi", said(l.Messages()))
	for _, agent := range sessionlog.Agents() {
		for _, log := range []string{"[]", "[7]", "{}", "{}\n{}"} {
			l, err := sessionlog.ParseAs(agent, []byte(log))
			if err == nil {
				wellFormed(t, l)
				assert.Empty(t, l.Messages())
			}
		}
	}
	_, err = sessionlog.ParseAs("emacs", nil)
	assert.EqualError(t, err, `sessionlog: no agent "emacs"; there are claude-code, codex, pi, swe-agent, mini-swe-agent, gemini-cli`)
	var unknown sessionlog.UnknownAgentError
	assert.ErrorAs(t, err, &unknown)
}

func TestDetectNothing(t *testing.T) {
	for _, data := range []string{
		"", "no JSON", "7", "[]", "{}", `[{"role":"user","content":"a"}]`, `{"messages":[{"role":"user"}]}`,
		`{"type":"message","role":"user","content":"a"}`,                                // an item of the Responses API
		`{"type":"message","id":"msg_1","role":"assistant","content":[],"model":"m"}`,   // a reply of Anthropic's
		`[{"sessionId":"s","messageId":0,"type":"user","message":"a","timestamp":"t"}]`, // prompts that Gemini CLI keeps
		`{"role":"user","content":"a"}` + "\n" + `{"parentUuid":null}`,
	} {
		agent, reason := sessionlog.Detect([]byte(data))
		assert.Empty(t, agent+reason, data)
	}
}

// A provider gets back what the log has of its messages, edited or not.
func TestNative(t *testing.T) {
	formats := map[string]string{
		"claude-code": "anthropic", "codex": "responses", "gemini-cli": "gemini", "swe-agent": "openai", "mini-swe-agent": "openai",
	}
	for name, data := range samples(t) {
		l := parse(t, string(data))
		format, native := l.Native()
		want := formats[l.Agent()]
		if strings.HasPrefix(name, "mini-responses") {
			want = "responses"
		}
		assert.Equal(t, want, format, name)
		if native == nil {
			assert.Equal(t, "pi", l.Agent())
			continue
		}
		assert.Equal(t, said(l.Messages()), said(native.Messages()), name)
		out, err := native.Write(native.Messages()[:1])
		require.NoError(t, err, name)
		assert.NotEmpty(t, out)
	}
	_, native := parse(t, string(samples(t)["claude-session.jsonl"])).Native()
	out, err := native.Write(native.Messages())
	require.NoError(t, err)
	assert.Contains(t, string(out), `"signature":"EqQBCkYIBxgCKkDg"`)
	_, native = parse(t, `{"type":"summary","leafUuid":"a"}`).Native()
	assert.Nil(t, native)
}

func TestLogIsShared(t *testing.T) {
	l := parse(t, claude("a< hi", "b<a #1 yes"))
	assert.Same(t, &l.Messages()[0], &l.Messages()[0])
	assert.Same(t, l.Request(), l.Request())
	assert.Equal(t, core.Request{}, *l.Request())
}
