package story

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/wire/openai"
)

// newStandIn starts a provider on this machine that speaks as much of OpenAI's chat
// completions as the examples need, and answers with [Reply]. It is lenient; the test of the
// examples has a strict one.
func newStandIn(meter *budget.Meter) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		c, err := openai.Parse(body)
		if err != nil || len(c.Messages()) == 0 {
			http.Error(w, fmt.Sprintf("no request: %v", err), http.StatusBadRequest)
			return
		}
		tokens := meter.AsSent(c.Messages(), c.Request())
		text, call := Reply(c.Messages(), c.Request())
		message, reason := map[string]any{"role": "assistant", "content": text}, "stop"
		if call != nil {
			reason = "tool_calls"
			message["tool_calls"] = []any{map[string]any{
				"id": call.CallID, "type": "function", "function": map[string]any{"name": call.Tool, "arguments": call.Text},
			}}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{ // the client may have gone
			"id": "chatcmpl-0", "object": "chat.completion", "model": "stand-in",
			"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}},
			"usage":   map[string]any{"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1},
		})
	}))
}
