package anthropic_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

// Histories of every kind, broken ones too, come through this format, and what edits make
// of them there is as valid as before.
func TestEncodeHistories(t *testing.T) {
	for name, generator := range map[string]*rapid.Generator[[]core.Message]{
		"histories": coretest.Histories(coretest.Config{}),
		"malformed": coretest.Malformed(coretest.Config{}),
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range 80 {
				history, _, err := suite.Holdable(generator.Example(seed))
				require.NoError(t, err)
				suite.Held(t, history, uint64(seed))
			}
		})
	}
}

var long = strings.Repeat("long ", 60)

// randomDocument is of everything that the format has, in any order.
func randomDocument(rng *rand.Rand) string {
	replies := []string{
		`{"type":"text","text":"` + long + `"}`, `{"type":"text","text":""}`, `{"type":"thinking","thinking":"` + long + `"}`, `{"type":"thinking","thinking":"hm","signature":"s"}`,
		`{"type":"redacted_thinking","data":"x"}`, `{"type":"tool_use","id":"c%d","name":"f","input":{"a":1}}`, `{"type":"tool_use","id":"c%d","name":"f","input":{},"caller":{"tool_id":"s%d"}}`,
		`{"type":"server_tool_use","id":"s%d"}`, `{"type":"web_search_tool_result","tool_use_id":"s%d"}`, `{"type":"compaction","content":"c"}`,
	}
	nested := `[{"type":"text","text":"` + long + `"},` + image + `,{"type":"tool_reference"},{"type":"search_result","title":"` + long + `"},{"type":"document","source":{"type":"content","content":[` + image + `,7]}}]`
	asks := []string{
		`{"type":"text","text":"` + long + `"}`, image, `{"type":"document","source":{"type":"text","data":"` + long + `"}}`, `{"type":"container_upload"}`,
		`{"type":"tool_result","tool_use_id":"c%d","content":"` + long + `"}`, `{"type":"tool_result","tool_use_id":"c%d","content":` + nested + `,"is_error":true}`,
		`{"type":"tool_result","tool_use_id":"c%d"}`, `{"type":"tool_result","tool_use_id":"c%d","content":[7]}`,
	}
	var messages []string
	for range rng.IntN(12) {
		role, pool := "user", asks
		if rng.IntN(2) == 0 {
			role, pool = "assistant", replies
		}
		var blocks []string
		for range rng.IntN(5) {
			block := strings.ReplaceAll(pool[rng.IntN(len(pool))], "%d", fmt.Sprint(rng.IntN(6)))
			blocks = append(blocks, block)
		}
		messages = append(messages, `{"role":"`+role+`","content":[`+strings.Join(blocks, " , ")+`]}`)
	}
	system := ""
	if rng.IntN(2) == 0 {
		system = `"system":[{"type":"text","text":"s"}],`
	}
	return `{` + system + `"messages":[` + strings.Join(messages, ",\n") + `]}`
}
