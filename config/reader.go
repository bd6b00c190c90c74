package config

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// reader turns values into settings, and notes what is wrong with them.
type reader struct {
	source string // the file, or the environment variable
	faults []Fault
}

func (r *reader) fault(at place, path, do, format string, args ...any) {
	r.faults = append(r.faults, Fault{
		Source: r.source, Line: at.line, Column: at.column, Key: path, Problem: fmt.Sprintf(format, args...), Do: do,
	})
}

// wrong notes that a value is not what was expected.
func (r *reader) wrong(n *node, path, want string) {
	r.fault(n.at, path, "", "is %s, want %s", n.shown(), want)
}

// shown returns a value for a message.
func (n *node) shown() string {
	switch n.data.(type) {
	case nil:
		return "null"
	case []*node:
		return "a list"
	case []member:
		return "an object"
	}
	const longest = 60
	if s := []rune(string(n.raw)); len(s) > longest {
		return string(s[:longest]) + "..."
	}
	return string(n.raw)
}

// number returns a whole number from least to most. 80.0 is one, too, as some programs write
// it.
func (r *reader) number(n *node, path string, least, most int) int {
	if v, ok := n.whole(); ok && v >= least && v <= most {
		return v
	}
	r.wrong(n, path, fmt.Sprintf("a whole number from %d to %d", least, most))
	return 0
}

// whole returns the number that a value is, if it is a whole one.
func (n *node) whole() (int, bool) {
	text, ok := n.data.(json.Number)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseFloat(text.String(), 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
		return 0, false
	}
	return int(v), true
}

func (r *reader) boolean(n *node, path string) bool {
	v, ok := n.data.(bool)
	if !ok {
		r.wrong(n, path, "true or false")
	}
	return v
}

func (r *reader) text(n *node, path string) string {
	v, ok := n.data.(string)
	if !ok || v == "" {
		r.wrong(n, path, "a text that is not empty")
	}
	return v
}

// word returns one of the known texts.
func (r *reader) word(n *node, path string, known []string) string {
	v, ok := n.data.(string)
	switch {
	case !ok:
		r.wrong(n, path, "one of "+strings.Join(known, ", "))
	case !slices.Contains(known, v):
		r.fault(n.at, path, nearest(v, known), "is the unknown %q", v)
	}
	return v
}

// list returns the values of a list.
func (r *reader) list(n *node, path, of string) []*node {
	v, ok := n.data.([]*node)
	if !ok {
		r.wrong(n, path, "a list of "+of)
	}
	return v
}

// texts returns a list of texts that are not empty.
func (r *reader) texts(n *node, path string) []string {
	texts := []string{}
	for i, item := range r.list(n, path, "texts") {
		texts = append(texts, r.text(item, at(path, i)))
	}
	return texts
}

const unknownKey = "is an unknown key"

// object calls read with each member that is known.
func (r *reader) object(n *node, path string, known []string, read func(m member, path string)) {
	members, ok := n.data.([]member)
	if !ok {
		r.wrong(n, path, "an object")
		return
	}
	for _, m := range members {
		if !slices.Contains(known, m.name) {
			r.fault(m.at, join(path, m.name), nearest(m.name, known), unknownKey)
			continue
		}
		read(m, join(path, m.name))
	}
}

// demand notes which members an object lacks.
func (r *reader) demand(n *node, path string, names ...string) {
	members, ok := n.data.([]member)
	for _, name := range names {
		if ok && !slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			r.fault(n.at, path, "", "lacks the key %s", name)
		}
	}
}

func at(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
