package main

import (
	"strings"
	"unicode/utf8"
)

// page is how a comparison is shown.
type page struct {
	width int
	full  bool // long lines go on in the next one; else they are cut
	color bool
}

// colors of rows, as terminals number them.
var colors = map[mark]string{removed: "31", added: "32", heading: "36", summary: "2", name: "1"}

// render returns the comparison as lines of text.
func (p page) render(rows []row, sideBySide bool) string {
	var b strings.Builder
	if !sideBySide {
		for _, r := range rows {
			p.line(&b, r)
		}
		return b.String()
	}
	for start := 0; start < len(rows); {
		end := start
		for end < len(rows) && (rows[end].mark == removed || rows[end].mark == added) {
			end++
		}
		if end > start {
			p.change(&b, rows[start:end])
		} else if end++; rows[start].mark == same {
			p.columns(&b, row{same, rows[start].text}, row{same, rows[start].text})
		} else {
			p.line(&b, rows[start])
		}
		start = end
	}
	return b.String()
}

// line writes a row over the whole width.
func (p page) line(b *strings.Builder, r row) {
	text := r.text
	switch r.mark {
	case name:
	case heading:
		text = "@@ " + text + " @@"
	default:
		text = string(r.mark) + " " + text
	}
	if !p.full {
		text = cut(text, p.width)
	}
	b.WriteString(p.paint(r.mark, strings.TrimRight(text, " ")) + "\n")
}

// change writes rows of which each has one side: lines that leave beside those in their place.
func (p page) change(b *strings.Builder, rows []row) {
	var left, right []row
	for _, r := range rows {
		if r.mark == removed && len(right) > 0 { // the next change
			p.pair(b, left, right)
			left, right = nil, nil
		}
		if r.mark == removed {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	p.pair(b, left, right)
}

func (p page) pair(b *strings.Builder, left, right []row) {
	for i := range max(len(left), len(right)) {
		l, r := row{mark: same}, row{mark: same}
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		p.columns(b, l, r)
	}
}

// columns writes one row beside another.
func (p page) columns(b *strings.Builder, left, right row) {
	const between = " | "
	width := (p.width - len(between)) / 2
	l, r := p.fit(left, width), p.fit(right, width)
	for i := range max(len(l), len(r)) {
		var a, c string
		if i < len(l) {
			a = l[i]
		}
		if i < len(r) {
			c = r[i]
		}
		padding := strings.Repeat(" ", width-utf8.RuneCountInString(a))
		text := p.paint(left.mark, a) + padding + between + p.paint(right.mark, c)
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}

// fit returns a row as lines of a column.
func (p page) fit(r row, width int) []string {
	text := string(r.mark) + " " + r.text
	if !p.full {
		return []string{cut(text, width)}
	}
	var lines []string
	for utf8.RuneCountInString(text) > width {
		at := len(string([]rune(text)[:width]))
		lines = append(lines, text[:at])
		text = string(r.mark) + " " + text[at:]
	}
	return append(lines, text)
}

func (p page) paint(m mark, text string) string {
	if color := colors[m]; p.color && color != "" && text != "" {
		return "\x1b[" + color + "m" + text + "\x1b[0m"
	}
	return text
}

// cut shortens a text to so many characters.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-3]) + "..."
}
