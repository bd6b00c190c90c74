package diffs

import (
	"regexp"
	"strconv"
	"strings"
)

// asked is which lines of a file a call asks for.
type asked struct {
	first int // 0: unknown
	limit int // 0: none
}

// asks reads which lines a call wants to see.
func (t *tool) asks(a arguments) asked {
	r := asked{first: 1}
	if items := a.list(t.Range); len(items) == 2 {
		first, ok1 := wholeNumber(items[0])
		last, ok2 := wholeNumber(items[1])
		if !ok1 || !ok2 {
			return asked{}
		}
		return asked{first: max(first, 1)}.upTo(last)
	}
	if n, ok := a.number(t.Offset); ok {
		if r.first = n + 1 - t.Base; n < 0 {
			return asked{}
		}
		r.first = max(r.first, 1)
	}
	if n, ok := a.number(t.First); ok {
		r.first = max(n, 1)
	}
	if n, ok := a.number(t.Last); ok {
		r = r.upTo(n)
	}
	if n, ok := a.number(t.Limit); ok {
		r.limit = n
	}
	if n, ok := a.number(t.Head); ok {
		r = asked{first: 1, limit: n}
	}
	if _, ok := a.number(t.Tail); ok {
		return asked{}
	}
	return r
}

// upTo limits what is asked for to a last line; -1: the file's.
func (r asked) upTo(last int) asked {
	if last >= r.first {
		r.limit = last - r.first + 1
	}
	return r
}

// copies returns the content that a successful result shows of one file.
func (t *tool) copies(a *answer, ask asked) []Copy {
	var copies []Copy
	texts := 0
	for _, p := range a.shown {
		if isReminder(p.text) {
			continue
		}
		texts++
		if c, ok := t.copy(p.text, ask); ok {
			c.At = p.at
			copies = append(copies, c)
		}
	}
	if texts > 1 {
		for i := range copies {
			copies[i].ToEnd = false // the next block may go on
		}
		if t.Shows == ShowsPlain || t.Shows == ShowsEither {
			return nil // nothing says where each block begins
		}
	}
	return copies
}

func (t *tool) copy(s string, ask asked) (Copy, bool) {
	switch t.Shows {
	case ShowsPlain:
		return t.plain(s, ask)
	case ShowsNumbered:
		return t.numbered(s, ask)
	case ShowsEither:
		if looksNumbered(s, ask) {
			return t.numbered(s, ask)
		}
		return t.plain(s, ask)
	case ShowsWindow:
		w, ok := findWindow(s)
		return w.Copy, ok
	case ShowsWhole:
		return wholeCopy(s)
	}
	return Copy{}, false
}

// looksNumbered reports whether lines carry numbers as cat -n writes them, beginning with
// the one that was asked for.
func looksNumbered(s string, ask asked) bool {
	n, ok := numberedText(s, false)
	padded := n.sep == "\t" && s[0] == ' ' // else it may be a table of the file's own
	return ok && (padded || n.sep == "→") && n.first == ask.first && isReminder(n.rest)
}

// truncatedHead is what Gemini CLI puts above a part of a file.
var truncatedHead = regexp.MustCompile(`\A\s*IMPORTANT: The file content has been truncated\.\nStatus: Showing lines (\d+)-(\d+) of (\d+) total lines\.\n(?:[^\n]*\n)*?--- FILE CONTENT \(truncated\) ---\n`)

// plain is the copy of a text without numbers.
func (t *tool) plain(s string, ask asked) (Copy, bool) {
	if at := strings.LastIndex(s, "\n\n<system-reminder>"); at >= 0 && isReminder(s[at:]) {
		s = s[:at]
	}
	if m := truncatedHead.FindStringSubmatch(s); m != nil {
		first, last, total := atoi(m[1]), atoi(m[2]), atoi(m[3])
		c := Copy{First: first}
		c.text, c.Lines = newText(s[len(m[0]):] + "\n")
		c.ToEnd = last == total
		return c, first > 0 && c.Lines == last-first+1
	}
	if ask.first == 0 || strings.ContainsRune(s[:min(len(s), 100)], 0) {
		return Copy{}, false
	}
	content, whole := uncut(s)
	c := Copy{First: ask.first}
	c.text, c.Lines = newText(content)
	c.ToEnd = whole && t.reachesEnd(strings.Count(content, "\n")+1, ask) // a last line may be empty
	return c, c.Lines > 0 && (ask.limit == 0 || c.Lines <= ask.limit)
}

// reachesEnd reports whether so many lines, none left out, are all that there were.
func (t *tool) reachesEnd(lines int, ask asked) bool {
	if ask.limit > 0 {
		return lines < ask.limit
	}
	return t.Most == 0 || lines%t.Most != 0
}

// total is how tools say how many lines a file has.
var total = regexp.MustCompile(`\A\s*\(End of file - total (\d+) lines?\)`)

// numbered is the copy of lines with numbers.
func (t *tool) numbered(s string, ask asked) (Copy, bool) {
	wide := strings.Contains(s[:min(len(s), 1000)], "<content>")
	preface, n, ok := findNumbered(s, wide)
	if !ok || t.Does != DoesRead && !strings.Contains(preface, "cat -n") {
		return Copy{}, false
	}
	c := Copy{First: n.first, Lines: n.lines, text: n.text}
	rest := strings.TrimSpace(n.rest)
	switch m := total.FindStringSubmatch(rest); {
	case m != nil:
		c.ToEnd = atoi(m[1]) == n.first+n.lines-1
	case t.Does != DoesRead:
	case rest == "" || isReminder(rest) || rest == "```" || rest == "</file>":
		c.ToEnd = t.reachesEnd(n.lines, ask)
	}
	if c.ToEnd && t.Trailing && c.Lines > 1 {
		c.dropEmptyEnd()
	}
	return c, true
}

// dropEmptyEnd leaves out a last line that is nothing but the number behind a file's last
// line end.
func (c *Copy) dropEmptyEnd() {
	at := strings.LastIndexByte(c.text.raw, '\n')
	if _, content, ok := cutNumber(c.text.raw[at+1:], c.text.sep); ok && strings.TrimSuffix(content, "\r") == "" {
		c.text.raw = c.text.raw[:max(at, 0)]
		c.Lines--
	}
}

// wholeCopy is the copy of a file that an edit echoes.
func wholeCopy(s string) (Copy, bool) {
	const tag, end = "<final_file_content", "</final_file_content>"
	if at := strings.Index(s, tag); at >= 0 {
		_, body, opened := strings.Cut(s[at:], ">\n")
		last := strings.LastIndex(body, end)
		if !opened || last < 0 {
			return Copy{}, false
		}
		body = strings.TrimSuffix(body[:last], "\n")
		if n, ok := numberedText(body, false); ok && n.first == 1 && n.sep == " | " && strings.TrimSpace(n.rest) == "" {
			return Copy{First: 1, Lines: n.lines, ToEnd: true, text: n.text}, true
		}
		c := Copy{First: 1}
		content, whole := uncut(body)
		c.ToEnd = whole
		c.text, c.Lines = newText(content)
		return c, true
	}
	_, n, ok := findNumbered(s, false)
	rest := strings.TrimSpace(n.rest)
	return Copy{First: 1, Lines: n.lines, ToEnd: true, text: n.text}, ok && n.first == 1 && (rest == "" || rest == "```")
}

// atoi is 0 for what is no line number.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n > 1e9 {
		return 0
	}
	return n
}
