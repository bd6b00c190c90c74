package arch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the README shows is what compiles.
func TestReadmeShowsTheQuickstart(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(repo, "README.md"))
	require.NoError(t, err)
	program, err := os.ReadFile(filepath.Join(repo, "examples", "quickstart", "main.go"))
	require.NoError(t, err)
	_, block, _ := strings.Cut(string(readme), "```go\n")
	block, _, _ = strings.Cut(block, "```")
	assert.Equal(t, string(program), block)
}
