package main

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// table is text in columns, for people.
type table struct {
	align string // a letter a column: l or r
	rows  [][]string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// String returns the rows, columns two spaces apart, each line ended.
func (t *table) String() string {
	width := make([]int, len(t.align))
	for _, row := range t.rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			padding := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if t.align[i] == 'r' {
				line.WriteString(padding + cell)
			} else {
				line.WriteString(cell + padding)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// share is a part of a whole in percent.
func share(part, whole int) string {
	return strconv.FormatFloat(100*float64(part)/float64(max(whole, 1)), 'f', 1, 64) + "%"
}

// toolName is a tool's name as a terminal can show it.
func toolName(name string) string {
	if name == "" {
		return "(no name)"
	}
	const limit = 40
	name = printable(name)
	if utf8.RuneCountInString(name) > limit {
		name = string([]rune(name)[:limit-3]) + "..."
	}
	return name
}

// printable is a text without what a terminal would obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// number says how many there are of what a noun names.
func number(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
