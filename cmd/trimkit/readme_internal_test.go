package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The README shows what a command of its prints, or the begin of that, if "..." is the end.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	const command, top = "go run ./cmd/trimkit explain ", "../../"
	data, err := os.ReadFile(top + "README.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(data), command)
	require.True(t, ok)
	line, rest, _ := strings.Cut(rest, "\n")
	_, rest, _ = strings.Cut(rest, "\n```\n")
	shown, _, ok := strings.Cut(rest, "\n...\n```")
	require.True(t, ok)

	args := append([]string{"explain"}, strings.Fields(line)...)
	name := args[len(args)-1]
	args[len(args)-1] = top + name
	code, out, errs := newProgram(t).run("", args...)
	require.Equal(t, exitDone, code, errs)
	out = strings.ReplaceAll(out, top+name, name)
	assert.Equal(t, shown, out[:min(len(out), len(shown))])
}
