package diffs

import "strings"

// Tools say in a line or in a few words that they left something out. The words are looked
// for in all of a content: a file that has them itself is then taken to be shown in part,
// which loses nothing.
var (
	// cutLines begin lines of their own: what is above them is whole.
	cutLines = []string{
		"\n[Showing lines ", "\n[Showing last ", "\n[Full output", "\n(File has more lines",
		"\n(Showing lines ", "\n(Output capped",
	}
	// cutCounts do so before a number of lines.
	cutCounts = []string{"\n[", "\n... ("}
	// cutWords stand anywhere: the line that they are in, or behind, may not be whole.
	cutWords = []string{
		"<response clipped>", "<elided_chars>", "</output_head>", "<NOTE>Due to the max output limit",
		" truncated…", " truncated …", "truncated]", "[truncated", "\n[Truncated", "\n[Output truncated",
		"\n... (truncated", "[... omitted ", "[...omitted ", "[... truncated ",
	}
)

// uncut returns the whole lines of s before such a notice, and whether there was none.
func uncut(s string) (content string, whole bool) {
	end := len(s)
	for _, line := range cutLines {
		if at := strings.Index(s[:end], line); at >= 0 {
			end = at
		}
	}
	for _, start := range cutCounts {
		end = countedNotice(s, start, end)
	}
	for _, word := range cutWords {
		if at := strings.Index(s[:min(len(s), end+1)], word); at >= 0 {
			end = strings.LastIndexByte(s[:at], '\n') + 1
		}
	}
	return s[:end], end == len(s)
}

// countedNotice finds the first line before end that says how many more lines there are.
func countedNotice(s, start string, end int) int {
	for at := 0; at < end; at += len(start) {
		next := strings.Index(s[at:end], start)
		if next < 0 {
			break
		}
		at += next
		rest := strings.TrimLeft(s[at+len(start):min(len(s), at+len(start)+maxDigits)], "0123456789")
		if digits := min(maxDigits, len(s)-at-len(start)) - len(rest); digits > 0 && strings.HasPrefix(s[at+len(start)+digits:], " more line") {
			return at
		}
	}
	return end
}
