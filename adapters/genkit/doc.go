// Package genkitkit puts a [core.Transformer] in front of every model call of Genkit, those
// inside its loop of tool calls included:
//
//	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o"})
//	g := genkit.Init(ctx, genkit.WithPlugins(genkitkit.Plugin(&openai.OpenAI{}, kit)))
//
// Make a shape once and use it for all calls: it learns from each what the provider counted.
//
// # Shapes
//
// [Plugin] decorates a plugin, and with it every model that the plugin has or resolves, under
// its own name. Generate, prompts, .prompt files, flows and the developer UI go through it
// without a change. Not through it go models that the program defines itself, also with the
// plugin's own DefineModel, and background models, which have no conversation.
//
// [DefineModel] registers a model under a new name. What asks for that name goes through it,
// and what asks for the old one does not.
//
// [Middleware] goes through [ai.WithMiddleware] to one call of Generate, or of a prompt's
// Execute. It is the cheapest, since a model that is wrapped is an action around an action,
// and Genkit traces and validates each. It is also easily missed: Genkit drops the middleware
// that is given to DefinePrompt, with no more than a warning in the log, and .prompt files and
// the developer UI have none. Give it last, behind what adds to messages.
//
// All three run before every turn of the tool loop, streaming or not, and return errors. An
// [*budget.OverBudgetError] is found by errors.As through what Genkit wraps around it, save
// that a tool which calls a model itself hands on the error's text alone.
//
// # What becomes what
//
// Texts, reasoning, media, requests and responses of tools are what they are called. Outputs
// and inputs that are not strings are counted as the JSON that Genkit's plugins send, which is
// made once for each and remembered as long as the program has the value; it must not be
// changed in place. An output that is removed or shortened keeps its JSON kind: an object
// becomes one with the text under "result", a list becomes a list of it. Custom parts,
// resources and data are opaque. Genkit's results do not say how a call went.
//
// Requests and responses are paired by their Ref, and without one by name and order. No Ref
// is changed.
//
// Tool schemas, Docs and an output schema that the model gets natively are counted beside the
// messages, and the configuration's bound of the reply is kept free.
//
// A message with a cache marker, [ai.Message.WithCacheTTL], pins everything up to it, since
// the provider refuses a cache whose prefix has changed. Metadata of a message can pin it or
// say more, see [Pin] and the keys of package adapters.
//
// # What stays with Genkit
//
// Everything: the request, its messages and their contents are copied for each call, because
// Genkit's own steps between middleware and model write into them, and the response gets the
// request as it was, so that History is complete. Parts are shared and never written to.
package genkitkit
