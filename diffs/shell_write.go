package diffs

import (
	"path"
	"strings"
)

// redirected follows the redirections of a command's output, and returns what is left of it.
func (f *follower) redirected(c *Command, out stream) stream {
	for _, r := range c.Redirects {
		appends := r.Op == ">>" || r.Op == "&>>"
		both := strings.HasPrefix(r.Op, "&")
		switch {
		case appends || both || r.Op == ">" || r.Op == ">|":
		case r.Op == ">&" && !isNumber(r.Target.Text) && r.Target.Text != "-" && (r.FD == "" || r.FD == "1"):
			both = true
		default:
			continue
		}
		written := stream{}
		if stdout := both || r.FD == "" || r.FD == "1"; stdout {
			if written = out; both {
				written.text = nil // the errors, too
			}
			out = stream{silent: true}
		}
		f.written(r.Target, written, appends)
	}
	return out
}

// written says that a file was given what a stream holds, or that this was appended to it.
func (f *follower) written(file Word, s stream, appends bool) {
	if strings.HasPrefix(file.Text, "/dev/") {
		return
	}
	p, ok := f.path(file)
	if !ok {
		f.touchAny()
		return
	}
	e := Event{Op: Write, Path: p, Certain: f.sure(p)}
	if appends {
		e.Op = Edit
	}
	switch {
	case s.text == nil:
	case appends:
		e.Changes = []Change{{New: *s.text, First: -1}}
	case *s.text != "":
		content, lines := newText(*s.text)
		e.Copies = []Copy{{First: 1, Lines: lines, ToEnd: true, text: content}}
		f.scripts[p] = *s.text
	}
	if e.Copies == nil {
		delete(f.scripts, p)
	}
	f.change(EffectChange, e)
}

func runTee(f *follower, c *invocation) stream {
	appends := c.has("-a", "--append")
	for _, w := range c.operands() {
		f.written(w, c.in, appends)
	}
	return c.in
}

// maxFolder is how long the path of a folder may be: no system has longer ones, and a line
// could go on and on into "a".
const maxFolder = 4096

// runCd follows cd, pushd and popd.
func runCd(f *follower, c *invocation) stream {
	f.moved = true
	to := c.operands()
	switch {
	case f.nested || len(to) != 1 || !to[0].Literal || to[0].Text == "-" || c.name == "popd":
		f.dir = unknownDir
		if len(to) == 1 && strings.HasPrefix(to[0].Text, "~/") && !strings.ContainsAny(to[0].Text, "$*?[{`") {
			f.dir = to[0].Text
		}
	default:
		if p, ok := f.join(to[0].Text); ok {
			f.dir = path.Clean(p)
		}
		if len(f.dir) > maxFolder {
			f.dir = unknownDir
		}
	}
	return stream{silent: true}
}

// destinations are where the sources of mv and cp go: to is a folder, or the new name of
// the one source. It is sure where the line says which.
func (f *follower) destination(c *invocation) (sources []Word, to Word, folder, sure bool) {
	sources = c.operands()
	if dir, ok := c.value("-t", "--target-directory"); ok {
		return sources, Word{Text: dir, Literal: true}, true, true
	}
	if len(sources) < 2 {
		return nil, Word{}, false, false
	}
	to, sources = sources[len(sources)-1], sources[:len(sources)-1]
	switch {
	case len(sources) > 1 || strings.HasSuffix(to.Text, "/") || to.Text == "." || to.Text == ".." || strings.HasSuffix(to.Text, "/.."):
		return sources, to, true, true
	case looksLikeFile(to.Text) && looksLikeFile(sources[0].Text), path.Base(to.Text) == path.Base(sources[0].Text):
		return sources, to, false, true
	}
	return sources, to, false, false
}

func runMove(f *follower, c *invocation) stream {
	sources, to, folder, sure := f.destination(c)
	f.change(EffectChange)
	for _, source := range sources {
		from, ok := f.path(source)
		target, known := f.path(to)
		if !ok || !known { // something is gone, and nobody knows where to
			f.change(EffectChange, Event{Op: Move, Path: from})
			f.touchAny()
			continue
		}
		if folder {
			target = path.Join(target, path.Base(from))
		}
		if sure && looksLikeFile(from) {
			f.change(EffectChange, Event{Op: Move, Path: from, To: target, Certain: f.sure(from)})
			continue
		}
		f.change(EffectChange, Event{Op: Move, Path: from, To: target}) // there, or below it
		if looksLikeFile(from) {
			f.touchEither(target, from)
		} else {
			f.touchAny() // perhaps a folder, with all that is in it
		}
	}
	return stream{silent: true}
}

// touchEither is for a target that is a file or a folder: one of two files is written.
func (f *follower) touchEither(target, source string) {
	f.change(EffectChange,
		Event{Op: Touch, Path: target},
		Event{Op: Touch, Path: path.Join(target, path.Base(source))})
}

// runCopy follows cp, install, ln and rsync.
func runCopy(f *follower, c *invocation) stream {
	f.change(EffectChange)
	if c.has("-r", "-R", "-a", "--recursive", "--archive") {
		f.touchAny()
		return stream{silent: true}
	}
	sources, to, folder, sure := f.destination(c)
	target, known := f.path(to)
	switch {
	case !known:
		f.touchAny()
		return stream{silent: true}
	case !sure:
		f.touchEither(target, sources[0].Text)
		return stream{silent: true}
	}
	for _, source := range sources {
		p := target
		if folder {
			if !source.Literal {
				f.touchAny()
				continue
			}
			p = path.Join(target, path.Base(source.Text))
		}
		delete(f.scripts, p)
		f.change(EffectChange, Event{Op: Write, Path: p, Certain: f.sure(p)})
	}
	return stream{silent: true}
}

func runRemove(f *follower, c *invocation) stream {
	f.change(EffectChange)
	for _, w := range c.operands() {
		if p, ok := f.path(w); ok {
			f.change(EffectChange, Event{Op: Delete, Path: path.Clean(p), Certain: f.sure(p)})
		} else {
			f.touchAny()
		}
	}
	return stream{silent: true}
}

func runTouch(f *follower, c *invocation) stream {
	f.change(EffectChange)
	for _, w := range c.operands() {
		if p, ok := f.path(w); ok {
			f.change(EffectChange, Event{Op: Touch, Path: p, Certain: f.sure(p)})
		} else {
			f.touchAny()
		}
	}
	return stream{silent: true}
}

func runDd(f *follower, c *invocation) stream {
	for _, w := range c.args {
		if p, ok := strings.CutPrefix(w.Text, "of="); ok {
			f.written(Word{Text: p, Literal: w.Literal}, stream{}, false)
		}
	}
	return stream{}
}

func runTar(f *follower, c *invocation) stream {
	mode := ""
	if len(c.args) > 0 {
		mode = c.args[0].Text
	}
	switch {
	case strings.HasPrefix(mode, "--list") || strings.Contains(mode, "t") && !strings.HasPrefix(mode, "--"):
		f.change(EffectInspect)
	case strings.Contains(mode, "c") && !strings.HasPrefix(mode, "--"):
		f.change(EffectChange) // an archive is a new file
	default:
		f.touchAny()
	}
	return stream{}
}

// runApplyPatch follows the envelope of apply_patch, given as an argument or as the input.
func runApplyPatch(f *follower, c *invocation) stream {
	switch {
	case len(c.args) > 0 && c.args[0].Literal:
		f.patched(c.args[0].Text, 0)
	case len(c.args) == 0 && c.in.text != nil:
		f.patched(*c.in.text, 0)
	default:
		f.touchAny()
	}
	return stream{}
}

// runPatch follows patch: what it does is known if the line holds the patch.
func runPatch(f *follower, c *invocation) stream {
	switch files := c.operands(); {
	case c.onlyAsks():
		f.change(EffectInspect)
	case len(files) > 0:
		f.edited(files[:1])
	case c.in.text != nil && !c.has("-R", "-d", "--reverse", "--directory"):
		strip, _ := c.value("-p", "--strip")
		f.patched(*c.in.text, smallNumber(strip))
	default:
		f.touchAny()
	}
	return stream{}
}

// patched adds the events of a patch, from whose paths so many folders are stripped: the
// usual one, a/ or b/, is stripped by parsePatch.
func (f *follower) patched(text string, strip int) {
	events := parsePatch(text)
	if len(events) == 0 || strip > 1 {
		f.touchAny()
		return
	}
	for _, e := range events {
		p, ok := f.join(e.Path)
		if !ok || e.Path == "" {
			f.touchAny()
			continue
		}
		e.Path = p
		if e.To != "" {
			e.To, _ = f.join(e.To)
		}
		e.Certain = e.Certain && f.sure(p)
		f.change(EffectChange, e)
	}
}
