// Package einokit puts a [core.Transformer] in front of every model call of Eino:
//
//	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o"})
//	model := einokit.WrapModel(inner, kit)
//	agent, err := react.NewAgent(ctx, &react.AgentConfig{ToolCallingModel: model, ...})
//
// # Shapes
//
// [WrapModel] is the one that guarantees every call. Agents, multi-agents, chains and graphs
// that got the wrapped model go through it at each turn, with tools and reply counted, and
// nothing that it removes is lost: they keep their messages. Not through it go calls of the
// model that was wrapped, and models that a sub-agent got elsewhere. Anything that WithTools
// binds before the wrapping is not seen; bind through the wrapped model, as agents do.
//
// The other shapes see the messages before a call and nothing else of it:
//
//   - [AgentMiddleware], for one agent of package adk, keeps the view in place of the history
//   - [MessageModifier], for the ReAct agent, cannot fail a call
//   - [StatePreHandler], for one model node of a graph
//   - [Lambda], a node of its own
//
// They do not count tools unless the program says what those are, see [Schemas], and do not
// try again when the provider refuses a view. Without the schemas a view can be as much too
// long as they are.
//
// Callbacks are no shape: a handler can neither shorten the list of messages nor fail a call.
//
// # What becomes what
//
// A message of the framework is one message. Its content, each piece of multi-content, its
// reasoning and each of its calls is a part of its own; images, sound, video and files are
// media, in tool messages media of the result. Pieces of unknown types are opaque. The
// framework does not say how a tool call went.
//
// Messages that nothing was edited in are sent as they are, by the same pointer. The others
// are copied, with all that was not edited, and no message of the caller's is ever written to.
// Reasoning that a client keeps with a signature is never edited.
//
// # Marks
//
// Extra of a message can pin it or say more, see [Pin] and the keys of package adapters.
// Values are strings, which the framework's checkpoints can hold. Messages that an edit added
// say in Extra that they were, and so are not taken for the user's where views are kept.
//
// # Versions
//
// Eino 0.7.36 itself needs a version of github.com/bytedance/sonic that does not build with
// Go 1.26; this module requires one that does.
//
// One agent of package adk is not safe for several goroutines at once, with or without this
// package: Eino compiles its graph anew for each run.
package einokit
