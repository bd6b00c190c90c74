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
	if !ok {
		return
	}
	if text, held := f.scripts[p]; held {
		f.scriptText(p, text)
		return
	}
	if writesByName(path.Base(p)) {
		f.touchAny()
	}
	f.done.runs = append(f.done.runs, p)
}

// scriptText follows a script that is known.
func (f *follower) scriptText(name, text string) {
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

// writingNames are words in the name of a script that say that it changes files.
var writingNames = regexp.MustCompile(`(?i)(^|[_.-])(fix|fixes|update|patch|apply|insert|replace|modify|edit|rewrite|migrate|generate|gen|codegen|format|fmt|refactor|rename|convert|install|setup|bump|remove|add|create|write|restore|revert|codemod|change)([_.-]|\d|$)`)

func writesByName(base string) bool {
	return writingNames.MatchString(base) && !strings.HasPrefix(base, "test_") && !strings.HasPrefix(base, "reproduce")
}

// isScript reports whether the name of a program is that of a script.
func isScript(name string) bool {
	return listHas(".py .sh .js .mjs .cjs .ts .rb .pl .php .bash", path.Ext(name))
}

// The signs that a script writes files, in Python, JavaScript, Ruby and Perl. Where the
// file is a literal, or a variable that is given a literal, it is known.
var (
	scriptOpen = regexp.MustCompile(`\bopen\(\s*(?:(?:f?)(['"])([^'"\n]*)['"]|([\w.]+))\s*,\s*(?:mode\s*=\s*)?['"](?:[wax]b?t?\+?|r\+b?|rb\+)['"]`)
	pathWrite  = regexp.MustCompile(`\bPath\(\s*(?:(['"])([^'"\n]*)['"]|([\w.]+))\s*\)\s*\.\s*(?:write_text|write_bytes|unlink|touch)\(`)
	nodeWrite  = regexp.MustCompile(`\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|unlinkSync|unlink|rmSync|outputFileSync)\(\s*(?:(['"` + "`" + `])([^'"` + "`" + `\n]*)['"` + "`" + `]|([\w.]+))\s*[,)]`)
	rubyWrite  = regexp.MustCompile(`\bFile\.write\(?\s*(?:(['"])([^'"\n]*)['"]|([\w.]+))\s*,`)
	anyWrite   = regexp.MustCompile(`\bopen\([^\n]*,\s*(?:mode\s*=\s*)?['"](?:[wax]b?t?\+?|r\+b?|\+?[<>]+)['"]|\.write_text\(|\.write_bytes\(|\bwriteFile(?:Sync)?\(|\bappendFile(?:Sync)?\(|\bcreateWriteStream\(|\bFile\.write\(|\bfileinput\.|\bos\.(?:rename|replace|remove|unlink)\(|\bshutil\.(?:copy\w*|move|rmtree)\(|\b(?:renameSync|rmSync|unlinkSync|copyFileSync|cpSync)\(|\bunlink\b|\bFileUtils\.|\.to_csv\(|\bos\.system\(\s*['"](?:git|sed|mv|cp|rm|patch)\b|\['(?:git|sed|mv|cp|rm|patch)',\s*'(?:checkout|apply|stash|reset|-)`)
	assigned   = regexp.MustCompile(`(?m)^\s*(?:const |let |var |my )?\$?([A-Za-z_]\w*)\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?(['"])([^'"\n]*)['"]\)?\s*;?\s*(?:#.*|//.*)?$`)
)

// scriptEvents are the signs of writing in the text of a script that is run in dir: a Touch
// of each file where all are known, else of any. None is certain: it is a guess from words.
func scriptEvents(text, dir string) []Event {
	all := len(anyWrite.FindAllStringIndex(text, -1))
	if all == 0 {
		return nil
	}
	values := map[string]string{}
	for _, m := range assigned.FindAllStringSubmatch(text, -1) {
		if old, again := values[m[1]]; again && old != m[3] {
			m[3] = ""
		}
		values[m[1]] = m[3]
	}
	f := follower{dir: dir}
	var events []Event
	seen := map[string]bool{}
	known := 0
	for _, sign := range []*regexp.Regexp{scriptOpen, pathWrite, nodeWrite, rubyWrite} {
		for _, m := range sign.FindAllStringSubmatch(text, -1) {
			name := m[2]
			if m[1] == "" {
				name = values[m[3]]
			}
			p, ok := f.join(name)
			if name == "" || !ok || strings.ContainsAny(name, "{}$%") {
				continue
			}
			known++
			if !seen[p] {
				seen[p] = true
				events = append(events, Event{Op: Touch, Path: p})
			}
		}
	}
	for _, m := range pathMethod.FindAllStringSubmatch(text, -1) {
		if name := values[m[1]]; name != "" {
			if p, ok := f.join(name); ok {
				known++
				if !seen[p] {
					seen[p] = true
					events = append(events, Event{Op: Touch, Path: p})
				}
			}
		}
	}
	if known < all {
		return []Event{{Op: Touch}}
	}
	return events
}

var pathMethod = regexp.MustCompile(`\b([A-Za-z_]\w*)\.(?:write_text|write_bytes|unlink)\(`)

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
			if path.Base(w.Text) == "manage.py" || path.Base(w.Text) == "setup.py" || path.Base(w.Text) == "runtests.py" {
				f.namedTask(c.args[i+1:], path.Base(w.Text) != "runtests.py")
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
