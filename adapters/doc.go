// Package adapters is what adapters have in common: a [Caller] makes one model call of a
// framework, with a [core.Transformer] in front of it, and [Restore] turns a view back into
// the framework's own messages. Whoever uses a framework needs its adapter, which is a
// module of its own, and of this package the options:
//
//	model := einokit.WrapModel(inner, kit, adapters.SendAnyway())
//
// A call goes one way: the framework's messages become a history, the transformer makes the
// view, and the view becomes the framework's messages, which are the same values as before
// wherever nothing was edited. The framework keeps the full history.
//
// What stands beside the messages goes along as the [core.Request] of the context. Programs
// put one there to say what an adapter cannot know, such as the conversation's key; the
// adapter adds the rest: tool schemas, the reply's bound, and the tokens that the provider
// counted.
package adapters
