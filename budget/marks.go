package budget

import (
	"fmt"

	"github.com/trimkit/trimkit/core"
)

// Marks say when an [Enforcer] collects, and how far. Shares are percents of what is usable:
// the window less the reserve and everything beside the messages. The zero value has the
// defaults.
type Marks struct {
	Mode     Mode
	Trigger  int // share above which it collects; 0: 80
	Target   int // share down to which it collects; 0: 60
	Pressure int // share above which user text may go, last of all; 0: 90
	MinGain  int // share that a collection must free to be worth a new prefix; 0: 5
	Margin   int // share by which the hard limit stays below what is usable

	TailTurns int // newest turns that are left alone as long as that is possible; 0: 5
	TailShare int // share that these have at most; 0: 25, -1: there is no such tail

	MaxTurns int // turns that a view may have; 0: any number
	Cooldown int // messages between two collections that nothing forces

	MaxBytes      int // bytes of texts and media that a view may have; 0: any number
	MaxMediaBytes int // bytes of media that a view may have; 0: any number
}

// Mode says when an [Enforcer] collects by itself.
type Mode uint8

// The modes. Each keeps the hard limit. Manual does it for the one call that would not fit, and
// for each one anew: it decides nothing that lasts.
const (
	Automatic  Mode = iota // whenever the trigger is crossed
	Continuous             // whenever a turn ends above the target; user text never goes
	Manual                 // only by [Enforcer.Collect]
)

// or returns the marks with defaults in the place of zeros.
func (m Marks) or() Marks {
	for _, d := range []struct {
		mark  *int
		value int
	}{{&m.Trigger, 80}, {&m.Target, 60}, {&m.Pressure, 90}, {&m.MinGain, 5}, {&m.TailTurns, 5}, {&m.TailShare, 25}} {
		if *d.mark == 0 {
			*d.mark = d.value
		}
	}
	return m
}

// faults lists everything that is wrong with marks that have their defaults.
func (m Marks) faults() (faults []LimitsFault) {
	check := func(ok bool, field string, found int, want, do string) {
		if !ok {
			faults = append(faults, LimitsFault{field, found, want, do})
		}
	}
	check(m.Trigger > 0 && m.Trigger < 100-m.Margin, "Trigger", m.Trigger, fmt.Sprintf("must be above 0 and below %d percent", 100-m.Margin), "80 is the default")
	check(m.Target > 0 && m.Target < m.Trigger, "Target", m.Target, fmt.Sprintf("must be above 0 and below the Trigger of %d", m.Trigger), "lower it, or raise the Trigger")
	check(m.Pressure > 0 && m.Pressure <= 100, "Pressure", m.Pressure, "must be 1 to 100 percent", "90 is the default; for no pressure at all choose the mode Continuous")
	check(m.MinGain > 0 && m.MinGain <= 100, "MinGain", m.MinGain, "must be 1 to 100 percent", "5 is the default")
	check(m.Margin >= 0 && m.Margin < 100, "Margin", m.Margin, "must be 0 to 99 percent", "leave it out for none")
	check(m.TailTurns > 0, "TailTurns", m.TailTurns, "must be above 0", "for no tail set TailShare to -1")
	check(m.TailShare >= -1 && m.TailShare <= 100, "TailShare", m.TailShare, "must be -1 to 100 percent", "-1 is no tail")
	for _, n := range []struct {
		field string
		found int
	}{{"MaxTurns", m.MaxTurns}, {"Cooldown", m.Cooldown}, {"MaxBytes", m.MaxBytes}, {"MaxMediaBytes", m.MaxMediaBytes}} {
		check(n.found >= 0, n.field, n.found, "must not be negative", "leave it out for no limit")
	}
	check(m.Mode <= Manual, "Mode", int(m.Mode), "is unknown", "choose Automatic, Continuous or Manual")
	return faults
}

// Step is what decisions depend on beside history and configuration, in large steps, so that
// small changes of it change nothing.
type Step struct {
	Overhead    int // what stands beside the messages, in sixteenths of the window, rounded up
	Reserve     int // tokens kept for the reply
	Calibration int // how much more the provider counts: index into 1, 1.25, 1.5, 2
}

// calibrations are how much more tokens a provider counts than the meter, in percent.
var calibrations = [...]int{100, 125, 150, 200}

// tolerance is what a provider may count more without a new step, in percent.
const tolerance = 5

// calibrationFor returns the step for a provider that counted used where the meter counted
// sent.
func calibrationFor(used, sent int) int {
	for i, percent := range calibrations {
		if used*100 <= sent*(percent+tolerance) {
			return i
		}
	}
	return len(calibrations) - 1
}

// step returns the step of a request, without its calibration.
func (e *Enforcer) step(r *core.Request) Step {
	s := Step{Reserve: e.limits.Reserve}
	sixteenth := max(e.limits.Window/16, 1)
	if r.Reserve > 0 {
		s.Reserve = min((r.Reserve+sixteenth-1)/sixteenth*sixteenth, max(r.Reserve, e.limits.Window-1))
	}
	s.Overhead = (e.meter.Request(r) + sixteenth - 1) / sixteenth
	return s
}

// levels are the marks of a step, in the meter's tokens of messages.
type levels struct {
	usable, hard, trigger, target, pressure, gain, tail int
	fixed                                               int // the rest of the window
}

func (e *Enforcer) levels(s Step) levels {
	usable := (e.limits.Window - s.Reserve - s.Overhead*max(e.limits.Window/16, 1)) * 100 / calibrations[s.Calibration]
	share := func(percent int) int { return usable * percent / 100 }
	return levels{
		usable: usable, hard: share(100 - e.marks.Margin), trigger: share(e.marks.Trigger), target: share(e.marks.Target),
		pressure: share(e.marks.Pressure), gain: max(share(e.marks.MinGain), 1), tail: share(e.marks.TailShare),
		fixed: e.limits.Window - usable,
	}
}
