package budget

import (
	"time"

	"github.com/trimkit/trimkit/core"
)

// Report says what became of a history. It holds no content but in View, and in Edits what
// shortens or is put in.
type Report struct {
	View         []core.Message
	Edits        []core.Edit // indexes are the history's
	Limit        int         // the window
	TokensBefore int         // of the window taken by the history, everything beside it, and the reserve
	TokensAfter  int         // the same for the view

	// What follows is of an [Enforcer]'s collections, which edit the view that there was;
	// TokensBefore is that view's.

	Trigger  Trigger
	Step     Step
	Strategy string  // the ladder's name
	Rungs    []Freed // what each of them freed, in their order
	Adopted  bool    // the view is used from here on
	Once     bool    // it is used for this call alone, which did not fit where nothing is decided
	Cause    string  // why nothing was done, or not enough
	Err      error   // rungs that broke down, each a [*core.StepError]; they were skipped
	Duration time.Duration
}

// Freed is what a rung freed, in tokens.
type Freed struct {
	Rung   string
	Tokens int
}

// Trigger says why a collection ran.
type Trigger string

// The triggers. All but the first are forced, and need not wait for anything.
const (
	TriggerMark      Trigger = "mark"       // the view crossed the trigger, or in continuous mode a turn ended above the target
	TriggerMissed    Trigger = "missed"     // the same, behind a collection that could not reach the target
	TriggerHardLimit Trigger = "hard limit" // the view did not fit
	TriggerTurns     Trigger = "turns"      // it had too many turns
	TriggerBytes     Trigger = "bytes"      // it was too large to send
	TriggerStep      Trigger = "step"       // what stands beside the messages, or the calibration, changed by a step
	TriggerManual    Trigger = "manual"     // Collect was called
)
