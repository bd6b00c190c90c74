// Package langchainkit puts a [core.Transformer] in front of the model calls of LangChainGo:
//
//	llm := langchainkit.WrapModel(inner, kit) // inner: *openai.LLM, *anthropic.LLM, any llms.Model
//
// The program's messages, its stores and its slices are never written to, and what was not
// edited is passed on as the very value that it was.
//
// # Which shape
//
// [WrapModel] trims every call that reaches the model as messages: a program's own loop, and
// every turn of an agent for function calls, streaming or not. It sees the tools, the bound
// of the reply and what the provider counted, and tries once more if the provider refuses a
// request as too long. Chains, and the agents whose scratchpad is text, send one message with
// everything in it; of that nothing can go, so a wrapped model only refuses it when it is too
// large. Such programs need, beside or instead of it:
//
//   - [NewMemory], the memory of a chain: what of it fits is decided before each call, with
//     the question counted
//   - [WrapHistory], a view of a store, for memory.ConversationBuffer and nothing else
//   - [WrapMemory], for a memory that returns messages and not a text
//   - [WrapAgent], for agents.OneShotZeroAgent and agents.ConversationalAgent: it trims the
//     steps before they become text, at every iteration
//
// A memory is read once in an agent's run and knows nothing of the iterations; what grows
// there is only trimmed by WrapAgent or WrapModel. The text of prompt templates is known to
// no shape but WrapModel: leave room for it, or name it in [core.Request.Docs]. Calls that do
// not go through what was wrapped are not trimmed: those of the inner model itself, such as
// its embeddings, and callbacks see what is sent and cannot change it.
//
// # Pins
//
// LangChainGo's messages have no metadata. [Policies] says by index and message which are
// pinned. Everything up to the last llms.CachedContent with a cache control is pinned by
// itself, since a provider's cache serves an unchanged prefix only; a marker on the newest
// message therefore pins the whole conversation.
package langchainkit
