package coretest_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// The judge and core derive groups and protection from the same rules by different code.
func TestTheJudgeAndCoreAgree(t *testing.T) {
	for _, generator := range []*rapid.Generator[[]core.Message]{
		coretest.Histories(coretest.Config{}), coretest.Malformed(coretest.Config{}),
	} {
		for i := range *cases {
			h := generator.Example(*seed + i)
			w := core.NewWindow(h)
			var firsts []int
			var stays []bool
			for m := range h {
				firsts = append(firsts, w.Groups.List[w.Groups.Of[m]].Msgs[0])
				stays = append(stays, w.Protection(m) != 0)
			}
			group, protected := coretest.Pairing(h)
			if !slices.Equal(firsts, group) || !slices.Equal(stays, protected) {
				t.Fatalf("core: groups %v, protected %v\njudge: groups %v, protected %v\n%s", firsts, stays, group, protected, coretest.Format(h))
			}
		}
	}
}

// What is found is shown small: what has nothing to do with the fault is gone.
func TestAFaultIsShownSmall(t *testing.T) {
	for _, m := range mutants {
		if m.name == "drops a result only" {
			assert.Regexp(t, `(?s)law 3 is broken in \d+ cases, the first with Seed\(\d+\).*history:
0 assistant #\d+: call\("call_\d+" , 0\)
1 tool #\d+: result\("call_\d+" , \d\)
view`, coretest.Broken(m.subject, coretest.Cases(50))[3])
		}
	}
}

func TestFormatSaysWhatMatters(t *testing.T) {
	h := coretest.Parse("S U ??A(a)#3 T(a!)+")
	h[1].Name = "ada"
	h[1].Parts = append(h[1].Parts, core.Part{Kind: core.KindMedia, Media: &core.Media{MIME: "image/png", Data: []byte("12345")}})
	h = append(h, core.Message{Role: core.RoleUser, Parts: []core.Part{{Text: "[trimkit: x]", Elided: &core.Elision{Op: core.Insert}}}})
	assert.Equal(t, `0 system #1: text(100)
1 user #2 name "ada": text(100) media(5 of image/png)
2 assistant #3 reply 3: reasoning(109, signed) call("a" Read, 11)
3 tool #4 locked: result("a" Read, failed, 100)
4 user #0: text(12, insert: "[trimkit: x]")
`, coretest.Format(h))
}
