package coretest

import (
	"context"
	"errors"

	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
)

// Subject is what [Run] judges. Only Name and New are needed.
type Subject struct {
	Name string

	// New makes the Transformer for one case, with as much of the case as it has use for.
	// It is called several times for a case, and what it returns must do the same.
	New func(Case) core.Transformer

	// Sizer counts tokens here; nil: [Counter].
	Sizer core.Sizer

	// Profiles are those of which a case has one: law 13. Without any, the view must
	// still be free of what every provider refuses, such as a result without its call.
	Profiles []*core.Profile

	// Bounded says that the view must fit Case.Limit, or an error come with it: law 12.
	Bounded bool

	// Quiet says that a history that needs no edit is returned without an allocation: law
	// 8. A test with a Quiet subject must not run in parallel with others.
	Quiet bool

	// Explain returns the edits that what New makes for the case makes of a history: law 9.
	Explain func(ctx context.Context, c Case, history []core.Message) ([]core.Edit, error)

	// Collections returns how often what New makes for the case has collected in a
	// conversation up to the end of a history: law 7.
	Collections func(ctx context.Context, c Case, history []core.Message) (int, error)

	// Except names laws that the subject does not promise, each with the reason.
	Except map[int]string
}

// Case is a history and what goes with it.
type Case struct {
	History []core.Message // read only
	Limit   int            // tokens: a share of what the history has, from a tenth to a third more than all
	Profile *core.Profile  // one of the subject's, or nil where it has none
	Seed    uint64         // for a subject that makes choices
}

// Option configures [Run].
type Option func(*options)

type options struct {
	cases     int
	seed      int
	floor     float64
	histories *rapid.Generator[[]core.Message]
}

// Cases sets how many histories are judged. The default is 300.
func Cases(n int) Option { return func(o *options) { o.cases = n } }

// Seed sets the seed of the first case; the next has the next one. The default is 1, so
// that the same test judges the same histories each time.
func Seed(n int) Option { return func(o *options) { o.seed = n } }

// Floor sets the share of the cases in which the subject must edit for the suite to mean
// something. The default is 0.4; a subject that never edits needs 0.
func Floor(share float64) Option { return func(o *options) { o.floor = share } }

// From sets where histories come from. The default is three of [Histories] and one of
// [Malformed].
func From(histories *rapid.Generator[[]core.Message]) Option {
	return func(o *options) { o.histories = histories }
}

// newOptions applies opts to the defaults.
func newOptions(opts []Option) options {
	well, ill := Histories(Config{}), Malformed(Config{})
	o := options{cases: 300, seed: 1, floor: 0.4, histories: rapid.Custom(func(t *rapid.T) []core.Message {
		if (dice{t}).once(4) {
			return ill.Draw(t, "")
		}
		return well.Draw(t, "")
	})}
	for _, set := range opts {
		set(&o)
	}
	return o
}

func (s *Subject) validate() error {
	if s.Name == "" || s.New == nil {
		return errors.New("coretest: a Subject needs Name and New")
	}
	return nil
}

func (s *Subject) sizer() core.Sizer {
	if s.Sizer == nil {
		return Counter
	}
	return s.Sizer
}

// tokens returns what messages cost.
func (s *Subject) tokens(messages []core.Message) int {
	n := 0
	for i := range messages {
		n += s.sizer().Message(&messages[i])
	}
	return n
}

// cases generates what the subject is judged on.
func (s *Subject) cases(o options) *rapid.Generator[Case] {
	return rapid.Custom(func(t *rapid.T) Case {
		d := dice{t}
		c := Case{History: o.histories.Draw(t, "")}
		c.Limit = max(1, s.tokens(c.History)*(2+d.below(25))/20)
		if len(s.Profiles) > 0 {
			c.Profile = s.Profiles[d.below(len(s.Profiles))]
		}
		c.Seed = d.word()
		return c
	})
}
