package diffs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/diffs"
)

// What the splitter understands is compared with a parser in module diffs/shell; here are
// its own limits.
func TestSplitter(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  "",
		"# nothing\n":                       "",
		"cat a":                             "cat a",
		"a 'b c' \"d $e\" f\\ g":            "a [b c] [d $e]* [f g]",
		"a && b || c; d | e\nf":             "a, && b, || c, ; d |, e, ; f",
		"X=1 Y= a *.go ~/b {} {c,d}":        "a *.go* ~/b* {} {c,d}*",
		"X=1":                               "",
		"a > b 2>> c < d &> e 2>&1":         "a >b 2>>c <d &>e 2>&1",
		"cat > f <<'E' && b\n$x\nE\nc":      "cat >f <<[$x\n], && b, ; c",
		"cat <<E\n$x\nE":                    "cat <<[$x\n]*",
		"cat <<-E\n\tx\n\tE":                "cat <<-[x\n]",
		"a \\\n b":                          "a b",
		"a 'it'\"'\"'s'":                    "a it's",
		"export A=1 && grep '[a-z]' -- x=[": "export A=1, && grep [[a-z]] -- x=[*",
	} {
		t.Run(line, func(t *testing.T) {
			commands, ok := diffs.Splitter{}.Parse(line)
			require.True(t, ok)
			var parts []string
			for _, c := range commands {
				parts = append(parts, describe(c))
			}
			assert.Equal(t, want, strings.Join(parts, ", "))
		})
	}
}

func describe(c diffs.Command) string {
	word := func(w diffs.Word) string {
		s := w.Text
		if strings.ContainsAny(s, " \n[") && s != "x=[" {
			s = "[" + s + "]"
		}
		if !w.Literal {
			s += "*"
		}
		return s
	}
	var fields []string
	if c.Before != "" {
		fields = append(fields, c.Before)
	}
	for _, w := range c.Words {
		fields = append(fields, word(w))
	}
	for _, r := range c.Redirects {
		fields = append(fields, fmt.Sprint(r.FD, r.Op, word(r.Target)))
	}
	if c.Piped {
		fields = append(fields, "|")
	}
	return strings.Join(fields, " ")
}

func TestSplitter_GivesUp(t *testing.T) {
	for _, line := range []string{
		"a $(b)", "a `b`", "a \"$(b)\"", "(a)", "{ a; }", "a &", "a & b", "a |& b", "! a", "[[ a ]]", "time a",
		"for f in a; do b; done", "if a; then b; fi", "while a; do b; done", "case a in b) c;; esac", "f() { a; }", "function f { a; }",
		"a <(b)", "a >(b)", "a ${b:-c}", "a $'b'", "a $\"b\"", "a $((1))", "a=(b)", "a[0]=b", "declare a=b",
		"a 'b", "a \"b", "a \\", "a <<E\nb", "a <<E\n$(b)\nE", "a &&", "a |", "&& a", "; a", "a ;; b", "a >", "{a}>b", "a\x00b", "a\xff", "a\r\nb",
	} {
		_, ok := diffs.Splitter{}.Parse(line)
		assert.False(t, ok, "%q", line)
	}
}

func ExampleSplitter() {
	commands, ok := diffs.Splitter{}.Parse("cd src && sed -n '1,20p' main.go | head -5")
	fmt.Println(ok)
	for _, c := range commands {
		fmt.Println(c.Before, c.Words[0].Text, len(c.Words), c.Piped)
	}
	_, ok = diffs.Splitter{}.Parse("for f in *; do cat $f; done")
	fmt.Println(ok)
	// Output:
	// true
	//  cd 2 false
	// && sed 4 true
	//  head 2 false
	// false
}
