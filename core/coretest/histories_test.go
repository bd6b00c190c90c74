package coretest_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// features are what makes a history difficult; each must appear in some of them.
var features = map[string]func(h []core.Message) bool{
	"nothing":             func(h []core.Message) bool { return len(h) == 0 },
	"two system messages": func(h []core.Message) bool { return len(h) > 1 && h[1].Role == core.RoleSystem },
	"a system message in the middle": anyMessage(func(h []core.Message, i int) bool {
		return i > 3 && h[i].Role == core.RoleSystem && h[i-1].Role != core.RoleSystem
	}),
	"eight parallel calls":     anyGroup(func(h []core.Message, g core.Group) bool { return count(h, g, core.KindToolCall) == 8 }),
	"a group of many messages": anyGroup(func(_ []core.Message, g core.Group) bool { return len(g.Msgs) > 4 }),
	"a note within an exchange": anyGroup(func(_ []core.Message, g core.Group) bool {
		return g.Kind == core.GroupExchange && g.Msgs[len(g.Msgs)-1]-g.Msgs[0] >= len(g.Msgs)
	}),
	"several results in a message": anyMessage(func(h []core.Message, i int) bool {
		return h[i].Role == core.RoleTool && len(h[i].Parts) > 2
	}),
	"results in another order": anyMessage(func(h []core.Message, i int) bool {
		return h[i].Role == core.RoleTool && len(h[i].Parts) > 1 && h[i].Parts[0].CallID > h[i].Parts[len(h[i].Parts)-1].CallID
	}),
	"a reply over several messages": anyMessage(func(h []core.Message, i int) bool {
		return i > 0 && h[i].Reply != 0 && h[i].Reply == h[i-1].Reply
	}),
	"an open call at the end": anyGroup(func(_ []core.Message, g core.Group) bool { return g.Open }),
	"a dead call": anyGroup(func(h []core.Message, g core.Group) bool {
		return !g.Open && count(h, g, core.KindToolCall) > count(h, g, core.KindToolResult)
	}),
	"an id that comes again": func(h []core.Message) bool {
		seen := make(map[string]bool)
		for i := range h {
			for _, p := range h[i].Parts {
				if p.Kind == core.KindToolCall {
					if seen[p.CallID] {
						return true
					}
					seen[p.CallID] = true
				}
			}
		}
		return false
	},
	"reasoning alone": anyMessage(func(h []core.Message, i int) bool {
		return len(h[i].Parts) == 1 && h[i].Parts[0].Kind == core.KindReasoning
	}),
	"signed reasoning":       anyPart(func(p core.Part) bool { return p.Kind == core.KindReasoning && p.Signed }),
	"unsigned reasoning":     anyPart(func(p core.Part) bool { return p.Kind == core.KindReasoning && !p.Signed }),
	"an image by address":    anyPart(func(p core.Part) bool { return p.Kind == core.KindMedia && p.Media.URL != "" }),
	"an image in bytes":      anyPart(func(p core.Part) bool { return p.Kind == core.KindMedia && p.Media.Data != nil }),
	"an image in a result":   anyPart(func(p core.Part) bool { return p.Kind == core.KindToolResult && p.Media != nil }),
	"an opaque part":         anyPart(func(p core.Part) bool { return p.Kind == core.KindOpaque }),
	"an empty result":        anyPart(func(p core.Part) bool { return p.Kind == core.KindToolResult && p.Text == "" && p.Media == nil }),
	"a failed result":        anyPart(func(p core.Part) bool { return p.Status == core.StatusFailed }),
	"a denied result":        anyPart(func(p core.Part) bool { return p.Status == core.StatusDenied }),
	"a pending result":       anyPart(func(p core.Part) bool { return p.Status == core.StatusPending }),
	"a result of many pages": anyPart(func(p core.Part) bool { return p.Kind == core.KindToolResult && len(p.Text) > 4000 }),
	"text beside ASCII":      anyPart(func(p core.Part) bool { return utf8.RuneCountInString(p.Text) < len(p.Text)/2 }),
	"text like a marker": anyPart(func(p core.Part) bool {
		return p.Elided == nil && len(p.Text) > 10 && p.Text[:10] == core.MarkerPrefix
	}),
	"a name":                          anyMessage(func(h []core.Message, i int) bool { return h[i].Name != "" }),
	"metadata":                        anyMessage(func(h []core.Message, i int) bool { return h[i].Meta != nil }),
	"a pin":                           anyMessage(func(h []core.Message, i int) bool { return h[i].Policy == core.Locked }),
	"ephemeral":                       anyMessage(func(h []core.Message, i int) bool { return h[i].Policy == core.Ephemeral }),
	"a condition":                     anyMessage(func(h []core.Message, i int) bool { return h[i].Policy == core.Conditional }),
	"one native message of two roles": anyMessage(func(h []core.Message, i int) bool { return i > 0 && h[i].Src == h[i-1].Src }),
	"200 messages":                    func(h []core.Message) bool { return len(h) > 150 },
}

func anyMessage(is func(h []core.Message, i int) bool) func([]core.Message) bool {
	return func(h []core.Message) bool {
		for i := range h {
			if is(h, i) {
				return true
			}
		}
		return false
	}
}

func anyPart(is func(core.Part) bool) func([]core.Message) bool {
	return anyMessage(func(h []core.Message, i int) bool {
		return slices.ContainsFunc(h[i].Parts, is)
	})
}

func anyGroup(is func(h []core.Message, g core.Group) bool) func([]core.Message) bool {
	return func(h []core.Message) bool {
		for _, g := range core.NewGroups(h).List {
			if is(h, g) {
				return true
			}
		}
		return false
	}
}

func count(h []core.Message, g core.Group, kind core.Kind) int {
	n := 0
	for _, m := range g.Msgs {
		for _, p := range h[m].Parts {
			if p.Kind == kind {
				n++
			}
		}
	}
	return n
}

func TestHistoriesHaveWhatMakesThemDifficult(t *testing.T) {
	const drawn = 1000
	generator, seen, small := coretest.Histories(coretest.Config{}), make(map[string]int), 0
	for seed := range drawn {
		h := generator.Example(seed)
		if len(h) <= 30 {
			small++
		}
		for name, has := range features {
			if has(h) {
				seen[name]++
			}
		}
	}
	for name := range features {
		assert.GreaterOrEqual(t, seen[name], drawn/100, "%s", name)
	}
	assert.Greater(t, small, drawn/2, "most are small")
	t.Log(small, seen)
}

func TestHistoriesAreWellFormed(t *testing.T) {
	generator := coretest.Histories(coretest.Config{})
	for seed := range 1000 {
		h := generator.Example(seed)
		assert.Empty(t, core.Check(&core.Profile{ObjectArgs: true}, h), coretest.Format(h))
		for i := range h {
			for p, part := range h[i].Parts {
				assert.True(t, utf8.ValidString(part.Text))
				assert.EqualValues(t, p, part.Slot)
			}
		}
	}
}

func TestHistoriesComeAgain(t *testing.T) {
	for _, generator := range []func(int) []core.Message{
		func(seed int) []core.Message { return coretest.Histories(coretest.Config{}).Example(seed) },
		func(seed int) []core.Message { return coretest.Malformed(coretest.Config{}).Example(seed) },
	} {
		for seed := range 50 {
			first := generator(seed)
			assert.Equal(t, first, generator(seed))
		}
	}
	assert.LessOrEqual(t, len(coretest.Histories(coretest.Config{MaxSteps: 1}).Example(3)), 40)
}

func TestMalformedHistoriesAreMalformed(t *testing.T) {
	const drawn = 1000
	generator, rules, odd := coretest.Malformed(coretest.Config{}), make(map[string]int), 0
	for seed := range drawn {
		h := generator.Example(seed)
		slots := make(map[uint32]bool)
		for i := range h {
			for _, p := range h[i].Parts {
				assert.False(t, slots[p.Slot], "parts can be told apart")
				slots[p.Slot] = true
				if !utf8.ValidString(p.Text) {
					odd++
				}
			}
		}
		for _, v := range core.Check(core.Bedrock, h) {
			rules[v.Rule]++
		}
		if len(h) > 0 {
			_ = coretest.Format(h) // whatever is in it
		}
	}
	for _, rule := range []string{
		"unknown-role", "first-role", "system-position", "turn-order", "empty-content", "lone-reasoning",
		"repeated-id", "bad-arguments", "unanswered-call", "orphan-result", "late-result", "repeated-result",
	} {
		assert.Positive(t, rules[rule], "%s", rule)
	}
	assert.Positive(t, odd, "broken UTF-8")
	t.Log(rules)
}
