// Package shell lets package diffs understand whole command lines of bash: loops, groups,
// substitutions and all that the splitter of diffs gives up. It stands in a module of its
// own, so that only who asks for it depends on mvdan.cc/sh.
//
//	tools, err := diffs.NewTools(diffs.WithShell(shell.Parser{}))
//
// It parses and never runs anything. A line that bash would refuse is not understood.
package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trimkit/trimkit/diffs"
)

// The parser below is recursive, and so is the walk over its tree: a longer line could be
// nested deeply enough to exhaust the stack, which no program survives.
const (
	maxLine  = 32 << 10 // bytes
	maxDepth = 200      // statements in statements
)

// Parser parses command lines as bash does. The zero value is ready to use, values are
// equal, and all may be used concurrently.
type Parser struct{}

var _ diffs.Shell = Parser{}

// Parse returns the simple commands of a line in the order in which they run, those of
// substitutions before the command that uses them. It reports false for a line of more
// than 32 KiB, and for one that is no UTF-8, that bash would refuse, or that nests more
// than 200 statements.
func (Parser) Parse(line string) ([]diffs.Command, bool) {
	if len(line) > maxLine || !utf8.ValidString(line) || strings.ContainsFunc(line, isControl) {
		return nil, false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, false
	}
	w := walk{source: line}
	w.list(file.Stmts, false)
	return w.commands, !w.tooDeep
}

// isControl reports whether it is one of the control characters that have no place in a
// line: bash drops NUL, and package syntax takes U+0080 for the end.
func isControl(r rune) bool { return r == 0 || r >= 0x80 && r < 0xa0 }

// walk collects the commands of a syntax tree.
type walk struct {
	source   string
	commands []diffs.Command
	joined   string // operator before the next command
	depth    int
	tooDeep  bool
}

// add appends a command.
func (w *walk) add(c diffs.Command) {
	c.Before, w.joined = w.joined, ""
	w.commands = append(w.commands, c)
}

// subshell marks what f adds as commands of a subshell.
func (w *walk) subshell(f func()) {
	first := len(w.commands)
	f()
	if last := len(w.commands) - 1; last >= first {
		w.commands[first].Opens++
		w.commands[last].Closes++
	}
}

// list adds the statements of a list.
func (w *walk) list(stmts []*syntax.Stmt, nested bool) {
	for i, s := range stmts {
		switch {
		case i == 0:
		case stmts[i-1].Background:
			w.joined = "&"
		default:
			w.joined = ";"
		}
		w.stmt(s, nested)
	}
}

// stmt adds the commands of a statement.
func (w *walk) stmt(s *syntax.Stmt, nested bool) {
	if w.depth++; w.depth > maxDepth {
		w.tooDeep = true
	}
	defer func() { w.depth-- }()
	if w.tooDeep {
		return
	}
	nested = nested || s.Negated || s.Background || s.Coprocess || s.Disown
	switch cmd, ok := s.Cmd.(*syntax.BinaryCmd); {
	case ok: // a redirection of a chain stands at one of its commands, never here
		w.binary(cmd, nested)
	case isSimple(s):
		w.substitutions(s)
		w.simple(s, nested)
	default:
		w.compound(s, nested)
	}
}

// isSimple reports whether a statement is one command, or only assignments or redirections.
func isSimple(s *syntax.Stmt) bool {
	switch s.Cmd.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause:
		return true
	}
	return false
}

// simple adds a command without those in its substitutions.
func (w *walk) simple(s *syntax.Stmt, nested bool) {
	c := diffs.Command{Redirects: w.redirects(s.Redirs), Nested: nested}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		for _, arg := range cmd.Args {
			c.Words = append(c.Words, w.word(arg))
		}
	case *syntax.DeclClause:
		c.Words = append(c.Words, diffs.Word{Text: cmd.Variant.Value, Literal: true})
		for _, arg := range cmd.Args {
			c.Words = append(c.Words, w.declared(arg))
		}
	}
	w.add(c)
}

// binary adds a chain of commands. The trees of "a && b && c" and "a | b | c" are as deep as
// these are long: they are walked in a loop.
func (w *walk) binary(cmd *syntax.BinaryCmd, nested bool) {
	if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
		w.pipeline(cmd, nested)
		return
	}
	var chain []*syntax.BinaryCmd
	first := &syntax.Stmt{Cmd: cmd}
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op == syntax.Pipe || b.Op == syntax.PipeAll {
			break
		}
		chain = append(chain, b)
		first = b.X
	}
	w.stmt(first, nested)
	for i := len(chain) - 1; i >= 0; i-- {
		op, next := chain[i].Op.String(), chain[i].Y
		w.joined = op
		_, pipeline := next.Cmd.(*syntax.BinaryCmd)
		w.stmt(next, nested || op == "||" && !pipeline && !isSimple(next))
	}
}

// pipeline adds the parts of a pipeline, and before them their substitutions, so that what
// pipes into a command stands right before it.
func (w *walk) pipeline(cmd *syntax.BinaryCmd, nested bool) {
	joined := w.joined
	w.joined = ""
	parts := []*syntax.Stmt{cmd.Y}
	for {
		x, ok := cmd.X.Cmd.(*syntax.BinaryCmd)
		if !ok || x.Op != syntax.Pipe && x.Op != syntax.PipeAll {
			break
		}
		parts = append(parts, x.Y)
		cmd = x
	}
	parts = append(parts, cmd.X)
	for i := len(parts) - 1; i >= 0; i-- {
		if isSimple(parts[i]) {
			w.substitutions(parts[i])
		}
	}
	w.joined = joined
	for i := len(parts) - 1; i >= 0; i-- {
		part, before := parts[i], len(w.commands)
		w.subshell(func() {
			if isSimple(part) {
				w.simple(part, nested || part.Negated)
			} else {
				w.stmt(part, true)
			}
		})
		if n := len(w.commands); i > 0 && n > before {
			w.commands[n-1].Piped = true
		}
		w.joined = ""
	}
}
