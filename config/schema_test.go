package config_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/config"
)

type property struct {
	Description string
	Default     json.RawMessage
	Enum        []string
	Properties  map[string]property
}

// The schema has the keys that there are, with their defaults.
func TestSchemaHasTheKeys(t *testing.T) {
	var schema property
	require.NoError(t, json.Unmarshal(config.Schema(), &schema))
	found := make(map[string]string)
	for name, p := range schema.Properties {
		assert.NotEmpty(t, p.Description, name)
		found[name] = string(p.Default)
		if name == "plugin_config" {
			for inner, p := range p.Properties {
				assert.NotEmpty(t, p.Description, inner)
				found[name+"."+inner] = string(p.Default)
			}
		}
	}
	_, presets := config.Keys()
	assert.Equal(t, presets, found)
	assert.ElementsMatch(t, config.Types(), schema.Properties["type"].Enum)
}

// The page has the keys, too, and its examples are files.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../docs/configuration.md")
	require.NoError(t, err)
	names, presets := config.Keys()
	for _, name := range names {
		row := "| `" + name + "` |"
		if presets[name] != "" {
			row += " `" + presets[name] + "` |"
		}
		assert.Contains(t, string(page), row)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, blocks)
	for _, b := range blocks {
		c, err := config.Parse("configuration.md", []byte(b[1]))
		require.NoError(t, err)
		passes(t, c)
	}
	example, err := os.ReadFile("testdata/example.json")
	require.NoError(t, err)
	assert.True(t, slices.ContainsFunc(blocks, func(b []string) bool { return strings.TrimSpace(b[1]) == strings.TrimSpace(string(example)) }),
		"the page shows testdata/example.json")
}

func passes(t *testing.T, c *config.Config) {
	t.Helper()
	results, err := c.RunTests(t.Context(), trimkit.Config{})
	require.NoError(t, err)
	for _, r := range results {
		assert.Empty(t, r.Failures, r.Name)
	}
}
