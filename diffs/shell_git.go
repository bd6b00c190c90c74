package diffs

import (
	"path"
	"strings"
)

// gitVerb says what a command of git does to the files of the working tree.
type gitVerb struct {
	effect Effect
	do     func(*follower, *invocation) stream // where the arguments decide
}

var gitVerbs = map[string]gitVerb{}

func init() {
	for names, verb := range map[string]gitVerb{
		"status diff log blame annotate branch rev-parse ls-files ls-tree ls-remote cat-file grep describe remote tag config reflog shortlog rev-list merge-base for-each-ref show-ref fsck diff-tree diff-index diff-files name-rev whatchanged check-ignore var version help count-objects show-branch cherry range-diff verify-pack": {effect: EffectInspect},
		"add commit fetch push gc init notes update-ref prune repack hash-object update-index write-tree read-tree commit-tree symbolic-ref maintenance bundle format-patch archive request-pull":                                                                                                                                       {},
		"merge rebase pull cherry-pick revert clean clone am submodule checkout-index filter-branch filter-repo sparse-checkout lfs subtree bisect":                                                                                                                                                                                     {do: touchesAny},
		"show":             {effect: EffectInspect, do: gitShow},
		"checkout restore": {do: gitCheckout},
		"switch":           {do: gitSwitch},
		"reset":            {do: gitReset},
		"stash":            {do: gitStash},
		"worktree":         {do: gitWorktree},
		"apply":            {do: gitApply},
		"rm":               {do: gitRemove},
		"mv":               {do: runMove},
	} {
		for name := range strings.FieldsSeq(names) {
			gitVerbs[name] = verb
		}
	}
}

// runGit follows git: its own flags, then the verb.
func runGit(f *follower, c *invocation) stream {
	dir := f.dir
	defer func() { f.dir = dir }()
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		switch {
		case w.Text == "-C" && i+1 < len(c.args):
			i++
			if p, ok := f.path(c.args[i]); ok {
				f.dir = p
			} else {
				f.dir = unknownDir
			}
		case listHas("-c --git-dir --work-tree --namespace", w.Text):
			i++
		case strings.HasPrefix(w.Text, "-"):
		default:
			verb, ok := gitVerbs[w.Text]
			if !ok || !w.Literal {
				return stream{} // an alias, or a program of somebody's
			}
			f.change(verb.effect)
			c.name, c.args = "git "+w.Text, c.args[i+1:]
			if verb.do == nil {
				return stream{silent: c.name == "git add"}
			}
			return verb.do(f, c)
		}
	}
	return stream{}
}

func touchesAny(f *follower, c *invocation) stream {
	if !c.has("--dry-run", "-n") {
		f.touchAny()
	}
	return stream{}
}

// gitShow follows git show: of REV:PATH it prints the file as it was.
func gitShow(f *follower, c *invocation) stream {
	if len(c.args) != 1 || !c.args[0].Literal {
		return stream{}
	}
	rev, file, found := strings.Cut(c.args[0].Text, ":")
	if !found || rev == "" && file == "" || file == "" {
		return stream{}
	}
	p, ok := file, true
	if strings.HasPrefix(file, "./") || strings.HasPrefix(file, "../") {
		p, ok = f.join(file) // else it is relative to the top of the repository
	}
	if !ok {
		return stream{}
	}
	return stream{shown: &shownLines{path: p, first: 1, revision: true, reader: "git"}}
}

// gitCheckout follows checkout and restore: of files, or of a branch.
func gitCheckout(f *follower, c *invocation) stream {
	if c.name == "git restore" {
		if c.has("--staged", "-S") && !c.has("--worktree", "-W") {
			return stream{silent: true}
		}
		c.as.values = "-s --source"
		f.gitPaths(c.operands())
		return stream{silent: true}
	}
	for i, w := range c.args {
		if w.Text == "--" {
			f.gitPaths(c.args[i+1:])
			return stream{silent: true}
		}
	}
	operands := c.operands()
	switch {
	case c.has("-b", "-B", "--orphan") && len(operands) == 1:
		f.change(EffectChange) // a new branch at the same commit
	case len(operands) == 1 && operands[0].Literal && looksLikeFile(operands[0].Text):
		f.gitPaths(operands)
	case len(operands) == 2 && looksLikeFile(operands[1].Text):
		f.gitPaths(operands[1:])
	default:
		f.touchAny()
	}
	return stream{}
}

// gitPaths says that git may have changed the files under paths.
func (f *follower) gitPaths(paths []Word) {
	if len(paths) == 0 {
		f.touchAny()
	}
	for _, w := range paths {
		w.Text = strings.TrimPrefix(w.Text, ":/")
		f.touchNamed([]Word{w})
	}
}

func gitSwitch(f *follower, c *invocation) stream {
	if c.has("-c", "-C", "--create", "--orphan") && len(c.operands()) == 1 {
		f.change(EffectChange)
		return stream{}
	}
	f.touchAny()
	return stream{}
}

func gitReset(f *follower, c *invocation) stream {
	if c.has("--hard", "--merge", "--keep") {
		f.touchAny()
	}
	return stream{}
}

func gitStash(f *follower, c *invocation) stream {
	verb := ""
	if len(c.args) > 0 {
		verb = c.args[0].Text
	}
	switch verb {
	case "list", "show":
		f.change(EffectInspect)
	case "drop", "clear", "create", "store":
	default:
		f.touchAny()
	}
	return stream{}
}

func gitWorktree(f *follower, c *invocation) stream {
	if len(c.args) > 0 && c.args[0].Text == "list" {
		f.change(EffectInspect)
	} else {
		f.change(EffectChange)
	}
	return stream{}
}

func gitApply(f *follower, c *invocation) stream {
	c.as.values = "-p -C --directory --exclude --include"
	switch files := c.operands(); {
	case c.has("--check", "--stat", "--numstat", "--summary", "--cached"):
		f.change(EffectInspect)
	case len(files) == 0 && c.in.text != nil && !c.has("-R", "--reverse", "--directory", "-p0"):
		f.patched(*c.in.text, 1)
	default:
		f.touchAny()
	}
	return stream{silent: true}
}

func gitRemove(f *follower, c *invocation) stream {
	if c.has("--cached") {
		return stream{}
	}
	for _, w := range c.operands() {
		if p, ok := f.path(w); ok {
			f.change(EffectChange, Event{Op: Delete, Path: path.Clean(p), Certain: f.sure(p)})
		} else {
			f.touchAny()
		}
	}
	return stream{}
}
