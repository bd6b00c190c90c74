package langchainkit

import (
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"

	"github.com/trimkit/trimkit/core"
)

// Policies is a transformer together with the policies of the framework's messages, which
// have no metadata that could say them. It goes where a shape takes a transformer, and serves
// all of them: each asks the function for its own kind of message.
//
//	pinned := langchainkit.Policies{Transformer: kit, Content: func(i int, _ llms.MessageContent) core.Policy {
//		if i == 1 {
//			return core.Locked
//		}
//		return core.PolicyDefault
//	}}
//	llm := langchainkit.WrapModel(inner, pinned)
//
// i is the index of the message, or of the step. [core.PolicyDefault] leaves it to role and
// position, and so does a function that is nil. The functions must be pure and safe for
// concurrent use.
type Policies struct {
	core.Transformer

	Content func(i int, m llms.MessageContent) core.Policy // for [WrapModel]
	Message func(i int, m llms.ChatMessage) core.Policy    // for [WrapHistory], [WrapMemory], [NewMemory]
	Step    func(i int, s schema.AgentStep) core.Policy    // for [WrapAgent]
}

// parted returns the transformer itself and the policies that it came with.
func parted(t core.Transformer) (core.Transformer, Policies) {
	switch p := t.(type) {
	case Policies:
		return p.Transformer, p
	case *Policies:
		return p.Transformer, *p
	default:
		return t, Policies{}
	}
}

// mark sets the policies of a history, by the native values that it was made of.
func mark[M any](history []core.Message, native []M, policy func(int, M) core.Policy) {
	if policy == nil {
		return
	}
	for i := range history {
		m := &history[i]
		if p := policy(int(m.Src)-1, native[m.Src-1]); p != core.PolicyDefault && m.Policy != core.Locked {
			m.Policy = p
		}
	}
}
