package adaptertest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/adapters/adaptertest"
	"github.com/trimkit/trimkit/core"
)

const (
	chat     = "/v1/chat/completions"
	messages = "/v1/messages"
)

// ask posts a body, and returns the status and the text of the response.
func ask(t *testing.T, s *adaptertest.Server, path, body string) (status int, text string) {
	t.Helper()
	response, err := http.Post(s.URL+path, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	data, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(data)
}

// serve returns a server for one test.
func serve(t *testing.T, script adaptertest.Script, opts ...adaptertest.ServerOption) *adaptertest.Server {
	t.Helper()
	s := adaptertest.NewServer(script, opts...)
	t.Cleanup(s.Close)
	return s
}

func says(text string) adaptertest.Script {
	return func(*adaptertest.Request) adaptertest.Answer { return adaptertest.Answer{Text: text} }
}

// body returns a request of some messages.
func body(messages string) string { return `{"max_tokens":10,"messages":[` + messages + `]}` }

func TestServer_Refuses(t *testing.T) {
	const (
		user   = `{"role":"user","content":"hi"}`
		call   = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
		result = `{"role":"tool","tool_call_id":"c1","content":"r"}`

		use     = `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]}`
		used    = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}`
		answers = `{"type":"tool_result","tool_use_id":"c1","content":"r"}`
	)
	for _, c := range []struct{ path, body, words string }{
		{chat, `{"messages":`, "could not parse the JSON body"},
		{chat, body(""), "at least one message"},
		{chat, body(`{"role":"bot","content":"hi"}`), "Supported values are"},
		{chat, body(user + "," + result), "must be a response to a preceding message with 'tool_calls'"},
		{chat, body(user + "," + call), "must be followed by tool messages"},
		{chat, body(user + "," + call + "," + user + "," + result), "'tool_call"},
		{chat, body(`{"role":"user","content":null}`), "got null"},
		{chat, body(`{"role":"user","content":[]}`), "messages[0].content"},
		{chat, body(user + `,{"role":"assistant"}`), "messages[1].content"},

		{messages, `{"messages":[` + user + `]}`, "max_tokens: Field required"},
		{messages, body(`{"role":"assistant","content":"hi"},` + user), `first message must use the "user" role`},
		{messages, body(`{"role":"bot","content":"hi"}`), "Unexpected role"},
		{messages, body(result), "Unexpected role"},
		{messages, body(user + `,{"role":"system","content":"be brief"},` + user), `Unexpected role "system"`},
		{messages, body(user + "," + used), "unexpected `tool_use_id`"},
		{messages, body(user + "," + use + "," + user), "`tool_use` ids were found without `tool_result` blocks"},
		{messages, body(user + "," + use), "`tool_use` ids were found without `tool_result` blocks"},
		{messages, body(user + "," + use + "," + used + "," + use + "," + used), "`tool_use` ids must be unique"},
		{messages, body(user + "," + use + "," + used + "," + used), "`tool_result` blocks"},
		{messages, body(`{"role":"user","content":""}`), "non-empty content"},
		{messages, body(user + `,{"role":"assistant","content":[]},` + user), "non-empty content"},
		{messages, body(user + `,{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"s"}]},` + user), "cannot be `thinking`"},
		{messages, body(user + `,{"role":"assistant","content":[{"type":"thinking","thinking":"a"},{"type":"text","text":"b"}]},` + user), "signature: Field required"},
	} {
		s := serve(t, says("fine"))
		status, text := ask(t, s, c.path, c.body)
		assert.Equal(t, http.StatusBadRequest, status, c.body)
		var got struct {
			Type  string
			Error struct{ Type, Message string }
		}
		require.NoError(t, json.Unmarshal([]byte(text), &got), text)
		assert.Equal(t, "invalid_request_error", got.Error.Type)
		assert.Contains(t, got.Error.Message, c.words, c.body)
		assert.Equal(t, c.path == messages, got.Type == "error")
		require.Len(t, s.Requests(), 1)
		assert.Equal(t, got.Error.Message, s.Requests()[0].Refused)
	}
	for _, c := range []struct{ path, body string }{
		{chat, body(user + "," + call + "," + result)},
		{chat, body(`{"role":"assistant","content":""},{"role":"system","content":"s"},` + user)},
		{messages, body(user + "," + use + "," + used + "," + user)},
		{messages, body(user + "," + use + `,{"role":"user","content":[` + answers + `,{"type":"text","text":"go on"}]}`)},
		{"/chat/completions", body(user)},
	} {
		s := serve(t, says("fine"))
		status, text := ask(t, s, c.path, c.body)
		assert.Equal(t, http.StatusOK, status, text)
		assert.Empty(t, s.Requests()[0].Refused)
	}
	status, _ := ask(t, serve(t, says("fine")), "/v1/models", "{}")
	assert.Equal(t, http.StatusNotFound, status)
}

func TestServer_Window(t *testing.T) {
	count := adaptertest.WithCount(func(*adaptertest.Request) int { return 95 })
	for _, c := range []struct {
		path   string
		window int
		words  string // empty: it fits
	}{
		{chat, 105, ""},
		{chat, 104, `"code":"context_length_exceeded"`},
		{messages, 105, ""},
		{messages, 104, "input length and `max_tokens` exceed context limit: 95 + 10 > 104"},
		{messages, 94, "prompt is too long: 95 tokens > 94 maximum"},
	} {
		s := serve(t, says("fine"), count, adaptertest.WithWindow(c.window))
		status, text := ask(t, s, c.path, body(`{"role":"user","content":"hi"}`))
		assert.Equal(t, c.words != "", status == http.StatusBadRequest, text)
		assert.Contains(t, text, c.words)
		assert.Equal(t, c.words != "", adapters.ContextLimit(errors.New(text)), "adapters know it by its words: %s", text)
		assert.Equal(t, 95, s.Requests()[0].Tokens)
	}
}

// What a reply was made with stands before its calls, as it came.
func TestServer_Thinking(t *testing.T) {
	s := serve(t, adaptertest.Answers(
		adaptertest.Answer{Reasoning: "hm", Calls: []core.Part{{CallID: "c1", Tool: "f"}}}, adaptertest.Answer{Text: "done"}, adaptertest.Answer{Text: "done"},
	))
	_, text := ask(t, s, messages, body(`{"role":"user","content":"hi"}`))
	var reply struct{ Content []json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(text), &reply))
	require.Len(t, reply.Content, 2)
	with := func(blocks ...string) (int, string) {
		return ask(t, s, messages, body(`{"role":"user","content":"hi"},{"role":"assistant","content":[`+strings.Join(blocks, ",")+
			`]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}`))
	}
	thinking, use := string(reply.Content[0]), string(reply.Content[1])

	status, text := with(thinking, use)
	assert.Equal(t, http.StatusOK, status, text)
	status, text = with(strings.Replace(thinking, "hm", "ho", 1), use)
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Contains(t, text, "cannot be modified")
	status, text = with(use)
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Contains(t, text, "Expected `thinking` or `redacted_thinking`, but found `tool_use`")

	later := `,{"role":"assistant","content":"done"},{"role":"user","content":"and?"}`
	status, text = ask(t, s, messages, body(`{"role":"user","content":"hi"},{"role":"assistant","content":[`+use+
		`]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r"}]}`+later))
	assert.Equal(t, http.StatusOK, status, "an earlier reply may be without: %s", text)
}

func TestServer_Streams(t *testing.T) {
	answer := adaptertest.Answer{
		Text: "a text of more than one piece, 日本語", Reasoning: "hm", Calls: []core.Part{{Tool: "f", Text: `{"a":1}`}, {CallID: "mine", Tool: "g"}},
	}
	for _, c := range []struct {
		path, more string
		has        []string
	}{
		{chat, `"stream":true`, []string{`"delta":{"content":"a text of more t"}`, `"id":"call_0_0"`, `"id":"mine"`, `"finish_reason":"tool_calls"`, "data: [DONE]"}},
		{chat, `"stream":true,"stream_options":{"include_usage":true}`, []string{`"prompt_tokens":7`}},
		{messages, `"stream":true`, []string{
			"event: message_start", `"input_tokens":7`, `"thinking":"hm"`, "signature_delta", `"text":"a text of more t"`, `"partial_json":"{\"a\":1}"`,
			`"stop_reason":"tool_use"`, "event: message_stop",
		}},
	} {
		s := serve(t, func(*adaptertest.Request) adaptertest.Answer { return answer }, adaptertest.WithCount(func(*adaptertest.Request) int { return 7 }))
		status, text := ask(t, s, c.path, `{"max_tokens":10,`+c.more+`,"messages":[{"role":"user","content":"hi"}]}`)
		assert.Equal(t, http.StatusOK, status)
		for _, has := range c.has {
			assert.Contains(t, text, has, c.path)
		}
		assert.Equal(t, c.path == messages || strings.Contains(c.more, "usage"), strings.Contains(text, "usage"), text)
		r := s.Requests()[0]
		assert.True(t, r.Stream)
		assert.Equal(t, 10, r.MaxTokens)
	}
	assert.Empty(t, answer.Calls[0].CallID, "the script's own calls are as they were")
}

func TestServer_Failures(t *testing.T) {
	for status, kind := range map[int]string{401: "authentication_error", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"} {
		s := serve(t, adaptertest.Answers(adaptertest.Answer{Status: status, Text: "not now"}))
		got, text := ask(t, s, messages, body(`{"role":"user","content":"hi"}`))
		assert.Equal(t, status, got)
		assert.JSONEq(t, fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":"not now"}}`, kind), text)
		got, text = ask(t, s, chat, body(`{"role":"user","content":"hi"}`))
		assert.Equal(t, http.StatusInternalServerError, got, "no answer is left")
		assert.Contains(t, text, "the script has 1 answers")
	}
}

func TestServer_ManyAtOnce(t *testing.T) {
	s := serve(t, says("fine"))
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			response, err := http.Post(s.URL+chat, "application/json", strings.NewReader(body(`{"role":"user","content":"hi"}`)))
			if assert.NoError(t, err) {
				assert.NoError(t, response.Body.Close())
			}
		})
	}
	wg.Wait()
	seen := make(map[int]bool)
	for _, r := range s.Requests() {
		seen[r.Index] = true
	}
	assert.Len(t, seen, 32)
	s.Reset()
	assert.Empty(t, s.Requests())
}

// A server that has no test around it: it refuses what does not fit, and answers the rest.
func ExampleNewServer() {
	server := adaptertest.NewServer(func(r *adaptertest.Request) adaptertest.Answer {
		return adaptertest.Answer{Text: fmt.Sprintf("%d tokens, answered.", r.Tokens)}
	}, adaptertest.WithWindow(100))
	defer server.Close()

	for _, words := range []int{10, 1000} {
		request := fmt.Sprintf(`{"messages":[{"role":"user","content":%q}]}`, strings.Repeat("word ", words))
		response, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(request))
		if err != nil {
			panic(err)
		}
		fmt.Println(response.Status)
		_ = response.Body.Close()
	}
	fmt.Println(server.Requests()[1].Refused[:50])
	// Output:
	// 200 OK
	// 400 Bad Request
	// This model's maximum context length is 100 tokens.
}
