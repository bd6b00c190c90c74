package format_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/format"
	"github.com/trimkit/trimkit/wire/openai"
)

// writable are the formats to convert to.
var writable = []string{"openai", "anthropic", "responses", "gemini"}

// TestTracesLossy converts every recorded conversation to every format.
func TestTracesLossy(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	for _, target := range writable {
		t.Run(target, func(t *testing.T) {
			whole, lost, broken := 0, map[string]int{}, map[string]int{}
			for _, file := range files {
				data, err := os.ReadFile(file)
				require.NoError(t, err)
				recorded, err := openai.Parse(data)
				require.NoError(t, err)
				h, losses := convert(t, recorded.Messages(), nil, target)
				if len(losses) == 0 {
					whole++
				}
				for _, loss := range losses {
					lost[loss.What]++
				}
				profile := core.ProfileByName(target)
				for rule, more := range newViolations(profile, recorded.Messages(), h.Messages()) {
					t.Logf("%s: %d more of %s", filepath.Base(file), more, rule)
					broken[rule] += more
				}
			}
			t.Logf("%d of %d files held whole; lost: %v", whole, len(files), lost)
			assert.Empty(t, broken, "rules that the input did not break")
		})
	}
}

// convert writes a history in spite of losses and reads it again.
func convert(t require.TestingT, history []core.Message, r *core.Request, target string) (format.History, []wire.Loss) {
	plain, plainErr := format.Encode(history, r, target)
	data, losses, err := format.EncodeLossy(history, r, target)
	require.NoError(t, err)
	var lost *wire.EncodeError
	if errors.As(plainErr, &lost) {
		for _, loss := range lost.Losses {
			require.Contains(t, losses, loss)
		}
	} else {
		require.NoError(t, plainErr)
		require.Empty(t, losses)
		require.Equal(t, string(plain), string(data))
	}
	h, err := format.Parse(data, target)
	require.NoError(t, err, string(data))
	if target == "openai" {
		lines, err := openai.EncodeLines(h.Messages())
		require.NoError(t, err, "what was written can be written as lines")
		if len(h.Messages()) > 0 {
			_, err = openai.Parse(lines)
			require.NoError(t, err)
		}
	}
	return h, losses
}

// newViolations returns how many more there are of each rule.
func newViolations(p *core.Profile, before, after []core.Message) map[string]int {
	rules := map[string]int{}
	for _, v := range core.Check(p, after) {
		rules[v.Rule]++
	}
	for _, v := range core.Check(p, before) {
		rules[v.Rule]--
	}
	for rule, n := range rules {
		if n <= 0 {
			delete(rules, rule)
		}
	}
	return rules
}
