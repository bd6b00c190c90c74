package sessionlog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/internal/rawjson"
	"github.com/trimkit/trimkit/wire/internal/records"
)

// draft is the conversation of a log while it is put together: a list of messages in the
// format of the provider that the agent talks to, and where in the log each is from.
type draft struct {
	*records.Records
	agent   string
	session string
	skipped map[string]int

	json    []byte
	origins []origin
	format  string            // the provider's
	native  wire.Conversation // what the draft was read as
}

// origin is where a message of a draft is from.
type origin struct {
	record int // its index
	start  int // its offset
	id     string
	time   time.Time
}

// parse reads the log that r is as one of the agent.
func (a *agentFormat) parse(r *records.Records) (*Log, error) {
	d := &draft{Records: r, agent: a.name, skipped: map[string]int{}}
	d.skip("not a JSON object", r.Broken)
	messages, err := a.read(d)
	if err != nil {
		return nil, err
	}
	l := &Log{
		agent: a.name, messages: messages, request: core.Request{Conversation: d.session},
		format: d.format, native: d.native,
	}
	for reason, n := range d.skipped {
		l.skipped = append(l.skipped, Omission{reason, n})
	}
	slices.SortFunc(l.skipped, func(a, b Omission) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Reason, b.Reason))
	})
	return l, nil
}

// skip counts what is left out.
func (d *draft) skip(reason string, n int) {
	if n > 0 {
		d.skipped[reason] += n
	}
}

// skipType counts a record of a type that is no message.
func (d *draft) skipType(kind string) {
	const longest = 40 // a reason goes into reports, and must not bring content there
	for _, r := range kind {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != '.' {
			kind = ""
			break
		}
	}
	if kind == "" || len(kind) > longest {
		d.skip("unknown type", 1)
		return
	}
	d.skip("type "+kind, 1)
}

// add appends a message, the pieces of whose JSON these are.
func (d *draft) add(from origin, pieces ...string) {
	separator := byte(',')
	if len(d.origins) == 0 {
		separator = '['
	}
	d.json = append(d.json, separator)
	for _, piece := range pieces {
		d.json = append(d.json, piece...)
	}
	d.origins = append(d.origins, from)
}

// finish reads the draft with the provider's package. What says nothing is left out: it
// came from a reply that was cut off, and no provider would take it. The limits were for the
// log: what is made of it has none.
func finish[C wire.Conversation](d *draft, format string, parse func([]byte, ...wire.ParseOption) (C, error)) ([]core.Message, error) {
	if len(d.origins) == 0 {
		return nil, nil
	}
	c, err := parse(d.document(), wire.WithLimits(wire.Unlimited))
	var bad *wire.SyntaxError
	if errors.As(err, &bad) { // which names places in the draft
		from := origin{record: -1}
		if bad.Message >= 0 {
			from = d.origins[bad.Message]
		}
		return nil, d.Error(d.agent, from.start, from.record, bad.Expected, bad.Found, bad.Hint)
	}
	if err != nil {
		return nil, err
	}
	d.format, d.native = format, c
	messages := make([]core.Message, 0, len(c.Messages()))
	for _, m := range c.Messages() {
		if len(m.Parts) == 0 {
			d.skip("empty message", 1)
			continue
		}
		if m.Role == core.RoleTool {
			m.Parts = slices.Clone(m.Parts) // which settle may change
		}
		m.Meta = d.origins[m.Src-1].meta()
		messages = append(messages, m)
	}
	return messages, nil
}

// document returns the draft. The spaces of a log that is one indented value are the
// logger's, and not the model's that wrote the arguments of a call.
func (d *draft) document() []byte {
	document := append(d.json, ']')
	if d.Shape == wire.ShapeLines {
		return document
	}
	var compact bytes.Buffer
	compact.Grow(len(document))
	if err := json.Compact(&compact, document); err != nil {
		return document
	}
	return compact.Bytes()
}

func (o origin) meta() *core.Meta {
	if o.id == "" && o.time.IsZero() {
		return nil
	}
	return &core.Meta{ID: o.id, Time: o.time}
}

// time returns the time that a string or, in seconds, a number is; zero if it is none.
func (d *draft) time(at rawjson.Span) time.Time {
	switch d.Kind(at) {
	case rawjson.String:
		t, err := time.Parse(time.RFC3339Nano, d.Str(at))
		if err != nil {
			return time.Time{}
		}
		return t
	case rawjson.Number:
		seconds, err := time.ParseDuration(at.Of(d.Text) + "s")
		if err != nil {
			return time.Time{}
		}
		return time.Unix(0, int64(seconds)).UTC()
	default:
		return time.Time{}
	}
}

// single returns the members of a text that is one object, and counts the objects of one
// that is not, but for the first.
func (d *draft) single() map[string]rawjson.Span {
	if len(d.Items) == 0 {
		return nil
	}
	d.skip("more than one object", len(d.Items)-1)
	return d.Fields(d.Items[0])
}

// is reports whether the value at a span is true.
func (d *draft) is(at rawjson.Span) bool {
	return d.Kind(at) == rawjson.Bool && at.Of(d.Text) == "true"
}

// succeeded returns the status of a result that says whether it worked, if it is a boolean,
// or with what exit code, if it is a number.
func succeeded(text string, at rawjson.Span) core.Status {
	var ok bool
	switch rawjson.TypeOf(text, at) {
	case rawjson.Bool:
		ok = at.Of(text) == "true"
	case rawjson.Number:
		code, err := strconv.ParseFloat(at.Of(text), 64)
		ok = err == nil && code == 0
	default:
		return core.StatusUnknown
	}
	if ok {
		return core.StatusOK
	}
	return core.StatusFailed
}

// settle gives the results of a tool message the status, where it is known.
func settle(m *core.Message, status func(callID string) core.Status) {
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == core.KindToolResult && p.CallID != "" {
			if s := status(p.CallID); s != core.StatusUnknown {
				p.Status = s
			}
		}
	}
}
