package core

import "slices"

// Profile is what a provider accepts, as data. [Check] reports what breaks it, and the
// neighbour rules keep [Apply] from bringing together what must not stand together.
type Profile struct {
	Name string

	SystemFirst bool // system messages stand before all others
	UserFirst   bool // the first message after them is a user's
	Answered    bool // every call has a result
	Adjacent    bool // the results of a reply stand right behind it
	UniqueIDs   bool // no two calls share an id
	OneResult   bool // a call has one result, of one or more blocks in one message
	NotEmpty    bool // no message without content, but for the last when it is the assistant's
	ObjectArgs  bool // call arguments are a JSON object
	Conclusion  bool // reasoning is followed by what it led to, in the same reply

	Never []Neighbours // pairs that must not follow each other; system messages do not count
}

// Neighbours is a pair of classes, one right behind the other.
type Neighbours struct{ Before, After Class }

// Class is what turn-taking rules tell apart.
type Class uint8

// The classes. A system message, or one of unknown role, has none.
const (
	ClassNone    Class = iota
	ClassUser          // a user message
	ClassReply         // an assistant message without calls
	ClassCalls         // an assistant message with calls
	ClassResults       // a tool message
)

// ClassOf returns the class of a message.
func ClassOf(m *Message) Class {
	switch m.Role {
	case RoleUser:
		return ClassUser
	case RoleTool:
		return ClassResults
	case RoleAssistant:
		for i := range m.Parts {
			if m.Parts[i].Kind == KindToolCall {
				return ClassCalls
			}
		}
		return ClassReply
	default:
		return ClassNone
	}
}

// forbids reports whether b must not stand right behind a. A nil profile forbids nothing.
func (p *Profile) forbids(a, b Class) bool {
	return p != nil && slices.Contains(p.Never, Neighbours{a, b})
}

// The profiles. A rule stands here because a provider's documentation says it, or an error
// (status 400) that the provider answers with and users report; both are named beside it.
// Derived is what follows from another rule, or from another API in front of the same
// models. Where a service is lenient in practice, or one model is and another is not, the
// stricter reading is taken, unless the text says otherwise. The errors were found as others
// report them, from 2024 to 2026, and not by asking the services.
var (
	// OpenAI is the chat completions API.
	//
	//   - Answered, Adjacent: "An assistant message with 'tool_calls' must be followed by
	//     tool messages responding to each 'tool_call_id'", and "messages with role 'tool'
	//     must be a response to a preceding message with 'tool_calls'".
	//   - No error is known that refuses system messages anywhere, any first role, neighbours
	//     of one role, or arguments that are no JSON ("Create chat completion": the model does
	//     not always generate valid JSON).
	OpenAI = &Profile{Name: "openai", Answered: true, Adjacent: true}

	// Responses is OpenAI's Responses API: outputs may stand anywhere behind their calls.
	//
	//   - Answered: "No tool output found for function call"; the other way around, "No tool
	//     call found for function call output with call_id".
	//   - UniqueIDs: "Duplicate item found with id", which is about the ids of items; that
	//     call_ids are unique is derived, since outputs are matched by nothing else.
	//   - Conclusion: "Item of type 'reasoning' was provided without its required following
	//     item".
	Responses = &Profile{Name: "responses", Answered: true, UniqueIDs: true, Conclusion: true}

	// Anthropic is the messages API. It joins neighbours of one role by itself ("Messages":
	// consecutive user or assistant turns are combined), so Never is empty.
	//
	//   - SystemFirst: "role 'system' is not supported on this model". Claude Opus 4.8 and
	//     some models after it take system messages between others, but not on every cloud,
	//     and only right behind a user's turn (or a tool that the provider runs) and before a
	//     reply or at the end ("Mid-conversation system messages"). A profile does not know
	//     the model, so it has the rule of the rest: such a message stays and is no new
	//     violation, but its neighbours may leave.
	//   - UserFirst: "first message must use the "user" role".
	//   - Answered, Adjacent: "`tool_use` ids were found without `tool_result` blocks
	//     immediately after", "unexpected `tool_use_id` found in `tool_result` blocks". In
	//     the message behind a reply results come before all else ("Handle tool calls"):
	//     here they are a message of their own, before the user's.
	//   - UniqueIDs: "`tool_use` ids must be unique".
	//   - OneResult: "each tool_use must have a single result. Found multiple `tool_result`
	//     blocks with id".
	//   - NotEmpty: "all messages must have non-empty content except for the optional final
	//     assistant message", "text content blocks must contain non-whitespace text".
	//   - ObjectArgs: "tool_use.input: Input should be a valid dictionary".
	//   - Conclusion: "The final block in an assistant message cannot be `thinking`". That
	//     thinking stays as it came ("`thinking` blocks in the latest assistant message
	//     cannot be modified") and with the calls behind it is law 5, not a rule of Check.
	Anthropic = &Profile{
		Name: "anthropic", SystemFirst: true, UserFirst: true, Answered: true, Adjacent: true,
		UniqueIDs: true, OneResult: true, NotEmpty: true, ObjectArgs: true, Conclusion: true,
	}

	// Gemini is generateContent.
	//
	//   - SystemFirst: the API's only place for one is systemInstruction; of a content,
	//     "Please use a valid role: user, model".
	//   - UserFirst, Never: "Please ensure that function call turn comes immediately after a
	//     user turn or after a function response turn". That texts alone begin with the
	//     user's is derived from "Please ensure that multiturn requests alternate between
	//     user and model". Two of one role are let pass all the same: reports of that
	//     error are mostly of the first models, and who writes the contents can join them.
	//   - Answered: "Please ensure that the number of function response parts is equal to the
	//     number of function call parts of the function call turn". OneResult would follow,
	//     were there not calls that go on, with a response for each state (willContinue in
	//     the reference of FunctionResponse).
	//   - Adjacent: "Please ensure that function response turn comes immediately after a
	//     function call turn".
	//   - NotEmpty: "contents.parts must not be empty", "must include at least one parts
	//     field".
	//   - ObjectArgs: args and response are a Struct (reference of FunctionCall).
	//   - No rule: "Function call is missing a thought_signature" is said from version 3 on,
	//     of the first call of each step of the current turn. A signature that a history has
	//     is never taken from its part; one that it has not, nobody can make.
	Gemini = &Profile{
		Name: "gemini", SystemFirst: true, UserFirst: true, Answered: true, Adjacent: true,
		NotEmpty: true, ObjectArgs: true,
		Never: []Neighbours{{ClassReply, ClassCalls}},
	}

	// Bedrock is the Converse API.
	//
	//   - SystemFirst: the API's only place for one is the member system (reference of
	//     Converse: a message's role is user or assistant).
	//   - UserFirst: "A conversation must start with a user message".
	//   - Never: "A conversation must alternate between user and assistant roles". Results
	//     are the user's: whoever writes them joins them with the message behind.
	//   - Answered, Adjacent: "Expected toolResult blocks at messages.2.content for the
	//     following Ids", "The number of toolResult blocks at messages.2.content exceeds the
	//     number of toolUse blocks of previous turn"; derived from the latter, OneResult.
	//   - NotEmpty: "The content field in the Message object at messages.1 is empty", "The
	//     text field in the ContentBlock object is blank".
	//   - UniqueIDs, ObjectArgs, Conclusion: derived from the rules of Anthropic, whose
	//     models it serves (toolUse.input is a document).
	Bedrock = &Profile{
		Name: "bedrock", SystemFirst: true, UserFirst: true, Answered: true, Adjacent: true,
		UniqueIDs: true, OneResult: true, NotEmpty: true, ObjectArgs: true, Conclusion: true,
		Never: []Neighbours{{ClassUser, ClassUser}, {ClassReply, ClassReply}, {ClassReply, ClassCalls}},
	}
)

// Profiles returns the built-in profiles, in the order in which help texts list them.
func Profiles() []*Profile { return []*Profile{OpenAI, Responses, Anthropic, Gemini, Bedrock} }

// ProfileByName returns the built-in profile of that name, or nil.
func ProfileByName(name string) *Profile {
	for _, p := range Profiles() {
		if p.Name == name {
			return p
		}
	}
	return nil
}
