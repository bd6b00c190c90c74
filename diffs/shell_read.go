package diffs

import "strings"

// source is what a reader reads: the one file that it names, or its input.
func (f *follower) source(c *invocation, files []Word) stream {
	if len(files) == 0 || len(files) == 1 && files[0].Text == "-" && files[0].Literal {
		return c.in
	}
	f.change(EffectInspect)
	var out stream
	for _, w := range files {
		if p, ok := f.path(w); ok {
			out.reads = append(out.reads, p)
		}
	}
	if len(files) == 1 && len(out.reads) == 1 {
		out.shown = &shownLines{path: out.reads[0], first: 1, reader: c.name}
	}
	return out
}

// narrowed is a stream of which only some lines are left.
func (s stream) narrowed(to *shownLines) stream {
	return stream{shown: to, reads: s.reads}
}

func runCat(f *follower, c *invocation) stream {
	out := f.source(c, c.operands())
	numbered := false
	for _, w := range c.args {
		switch {
		case w.Text == "-n" || w.Text == "--number":
			numbered = true
		case len(w.Text) > 1 && w.Text[0] == '-' && c.name == "cat":
			return out.narrowed(nil) // -A and the like show something else
		}
	}
	if numbered && c.name == "cat" {
		return out.narrowed(out.shown.number())
	}
	return out
}

func runNl(f *follower, c *invocation) stream {
	out := f.source(c, c.operands())
	style, _ := c.value("-b", "--body-numbering")
	for _, w := range c.args {
		if len(w.Text) > 1 && w.Text[0] == '-' && !strings.HasPrefix(w.Text, "-b") && !strings.HasPrefix(w.Text, "-w") && !strings.HasPrefix(w.Text, "-s") && !strings.HasPrefix(w.Text, "--body") {
			return out.narrowed(nil)
		}
	}
	if style != "a" {
		return out.narrowed(nil) // empty lines have no number
	}
	return out.narrowed(out.shown.number())
}

func runBat(f *follower, c *invocation) stream {
	out := f.source(c, c.operands())
	style, _ := c.value("--style")
	if !c.has("-p", "-pp", "--plain") && style != "plain" {
		return out.narrowed(nil) // frames and numbers
	}
	span, ok := c.value("-r", "--line-range")
	if !ok {
		return out
	}
	m := batRange.FindStringSubmatch(span)
	if m == nil {
		return out.narrowed(nil)
	}
	return out.narrowed(out.shown.lines(max(1, smallNumber(m[1])), smallNumber(m[2])))
}

// counted is the number of lines that head and tail are asked for, with its sign, and what
// is left of the arguments.
func counted(c *invocation) (count string, files []Word, ok bool) {
	if c.has("-c", "--bytes") {
		return "", c.operands(), false
	}
	count = "10"
	rest := *c
	rest.args = nil
	for i, w := range c.args {
		given := i > 0 && (c.args[i-1].Text == "-n" || c.args[i-1].Text == "--lines")
		if !given && len(w.Text) > 1 && w.Text[0] == '-' && lineCount.MatchString(w.Text[1:]) {
			count = w.Text[1:]
			continue
		}
		rest.args = append(rest.args, w)
	}
	if n, given := rest.value("-n", "--lines"); given {
		count = n
	}
	for _, w := range rest.args {
		if len(w.Text) > 1 && w.Text[0] == '-' && !strings.HasPrefix(w.Text, "-n") && !strings.HasPrefix(w.Text, "--lines") && w.Text != "-q" && w.Text != count {
			return "", rest.operands(), false
		}
	}
	return count, rest.operands(), true
}

func runHead(f *follower, c *invocation) stream {
	count, files, ok := counted(c)
	out := f.source(c, files)
	if n := smallNumber(count); ok && n > 0 && lineCount.MatchString(count) {
		return out.narrowed(out.shown.lines(1, n))
	}
	return out.narrowed(nil)
}

func runTail(f *follower, c *invocation) stream {
	count, files, ok := counted(c)
	out := f.source(c, files)
	from, fromStart := strings.CutPrefix(count, "+")
	switch n := smallNumber(strings.TrimPrefix(from, "-")); {
	case !ok || n == 0:
		return out.narrowed(nil)
	case fromStart:
		return out.narrowed(out.shown.lines(n, 0))
	default:
		return out.narrowed(out.shown.ends(n))
	}
}

// runSed follows sed, which prints a range of lines, prints something else, or edits files.
func runSed(f *follower, c *invocation) stream {
	var scripts []string
	files := c.operands()
	literalScript := true
	for i, w := range c.args {
		if (w.Text == "-e" || w.Text == "-ne" || w.Text == "--expression") && i+1 < len(c.args) {
			scripts = append(scripts, c.args[i+1].Text)
			literalScript = literalScript && c.args[i+1].Literal
			if w.Text == "-ne" && len(files) > 0 {
				files = files[1:] // the operand is the script
			}
		}
	}
	inPlace := c.has("-i", "--in-place")
	if inPlace && len(files) > 0 && files[0].Text == "" {
		files = files[1:] // the empty suffix that macOS asks for
	}
	if len(scripts) == 0 && !c.has("-f", "--file") && len(files) > 0 {
		scripts, literalScript = []string{files[0].Text}, files[0].Literal
		files = files[1:]
	}
	if inPlace {
		f.edited(files)
		return stream{silent: true}
	}
	out := f.source(c, files)
	if len(scripts) != 1 || !literalScript || c.has("-z", "-s", "--null-data", "--separate", "--debug") {
		return out.narrowed(nil)
	}
	first, last, ok := sedRange(scripts[0], c.has("-n", "--quiet", "--silent"))
	if !ok {
		return out.narrowed(nil)
	}
	return out.narrowed(out.shown.lines(first, last))
}

// edited says that files were edited in a way that is not known.
func (f *follower) edited(files []Word) {
	if len(files) == 0 {
		f.touchAny()
	}
	for _, w := range files {
		if p, ok := f.path(w); ok {
			f.change(EffectChange, Event{Op: Edit, Path: p, Certain: f.sure(p)})
		} else {
			f.touchAny()
		}
	}
}

func runAwk(f *follower, c *invocation) stream {
	operands := c.operands()
	if c.has("-i") {
		f.touchAny() // -i inplace
		return stream{}
	}
	if len(operands) == 0 || c.has("-f") {
		f.change(EffectInspect)
		return stream{}
	}
	if strings.Contains(operands[0].Text, "> \"") || strings.Contains(operands[0].Text, ">\"") {
		f.touchAny() // it prints into files
		return stream{}
	}
	out := f.source(c, operands[1:])
	first, last, ok := awkLines(operands[0].Text)
	if !ok || !operands[0].Literal {
		f.change(EffectInspect)
		return out.narrowed(nil)
	}
	return out.narrowed(out.shown.lines(first, last))
}

// runEcho follows echo and printf: text that a redirection may put into a file.
func runEcho(_ *follower, c *invocation) stream {
	end, args := "\n", c.args
	if c.name == "printf" {
		if len(args) == 2 && (args[0].Text == `%s\n` || args[0].Text == "%s") {
			end = strings.TrimPrefix(args[0].Text, "%s")
			end = strings.ReplaceAll(end, `\n`, "\n")
			args = args[1:]
		} else if len(args) == 1 && !strings.ContainsAny(args[0].Text, `%\`) {
			end = ""
		} else {
			return stream{}
		}
		return literalStream(args[0].Text+end, args[0].Literal)
	}
	if len(args) > 0 && args[0].Text == "-n" {
		end, args = "", args[1:]
	}
	var b strings.Builder
	known := true
	for i, w := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
		// some shells' echo reads backslashes
		known = known && w.Literal && !strings.Contains(w.Text, `\`) && !(i == 0 && strings.HasPrefix(w.Text, "-"))
	}
	return literalStream(b.String()+end, known)
}

// runList follows ls, tree and find.
func runList(f *follower, c *invocation) stream {
	if c.name == "find" || c.name == "fd" {
		if c.has("-delete", "-fprint") {
			f.touchAny()
			return stream{}
		}
		for i, w := range c.args {
			if listHas("-exec -execdir -ok -x -X --exec", w.Text) {
				f.forEach(c.args[i+1:])
				break
			}
		}
	}
	f.change(EffectInspect)
	return stream{}
}

// forEach follows a command that is run on files that are not known: what it reads is not
// known, what it changes may be anything.
func (f *follower) forEach(command []Word) {
	inner := follower{sh: f.sh, depth: f.depth + 1, folder: f.folder, nested: true, scripts: f.scripts, unread: f.unread}
	if inner.depth > maxShellDepth || len(command) == 0 {
		f.touchAny()
		return
	}
	inner.run(command, stream{})
	f.unread = inner.unread
	f.done.effect = max(f.done.effect, inner.done.effect)
	if inner.done.effect == EffectChange {
		f.touchAny()
	}
}

func runXargs(f *follower, c *invocation) stream {
	for i := 0; i < len(c.args); i++ {
		switch w := c.args[i]; {
		case listHas(c.as.values, w.Text):
			i++
		case strings.HasPrefix(w.Text, "-"):
		default:
			f.forEach(c.args[i:])
			return stream{}
		}
	}
	return stream{} // it echoes
}
