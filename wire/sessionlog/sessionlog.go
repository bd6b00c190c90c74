// Package sessionlog reads the logs that coding agents keep of their sessions. They can be
// read only: an agent's log is not a request, and what a session becomes is written in a
// provider's format (packages openai, anthropic, responses, gemini).
//
// [Parse] tells by the content whose log it is. A [Log] is the conversation as the model
// would get it next: along the newest branch, after the last compaction, without what the
// agent wrote down for itself or its user. What is left out is counted, see [Log.Skipped].
// Nothing is invented: no text is put around what the log has, and no result is made up for
// a call that has none.
//
// The items of a log are those of the provider that the agent talks to, and become what the
// provider's package makes of them; see there. Src is 1 + the index of a message among those
// that the provider would get, so that the two messages of one, and only these, share it.
//
// # Agents
//
//   - claude-code: the JSONL of a session, and what the program prints as stream-json. The
//     records from the newest leaf up its parentUuid chain are the conversation; without any
//     parentUuid, it is all of them. The records that one answer of the model was cut into
//     (they share message.id and requestId) are one message again, also where results of
//     some of its calls stand between them, and its parallel calls' results, which branch
//     off the chain, come back to it. A compaction ends the chain; messages that it
//     preserved come back, too. Records of subagents are left out, unless there are no
//     others. Those that the interface hides (isMeta) are not: the model reads them, and a
//     skill or a command's whole prompt is one. What the user said while a tool ran, and
//     what a command of the interface printed, are user messages; other attachments, whose
//     words are not in the log, are left out.
//   - codex: rollout JSONL, also the older kind without envelopes. The base instructions are
//     the system message. A compaction takes the place of what is before it; one without a
//     replacement history leaves the messages that are the user's and adds its summary. A
//     rollback takes back turns. A result's Status is the exit code or the success that the
//     log has of its call.
//   - pi: session JSONL. The branch that ends at the last entry is the conversation; a
//     compaction is its summary and the entries that it kept. Commands that the user ran
//     are user messages with the command and its output as parts, summaries user messages.
//   - swe-agent: trajectories. The conversation is the history, demonstrations included; a
//     trajectory without one is its first query, and each step's response and observation.
//   - mini-swe-agent: trajectories of both message formats. The exit record is left out; a
//     result's return code gives its Status.
//   - gemini-cli: session records as JSON or JSONL, and checkpoints. A message has its
//     thoughts, what it says, and its calls; their results are the message behind it. Status
//     is the call's: cancelled is Denied, and a call that was not done is open, or Pending if
//     it has a result. Rewinds and updates are carried out.
//
// Meta has the record's id and time.
package sessionlog

import (
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/records"
)

// Log is a session as an agent logged it. It is immutable, and safe for concurrent use.
type Log struct {
	agent    string
	messages []core.Message
	request  core.Request
	skipped  []Omission
	format   string
	native   wire.Conversation
}

// Omission is something that a log has and its messages have not.
type Omission struct {
	Reason string // such as "sidechain": no content
	Count  int    // of records, or of messages
}

// Agent returns the name of the agent whose log it is, one of [Agents].
func (l *Log) Agent() string { return l.agent }

// Messages returns the history: always the same slice, which is not to be changed.
func (l *Log) Messages() []core.Message { return l.messages }

// Request returns what the log says of the request beside its messages: Conversation is the
// id of the session. It is always the same pointer, never nil, and not to be changed.
func (l *Log) Request() *core.Request { return &l.request }

// Skipped returns what was left out, the most frequent first. It belongs to the log.
func (l *Log) Skipped() []Omission { return l.skipped }

// Native returns the session as a conversation in the format of the provider that the agent
// talks to, and the name of that format. It can be written, as an array of messages, with
// all that the log has of them; signatures, for example, which a history does not hold. Its
// messages are those of the log without Meta, with the Status that they tell themselves, and
// with the empty ones. There is none (c is nil) of pi's sessions, which have a form of their
// own whatever the provider, and of a log without messages.
func (l *Log) Native() (format string, c wire.Conversation) { return l.format, l.native }

// Agents returns the names of the agents whose logs can be read.
func Agents() []string {
	names := make([]string, len(agents))
	for i := range agents {
		names[i] = agents[i].name
	}
	return names
}

// Parse reads the log of whichever agent it is. It takes time and memory linear in data and
// does not keep data. Lines that are no JSON objects, as an agent leaves them that was
// stopped while writing, are left out and counted. Every error is a [*wire.SyntaxError]:
// nothing can be read, it is no log of these agents, or a message in it is of a wrong form;
// Message is then the index of the record. Or it is a [*wire.LimitError], if data is beyond
// the limits of opts.
func Parse(data []byte, opts ...wire.ParseOption) (*Log, error) {
	if err := wire.CheckLimits(packageName, data, opts...); err != nil {
		return nil, err
	}
	r, err := records.Read(packageName, data, 0)
	if err != nil {
		return nil, err
	}
	a, _ := detect(r)
	if a == nil {
		return nil, r.Error(packageName, 0, -1, "the log of "+strings.Join(Agents(), ", "), "none of these",
			"conversations that are no logs have formats of their own")
	}
	return a.parse(r)
}

// ParseAs reads the log of the agent of that name, whatever it looks like. See [Parse]. A
// name that is none of [Agents] is an error of type [UnknownAgentError].
func ParseAs(agent string, data []byte, opts ...wire.ParseOption) (*Log, error) {
	i := slices.IndexFunc(agents, func(a agentFormat) bool { return a.name == agent })
	if i < 0 {
		return nil, UnknownAgentError(agent)
	}
	if err := wire.CheckLimits(agent, data, opts...); err != nil {
		return nil, err
	}
	r, err := records.Read(agent, data, 0)
	if err != nil {
		return nil, err
	}
	return agents[i].parse(r)
}

// UnknownAgentError is the name of an agent whose logs cannot be read.
type UnknownAgentError string

// Error gives the name, and those that are known.
func (e UnknownAgentError) Error() string {
	return packageName + `: no agent "` + string(e) + `"; there are ` + strings.Join(Agents(), ", ")
}

const packageName = "sessionlog"
