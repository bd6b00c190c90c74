package diffs

import (
	"iter"
	"strings"
)

// text is content as a part holds it. Its lines are taken apart only when they are asked
// for, so that a copy costs nothing but the walk that counted its lines.
type text struct {
	raw string // whole lines; the end of the last is left out
	sep string // what ends the number before each line; empty: there are no numbers
}

// newText returns the text of plain content, and how many lines it has.
func newText(s string) (t text, lines int) {
	if s == "" {
		return text{}, 0
	}
	t.raw = strings.TrimSuffix(s, "\n")
	return t, strings.Count(t.raw, "\n") + 1
}

// Text returns the lines that the copy shows, without numbers, joined by "\n" and without
// a final one.
func (c *Copy) Text() string {
	if c.Lines == 0 {
		return ""
	}
	if c.text.sep == "" && !strings.Contains(c.text.raw, "\r") {
		return c.text.raw
	}
	var b strings.Builder
	b.Grow(len(c.text.raw) + 1)
	for line := range c.text.lines() {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// lines yields the lines, without their numbers and their ends. There is always one.
func (t text) lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.SplitSeq(t.raw, "\n") {
			if t.sep != "" {
				_, line, _ = cutNumber(line, t.sep)
			}
			if !yield(strings.TrimSuffix(line, "\r")) {
				return
			}
		}
	}
}

// separators are what tools put between a line's number and the line, longest first.
var separators = []string{" | ", "→", "\t", "|", ":"}

// maxDigits is the length of a line number: longer ones are something else.
const maxDigits = 9

// numbered is a run of numbered lines.
type numbered struct {
	text
	first, lines int
	rest         string // what follows the run
}

// numberedText finds the run of numbered lines that s begins with. It ends where the next
// number does not follow, and before a line that the tool has cut short. wide says that a
// space belongs to the separators that have none of their own.
func numberedText(s string, wide bool) (n numbered, ok bool) {
	sep := separatorOf(s, wide)
	if sep == "" {
		return n, false
	}
	end, next := 0, 0
	for at := 0; at < len(s); {
		line, _, _ := strings.Cut(s[at:], "\n")
		number, content, isNumbered := cutNumber(line, sep)
		if !isNumbered || next > 0 && number != next || cutShort(content) {
			break
		}
		if next == 0 {
			n.first = number
		}
		end, next = at+len(line), number+1
		n.lines++
		at = min(end+1, len(s))
	}
	if n.lines == 0 || n.first == 0 {
		return n, false
	}
	n.text, n.rest = text{raw: s[:end], sep: sep}, s[end:]
	return n, true
}

// separatorOf returns the separator of the numbered line that s begins with, or "".
func separatorOf(s string, wide bool) string {
	line, _, _ := strings.Cut(s, "\n")
	padded := strings.HasPrefix(line, "0")
	for _, sep := range separators {
		if wide || padded {
			if _, _, ok := cutNumber(line, sep+" "); ok && (sep == "|" || sep == ":") {
				return sep + " "
			}
		}
		if _, _, ok := cutNumber(line, sep); ok {
			return sep
		}
	}
	return ""
}

// cutNumber cuts a line into its number and what stands behind the separator.
func cutNumber(line, sep string) (number int, content string, ok bool) {
	s := strings.TrimLeft(line, " ")
	digits := 0
	for digits < len(s) && digits <= maxDigits && '0' <= s[digits] && s[digits] <= '9' {
		number = number*10 + int(s[digits]-'0')
		digits++
	}
	if digits == 0 || digits > maxDigits {
		return 0, "", false
	}
	s = s[digits:]
	if content, ok = strings.CutPrefix(s, sep); ok {
		return number, content, true
	}
	// An empty line whose separator lost its space at the end.
	if bare := strings.TrimRight(sep, " "); bare != sep && strings.TrimRight(s, " \r") == bare {
		return number, "", true
	}
	return 0, "", false
}

// maxLine is where tools cut a line short.
const maxLine = 2000

// cutShort reports whether a line may be shown in part only.
func cutShort(line string) bool {
	if len(line) < maxLine {
		return strings.Contains(line, "<response clipped>")
	}
	line = strings.TrimSuffix(line, "\r")
	return len(line) == maxLine || strings.HasSuffix(line, "...") || strings.HasSuffix(line, "truncated]") || len(line) < 4*(maxLine+1) && len([]rune(line)) == maxLine
}

// findNumbered finds the first run of numbered lines behind a preface of a few lines, and
// returns the preface. Colons and bars are separators only where a fence or a tag says that
// a file begins: compilers, too, put "12:" before what they say.
func findNumbered(s string, wide bool) (preface string, n numbered, ok bool) {
	const most = 12 // lines
	at, before := 0, ""
	for range most {
		n, ok := numberedText(s[at:], wide)
		fenced := wide || strings.HasPrefix(before, "```")
		if ok && (fenced || n.sep == "→" || n.sep == "\t" || n.sep == "| ") {
			return s[:at], n, true
		}
		line, _, more := strings.Cut(s[at:], "\n")
		if !more {
			break
		}
		at, before = at+len(line)+1, line
	}
	return "", numbered{}, false
}
