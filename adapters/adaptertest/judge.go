package adaptertest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/trimkit/trimkit/core"
)

// refusal is an error of a provider.
type refusal struct {
	status  int
	kind    string
	code    string // OpenAI's; empty: none
	message string
}

func invalid(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, kind: "invalid_request_error", message: fmt.Sprintf(format, args...)}
}

// failed is the refusal of a status that a [Script] gave.
func failed(status int, message string) *refusal {
	kind := "api_error"
	switch status {
	case http.StatusBadRequest:
		kind = "invalid_request_error"
	case http.StatusUnauthorized:
		kind = "authentication_error"
	case http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case 529: // Anthropic's own
		kind = "overloaded_error"
	}
	return &refusal{status: status, kind: kind, message: message}
}

func (f *refusal) write(w http.ResponseWriter, api API) {
	body := object{"type": "error", "error": object{"type": f.kind, "message": f.message}}
	if api == ChatCompletions {
		var code any
		if f.code != "" {
			code = f.code
		}
		body = object{"error": object{"type": f.kind, "message": f.message, "param": nil, "code": code}}
	}
	writeJSON(w, f.status, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false) // providers do not
	_ = to.Encode(body)     // the client may have gone
}

// words are what the providers say of a broken rule of [core.Check]. A rule without words is
// told in our own.
var words = map[API]map[string]string{
	ChatCompletions: {
		"unknown-role":    "Invalid value for 'role'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
		"orphan-result":   "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
		"late-result":     "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
		"unanswered-call": "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
	},
	Messages: {
		"unknown-role":    `Unexpected role. Allowed roles are "user" or "assistant".`,
		"system-position": `Unexpected role "system". The Messages API accepts a top-level "system" parameter.`,
		"first-role":      `first message must use the "user" role`,
		"orphan-result":   "unexpected `tool_use_id` found in `tool_result` blocks. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
		"late-result":     "unexpected `tool_use_id` found in `tool_result` blocks. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
		"unanswered-call": "`tool_use` ids were found without `tool_result` blocks immediately after. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
		"repeated-id":     "`tool_use` ids must be unique",
		"repeated-result": "each tool_use must have a single result. Found multiple `tool_result` blocks with one id",
		"empty-content":   "all messages must have non-empty content except for the optional final assistant message",
		"bad-arguments":   "tool_use.input: Input should be a valid dictionary",
		"lone-reasoning":  "The final block in an assistant message cannot be `thinking`.",
	},
}

// judge returns what the provider refuses a request for. Rules of neighbours, pairs and roles
// are those of the provider's profile; what it says beside them is here.
func (s *Server) judge(r *Request) *refusal {
	profile := core.OpenAI
	if r.API == Messages {
		profile = core.Anthropic
	}
	if len(r.History) == 0 {
		return invalid("messages: at least one message is required")
	}
	if r.API == Messages && r.MaxTokens == 0 {
		return invalid("max_tokens: Field required")
	}
	if violations := core.Check(profile, r.turns()); len(violations) > 0 {
		v := violations[0]
		return invalid("%s (%s)", cmp.Or(words[r.API][v.Rule], v.Rule), v)
	}
	if r.API == Messages {
		if fault := s.thought(r); fault != nil {
			return fault
		}
	} else if fault := contents(r.History); fault != nil {
		return fault
	}
	if s.window > 0 && r.Tokens+r.MaxTokens > s.window {
		return s.tooLong(r)
	}
	return nil
}

// turns returns the history as the provider sees it: Anthropic joins assistant messages that
// are neighbours.
func (r *Request) turns() []core.Message {
	if r.API != Messages {
		return r.History
	}
	joined := slices.Clone(r.History)
	for i := 1; i < len(joined); i++ {
		if a, b := &joined[i-1], &joined[i]; a.Role == core.RoleAssistant && b.Role == core.RoleAssistant {
			a.Reply = cmp.Or(a.Reply, -int32(i)) // a number that no other has
			b.Reply = a.Reply
		}
	}
	return joined
}

// contents judges what messages of OpenAI's must have: a content, which may be an empty text,
// and the id of the call that they answer.
func contents(history []core.Message) *refusal {
	for i := range history {
		switch m := &history[i]; {
		case len(m.Parts) == 0:
			return invalid("Invalid value for 'messages[%d].content': expected a string or a list that is not empty, got null.", i)
		case m.Role == core.RoleTool && m.Parts[0].CallID == "":
			return invalid("Missing parameter 'tool_call_id': messages[%d] with role 'tool' must have a 'tool_call_id'.", i)
		}
	}
	return nil
}

// tooLong is the refusal for length, in the provider's words.
func (s *Server) tooLong(r *Request) *refusal {
	if r.API == Messages && r.Tokens > s.window {
		return invalid("prompt is too long: %d tokens > %d maximum", r.Tokens, s.window)
	}
	if r.API == Messages {
		return invalid("input length and `max_tokens` exceed context limit: %d + %d > %d, decrease input length or `max_tokens` and try again",
			r.Tokens, r.MaxTokens, s.window)
	}
	f := invalid("This model's maximum context length is %d tokens. However, you requested %d tokens (%d in the messages, %d in the completion). Please reduce the length of the messages or completion.",
		s.window, r.Tokens+r.MaxTokens, r.Tokens, r.MaxTokens)
	f.code = "context_length_exceeded"
	return f
}
