package diffs

import (
	"regexp"
	"strings"

	"github.com/trimkit/trimkit/core"
)

// answer is everything that a call got back.
type answer struct {
	places []Place
	status core.Status
	final  bool    // more than an intermediate result
	shown  []piece // the texts that the view shows
}

// piece is the text of a part.
type piece struct {
	at   Place
	text string
}

// answerOf reads the results of a call.
func answerOf(history []core.Message, results []Place) answer {
	a := answer{places: results}
	for _, at := range results {
		part := &history[at.Msg].Parts[at.Part]
		status := part.Status
		if e := part.Elided; e != nil && (e.Failed || e.Reason == reasonFailed) {
			status = core.StatusFailed
		}
		if status == core.StatusPending {
			continue
		}
		a.final = true
		if status == core.StatusFailed || status == core.StatusDenied || a.status == core.StatusUnknown {
			a.status = status
		}
		if part.Elided == nil && part.Media == nil {
			a.shown = append(a.shown, piece{at, unwrapped(part.Text)})
		}
	}
	return a
}

// banner is what Cline puts above what a tool answers.
var banner = regexp.MustCompile(`\A\[[a-z_]+(?: for '[^\n]*')?\] Result:\n+`)

func unwrapped(s string) string {
	if strings.HasPrefix(s, "[") {
		s = s[len(banner.FindString(s)):]
	}
	return s
}

// text is the first text that is not the harness's own note.
func (a *answer) text() string {
	for _, p := range a.shown {
		if !isReminder(p.text) {
			return p.text
		}
	}
	return ""
}

// isReminder reports whether a text is nothing but a note of the harness.
func isReminder(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "<system-reminder>") && strings.HasSuffix(s, "</system-reminder>") || s == ""
}

// refused is how harnesses say of any tool that it did not run.
var refused = regexp.MustCompile(`\A\s*(?:<tool_use_error>|The user doesn't want to (?:proceed|take this action)|\[Request interrupted by user|Permission to use \S+ has been denied|The user (?:denied|rejected) this|Tool (?:call|execution|use) (?:was )?(?:rejected|denied|cancelled)|The tool call was (?:rejected|denied))`)

// beginning is how much of a result tells its outcome. The rest may be file content, whose
// words mean nothing.
const beginning = 2000

// outcome says whether the tool did what it was called for.
func (t *tool) outcome(a *answer) Outcome {
	switch a.status {
	case core.StatusFailed, core.StatusDenied:
		return Failed
	}
	s := a.text()
	begin := s[:min(len(s), beginning)]
	switch {
	case refused.MatchString(begin):
		return Failed
	case t.failed != nil && t.failed.MatchString(begin) && (t.Does != DoesRead || isSentence(s)):
		return Failed // also where the status is OK: some harnesses mean that the tool answered
	case a.status == core.StatusOK:
		return OK
	case !a.final || len(a.shown) == 0:
		return Unknown
	case t.ok != nil && t.ok.MatchString(begin):
		return OK
	case t.Otherwise == "ok", t.Does == DoesList, t.Does == DoesInspect:
		return OK
	}
	return Unknown
}

// isSentence reports whether a text is short enough to be what a tool says and not what it
// shows.
func isSentence(s string) bool {
	const bytes, lines = 600, 4
	s = strings.TrimSpace(s)
	return len(s) <= bytes && strings.Count(s, "\n") < lines
}

// directory is how tools that read files begin what they say of a folder.
var directory = regexp.MustCompile(`\A\s*(?:Here('s| are) the files and directories|Directory listing for |<path>[^\n]*</path>\s*<type>directory)`)
