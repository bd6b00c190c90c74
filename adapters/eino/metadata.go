package einokit

import (
	"github.com/cloudwego/eino/schema"

	"github.com/trimkit/trimkit/adapters"
	"github.com/trimkit/trimkit/core"
)

// Pin returns a copy of a message that is never edited and never goes.
func Pin(m *schema.Message) *schema.Message { return WithPolicy(m, core.Locked) }

// WithPolicy returns a copy of a message with a policy. It is a string in Extra, as all that
// this package puts there: the framework's checkpoints can hold no types but their own.
func WithPolicy(m *schema.Message, p core.Policy) *schema.Message {
	return marked(m, adapters.PolicyKey, p.String())
}

// WithLabel returns a copy of a message with a label, which is found in [core.Meta].
func WithLabel(m *schema.Message, key, value string) *schema.Message {
	return marked(m, adapters.LabelPrefix+key, value)
}

func marked(m *schema.Message, key, value string) *schema.Message {
	out := *m
	out.Extra = adapters.WithMark(m.Extra, key, value)
	return &out
}
