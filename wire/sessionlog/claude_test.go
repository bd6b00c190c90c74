package sessionlog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
)

// claude writes a log in which each argument is "uuid<parent text" for a user's record,
// "uuid<parent #answer text" for an assistant's (#answer is its message.id), and
// "uuid<parent =id text" or "uuid<parent #answer !id" for a result and a call. A record of
// which the text begins with { has that as its members.
func claude(records ...string) string {
	var b strings.Builder
	for _, record := range records {
		link, rest, _ := strings.Cut(record, " ")
		uuid, parent, _ := strings.Cut(link, "<")
		kind, members, content := "user", "", fmt.Sprintf("%q", rest)
		if answer, said, ok := strings.Cut(strings.TrimPrefix(rest, "#"), " "); ok && strings.HasPrefix(rest, "#") {
			kind, members = "assistant", fmt.Sprintf(`"id":%q,`, answer)
			content = fmt.Sprintf(`[{"type":"text","text":%q}]`, said)
			if id, ok := strings.CutPrefix(said, "!"); ok {
				content = fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":"Read","input":{}}]`, id)
			}
		}
		if id, said, ok := strings.Cut(strings.TrimPrefix(rest, "="), " "); ok && strings.HasPrefix(rest, "=") {
			content = fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%q}]`, id, said)
		}
		link = fmt.Sprintf(`"uuid":%q,"parentUuid":%q`, uuid, parent)
		if members, ok := strings.CutPrefix(rest, "{"); ok {
			fmt.Fprintf(&b, "{%s,%s\n", link, members)
			continue
		}
		fmt.Fprintf(&b, `{%s,"type":%q,"message":{%s"role":%q,"content":%s}}`+"\n", link, kind, members, kind, content)
	}
	return b.String()
}

var claudeCases = []struct {
	name    string
	log     string
	want    string // as said puts it
	skipped string
}{
	{"in order", claude("a< hi", "b<a #1 hello", "c<b bye"), "hi / hello / bye", ""},
	{"a rewind", claude("a< hi", "b<a #1 hello", "c<b old", "d<c #2 old", "e<b new"), "hi / hello / new", "another branch 2"},
	{"two roots", claude("a< old", "b< new", "c<b #1 yes"), "new / yes", "another branch 1"},
	{"the parent is missing", claude("b<a hi", "c<b #1 yes"), "hi / yes", ""},
	{"a cycle", claude("a<c hi", "b<a #1 yes", "c<b on"), "hi / yes / on", ""},
	{"its own parent", claude("a<a hi"), "hi", ""},
	{"the child comes first", claude("b<a on", "a< hi", "c<b end"), "hi / on / end", ""},
	{"recorded again", claude("a< hi", "b<a #1 yes", "a< hi", "c<b on"), "hi / yes / on", "recorded again 1"},
	{"recorded again, with another parent", claude("a< hi", "b<a #1 yes", "b<x #1 no"), "no", "another branch 1, recorded again 1"},

	{"one answer", claude("a< hi", "b<a #1 first", "c<b #1 second", "d<c #2 other"), "hi / first+second / other", ""},
	{"answers of one id and of two requests", claude(
		"a< hi", `b<a {"requestId":"r1","type":"assistant","message":{"id":"m","content":"x"}}`,
		`c<b {"requestId":"r2","type":"assistant","message":{"id":"m","content":"y"}}`), "hi / x / y", ""},
	{"answers without ids", claude("a< hi", `b<a {"type":"assistant","message":{"content":"x"}}`, `c<b {"type":"assistant","message":{"content":"y"}}`), "hi / x / y", ""},
	{
		"content that is text, null and blocks", claude(
			`b< {"type":"assistant","message":{"id":"m","content":"x"}}`, `c<b {"type":"assistant","message":{"id":"m","content":null}}`,
			`d<c {"type":"assistant","message":{"id":"m","content":["y",7,{"type":"text","text":"z"}]}}`, `e<d {"type":"assistant","message":{"id":"m","content":8}}`),
		`x+"y"+7+z+8`, "",
	},
	{"an answer does not go on behind the user's words", claude("a< hi", "b<a #1 x", "c<b no", "d<c #1 y"), "hi / x / no / y", ""},
	{"nor behind another", claude("a< hi", "b<a #1 x", "c<b #2 y", "d<c #1 z"), "hi / x / y / z", ""},
	{"results between its blocks", claude("a< hi", "b<a #1 !1", "c<b =1 one", "d<c #1 !2", "e<d =2 two"), "hi / !1+!2 / =1 one / =2 two", ""},
	{"results on side tracks", claude("a< hi", "b<a #1 !1", "c<b #1 !2", "d<b =1 one", "e<c =2 two", "f<e #2 end"), "hi / !1+!2 / =1 one / =2 two / end", ""},
	{
		"calls on side tracks", claude("a< hi", "b<a #1 !1", "c<b #1 !2", "d<c #1 !3", "e<c =2 two", "f<d =3 three", "g<b =1 one", "h<g #2 end"),
		"hi / !1+!2+!3 / =2 two / =3 three / =1 one / end", "",
	},
	{"two results of one record", claude("a< hi", `b<a {"type":"assistant","message":{"content":[{"type":"tool_use","id":"1"},{"type":"tool_use","id":"2"}]}}`,
		"c<b =1 one", "d<b =2 two", "e<d #2 end"), "hi / !1+!2 / =1 one / =2 two / end", ""},
	{"side tracks of an abandoned branch", claude("a< hi", "b<a #1 !1", "c<b =1 one", "d<a no", "e<d #2 end"), "hi / no / end", "another branch 2"},
	{"words on a side track are another branch", claude("a< hi", "b<a #1 !1", "c<b stop", "d<b =1 one", "e<d #2 end"), "hi / !1 / =1 one / end", "another branch 1"},

	{"a subagent", claude("a< hi", `b< {"isSidechain":true,"type":"user","message":{"content":"task"}}`, "c<a #1 yes"), "hi / yes", "sidechain 1"},
	{"nothing but a subagent", claude(`a< {"isSidechain":true,"type":"user","message":{"content":"task"}}`, `b<a {"isSidechain":true,"type":"assistant","message":{"content":"done"}}`), "task / done", ""},
	{"a team member", claude("a< hi", `b<a {"teamName":"t","type":"user","message":{"content":"psst"}}`), "hi", "sidechain 1"},
	{"hidden words", claude("a< hi", `b<a {"isMeta":true,"type":"user","message":{"content":"skill"}}`, "c<b #1 yes"), "hi / skill / yes", ""},
	{"hidden words are no leaf", claude("a< hi", "b<a #1 yes", `c<a {"isMeta":true,"type":"user","message":{"content":"late"}}`), "hi / yes", "another branch 1"},
	{"an error in the place of an answer", claude("a< hi", `b<a {"isApiErrorMessage":true,"type":"assistant","message":{"content":"529"}}`, "c<b on"), "hi / on", "API error 1"},
	{"an empty message", claude("a< hi", `b<a {"type":"assistant","message":{"content":[]}}`, `c<b {"type":"user"}`, "d<c on"), "hi / on", "empty message 2"},
	{"a compaction", claude("a< old", "b<a #1 old", `c< {"type":"system","subtype":"compact_boundary"}`, "d<c summary", "e<d on"), "summary / on", "before the compaction 2, type system 1"},
	{
		"what comes behind kept messages", claude("a< hi", "b<a #1 yes",
			`c< {"type":"system","subtype":"compact_boundary","compactMetadata":{"preservedSegment":{"headUuid":"b","anchorUuid":"d","tailUuid":"b"}}}`, "d<c summary", "e<b on"),
		"summary / yes / on", "before the compaction 1, type system 1",
	},
	{
		"rewound to before a compaction", claude("a< hi", "b<a #1 yes",
			`c< {"type":"system","subtype":"compact_boundary","compactMetadata":{"preservedSegment":{"headUuid":"b","anchorUuid":"d","tailUuid":"b"}}}`, "d<c summary", "e<a on"),
		"hi / on", "another branch 2, type system 1",
	},
	{
		"kept messages whose tail is lost", claude("a< hi", "b<a #1 yes",
			`c< {"type":"system","subtype":"compact_boundary","compactMetadata":{"preservedSegment":{"headUuid":"b","anchorUuid":"d","tailUuid":"x"}}}`, "d<c summary", "e<d on"),
		"summary / on", "before the compaction 2, type system 1",
	},
	{"nothing but bookkeeping", `{"type":"summary","leafUuid":"a"}`, "", "type summary 1"},
}

func TestClaude(t *testing.T) {
	for _, c := range claudeCases {
		t.Run(c.name, func(t *testing.T) {
			l := parse(t, c.log)
			assert.Equal(t, "claude-code", l.Agent())
			assert.Equal(t, c.want, said(l.Messages()))
			assert.Equal(t, c.skipped, omissions(l))
		})
	}
}

// said writes what the messages say: texts, "!id" for a call, "=id text" for a result.
func said(history []core.Message) string {
	var messages []string
	for i := range history {
		var parts []string
		for _, p := range history[i].Parts {
			switch p.Kind {
			case core.KindToolCall:
				parts = append(parts, "!"+p.CallID)
			case core.KindToolResult:
				parts = append(parts, "="+p.CallID+" "+p.Text)
			default:
				parts = append(parts, p.Text)
			}
		}
		messages = append(messages, strings.Join(parts, "+"))
	}
	return strings.Join(messages, " / ")
}
