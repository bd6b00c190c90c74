package diffs

import (
	"path"
	"strings"
)

// invocation is a command without what wraps it.
type invocation struct {
	name string // as it was written, or what a wrapper makes of it
	args []Word
	in   stream
	as   program // its row of the table; the zero value for a program that is not known
}

// run follows one call of a program, and returns what it prints.
func (f *follower) run(words []Word, in stream) stream {
	words = unwrap(words)
	if len(words) == 0 {
		return stream{silent: true}
	}
	if !words[0].Literal {
		return stream{}
	}
	c := invocation{name: words[0].Text, args: words[1:], in: in}
	base := strings.TrimSuffix(path.Base(c.name), ".exe")
	row, known := programs[base]
	switch {
	case known && !isOwn(c.name):
		c.name = base
	case strings.Contains(c.name, "/") || isScript(c.name):
		f.script(words[0])
		return stream{}
	default:
		return stream{}
	}
	if row.subs {
		row = f.sub(&c, row)
	}
	c.as = row
	if row.do != nil {
		return row.do(f, &c)
	}
	f.plain(&c)
	return stream{silent: row.silent}
}

// isOwn reports whether a program is one of the user's, in the folder itself or the one
// above, and has a name like another's only by chance.
func isOwn(name string) bool {
	dir, base := path.Split(name)
	return (dir == "./" || dir == "../") && base != "gradlew" && base != "mvnw"
}

// sub finds the row of a program's sub-command, and takes it out of the arguments.
func (f *follower) sub(c *invocation, row program) program {
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i].Text
		switch {
		case listHas(row.values, arg):
			i++
		case strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "+"):
		default:
			key := c.name + " " + arg
			sub, ok := programs[key]
			if !ok || !c.args[i].Literal {
				return row
			}
			c.name = key
			c.args = append(append([]Word{}, c.args[:i]...), c.args[i+1:]...)
			return sub
		}
	}
	return row
}

// plain follows a program of which the table says everything.
func (f *follower) plain(c *invocation) {
	if c.onlyAsks() {
		f.change(EffectInspect)
		return
	}
	row := &c.as
	changes := row.effect == EffectChange
	if row.with != "" && !c.has(strings.Fields(row.with)...) || row.without != "" && c.has(strings.Fields(row.without)...) {
		changes = false
		f.change(row.otherwise)
	} else {
		f.change(row.effect)
	}
	if !changes {
		return
	}
	switch row.files {
	case filesNone:
	case filesAny:
		f.touchAny()
	case filesNamed:
		f.touchNamed(c.operands())
	}
}

// onlyAsks reports whether a program is asked what it is, or what it would do.
func (c *invocation) onlyAsks() bool { return c.has("--help", "--version", "--dry-run") }

// touchNamed says that the named files may have changed; for a folder, a glob, or without a
// name any file.
func (f *follower) touchNamed(files []Word) {
	if len(files) == 0 {
		f.touchAny()
	}
	for _, w := range files {
		if p, ok := f.path(w); ok && looksLikeFile(p) {
			f.change(EffectChange, Event{Op: Touch, Path: p, Certain: f.sure(p)})
		} else {
			f.touchAny()
		}
	}
}

// looksLikeFile reports whether a path has the look of a file rather than of a folder or of
// the name of a branch: it has an extension that begins with a letter, behind a name that
// does, or is well known.
func looksLikeFile(p string) bool {
	base := path.Base(p)
	if strings.HasSuffix(p, "/") || strings.Trim(base, ".") == "" {
		return false
	}
	switch base {
	case "Makefile", "Dockerfile", "LICENSE", "README", "Gemfile", "Rakefile", "Justfile", "Procfile":
		return true
	}
	dot := strings.LastIndexByte(base, '.')
	return dot > 0 && dot+1 < len(base) && isName(base[dot+1:dot+2])
}

// has reports whether one of the flags is given; a short one also among others, as in -ni,
// and a long one with a value, as in --in-place=.bak.
func (c *invocation) has(flags ...string) bool {
	for _, w := range c.args {
		if w.Text == "--" {
			return false
		}
		for _, flag := range flags {
			if w.Text == flag || strings.HasPrefix(flag, "--") && strings.HasPrefix(w.Text, flag+"=") {
				return true
			}
			if c.as.cluster && len(flag) == 2 && len(w.Text) > 2 && w.Text[0] == '-' && w.Text[1] != '-' && strings.Contains(w.Text, flag[1:]) {
				return true
			}
		}
	}
	return false
}

// operands are the arguments that are neither flags nor their values.
func (c *invocation) operands() []Word {
	var rest []Word
	for i := 0; i < len(c.args); i++ {
		switch w := c.args[i]; {
		case w.Text == "--" && w.Literal:
			return append(rest, c.args[i+1:]...)
		case listHas(c.as.values, w.Text):
			i++
		case len(w.Text) > 1 && w.Text[0] == '-':
		default:
			rest = append(rest, w)
		}
	}
	return rest
}

// value is what is given with one of the flags, as "-n 5", "-n5" or "--lines=5".
func (c *invocation) value(flags ...string) (string, bool) {
	for i, w := range c.args {
		for _, flag := range flags {
			switch {
			case w.Text == flag && i+1 < len(c.args):
				return c.args[i+1].Text, true
			case strings.HasPrefix(flag, "--") && strings.HasPrefix(w.Text, flag+"="):
				return w.Text[len(flag)+1:], true
			case len(flag) == 2 && len(w.Text) > 2 && strings.HasPrefix(w.Text, flag) && w.Text[1] != '-':
				return w.Text[2:], true
			}
		}
	}
	return "", false
}

// listHas reports whether a word is one of a list of words.
func listHas(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
