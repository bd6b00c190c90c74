package diffs

import (
	"encoding/json"
	"strings"
)

// effects are those of what tools do.
var effects = map[Does]Effect{
	DoesRead: EffectInspect, DoesList: EffectInspect, DoesInspect: EffectInspect,
	DoesWrite: EffectChange, DoesEdit: EffectChange, DoesDelete: EffectChange,
	DoesMove: EffectChange, DoesTouch: EffectChange, DoesRun: EffectRun,
}

// file follows a call that names its files in its arguments.
func (s *session) file(t *tool, args arguments, a *answer, c *Call) {
	c.Effect = effects[t.Does]
	if args.flag(t.DryRun) {
		c.Effect = EffectInspect
		return
	}
	names, _ := args.texts(t.Path)
	if t.Shows == ShowsFiles || t.Does == DoesRead && (len(names) > 1 || isTagged(a.text())) {
		s.several(names, a, c)
		return
	}
	e := Event{Certain: true, Outcome: c.Outcome}
	if len(names) > 0 {
		e.Path = names[0]
	}
	if t.Shows == ShowsWindow {
		s.window(a, &e)
	}
	if !t.fill(&e, args, c.At) {
		return
	}
	if c.Outcome != Failed && e.Op != Touch {
		shown := t.copies(a, t.asks(args))
		if len(shown) > 0 && t.Shows == ShowsWhole {
			e.Copies = nil // what was asked for, which is not what was saved in the end
		}
		e.Copies = append(e.Copies, shown...)
		if len(shown) > 0 && t.Does == DoesRead && e.Outcome == Unknown {
			e.Outcome, c.Outcome = OK, OK
		}
	}
	if e.Op == Read && directory.MatchString(a.text()) {
		e.Op, e.Copies = List, nil
	}
	s.places.link(e.Path, linking(t, a))
	c.Events = []Event{e}
}

// isTagged reports whether a result is Roo's, which names the file also of a single one.
func isTagged(s string) bool {
	return strings.HasPrefix(s, "<files>") || strings.HasPrefix(s, "<file><path>")
}

// linking is the text in which a result may say the absolute path: never file content.
func linking(t *tool, a *answer) string {
	if t.Does == DoesRead || t.Does == DoesList {
		return ""
	}
	return a.text()
}

// window finds the file of a call that names none, or names it from the directory of work.
func (s *session) window(a *answer, e *Event) {
	if e.Path == "" {
		e.Path = s.open
	}
	for _, p := range a.shown {
		w, _ := findWorkplace(p.text)
		head, ok := findWindow(p.text)
		switch {
		case !ok:
		case w.open != "" && sameFile(w.open, head.path):
			e.Path = w.open
		default:
			e.Path = head.path
		}
	}
}

// fill sets what the arguments say. It is false for a call that touches no file.
func (t *tool) fill(e *Event, args arguments, at Place) bool {
	switch t.Does {
	case DoesRead:
		e.Op = Read
	case DoesList:
		e.Op = List
	case DoesDelete:
		e.Op = Delete
	case DoesMove:
		e.Op = Move
		e.To, _, _ = args.text(t.To)
		e.Certain = e.To != ""
	case DoesTouch:
		e.Op = Edit
	case DoesWrite:
		content, exact, ok := args.text(t.Content)
		w := written(e.Path, content, ok && exact)
		if diff, exactDiff, isDiff := args.text(t.Diff); isDiff {
			w, exact = added(e.Path, patchLines(diff)), exactDiff
		}
		placed([]Event{w}, at)
		e.Op, e.Copies, e.Certain = Write, w.Copies, exact || len(t.Content) == 0
	case DoesEdit:
		e.Op = Edit
		e.Changes, e.Certain = t.changes(args)
		if diff, _, ok := args.text(t.Diff); ok && len(e.Changes) == 0 {
			t.diffEvent(e, diff, at)
		}
	default:
		return false
	}
	if e.Path == "" && e.Op != Read && e.Op != List && e.Outcome != Failed {
		*e = Event{Op: Touch, Outcome: e.Outcome} // some file
		return true
	}
	return e.Path != ""
}

// diffEvent is the event of a diff whose file is known: it may also create or delete it.
func (t *tool) diffEvent(e *Event, diff string, at Place) {
	if events := parsePatch(diff); len(events) == 1 && events[0].Op != Move {
		placed(events, at)
		e.Op, e.Copies, e.Changes, e.Certain = events[0].Op, events[0].Copies, events[0].Changes, events[0].Certain
		return
	}
	e.Changes = diffChanges(diff)
	e.Certain = len(e.Changes) > 0
}

// changes are those that the arguments of an edit ask for. Without an understanding of all
// of them there is none, and certain is false if the text itself is not exact.
func (t *tool) changes(args arguments) (changes []Change, certain bool) {
	if items := args.list(t.Edits); len(items) > 0 {
		certain = true
		for _, item := range items {
			c, exact, ok := t.change(arguments{fields: fieldsOf(item)})
			if !ok {
				return nil, exact
			}
			changes, certain = append(changes, c), certain && exact
		}
		return changes, certain
	}
	c, exact, ok := t.change(args)
	if !ok {
		return nil, exact
	}
	return []Change{c}, exact
}

func fieldsOf(item json.RawMessage) map[string]json.RawMessage {
	return parseArguments(string(item)).fields
}

func (t *tool) change(args arguments) (c Change, exact, ok bool) {
	replacement, exact, ok := args.text(t.New)
	if !ok {
		return c, true, false
	}
	c.New = lineEnds(replacement)
	if n, found := args.number(t.After); found {
		c.First, c.Last, c.New = n+1, n, c.New+"\n"
		return c, exact, n >= 0
	}
	if n, found := args.number(t.First); found && len(t.Old) == 0 {
		last, foundLast := args.number(t.Last)
		c.First, c.Last = n, last
		return c, exact, foundLast && n > 0 && last >= n
	}
	old, exactOld, ok := args.text(t.Old)
	c.Old, c.All = lineEnds(old), args.flag(t.All)
	return c, exact && exactOld, ok && old != ""
}

// lineEnds writes line ends in one way, as copies have them.
func lineEnds(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(s, "\r\n", "\n")
}
