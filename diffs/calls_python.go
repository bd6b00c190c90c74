package diffs

import (
	"regexp"
	"strings"
)

// python follows code that calls OpenHands' editing functions.
func (s *session) python(t *tool, args arguments, a *answer, c *Call) {
	code, _, ok := args.text(t.Command)
	if !ok {
		code = args.raw
	}
	calls, whole := pythonCalls(code)
	c.Effect = EffectInspect
	open := s.open
	for i := range calls {
		call := &calls[i]
		e, touches := call.event(open)
		if _, known := pythonTexts[call.name]; !known {
			whole = whole && call.name == "print"
		}
		if !touches {
			continue
		}
		open = e.Path
		if e.Op != Read {
			c.Effect = EffectChange
		}
		c.Events = append(c.Events, e)
	}
	settlePython(c.Events, a)
	if s.open = open; !whole {
		c.Effect = EffectChange
		c.Events = append(c.Events, Event{Op: Touch})
	}
	if len(c.Events) > 0 {
		c.Outcome = common(c.Events)
	}
}

// settlePython reads what became of the events, and what is shown of their files: the
// windows of the result are those of the calls, in their order.
func settlePython(events []Event, a *answer) {
	outcome := (&tool{}).outcome(a)
	if outcome == Unknown && pythonFailed.MatchString(a.text()) {
		outcome = Failed
	}
	windows := a.windows(len(events))
	for i := range events {
		e := &events[i]
		e.Outcome = outcome
		if outcome == Failed || len(windows) == 0 || !sameFile(windows[0].path, e.Path) {
			continue
		}
		e.Outcome, e.Path = OK, windows[0].path
		e.Copies = []Copy{windows[0].Copy}
		windows = windows[1:]
	}
}

// windows returns the windows that a result shows, at most that many.
func (a *answer) windows(most int) (list []window) {
	for _, p := range a.shown {
		for s := p.text; len(list) < most; {
			w, ok := findWindow(s)
			if !ok {
				break
			}
			w.At, s = p.at, w.rest
			list = append(list, w)
		}
	}
	return list
}

// pythonFailed is how the result begins of an editing function that did nothing.
var pythonFailed = regexp.MustCompile(`\A\s*(?:\[Your proposed edit has introduced|\[No exact match found|\[No closest match|ERROR|Error|Traceback|FileNotFoundError|TypeError|ValueError|Invalid path or file name)`)

// sameFile reports whether a header's path, which may be absolute, is that of a call.
func sameFile(header, p string) bool {
	p = cleanPath(p, false)
	return header == p || strings.HasSuffix(header, "/"+p)
}
