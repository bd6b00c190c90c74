package shell

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/trimkit/trimkit/diffs"
)

// compound adds the commands of a group, a loop, a branch, a function or a test.
func (w *walk) compound(s *syntax.Stmt, nested bool) {
	if redirects := w.redirects(s.Redirs); len(redirects) > 0 {
		w.add(diffs.Command{Redirects: redirects, Nested: nested})
		w.joined = ";"
		nested = true
	}
	for _, r := range s.Redirs {
		w.substitutions(r)
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.Block:
		w.list(cmd.Stmts, nested)
	case *syntax.Subshell:
		w.subshell(func() { w.list(cmd.Stmts, nested) })
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			w.stmt(cmd.Stmt, nested)
		}
	case *syntax.CoprocClause:
		w.stmt(cmd.Stmt, true)
	case *syntax.FuncDecl:
		w.stmt(cmd.Body, true)
	case *syntax.IfClause:
		for ; cmd != nil; cmd = cmd.Else {
			w.inner(cmd.Cond)
			w.inner(cmd.Then)
		}
	case *syntax.WhileClause:
		w.inner(cmd.Cond)
		w.inner(cmd.Do)
	case *syntax.ForClause:
		w.substitutions(cmd.Loop)
		w.inner(cmd.Do)
	case *syntax.CaseClause:
		w.substitutions(cmd.Word)
		for _, item := range cmd.Items {
			for _, pattern := range item.Patterns {
				w.substitutions(pattern)
			}
			w.inner(item.Stmts)
		}
	default: // [[ ... ]], (( ... )), let
		w.substitutions(s.Cmd)
	}
}

// inner adds a list of a compound command. What joins it to its neighbours is no operator:
// that a later command succeeded says nothing about it.
func (w *walk) inner(stmts []*syntax.Stmt) {
	if w.joined == "" && len(w.commands) > 0 {
		w.joined = ";"
	}
	w.list(stmts, true)
}

// substitutions adds the commands of the outermost substitutions of a node.
func (w *walk) substitutions(node syntax.Node) {
	joined := w.joined
	syntax.Walk(node, func(n syntax.Node) bool {
		var stmts []*syntax.Stmt
		switch n := n.(type) {
		case *syntax.CmdSubst:
			stmts = n.Stmts
		case *syntax.ProcSubst:
			stmts = n.Stmts
		default:
			return true
		}
		w.joined = ""
		w.subshell(func() { w.list(stmts, true) })
		return false
	})
	w.joined = joined
}
