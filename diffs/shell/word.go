package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trimkit/trimkit/diffs"
)

func (w *walk) redirects(redirs []*syntax.Redirect) []diffs.Redirect {
	var all []diffs.Redirect
	for _, r := range redirs {
		to := diffs.Redirect{Op: r.Op.String(), Target: w.word(r.Word)}
		if r.N != nil {
			to.FD = r.N.Value
		}
		if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc {
			to.Target = w.document(r)
		}
		all = append(all, to)
	}
	return all
}

// document is the body of a here-document.
func (w *walk) document(r *syntax.Redirect) diffs.Word {
	if r.Hdoc == nil {
		return diffs.Word{Literal: true}
	}
	quoted := false
	for _, part := range r.Word.Parts {
		lit, ok := part.(*syntax.Lit)
		quoted = quoted || !ok || strings.Contains(lit.Value, `\`)
	}
	b := wording{literal: true}
	for _, part := range r.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		switch {
		case !ok:
			b.expansion(w.text(part))
		case quoted:
			b.quoted(lit.Value)
		default:
			b.escaped(lit.Value, "\\$`\n")
		}
	}
	body := b.text.String()
	if r.Op == syntax.DashHdoc {
		body = withoutTabs(body)
	}
	return diffs.Word{Text: body, Literal: b.literal}
}

// withoutTabs leaves the tabs out with which lines begin.
func withoutTabs(body string) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(body, "\n") {
		b.WriteString(strings.TrimLeft(line, "\t"))
	}
	return b.String()
}

// declared is an argument of export and the like.
func (w *walk) declared(a *syntax.Assign) diffs.Word {
	if a.Name == nil {
		return w.word(a.Value)
	}
	if a.Index != nil || a.Array != nil {
		return diffs.Word{Text: w.text(a)}
	}
	b := wording{literal: true}
	b.quoted(a.Name.Value)
	if a.Append {
		b.quoted("+")
	}
	if !a.Naked {
		b.quoted("=")
	}
	if a.Value != nil {
		w.parts(&b, a.Value.Parts)
	}
	return diffs.Word{Text: b.text.String(), Literal: b.literal}
}

// word is an argument without its quotes.
func (w *walk) word(word *syntax.Word) diffs.Word {
	if word == nil {
		return diffs.Word{Literal: true}
	}
	b := wording{literal: true}
	w.parts(&b, word.Parts)
	text := b.text.String()
	if source := w.text(word); source == "[" || source == "{}" {
		b.literal = true
	}
	return diffs.Word{Text: text, Literal: b.literal}
}

func (w *walk) parts(b *wording, parts []syntax.WordPart) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.bare(part.Value)
		case *syntax.SglQuoted:
			if part.Dollar {
				b.expansion(w.text(part))
			} else {
				b.quoted(part.Value)
			}
		case *syntax.DblQuoted:
			for _, p := range part.Parts {
				if lit, ok := p.(*syntax.Lit); ok {
					b.escaped(lit.Value, "\"\\$`\n")
				} else {
					b.expansion(w.text(p))
				}
			}
			b.literal = b.literal && !part.Dollar
		default:
			b.expansion(w.text(part))
		}
	}
}

// text is a node as it was written.
func (w *walk) text(n syntax.Node) string {
	if p, ok := n.(*syntax.ParamExp); ok && p.Short && p.Param != nil {
		return "$" + p.Param.Value // the end of these may be off where the line goes on after a backslash
	}
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(w.source) {
		return ""
	}
	return w.source[from:to]
}

// wording is a word while it is put together, in the way of the splitter of diffs: a test
// compares them.
type wording struct {
	text    strings.Builder
	last    byte
	literal bool
}

// bare adds what is not quoted: backslashes are, and globs, braces and tildes expand.
func (b *wording) bare(s string) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i < len(s) && s[i] != '\n' {
				b.quoted(s[i : i+1])
			}
			continue
		case '*', '?', '[', '{':
			b.literal = false
		case '~':
			b.literal = b.literal && b.text.Len() > 0 && b.last != '=' && b.last != ':'
		}
		b.quoted(s[i : i+1])
	}
}

// escaped adds text in which a backslash is one only before some characters.
func (b *wording) escaped(s, escapes string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(escapes, s[i+1]) >= 0 {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.quoted(s[i : i+1])
	}
}

func (b *wording) quoted(s string) {
	b.text.WriteString(s)
	if s != "" {
		b.last = s[len(s)-1]
	}
}

func (b *wording) expansion(source string) {
	b.literal = false
	b.quoted(source)
}
