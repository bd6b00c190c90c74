package diffs

import (
	"strings"

	"github.com/trimkit/trimkit/core"
)

// blockSearch, blockMiddle and blockReplace recognise the three lines of a SEARCH/REPLACE
// block, as Aider, Cline and Roo write them.
func blockSearch(line string) bool  { return blockLine(line, "<-", "SEARCH") }
func blockMiddle(line string) bool  { return blockLine(line, "=", "") }
func blockReplace(line string) bool { return blockLine(line, ">+", "REPLACE") }

// blockLine reports whether a line is five signs or more and a word.
func blockLine(line, signs, word string) bool {
	run, ok := strings.CutSuffix(strings.TrimRight(line, " \r"), word)
	run = strings.TrimRight(run, " ")
	return ok && len(run) >= 5 && strings.Trim(run, signs) == ""
}

// block is a SEARCH/REPLACE block.
type block struct {
	old, new []string
	lines    int // how many lines it takes
}

// parseBlock reads the block that lines begin with.
func parseBlock(lines []string) (b block, ok bool) {
	if len(lines) == 0 || !blockSearch(lines[0]) {
		return b, false
	}
	middle := -1
	for i := 1; i < len(lines); i++ {
		switch line := lines[i]; {
		case middle < 0 && blockMiddle(line):
			middle = i
		case middle > 0 && blockReplace(line):
			return block{old: withoutOptions(lines[1:middle]), new: lines[middle+1 : i], lines: i + 1}, true
		case blockSearch(line):
			return block{lines: i}, false
		}
	}
	return block{lines: len(lines)}, false
}

// withoutOptions leaves out lines such as ":start_line:10" up to "-------".
func withoutOptions(lines []string) []string {
	for i, line := range lines {
		if strings.HasPrefix(line, "-------") && i > 0 {
			return lines[i+1:]
		}
		if !strings.HasPrefix(line, ":") {
			break
		}
	}
	return lines
}

// blockChange is what a block does. Whoever applies one without old text appends to the
// file, or creates it.
func blockChange(b block) Change {
	c := Change{Old: wholeLines(b.old), New: wholeLines(b.new), Whole: true}
	if c.Old == "" {
		c.First = -1
	}
	return c
}

// blockChanges returns the changes of all blocks among lines.
func blockChanges(lines []string) []Change {
	var changes []Change
	for i := 0; i < len(lines); {
		b, ok := parseBlock(lines[i:])
		if ok {
			changes = append(changes, blockChange(b))
		}
		i += max(1, b.lines)
	}
	return changes
}

// replyEdits returns the edits that the text of a reply holds as SEARCH/REPLACE blocks,
// one for each file. The path stands above the block, before the fence or behind it;
// blocks without one are those of the file before.
func replyEdits(reply string) []Event {
	if !strings.Contains(reply, "SEARCH") {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(reply, "\r\n", "\n"), "\n")
	var events []Event
	index := make(map[string]int)
	p := ""
	for i := 0; i < len(lines); {
		b, ok := parseBlock(lines[i:])
		if ok {
			if above := pathAbove(lines[:i]); above != "" {
				p = above
			}
			if p != "" {
				n, known := index[p]
				if !known {
					n = len(events)
					index[p] = n
					events = append(events, Event{Op: Edit, Path: p, Certain: true})
				}
				events[n].Changes = append(events[n].Changes, blockChange(b))
			}
		}
		i += max(1, b.lines)
	}
	return events
}

// pathAbove returns the path that stands directly above a block, if there is one.
func pathAbove(lines []string) string {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-3; i-- {
		line := strings.TrimSpace(lines[i])
		if line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			continue
		}
		line = strings.Trim(strings.TrimSuffix(line, ":"), "`*# ")
		if line == "" || len(line) > 300 || strings.ContainsAny(line, " <>|\t\"") || !strings.ContainsAny(line, "./") && !isName(line) {
			return ""
		}
		return line
	}
	return ""
}

// verdict is what the messages behind a reply say of the edits of one path.
type verdict struct{ applied, failed bool }

// verdicts reads, out of the user's messages behind a reply, what became of its edits:
// Aider says "Applied edit to PATH", and names the file whose blocks did not match.
func verdicts(history []core.Message) map[string]verdict {
	found := make(map[string]verdict)
	for i := range history {
		if history[i].Role == core.RoleAssistant {
			break
		}
		for p := range history[i].Parts {
			if part := &history[i].Parts[p]; history[i].Role == core.RoleUser && part.Kind == core.KindText && part.Elided == nil {
				for line := range strings.SplitSeq(part.Text, "\n") {
					note(found, strings.TrimSpace(line))
				}
			}
		}
	}
	return found
}

func note(found map[string]verdict, line string) {
	p, ok := strings.CutPrefix(line, "Applied edit to ")
	if ok {
		v := found[p]
		found[p] = verdict{true, v.failed}
		return
	}
	if p, ok = strings.CutPrefix(line, "Did not apply edit to "); ok {
		p, _, _ = strings.Cut(p, " (")
	} else if _, p, ok = strings.Cut(line, "failed to exactly match lines in "); !ok {
		return
	}
	v := found[p]
	found[p] = verdict{v.applied, true}
}

// settle sets the outcomes of a reply's edits. One is unknown where the messages say two
// things, or that one of several blocks failed: the others may have been applied.
func settle(edits []Event, found map[string]verdict) {
	for i := range edits {
		e := &edits[i]
		switch v := found[e.Path]; {
		case v.applied && !v.failed:
			e.Outcome = OK
		case v.failed && !v.applied && len(e.Changes) == 1:
			e.Outcome = Failed
		}
	}
}

// undone reports whether the text says that Aider took back an edit.
func undone(s string) bool {
	_, rest, ok := strings.Cut("\n"+s, "\nRemoved: ")
	return ok && strings.Contains(rest, "\nNow at:")
}
