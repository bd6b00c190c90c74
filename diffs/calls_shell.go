package diffs

import (
	"path"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// shell follows a command line.
func (s *session) shell(t *tool, args arguments, a *answer, c *Call) {
	line, isPatch, ok := args.command(t.Command)
	if !ok && args.fields == nil {
		line, ok = args.raw, args.raw != ""
	}
	if !ok {
		return
	}
	if isPatch {
		if patch := s.tools.find("apply_patch", arguments{}); patch != nil {
			s.patched(line, patch, a, c)
		}
		return
	}
	dir := s.dir
	if d, _, ok := args.text(t.Dir); ok && d != "" {
		dir = joinDir(dir, d)
	}
	if args.flag([]string{"run_in_background", "is_background", "background"}) {
		a, c.Outcome = &answer{}, Unknown // the answer is that it began
	}
	fx := shellEffects(s.tools.shell, line, dir)
	fx.add(s.scriptEvents(fx.runs, fx.dir))
	c.Effect, c.Events = fx.effect, fx.events
	placed(c.Events, c.At)
	o := parseOutput(a.text())
	if s.told[c.Tool] {
		o.fresh = true
		o.exited = o.exited || c.Outcome == Unknown && len(a.shown) > 0 && !broken(o.text)
	}
	s.shellOutcome(fx, o, a, c)
	s.shellCopy(fx.output, &o, a, c)
	s.shellDir(t, line, dir, fx.dir, &o, c)
}

// add appends the events of scripts.
func (fx *lineEffects) add(events []Event) {
	for _, e := range events {
		fx.events, fx.exit = append(fx.events, e), append(fx.exit, false)
		fx.effect = EffectChange
	}
}

// scriptEvents are those of scripts that were written earlier in the history.
func (s *session) scriptEvents(runs []string, dir string) (events []Event) {
	for _, p := range runs {
		if t, ok := s.scripts[p]; ok {
			events = append(events, scriptEvents(strings.Join(collect(t), "\n"), dir)...)
		}
	}
	return events
}

func collect(t text) (lines []string) {
	for line := range t.lines() {
		lines = append(lines, line)
	}
	return lines
}

// joinDir is the directory d as seen from dir.
func joinDir(dir, d string) string {
	switch {
	case isAbsolute(cleanPath(d, false)):
		return d
	case dir == unknownDir:
		return unknownDir
	}
	return path.Join(dir, d)
}

// shellOutcome tells what became of the line, and of each of its events. A code other than
// 0 says that something failed, not what.
func (s *session) shellOutcome(fx lineEffects, o output, a *answer, c *Call) {
	denied := a.status == core.StatusDenied || refused.MatchString(a.text())
	switch {
	case denied, o.failed():
		c.Outcome = Failed
	case o.exited:
		c.Outcome = OK
	}
	for i := range c.Events {
		e := &c.Events[i]
		switch {
		case denied:
			e.Outcome = Failed
		case c.Outcome == OK && fx.exit[i]:
			e.Outcome = OK
		case c.Outcome == Failed && len(c.Events) == 1 && e.Op == Read:
			e.Outcome = Failed
		}
	}
}

// shellCopy adds what the line prints of a file.
func (s *session) shellCopy(shown *shownLines, o *output, a *answer, c *Call) {
	if shown == nil || c.Outcome == Failed || !a.final || len(a.shown) != 1 || isSentence(o.text) && shellError(o.text) {
		return
	}
	copied, sure, ok := o.copyOf(shown)
	if !ok {
		return
	}
	for i := range c.Events {
		if e := &c.Events[i]; e.Op == Read && e.Path == shown.path {
			copied.At = a.shown[0].at
			e.Copies, e.Outcome, e.Certain = []Copy{copied}, OK, e.Certain && sure
			if c.Outcome == Unknown && len(c.Events) == 1 {
				c.Outcome = OK
			}
			return
		}
	}
}

// broken reports whether an output ends with the news that the command did not.
func broken(s string) bool {
	s = strings.TrimRight(s, " \r\n")
	s = s[strings.LastIndexByte(s, '\n')+1:]
	return strings.HasPrefix(s, "Command ") || strings.Contains(s, "timed out")
}

// shellError reports whether a short output is the shell's own complaint.
func shellError(s string) bool {
	for _, name := range []string{"bash: ", "sh: ", "zsh: ", "/bin/sh: ", "/bin/bash: ", "Command timed out", "Command aborted", "EXECUTION TIMED OUT", "Timeout"} {
		if strings.HasPrefix(strings.TrimSpace(s), name) {
			return true
		}
	}
	return false
}

// shellDir follows changes of the directory: before is where the line began, after where it
// ended if all went well.
func (s *session) shellDir(t *tool, line, before, after string, o *output, c *Call) {
	if after != unknownDir {
		s.places.visit(after)
	}
	if strings.TrimSpace(line) == "pwd" && !s.moved && c.Outcome != Failed {
		s.places.state(strings.TrimSpace(o.text))
	}
	s.moved = s.moved || after != before
	if _, reset, ok := strings.Cut(o.text, "Shell cwd was reset to "); ok {
		s.dir, _, _ = strings.Cut(reset, "\n")
		return
	}
	switch {
	case o.fresh || after == before:
	case t.Stays && c.Outcome == OK:
		s.dir = after
	default:
		s.dir = unknownDir
	}
}
