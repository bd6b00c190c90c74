package diffs

import (
	"regexp"
	"strings"
)

// window is the part of a file that SWE-agent's and OpenHands' tools keep open.
type window struct {
	Copy
	path string
	rest string // what follows
}

// windowHead is the line above a window.
var windowHead = regexp.MustCompile(`(?m)^\[File: (.+) \((\d+) lines total(?: after edit)?\)\]\r?\n`)

// above is what may stand between the head and the lines.
var above = regexp.MustCompile(`\A\((?:\d+ more lines? above|this is the beginning of the file)\)\r?\n`)

// findWindow finds the first window in a text.
func findWindow(s string) (w window, ok bool) {
	m := windowHead.FindStringSubmatchIndex(s)
	if m == nil {
		return w, false
	}
	w.path = s[m[2]:m[3]]
	lines := atoi(s[m[4]:m[5]])
	s = s[m[1]:]
	s = s[len(above.FindString(s)):]
	n, ok := numberedText(s, false)
	if w.rest = s; !ok {
		return w, false
	}
	w.Copy = Copy{First: n.first, Lines: n.lines, ToEnd: n.first+n.lines-1 == lines, text: n.text}
	w.rest = n.rest
	return w, true
}

// workplace is what the tools state below a result: the open file and the directory.
type workplace struct{ open, dir string }

// footers are the lines that state it. They stand at the very end of a result.
var (
	openFooter = regexp.MustCompile(`\n\(Open file: ([^\n]*)\)\r?\n\(Current directory: ([^\n]*)\)\r?\n(?:bash-)?\$?\s*\z`)
	dirFooter  = regexp.MustCompile(`\n\[(?:Jupyter c|C)urrent working directory: ([^\n\]]*)\]`)
)

// findWorkplace reads the end of a result, and returns what is above it.
func findWorkplace(s string) (w workplace, body string) {
	const end = 4000
	from := max(0, len(s)-end)
	if !strings.Contains(s[from:], "urrent ") {
		return w, s
	}
	tail := "\n" + s[from:] // so that a footer alone is one, too
	if m := openFooter.FindStringSubmatchIndex(tail); m != nil {
		w = workplace{open: tail[m[2]:m[3]], dir: tail[m[4]:m[5]]}
		if w.open == "n/a" {
			w.open = ""
		}
		return w, s[:max(0, from+m[0]-1)]
	}
	if all := dirFooter.FindAllStringSubmatch(tail, -1); all != nil {
		w.dir = strings.TrimSpace(all[len(all)-1][1])
	}
	return w, s
}
