package adaptertest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/trimkit/trimkit/core"
)

// block is a content block of an assistant message of Anthropic's, as far as reasoning goes.
type block struct{ Type, ID, Thinking, Signature string }

// replies returns the blocks of the assistant messages of a request's body, neighbours joined,
// by the index of the first.
func replies(body []byte) (list []reasoned) {
	var r struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if json.Unmarshal(body, &r) != nil {
		return nil
	}
	for i, m := range r.Messages {
		if m.Role != "assistant" {
			continue
		}
		var blocks []block
		if json.Unmarshal(m.Content, &blocks) != nil {
			blocks = nil // a string
		}
		if i > 0 && r.Messages[i-1].Role == m.Role {
			last := &list[len(list)-1]
			last.blocks = append(last.blocks, blocks...)
			continue
		}
		list = append(list, reasoned{i, blocks})
	}
	return list
}

// reasoned is a reply in a request.
type reasoned struct {
	index  int
	blocks []block
}

// thought judges the signed reasoning of a request: it is what was signed, and the last reply
// has what its calls were made with.
func (s *Server) thought(r *Request) *refusal {
	all := replies(r.Body)
	for at, reply := range all {
		has := make(map[string]bool)
		for _, b := range reply.blocks {
			if b.Type != "thinking" {
				continue
			}
			if b.Signature == "" {
				return invalid("messages.%d: thinking.signature: Field required", reply.index)
			}
			has[b.Signature] = true
			signs, known := s.signatures[b.Signature]
			if !known {
				s.signatures[b.Signature] = b.Thinking // another server's: it must not change from now on
			} else if signs != b.Thinking {
				return invalid("messages.%d: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.", reply.index)
			}
		}
		if at < len(all)-1 {
			continue
		}
		for _, b := range reply.blocks {
			if signature := s.reasons[b.ID]; b.Type == "tool_use" && signature != "" && !has[signature] {
				return invalid("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `%s`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.", reply.index, reply.blocks[0].Type)
			}
		}
	}
	return nil
}

// sign returns the signature of reasoning, and notes what was signed and for which calls.
func (s *Server) sign(reasoning string, calls []core.Part) (signature string) {
	if reasoning != "" {
		sum := sha256.Sum256([]byte("signed: " + reasoning))
		signature = hex.EncodeToString(sum[:16])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if signature != "" {
		s.signatures[signature] = reasoning
	}
	for _, c := range calls {
		s.reasons[c.CallID] = signature // none, if the id comes again
	}
	return signature
}
