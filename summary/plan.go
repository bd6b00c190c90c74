package summary

import (
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// The reasons of edits.
const (
	Reason = "summary of earlier messages" // of the message with a summary

	reasonFolded = "folded into the summary"
	reasonOlder  = "older than what is summed up"
)

// plan is what a window gives to sum up: a pure function of it.
type plan struct {
	w *core.Window

	older    []int    // groups to drop without a summary, by first message
	previous []int    // messages with earlier summaries
	groups   []int    // groups to replace, oldest first, by first message; none: nothing is summed up
	texts    []string // of the earlier summaries
	shown    []int    // messages for the model to read, in their order: the groups' and the user's
	chosen   map[int]bool
}

// plan chooses, oldest first, what it takes for the view to reach its target with a summary of
// the largest size. Where that is little more than the summary itself, there is none.
func (s *Summary) plan(w *core.Window) plan {
	p := plan{w: w, chosen: make(map[int]bool)}
	candidates, freed := s.candidates(&p)
	excess := w.Tokens() - w.Target()
	if s.middle > 0 && len(candidates) > 0 {
		turn := func(msg int) int { return w.Groups.List[w.Groups.Of[msg]].Turn }
		first := turn(candidates[len(candidates)-1]) - s.middle + 1
		n := 0
		for n < len(candidates) && turn(candidates[n]) < first {
			excess -= size(w, candidates[n])
			n++
		}
		p.older, candidates = candidates[:n:n], candidates[n:]
	}
	most := s.cost(w)
	for _, m := range candidates {
		if excess <= 0 || w.Target() > 0 && freed >= excess+most {
			break
		}
		p.groups = append(p.groups, m)
		freed += size(w, m)
	}
	if freed < 2*most {
		p.groups = nil
	}
	if len(p.groups) > 0 {
		p.show()
	}
	return p
}

// cost is what the message of a summary takes at most.
func (s *Summary) cost(w *core.Window) int {
	m := core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: firstLine}}}
	return w.Sizer().Message(&m) + s.most
}

// firstLine is what core puts in front of a summary.
const firstLine = core.MarkerPrefix + "inserted: " + Reason + "]\n"

// candidates returns the first messages of the groups that may be replaced, oldest first, and
// what the earlier summaries take, which are replaced in any case.
func (s *Summary) candidates(p *plan) (candidates []int, freed int) {
	w := p.w
	for i := range w.Groups.List {
		g := &w.Groups.List[i]
		msg := g.Msgs[0]
		if !w.Visible(msg) || w.Policy(msg) > core.Partial || !s.reach(w, msg) {
			continue
		}
		m := &w.History[msg]
		switch {
		case isSummary(m):
			_, text, _ := strings.Cut(m.Parts[0].Text, "\n")
			p.previous, p.texts = append(p.previous, msg), append(p.texts, text)
			freed += w.Size(msg)
		case m.Inserted(), g.Kind != core.GroupExchange && g.Kind != core.GroupReply:
		default:
			candidates = append(candidates, msg)
		}
	}
	return candidates, freed
}

func isSummary(m *core.Message) bool {
	return m.Inserted() && m.Parts[0].Elided.Op == core.Insert && m.Parts[0].Elided.Reason == Reason
}

func size(w *core.Window, msg int) int {
	tokens := 0
	for _, m := range w.Groups.List[w.Groups.Of[msg]].Msgs {
		tokens += w.Size(m)
	}
	return tokens
}

// show chooses what the model reads: the groups, the user's messages between them and right
// before, and the task.
func (p *plan) show() {
	w := p.w
	for _, m := range p.groups {
		p.shown = append(p.shown, w.Groups.List[w.Groups.Of[m]].Msgs...)
	}
	slices.Sort(p.shown)
	for _, m := range p.shown {
		p.chosen[m] = true
	}
	first, last := p.shown[0], p.shown[len(p.shown)-1]
	task, question := -1, -1
	for m := range last {
		if !isUser(&w.History[m]) || !w.Visible(m) {
			continue
		}
		if task < 0 {
			task = m
		}
		if m > first {
			p.shown = append(p.shown, m)
		} else {
			question = m
		}
	}
	for _, m := range []int{task, question} {
		if m >= 0 && !slices.Contains(p.shown, m) {
			p.shown = append(p.shown, m)
		}
	}
	slices.Sort(p.shown)
}

func isUser(m *core.Message) bool { return m.Role == core.RoleUser && !m.Inserted() }

// required returns the constraints that must survive: those of the user's messages that the
// model is shown, of pinned ones among them, and those that the earlier summaries had.
func (s *Summary) required(p *plan) (lines []string) {
	add := func(found []string) {
		for _, line := range found {
			line = strings.ToValidUTF8(strings.TrimSpace(line), "\uFFFD")
			if line != "" && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	for _, text := range p.texts {
		if e, ok := s.memo.Get(carriedKey(text)); ok {
			add(e.Carried)
		}
	}
	if s.constraints == nil {
		return lines
	}
	for i, last := 0, p.shown[len(p.shown)-1]; i <= last; i++ {
		m := &p.w.History[i]
		pinned := m.Policy == core.Locked && m.Role != core.RoleSystem
		if _, shown := slices.BinarySearch(p.shown, i); !m.Inserted() && (pinned || m.Role == core.RoleUser && shown) {
			add(s.constraints(m))
		}
	}
	return lines
}
