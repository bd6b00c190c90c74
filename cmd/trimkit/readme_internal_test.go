package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The README shows what commands of its print, without what "..." stands for.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	const top = "../../"
	data, err := os.ReadFile(top + "README.md")
	require.NoError(t, err)
	for _, command := range []string{"explain", "replay"} {
		_, rest, ok := strings.Cut(string(data), "go run ./cmd/trimkit "+command+" ")
		require.True(t, ok)
		line, rest, _ := strings.Cut(rest, "\n")
		_, rest, _ = strings.Cut(rest, "\n```\n")
		shown, _, ok := strings.Cut(rest, "```")
		require.True(t, ok)

		args := append([]string{command}, strings.Fields(line)...)
		name := args[len(args)-1]
		args[len(args)-1] = top + name
		code, out, errs := newProgram(t).run("", args...)
		require.Equal(t, exitDone, code, errs)
		out = strings.ReplaceAll(out, top+name, name)
		for piece := range strings.SplitSeq(shown, "...\n") {
			assert.Contains(t, out, piece)
		}
	}
}
