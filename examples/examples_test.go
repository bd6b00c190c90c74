package examples_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/trimkit/trimkit/budget"
	"github.com/trimkit/trimkit/examples/internal/story"
)

// programs are the examples that call a model, and what each says at the end.
var programs = []struct {
	name   string
	says   []string
	rounds int // how often it does the task
}{
	{"langchaingo-chat", []string{"messages in the store: 100\n"}, 1},
	{"langchaingo-agent", []string{"the answer: It has 50 days.\n"}, 1},
	{"genkit-flow", []string{"the answer: It has 50 days.\n", "messages in the response's history: 102\n"}, 1},
	{"eino-react", []string{"the answer: It has 50 days.\n"}, 1},
	{"eino-graph", []string{"the answer: It has 50 days.\n", "messages in the state: 102\n"}, 1},
	{"plain", []string{"by the loop\n", "messages in the history: 102\n"}, 2},
}

var (
	called    = regexp.MustCompile(`(?m)^call +\d+: +(\d+) of +(\d+) messages, +(\d+) of +(\d+) tokens$`)
	collected = regexp.MustCompile(`(?m)^collection \((mark|hard limit)\): \d+ tokens of the window became \d+:( [a-z-]+ -\d+)+$`)
	saved     = regexp.MustCompile(`(?m)^\d+ calls, \d+ collections: \d+ tokens sent instead of \d+, [5-9]\d% saved$`)
)

// Every example runs by itself, and as against a provider of the user's; and prints the same.
func TestExamples(t *testing.T) {
	folder := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", folder, "./...").CombinedOutput()
	require.NoError(t, err, "%s", out)
	model, err := budget.ForModel("gpt-4o")
	require.NoError(t, err)
	meter := budget.NewMeter(model)

	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			server := story.NewServer(meter)
			defer server.Close()
			strict := run(t, filepath.Join(folder, p.name), "OPENAI_API_KEY=none", "OPENAI_BASE_URL="+server.URL+"/v1")
			for _, says := range p.says {
				assert.Contains(t, strict, says)
			}
			assert.Regexp(t, saved, strict)
			assert.GreaterOrEqual(t, len(collected.FindAllString(strict, -1)), 5*p.rounds)
			calls := called.FindAllStringSubmatch(strict, -1)
			require.NotEmpty(t, calls)
			assert.Greater(t, story.Number(calls[len(calls)-1][4]), 3*story.Window, "what the program holds passes the window")

			requests := server.Requests()
			assert.Len(t, requests, len(calls))
			for _, r := range requests {
				assert.Empty(t, r.Refused, "request %d", r.Index)
			}
			assert.Equal(t, strict, run(t, filepath.Join(folder, p.name), "OPENAI_API_KEY=", "OPENAI_BASE_URL="), "by itself")
		})
	}
}

// run runs a program and returns what it prints.
func run(t *testing.T, program string, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(cmd.Environ(), append(env, "OPENAI_MODEL=")...)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), "%s%s", &stdout, &stderr)
	return stdout.String()
}
