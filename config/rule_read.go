package config

import (
	"errors"
	"math"
	"regexp"
	"strings"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/diffs"
)

// roles and policies by the names that files have for them.
var (
	roles    = byText(core.RoleSystem, core.RoleUser, core.RoleAssistant, core.RoleTool)
	policies = byText(core.Ephemeral, core.Partial, core.Conditional, core.Preservable, core.Locked)
)

// vocabulary is values by name, with the names in their order.
type vocabulary[T any] struct {
	names  []string
	values map[string]T
}

func byText[T interface{ String() string }](all ...T) vocabulary[T] {
	v := vocabulary[T]{values: make(map[string]T)}
	for _, value := range all {
		v.names = append(v.names, value.String())
		v.values[value.String()] = value
	}
	return v
}

// conditions are the keys of match.
var conditions = []string{"tool", "path", "role", "min_age_turns", "min_bytes", "label"}

func readRules(r *reader, n *node, path string, v *values) {
	for i, item := range r.list(n, path, "rules") {
		var ru rule
		r.object(item, at(path, i), []string{"match", "policy", "reason"}, func(m member, path string) {
			switch m.name {
			case "match":
				r.match(m.value, path, &ru)
			case "policy":
				ru.policy = policies.values[r.word(m.value, path, policies.names)]
			case "reason": // for people
				r.text(m.value, path)
			}
		})
		r.demand(item, at(path, i), "match", "policy")
		v.rules = append(v.rules, ru)
	}
}

// match reads a rule's conditions. Without any it would stand for every message, and no rule
// behind it would ever count.
func (r *reader) match(n *node, path string, ru *rule) {
	found := false
	r.object(n, path, conditions, func(m member, path string) {
		found = true
		switch m.name {
		case "tool":
			ru.tool = r.patterns(m.value, path, toolPattern)
		case "path":
			ru.path = r.patterns(m.value, path, pathPattern)
		case "role":
			ru.role = roles.values[r.word(m.value, path, roles.names)]
		case "min_age_turns":
			ru.turns = r.number(m.value, path, 1, math.MaxInt32)
		case "min_bytes":
			ru.bytes = r.number(m.value, path, 1, math.MaxInt32)
		case "label":
			ru.labels = r.labels(m.value, path)
		}
	})
	if members, ok := n.data.([]member); ok && len(members) == 0 && !found {
		r.fault(n.at, path, "known: "+strings.Join(conditions, ", "), "has no condition")
	}
}

// patterns reads one pattern or a list of them.
func (r *reader) patterns(n *node, path string, compile func(string) *regexp.Regexp) *regexp.Regexp {
	var globs []string
	if _, ok := n.data.([]*node); ok {
		if globs = r.texts(n, path); len(globs) == 0 {
			r.wrong(n, path, "at least one pattern")
		}
	} else {
		globs = []string{r.text(n, path)}
	}
	var all []string
	for _, glob := range globs {
		all = append(all, compile(glob).String())
	}
	return regexp.MustCompile(strings.Join(all, "|"))
}

// labels reads names and values of labels.
func (r *reader) labels(n *node, path string) map[string]string {
	members, ok := n.data.([]member)
	if !ok || len(members) == 0 {
		r.wrong(n, path, `an object of labels and their values, such as {"importance": "debug"}`)
	}
	labels := make(map[string]string)
	for _, m := range members {
		v, ok := m.value.data.(string)
		if !ok {
			r.wrong(m.value, join(path, m.name), `a text; "*" is any value`)
		}
		labels[m.name] = v
	}
	return labels
}

// rowFaults returns what is wrong with a row of the table of tools, without the row's place,
// which the file has.
func rowFaults(err error) (faults []string) {
	if err == nil {
		return nil
	}
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for _, err := range all {
		var row *diffs.RowError
		switch {
		case errors.As(err, &row) && row.Err != nil:
			faults = append(faults, row.Fault+": "+row.Err.Error())
		case errors.As(err, &row):
			faults = append(faults, row.Fault)
		default:
			faults = append(faults, err.Error())
		}
	}
	return faults
}
