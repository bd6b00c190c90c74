package config

import (
	"fmt"
	"slices"
	"strings"
)

// Error lists everything that is wrong with a configuration, in the order of the file.
type Error struct {
	Faults []Fault
}

// Fault is one thing that is wrong: where, what, and what to do.
type Fault struct {
	Source  string // the file's name, or the environment variable's
	Line    int    // from 1; 0: it is not about a place in a file
	Column  int    // in characters, from 1
	Key     string // such as rules[2].match.tool; empty: the file as a whole
	Problem string
	Do      string // may be empty
}

// Error lists the faults, a line each if there are several.
func (e *Error) Error() string {
	if len(e.Faults) == 1 {
		return "config: " + e.Faults[0].String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "config: %d faults", len(e.Faults))
	for _, f := range e.Faults {
		b.WriteString("\n\t" + f.String())
	}
	return b.String()
}

// String returns the fault as a line: place, key, problem, and what to do in parentheses.
func (f Fault) String() string {
	text := f.Source
	if f.Line > 0 {
		text += fmt.Sprintf(":%d:%d", f.Line, f.Column)
	}
	if text != "" {
		text += ": "
	}
	if f.Key != "" {
		text += f.Key + " "
	}
	text += f.Problem
	if f.Do != "" {
		text += " (" + f.Do + ")"
	}
	return text
}

// asError returns nil, or an error with the faults.
func asError(faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	slices.SortStableFunc(faults, func(a, b Fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return &Error{faults}
}

// nearest returns what to do about an unknown name: the known one that it may be a slip of,
// or a list of all.
func nearest(name string, known []string) string {
	best, least := "", len(name)/3+2
	for _, k := range known {
		if d := distance(strings.ToLower(name), k); d < least {
			best, least = k, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "known: " + strings.Join(known, ", ")
}

// distance is the number of letters to put in, take out or change to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0] // of the row above, to the left
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}
