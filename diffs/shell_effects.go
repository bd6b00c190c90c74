package diffs

import (
	"path"
	"slices"
	"strings"
)

// lineEffects is what a command line does to files.
type lineEffects struct {
	events []Event     // in order; their outcome, and the place of their copies, are the caller's
	exit   []bool      // per event: that the line's exit code is 0 says that it happened
	output *shownLines // not nil: when the line succeeds, it prints exactly this
	effect Effect
	dir    string   // the folder in which the line ends; [unknownDir]: it cannot be told
	silent bool     // it prints nothing when all goes well
	runs   []string // scripts that it runs and does not hold: [scriptEvents] says what they do
}

// unknownDir is the folder after a line such as "cd $X": what is relative to it is no known
// file. Given as the folder of the next line, it stays unknown until that says more.
const unknownDir = "?"

// maxShellDepth bounds the lines within lines, as in bash -c "bash -c ...".
const maxShellDepth = 4

// scriptsPerLine is how many times the length of a line may be read as scripts that it runs.
const scriptsPerLine = 8

// shellEffects tells what a command line does when it is run in dir, which is empty for the
// workspace root. Paths come back as they were written, joined with the folder they are
// relative to.
//
// An event is certain where the line alone says which file it is about, and what becomes
// of it; what a command does in a loop or a branch is not. Programs that are unknown, and
// those that run the user's own code (python x.py, ./x), may change any file, but nearly
// always only print: were each taken for a change, every test script would make all copies
// of all files uncertain. So they have no event unless there is a sign of writing: in their
// text where the line holds it, in the name of the script, or in an option.
func shellEffects(sh Shell, line, dir string) lineEffects {
	return effectsWithin(sh, line, dir, 0)
}

func effectsWithin(sh Shell, line, dir string, depth int) lineEffects {
	if sh == nil {
		sh = plainShell
	}
	commands, ok := sh.Parse(line)
	if !ok {
		commands, ok = plainShell.Parse(withoutMessages(line))
	}
	if !ok {
		return guess(line, dir)
	}
	f := follower{sh: sh, depth: depth, folder: folder{dir: dir}, scripts: map[string]string{}, unread: scriptsPerLine * len(line)}
	stopAtErrors(commands)
	succeeded := succeededBy(commands)
	for i := range commands {
		f.command(&commands[i], succeeded[i])
	}
	return f.effects()
}

// stopAtErrors joins the commands of a line that begins with set -e by "&&", which is what
// it means.
func stopAtErrors(commands []Command) {
	if len(commands) < 2 || len(commands[0].Words) < 2 || commands[0].Words[0].Text != "set" {
		return
	}
	option := commands[0].Words[1].Text
	if option == "-o" && len(commands[0].Words) > 2 {
		option = commands[0].Words[2].Text
	}
	if option != "errexit" && (!strings.HasPrefix(option, "-") || !strings.Contains(option, "e")) {
		return
	}
	for i := range commands {
		if c := &commands[i]; c.Before == ";" && !c.Nested {
			c.Before = "&&"
		}
	}
}

// succeededBy says of each command whether exit code 0 of the line says that it ran and
// succeeded: it is the last one, or joined to it by "&&" all the way.
func succeededBy(commands []Command) []bool {
	operators := make([]string, len(commands)) // the one before the pipeline that it is in
	for i, c := range commands {
		if operators[i] = c.Before; i > 0 && commands[i-1].Piped {
			operators[i] = operators[i-1]
		}
	}
	succeeded := make([]bool, len(commands))
	for i := len(commands) - 1; i >= 0; i-- {
		c, inside := &commands[i], i > 0 && (commands[i-1].Piped || commands[i].Nested && commands[i].Before == "")
		if operators[i] == "||" {
			break
		}
		succeeded[i] = !c.Nested && !c.Piped
		if operators[i] != "&&" && !inside {
			break
		}
	}
	for i, c := range commands[:max(0, len(commands)-1)] {
		if leavesLine(c) {
			clear(succeeded[i+1:]) // perhaps none of them ran
			break
		}
	}
	return succeeded
}

// leavesLine reports whether a command may end the line with exit code 0.
func leavesLine(c Command) bool {
	if len(c.Words) == 0 {
		return false
	}
	switch c.Words[0].Text {
	case "exec":
		return len(c.Words) > 1
	case "exit", "return":
		return len(c.Words) == 1 || !c.Words[1].Literal || c.Words[1].Text == "0"
	}
	return false
}

// follower follows the commands of a line.
type follower struct {
	sh    Shell
	depth int

	folder
	around []folder // those of the shells around this one

	succeeded bool // the command that is being followed: see succeededBy
	nested    bool
	pipe      stream // what the command before prints into this one

	scripts map[string]string // files that the line itself writes, by path
	unread  int               // how many bytes of scripts may still be read
	printed []stream          // what reaches the output
	done    lineEffects
}

// folder is where a shell is.
type folder struct {
	dir string
	// doubtful: an earlier change of folder may have failed, so that a relative path is
	// perhaps another file. moved: this becomes so unless "&&" comes next.
	doubtful, moved bool
}

// stream is what a command prints. The zero value is something unknown.
type stream struct {
	silent bool        // nothing, when all goes well
	text   *string     // this text
	shown  *shownLines // lines of a file
	reads  []string
}

// command follows one command with its redirections.
func (f *follower) command(c *Command, succeeded bool) {
	for range c.Opens {
		f.around = append(f.around, f.folder)
	}
	f.succeeded, f.nested = succeeded, c.Nested
	f.doubt(c)
	in := f.input(c)
	f.pipe = stream{}
	out := stream{silent: true}
	if len(c.Words) > 0 {
		out = f.run(c.Words, in)
	}
	out = f.redirected(c, out)
	if c.Nested {
		out = stream{silent: out.silent}
	}
	if c.Piped {
		f.pipe = out
	} else {
		f.print(out)
	}
	for range c.Closes {
		if n := len(f.around); n > 0 {
			f.folder, f.around = f.around[n-1], f.around[:n-1]
		}
	}
}

// doubt takes note of whether this command runs also where a change of folder failed.
func (f *follower) doubt(c *Command) {
	switch {
	case !f.moved || c.Before == "&&" || c.Before == "":
	case c.Before == "||" && len(c.Words) > 0 && (c.Words[0].Text == "exit" || c.Words[0].Text == "return"):
		f.moved = false
	default:
		f.doubtful = true
	}
}

// input is what a command reads, unless it names files.
func (f *follower) input(c *Command) stream {
	in := f.pipe
	for _, r := range c.Redirects {
		switch {
		case r.FD != "" && r.FD != "0":
		case r.Op == "<":
			in = stream{}
			if p, ok := f.path(r.Target); ok {
				in = stream{shown: &shownLines{path: p, first: 1}, reads: []string{p}}
			}
		case r.Op == "<<" || r.Op == "<<-":
			in = literalStream(r.Target.Text, r.Target.Literal)
		case r.Op == "<<<":
			in = literalStream(r.Target.Text+"\n", r.Target.Literal)
		}
	}
	return in
}

func literalStream(text string, known bool) stream {
	if !known {
		return stream{}
	}
	return stream{text: &text}
}

// print takes note of what reaches the output.
func (f *follower) print(out stream) {
	if out.silent {
		return
	}
	for _, p := range out.reads {
		f.change(EffectInspect, Event{Op: Read, Path: p, Certain: f.sure(p)})
	}
	f.printed = append(f.printed, out)
}

// sure reports whether the command at hand runs, and on the file of that path.
func (f *follower) sure(p string) bool {
	outside := path.IsAbs(p) && !strings.HasPrefix(p, strings.TrimSuffix(f.dir, "/")+"/")
	return !f.nested && (!f.doubtful || outside)
}

// change adds events, whose effect on the line is at least that.
func (f *follower) change(effect Effect, events ...Event) {
	f.done.effect = max(f.done.effect, effect)
	for _, e := range events {
		f.done.events = append(f.done.events, e)
		f.done.exit = append(f.done.exit, f.succeeded)
	}
}

// touchAny says that any file may have changed. Twice in a row is said once.
func (f *follower) touchAny() {
	if n := len(f.done.events) - 1; n >= 0 && f.done.events[n].Op == Touch && f.done.events[n].Path == "" {
		f.done.exit[n] = f.done.exit[n] || f.succeeded
		return
	}
	f.change(EffectChange, Event{Op: Touch})
}

// path is the file that a word names.
func (f *follower) path(w Word) (string, bool) {
	home := strings.HasPrefix(w.Text, "~/") && !strings.ContainsAny(w.Text, "$*?[{`")
	switch {
	case home:
		return w.Text, true
	case !w.Literal || w.Text == "":
		return "", false
	}
	return f.join(w.Text)
}

// join is the path of what is relative to the folder.
func (f *follower) join(p string) (string, bool) {
	switch {
	case path.IsAbs(p) || strings.HasPrefix(p, "~/") || isDrive(p):
		return p, true
	case f.dir == unknownDir:
		return "", false
	case f.dir == "":
		return p, true
	}
	return path.Join(f.dir, p) + trailingSlash(p), true
}

// trailingSlash keeps what says that a path is a folder.
func trailingSlash(p string) string {
	if strings.HasSuffix(p, "/") {
		return "/"
	}
	return ""
}

// isDrive reports whether a path begins with the letter of a drive.
func isDrive(p string) bool {
	return len(p) > 2 && isName(p[:1]) && p[1] == ':' && (p[2] == '/' || p[2] == '\\')
}

// effects sums up.
func (f *follower) effects() lineEffects {
	f.done.dir, f.done.silent = f.dir, len(f.printed) == 0
	if len(f.printed) == 1 && !f.doubtful {
		f.done.output = f.printed[0].shown
	}
	f.done.runs = slices.Compact(f.done.runs)
	return f.done
}
