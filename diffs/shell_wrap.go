package diffs

import (
	"path"
	"strings"
)

// wrapper is a program whose arguments are a command.
type wrapper struct {
	values      string // flags that take a value
	operands    int    // arguments of its own before the command
	assignments bool   // NAME=VALUE may stand before it
	sub         string // its sub-command that runs one
}

// wrappers leave what their command does as it is.
var wrappers = map[string]wrapper{
	"sudo":       {values: "-u -g -h -p -C -D -R -T -U --user --group", assignments: true},
	"doas":       {values: "-u -C"},
	"env":        {values: "-u -C --unset --chdir", assignments: true},
	"time":       {values: "-f -o --format --output"},
	"gtime":      {values: "-f -o"},
	"timeout":    {values: "-k -s --kill-after --signal", operands: 1},
	"gtimeout":   {values: "-k -s", operands: 1},
	"nice":       {values: "-n --adjustment"},
	"ionice":     {values: "-c -n -p"},
	"nohup":      {},
	"setsid":     {},
	"stdbuf":     {values: "-i -o -e"},
	"command":    {},
	"builtin":    {},
	"exec":       {values: "-a"},
	"caffeinate": {values: "-t -w"},
	"xvfb-run":   {values: "-s -n -e"},
	"unbuffer":   {},
	"npx":        {values: "-p --package -c"},
	"bunx":       {},
	"pnpx":       {},
	"uvx":        {values: "--from --with --python"},
	"pipx":       {sub: "run", values: "--spec"},
	"uv":         {sub: "run", values: "--with --python --extra --group --project --directory"},
	"poetry":     {sub: "run", values: "-C --directory"},
	"pipenv":     {sub: "run"},
	"pdm":        {sub: "run", values: "-p"},
	"hatch":      {sub: "run", values: "-e"},
	"rye":        {sub: "run"},
	"conda":      {sub: "run", values: "-n -p --name --prefix"},
	"bundle":     {sub: "exec"},
	"mise":       {sub: "exec", values: "-C"},
	"direnv":     {sub: "exec", operands: 1},
}

// unwrap removes the wrappers around a command.
func unwrap(words []Word) []Word {
	for len(words) > 0 && words[0].Literal {
		w, ok := wrappers[path.Base(words[0].Text)]
		if !ok {
			return words
		}
		rest := words[1:]
		if w.sub != "" {
			at := flagsEnd(rest, w)
			if at == len(rest) || rest[at].Text != w.sub {
				return words
			}
			rest = rest[at+1:]
		} else if words[0].Text == "command" && len(rest) > 0 && (rest[0].Text == "-v" || rest[0].Text == "-V") {
			return words
		}
		rest = rest[flagsEnd(rest, w):]
		words = rest[min(w.operands, len(rest)):]
	}
	return words
}

// flagsEnd is the number of words that are a wrapper's own.
func flagsEnd(words []Word, w wrapper) int {
	for i := 0; i < len(words); i++ {
		switch arg := words[i].Text; {
		case arg == "--":
			return i + 1
		case listHas(w.values, arg):
			i++
		case strings.HasPrefix(arg, "-"):
		case w.assignments && isAssignment(arg):
		default:
			return i
		}
	}
	return len(words)
}

// runShell follows bash, sh and the like: with -c a line, else a script.
func runShell(f *follower, c *invocation) stream {
	for i, w := range c.args {
		isFlag := strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--")
		switch {
		case isFlag && strings.Contains(w.Text, "c") && i+1 < len(c.args):
			return f.inner(c.args[i+1], false)
		case strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "+"):
		default:
			f.script(w)
			return stream{}
		}
	}
	if c.in.text != nil {
		return f.inner(Word{Text: *c.in.text, Literal: true}, false)
	}
	return stream{}
}

// runEval follows eval, whose line runs in this very shell.
func runEval(f *follower, c *invocation) stream {
	words, known := make([]string, len(c.args)), true
	for i, w := range c.args {
		words[i] = w.Text
		known = known && w.Literal
	}
	return f.inner(Word{Text: strings.Join(words, " "), Literal: known}, true)
}

// inner follows a line within the line. What the shell around it expands in it is not known:
// it is read as if nothing were expanded.
func (f *follower) inner(line Word, here bool) stream {
	if f.depth >= maxShellDepth {
		f.touchAny()
		return stream{}
	}
	fx := effectsWithin(f.sh, line.Text, f.dir, f.depth+1)
	for i, e := range fx.events {
		e.Certain = e.Certain && line.Literal && f.sure(e.Path)
		f.done.events = append(f.done.events, e)
		f.done.exit = append(f.done.exit, f.succeeded && fx.exit[i])
	}
	f.done.effect = max(f.done.effect, fx.effect)
	f.done.runs = append(f.done.runs, fx.runs...)
	if here {
		f.dir = fx.dir
	}
	if !line.Literal {
		return stream{}
	}
	return stream{shown: fx.output, silent: fx.silent}
}
