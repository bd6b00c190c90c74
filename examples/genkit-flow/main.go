// Genkit-flow is a flow whose model reads the log of a voyage with a tool, a day a call. The
// plugin is decorated, so that its models are trimmed wherever a flow, a prompt or the
// developer UI names them, at every turn of Genkit's own loop.
//
// It needs no network and no key: without OPENAI_API_KEY a stand-in answers.
package main

import (
	"context"
	"fmt"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core/api"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai/openai"
	"github.com/openai/openai-go/option"

	genkitkit "github.com/trimkit/trimkit/adapters/genkit"
	"github.com/trimkit/trimkit/core"
	"github.com/trimkit/trimkit/examples/internal/story"
)

func main() { story.Run(run) }

func run(ctx context.Context, s *story.Story) error {
	plugin := &openai.OpenAI{APIKey: s.Key, Opts: []option.RequestOption{option.WithBaseURL(s.URL)}}
	response, err := work(ctx, plugin, s.Kit, "openai/"+s.Model, story.Task)
	if err != nil {
		return err
	}
	fmt.Println("the answer:", response.Text())
	fmt.Println("messages in the response's history:", len(response.History()))
	return nil
}

// input is what the tool takes.
type input struct {
	Day int `json:"day"`
}

func readLog(_ *ai.ToolContext, in input) (string, error) { return story.Page(in.Day), nil }

// work runs a flow.
func work(ctx context.Context, plugin api.Plugin, kit core.Transformer, model, task string) (*ai.ModelResponse, error) {
	// README: begin
	g := genkit.Init(ctx, genkit.WithPlugins(genkitkit.Plugin(plugin, kit)))
	tool := genkit.DefineTool(g, story.Tool, story.Description, readLog)
	flow := genkit.DefineFlow(g, "voyage", func(ctx context.Context, task string) (*ai.ModelResponse, error) {
		return genkit.Generate(ctx, g, ai.WithModelName(model), ai.WithPrompt(task),
			ai.WithTools(tool), ai.WithMaxTurns(100))
	})
	response, err := flow.Run(ctx, task)
	// README: end
	return response, err
}
