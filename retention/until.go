package retention

import (
	"strconv"
	"strings"
	"time"
)

// Until says when a message is no longer retained. The zero value says nothing.
type Until struct {
	scope Scope
	turns int
	time  time.Time
}

// The ends that a program marks in the history.
var (
	EndOfTask    = Until{scope: TaskScope}
	EndOfSession = Until{scope: SessionScope}
)

// Turns retains a message for so many turns, at least 1, that of the message itself counted:
// with 1 until the next user message.
func Turns(n int) Until { return Until{turns: max(n, 1)} }

// Time retains a message until another one says that it was made at that time or later. The
// zero time says nothing.
func Time(t time.Time) Until { return Until{time: t.UTC().Round(0)} }

// ParseUntil reads what [Until.String] writes; ok is false for anything else.
func ParseUntil(text string) (u Until, ok bool) {
	switch Scope(text) {
	case "":
		return Until{}, true
	case TaskScope:
		return EndOfTask, true
	case SessionScope:
		return EndOfSession, true
	}
	if number, unit, found := strings.Cut(text, " "); found {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || unit != "turns" && unit != "turn" {
			return Until{}, false
		}
		return Turns(n), true
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.IsZero() {
		return Until{}, false
	}
	return Time(t), true
}

// String returns the value of a label; empty for the zero value.
func (u Until) String() string {
	switch {
	case u.scope != "":
		return string(u.scope)
	case u.turns == 1:
		return "1 turn"
	case u.turns > 0:
		return strconv.Itoa(u.turns) + " turns"
	case !u.time.IsZero():
		return u.time.Format(time.RFC3339Nano)
	}
	return ""
}
