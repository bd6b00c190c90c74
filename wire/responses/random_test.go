package responses_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
	"github.com/trimkit/trimkit/wire/responses"
)

// The items of the tables in any order: what FuzzParse looks for, where a mutation of bytes
// would hardly get.
func TestRandomItems(t *testing.T) {
	var lines []string
	for _, c := range itemCases {
		lines = append(lines, strings.Split(c.json, "\n")...)
	}
	lines = append(lines, task, next, answer, sealed, call1, call2, out("c1", strings.Repeat("long ", 60)), out("c2", strings.Repeat("long ", 60)))
	changed := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 0))
		items := make([]string, rng.IntN(16))
		for i := range items {
			items[i] = lines[rng.IntN(len(lines))]
		}
		doc := list(items...)
		if rng.IntN(2) == 0 {
			doc = `{"instructions":"i","input":` + doc + `}`
		}
		c := parse(t, doc)
		for _, view := range [][]core.Message{edited(t, c.Messages(), seed), trimmed(t, c.Messages(), 50)} {
			checkRules(t, c.Messages(), checkView(t, c, view))
			if len(view) > 0 && &view[0] != &c.Messages()[0] {
				changed++
			}
		}
		checkEncode(t, c.Messages(), c.Request())
	}
	assert.Greater(t, changed, 1500, "views that differ")
}

// Any well-formed history that has nothing the format lacks is written, and says the same
// when it is read.
func TestEncodeGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		history := deepCopy(coretest.Histories(coretest.Config{}).Draw(t, "history"))
		for i := range history {
			m := &history[i]
			m.Name = ""
			kept := m.Parts[:0]
			for _, p := range m.Parts {
				p.Signed = false
				if p.Status != core.StatusPending {
					p.Status = core.StatusUnknown
				}
				if p.Media != nil {
					media := *p.Media
					media.URL, media.MIME, media.Data = dataURI, "image/png", nil
					p.Media = &media
					if m.Role == core.RoleAssistant {
						continue
					}
				}
				if p.Kind == core.KindOpaque {
					continue
				}
				kept = append(kept, p)
			}
			m.Parts = kept
		}
		out, err := responses.Encode(history, nil)
		require.NoError(t, err)
		back, err := responses.Parse(out)
		require.NoError(t, err)
		require.Equal(t, essence(history), essence(back.Messages()), string(out))
	})
}
