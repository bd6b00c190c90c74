package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of a program the README shows what stands between these.
const begin, end = "\t// README: begin\n", "\t// README: end\n"

// shown is a block of the README and the program that it is from.
var shown = regexp.MustCompile("\\[examples/([a-z-]+)\\]\\(examples/[a-z-]+/main\\.go\\):\n\n```go\n((?s:.*?))```\n")

// What the README shows of the frameworks is what compiles, and all that is marked for it.
func TestReadmeShowsTheExamples(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(readme), "\n### Frameworks\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")

	blocks := shown.FindAllStringSubmatch(section, -1)
	assert.Len(t, blocks, strings.Count(section, "```go\n"), "every block names its program")
	got := make(map[string]string)
	for _, b := range blocks {
		got[b[1]] = b[2]
	}
	want := make(map[string]string)
	for _, p := range programs {
		program, err := os.ReadFile(filepath.Join(p.name, "main.go"))
		require.NoError(t, err)
		_, rest, ok := strings.Cut(string(program), begin)
		if !ok {
			continue
		}
		region, _, ok := strings.Cut(rest, end)
		require.True(t, ok, p.name)
		want[p.name] = strings.TrimPrefix(strings.ReplaceAll("\n"+region, "\n\t", "\n"), "\n")
		assert.LessOrEqual(t, strings.Count(region, "\n"), 10, p.name)
	}
	assert.Equal(t, want, got)
}
