package shell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/diffs"
	"github.com/trimkit/trimkit/diffs/shell"
)

// seeds are lines of every kind, and some on which a splitter easily goes wrong.
var seeds = []string{
	"cat a | head -5 || true\nls",
	"cd 'a b' && cat \"c d\" e\\ f; ls # a comment; rm x",
	"cat > f <<'EOF' && echo done\na $b\n`c`\nEOF\nls",
	"cat <<A <<-\"B\" | tee x\n1\nA\n\t2\n\tB\n",
	"cat <<EOF\na $b \\$c \\n $ \"x\"\nEOF",
	"x=1 y=$z make 2>&1 >/dev/null 2>>log &>all",
	"export A=b C=\"$D\" E",
	"a ~/b c~ {a,b} {} [ x ] *.go 'a*' \\* x=~ \"$x\"'y'$1$$",
	"echo \"a\\nb\\\"c\\$d\" 'e\\f' g\\ h \\\ni",
	"grep -n 'a\\|b' f|wc -l&&ls||x;y",
	"a;;b", "a|&b", "a&", "$(a)", "`a`", "(a)", "{ a; }", "! a", "a() { b; }", "if a; then b; fi",
	"echo \"$(a)\"", "echo ${a:-b} ${a}", "echo $'a' $\"b\"", "a <(b) >(c)", "time a", "[[ a ]]", "a[0]=1 b",
	"echo é \xff", "a\r\nb", "a &&", "| a", "'", "\"", "\\", "<<", "a <<E\nE\n", "a 2>&-", "a <<<b",
	"a \u0080; rm b", "((((", "$($($(", "if if if", "for for for", "case x in a) case", "{ { {",
}

func FuzzParse(f *testing.F) {
	for _, line := range seeds {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got, ok := shell.Parser{}.Parse(line)
		opens := 0
		for _, c := range got {
			opens += c.Opens - c.Closes
		}
		assert.True(t, !ok || opens == 0, "subshells that open must close")
		want, understood := diffs.Splitter{}.Parse(line)
		if understood {
			assert.True(t, ok, "the splitter understands %q: %s", line, show(want))
			assert.Equal(t, show(want), show(got), "%q", line)
		}
	})
}

// A line may be nested as deeply as its length allows: the parser must give up, or not, but
// the program must go on.
func TestParseHostile(t *testing.T) {
	const longest = 32 << 10
	for _, piece := range []string{"(", "$((", "((a=", "{ ", "if ", "\"$(", "a && ", "a | "} {
		_, _ = shell.Parser{}.Parse(strings.Repeat(piece, longest/len(piece)))
	}
	for _, piece := range []string{
		"((", "$(", "`", "${a:-", "while ", "for i in a; do ", "! ", "[[ ( ", "[[ ! ", "a() ", "case a in a) ", "time ", "coproc ",
		"function f { ", "$((-", "$((!", "<(", "a=(", "a[", "${a[", "@(", "a; ", "a\n", "a <<E\n", "\\", "'", "\"", "$", "~", "&", "|",
		"<", ">", "a=", "else ", "elif ", "((a?", "((a?b:", "((a,", "((a**", "let a=", "declare a=",
	} {
		_, _ = shell.Parser{}.Parse(strings.Repeat(piece, longest/16/len(piece)))
	}
	_, ok := shell.Parser{}.Parse("echo " + strings.Repeat("a", longest))
	assert.False(t, ok, "a longer line is not parsed")
	_, ok = shell.Parser{}.Parse(strings.Repeat("{ ", 300) + "a" + strings.Repeat("; }", 300))
	assert.False(t, ok, "nor one that is nested too deeply")
	got, ok := shell.Parser{}.Parse(strings.Repeat("a && ", 5000) + "b")
	assert.True(t, ok, "length is no depth")
	assert.Len(t, got, 5001)
}
