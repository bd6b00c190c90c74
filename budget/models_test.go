package budget_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
)

func ExampleForModel() {
	model, err := budget.ForModel("gpt-4o-2024-08-06")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Encoding, model.Window, model.Count("hello world"))
	// Output: o200k_base 128000 2
}

func ExampleLookupModel() {
	info, err := budget.LookupModel("openai/gpt-5-mini")
	fmt.Println(info.Window, info.Input, err)
	// Output: 400000 272000 <nil>
}

func TestLookupModel(t *testing.T) {
	for _, c := range []struct {
		name, encoding string
		window, input  int
	}{
		{"gpt-4o", budget.O200K, 128_000, 128_000},
		{"gpt-4o-2024-08-06", budget.O200K, 128_000, 128_000},
		{"gpt-4o-mini", budget.O200K, 128_000, 128_000},
		{"chatgpt-4o-latest", budget.O200K, 128_000, 128_000},
		{"gpt-4.1", budget.O200K, 1_047_576, 1_047_576},
		{"gpt-4.1-nano-2025-04-14", budget.O200K, 1_047_576, 1_047_576},
		{"gpt-4.5-preview", budget.O200K, 128_000, 128_000},
		{"gpt-5", budget.O200K, 400_000, 272_000},
		{"gpt-5-mini", budget.O200K, 400_000, 272_000},
		{"gpt-5-codex", budget.O200K, 400_000, 272_000},
		{"gpt-5-chat-latest", budget.O200K, 128_000, 128_000},
		{"gpt-5.1-2025-11-13", budget.O200K, 400_000, 272_000},
		{"o1", budget.O200K, 200_000, 200_000},
		{"o1-2024-12-17", budget.O200K, 200_000, 200_000},
		{"o1-mini", budget.O200K, 128_000, 128_000},
		{"o1-preview-2024-09-12", budget.O200K, 128_000, 128_000},
		{"o3-mini", budget.O200K, 200_000, 200_000},
		{"o4-mini", budget.O200K, 200_000, 200_000},
		{"gpt-oss-120b", budget.O200K, 131_072, 131_072},
		{"gpt-oss:20b", budget.O200K, 131_072, 131_072},
		{"openai.gpt-oss-20b-1:0", budget.O200K, 131_072, 131_072},
		{"gpt-4", budget.CL100K, 8_192, 8_192},
		{"gpt-4-0613", budget.CL100K, 8_192, 8_192},
		{"gpt-4-32k-0314", budget.CL100K, 32_768, 32_768},
		{"gpt-4-turbo-2024-04-09", budget.CL100K, 128_000, 128_000},
		{"gpt-4-0125-preview", budget.CL100K, 128_000, 128_000},
		{"gpt-4-1106-preview", budget.CL100K, 128_000, 128_000},
		{"gpt-3.5-turbo", budget.CL100K, 16_385, 16_385},
		{"gpt-3.5-turbo-0613", budget.CL100K, 4_096, 4_096},
		{"gpt-35-turbo", budget.CL100K, 16_385, 16_385},
		{"ft:gpt-4o-mini:org::id", budget.O200K, 128_000, 128_000},
		{"ft:gpt-4o-mini-2024-07-18:my/org:suffix:id", budget.O200K, 128_000, 128_000},
		{"ft:gpt-3.5-turbo-0613:org::id", budget.CL100K, 4_096, 4_096},
		{"openai/gpt-4o", budget.O200K, 128_000, 128_000},
		{"openrouter/openai/gpt-oss-20b:free", budget.O200K, 131_072, 131_072},
		{" GPT-4o ", budget.O200K, 128_000, 128_000},
	} {
		info, err := budget.LookupModel(c.name)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.name, info.Name)
		assert.Equal(t, c.encoding, info.Encoding, c.name)
		assert.Equal(t, c.window, info.Window, c.name)
		assert.Equal(t, c.input, info.Input, c.name)
	}
}

func TestUnknownModels(t *testing.T) {
	for _, name := range []string{
		"", "gpt", "gpt-", "gpt-45", "gpt-4ox", "gpt-4.7", "gpt-6", "gpt-5.99", "o", "o2", "o10", "mygpt-4o",
		"claude-sonnet-4-5", "openai/", "ft:", "/", ":", "gpt-3.5", "o4", "text-embedding-3-large",
	} {
		_, err := budget.LookupModel(name)
		var unknown *budget.UnknownModelError
		require.ErrorAs(t, err, &unknown, name)
		assert.Equal(t, name, unknown.Name)
		assert.Equal(t, budget.KnownModels(), unknown.Known)
		assert.ErrorContains(t, err, fmt.Sprintf("budget: unknown model %q", name))
		assert.ErrorContains(t, err, "gpt-4o-mini")
		assert.ErrorContains(t, err, "give its context window and a counter")

		m, err := budget.ForModel(name)
		assert.Nil(t, m)
		assert.ErrorAs(t, err, &unknown)
	}
}

func TestModelTable(t *testing.T) {
	known := budget.KnownModels()
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(known))), len(known), "a name stands twice")
	for _, name := range known {
		assert.Equal(t, strings.ToLower(name), name)
		info, err := budget.LookupModel(name + "-2030-01-01")
		require.NoError(t, err, name)
		assert.Contains(t, byEncoding, info.Encoding, name)
		assert.Positive(t, info.Window, name)
		assert.Positive(t, info.Input, name)
		assert.LessOrEqual(t, info.Input, info.Window, name)
		assert.Positive(t, info.Image.Tokens(0, 0, ""), name)
		assert.Positive(t, info.Image.Tokens(1, 1, "low"), name)
	}
	known[0] = "changed by the caller"
	assert.NotEqual(t, known[0], budget.KnownModels()[0])
}
