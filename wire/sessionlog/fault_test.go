package sessionlog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

func rules(history []core.Message) []string {
	var rules []string
	for _, v := range core.Check(core.OpenAI, history) {
		rules = append(rules, v.Rule)
	}
	return rules
}

func TestFault_Orphan_CallIsNotInTheLog(t *testing.T) {
	for _, log := range []string{
		claude("b<lost =1 left over", "c<b #2 so"),
		rollout(`response_item {"type":"function_call_output","call_id":"1","output":"left over"}`, says("assistant", "so")),
		`{"type":"message","id":"a","parentId":"lost","message":{"role":"toolResult","toolCallId":"1","content":[{"type":"text","text":"left over"}]}}`,
		`{"trajectory":[],"history":[{"role":"tool","content":"left over","tool_call_ids":["1"]}]}`,
	} {
		l := parse(t, log)
		assert.Equal(t, []string{"orphan-result"}, rules(l.Messages()), log)
		assert.True(t, strings.HasPrefix(said(l.Messages()), "=1 left over"))
	}
}

func TestFault_Orphan_EmptyResultIsAResult(t *testing.T) {
	for _, log := range []string{
		claude("a< hi", "b<a #1 !1", `c<b {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1"}]}}`),
		rollout(`response_item {"type":"function_call","call_id":"1","name":"f","arguments":"{}"}`, `response_item {"type":"function_call_output","call_id":"1","output":""}`),
		`{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"1","name":"f"}]}}` + "\n" +
			`{"type":"message","id":"b","parentId":"a","message":{"role":"toolResult","toolCallId":"1"}}`,
		gemini(`{"id":"1","type":"gemini","toolCalls":[{"id":"1","name":"f","args":{},"result":""}]}`),
	} {
		l := parse(t, log)
		assert.Empty(t, rules(l.Messages()), log)
		last := l.Messages()[len(l.Messages())-1]
		assert.Equal(t, core.Part{Kind: core.KindToolResult, CallID: "1", Tool: last.Parts[0].Tool, Slot: 1, Status: last.Parts[0].Status}, last.Parts[0])
	}
}

func TestFault_Parallel_ThreeOfFour(t *testing.T) {
	l := parse(t, claude("a< hi", "b<a #1 !1", "c<b #1 !2", "d<c #1 !3", "e<d #1 !4", "f<c =2 two", "g<b =1 one", "h<e =4 four", "i<h stop"))
	assert.Equal(t, "hi / !1+!2+!3+!4 / =2 two / =1 one / =4 four / stop", said(l.Messages()))
	groups := core.NewGroups(l.Messages())
	assert.Len(t, groups.List, 3, "one exchange")
	assert.Equal(t, []string{"unanswered-call"}, rules(l.Messages()))

	l = parse(t, rollout(says("user", "hi"),
		`response_item {"type":"function_call","call_id":"1","name":"f","arguments":"{}"}`, `response_item {"type":"function_call","call_id":"2","name":"f","arguments":"{}"}`,
		`event_msg {"type":"token_count"}`, `response_item {"type":"function_call_output","call_id":"2","output":"two"}`, `response_item {"type":"function_call_output","call_id":"1","output":"one"}`))
	assert.Empty(t, rules(l.Messages()))
	assert.Equal(t, []int{0, 1, 1, 1, 1}, core.NewGroups(l.Messages()).Of)
}

func TestFault_Parallel_SameIDAgain(t *testing.T) {
	l := parse(t, claude("a< hi", "b<a #1 !1", "c<b =1 one", "d<c #2 !1", "e<d =1 two"))
	groups := core.NewGroups(l.Messages())
	call, _, ok := groups.CallOf(4, 0)
	assert.True(t, ok)
	assert.Equal(t, 3, call, "the nearest call before it")
}

func TestFault_Think_StaysWithItsReply(t *testing.T) {
	for log, want := range map[string]string{
		claude("a< hi",
			`b<a {"type":"assistant","message":{"id":"m","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"}]}}`,
			`c<b {"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]}}`, "d<c =1 one"): "hm signed",
		rollout(says("user", "hi"), `response_item {"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}`,
			`response_item {"type":"function_call","call_id":"1","name":"f","arguments":"{}"}`, `response_item {"type":"function_call_output","call_id":"1","output":"one"}`): "hm",
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"hi"}}` + "\n" +
			`{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"c2ln"},{"type":"toolCall","id":"1"}]}}` + "\n" +
			`{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"1","content":"one"}}`: "hm signed",
		gemini(`{"id":"1","type":"user","content":"hi"}`,
			`{"id":"2","type":"gemini","thoughts":[{"subject":"","description":"hm"}],"toolCalls":[{"id":"1","name":"f","args":{},"result":"one"}]}`): "hm",
	} {
		l := parse(t, log)
		p := l.Messages()[1].Parts[0]
		assert.Equal(t, core.KindReasoning, p.Kind)
		got := p.Text
		if p.Signed {
			got += " signed"
		}
		assert.Equal(t, want, got, log)
		groups := core.NewGroups(l.Messages())
		assert.Len(t, groups.List, 2, "reasoning, call and result are one group: %s", log)
		reasoning := 0
		for _, m := range l.Messages() {
			for _, p := range m.Parts {
				if p.Kind == core.KindReasoning {
					reasoning++
				}
			}
		}
		assert.Equal(t, 1, reasoning, "none is made up")
	}
}

func TestFault_Args_NotJSON(t *testing.T) {
	for _, args := range []string{"", "x", `{"path":"a`, `[1.0]`} {
		l := parse(t, rollout(`response_item {"type":"function_call","call_id":"1","name":"f","arguments":`+quoted(args)+`}`))
		assert.Equal(t, args, l.Messages()[0].Parts[0].Text)
		l = parse(t, `{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"1","arguments":`+quoted(args)+`}]}}`)
		assert.Equal(t, args, l.Messages()[0].Parts[0].Text)
	}
	l := parse(t, `{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"1","arguments":{"n" : 1e400, "n":0.10}}]}}`)
	assert.Equal(t, `{"n" : 1e400, "n":0.10}`, l.Messages()[0].Parts[0].Text, "as the log has it")
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

func TestFault_Image_IsMediaAndADataURIInTextIsNot(t *testing.T) {
	const data = "iVBORw0KGgo="
	for _, log := range []string{
		claude(`a< {"type":"user","message":{"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}},{"type":"text","text":"data:image/png;base64,AA"}]}}`),
		rollout(`response_item {"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,` + data + `"},{"type":"input_text","text":"data:image/png;base64,AA"}]}`),
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"` + data + `"},{"type":"text","text":"data:image/png;base64,AA"}]}}`,
		gemini(`{"id":"1","type":"user","content":[{"inlineData":{"mimeType":"image/png","data":"` + data + `"}},"data:image/png;base64,AA"]}`),
		`{"trajectory_format":"mini-swe-agent-1.1","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + data + `"}},{"type":"text","text":"data:image/png;base64,AA"}]}]}`,
	} {
		parts := parse(t, log).Messages()[0].Parts
		require.Len(t, parts, 2, log)
		require.NotNil(t, parts[0].Media, log)
		assert.Equal(t, "image/png", parts[0].Media.MIME)
		assert.Contains(t, parts[0].Media.URL, data)
		assert.Nil(t, parts[1].Media)
		assert.Equal(t, "data:image/png;base64,AA", parts[1].Text)
	}
}

func TestFault_Unicode_KeptAsItIs(t *testing.T) {
	for raw, want := range map[string]string{
		`\ud83d\ude00`:                  "😀",
		`\ud83d and \ude00`:             "\ufffd and \ufffd",
		"e\u0301 \\u0065\\u0301":        "e\u0301 e\u0301",
		"👩‍👩‍👧 \\u200d":                 "👩‍👩‍👧 \u200d",
		"a\xff\xc3b\xed\xa0\x80":        "a\xff\xc3b\xed\xa0\x80",
		"\u2028\\u2029 \\u0000 <&> \\/": "\u2028\u2029 \x00 <&> /",
	} {
		for _, log := range []string{
			`{"uuid":"a","parentUuid":null,"type":"user","message":{"role":"user","content":"` + raw + `"}}`,
			rollout(`response_item {"type":"message","role":"user","content":"` + raw + `"}`),
			`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"` + raw + `"}}`,
			gemini(`{"id":"1","type":"user","content":"` + raw + `"}`),
			`{"history":[{"role":"user","parts":[{"text":"` + raw + `"}]}]}`,
			`{"trajectory":[],"history":[{"role":"user","content":"` + raw + `"}]}`,
			`{"trajectory_format":"mini-swe-agent-1","messages":[{"role":"user","content":"` + raw + `"}]}`,
		} {
			assert.Equal(t, want, parse(t, log).Messages()[0].Parts[0].Text, log)
		}
	}
}

func TestFault_HITL_OpenCallAtTheEnd(t *testing.T) {
	for _, log := range []string{
		claude("a< hi", "b<a #1 !1"),
		rollout(says("user", "hi"), `response_item {"type":"function_call","call_id":"1","name":"f","arguments":"{}"}`, `event_msg {"type":"exec_approval_request","call_id":"1"}`),
		gemini(`{"id":"1","type":"user","content":"hi"}`, `{"id":"2","type":"gemini","toolCalls":[{"id":"1","name":"f","args":{},"status":"awaiting_approval","result":null}]}`),
	} {
		l := parse(t, log)
		assert.True(t, core.NewGroups(l.Messages()).List[1].Open, log)
	}
	l := parse(t, gemini(`{"id":"2","type":"gemini","toolCalls":[{"id":"1","name":"f","args":{},"status":"executing","result":"so far"}]}`))
	assert.Equal(t, core.StatusPending, l.Messages()[1].Parts[0].Status)
	assert.True(t, core.NewGroups(l.Messages()).List[0].Open, "the final result is still to come")
	l = parse(t, gemini(`{"id":"2","type":"gemini","toolCalls":[{"id":"1","name":"f","args":{},"status":"cancelled","result":[{"functionResponse":{"id":"1","name":"f","response":{"error":"no"}}}]}]}`))
	assert.Equal(t, core.StatusDenied, l.Messages()[1].Parts[0].Status)
}

func TestFault_Report_NoContentInReasonsAndErrors(t *testing.T) {
	const secret = "a password"
	l := parse(t, `{"parentUuid":null,"type":"`+secret+`"}`+"\n"+`{"parentUuid":null,"type":"`+strings.Repeat("x", 50)+`"}`)
	assert.Equal(t, "unknown type 2", omissions(l))
	_, err := sessionlog.Parse([]byte(claude("a< hi") + `{"parentUuid":"a","type":"user","message":{"content":{"x":"` + secret + `"}}}`))
	require.Error(t, err)
	assert.NotContains(t, err.Error(), secret)
}
