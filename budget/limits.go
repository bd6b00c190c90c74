package budget

import (
	"fmt"
	"strings"
)

// Limits says how many tokens there are.
type Limits struct {
	Window  int // the model's context window: everything sent, and the reply
	Reserve int // kept free for the reply
}

// Usable returns the tokens that a request may have: the window less the reserve.
func (l Limits) Usable() int { return l.Window - l.Reserve }

// Validate returns nil, or a [*LimitsError] that lists everything wrong.
func (l Limits) Validate() error {
	if faults := l.faults(); faults != nil {
		return &LimitsError{faults}
	}
	return nil
}

func (l Limits) faults() (faults []LimitsFault) {
	if l.Window <= 0 {
		faults = append(faults, LimitsFault{"Window", l.Window, "must be above 0", "set it to the model's context window in tokens, see LookupModel"})
	}
	if l.Reserve < 0 {
		faults = append(faults, LimitsFault{"Reserve", l.Reserve, "must not be negative", "set it to the longest reply in tokens, or to 0"})
	}
	if l.Window > 0 && l.Reserve >= l.Window {
		faults = append(faults, LimitsFault{"Reserve", l.Reserve, fmt.Sprintf("must be below the window of %d", l.Window), "lower it, or choose a model with a larger window"})
	}
	return faults
}

// LimitsError lists everything that is wrong with [Limits] and [Marks].
type LimitsError struct {
	Faults []LimitsFault
}

// LimitsFault is one thing that is wrong: which field, what it holds, what was
// expected, and what to do.
type LimitsFault struct {
	Field string
	Found int
	Want  string
	Do    string
}

// Error lists the faults.
func (e *LimitsError) Error() string {
	var b strings.Builder
	b.WriteString("budget: limits")
	for i, f := range e.Faults {
		separator := ": "
		if i > 0 {
			separator = "; "
		}
		fmt.Fprintf(&b, "%s%s is %d, %s (%s)", separator, f.Field, f.Found, f.Want, f.Do)
	}
	return b.String()
}
