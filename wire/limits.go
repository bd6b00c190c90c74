package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// Limits bounds what is read, for input that nobody vouches for. A field that is 0 is the
// default, a negative one no limit.
//
// What the limits are for is memory: a conversation takes about three times the bytes of its
// text, and about 80 bytes for each of its values. Time is linear in any case.
type Limits struct {
	// MaxBytes is how long the input may be. The default is 512 MiB.
	MaxBytes int64

	// MaxDepth is how deep arrays and objects may be nested. The default is the 10,000 of
	// encoding/json, beyond which nothing is JSON, so that there the error is a
	// [*SyntaxError]; more than that is of no effect.
	MaxDepth int

	// MaxValues is how many JSON values there may be in all: members of objects, elements of
	// arrays, lines. Messages and their parts are among them; a message of a tool loop has
	// 5 to 20. The default is 10 million.
	MaxValues int
}

// Unlimited is no limit but those of memory and of encoding/json.
var Unlimited = Limits{MaxBytes: -1, MaxDepth: -1, MaxValues: -1}

// The defaults of [Limits].
const (
	DefaultMaxBytes  = 512 << 20
	DefaultMaxValues = 10_000_000
)

// maxDepth is what encoding/json allows.
const maxDepth = 10_000

// ParseOption says how a conversation is to be read.
type ParseOption func(*parsing)

type parsing struct{ limits Limits }

// WithLimits bounds what is read. Without it the defaults of [Limits] hold.
func WithLimits(l Limits) ParseOption { return func(p *parsing) { p.limits = l } }

// LimitError is input beyond one of the [Limits]. Nothing was read of it.
type LimitError struct {
	Format string // the package that would read it
	Limit  string // the field of Limits, such as "MaxBytes"
	Max    int64
	Found  int64 // MaxBytes: the bytes there are, as far as they are known; else what goes beyond
	Line   int   // where the limit is passed, as in [SyntaxError]
	Offset int64
}

// Error says where, what was expected, what was found, and what to do.
func (e *LimitError) Error() string {
	what := map[string]string{"MaxBytes": "bytes", "MaxDepth": "levels of nesting", "MaxValues": "values"}[e.Limit]
	return fmt.Sprintf("%s: parse: line %d, byte %d: expected at most %d %s, found %d; raise %s of the limits if the input is to be trusted",
		e.Format, e.Line, e.Offset, e.Max, what, e.Found, e.Limit)
}

// CheckLimits returns a [*LimitError] of that format if data is beyond what the options say.
// Every Parse calls it first; whoever reads data from a stream asks [Limits.Bytes] how far.
//
// It looks at each byte of data once, and at none where data is too short to hold too many
// values and MaxDepth is not set. Data need not be JSON: of lines that are none, and in logs
// are skipped, depth is that of a line.
func CheckLimits(format string, data []byte, opts ...ParseOption) error {
	var p parsing
	for _, o := range opts {
		o(&p)
	}
	l := p.limits
	if longest := l.Bytes(); int64(len(data)) > longest {
		return limitError(format, "MaxBytes", data, int(longest), longest, int64(len(data)))
	}
	s := scan{data: data, most: bound(int64(l.MaxValues), DefaultMaxValues), deepest: bound(int64(l.MaxDepth), maxDepth)}
	s.deepens = s.deepest < maxDepth
	if !s.deepens && int64(len(data))/2 < s.most { // a value takes a byte, and a comma
		return nil
	}
	switch at, limit := s.run(); limit {
	case "MaxDepth":
		return limitError(format, limit, data, at, s.deepest, s.deepest+1)
	case "MaxValues":
		return limitError(format, limit, data, at, s.most, s.most+1)
	default:
		return nil
	}
}

// Bytes returns MaxBytes, or what it stands for.
func (l Limits) Bytes() int64 { return bound(l.MaxBytes, DefaultMaxBytes) }

func bound(limit, standard int64) int64 {
	switch {
	case limit < 0:
		return math.MaxInt64
	case limit == 0:
		return standard
	default:
		return limit
	}
}

func limitError(format, limit string, data []byte, at int, most, found int64) *LimitError {
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	return &LimitError{Format: format, Limit: limit, Max: most, Found: found, Line: line, Offset: int64(at)}
}

// scan counts the values of a text, and how deep they are nested, without taking it for JSON.
type scan struct {
	data    []byte
	most    int64 // values
	deepest int64
	deepens bool // depth is of interest

	values, depth int64
	line          int  // where the current one begins
	lines         bool // the text is lines, not all of which are JSON
}

// run returns where the text is beyond which limit; "": it is not.
func (s *scan) run() (at int, limit string) {
	fresh := true // the next value is the first of its container, or of the text
	for i := 0; i < len(s.data); i++ {
		switch c := s.data[i]; c {
		case ' ', '\t', '\r', ':':
			continue
		case '\n':
			s.line = i + 1
			if s.lines {
				s.depth = 0
			}
			fresh = fresh || s.depth == 0
			continue
		case ']', '}':
			s.depth = max(s.depth-1, 0)
			fresh = false
			continue
		case ',':
			fresh = true
			continue
		case '"':
			s.count(&fresh)
			i = s.str(i)
		case '[', '{':
			s.count(&fresh)
			fresh = true
			if s.depth++; s.deepens && s.depth > s.deepest && s.nested(i) {
				return i, "MaxDepth"
			}
		default:
			s.count(&fresh)
		}
		if s.values > s.most {
			return i, "MaxValues"
		}
	}
	return 0, ""
}

// count counts a value where one begins.
func (s *scan) count(fresh *bool) {
	if *fresh {
		s.values++
		*fresh = false
	}
}

// str returns the last byte of the string at i. One that goes over the end of a line is no
// JSON: the line was cut off, and the next is another's.
func (s *scan) str(i int) int {
	for from := i + 1; ; {
		n := bytes.IndexByte(s.data[from:], '"')
		if n < 0 {
			n = len(s.data) - from
		}
		if end := bytes.IndexByte(s.data[from:from+n], '\n'); end >= 0 {
			s.lines = true
			return from + end - 1 // the caller comes to the end of the line next
		}
		quote := from + n
		escapes := 0
		for escapes < n && s.data[quote-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 || quote == len(s.data) {
			return quote
		}
		from = quote + 1
	}
}

// nested reports whether the depth at i is real. In a text that is one value it is. In lines
// it may be made of several that were cut off, of which only the last counts.
func (s *scan) nested(i int) bool {
	if !s.lines && json.Valid(s.data) {
		return true
	}
	s.lines = true
	alone := scan{data: s.data[s.line : i+1], most: math.MaxInt64, deepest: math.MaxInt64, lines: true}
	alone.run()
	s.depth = alone.depth
	return s.depth > s.deepest
}
