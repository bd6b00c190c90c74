package diffs

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// output is what a command line printed, out of what the harness made of it.
type output struct {
	text   string
	exit   int
	exited bool // exit is known
	fresh  bool // each line has a shell of its own, so that a change of directory does not last
	ran    bool // the harness says that the line ran, at least in part
	whole  bool // nothing is left out of text
	place  workplace
}

// failed reports whether the line is known to have failed.
func (o *output) failed() bool { return o.exited && o.exit != 0 }

// outputForms take a result apart, one harness each; the first that knows it is taken.
var outputForms = []func(string) (output, bool){
	taggedOutput, headedOutput, labelledOutput, jsonOutput, codeAbove, codeBelow, silentOutput,
}

// parseOutput takes the result of a command apart.
func parseOutput(s string) output {
	place, s := findWorkplace(s)
	o := output{text: s}
	for _, form := range outputForms {
		if known, ok := form(s); ok {
			o = known
			o.ran = true
			break
		}
	}
	o.place = place
	if at := strings.LastIndex(o.text, "\n\n<system-reminder>"); at >= 0 && isReminder(o.text[at:]) {
		o.text = o.text[:at]
	}
	_, o.whole = uncut(o.text)
	return o
}

var returnCode = regexp.MustCompile(`\A\s*<returncode>(-?\d+)</returncode>\s*`)

// taggedOutput is mini-swe-agent's.
func taggedOutput(s string) (output, bool) {
	m := returnCode.FindStringSubmatch(s)
	if m == nil {
		return output{}, false
	}
	o := output{exit: signed(m[1]), exited: true, fresh: true}
	_, body, ok := strings.Cut(s, "<output>\n")
	if end := strings.LastIndex(body, "</output>"); ok && end >= 0 {
		o.text = body[:end]
		return o, true
	}
	o.text = s // only its head and its tail
	return o, true
}

var (
	codexHead = regexp.MustCompile(`\A(?:Chunk ID: |Wall time: |Exit code: |Process exited with code )(?:[^\n]*\n){1,8}?Output:\n`)
	codexExit = regexp.MustCompile(`(?m)^(?:Process exited with code|Exit code:) (-?\d+)$`)
)

// headedOutput is Codex's.
func headedOutput(s string) (output, bool) {
	head := codexHead.FindString(s)
	if head == "" {
		return output{}, false
	}
	o := output{text: s[len(head):], fresh: true}
	if m := codexExit.FindStringSubmatch(head); m != nil {
		o.exit, o.exited = signed(m[1]), true
	}
	if strings.Contains(head, "\nTotal output lines: ") {
		_, rest, _ := strings.Cut(o.text, "\n\n")
		o.text = rest + "[truncated" // its middle is left out
	}
	return o, true
}

var (
	geminiHead = regexp.MustCompile(`\A(?:Command: (?:[^\n]*\n)+?Directory: [^\n]*\n)?(?:Output|Stdout): `)
	geminiFoot = regexp.MustCompile(`\n(?:Error: |Stderr: |Exit Code: |Signal: |Background PIDs: |Process Group PGID: )`)
	geminiExit = regexp.MustCompile(`\nExit Code: (-?\d+)`)
)

// labelledOutput is Gemini CLI's. Newer versions leave out what is as usual.
func labelledOutput(s string) (output, bool) {
	head := geminiHead.FindString(s)
	if head == "" {
		return output{}, false
	}
	const end = 2000
	tail := max(len(head), len(s)-end)
	foot := geminiFoot.FindStringIndex(s[tail:])
	if foot == nil {
		return output{text: s[len(head):], fresh: true}, !strings.HasPrefix(s, "Output: ")
	}
	body, footer := s[len(head):tail+foot[0]], s[tail+foot[0]:]
	o := output{text: body, fresh: true, exited: true}
	if m := geminiExit.FindStringSubmatch(footer); m != nil {
		o.exit = signed(m[1])
	}
	if o.text == "(empty)" {
		o.text = ""
	}
	return o, true
}

// jsonOutput is that of Codex's and of mini-swe-agent's results that are JSON.
func jsonOutput(s string) (output, bool) {
	if !strings.HasPrefix(s, "{") {
		return output{}, false
	}
	var r struct {
		Output     *string `json:"output"`
		ReturnCode *int    `json:"returncode"`
		Metadata   struct {
			ExitCode *int `json:"exit_code"`
		} `json:"metadata"`
	}
	if json.Unmarshal([]byte(s), &r) != nil || r.Output == nil {
		return output{}, false
	}
	for _, code := range []*int{r.Metadata.ExitCode, r.ReturnCode} {
		if code != nil {
			return output{text: *r.Output, exit: *code, exited: true, fresh: true}, true
		}
	}
	return output{}, false
}

var exitAbove = regexp.MustCompile(`\A(?:Error: )?Exit code (\d+)(?:\n|\z)`)

// codeAbove is Claude Code's for a code that is not 0.
func codeAbove(s string) (output, bool) {
	m := exitAbove.FindStringSubmatch(s)
	if m == nil {
		return output{}, false
	}
	return output{text: s[len(m[0]):], exit: signed(m[1]), exited: true}, true
}

// tellsFailure reports whether a result is that of a tool which says so when a command
// fails, and only then: pi's, which runs each line in a shell of its own. Its other results
// are of commands that succeeded.
func tellsFailure(s string) bool {
	end := s[max(0, len(s)-100):]
	return strings.Contains(end, "exited with code") && exitAtEnd.MatchString(end)
}

var exitAtEnd = regexp.MustCompile(`(?:\A|\n)Command exited with code \d+\s*\z`)

var exitBelow = regexp.MustCompile(`\s*(?:\[The command completed with exit code (-?\d+)\.\]|\[Command finished with exit code (-?\d+)\]|(?:\A|\n)Command exited with code (\d+)\s*\z)`)

// codeBelow is OpenHands', and pi's for a code that is not 0.
func codeBelow(s string) (output, bool) {
	const end = 1000
	from := max(0, len(s)-end)
	var m []int
	if strings.Contains(s[from:], " exit") {
		m = exitBelow.FindStringSubmatchIndex(s[from:])
	}
	if m == nil {
		return output{}, false
	}
	o := output{text: s[:from+m[0]], exited: true}
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			o.exit = signed(s[from+m[i] : from+m[i+1]])
		}
	}
	if o.text == "(no output)" {
		o.text = ""
	}
	return o, true
}

// silent are the whole results of lines that printed nothing, where the harness says so.
var silent = []string{
	"Your command ran successfully and did not produce any output.",
	"[Command executed successfully with no output]",
	"Tool ran without output or errors",
}

var exitStated = regexp.MustCompile("(?s)\\ACommand `.*` executed with exit code (-?\\d+)\\.\\z")

func silentOutput(s string) (output, bool) {
	s = strings.TrimSpace(s)
	if m := exitStated.FindStringSubmatch(s); m != nil {
		return output{exit: signed(m[1]), exited: true}, true
	}
	if slices.Contains(silent, s) {
		return output{exited: true}, true
	}
	return output{}, s == "(no output)"
}

// signed is a number of few digits.
func signed(s string) int {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return -atoi(rest)
	}
	return atoi(s)
}

// copyOf is the copy that an output is of the lines that the command line prints. sure says
// that the first line is the one that it is taken for: some harnesses cut white space off
// both ends of an output, so that a file that begins with an empty line seems to begin with
// its second. Where the last line's end is still there, or as many lines as asked for,
// nothing was cut.
func (o *output) copyOf(s *shownLines) (c Copy, sure, ok bool) {
	if s == nil || s.revision || o.failed() || o.text == "" || s.failed(o.text) {
		return c, false, false
	}
	if s.numbered {
		n, ok := numberedText(o.text, false)
		c = Copy{First: n.first, Lines: n.lines, text: n.text}
		c.ToEnd = o.whole && s.last == 0 && strings.TrimSpace(n.rest) == ""
		return c, ok, ok && n.sep == "\t" && (s.tail > 0 || n.first == s.first)
	}
	if !o.whole || s.tail > 0 || s.first == 0 {
		return c, false, false
	}
	c.First = s.first
	c.text, c.Lines = newText(o.text)
	raw := strings.HasSuffix(o.text, "\n")
	if s.last == 0 {
		c.ToEnd = true
		return c, raw, true
	}
	want := s.last - s.first + 1
	c.ToEnd = raw && c.Lines < want
	return c, raw || c.Lines == want, c.Lines <= want
}
