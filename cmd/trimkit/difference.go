package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trimkit/trimkit/core"
)

// A mark says what a row of a comparison is.
type mark byte

const (
	same    mark = ' '
	removed mark = '-'
	added   mark = '+'
	heading mark = '@' // of a change
	summary mark = '=' // of a stretch without changes
	name    mark = '#' // of what is compared
)

// row is a line of a comparison, without its mark.
type row struct {
	mark mark
	text string
}

// shownLines is how many lines of a text a person wants to see.
const shownLines = 4

// difference writes down what became of a conversation.
type difference struct {
	*collection
	window *core.Window // nothing is edited in it
	full   bool
	rows   []row
	notes  []*core.Message // added messages that are not written yet
	same   line            // the stretch without changes that is not written yet
}

// newDiff compares the conversation with the view.
func newDiff(input string, c *collection, full bool) []row {
	d := &difference{collection: c, window: core.NewWindow(c.conversation.Messages(), core.WithSizer(c.meter)), full: full}
	of := ""
	if c.limit > 0 {
		of = fmt.Sprintf(" of %d", c.limit)
	}
	d.add(name, "--- %s: %s, %d tokens", input, number(len(d.window.History), "message"), c.before)
	d.add(name, "+++ view: %s, %d tokens%s", number(len(c.view), "message"), c.after, of)

	for v := range c.view {
		if c.view[v].Src == 0 {
			d.notes = append(d.notes, &c.view[v])
		}
	}
	edits := make([][]core.Edit, len(d.window.History)+1) // by message; a notice at the end is behind the last
	gone := make([]bool, len(d.window.Groups.List))
	for _, e := range c.edits {
		edits[e.Msg] = append(edits[e.Msg], e)
		if e.Op == core.Drop {
			gone[d.window.Groups.Of[e.Msg]] = true
		}
	}
	for i := range edits {
		for _, e := range edits[i] {
			d.edit(e)
		}
		changed := len(edits[i]) > 1 || len(edits[i]) == 1 && edits[i][0].Op != core.Insert
		if i < len(d.window.History) && !changed && !gone[d.window.Groups.Of[i]] {
			d.same.messages = append(d.same.messages, i)
			d.same.after += d.window.Size(i)
		}
	}
	d.flush()
	return d.rows
}

func (d *difference) add(m mark, format string, args ...any) {
	d.rows = append(d.rows, row{m, fmt.Sprintf(format, args...)})
}

// flush writes the stretch without changes.
func (d *difference) flush() {
	if len(d.same.messages) > 0 {
		d.add(summary, "%s: %s unchanged, %d tokens", span(d.same.messages), number(len(d.same.messages), "message"), d.same.after)
	}
	d.same = line{}
}

// edit writes an edit.
func (d *difference) edit(e core.Edit) {
	d.flush()
	switch e.Op {
	case core.Drop:
		g := &d.window.Groups.List[d.window.Groups.Of[e.Msg]]
		l := line{noun: groupNoun(g), detail: tools(d.window.History, g.Msgs)}
		d.add(heading, "%s %s: drop, %d tokens: %s", span(g.Msgs), l.what(), e.Before, e.Reason)
		for _, m := range g.Msgs {
			d.message(removed, fmt.Sprint(m), &d.window.History[m], d.window.Size(m))
		}
	case core.Insert:
		d.add(heading, "before %d notice: insert, %d tokens: %s", e.Msg, e.After, e.Reason)
		if len(d.notes) > 0 {
			d.message(added, "new", d.notes[0], e.After)
			d.notes = d.notes[1:]
		}
	default:
		d.part(e)
	}
}

// message writes a message that is there on one side only.
func (d *difference) message(m mark, index string, message *core.Message, tokens int) {
	d.add(m, "%s %s, %d tokens", index, message.Role, tokens)
	for p := range message.Parts {
		part := &message.Parts[p]
		d.text(m, label(part), content(part))
	}
}

// text writes a text that is there on one side only.
func (d *difference) text(m mark, label, text string) {
	lines := textLines(text)
	switch {
	case label != "" && len(lines) == 1:
		lines[0] = label + ": " + lines[0]
	case label != "":
		d.add(m, "  %s:", label)
	}
	rows := make([]row, len(lines))
	for i, l := range lines {
		rows[i] = row{m, "  " + l}
	}
	d.bounded(rows)
}

// bounded writes rows of one mark, or the first of them.
func (d *difference) bounded(rows []row) {
	if rest := len(rows) - shownLines; rest > 1 && !d.full {
		d.rows = append(d.rows, rows[:shownLines]...)
		d.add(rows[0].mark, "  ... %s", number(rest, "more line"))
		return
	}
	d.rows = append(d.rows, rows...)
}

// part writes what became of a part.
func (d *difference) part(e core.Edit) {
	before := &d.window.History[e.Msg].Parts[e.Part]
	what := before.Kind.String()
	if before.Tool != "" {
		what += " " + toolName(before.Tool)
	}
	d.add(heading, "%d %s: %s, %d -> %d tokens: %s", e.Msg, what, e.Op, e.Before, e.After, e.Reason)
	rows := compareLines(textLines(content(before)), textLines(d.after(e)))
	if !d.full {
		focus(rows)
	}
	for i := range rows {
		rows[i].text = "  " + rows[i].text
	}
	for start := 0; start < len(rows); {
		end := start
		for end < len(rows) && rows[end].mark == rows[start].mark {
			end++
		}
		if rows[start].mark == same {
			d.context(rows[start:end], start > 0, end < len(rows))
		} else {
			d.bounded(rows[start:end])
		}
		start = end
	}
}

// context writes rows that stayed: those beside what changed before or behind them.
func (d *difference) context(rows []row, before, behind bool) {
	const shown = 2
	head, tail := 0, len(rows)
	if before {
		head = shown
	}
	if behind {
		tail -= shown
	}
	if d.full || tail-head < shown {
		d.rows = append(d.rows, rows...)
		return
	}
	d.rows = append(d.rows, rows[:head]...)
	d.add(same, "  ... %s", number(tail-head, "unchanged line"))
	d.rows = append(d.rows, rows[tail:]...)
}

// after returns what the view has in place of an edited part.
func (d *difference) after(e core.Edit) string {
	raw := &d.window.History[e.Msg]
	for v := range d.view {
		if d.view[v].Src != raw.Src || d.view[v].Role != raw.Role {
			continue
		}
		for p := range d.view[v].Parts {
			if part := &d.view[v].Parts[p]; part.Slot == raw.Parts[e.Part].Slot {
				return content(part)
			}
		}
	}
	return ""
}

// label says what a part is, where its text alone does not.
func label(p *core.Part) string {
	switch p.Kind {
	case core.KindText:
		return ""
	case core.KindToolCall:
		return "call of " + toolName(p.Tool)
	case core.KindToolResult:
		return "result of " + toolName(p.Tool)
	default:
		return p.Kind.String()
	}
}

// content is what a part holds, as text.
func content(p *core.Part) string {
	if p.Media == nil || p.Elided != nil {
		return p.Text
	}
	what := p.Media.MIME
	if what == "" {
		what = "medium"
	}
	if p.Media.URL != "" && !strings.HasPrefix(p.Media.URL, "data:") {
		return what + " at " + p.Media.URL
	}
	return what + ", " + number(len(p.Media.URL)+len(p.Media.Data), "byte")
}

// textLines cuts a text into lines that a terminal can show.
func textLines(text string) []string {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(text, "\t", "    "), "\n")
	for i := range lines {
		lines[i] = printable(strings.TrimSuffix(lines[i], "\r"))
	}
	return lines
}

// focus cuts what a changed line and the line in its place begin with alike, if it is so
// long that a narrow page would show nothing else.
func focus(rows []row) {
	const kept, least = 20, 40
	for i := 1; i < len(rows); i++ {
		if rows[i-1].mark != removed || rows[i].mark != added {
			continue
		}
		a, b := rows[i-1].text, rows[i].text
		n := 0
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		if n -= kept; n < least {
			continue
		}
		for !utf8.RuneStart(a[n]) {
			n--
		}
		rows[i-1].text, rows[i].text = "..."+a[n:], "..."+b[n:]
	}
}
