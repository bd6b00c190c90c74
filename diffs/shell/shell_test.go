package shell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/diffs/shell"
)

// show writes commands on one line: operators before, words in brackets where they expand,
// redirections behind, parentheses around subshells, "?" before what is nested.
func show(commands []diffs.Command) string {
	word := func(w diffs.Word) string {
		if w.Literal {
			return w.Text
		}
		return "<" + w.Text + ">"
	}
	var b strings.Builder
	for i, c := range commands {
		if i > 0 {
			b.WriteString(" ")
		}
		if c.Before != "" {
			b.WriteString(c.Before + " ")
		}
		b.WriteString(strings.Repeat("(", c.Opens))
		if c.Nested {
			b.WriteString("?")
		}
		var fields []string
		for _, w := range c.Words {
			fields = append(fields, word(w))
		}
		for _, r := range c.Redirects {
			fields = append(fields, r.FD+r.Op+word(r.Target))
		}
		b.WriteString(strings.Join(fields, " ") + strings.Repeat(")", c.Closes))
		if c.Piped {
			b.WriteString(" |")
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"":                                       "",
		"cat a":                                  "cat a",
		"cd 'a b' && cat \"c d\" e\\ f; ls":      "cd a b && cat c d e f ; ls",
		"cat a | head -5 || true\nls":            "(cat a) | (head -5) || true ; ls",
		"(cd x && make) && ls":                   "(cd x && make) && ls",
		"{ cd x; ls; } | wc -l":                  "(?cd x ; ?ls) | (wc -l)",
		"a || (b && c)":                          "a || (?b && ?c)",
		"! grep x f && a":                        "?grep x f && a",
		"sleep 9 & cat f":                        "?sleep 9 & cat f",
		"for f in *.go; do cat $f > o; done":     "?cat <$f> >o",
		"if test -f a; then rm a; else b; fi":    "?test -f a ; ?rm a ; ?b",
		"while read l; do echo $l; done < f":     "<f ; ?read l ; ?echo <$l>",
		"case $x in a) rm b;; *) c;; esac":       "?rm b ; ?c",
		"f() { rm \"$1\"; }; f a":                "?rm <$1> ; f a",
		"cat $(git ls-files | head -1)/x":        "((?git ls-files) | (?head -1)) cat <$(git ls-files | head -1)/x>",
		"diff <(sort a) b | cat $(x)":            "(?sort a) (?x) (diff <<(sort a)> b) | (cat <$(x)>)",
		"echo `date` > log":                      "(?date) echo <`date`> >log",
		"cat > f <<'EOF'\na $b\n`c`\nEOF\nls":    "cat >f <<a $b\n`c`\n ; ls",
		"cat <<EOF\na $b \\$c\nEOF":              "cat <<<a $b $c\n>",
		"cat <<-X\n\ta\n\t\tb\n\tX":              "cat <<a\nb\n",
		"x=1 y=$(z) make 2>&1 >/dev/null":        "(?z) make 2>&1 >/dev/null",
		"x=1 && rm f":                            " && rm f",
		"export A=b C=$D -p E":                   "export A=b <C=$D> -p E",
		"time make -j 2":                         "make -j 2",
		"[[ -f x ]] && [ -d {} ] && a ~/b {a,b}": "&& [ -d {} ] && a <~/b> <{a,b}>",
		"bash -c 'cat a; ls'":                    "bash -c cat a; ls",
		"echo $'a\\n' \"$x\"y":                   "echo <$'a\\n'> <$xy>",
		"cmd &> log":                             "cmd &>log",
		"cat <<< word":                           "cat <<<word",
		"(a; b) > f":                             ">f ; (?a ; ?b)",
	} {
		t.Run(line, func(t *testing.T) {
			got, ok := shell.Parser{}.Parse(line)
			require.True(t, ok)
			assert.Equal(t, want, strings.Replace(show(got), "<<-", "<<", 1))
		})
	}
}
