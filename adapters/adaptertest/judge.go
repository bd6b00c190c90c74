package adaptertest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	message string
}

func invalid(format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, "invalid_request_error", fmt.Sprintf(format, args...)}
}

func (f *refusal) write(w http.ResponseWriter, api API) {
	body := map[string]any{"error": map[string]any{"type": f.kind, "message": f.message, "param": nil, "code": nil}}
	if api == Messages {
		body = map[string]any{"type": "error", "error": map[string]any{"type": f.kind, "message": f.message}}
	}
	writeJSON(w, f.status, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may have gone
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
		return invalid("%s", violations[0])
	}
	for i := range r.History {
		if fault := s.signed(r, i); fault != nil {
			return fault
		}
		if m := &r.History[i]; m.Role == core.RoleTool && r.API == ChatCompletions && m.Parts[0].CallID == "" {
			return invalid("messages[%d].tool_call_id: required", i)
		}
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

// tooLong is the refusal for length, in the provider's words.
func (s *Server) tooLong(r *Request) *refusal {
	if r.API == Messages && r.Tokens > s.window {
		return invalid("prompt is too long: %d tokens > %d maximum", r.Tokens, s.window)
	}
	if r.API == Messages {
		return invalid("input length and `max_tokens` exceed context limit: %d + %d > %d, decrease input length or `max_tokens` and try again",
			r.Tokens, r.MaxTokens, s.window)
	}
	return invalid("This model's maximum context length is %d tokens. However, you requested %d tokens (%d in the messages, %d in the completion). Please reduce the length of the messages or completion.",
		s.window, r.Tokens+r.MaxTokens, r.Tokens, r.MaxTokens)
}

// signed judges the signed reasoning of a message: it must be what was signed.
func (s *Server) signed(r *Request, msg int) *refusal {
	if r.API != Messages {
		return nil
	}
	for _, b := range thinking(r.Body, int(r.History[msg].Src)-1) {
		signs, known := s.signatures[b.Signature]
		if !known {
			s.signatures[b.Signature] = b.Thinking // another server's: it must not change from now on
		} else if signs != b.Thinking {
			return invalid("messages.%d: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified", msg)
		}
	}
	return nil
}

type thinkingBlock struct{ Type, Thinking, Signature string }

// thinking returns the signed blocks of a message; src is its index where the system prompt
// counts as the first.
func thinking(body []byte, src int) (blocks []thinkingBlock) {
	var r struct {
		System   any
		Messages []struct{ Content json.RawMessage }
	}
	if json.Unmarshal(body, &r) != nil {
		return nil
	}
	if r.System != nil && r.System != "" {
		src--
	}
	if src < 0 || src >= len(r.Messages) {
		return nil
	}
	var all []thinkingBlock
	if json.Unmarshal(r.Messages[src].Content, &all) != nil {
		return nil // a string
	}
	for _, b := range all {
		if b.Type == "thinking" && b.Signature != "" {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// sign returns the signature of reasoning.
func (s *Server) sign(reasoning string) string {
	if reasoning == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("signed: " + reasoning))
	signature := hex.EncodeToString(sum[:16])
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signatures[signature] = reasoning
	return signature
}
