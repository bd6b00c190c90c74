package diffs

import (
	"strconv"
	"strings"
)

// parsePatch returns what a patch does, in its order: an envelope of apply_patch, or
// unified diffs. It is empty where there is neither. An event is certain if its file's
// part is complete. Outcomes are the caller's, and so are the places of the copies.
func parsePatch(patch string) []Event {
	lines := patchLines(patch)
	if start := findLine(lines, "*** Begin Patch"); start >= 0 {
		return envelope(lines[start+1:])
	}
	return unifiedDiffs(lines)
}

func patchLines(patch string) []string {
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(patch, "\r\n", "\n"), "\n"), "\n")
}

func findLine(lines []string, want string) int {
	for i, line := range lines {
		if strings.TrimSpace(line) == want {
			return i
		}
	}
	return -1
}

// envelope reads what stands between "*** Begin Patch" and "*** End Patch".
func envelope(lines []string) []Event {
	var events []Event
	for len(lines) > 0 {
		line := strings.TrimRight(lines[0], " \t")
		lines = lines[1:]
		if line == "*** End Patch" {
			return events
		}
		if p, ok := strings.CutPrefix(line, "*** Add File: "); ok {
			n := sectionEnd(lines)
			events = append(events, added(p, lines[:n]))
			lines = lines[n:]
		} else if p, ok := strings.CutPrefix(line, "*** Delete File: "); ok {
			events = append(events, Event{Op: Delete, Path: p, Certain: true})
		} else if p, ok := strings.CutPrefix(line, "*** Update File: "); ok {
			n := sectionEnd(lines)
			events = append(events, updated(p, lines[:n])...)
			lines = lines[n:]
		}
	}
	for i := range events { // cut in the middle: nobody carries it out as it stands
		events[i].Certain = false
	}
	return events
}

// sectionEnd returns how many lines belong to the file whose header is read.
func sectionEnd(lines []string) int {
	for i, line := range lines {
		for _, header := range []string{"*** End Patch", "*** Add File: ", "*** Delete File: ", "*** Update File: "} {
			if strings.HasPrefix(line, header) {
				return i
			}
		}
	}
	return len(lines)
}

// added is a new file out of lines that begin with a plus.
func added(p string, lines []string) Event {
	var b strings.Builder
	for _, line := range lines {
		if content, ok := strings.CutPrefix(line, "+"); ok {
			b.WriteString(content)
			b.WriteByte('\n')
		}
	}
	return written(p, b.String(), true)
}

// written is a write of a whole content, which the part that holds it shows.
func written(p, content string, certain bool) Event {
	e := Event{Op: Write, Path: p, Certain: certain}
	if certain {
		c := Copy{First: 1, ToEnd: true}
		c.text, c.Lines = newText(content)
		e.Copies = []Copy{c}
	}
	return e
}

// updated is an edit and perhaps a move.
func updated(p string, lines []string) []Event {
	to := ""
	if len(lines) > 0 {
		if name, ok := strings.CutPrefix(lines[0], "*** Move to: "); ok {
			to, lines = strings.TrimRight(name, " \t"), lines[1:]
		}
	}
	edit := Event{Op: Edit, Path: p, Certain: true}
	var h hunk
	for _, line := range lines {
		if strings.HasPrefix(line, "@@") || line == "*** End of File" {
			edit.Changes = h.flush(edit.Changes)
			continue
		}
		h.add(line)
	}
	edit.Changes = h.flush(edit.Changes)
	var events []Event
	if len(edit.Changes) > 0 || to == "" {
		events = append(events, edit)
	}
	if to != "" {
		events = append(events, Event{Op: Move, Path: p, To: to, Certain: true})
	}
	return events
}

// hunk collects the lines of one place of a file.
type hunk struct {
	old, new []string
	changed  bool
	loose    int // how many lines at its end are context lines only if something follows
	first    int // the line before which it puts something in, where its header says so
}

func (h *hunk) add(line string) {
	if line == "" { // a context line that lost its space, or what separates hunks
		h.old, h.new = append(h.old, ""), append(h.new, "")
		h.loose++
		return
	}
	h.loose = 0
	switch {
	case line[0] == ' ':
		h.old, h.new = append(h.old, line[1:]), append(h.new, line[1:])
	case line[0] == '-':
		h.old, h.changed = append(h.old, line[1:]), true
	case line[0] == '+':
		h.new, h.changed = append(h.new, line[1:]), true
	}
}

// flush appends the hunk's change, if it is one, and begins the next hunk.
func (h *hunk) flush(changes []Change) []Change {
	if h.changed {
		c := Change{Old: wholeLines(h.old[:len(h.old)-h.loose]), New: wholeLines(h.new[:len(h.new)-h.loose])}
		c.Whole = c.Old != ""
		if !c.Whole {
			c.First = -1
			if h.first > 0 {
				c.First, c.Last = h.first, h.first-1
			}
		}
		changes = append(changes, c)
	}
	*h = hunk{}
	return changes
}

// wholeLines joins lines with the end of each, so that none is found within a longer one.
func wholeLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// unifiedDiffs reads the diffs of several files.
func unifiedDiffs(lines []string) []Event {
	var events []Event
	var moved Event // "rename from", until "rename to"
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if p, ok := strings.CutPrefix(line, "rename from "); ok {
			moved = Event{Op: Move, Path: p, Certain: true}
		} else if p, ok := strings.CutPrefix(line, "rename to "); ok && moved.Path != "" {
			moved.To = p
			events = append(events, moved)
			moved = Event{}
		} else if strings.HasPrefix(line, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ") {
			changes, n, whole := hunks(lines[i+2:])
			events = append(events, fileDiff(diffPath(line), diffPath(lines[i+1]), changes, whole, lines[i+2:i+2+n]))
			i += 1 + n
		}
	}
	return events
}

// fileDiff is the event of one file's diff.
func fileDiff(from, to string, changes []Change, whole bool, lines []string) Event {
	switch {
	case to == "":
		return Event{Op: Delete, Path: from, Certain: from != ""}
	case from == "":
		e := added(to, lines)
		e.Certain = whole
		return e
	}
	return Event{Op: Edit, Path: to, Certain: whole, Changes: changes}
}

// diffPath takes the path out of "--- a/p" or "+++ b/p"; it is empty for /dev/null.
func diffPath(line string) string {
	p, _, _ := strings.Cut(line[len("--- "):], "\t")
	p = strings.TrimRight(p, " ")
	if unquoted, err := strconv.Unquote(p); err == nil {
		p = unquoted
	}
	if p == "/dev/null" {
		return ""
	}
	if rest, ok := strings.CutPrefix(p, "a/"); ok && line[0] == '-' {
		return rest
	}
	if rest, ok := strings.CutPrefix(p, "b/"); ok && line[0] == '+' {
		return rest
	}
	return p
}

// hunks reads the hunks that lines begin with, and says how many lines they take. Models
// miscount, so a hunk ends where the next thing begins and not where its header says.
func hunks(lines []string) (changes []Change, n int, whole bool) {
	var h hunk
	inside := false
	for n < len(lines) {
		line := lines[n]
		switch {
		case strings.HasPrefix(line, "@@"):
			changes, inside = h.flush(changes), true
			h.first = hunkLine(line)
		case !inside, strings.HasPrefix(line, "diff "), startsDiff(lines[n:]):
			changes = h.flush(changes)
			return changes, n, len(changes) > 0
		default:
			h.add(line)
		}
		n++
	}
	changes = h.flush(changes)
	return changes, n, len(changes) > 0
}

func startsDiff(lines []string) bool {
	return len(lines) > 1 && strings.HasPrefix(lines[0], "--- ") && strings.HasPrefix(lines[1], "+++ ")
}

// hunkLine returns where a hunk without old lines is put in: behind the line that its
// header "@@ -a,0 +b,n @@" names.
func hunkLine(header string) int {
	_, rest, ok := strings.Cut(header, "-")
	if !ok {
		return 0
	}
	old, _, _ := strings.Cut(rest, " ")
	line, count, _ := strings.Cut(old, ",")
	n, err := strconv.Atoi(line)
	if err != nil || count != "0" || n < 0 || n > 1<<30 {
		return 0
	}
	return n + 1
}

// diffChanges reads a diff of one file whose path is known from elsewhere: hunks, the
// lines of one, or SEARCH/REPLACE blocks. It is empty where it finds neither.
func diffChanges(diff string) []Change {
	lines := patchLines(diff)
	if changes := blockChanges(lines); len(changes) > 0 {
		return changes
	}
	for i, line := range lines {
		if strings.HasPrefix(line, "@@") {
			changes, _, _ := hunks(lines[i:])
			return changes
		}
	}
	var h hunk
	for _, line := range lines {
		if line != "" && !strings.ContainsRune(" +-", rune(line[0])) {
			return nil
		}
		h.add(line)
	}
	return h.flush(nil)
}
