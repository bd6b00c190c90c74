package diffs

import (
	"regexp"
	"strconv"
	"strings"
)

// shownLines says which lines of a file a command line prints, and how.
type shownLines struct {
	path     string
	first    int    // number of the first line, from 1
	last     int    // number of the last line; 0: to the end
	tail     int    // not 0: only the last so many
	numbered bool   // each line behind its number in the file, as of cat -n and nl -ba
	revision bool   // an old version, as of git show REV:path: not the file
	reader   string // the program that reads it; see failed
}

// failed reports whether an output is the reader's own error, which in a pipeline the exit
// code does not tell: one short line that begins with its name.
func (s *shownLines) failed(output string) bool {
	output = strings.TrimSpace(output)
	return s.reader != "" && len(output) < 1000 && !strings.Contains(output, "\n") &&
		(strings.HasPrefix(output, s.reader+": ") || strings.HasPrefix(output, "fatal: ") && s.revision)
}

// lines narrows what is shown to its lines first to last, from 1; last 0: to the end. It is
// nil where these have no known number in the file.
func (s *shownLines) lines(first, last int) *shownLines {
	if s == nil || s.tail > 0 || first < 1 || last != 0 && last < first {
		return nil
	}
	n := *s
	n.first = s.first + first - 1
	if last != 0 {
		last += s.first - 1
	}
	if n.last = last; s.last != 0 && (last == 0 || last > s.last) {
		n.last = s.last
	}
	if n.last != 0 && n.first > n.last {
		return nil
	}
	return &n
}

// ends narrows what is shown to its last lines.
func (s *shownLines) ends(count int) *shownLines {
	if s == nil || s.tail > 0 || s.first != 1 || s.last != 0 || count < 1 {
		return nil
	}
	n := *s
	n.tail = count
	return &n
}

// number adds the numbers of the lines in what is shown, which are those of the file only
// if all of it is.
func (s *shownLines) number() *shownLines {
	if s == nil || s.first != 1 || s.tail > 0 || s.numbered {
		return nil
	}
	n := *s
	n.numbered = true
	return &n
}

// sedPrint and the others are the forms of scripts that print one range of lines.
var (
	sedPrint  = regexp.MustCompile(`^(\d+)(?:,(\d+|\$|\+\d+))?p(?:;(\d+)q)?$`)
	sedQuit   = regexp.MustCompile(`^(\d+)q$`)
	sedKeep   = regexp.MustCompile(`^(\d+)(?:,(\d+|\$|\+\d+))?!d$`)
	awkRange  = regexp.MustCompile(`^NR>=(\d+)(?:&&NR<=(\d+))?$`)
	awkUpTo   = regexp.MustCompile(`^NR<=(\d+)$`)
	awkEqual  = regexp.MustCompile(`^NR==(\d+)(?:,NR==(\d+))?$`)
	batRange  = regexp.MustCompile(`^(\d*):(\d*)$`)
	lineCount = regexp.MustCompile(`^\d+$`)
)

// sedRange is the range that a script of sed prints.
func sedRange(script string, quiet bool) (first, last int, ok bool) {
	script = strings.TrimSuffix(strings.Join(strings.Fields(script), ""), ";")
	if m := sedPrint.FindStringSubmatch(script); m != nil && quiet {
		first, last, ok = sedAddresses(m[1], m[2])
		return first, last, ok && (m[3] == "" || m[3] == m[2])
	}
	if m := sedKeep.FindStringSubmatch(script); m != nil && !quiet {
		return sedAddresses(m[1], m[2])
	}
	if m := sedQuit.FindStringSubmatch(script); m != nil && !quiet {
		return 1, smallNumber(m[1]), smallNumber(m[1]) > 0
	}
	return 0, 0, false
}

func sedAddresses(from, to string) (first, last int, ok bool) {
	first = smallNumber(from)
	switch {
	case to == "":
		last = first
	case to == "$":
		last = 0
	case to[0] == '+':
		last = first + smallNumber(to[1:])
	default:
		last = max(first, smallNumber(to)) // sed prints at least the first
	}
	return first, last, first > 0
}

// smallNumber is 0 for what is no number, or too large for one.
func smallNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n > 1<<30 {
		return 0
	}
	return n
}

// awkLines is the range that a program of awk prints.
func awkLines(program string) (first, last int, ok bool) {
	program = strings.Join(strings.Fields(program), "")
	for _, action := range []string{"{print}", "{print$0}"} {
		program = strings.TrimSuffix(program, action)
	}
	if m := awkRange.FindStringSubmatch(program); m != nil {
		return smallNumber(m[1]), smallNumber(m[2]), smallNumber(m[1]) > 0
	}
	if m := awkUpTo.FindStringSubmatch(program); m != nil {
		return 1, smallNumber(m[1]), smallNumber(m[1]) > 0
	}
	if m := awkEqual.FindStringSubmatch(program); m != nil {
		to := m[2]
		if to == "" {
			to = m[1]
		}
		return smallNumber(m[1]), smallNumber(to), smallNumber(m[1]) > 0
	}
	return 0, 0, false
}
