package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// mostLines is how many lines of a list a person reads.
const mostLines = 40

// fold shortens a list that is too long to read: neighbours that say the same become one
// line, and if that does not do, the middle becomes one.
func fold(lines []line) []line {
	if len(lines) <= mostLines {
		return lines
	}
	var runs []line
	for _, l := range lines {
		if n := len(runs); n > 0 && runs[n-1].op == l.op && runs[n-1].why == l.why {
			runs[n-1] = runs[n-1].with(l)
		} else {
			runs = append(runs, l)
		}
	}
	if len(runs) <= mostLines {
		return runs
	}
	head, tail := mostLines/2, len(runs)-mostLines/2
	middle := runs[head]
	for _, l := range runs[head+1 : tail] {
		middle = middle.with(l)
	}
	middle.op, middle.why = "", "various; --all lists them"
	return slices.Concat(runs[:head], []line{middle}, runs[tail:])
}

// with returns the run of l and another line behind it.
func (l line) with(other line) line {
	l.messages = slices.Concat(l.messages, other.messages)
	l.nouns = slices.Concat(l.all(), other.all())
	l.before += other.before
	l.after += other.after
	return l
}

func (l line) all() []string {
	if l.nouns != nil {
		return l.nouns
	}
	return []string{l.noun}
}

// what says what a line is about.
func (l line) what() string {
	switch {
	case l.nouns == nil && l.detail == "":
		return l.noun
	case l.nouns == nil:
		return l.noun + ": " + l.detail
	}
	var order, text []string
	count := map[string]int{}
	for _, noun := range l.nouns {
		if count[noun]++; count[noun] == 1 {
			order = append(order, noun)
		}
	}
	for _, noun := range order {
		text = append(text, number(count[noun], noun))
	}
	return strings.Join(text, ", ")
}

func groupNoun(g *core.Group) string {
	switch g.Kind {
	case core.GroupSystem:
		return "system message"
	case core.GroupUser:
		return "user message"
	case core.GroupOther:
		return "stray message"
	default:
		return g.Kind.String()
	}
}

// tools names the tools that messages call, each once, in the order of the first calls.
func tools(history []core.Message, messages []int) string {
	var order, text []string
	count := map[string]int{}
	for _, m := range messages {
		for p := range history[m].Parts {
			if part := &history[m].Parts[p]; part.Kind == core.KindToolCall {
				name := toolName(part.Tool)
				if count[name]++; count[name] == 1 {
					order = append(order, name)
				}
			}
		}
	}
	for i, name := range order {
		switch {
		case i == 3 && len(order) > 4:
			return strings.Join(append(text, fmt.Sprintf("%d more", len(order)-i)), ", ")
		case count[name] > 1:
			name = fmt.Sprintf("%s (%d calls)", name, count[name])
		}
		text = append(text, name)
	}
	return strings.Join(text, ", ")
}

// span writes message numbers down: neighbours as a range, and no more than three ranges.
func span(messages []int) string {
	if len(messages) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(messages))
	var ranges []string
	for i := 0; i < len(sorted); {
		end := i
		for end+1 < len(sorted) && sorted[end+1] <= sorted[end]+1 {
			end++
		}
		ranges = append(ranges, fmt.Sprint(sorted[i]))
		if sorted[end] != sorted[i] {
			ranges[len(ranges)-1] += fmt.Sprintf("-%d", sorted[end])
		}
		i = end + 1
	}
	if len(ranges) > 3 {
		return fmt.Sprintf("%d..%d", sorted[0], sorted[len(sorted)-1])
	}
	return strings.Join(ranges, ",")
}
