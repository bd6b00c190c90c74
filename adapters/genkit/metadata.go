package genkitkit

import (
	"github.com/firebase/genkit/go/ai"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// Pin returns a copy of a message that is never edited and never goes.
func Pin(m *ai.Message) *ai.Message { return WithPolicy(m, core.Locked) }

// WithPolicy returns a copy of a message with a policy.
func WithPolicy(m *ai.Message, p core.Policy) *ai.Message {
	return marked(m, adapters.PolicyKey, p.String())
}

// WithLabel returns a copy of a message with a label, which is found in [core.Meta].
func WithLabel(m *ai.Message, key, value string) *ai.Message {
	return marked(m, adapters.LabelPrefix+key, value)
}

func marked(m *ai.Message, key, value string) *ai.Message {
	copied := *m
	copied.Metadata = adapters.WithMark(m.Metadata, key, value)
	return &copied
}

// cached returns the index of the last message with a cache marker, or -1.
func cached(messages []*ai.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m != nil && m.Metadata["cache"] != nil {
			return i
		}
	}
	return -1
}

// signed reports whether a provider's signature covers a part.
func signed(p *ai.Part) bool {
	switch s := p.Metadata["signature"].(type) {
	case []byte:
		return len(s) > 0
	case string: // what is left of one after a round trip through JSON
		return s != ""
	default:
		return false
	}
}
