package diffs

import (
	"regexp"
	"strings"
)

// runningTasks and changingTasks are words in the names of tasks (make test, npm run
// lint:fix) that say what the task is for. The changing ones are looked for first.
var (
	changingTasks = regexp.MustCompile(`(?i)(^|[^a-z])(fix|fmt|format|pretty|prettier|gen|generate|codegen|install|update|upgrade|migrate|makemigrations|deps|tidy|clean|setup|init|sync|bump|release|version|add|new|create|startapp|vendor|mod|proto|wrapper|write)([^a-z]|$)`)
	runningTasks  = regexp.MustCompile(`(?i)(^|[^a-z])(test|tests|unittest|unit|e2e|integration|check|checks|lint|vet|ci|verify|validate|typecheck|tsc|types|type|build|compile|bench|benchmark|cover|coverage|dev|start|serve|runserver|shell|assemble|package|doctest|spec)([^a-z]|$)`)
)

// runTask follows make, just, mise, mvn and other programs whose operands are tasks.
func runTask(f *follower, c *invocation) stream {
	if c.has("-n", "--just-print") || c.onlyAsks() {
		f.change(EffectInspect)
		return stream{}
	}
	for i, w := range c.args {
		if w.Text == "--" {
			c.args = c.args[:i] // what follows are arguments of the task
			break
		}
	}
	tasks := c.operands()
	switch {
	case c.name == "mise" && len(tasks) > 0 && listHas("run r task", tasks[0].Text):
		tasks = tasks[1:]
	case c.name == "mise" && len(tasks) > 0 && listHas("ls list current which where doctor tasks trust settings env", tasks[0].Text):
		f.change(EffectInspect)
		return stream{}
	case strings.HasPrefix(c.name, "mvn") || strings.HasPrefix(c.name, "gradle"):
		if len(tasks) == 0 {
			f.change(EffectRun)
			return stream{}
		}
		for i, w := range tasks {
			// install puts the package into a repository outside of the tree
			if w.Text == "install" || w.Text == "clean" {
				tasks[i].Text = "build"
			}
		}
	}
	f.namedTask(tasks, false)
	return stream{}
}

// namedTask follows tasks by their names: one that says nothing may change any file, unless
// it is one among many of a program of the user's own, which does so rarely.
func (f *follower) namedTask(tasks []Word, first bool) {
	if first && len(tasks) > 1 {
		tasks = tasks[:1] // what follows are its arguments
	}
	if len(tasks) == 0 && !first {
		f.touchAny()
	}
	for _, w := range tasks {
		switch {
		case strings.Contains(w.Text, "=") || strings.HasPrefix(w.Text, "-"):
		case changingTasks.MatchString(w.Text):
			f.touchAny()
		case runningTasks.MatchString(w.Text):
			f.change(EffectRun)
		case !first:
			f.touchAny()
		}
	}
}

// runManager follows npm, pip, apt and the like: some of their verbs only look, some run
// a task of the project, and the others install.
func runManager(f *follower, c *invocation) stream {
	if c.onlyAsks() {
		f.change(EffectInspect)
		return stream{}
	}
	operands := c.operands()
	if len(operands) == 0 {
		if c.name == "yarn" || c.name == "bundle" {
			f.touchAny()
		}
		return stream{}
	}
	switch verb := operands[0].Text; {
	case listHas("list ls show info view outdated why search freeze check audit config cache help search policy metadata env tree doctor root bin prefix whoami ping explain licenses query", verb):
		f.change(EffectInspect)
	case listHas("test t tst", verb):
		f.change(EffectRun)
	case listHas("run run-script", verb):
		f.namedTask(operands[1:], true)
		if len(operands) > 1 && !runningTasks.MatchString(operands[1].Text) {
			f.touchAny()
		}
	case listHas("exec dlx x", verb) && listHas("npm pnpm yarn bun", c.name):
		return f.run(wordsAfter(c.args, verb), c.in)
	case listHas("yarn pnpm bun", c.name) && runningTasks.MatchString(verb) && !changingTasks.MatchString(verb):
		f.change(EffectRun)
	case listHas("start build pack publish login logout link", verb):
		f.change(EffectRun)
	default:
		f.touchAny()
	}
	return stream{}
}

// wordsAfter are the words behind the first that is the verb, without the flags that follow it.
func wordsAfter(words []Word, verb string) []Word {
	for i, w := range words {
		if w.Text != verb {
			continue
		}
		rest := words[i+1:]
		for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
			rest = rest[1:]
		}
		return rest
	}
	return nil
}
