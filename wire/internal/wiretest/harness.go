// Package wiretest is the contract of a format of package wire as a test suite, which each
// format passes. It is for tests only, and knows formats by what a [Harness] says of them.
//
//	var suite = wiretest.Harness[*openai.Conversation]{Name: "openai", Parse: openai.Parse, ...}
//
//	func TestFormat(t *testing.T) { suite.Run(t) }
//	func FuzzParse(f *testing.F)  { suite.FuzzParse(f) }
//
// What only one format has stays in that format's tests, which may use the tables here
// ([Harness.Reads], [Harness.Writes], [Harness.ViewErrors], [Harness.SyntaxErrors]).
package wiretest

import (
	"math/rand/v2"
	"testing"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
)

// Conversation is a conversation of any format.
type Conversation interface {
	wire.Conversation
	Shape() wire.Shape
}

// Harness is what the suite has to know of a format. The fields without "optional" are all
// needed.
type Harness[C Conversation] struct {
	Name    string // as its errors say it
	Profile *core.Profile
	Parse   func(data []byte, opts ...wire.ParseOption) (C, error)
	Encode  func(history []core.Message, r *core.Request) ([]byte, error)

	List    string                  // the member of a request that has the messages
	Prompt  func(raw string) string // optional: a member of a request that is a system message
	Plain   [3]string               // a user's message, a reply, and one more of the user's, with spaces and members of no meaning
	Dialect Dialect
	Lines   []string                    // documents of a message a line: all that the format knows
	Extra   []string                    // optional: more documents, of any shape
	Random  func(rng *rand.Rand) string // optional: a document at random; else one of what is in Lines

	Stable bool // Encode writes what it wrote once more as the same bytes
	Bound  bool // reasoning is a message of its own, which leaves with its whole reply only

	// Flat returns what Encode keeps of a history, in a form that can be compared.
	Flat func(history []core.Message) any
	// Settle clears in a message what depends on its neighbours, and reports whether the
	// message is read again; optional.
	Settle func(m *core.Message) bool
	// Fixed reports whether a part of a message has to stay, or the messages would be read in
	// another order; optional.
	Fixed func(m *core.Message, part int) bool
	// Beside returns what a conversation tells beside messages and request, which no edit
	// changes; optional.
	Beside func(c C) any

	// Trim makes a trimmer for so many of the tokens that Tokens counts.
	Trim   func(window int) (core.Transformer, error)
	Tokens func(history []core.Message, r *core.Request) int

	Session func(exchanges int) []byte // a coding session: a call and its result of Code for each exchange
	Allocs  float64                    // that Parse may make for an exchange of such a session
}

// Run runs the suite: a subtest for each rule, and one for each kind of fault.
func (h *Harness[C]) Run(t *testing.T) {
	t.Helper()
	for _, r := range h.rules() {
		t.Run(r.name, func(t *testing.T) { fail(t, r.check()) })
	}
	h.faults(t)
}

// rule is one sentence of the contract. Its check says how it is broken.
type rule struct {
	name  string
	check func() error
}

func (h *Harness[C]) rules() []rule {
	return []rule{
		{"input beyond a limit is a typed error", h.checkLimits},
		{"a document of any shape is read, and comes back byte for byte", h.checkShapes},
		{"a conversation shares no memory with what was read or written", h.checkCopies},
		{"broken input is a typed error that says where", func() error { return h.syntaxErrors(h.brokenDocuments()) }},
		{"an edit leaves every other byte", func() error { return h.writes(h.commonWrites()) }},
		{"a view of another conversation is a typed error that says where", func() error { return h.viewErrors(h.plainDocument(), h.foreignViews()) }},
		{"what is written says what the view says, and breaks no new rule", h.checkDocuments},
		{"hostile input takes linear time", func() error { return h.hostile(h.hostileDocuments()) }},
		{"a longer session takes no more for each exchange", h.checkGrowth},
		{"media are not copied more than they must be", h.checkMediaMemory},
		{"a conversation is safe for concurrent use", h.checkConcurrentUse},
	}
}

// Read parses a document that is fine, and checks that it comes back byte for byte.
func (h *Harness[C]) Read(t testing.TB, doc string) C {
	t.Helper()
	c, err := h.read(doc)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Write writes a view that is fine.
func (h *Harness[C]) Write(t testing.TB, c C, view []core.Message) string {
	t.Helper()
	out, err := c.Write(view)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// EqualBytes compares documents byte for byte, not as JSON.
func EqualBytes(t testing.TB, want, got string) {
	t.Helper()
	if want != got {
		t.Errorf("expected %q, found %q", want, got)
	}
}

// fail fails the test with the error, if there is one.
func fail(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
