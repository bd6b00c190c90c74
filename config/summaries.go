package config

import (
	"slices"

	"github.com/trimkit/trimkit"
)

// summaries completes what concerns summaries and notices. What this version has nothing for
// is refused: no key does nothing in silence.
func (c *Config) summaries(*trimkit.Config) error {
	var faults []Fault
	for _, k := range []struct {
		name  string
		given bool
	}{
		{"type", c.ladder != "" && !slices.Contains(trimkit.LadderNames(), c.ladder)},
		{"notify_on_gc", c.notice},
		{"summarize_middle_turns", c.middle > 0},
		{"max_summary_tokens", c.summary > 0},
	} {
		if k.given {
			o := c.origin[k.name]
			faults = append(faults, Fault{
				Source: o.source, Line: o.at.line, Column: o.at.column, Key: k.name,
				Problem: "asks for what this version does not have", Do: "leave it out",
			})
		}
	}
	return asError(faults)
}
