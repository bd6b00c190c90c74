package config

import (
	"cmp"
	"fmt"
	"strconv"
)

// combine notes what is impossible together, and what would do nothing.
func (c *Config) combine(r *reader) {
	trigger, target := cmp.Or(c.marks.Trigger, preset("threshold_percent")), cmp.Or(c.marks.Target, preset("target_percent"))
	if target >= trigger {
		c.clash(r, "target_percent", "threshold_percent", "lower the target, or raise the threshold",
			"is %d, and must be below the %s of %d", target, c.naming("threshold_percent"), trigger)
	}
	if margin := c.marks.Margin; margin > 0 && trigger >= 100-margin {
		c.clash(r, pluginConfig+".margin_percent", "threshold_percent", "lower one of them",
			"is %d, and leaves less than the %s of %d", margin, c.naming("threshold_percent"), trigger)
	}
	if c.manual && c.continuous {
		c.clash(r, "auto_trigger", "pressure_percent", "leave one of them out",
			"is false, and pressure_percent asks for the continuous mode, which collects by itself")
	}
	if c.manual && c.shadow {
		c.clash(r, "check_before_send", "auto_trigger", "leave one of them out",
			"is false, and so is auto_trigger: nothing would ever be done")
	}
	if turns := c.marks.TailTurns; c.marks.MaxTurns > 0 && turns > c.marks.MaxTurns {
		c.clash(r, "preserve_recent_turns", "max_turns", "lower it, or raise max_turns",
			"is %d, and max_turns leaves no more than %d", turns, c.marks.MaxTurns)
	}
	if c.given("preserve_recent_turns") && c.marks.TailTurns == 0 && c.marks.TailShare > 0 {
		c.clash(r, "preserve_recent_turns", pluginConfig+".tail_percent", "leave one of them out",
			"is 0, and tail_percent bounds what there is not")
	}
	if c.shadow && c.notice {
		c.clash(r, "notify_on_gc", "check_before_send", "leave one of them out",
			"has nothing to say where check_before_send is false")
	}
	if c.middle > 0 && c.ladder != typeHybrid {
		c.clash(r, "summarize_middle_turns", "type", "choose the type hybrid, or leave it out",
			"does nothing with the %s %q", c.naming("type"), c.kind())
	}
	if c.summary > 0 && c.ladder != typeSummarize && c.ladder != typeHybrid {
		c.clash(r, "max_summary_tokens", "type", "choose the type summarize or hybrid, or leave it out",
			"does nothing with the %s %q", c.naming("type"), c.kind())
	}
}

// clash notes a fault where a key was given, or the one that it clashes with. Where one of
// them could not be read, that was said.
func (c *Config) clash(r *reader, key, with, do, format string, args ...any) {
	o, ok := c.origin[key]
	if !ok {
		o = c.origin[with]
	}
	for _, f := range r.faults {
		if f.Key == key || f.Key == with {
			return
		}
	}
	r.faults = append(r.faults, Fault{
		Source: o.source, Line: o.at.line, Column: o.at.column, Key: key, Problem: fmt.Sprintf(format, args...), Do: do,
	})
}

func (c *Config) given(key string) bool { return c.nodes[key] != nil }

// naming names a key, and says if nobody gave it.
func (c *Config) naming(key string) string {
	if c.given(key) {
		return key
	}
	return "default " + key
}

// kind is the type.
func (c *Config) kind() string { return cmp.Or(c.ladder, mustText(find("type").preset)) }

// preset returns the default of a key that is a number.
func preset(name string) int {
	n, _ := strconv.Atoi(find(name).preset) // a test reads them all
	return n
}

func mustText(quoted string) string {
	text, _ := strconv.Unquote(quoted) // a test reads them all
	return text
}
