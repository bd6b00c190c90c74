package config

import (
	"regexp"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/retention"
)

// rule gives the messages that meet all of its conditions a policy.
type rule struct {
	tool, path *regexp.Regexp    // nil: any
	role       core.Role         // 0: any
	turns      int               // that have begun since, at least
	bytes      int               // that it has, at least
	labels     map[string]string // "*" is any value
	policy     core.Policy
}

// sight is what rules look at: the messages that a view shows, and what their calls did.
type sight struct {
	view   []core.Message // as they are in the history
	turns  []int          // of each the turn, from 1; 0: before the first
	last   int            // turn
	groups *core.Groups
	paths  map[int][]string // of each; nil: no rule asks
}

func look(history []core.Message, shown []int, rules []rule, tools *diffs.Tools) *sight {
	s := &sight{}
	for i := range history {
		if m := &history[i]; m.Role == core.RoleUser && !m.Inserted() {
			s.last++
		}
		if len(s.view) < len(shown) && shown[len(s.view)] == i {
			s.view, s.turns = append(s.view, history[i]), append(s.turns, s.last)
		}
	}
	s.groups = core.NewGroups(s.view)
	if slices.ContainsFunc(rules, func(r rule) bool { return r.path != nil }) {
		s.paths = make(map[int][]string)
		for _, call := range tools.Calls(s.view) {
			for _, e := range call.Events {
				s.touched(call, e.Path)
				s.touched(call, e.To)
			}
		}
	}
	return s
}

// touched notes a path that a call touches, for the message of the call and those of its
// results.
func (s *sight) touched(call diffs.Call, path string) {
	if path == "" {
		return
	}
	s.paths[call.At.Msg] = append(s.paths[call.At.Msg], path)
	for _, r := range call.Results {
		s.paths[r.Msg] = append(s.paths[r.Msg], path)
	}
}

// meets reports whether a message meets a rule's conditions.
func (s *sight) meets(i int, r *rule) bool {
	m := &s.view[i]
	switch {
	case r.role != 0 && m.Role != r.role,
		r.turns > 0 && s.last-s.turns[i] < r.turns,
		r.bytes > 0 && bytesOf(m) < r.bytes,
		r.tool != nil && !s.calls(i, r.tool),
		r.path != nil && !slices.ContainsFunc(s.paths[i], r.path.MatchString):
		return false
	}
	for key, want := range r.labels {
		if !labelled(m, key, want) {
			return false
		}
	}
	return true
}

// labelled reports whether a message has a label of that value. Of tags, one is enough.
func labelled(m *core.Message, key, want string) bool {
	if m.Meta == nil {
		return false
	}
	got, ok := m.Meta.Labels[key]
	return ok && (want == "*" || got == want || key == retention.KeyTags && slices.Contains(retention.Read(m).Tags, want))
}

// calls reports whether a message has a call of such a tool, or a result of one. Not every
// result says the tool's name.
func (s *sight) calls(i int, tool *regexp.Regexp) bool {
	for p := range s.view[i].Parts {
		part := &s.view[i].Parts[p]
		name := part.Tool
		if part.Kind == core.KindToolResult && name == "" {
			if msg, call, ok := s.groups.CallOf(i, p); ok {
				name = s.view[msg].Parts[call].Tool
			}
		}
		if (part.Kind == core.KindToolCall || part.Kind == core.KindToolResult) && tool.MatchString(name) {
			return true
		}
	}
	return false
}

func bytesOf(m *core.Message) (n int) {
	for p := range m.Parts {
		n += m.Parts[p].Bytes()
	}
	return n
}

// classify gives each message that a view shows the policy of the first rule that it meets, and
// pins what is in pinned turns.
func (v *values) classify(history []core.Message, shown []int, tools *diffs.Tools) []core.Policy {
	s := look(history, shown, v.rules, tools)
	policies := make([]core.Policy, len(s.view))
	for i := range s.view {
		if s.turns[i] > 0 && slices.Contains(v.pinned, s.turns[i]-1) {
			policies[i] = core.Locked
			continue
		}
		for r := range v.rules {
			if s.meets(i, &v.rules[r]) {
				policies[i] = v.rules[r].policy
				break
			}
		}
	}
	return retention.Exchanges(history, shown, policies)
}

// toolPattern compiles a tool's name, in which * stands for any letters.
func toolPattern(glob string) *regexp.Regexp {
	return regexp.MustCompile(`\A(?s:` + strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*") + `)\z`)
}

// pathPattern compiles a path: * stands for any letters but a slash, ** for any at all. One
// that does not begin with a slash is that of a file in any folder.
func pathPattern(glob string) *regexp.Regexp {
	pattern := strings.NewReplacer(`\*\*/`, "(?:.*/)?", `\*\*`, ".*", `\*`, "[^/]*").Replace(regexp.QuoteMeta(glob))
	if !strings.HasPrefix(glob, "/") {
		pattern = "(?:.*/)?" + pattern
	}
	return regexp.MustCompile(`\A(?s:` + pattern + `)\z`)
}
