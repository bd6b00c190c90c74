package gemini_test

import (
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/wire"
	"github.com/trimkit/trimkit/wire/gemini"
	"github.com/trimkit/trimkit/wire/openai"
)

// TestTraces writes every recorded conversation in Gemini's format and reads it back, then
// trims it. What cannot be held is counted, and is taken out for the rest.
func TestTraces(t *testing.T) {
	dir := os.Getenv("TRIMKIT_TRACES")
	if dir == "" {
		t.Skip("TRIMKIT_TRACES names no folder of recorded conversations")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recorded conversation in %s", dir)
	var lock sync.Mutex
	held, reasons := 0, map[string]int{} // reason → files
	t.Run("files", func(t *testing.T) {
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				history := readTrace(t, file)
				why := losses(t, history)
				lock.Lock()
				if len(why) == 0 {
					held++
				}
				for reason := range why {
					reasons[reason]++
				}
				lock.Unlock()
				if len(why) > 0 {
					history = withoutLosses(t, history)
				}
				c := keeps(t, history)
				for _, percent := range []int{25, 50, 75} {
					checkView(t, c, trimmed(t, c, percent))
				}
				checkView(t, c, edited(t, c.Messages(), 1))
			})
		}
	})
	t.Logf("%d of %d files can be held", held, len(files))
	for reason, n := range reasons {
		t.Logf("%3d with %s", n, reason)
	}
	assert.Greater(t, held, len(files)/2)
}

func readTrace(t *testing.T, file string) []core.Message {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	c, err := openai.Parse(data)
	require.NoError(t, err)
	return c.Messages()
}

var place = regexp.MustCompile(`^.*?: `)

// losses returns the reasons for which the format cannot hold a history.
func losses(t *testing.T, history []core.Message) map[string]bool {
	t.Helper()
	_, err := gemini.Encode(history, nil)
	if err == nil {
		return nil
	}
	var lost *wire.EncodeError
	require.ErrorAs(t, err, &lost)
	why := map[string]bool{}
	for _, l := range lost.Losses {
		why[place.ReplaceAllString(l.String(), "")] = true
	}
	return why
}
