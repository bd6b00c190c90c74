// Package trimkit keeps an LLM conversation inside its token budget. [New] is the
// recommended assembly; three lines are enough for a program without a framework:
//
//	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o"})
//	// before every model call:
//	view, err := kit.Transform(ctx, history)
//
// The history is the program's own and stays whole; the view is what to send. Package core
// has the types, package budget the limits, package wire reads and writes conversations in
// the providers' formats, and adapters put a kit in front of every model call of a
// framework.
package trimkit

import (
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
)

// Config says what to assemble. Only Model is needed, or Window and Counter for a model
// that the table of package budget does not have.
type Config struct {
	Model   string         // such as "gpt-4o"; chooses counter and window
	Window  int            // tokens; 0: the model's context window
	Reserve int            // tokens kept free for the reply; 0: an eighth of the window, at most 16,384, or what the model keeps for it
	Counter budget.Counter // nil: the model's
	Profile *core.Profile  // the provider whose rules hold; nil: [core.OpenAI]
	Steps   []core.Editor  // what to try, in order, before the oldest messages go
}

const mostReserve = 16_384 // tokens; the longest reply of the models with the common window of 128k

// New assembles what a Config asks for. Its errors are [*budget.UnknownModelError], if
// the model is not known and its window and counter are not given, and
// [*budget.LimitsError].
func New(c Config) (*budget.Trim, error) {
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
	if c.Profile == nil {
		c.Profile = core.OpenAI
	}
	limits := budget.Limits{Window: c.Window, Reserve: c.Reserve}
	return budget.NewTrim(budget.NewMeter(c.Counter), limits, budget.WithProfile(c.Profile), budget.WithSteps(c.Steps...))
}
