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

// The profiles. The rules are those that the providers' documentation and error messages
// state; where a service is lenient in practice the stricter reading is taken.
var (
	// OpenAI is the chat completions API.
	OpenAI = &Profile{Name: "openai", Answered: true, Adjacent: true}

	// Responses is OpenAI's Responses API: outputs may stand anywhere behind their calls.
	Responses = &Profile{Name: "responses", Answered: true, UniqueIDs: true, Conclusion: true}

	// Anthropic is the messages API. It joins neighbours of one role by itself.
	Anthropic = &Profile{
		Name: "anthropic", SystemFirst: true, UserFirst: true, Answered: true, Adjacent: true,
		UniqueIDs: true, OneResult: true, NotEmpty: true, ObjectArgs: true, Conclusion: true,
	}

	// Gemini is generateContent: a function call comes right behind a user turn or a
	// function response.
	Gemini = &Profile{
		Name: "gemini", SystemFirst: true, UserFirst: true, Answered: true, Adjacent: true,
		NotEmpty: true, ObjectArgs: true,
		Never: []Neighbours{{ClassReply, ClassCalls}},
	}

	// Bedrock is the Converse API: user and assistant alternate.
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
