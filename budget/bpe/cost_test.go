package bpe_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget/bpe/bpetest"
)

func TestCountAllocatesNothing(t *testing.T) {
	for _, kind := range bpetest.Kinds() {
		text := bpetest.Text(kind, 1, 10_000)
		for _, e := range encodings {
			e.counter.Count(text)
			assert.Zero(t, testing.AllocsPerRun(1, func() { e.counter.Count(text) }), "%s %s", e.name, kind)
			assert.Zero(t, testing.AllocsPerRun(1, func() { e.counter.CountUpTo(text, 1000) }), "%s %s", e.name, kind)
		}
	}
}

// What CountUpTo reads depends on the limit, not on the text.
func TestCountUpToStopsEarly(t *testing.T) {
	for _, e := range encodings {
		n, within := e.counter.CountUpTo(strings.Repeat("word ", 100*25), 100)
		assert.False(t, within)
		assert.Less(t, n, 500, "1,251 if it had counted them all")

		huge := strings.Repeat("a", 100<<20)
		assert.Zero(t, testing.AllocsPerRun(100, func() { n, within = e.counter.CountUpTo(huge, 1000) }))
		assert.False(t, within)
		assert.Equal(t, 100<<20/128, n, "no token has more than 128 bytes")
	}
}

const maxAdded = 2_500_000 // bytes that both encodings add to a stripped program

func TestBinarySize(t *testing.T) {
	dir := t.TempDir()
	size := func(program string) int64 {
		file := filepath.Join(dir, program)
		out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", file, "./testdata/"+program).CombinedOutput()
		require.NoError(t, err, "%s", out)
		info, err := os.Stat(file)
		require.NoError(t, err)
		return info.Size()
	}
	without, with := size("without"), size("with")
	t.Logf("%d bytes without, %d with both encodings: %d more", without, with, with-without)
	assert.LessOrEqual(t, with-without, int64(maxAdded))
}
