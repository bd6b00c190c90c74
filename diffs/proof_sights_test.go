package diffs_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// sights are what a view shows of the history it was made of.
type sights struct {
	places   map[diffs.Place]bool
	inserted []string
}

func look(view []core.Message) *sights {
	s := &sights{places: map[diffs.Place]bool{}}
	for i := range view {
		m := &view[i]
		if m.Inserted() {
			s.inserted = append(s.inserted, m.Parts[0].Text)
			continue
		}
		for _, p := range m.Parts {
			if p.Elided == nil {
				s.places[diffs.Place{Msg: int(m.Src) - 1, Part: int(p.Slot)}] = true
			}
		}
	}
	return s
}

// shows reports whether the view shows what the place, and what is behind it, showed.
func (s *sights) shows(l *showing) bool {
	for _, o := range l.of {
		if !s.has(o.slot, o.text, l.order) {
			return false
		}
	}
	return s.places[*l.at]
}

// has reports whether the view shows that a line had the text, before the given time.
func (s *sights) has(line *slot, text string, order int) bool {
	for i := range line.log {
		if l := &line.log[i]; l.text == text && l.order < order && s.shows(l) {
			return true
		}
	}
	return s.folded(text)
}

// folded reports whether a message that an edit added has the text as a line.
func (s *sights) folded(text string) bool {
	for _, added := range s.inserted {
		for line := range strings.Lines(added) {
			line = strings.TrimSuffix(line, "\n")
			if line == text || line == "+"+text || line == " "+text {
				return true
			}
		}
	}
	return false
}

// texts returns the texts that a line must still show: the one that it has, and if
// something of unknown effect may have brought an older one back, those too.
func (s *slot) texts(loose bool) []string {
	var list []string
	if s.known && s.text != "" {
		list = append(list, s.text)
	}
	if s.back && !loose {
		for _, l := range s.log {
			if l.text != "" && !slices.Contains(list, l.text) {
				list = append(list, l.text)
			}
		}
	}
	return list
}

// gone returns what the view shows no more of what the history showed, and counts the
// texts that it looked for.
func (a *agent) gone(view []core.Message, looked *int, loose bool) string {
	seen := look(view)
	for _, path := range a.world.paths() {
		for i, s := range a.world.files[path].slots {
			if fault := seen.fault(s, looked, loose); fault != "" {
				return fmt.Sprintf("line %d of %s, %s", i+1, path, fault)
			}
		}
	}
	return ""
}

// fault returns what is wrong with a line in the view.
func (s *sights) fault(line *slot, looked *int, loose bool) string {
	for _, text := range line.texts(loose) {
		if *looked++; !s.has(line, text, math.MaxInt) {
			return fmt.Sprintf("%q: is shown nowhere (sure: %v, newest: %q)\n%s", text, line.sure, line.text, line.logged())
		}
	}
	if line.sure && line.known && line.text != "" {
		for i := len(line.log) - 1; i >= 0; i-- {
			if l := &line.log[i]; s.shows(l) {
				if l.text != line.text && !s.folded(line.text) {
					return fmt.Sprintf("%q, seems to be %q\n%s", line.text, l.text, line.logged())
				}
				break
			}
		}
	}
	if line.back && !loose {
		for _, gone := range line.behind {
			gone.sure, gone.back = false, true
			if fault := s.fault(gone, looked, loose); fault != "" {
				return "removed behind " + fault
			}
		}
	}
	return ""
}

func (s *slot) logged() string {
	b := &strings.Builder{}
	for _, l := range s.log {
		fmt.Fprintf(b, "  %q at", l.text)
		fmt.Fprintf(b, " %d.%d of %d", l.at.Msg, l.at.Part, len(l.of))
		b.WriteString("\n")
	}
	return b.String()
}
