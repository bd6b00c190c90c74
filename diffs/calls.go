package diffs

import (
	"iter"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// Calls returns the tool calls of a history in their order, and among them the blocks of
// replies' texts that a program carries out (patches, SEARCH/REPLACE blocks), with what
// they did to files. A message that an edit of ours put in counts as a change of unknown
// effect, since it stands for what is gone. Calls that the table does not know have no events. It takes time
// linear in the history's text, never fails, and keeps no more of the history than its
// strings.
//
// An event says what happened only as far as the history does: see [Outcome]. What a result
// shows is a [Copy] only where it is certain which lines of which file it is; a text that
// holds anything else besides is none.
//
// Paths are written in one way per file: relative to the root if they are below it,
// otherwise as they are. The root is that of [WithRoot], else what the history states; where
// neither says it, a relative and an absolute path are two files, since content of two files
// that are taken for one would be lost.
func (t *Tools) Calls(history []core.Message) []Call {
	return t.calls(history, core.NewGroups(history), nil)
}

// calls does what Calls does. Before the messages of gaps, others once stood.
func (t *Tools) calls(history []core.Message, groups *core.Groups, gaps []int) []Call {
	s := session{
		tools: t, history: history, answers: make(map[Place][]Place), told: make(map[string]bool),
		places: newPlaces(t.root), scripts: make(map[string]text),
	}
	s.pair(groups)
	s.places.prompts(history)
	for i := range history {
		gap := len(gaps) > 0 && gaps[0] <= i && len(history[i].Parts) > 0
		for gap && len(gaps) > 0 && gaps[0] <= i {
			gaps = gaps[1:]
		}
		if gap || history[i].Inserted() && history[i].Parts[0].Kind == core.KindText {
			// What an edit took out here may have been a change.
			s.add(Call{At: Place{i, 0}, Effect: EffectChange, Outcome: OK, Events: []Event{{Op: Touch, Outcome: OK}}})
		}
		for p := range history[i].Parts {
			part, at := &history[i].Parts[p], Place{i, p}
			switch {
			case part.Kind == core.KindToolCall:
				s.call(part, at)
			case part.Kind == core.KindText && part.Elided == nil && history[i].Role == core.RoleAssistant:
				s.reply(part.Text, at)
			case part.Kind == core.KindText && part.Elided == nil && history[i].Role == core.RoleUser && s.blocks && undone(part.Text):
				s.add(Call{At: at, Effect: EffectChange, Outcome: OK, Events: []Event{{Op: Touch, Outcome: OK}}})
			}
		}
	}
	s.resolve()
	return s.calls
}

// pair finds the results of each call.
func (s *session) pair(groups *core.Groups) {
	for i := range s.history {
		for p := range s.history[i].Parts {
			result := &s.history[i].Parts[p]
			if result.Kind != core.KindToolResult {
				continue
			}
			if msg, part, ok := groups.CallOf(i, p); ok {
				at := Place{msg, part}
				s.answers[at] = append(s.answers[at], Place{i, p})
				if tellsFailure(result.Text) {
					s.told[s.history[msg].Parts[part].Tool] = true
				}
			}
		}
	}
}

// session follows the calls of one history.
type session struct {
	tools   *Tools
	history []core.Message
	answers map[Place][]Place
	places  *places
	calls   []Call

	dir     string          // in which the next command line runs; empty: the root
	moved   bool            // it is not the one of the beginning any more, or may not be
	open    string          // the file of SWE-agent's window
	scripts map[string]text // what was written last to each path, as far as that is known
	told    map[string]bool // tools whose results say so when a command fails

	blocks   bool               // replies hold SEARCH/REPLACE blocks
	verdicts map[string]verdict // what is said of them behind the message behind
	behind   int
}

// call adds a tool call.
func (s *session) call(part *core.Part, at Place) {
	c := Call{At: at, Results: s.answers[at], Tool: part.Tool}
	a := answerOf(s.history, c.Results)
	known := len(s.tools.lookup(part.Tool)) > 0 && part.Elided == nil
	var args arguments
	var t *tool
	if known {
		args = parseArguments(part.Text)
		t = s.tools.find(part.Tool, args)
	}
	if t == nil {
		c.Outcome = (&tool{}).outcome(&a)
		s.add(c)
		return
	}
	c.Outcome = t.outcome(&a)
	switch t.Does {
	case DoesShell:
		s.shell(t, args, &a, &c)
	case DoesPython:
		s.python(t, args, &a, &c)
	case DoesPatch:
		s.patch(t, args, &a, &c)
	default:
		s.file(t, args, &a, &c)
	}
	s.follow(&a)
	s.add(c)
}

// follow takes up what a result states of the open file and the directory.
func (s *session) follow(a *answer) {
	for _, p := range a.shown {
		if w, _ := findWorkplace(p.text); w != (workplace{}) {
			if w.dir != "" {
				s.dir = w.dir
				if !s.moved {
					s.places.state(w.dir)
				}
			}
			if w.open != "" {
				s.open = w.open
			}
		}
	}
}

// reply adds the blocks of a reply's text.
func (s *session) reply(reply string, at Place) {
	if edits := replyEdits(reply); len(edits) > 0 {
		s.blocks = true
		if s.behind != at.Msg || s.verdicts == nil { // several texts of one message share them
			s.behind, s.verdicts = at.Msg, verdicts(s.history[at.Msg+1:])
		}
		settle(edits, s.verdicts)
		s.add(Call{At: at, Effect: EffectChange, Outcome: common(edits), Events: edits})
	}
	const begin = "*** Begin Patch\n"
	if strings.HasPrefix(reply, begin) || strings.Contains(reply, "\n"+begin) {
		if events := parsePatch(reply); len(events) > 0 {
			placed(events, at)
			s.add(Call{At: at, Effect: EffectChange, Events: events})
		}
	}
}

// common is the outcome that all events share, or unknown.
func common(events []Event) Outcome {
	for i := range events {
		if events[i].Outcome != events[0].Outcome {
			return Unknown
		}
	}
	return events[0].Outcome
}

// placed says where the copies of events stand that have no place yet.
func placed(events []Event, at Place) {
	for i := range events {
		for k := range events[i].Copies {
			if c := &events[i].Copies[k]; c.At == (Place{}) {
				c.At = at
			}
		}
	}
}

// add appends a call. What a failed one shows is not what a file holds.
func (s *session) add(c Call) {
	for i := range c.Events {
		e := &c.Events[i]
		if e.Outcome == Failed {
			e.Copies = nil
		}
		s.places.note(e.Path)
		s.places.note(e.To)
		switch {
		case e.Op == Write && len(e.Copies) == 1 && e.Copies[0].ToEnd:
			s.scripts[e.Path] = e.Copies[0].text
		case e.Op != Read && e.Op != List:
			delete(s.scripts, e.Path)
		}
	}
	s.calls = append(s.calls, c)
}

// resolve gives every file one name.
func (s *session) resolve() {
	s.places.infer()
	for e := range s.events() {
		e.Path, e.To = s.places.resolve(e.Path), s.places.resolve(e.To)
	}
}

func (s *session) events() iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		for i := range s.calls {
			for k := range s.calls[i].Events {
				if !yield(&s.calls[i].Events[k]) {
					return
				}
			}
		}
	}
}

// patch follows a call that applies a patch.
func (s *session) patch(t *tool, args arguments, a *answer, c *Call) {
	diff := args.raw
	if args.fields != nil {
		diff, _, _ = args.text(t.Diff)
		if line, isPatch, ok := args.command([]string{"command"}); diff == "" && ok && isPatch {
			diff = line
		}
	}
	s.patched(diff, t, a, c)
}

// patched follows a patch. Its outcome may be wrapped like that of a command.
func (s *session) patched(diff string, t *tool, a *answer, c *Call) {
	c.Effect = EffectChange
	if o := parseOutput(a.text()); o.ran {
		inner := answer{status: a.status, final: a.final, shown: []piece{{text: o.text}}}
		c.Outcome = t.outcome(&inner)
		if c.Outcome == Unknown && o.failed() {
			c.Outcome = Failed
		}
	}
	c.Events = parsePatch(diff)
	if len(c.Events) == 0 {
		c.Events = []Event{{Op: Touch}}
	}
	placed(c.Events, c.At)
	outcome := c.Outcome
	if outcome == Failed && len(c.Events) > 1 && !strings.Contains(a.text(), "verification failed") && !refused.MatchString(a.text()) {
		outcome = Unknown // the files before the one that failed are changed
	}
	for i := range c.Events {
		c.Events[i].Outcome = outcome
	}
}
