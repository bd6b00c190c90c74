package diffs

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// hostile are the beginnings of what a splitter or a table of programs could stumble on.
var hostile = []string{
	"'", "\"", "\\", "$", "${", "$(", "`", "<", "<<", "<<<", "<<E\n", "a <<E\n", "a <<'E'\nE\n", ">", "> a ", "2>&1 ", "&", "&&", "a && ", "a | ", "|", ";", "a;", "(", "{", "#", "\n", "\t",
	"cd a && ", "cd ..;", "bash -c '", "bash -c \"", "sudo ", "env ", "eval ", "xargs ", "find -exec ", "timeout 1 ", "git ", "git -C a ", "sed -i ", "sed -n '1,", "sed -n ", "head -n ", "mv a ",
	"cat a ", "tee a ", "echo a > b;", "a=b ", "export a=", "python -c \"open('a','w')\";", "cat > a.sh <<'E'\nrm b\nE\nbash a.sh;", "apply_patch <<'E'\n", "git commit -m \"$(cat <<'E'\nx\nE\n)\";",
}

func FuzzShellEffects(f *testing.F) {
	for _, piece := range hostile {
		f.Add(piece, "")
		f.Add(strings.Repeat(piece, 3)+"x", "/w")
	}
	f.Fuzz(func(t *testing.T, line, dir string) {
		fx := shellEffects(nil, line, dir)
		assert.Len(t, fx.exit, len(fx.events))
		for _, e := range fx.events {
			assert.NotZero(t, e.Op)
			assert.True(t, e.Path != "" || e.Op == Touch, "only a touch may be of any file")
			assert.Equal(t, e.Op == Move, e.To != "")
			if e.Op == Touch || e.Op == Edit || e.Op == Write {
				assert.Equal(t, EffectChange, fx.effect)
			}
			for _, c := range e.Copies {
				assert.Equal(t, c.Lines, strings.Count(c.Text(), "\n")+1)
			}
		}
		if s := fx.output; s != nil {
			assert.NotEmpty(t, s.path)
			assert.Positive(t, s.first)
			assert.True(t, s.last == 0 || s.last >= s.first)
		}
	})
}

// A line is as long as its writer wants: its time must not be more than linear in it.
func TestShellEffects_Hostile(t *testing.T) {
	for _, piece := range hostile {
		t.Run(piece, func(t *testing.T) {
			start := time.Now()
			shellEffects(nil, strings.Repeat(piece, 64<<10/len(piece)), "/w")
			assert.Less(t, time.Since(start), 10*time.Second, "it takes a tenth of a second")
		})
	}
}
