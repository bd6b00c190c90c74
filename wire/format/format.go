// Package format knows every format that a conversation may come in, finds out which one it
// is, and reads it: the providers' requests, which can be written again, and the logs of
// agents, which cannot.
//
//	h, err := format.Parse(data, format.Auto)
//	...
//	if c, ok := h.(wire.Conversation); ok {
//		out, err := c.Write(view)
//	}
//
// [Encode] writes a history in any of the formats, whatever it was read from, and
// [EncodeLossy] does so in spite of what that format cannot hold.
//
// A program that knows what it has should use that format's own package.
package format

import (
	"strconv"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/anthropic"
	"github.com/trimkit/trimkit/wire/gemini"
	"github.com/trimkit/trimkit/wire/openai"
	"github.com/trimkit/trimkit/wire/responses"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

// History is what was read: a [wire.Conversation], or a [*sessionlog.Log].
type History interface {
	// Messages returns the history. See [wire.Conversation].
	Messages() []core.Message

	// Request returns what the model reads beside the messages. See [wire.Conversation].
	Request() *core.Request
}

// Format is a way to write a conversation down.
type Format struct {
	Name        string // such as "openai"
	Description string // one line for a help text
	Writes      bool   // what is read is a [wire.Conversation]

	parse  func(data []byte, opts ...wire.ParseOption) (History, error)
	encode func(history []core.Message, r *core.Request) ([]byte, error)
}

// Parse reads a conversation in the format. Errors are of type [*wire.SyntaxError], or
// [*wire.LimitError].
func (f Format) Parse(data []byte, opts ...wire.ParseOption) (History, error) {
	return f.parse(data, opts...)
}

// Auto stands for the format that [Detect] finds.
const Auto = "auto"

// formats is in the order in which help texts list them.
var formats = []Format{
	conversation("openai", "OpenAI's chat completions, and what has its messages", openai.Parse, openai.Encode),
	conversation("anthropic", "Anthropic's messages", anthropic.Parse, anthropic.Encode),
	conversation("responses", "OpenAI's Responses", responses.Parse, responses.Encode),
	conversation("gemini", "Google's generateContent", gemini.Parse, gemini.Encode),
	log("claude-code", "sessions of Claude Code, and its stream-json"),
	log("codex", "rollouts of Codex"),
	log("pi", "sessions of pi"),
	log("swe-agent", "trajectories of SWE-agent"),
	log("mini-swe-agent", "trajectories of mini-swe-agent"),
	log("gemini-cli", "sessions and checkpoints of Gemini CLI"),
}

func conversation[C wire.Conversation](name, description string, parse func([]byte, ...wire.ParseOption) (C, error), encode func([]core.Message, *core.Request) ([]byte, error)) Format {
	return Format{name, description, true, func(data []byte, opts ...wire.ParseOption) (History, error) {
		c, err := parse(data, opts...)
		if err != nil {
			return nil, err
		}
		return c, nil
	}, encode}
}

func log(agent, description string) Format {
	return Format{agent, description, false, func(data []byte, opts ...wire.ParseOption) (History, error) {
		l, err := sessionlog.ParseAs(agent, data, opts...)
		if err != nil {
			return nil, err
		}
		return l, nil
	}, nil}
}

// All returns the formats, those that can be written first. The slice is the caller's.
func All() []Format { return append([]Format(nil), formats...) }

// ByName returns the format of that name; ok is false if there is none.
func ByName(name string) (f Format, ok bool) {
	for _, f := range formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Parse reads a conversation in the format of that name; [Auto] and "" are the one that
// [Detect] finds. A name that is no format's is an [UnknownError]; every other error is a
// [*wire.SyntaxError], or a [*wire.LimitError].
func Parse(data []byte, name string, opts ...wire.ParseOption) (History, error) {
	f, ok := ByName(name)
	switch {
	case name == Auto || name == "":
		var err error
		if f, _, err = Detect(data, opts...); err != nil {
			return nil, err
		}
		return f.parse(data, wire.WithLimits(wire.Unlimited)) // Detect has kept them
	case !ok:
		return nil, UnknownError(name)
	}
	return f.parse(data, opts...)
}

// UnknownError is a name that no format has.
type UnknownError string

// Error gives the name, and those that there are.
func (e UnknownError) Error() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return "format: no format " + strconv.Quote(string(e)) + "; there are " + strings.Join(names, ", ")
}
