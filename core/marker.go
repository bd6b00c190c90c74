package core

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MarkerPrefix begins, and "]" ends, every marker and notice: one line that tells the
// model what stood there. Nothing is ever restored by parsing one; text that merely
// looks like a marker is text.
const MarkerPrefix = "[trimkit: "

// gapNotice keeps two messages apart that must not stand together.
const (
	gapNotice = MarkerPrefix + "earlier messages removed here]"
	gapReason = "keeps apart what must not meet"
)

// marker returns the line that stands for an elided part: what it was, why it went, how
// large it was, that it was an error, and where a newer copy is if the view shows one.
func marker(e *Elision, what, newer string) string {
	var b strings.Builder
	b.WriteString(MarkerPrefix)
	b.WriteString(what)
	b.WriteString(" removed")
	if e.Reason != "" {
		b.WriteString(": " + clean(e.Reason))
	}
	b.WriteString("; " + strconv.Itoa(e.Tokens) + " tokens")
	if e.Failed {
		b.WriteString("; it was an error")
	}
	if newer != "" {
		b.WriteString("; see the later " + newer)
	}
	if e.Receipt != "" {
		b.WriteString("; receipt " + clean(e.Receipt))
	}
	b.WriteString("]")
	return b.String()
}

// shortMarker is for content so small that a full marker would not pay.
func shortMarker(e *Elision, what string) string {
	if e.Failed {
		what = "failed " + what
	}
	return MarkerPrefix + what + " removed]"
}

// notice returns the line that introduces what an edit added or shortened.
func notice(verb, reason string) string {
	if reason = clean(reason); reason != "" {
		verb += ": " + reason
	}
	return MarkerPrefix + verb + "]"
}

// markers counts the markers that text has, each whole and on one line.
func markers(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		for _, rest := range strings.Split(line, MarkerPrefix)[1:] {
			if strings.Contains(rest, "]") {
				n++
			}
		}
	}
	return n
}

// what names an elided part in a marker.
func what(p *Part) string {
	switch {
	case p.Media != nil && p.Media.MIME != "":
		return clean(p.Media.MIME)
	case p.Media != nil:
		return "media"
	case p.Tool != "":
		return clean(p.Tool) + " result"
	default:
		return "tool result"
	}
}

// clean makes text fit for a marker: one short line that survives JSON and any
// delimiter, and cannot end the marker.
func clean(text string) string {
	const limit = 120 // characters; a marker is a line
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > limit {
			b.WriteString("...")
			break
		}
		switch {
		case r == '[':
			r = '('
		case r == ']':
			r = ')'
		case r == '"' || r == '`':
			r = '\''
		case r == '\\':
			r = '/'
		case r == '<' || r == '>' || r == utf8.RuneError || !unicode.IsPrint(r):
			r = ' '
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
