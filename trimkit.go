// Package trimkit keeps an LLM conversation inside its token budget. [New] is the
// recommended assembly; three lines are enough for a program without a framework:
//
//	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o"})
//	// before every model call:
//	view, err := kit.Transform(ctx, history)
//
// The history is the program's own and stays whole; the view is what to send. It grows with
// the history until the window fills up, then much of what is worth least goes at once, so
// that a provider's prompt cache serves most calls; see [budget.Enforcer]. Package core
// has the types, package budget the limits, package wire reads and writes conversations in
// the providers' formats, and adapters put a kit in front of every model call of a
// framework.
package trimkit

import (
	"cmp"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// Config says what to assemble. Only Model is needed, or Window and Counter for a model
// that the table of package budget does not have.
type Config struct {
	Model   string         // such as "gpt-4o"; chooses counter and window
	Window  int            // tokens; 0: the model's context window
	Reserve int            // tokens kept free for the reply; 0: an eighth of the window, at most 16,384, or what the model keeps for it
	Counter budget.Counter // nil: the model's
	Profile *core.Profile  // the provider whose rules hold; nil: [core.OpenAI]

	Marks  budget.Marks // when it collects, and how far; the zero value has the defaults
	Ladder string       // what it tries, see [Ladder]; empty: [DefaultLadder]
	Tools  *diffs.Tools // who knows which tools touch which files; nil: [diffs.DefaultTools]

	Summaries Summaries // who sums up, for the ladders "summarize" and "hybrid"
	Notice    bool      // views say how much was removed, see [budget.WithNotice]

	Options []budget.EnforcerOption // everything else: policies, reports, a ladder of one's own
}

const mostReserve = 16_384 // tokens; the longest reply of the models with the common window of 128k

// New assembles what a Config asks for. Its errors are [*budget.UnknownModelError], if
// the model is not known and its window and counter are not given, [*LadderError],
// [*summary.ConfigError] and [*budget.LimitsError].
func New(c Config) (*budget.Enforcer, error) {
	input := c.Window
	if c.Counter == nil || c.Window == 0 {
		model, err := budget.ForModel(c.Model)
		if err != nil {
			return nil, err
		}
		if c.Counter == nil {
			c.Counter = model
		}
		if c.Window == 0 {
			c.Window, input = model.Window, model.Input
		}
	}
	if c.Reserve == 0 {
		c.Reserve = max(min(c.Window/8, mostReserve), c.Window-input)
	}
	ladder, err := Ladder(cmp.Or(c.Ladder, DefaultLadder), c.Tools, c.Summaries)
	if err != nil {
		return nil, err
	}
	opts := []budget.EnforcerOption{
		budget.WithEnforcerProfile(cmp.Or(c.Profile, core.OpenAI)), budget.WithMarks(c.Marks), budget.WithLadder(ladder),
	}
	if c.Notice {
		opts = append(opts, budget.WithNotice())
	}
	return budget.NewEnforcer(budget.NewMeter(c.Counter), budget.Limits{Window: c.Window, Reserve: c.Reserve}, append(opts, c.Options...)...)
}
