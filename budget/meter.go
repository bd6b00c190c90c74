package budget

import "github.com/trimkit/trimkit/core"

// Meter counts everything in a conversation that costs tokens: texts, arguments of calls,
// names, reasoning, images, tool schemas, and what frames them. It is the [core.Sizer]
// of this package.
//
// It asks its [Counter] once for each distinct text and remembers the count, within a
// bound; counting what it remembers allocates nothing. Two goroutines that meet a new text
// at the same moment may both count it. A Meter keeps copies of texts but nothing of who
// sent them; it is safe for concurrent use, and one Meter can serve every conversation of a
// program.
//
// Exact are the counts of texts and, for OpenAI's chat models, the frame of messages
// without tools. How calls, results and schemas are rendered no provider says: [Overhead]
// has what was measured or published. Media that are no images, and encrypted reasoning,
// are estimates by size.
type Meter struct {
	counter  Counter
	overhead Overhead
	media    MediaCost
	memo     memo
}

// Overhead has the tokens that frame what is sent, as data: another provider is another
// value.
type Overhead struct {
	Message int // a message, without its role
	Role    int // the role
	Name    int // an author's name, beside its text
	Reply   int // what primes the reply, once in a request
	Call    int // a tool call, beside the tool's name and the arguments
	Result  int // a tool result, beside the tool's name and the content
	Tools   int // tool definitions, once if there are any
	Tool    int // a tool definition, beside its JSON
	Doc     int // a document that stands beside the messages
}

// OpenAIOverhead returns what OpenAI's chat models take. Messages, names, the reply and
// tools are as in its cookbook. Calls and results are as in harmony, the published format of
// gpt-oss: a call names its recipient and its format, a result its author and the
// recipient. A schema's JSON has a little more tokens than the form that the model reads.
// A document is taken as a message.
func OpenAIOverhead() Overhead {
	return Overhead{Message: 3, Role: 1, Name: 1, Reply: 3, Call: 9, Result: 7, Tools: 12, Tool: 7, Doc: 4}
}

// MeterOption configures a [Meter].
type MeterOption func(*Meter)

// WithOverhead sets what frames messages. The default is [OpenAIOverhead].
func WithOverhead(o Overhead) MeterOption { return func(m *Meter) { m.overhead = o } }

// WithMedia sets what media cost. The default is what [ModelInfo.Media] says if the counter is
// a [*Model], and else [OpenAIMedia]. For a counter of another kind, [LookupMedia] knows what
// the model takes.
func WithMedia(c MediaCost) MeterOption { return func(m *Meter) { m.media = c } }

// WithMemory bounds what a Meter remembers to twice so many bytes, texts and bookkeeping
// together; the default is 64 MiB. A text that does not fit is counted whenever it is met,
// so 0 and less mean to remember nothing.
func WithMemory(bytes int) MeterOption { return func(m *Meter) { m.memo.limit = bytes } }

// NewMeter returns a Meter that counts texts with c, which must not be nil.
func NewMeter(c Counter, opts ...MeterOption) *Meter {
	m := &Meter{counter: c, overhead: OpenAIOverhead(), media: OpenAIMedia(), memo: memo{limit: 64 << 20}}
	if model, ok := c.(*Model); ok && model != nil {
		m.media = model.Media()
	}
	for _, o := range opts {
		o(m)
	}
	return m
}

// Count returns the tokens of a text. It makes a Meter a [Counter] that remembers.
func (m *Meter) Count(text string) int {
	if text == "" {
		return 0
	}
	tokens, ok := m.memo.get(text)
	if !ok {
		tokens = m.counter.Count(text)
		m.memo.add(text, tokens)
	}
	return tokens
}

// Part returns the tokens of a part.
func (m *Meter) Part(p *core.Part) int {
	tokens := 0
	switch p.Kind {
	case core.KindReasoning:
		if encrypted(p.Text) {
			return sealedTokens(len(p.Text))
		}
	case core.KindToolCall:
		tokens = m.overhead.Call + m.Count(p.Tool)
	case core.KindToolResult:
		tokens = m.overhead.Result + m.Count(p.Tool)
	case core.KindMedia:
		if p.Media == nil {
			return m.unknownMedia(p.Text)
		}
	case core.KindOpaque:
		if p.Media == nil {
			text, media, _ := m.opaque(p.Text)
			return text + media
		}
	case core.KindText:
	}
	if p.Media != nil {
		text, _, _ := m.opaque(p.Text) // the data, if it is here too, is sent once
		return tokens + m.media.Tokens(p.Media) + text
	}
	return tokens + m.Count(p.Text)
}

// Message returns the tokens of a message: what frames it, and the sum of its parts.
func (m *Meter) Message(msg *core.Message) int {
	tokens := m.overhead.Message + m.overhead.Role
	if msg.Name != "" {
		tokens += m.overhead.Name + m.Count(msg.Name)
	}
	for i := range msg.Parts {
		tokens += m.Part(&msg.Parts[i])
	}
	return tokens
}

// History returns the tokens of messages, without what a request adds.
func (m *Meter) History(history []core.Message) int {
	tokens := 0
	for i := range history {
		tokens += m.Message(&history[i])
	}
	return tokens
}

// Request returns the tokens of what is sent beside the messages: tool definitions,
// documents, and what primes the reply. The reserve for the reply is not among them.
func (m *Meter) Request(r *core.Request) int {
	tokens := m.overhead.Reply
	if r == nil {
		return tokens
	}
	if len(r.Schemas) > 0 {
		tokens += m.overhead.Tools
	}
	for _, schema := range r.Schemas {
		tokens += m.overhead.Tool + m.Count(schema)
	}
	for _, doc := range r.Docs {
		tokens += m.overhead.Doc + m.Count(doc)
	}
	return tokens
}

// AsSent returns the tokens of a whole request: messages and what is beside them.
func (m *Meter) AsSent(history []core.Message, r *core.Request) int {
	return m.History(history) + m.Request(r)
}
