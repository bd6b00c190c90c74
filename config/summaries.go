package config

import (
	"cmp"

	"github.com/trimkit/trimkit"
)

// summaries completes what concerns summaries and notices. A type that needs a model is
// refused where the program has none: a file cannot bring one along.
func (c *Config) summaries(code *trimkit.Config) error {
	code.Notice = code.Notice || c.notice
	s := &code.Summaries
	s.MaxTokens, s.MiddleTurns = cmp.Or(s.MaxTokens, c.summary), cmp.Or(s.MiddleTurns, c.middle)
	if code.Ladder != c.ladder || !trimkit.NeedsModel(c.ladder) || s.Model != nil {
		return nil
	}
	o := c.origin["type"]
	return asError([]Fault{{
		Source: o.source, Line: o.at.line, Column: o.at.column, Key: "type",
		Problem: "needs a model that sums up, and the program has set none", Do: "set Config.Summaries.Model in the program, or choose another type",
	}})
}
