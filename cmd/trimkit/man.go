package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

type manCommand struct{}

// Help is what the help of the command says beside its first line and flags.
func (*manCommand) Help() string {
	return `It is a page for man(1), made from the commands' own help.

Examples:

  trimkit man > /usr/local/share/man/man1/trimkit.1

  trimkit man | man -l -`
}

// Run prints the page.
func (*manCommand) Run(a *app, k *kong.Kong) error {
	return a.write(stdio, []byte(manual(k.Model.Node)))
}

// manual returns the page in the man macros of roff.
func manual(app *kong.Node) string {
	var b strings.Builder
	title, rest, _ := strings.Cut(about, "\n\n")
	fmt.Fprintf(&b, ".TH TRIMKIT 1 \"\" \"%s\"\n.SH NAME\ntrimkit \\- %s\n", roff("trimkit "+version()), roff(asName(title)))
	b.WriteString(".SH SYNOPSIS\n")
	for _, c := range app.Children {
		fmt.Fprintf(&b, ".B trimkit %s\n%s\n.br\n", roff(c.Name), roff(arguments(c)))
	}
	b.WriteString(".SH DESCRIPTION\n" + paragraphs(rest))
	b.WriteString(".SH OPTIONS\n")
	flagList(&b, app.Flags)
	b.WriteString(".SH COMMANDS\n")
	for _, c := range app.Children {
		fmt.Fprintf(&b, ".SS trimkit %s %s\n%s\n", roff(c.Name), roff(arguments(c)), paragraphs(c.Help+"\n\n"+c.Detail))
		flagList(&b, c.Flags)
	}
	b.WriteString(".SH EXIT STATUS\n")
	for code, meaning := range exitCodes {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", code, roff(meaning))
	}
	return b.String()
}

// asName returns a sentence as the section NAME has it.
func asName(sentence string) string {
	sentence = strings.TrimSuffix(sentence, ".")
	return strings.ToLower(sentence[:1]) + sentence[1:]
}

// arguments is what stands behind a command.
func arguments(n *kong.Node) string {
	var words []string
	if len(n.Flags) > 0 {
		words = append(words, "[flags]")
	}
	for _, p := range n.Positional {
		words = append(words, p.Summary())
	}
	return strings.Join(words, " ")
}

func flagList(b *strings.Builder, flags []*kong.Flag) {
	for _, f := range flags {
		if !f.Hidden {
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(f.String()), roff(f.Help))
		}
	}
}

// paragraphs returns a text of paragraphs; indented ones are examples.
func paragraphs(text string) string {
	var b strings.Builder
	for p := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		switch {
		case p == "":
		case strings.HasPrefix(p, "  "):
			b.WriteString(".PP\n.RS 4\n.nf\n" + roff(strings.TrimPrefix(p, "  ")) + "\n.fi\n.RE\n")
		default:
			b.WriteString(".PP\n" + roff(p) + "\n")
		}
	}
	return b.String()
}

// roff escapes what roff would take for its own.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`, `~`, `\(ti`, `^`, `\(ha`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
