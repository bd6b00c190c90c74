package diffs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// lineSummary writes the effects of a line: each event with "?" if it is not certain and "!" if
// exit code 0 proves it, then what is printed, then the folder, if it is another.
func lineSummary(fx lineEffects, dir string) string {
	var parts []string
	for i, e := range fx.events {
		var b strings.Builder
		b.WriteString(e.Op.String() + " " + e.Path)
		if e.Path == "" {
			b.WriteString("*")
		}
		if e.To != "" {
			b.WriteString(" to " + e.To)
		}
		for _, c := range e.Copies {
			fmt.Fprintf(&b, " %q", c.Text())
		}
		for _, c := range e.Changes {
			fmt.Fprintf(&b, " %q%q@%d", c.Old, c.New, c.First)
		}
		if !e.Certain && e.Path != "" {
			b.WriteString("?")
		}
		if fx.exit[i] {
			b.WriteString("!")
		}
		parts = append(parts, b.String())
	}
	if s := fx.output; s != nil {
		more := ""
		if s.tail > 0 {
			more = fmt.Sprintf(" tail %d", s.tail)
		}
		if s.numbered {
			more += " numbered"
		}
		if s.revision {
			more += " revision"
		}
		parts = append(parts, fmt.Sprintf("prints %s %d-%d%s", s.path, s.first, s.last, more))
	}
	if fx.dir != dir {
		parts = append(parts, "in "+fx.dir)
	}
	if len(fx.runs) > 0 {
		parts = append(parts, "runs "+strings.Join(fx.runs, " "))
	}
	return strings.Join(parts, "; ")
}

type lineCase struct {
	line   string
	effect Effect
	want   string
}

func checkLines(t *testing.T, dir string, cases []lineCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.line, func(t *testing.T) {
			fx := shellEffects(nil, c.line, dir)
			assert.Equal(t, c.want, lineSummary(fx, dir))
			assert.Equal(t, c.effect, fx.effect)
		})
	}
}

func TestShellEffects_Reads(t *testing.T) {
	checkLines(t, "/w", []lineCase{
		{"cat a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"cat ./sub/../a.go 2>&1", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"cat /etc/hosts 2>/dev/null", EffectInspect, "read /etc/hosts!; prints /etc/hosts 1-0"},
		{"cat < a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"cat -n a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0 numbered"},
		{"cat -A a.go", EffectInspect, "read /w/a.go!"},
		{"cat a.go b.go", EffectInspect, "read /w/a.go!; read /w/b.go!"},
		{"cat a.go; cat b.go", EffectInspect, "read /w/a.go; read /w/b.go!"},
		{"cat *.go", EffectInspect, ""},
		{"cat $FILE", EffectInspect, ""},
		{"sed -n '10,20p' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"sed -n 10,20p a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"sed -n '10, 20 p' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"sed -n -e '10,20p' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"sed -ne '10,20p' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"sed -n '10p' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-10"},
		{"sed -n '10,$p' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-0"},
		{"sed -n '10,+5p' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-15"},
		{"sed -n '10,20p;20q' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"sed -n '1,5p;10,20p' a.go", EffectInspect, "read /w/a.go!"},
		{"sed -n -e '1,5p' -e '10,20p' a.go", EffectInspect, "read /w/a.go!"},
		{"sed -n '/func/,/^}/p' a.go", EffectInspect, "read /w/a.go!"},
		{"sed -n '10,20p' a.go b.go", EffectInspect, "read /w/a.go!; read /w/b.go!"},
		{"sed 20q a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-20"},
		{"sed '10,20!d' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"sed 's/a/b/' a.go", EffectInspect, "read /w/a.go!"},
		{"nl -ba a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0 numbered"},
		{"nl a.go", EffectInspect, "read /w/a.go!"},
		{"nl -ba a.go | sed -n '120,190p'", EffectInspect, "read /w/a.go!; prints /w/a.go 120-190 numbered"},
		{"cat a.go | sed -n '1,50p'", EffectInspect, "read /w/a.go!; prints /w/a.go 1-50"},
		{"sed -n '100,200p' a.go | head -n 5", EffectInspect, "read /w/a.go!; prints /w/a.go 100-104"},
		{"sed -n '100,200p' a.go | nl -ba", EffectInspect, "read /w/a.go!"},
		{"sed -n '100,200p' a.go | sed -n '5,500p'", EffectInspect, "read /w/a.go!; prints /w/a.go 104-200"},
		{"head a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-10"},
		{"head -50 a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-50"},
		{"head -n50 a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-50"},
		{"head --lines=50 a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-50"},
		{"head -n -5 a.go", EffectInspect, "read /w/a.go!"},
		{"head -c 100 a.go", EffectInspect, "read /w/a.go!"},
		{"tail -n 5 a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0 tail 5"},
		{"tail -5 a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0 tail 5"},
		{"tail -n +5 a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 5-0"},
		{"tail -n +100 a.go | head -20", EffectInspect, "read /w/a.go!; prints /w/a.go 100-119"},
		{"head -100 a.go | tail -20", EffectInspect, "read /w/a.go!"},
		{"tail -f a.log", EffectInspect, "read /w/a.log!"},
		{"awk 'NR>=10 && NR<=20' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"awk 'NR>=10 && NR<=20 {print}' a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"awk '{print $1}' a.go", EffectInspect, "read /w/a.go!"},
		{"bat -pp a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"bat --style=plain -r 10:20 a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 10-20"},
		{"bat a.go", EffectInspect, "read /w/a.go!"},
		{"git show HEAD:a.go", EffectInspect, "prints a.go 1-0 revision"},
		{"git show HEAD~2:./a.go | sed -n '1,5p'", EffectInspect, "prints /w/a.go 1-5 revision"},
		{"git show HEAD", EffectInspect, ""},
		{"cat a.go | grep x", EffectInspect, ""},
		{"cat a.go | wc -l", EffectInspect, ""},
		{"cat a.go && go test ./...", EffectRun, "read /w/a.go!"},
		{"cat a.go || true", EffectInspect, "read /w/a.go; prints /w/a.go 1-0"},
		{"mkdir -p d && cat a.go", EffectChange, "read /w/a.go!; prints /w/a.go 1-0"},
		{"echo '== a.go'; cat a.go", EffectInspect, "read /w/a.go!"},
	})
}

func TestShellEffects_Folders(t *testing.T) {
	checkLines(t, "/w", []lineCase{
		{"cd sub && cat a.go", EffectInspect, "read /w/sub/a.go!; prints /w/sub/a.go 1-0; in /w/sub"},
		{"cd /repo && sed -n 1,5p a.go", EffectInspect, "read /repo/a.go!; prints /repo/a.go 1-5; in /repo"},
		{"cd ../x && cat a.go", EffectInspect, "read /x/a.go!; prints /x/a.go 1-0; in /x"},
		{"cd sub; cat a.go", EffectInspect, "read /w/sub/a.go?!; in /w/sub"},
		{"set -e\ncd sub\ncat a.go", EffectInspect, "read /w/sub/a.go!; prints /w/sub/a.go 1-0; in /w/sub"},
		{"set -euo pipefail; rm b.go; cat a.go", EffectChange, "delete /w/b.go!; read /w/a.go!; prints /w/a.go 1-0"},
		{"cd sub; cat /a.go", EffectInspect, "read /a.go!; in /w/sub"},
		{"cd sub || exit 1; cat a.go", EffectInspect, "read /w/sub/a.go!; prints /w/sub/a.go 1-0; in /w/sub"},
		{"cd $X && cat a.go", EffectInspect, "in ?"},
		{"cd $X && rm a.go", EffectChange, "touch *!; in ?"},
		{"cd sub | cat; cat a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0"},
		{"cd - && ls", EffectInspect, "in ?"},
		{"cd ~/x && cat a.go", EffectInspect, "read ~/x/a.go!; prints ~/x/a.go 1-0; in ~/x"},
		{"git -C sub checkout -- a.go", EffectChange, "touch /w/sub/a.go!"},
		{"pushd sub && cat a.go && popd", EffectInspect, "read /w/sub/a.go!; prints /w/sub/a.go 1-0; in ?"},
	})
	checkLines(t, "", []lineCase{
		{"cat a.go", EffectInspect, "read a.go!; prints a.go 1-0"},
		{"cd sub && cat ./a.go", EffectInspect, "read sub/a.go!; prints sub/a.go 1-0; in sub"},
	})
	checkLines(t, unknownDir, []lineCase{
		{"cat a.go", EffectInspect, ""},
		{"cat /a.go", EffectInspect, "read /a.go!; prints /a.go 1-0"},
		{"echo x > a.go", EffectChange, "touch *!"},
		{"cd /w && cat a.go", EffectInspect, "read /w/a.go!; prints /w/a.go 1-0; in /w"},
	})
}
