package format

import (
	"bytes"
	"errors"
	"slices"

	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/records"
	"github.com/trimkit/trimkit/wire/sessionlog"
)

const packageName = "format"

// Detect finds out by the content which format data has, and says in words what shows it.
//
// A log is recognised before the messages that it holds. Among the providers' formats, what
// only one of them has decides: a role, a member, a type of block; the first such thing in
// the order of the messages. Where there is none, it is something that one of them has more
// often than the others, and at last plain messages are openai's, which most services that
// have messages of their own understand.
//
// It takes time linear in data, and of JSONL reads no more than it needs. It fails with a
// [*wire.SyntaxError] if data is no JSON, or has no place for messages, and with a
// [*wire.LimitError] if it is beyond the limits of opts.
func Detect(data []byte, opts ...wire.ParseOption) (f Format, reason string, err error) {
	if err := wire.CheckLimits(packageName, data, opts...); err != nil {
		return Format{}, "", err
	}
	agent, reason := sessionlog.Detect(data)
	if f, ok := ByName(agent); ok && agent != contentLog {
		return f, reason, nil
	}
	const firstLook = 64 // records: nearly always enough
	e, err := gather(data, firstLook)
	if err == nil && e.decided == "" && len(e.Items) == firstLook {
		e, err = gather(data, 0)
	}
	switch {
	case err != nil:
		return Format{}, "", err
	case agent == contentLog && e.decided != "gemini":
		f, _ = ByName(agent)
		return f, reason, nil
	case e.messages == nil:
		return Format{}, "", e.Error(packageName, e.Whole.Start, -1, "a conversation, or the log of an agent",
			`an object without "messages", "contents" or "input"`, "pass the part of the file that holds the messages")
	}
	f, reason = e.verdict()
	return f, reason, nil
}

// gather looks at so many records; a limit of 0 is none.
func gather(data []byte, limit int) (*evidence, error) {
	r, err := records.Read(packageName, data, limit)
	var bad *wire.SyntaxError
	if errors.As(err, &bad) && len(bytes.TrimLeft(data, "\ufeff \t\r\n")) == 0 {
		bad.Hint = "write [] for a conversation without messages"
	}
	if err != nil {
		return nil, err
	}
	e := &evidence{Records: r}
	e.messages = e.list()
	e.look()
	return e, nil
}

// contentLog is the agent some of whose logs are conversations of a provider as they are,
// and can be written again.
const contentLog = "gemini-cli"

// evidence is what shows the format of a conversation.
type evidence struct {
	*records.Records
	messages         []rawjson.Span // nil: there is no place for any
	eligible         []string       // formats; nil: all
	decided, because string         // a format, and what only it has
	likely, since    string         // a format, and what it has more often than others
}

func (e *evidence) decide(format, because string) {
	if e.decided == "" && (e.eligible == nil || slices.Contains(e.eligible, format)) {
		e.decided, e.because = format, because
	}
}

func (e *evidence) suppose(format, since string) {
	if e.likely == "" && (e.eligible == nil || slices.Contains(e.eligible, format)) {
		e.likely, e.since = format, since
	}
}

func (e *evidence) verdict() (Format, string) {
	name, reason := "openai", "the messages are plain"
	switch {
	case e.decided != "":
		name, reason = e.decided, e.because
	case e.likely != "":
		name, reason = e.likely, e.since
	}
	f, _ := ByName(name)
	return f, reason
}

// list returns the messages. It looks at a request on the way.
func (e *evidence) list() []rawjson.Span {
	if e.Kind(e.Whole) != rawjson.Object {
		return append([]rawjson.Span{}, e.Items...)
	}
	members := e.Fields(e.Whole)
	var at rawjson.Span
	switch {
	case members["contents"] != rawjson.Span{}:
		e.decide("gemini", `it has "contents"`)
		at = members["contents"]
	case members["messages"] != rawjson.Span{}:
		e.eligible = []string{"openai", "anthropic"}
		e.request(members)
		at = members["messages"]
	case members["input"] != rawjson.Span{}:
		e.decide("responses", `it has "input"`)
		at = members["input"]
	case members["role"] != rawjson.Span{} || members["parts"] != rawjson.Span{} || members["type"] != rawjson.Span{}:
		return e.Items
	default:
		return nil
	}
	list := []rawjson.Span{}
	for item := range e.Elements(at) {
		list = append(list, item)
	}
	return list
}

// request looks at the members of a request that has messages.
func (e *evidence) request(members map[string]rawjson.Span) {
	if kind := e.Kind(members["system"]); kind == rawjson.String || kind == rawjson.Array {
		e.decide("anthropic", `it has "system"`)
	}
	if e.Kind(members["anthropic_version"]) == rawjson.String {
		e.decide("anthropic", `it has "anthropic_version"`)
	}
	for tool := range e.Elements(members["tools"]) {
		switch {
		case e.has(tool, "input_schema"):
			e.decide("anthropic", `a tool has "input_schema"`)
		case e.has(tool, "function"):
			e.decide("openai", `a tool has "function"`)
		}
	}
}

func (e *evidence) has(object rawjson.Span, name string) bool {
	return e.Get(object, name) != rawjson.Span{}
}
