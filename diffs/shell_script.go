package diffs

import (
	"path"
	"regexp"
	"strings"
)

// script follows the start of a script: what the line itself wrote is read, a name that
// says that it writes is believed, and of others the caller is told.
func (f *follower) script(w Word) {
	p, ok := f.path(w)
	if text, held := f.scripts[p]; ok && held {
		f.scriptText(p, text)
		return
	}
	if writesByName(path.Base(w.Text)) {
		f.touchAny()
	}
	if ok {
		f.done.runs = append(f.done.runs, p)
	}
}

// scriptText follows a script that is known. A line may run one very often, and each time it
// is read: that has a bound.
func (f *follower) scriptText(name, text string) {
	if f.unread -= len(text); f.unread < 0 {
		f.touchAny()
		return
	}
	if path.Ext(name) == ".sh" || strings.HasPrefix(text, "#!/bin/sh") || strings.HasPrefix(text, "#!/bin/bash") || strings.HasPrefix(text, "#!/usr/bin/env bash") {
		nested := f.nested
		f.nested = true
		f.inner(Word{Text: text, Literal: true}, false)
		f.nested = nested
		return
	}
	for _, e := range scriptEvents(text, f.dir) {
		if e.Path == "" {
			f.touchAny()
		} else {
			f.change(EffectChange, e)
		}
	}
}

// writingNames are verbs with which the names of scripts begin that change files.
var writingNames = regexp.MustCompile(`(?i)^(auto[_-]?)?(fix|update|patch|apply|insert|replace|modify|rewrite|migrate|codemod|refactor|rename|bump|restore|revert|generate|gen|codegen|fmt|format|remove|install)([_.-]|\d|$)`)

func writesByName(base string) bool { return writingNames.MatchString(base) }

// isScript reports whether the name of a program is that of a script.
func isScript(name string) bool {
	return listHas(".py .sh .js .mjs .cjs .ts .rb .pl .php .bash", path.Ext(name))
}

// anyWrite matches each place in a script of Python, JavaScript, Ruby or Perl that writes,
// removes or moves a file.
var anyWrite = regexp.MustCompile(strings.Join([]string{
	`\bopen\([^\n]*,\s*(?:mode\s*=\s*)?['"](?:[wax]b?t?\+?|r\+b?|\+?[<>]+)['"]`,
	`\.write_(?:text|bytes)\(`, `\bfileinput\.`, `\bos\.(?:rename|replace|remove|unlink)\(`,
	`\bshutil\.(?:copy\w*|move|rmtree)\(`, `\.to_csv\(`, `\bos\.system\(\s*['"](?:git|sed|mv|cp|rm|patch)\b`,
	`\['(?:git|sed|mv|cp|rm|patch)',\s*'(?:checkout|apply|stash|reset|-)`,
	`\b(?:writeFile|appendFile|outputFile|rename|rm|unlink|copyFile|cp)Sync\(`, `\b(?:writeFile|appendFile|createWriteStream)\(`,
	`\bFile\.write\(`, `\bFileUtils\.`, `\bunlink\b`,
}, "|"))

// Where such a place names its file, by a literal (in the first group) or by a variable (in
// the second).
var (
	quotedOrName = `(?:f?['"` + "`" + `]([^'"` + "`" + `\n]*)['"` + "`" + `]|([A-Za-z_]\w*))`
	namedWrites  = []*regexp.Regexp{
		regexp.MustCompile(`\bopen\(\s*` + quotedOrName + `\s*,\s*(?:mode\s*=\s*)?['"](?:[wax]b?t?\+?|r\+b?)['"]`),
		regexp.MustCompile(`\bPath\(\s*` + quotedOrName + `\s*\)\s*\.\s*(?:write_text|write_bytes|unlink)\(`),
		regexp.MustCompile(`\b(?:writeFile|appendFile|unlink|rm|outputFile)(?:Sync)?\(\s*` + quotedOrName + `\s*[,)]`),
		regexp.MustCompile(`\bcreateWriteStream\(\s*` + quotedOrName + `\s*[,)]`),
		regexp.MustCompile(`\bFile\.write\(\s*` + quotedOrName + `\s*,`),
		regexp.MustCompile(`()\b([A-Za-z_]\w*)\.(?:write_text|write_bytes|unlink)\(`),
	}
	assigned  = regexp.MustCompile(`(?m)^\s*(?:const |let |var |my )?\$?([A-Za-z_]\w*)\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?['"]([^'"\n]*)['"]\)?\s*;?\s*(?:#.*|//.*)?$`)
	temporary = regexp.MustCompile(`\bmkdtemp\b|\bTemporaryDirectory\b|\bNamedTemporaryFile\b|\bmkdtempSync\b|\bmkstemp\b`)
)

// scriptEvents are the signs of writing in the text of a script that is run in dir: a Touch
// of each file where all are named, else of any. None is certain: it is a guess from words.
// A script that makes a temporary folder, and names no file that it writes, is taken for a
// test that keeps to that folder.
func scriptEvents(text, dir string) []Event {
	places := len(anyWrite.FindAllStringIndex(text, -1))
	if places == 0 {
		return nil
	}
	f := follower{folder: folder{dir: dir}}
	var events []Event
	seen := map[string]bool{}
	files := writtenFiles(text)
	for _, name := range files {
		p, ok := f.join(name)
		if !ok || strings.ContainsAny(name, "{}$%") {
			return []Event{{Op: Touch}}
		}
		if !seen[p] {
			seen[p] = true
			events = append(events, Event{Op: Touch, Path: p})
		}
	}
	switch {
	case len(files) == 0 && temporary.MatchString(text):
		return nil
	case len(files) < places:
		return []Event{{Op: Touch}}
	}
	return events
}

// writtenFiles are the files that the places of a script name which write.
func writtenFiles(text string) []string {
	values := map[string]string{}
	for _, m := range assigned.FindAllStringSubmatch(text, -1) {
		if old, again := values[m[1]]; again && old != m[2] {
			m[2] = ""
		}
		values[m[1]] = m[2]
	}
	var files []string
	for _, sign := range namedWrites {
		for _, m := range sign.FindAllStringSubmatch(text, -1) {
			name := m[1]
			if m[2] != "" {
				name = values[m[2]]
			}
			if name != "" {
				files = append(files, name)
			}
		}
	}
	return files
}

// runPython follows Python: a module, a text, or a script.
func runPython(f *follower, c *invocation) stream {
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		switch {
		case listHas(c.as.values, w.Text):
			i++
		case w.Text == "-m" && i+1 < len(c.args):
			return f.module(c.args[i+1:], c.in)
		case w.Text == "-c" && i+1 < len(c.args):
			f.scriptText("", c.args[i+1].Text)
			return stream{}
		case w.Text == "-" || strings.HasPrefix(w.Text, "/dev/stdin"):
			f.standardInput(c)
			return stream{}
		case strings.HasPrefix(w.Text, "-"):
		default:
			switch path.Base(w.Text) {
			case "manage.py", "setup.py":
				f.namedTask(c.args[i+1:], true)
				return stream{}
			case "runtests.py":
				f.change(EffectRun)
				return stream{}
			}
			f.script(w)
			return stream{}
		}
	}
	f.standardInput(c)
	return stream{}
}

// standardInput follows an interpreter that reads its text from its input.
func (f *follower) standardInput(c *invocation) {
	if c.in.text != nil {
		f.scriptText("", *c.in.text)
	}
}

// module follows python -m.
func (f *follower) module(words []Word, in stream) stream {
	switch words[0].Text {
	case "unittest", "doctest", "compileall", "py_compile", "build", "timeit", "cProfile":
		f.change(EffectRun)
	case "json.tool", "http.server", "site", "pdb", "venv":
	case "django":
		f.namedTask(words[1:], true)
	default:
		if _, known := programs[words[0].Text]; known {
			return f.run(words, in)
		}
	}
	return stream{}
}

// runInterpreter follows node, ruby, perl and the like.
func runInterpreter(f *follower, c *invocation) stream {
	name := c.name
	for i, w := range c.args {
		switch {
		case w.Text == "--test":
			f.change(EffectRun)
			return stream{}
		case (name == "perl" || name == "ruby") && inPlace(w.Text):
			f.edited(c.editedFiles())
			return stream{silent: true}
		case (w.Text == "-e" || w.Text == "-p" || w.Text == "--eval" || w.Text == "eval" || w.Text == "-pe" || w.Text == "-ne") && i+1 < len(c.args):
			f.scriptText("", c.args[i+1].Text)
			return stream{}
		case w.Text == "run" || strings.HasPrefix(w.Text, "-"):
		default:
			f.script(w)
			return stream{}
		}
	}
	f.standardInput(c)
	return stream{}
}

// inPlace reports whether flags of perl or ruby, such as -pi.bak or -i, edit files.
func inPlace(flags string) bool {
	return len(flags) > 1 && flags[0] == '-' && flags[1] != '-' && flags[1] != 'I' && flags[1] != 'M' &&
		strings.Contains(strings.SplitN(flags, "e", 2)[0], "i")
}

// editedFiles are the operands of perl -i behind its script.
func (c *invocation) editedFiles() []Word {
	var files []Word
	script := false
	for i := 0; i < len(c.args); i++ {
		w := c.args[i].Text
		switch {
		case strings.HasPrefix(w, "-"):
			if w[1:] != "" && strings.HasSuffix(w, "e") && !strings.HasPrefix(w, "--") {
				script = true
				i++
			}
		case !script:
			return nil // a script file edits them
		default:
			files = append(files, c.args[i])
		}
	}
	return files
}
