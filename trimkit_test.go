package trimkit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit"
	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/core/coretest"
)

func ExampleNew() {
	kit, err := trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 600})
	if err != nil {
		panic(err)
	}
	history := []core.Message{
		{Role: core.RoleSystem, Parts: []core.Part{{Text: "You are terse."}}},
		{Role: core.RoleUser, Parts: []core.Part{{Text: "Read the log."}}},
		{Role: core.RoleAssistant, Parts: []core.Part{{Kind: core.KindToolCall, CallID: "1", Tool: "read", Text: "{}"}}},
		{Role: core.RoleTool, Parts: []core.Part{{Kind: core.KindToolResult, CallID: "1", Text: strings.Repeat("line ", 300)}}},
		{Role: core.RoleAssistant, Parts: []core.Part{{Text: "Nothing in it."}}},
		{Role: core.RoleUser, Parts: []core.Part{{Text: strings.Repeat("And what of this? ", 30)}}},
	}
	view, err := kit.Transform(context.Background(), history)
	for _, m := range view {
		fmt.Printf("%s: %.60s\n", m.Role, m.Parts[0].Text)
	}
	fmt.Println(err)
	// Output:
	// system: You are terse.
	// user: Read the log.
	// assistant: {}
	// tool: [trimkit: tool result removed: old, to make room; 308 tokens
	// assistant: Nothing in it.
	// user: And what of this? And what of this? And what of this? And wh
	// <nil>
}

func TestNew(t *testing.T) {
	for _, test := range []struct {
		name   string
		config trimkit.Config
		room   int // tokens that a request may have
	}{
		{"the model's window, less the longest usual reply", trimkit.Config{Model: "gpt-4o"}, 128_000 - 16_000},
		{"less what the model keeps for the reply", trimkit.Config{Model: "gpt-5"}, 272_000},
		{"a window and a reserve of one's own", trimkit.Config{Model: "gpt-4o", Window: 9000, Reserve: 1000}, 8000},
		{"no model", trimkit.Config{Window: 800, Counter: words}, 700},
	} {
		t.Run(test.name, func(t *testing.T) {
			kit, err := trimkit.New(test.config)
			require.NoError(t, err)
			report, err := kit.Explain(t.Context(), coretest.Parse("U A U"))
			require.NoError(t, err)
			reserve := report.Limit - test.room
			assert.Greater(t, report.TokensBefore, reserve)
			assert.Less(t, report.TokensBefore, reserve+report.Limit/16+300, "what stands beside the messages counts in sixteenths")
		})
	}
}

var words = budget.CounterFunc(func(text string) int { return len(strings.Fields(text)) })

func TestNewRefuses(t *testing.T) {
	_, err := trimkit.New(trimkit.Config{})
	var unknown *budget.UnknownModelError
	require.ErrorAs(t, err, &unknown)
	_, err = trimkit.New(trimkit.Config{Model: "gpt-4o", Window: 100, Reserve: 100})
	var limits *budget.LimitsError
	require.ErrorAs(t, err, &limits)
}
