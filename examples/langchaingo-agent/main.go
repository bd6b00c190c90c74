// Langchaingo-agent has an agent for function calls read the log of a voyage, a day a call.
// What it read grows inside of one run, where no memory is asked; the wrapped model trims
// each of its calls.
//
// It needs no network and no key: without OPENAI_API_KEY a stand-in answers.
package main

import (
	"context"
	"fmt"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"

	langchainkit "github.com/trimkit/trimkit/adapters/langchaingo"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/examples/internal/story"
)

func main() { story.Run(run) }

func run(ctx context.Context, s *story.Story) error {
	inner, err := openai.New(openai.WithBaseURL(s.URL), openai.WithToken(s.Key), openai.WithModel(s.Model))
	if err != nil {
		return err
	}
	answer, err := work(ctx, inner, s.Kit, []tools.Tool{logbook{}}, story.Task)
	if err != nil {
		return err
	}
	fmt.Println("the answer:", answer)
	return nil
}

// work gives an agent a task.
func work(ctx context.Context, inner llms.Model, kit core.Transformer, toolbox []tools.Tool, task string) (string, error) {
	// README: begin
	llm := langchainkit.WrapModel(inner, kit)
	agent := agents.NewOpenAIFunctionsAgent(llm, toolbox)
	executor := agents.NewExecutor(agent, agents.WithMaxIterations(100))
	answer, err := chains.Run(ctx, executor, task)
	// README: end
	return answer, err
}

// logbook is the tool that reads the log.
type logbook struct{}

func (logbook) Name() string        { return story.Tool }
func (logbook) Description() string { return story.Description + "; its input is the day" }

func (logbook) Call(_ context.Context, input string) (string, error) {
	return story.Page(story.Number(input)), nil
}
